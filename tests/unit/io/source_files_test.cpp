// Which files a model may read, and how: below its own folder, regular ones, never waiting.
#include "trammel/io/source_files.h"

#include <array>

#include "folder_test.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trammel/core/content_hash.h"
#include "trammel/io/text_file.h"

namespace trammel::io {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* head = "trammel: 1\nspace: spatial\n";
constexpr const char* cube =
    "o tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// The three ways to name a file, each in a model "models/NAME.yaml".
class SourceFilesOfModels : public test::FolderTest {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "models" / "parts");
    fs::create_directories(folder_ / "elsewhere");
  }
  void write_models(const std::string& include, const std::string& mesh, const std::string& csv) {
    write("models/include.yaml",
          head + ("include: [" + include + "]\n") + "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n");
    write("models/mesh.yaml",
          head + ("bodies: {b: {mass: 1, inertia: [1, 1, 1], meshes: " + mesh + "}}\n"));
    write("models/csv.yaml",
          head +
              ("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\ntables: {lift: {csv: " + csv + "}}\n"));
  }
  void write_files(const std::string& folder) {
    write(folder + "/part.yaml", "parameters: {length: 2}\n");
    write(folder + "/part.obj", cube);
    write(folder + "/part.csv", "0,0\n1,1\n2,3\n");
  }
  ModelFile read_allowed(const std::string& name) const {
    return read_model_file(path(name), test::vocabulary(), {{}, true});
  }
  static constexpr std::array kinds{"include", "mesh", "csv"};
};

TEST_F(SourceFilesOfModels, AreReadAndRecordedBelowTheFolderOfTheModel) {
  write_files("models/parts");
  write_models("parts/part.yaml", "parts/part.obj", "parts/part.csv");
  for (const std::string kind : kinds) {
    const ModelFile file = read("models/" + kind + ".yaml");
    ASSERT_EQ(file.sources.size(), 1U) << kind;
    EXPECT_TRUE(contains(file.sources[0].path, "parts/part.")) << file.sources[0].path;
    EXPECT_EQ(file.sources[0].hash, core::content_hash(read_text_file(file.sources[0].path)));
  }
}

TEST_F(SourceFilesOfModels, OutsideTheFolderTheyNeedLeave) {
  write_files("elsewhere");
  const std::string absolute = path("elsewhere");
  for (const std::string& folder : {std::string("../elsewhere"), absolute, std::string("link"),
                                    std::string("parts/../../elsewhere")}) {
    std::error_code ignored;
    fs::create_directory_symlink(absolute, folder_ / "models" / "link", ignored);
    write_models(folder + "/part.yaml", folder + "/part.obj", folder + "/part.csv");
    for (const std::string kind : kinds) {
      const Texts found = mistakes("models/" + kind + ".yaml");
      ASSERT_EQ(found.size(), 1U) << kind << " " << folder;
      EXPECT_TRUE(contains(found[0], "lies outside the folder of the model")) << found[0];
      EXPECT_TRUE(contains(found[0], "--allow-outside")) << found[0];
      EXPECT_EQ(read_allowed("models/" + kind + ".yaml").sources.size(), 1U) << kind;
    }
  }
}

TEST_F(SourceFilesOfModels, PipesDevicesAndUnreadableFilesAreRefusedAtOnce) {
  for (const char* ending : {"yaml", "obj", "csv"}) {
    const std::string pipe = path(std::string("models/pipe.") + ending);
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // nobody ever writes to it
    fs::create_directory(folder_ / "models" / (std::string("folder.") + ending));
    write(std::string("models/locked.") + ending, "x");
    ::chmod(path(std::string("models/locked.") + ending).c_str(), 0);
  }
  for (const char* name : {"pipe", "folder", "locked"}) {
    if (std::string(name) == "locked" && ::geteuid() == 0) continue;  // root may read everything
    write_models(std::string(name) + ".yaml", std::string(name) + ".obj",
                 std::string(name) + ".csv");
    for (const std::string kind : kinds) {
      const Texts found = mistakes("models/" + kind + ".yaml");
      ASSERT_EQ(found.size(), 1U) << kind << " " << name;
    }
  }
}

