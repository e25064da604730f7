#include "report_argument.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "vocabulary.h"

#include "trammel/io/model_file.h"
#include "trammel/report/scene_json.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

/// The lines "name=value" that trammel run has stored under "set".
io::Overrides stored_overrides(const results::RunInformation& info) {
  io::Overrides overrides;
  const auto found = info.more.find("set");
  if (found == info.more.end()) return overrides;
  std::istringstream lines(found->second);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equal = line.find('=');
    if (equal == std::string::npos) continue;
    overrides.emplace_back(line.substr(0, equal), line.substr(equal + 1));
  }
  return overrides;
}

}  // namespace

std::string report_beside(const std::string& results) {
  return std::filesystem::path(results).replace_extension(".html").string();
}

void note_folder(results::RunInformation& info,
                 const std::string& results,
                 const std::filesystem::path& folder) {
  info.more.erase("folder");
  if (!info.more.contains("model_file") && !info.more.contains("files")) return;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(results, error);
  const std::filesystem::path way =
      std::filesystem::relative(folder, absolute.parent_path(), error);
  if (!error && !way.empty() && way != ".") info.more["folder"] = way.string();
}

std::filesystem::path noted_folder(const results::RunInformation& info,
                                   const std::string& results) {
  const auto noted = info.more.find("folder");
  return std::filesystem::path(results).parent_path() /
         (noted == info.more.end() ? "." : noted->second);
}

std::vector<std::filesystem::path> inputs_behind(const std::string& results) {
  std::vector<std::filesystem::path> inputs{results};
  const results::Contents contents = results::inspect(results);
  for (const char* name : {"model_file", "files"}) {
    const auto found = contents.info.more.find(name);
    if (found == contents.info.more.end()) continue;
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);) {
      inputs.push_back(noted_folder(contents.info, results) / line);
      inputs.emplace_back(line);  // results of earlier versions note no folder
    }
  }
  return inputs;
}

std::string shell_word(const std::string& text) {
  const auto harmless = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-/=+,:@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted += '\'';
}

std::string reproduction_command(const std::string& command,
                                 const std::string& model,
                                 const std::vector<std::string>& assignments) {
  std::string line = "trammel " + command + " " + shell_word(model);
  for (const std::string& assignment : assignments) {
    line += " --set " + shell_word(assignment);
  }
  return line;
}

void add_scene(results::RunInformation& info,
               const std::filesystem::path& path,
               core::Diagnostics* warnings) {
  if (!info.scene.empty() || info.model_text.empty()) return;
  try {
    const io::ModelFile file = io::read_model_text(info.model_text, path.string(),
                                                   full_vocabulary(), {stored_overrides(info)});
    info.scene = report::scene_json(file.description);
  } catch (const core::InputError&) {
    if (warnings != nullptr) {
      warnings->warning({}, "the model in these results cannot be read any more",
                        "the report shows plots only; run the model again to see it move");
    }
  }
}

report::ThinnedRun read_with_scene(const std::filesystem::path& path,
                                   core::Diagnostics* warnings,
                                   std::size_t budget) {
  report::ThinnedRun run = report::read_thinned(path, warnings, budget);
  add_scene(run.info, path, warnings);
  return run;
}

}  // namespace trammel::cli
