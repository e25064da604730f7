// The report as a file: complete, self-contained, not too large, never written over.
#include "trammel/report/page.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/mechanisms.h"
#include "support/scratch_folder.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/report/scene_json.h"
#include "trammel/report/viewer_bundle.h"
#include "trammel/results/memory_sink.h"

namespace trammel::report {
namespace {

class Report : public ::testing::Test {
 protected:
  static std::string content(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  support::ScratchFolder folder_;
};

results::Table slider_crank_run() {
  const model::Description description = support::slider_crank();
  const auto system = model::compile(description);
  results::MemorySink sink;
  analysis::SimulationOptions options;
  options.sink = &sink;
  options.information.model_name = "<slider> & crank";
  options.information.scene = scene_json(description);
  analysis::simulate(*system, description.simulation, options);
  return sink.table();
}

TEST_F(Report, OfTheSliderCrankIsBelowThreeMegabytesAndNeedsNothingElse) {
  const auto path = folder_ / "slider_crank.html";
  write_report(path, slider_crank_run());
  const std::string text = content(path);
  EXPECT_LT(text.size(), 3'000'000u);
  EXPECT_EQ(text.find("src=\""), std::string::npos);
  EXPECT_EQ(text.find("<link"), std::string::npos);
  EXPECT_NE(text.find("<title>&lt;slider&gt; &amp; crank</title>"), std::string::npos);
  EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  // Three scripts: header, data and viewer. Nothing in them ends them early.
  std::size_t ends = 0;
  for (std::size_t at = text.find("</script"); at != std::string::npos;
       at = text.find("</script", at + 1)) {
    ++ends;
  }
  EXPECT_EQ(ends, viewer_bundle().empty() ? 2u : 3u);
}

TEST_F(Report, IsNotWrittenOverUnlessAsked) {
  const auto path = folder_ / "report.html";
  const std::string mine = "<!doctype html>\n<meta name=\"generator\" content=\"trammel\"> mine";
  std::ofstream(path) << mine;
  EXPECT_THROW(write_report(path, slider_crank_run()), core::InputError);
  EXPECT_EQ(content(path), mine);
  write_report(path, slider_crank_run(), {}, true);
  EXPECT_NE(content(path), mine);
}

}  // namespace
}  // namespace trammel::report