TEST_F(SourceFilesOfModels, NothingIsQuotedOfAFileThatIsNoModel) {
  const std::string secret =
      "root:x:0:0:hunter2:/root\n- [unclosed hunter2\n\tpassword = hunter2\n";
  for (const std::string& text :
       Texts{secret, "hunter2\n" + secret, "password: hunter2\nkey: hunter2\n",
             "v hunter2 0 0\nf hunter2\n", "0,hunter2\n1,hunter2\n",
             "{\"password\": \"hunter2\", oops\n", "name: hunter2\nservices: hunter2\n"}) {
    write("models/secret.yaml", text);
    write("models/secret.obj", text);
    write("models/secret.csv", text);
    write_models("secret.yaml", "secret.obj", "secret.csv");
    for (const std::string kind : kinds) {
      const Texts found = mistakes("models/" + kind + ".yaml");
      ASSERT_GE(found.size(), 1U) << kind;
      for (const std::string& each : found) EXPECT_FALSE(contains(each, "hunter2")) << each;
      // Nor does a message point at a line of it, which the command line would show.
      if (kind == "include") {
        EXPECT_TRUE(contains(found[0], "models/include.yaml:3: ")) << found[0];
        EXPECT_TRUE(contains(found[0], "is no part of a model")) << found[0];
      }
    }
  }
}

TEST_F(SourceFilesOfModels, MistakesOfIncludedModelsAreStillTold) {
  write("models/part.yaml", "# wheels\nbodies:\n  wheel: {mas: 1}\n");
  write("models/include.yaml", head + std::string("include: part.yaml\n"));
  const Texts found = mistakes("models/include.yaml");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(contains(found[0], "models/part.yaml:3: ")) << found[0];
}

// ---- names that stand for values

TEST(FormulaNames, AreOneRuleForParametersStatesAndSensors) {
  const std::string body =
      std::string("trammel: 1\nspace: planar\nbodies: {b: {mass: 1, inertia: 1}}\n");
  const auto mistakes_of = [](const std::string& text) {
    try {
      read_model_text(text, "model", test::vocabulary());
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto models = [&](const std::string& name) {
    return Texts{body + "parameters: {" + name + ": 1}\n",
                 body + "states: {" + name + ": {rate: 1}}\n",
                 body + "sensors: {" + name + ": {type: distance, between: [ground, b]}}\n",
                 body + "assemblies: {a: {states: {" + name +
                     ": {rate: 1}}}}\ninstances: {i: {assembly: a}}\n"};
  };
  for (const char* name : {"t", "lb", "min", "sin", "pi", "time", "a-b"}) {
    for (const std::string& text : models(name)) {
      const std::string found = mistakes_of(text);
      EXPECT_TRUE(contains(found, std::string("'") + name + "' ")) << text << found;
      EXPECT_TRUE(contains(found, "choose another name, e.g. ")) << found;
    }
  }
  for (const std::string& text : models("level")) EXPECT_EQ(mistakes_of(text), "") << text;
  EXPECT_TRUE(contains(mistakes_of(body + "states: {t: {rate: 1}}\n"), "'t' is a unit (tonne)"));
  EXPECT_TRUE(contains(mistakes_of(body + "parameters: {level: 1}\nstates: {level: {rate: 1}}\n"),
                       "'level' is a parameter"));
  // Parts that stand in formulas only with a dot behind them may have any name.
  EXPECT_EQ(mistakes_of("trammel: 1\nspace: planar\nbodies: {t: {mass: 1, inertia: 1}}\n"
                        "joints: {m: {type: revolute, between: [ground, t]}}\n"
                        "states: {level: {rate: m.angle + t.angle}}\n"),
            "");
}

TEST(Override, OfIncludeIsRefused) {
  const std::string text = "trammel: 1\nspace: planar\nbodies: {b: {mass: 1, inertia: 1}}\n";
  for (const char* name : {"include", "include.1"}) {
    try {
      read_model_text(text, "model", test::vocabulary(), {{{name, "other.yaml"}}});
      ADD_FAILURE() << name;
    } catch (const core::InputError& error) {
      EXPECT_TRUE(contains(error.what(), "files are included before values are set"))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace trammel::io
