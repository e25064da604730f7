#include "trammel/report/run_reader.h"

#include <set>
#include <string>
#include <vector>

#include "trammel/report/thinning.h"
#include "trammel/results/reader.h"

namespace trammel::report {

RunNotes notes_of(const ReadRun& run) {
  RunNotes notes = notes_of(run.table.info);
  notes.left_out = run.left_out;
  return notes;
}

ReadRun read_run(const std::filesystem::path& path,
                 core::Diagnostics* warnings,
                 const ReadOptions& options) {
  const results::Contents contents = results::inspect(path);
  const std::size_t channels = contents.channels.size();
  if (contents.rows * channels * sizeof(double) <= options.memory) {
    return {results::read(path, {}, warnings), 0};
  }
  const ThinningPlan plan =
      plan_thinning(contents.channels, contents.rows, options.budget / sizeof(float));
  std::set<std::size_t> wanted(plan.channels.begin(), plan.channels.end());
  wanted.insert(plan.poses.begin(), plan.poses.end());
  std::vector<std::string> names;
  for (const std::size_t i : wanted) names.push_back(contents.channels[i].name);
  return {results::read(path, names, warnings), channels - names.size()};
}

}  // namespace trammel::report
