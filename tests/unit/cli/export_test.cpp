// The motion for other programs, and pictures: what the commands refuse, and how they say it.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0);
    ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-q"}).code, 0);
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  /// Runs the command with nothing installed.
  Answer bare(const std::vector<std::string>& words) const {
    return folder_.wait(folder_.start(words, [] {
      ::setenv("PATH", "/nowhere", 1);
      ::unsetenv("CHROMIUM");
    }));
  }
  void expect_refused(const Answer& answer, const std::string& words) const {
    EXPECT_EQ(answer.code, 2) << answer.out;
    EXPECT_TRUE(contains(answer.err, words)) << answer.err;
  }
  Folder folder_;
};

TEST_F(Export, WritesGltfAndVtk) {
  Answer answer = folder_.run({"export", "pendulum.h5", "--to", "glb"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "pendulum.glb").substr(0, 4), "glTF");
  answer = folder_.run({"export", "pendulum.h5", "-o", "p.pvd", "--frames", "5"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "5 times")) << answer.out;
  EXPECT_TRUE(exists("p_vtk/p_00004.vtp"));
  EXPECT_FALSE(exists("p_vtk/p_00005.vtp"));
}

TEST_F(Export, OfCsvResultsWorksAsWell) {
  ASSERT_EQ(folder_.run({"export", "pendulum.h5", "--remarks"}).code, 0);
  EXPECT_EQ(folder_.run({"export", "pendulum.csv", "--to", "glb", "-o", "c.glb"}).code, 0);
  EXPECT_EQ(contents_of(folder_ / "c.glb").substr(0, 4), "glTF");
}

TEST_F(Export, RefusesWhatMakesNoSense) {
  expect_refused(folder_.run({"export", "pendulum.h5", "--to", "stl"}), "stl");
  expect_refused(folder_.run({"export", "pendulum.h5", "--to", "glb", "-o", "x.csv"}),
                 "let it end in .glb");
  expect_refused(folder_.run({"export", "pendulum.h5", "--to", "glb", "-o", "-"}),
                 "standard output");
  expect_refused(folder_.run({"export", "pendulum.h5", "--to", "vtk", "-c", "rod.*"}),
                 "--channels");
  ASSERT_EQ(folder_.run({"export", "pendulum.h5", "--to", "glb"}).code, 0);
  expect_refused(folder_.run({"export", "pendulum.h5", "--to", "glb"}), "pendulum.glb");
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "--to", "glb", "-f"}).code, 0);
  // Channels only: nothing to draw.
  folder_.put("plain.csv", "time,x\n0,1\n1,2\n");
  expect_refused(folder_.run({"export", "plain.csv", "--to", "glb"}),
                 "tells nothing about the mechanism");
}

TEST_F(Export, OfDamagedOrForeignFilesSaysSo) {
  const std::string good = contents_of(folder_ / "pendulum.h5");
  folder_.put("cut.h5", good.substr(0, good.size() / 3));
  folder_.put("picture.h5", "\x89PNG\r\n\x1a\n" + std::string(64, '\0'));
  folder_.put("empty.h5", "");
  for (const char* command : {"export", "report", "render", "view", "plot"}) {
    for (const char* file : {"cut.h5", "picture.h5", "empty.h5", "missing.h5"}) {
      const Answer answer = folder_.run({command, file});
      EXPECT_EQ(answer.code, 2) << command << " " << file;
      EXPECT_TRUE(contains(answer.err, file)) << command << ": " << answer.err;
    }
  }
}

TEST_F(Export, UnknownChannelsGetTheNearestName) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"export", "pendulum.h5", "-c", "rod.postion.x", "-o", "-"},
        std::vector<std::string>{"plot", "pendulum.h5", "rod.postion.x"}}) {
    expect_refused(folder_.run(words), "did you mean 'rod.position.x'?");
  }
}

TEST_F(Export, RenderNamesWhatIsMissing) {
  Answer answer = bare({"render", "pendulum.h5"});
  expect_refused(answer, "Chromium, which is not installed");
  EXPECT_TRUE(contains(answer.err, "apt install chromium")) << answer.err;
  answer = bare({"render", "pendulum.h5", "-o", "film.mp4"});
  expect_refused(answer, "ffmpeg, which is not installed");
  EXPECT_TRUE(contains(answer.err, "apt install ffmpeg")) << answer.err;
}

TEST_F(Export, RenderRefusesWhatMakesNoSense) {
  expect_refused(bare({"render", "pendulum.h5", "-o", "x.bmp"}), "no name for a picture");
  expect_refused(bare({"render", "pendulum.h5", "--size", "big"}), "--size 1280x720");
  expect_refused(bare({"render", "pendulum.h5", "--size", "99999x10"}), "no size");
  expect_refused(bare({"render", "pendulum.h5", "--camera", "under"}), "under");
  expect_refused(bare({"render", "nowhere.html"}), "nowhere.html");
  folder_.put("pendulum.png", "mine");
  expect_refused(bare({"render", "pendulum.h5"}), "pendulum.png");
  EXPECT_EQ(contents_of(folder_ / "pendulum.png"), "mine");
}

TEST_F(Export, WhatHappenedIsKeptInTheResults) {
  ASSERT_EQ(folder_.run({"report", "pendulum.h5", "-o", "again.html"}).code, 0);
  const std::string page = contents_of(folder_ / "again.html");
  EXPECT_TRUE(contains(page, "\"facts\":[[\"model\"")) << page.substr(0, 400);
  EXPECT_TRUE(contains(page, "numerical loss"));
  // `trammel info` does not print the raw text.
  EXPECT_FALSE(contains(folder_.run({"info", "pendulum.h5"}).out, "what_happened"));
}

}  // namespace
}  // namespace trammel::cli::testing
