// Every complete model printed in README.md or docs/ is right: a block of YAML that begins with
// `trammel: 1` (or a comment above it) is read, compiled, assembled and run for a few steps, so
// that the pages cannot grow stale. Every page of a joint or force has such a block and names it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/io/model_file.h"

namespace trammel::analysis::documented_models_test {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  return TRAMMEL_SOURCE_DIR;
}

// The text of all complete models of a page.
std::vector<std::string> models_of(const fs::path& page) {
  std::vector<std::string> models;
  std::ifstream stream(page);
  std::string line;
  std::string block;
  bool inside = false;
  while (std::getline(stream, line)) {
    if (!inside && line.rfind("```yaml", 0) == 0) {
      inside = true;
      block.clear();
    } else if (inside && line.rfind("```", 0) == 0) {
      inside = false;
      if (block.rfind("trammel:", 0) == 0 || block.find("\ntrammel:") != std::string::npos) {
        models.push_back(block);
      }
    } else if (inside) {
      block += line + "\n";
    }
  }
  return models;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> list{root() / "README.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root() / "docs")) {
    if (entry.path().extension() == ".md") list.push_back(entry.path());
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(DocumentedModels, CanBeSimulated) {
  int models = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& text : models_of(page)) {
      SCOPED_TRACE(page.string() + ":\n" + text);
      ++models;
      io::ModelFile file;
      ASSERT_NO_THROW(file = io::read_model_text(text, page.string(), full_vocabulary()));
      EXPECT_TRUE(file.warnings.empty()) << core::to_string(file.warnings.front());
      model::SimulationSettings settings = file.description.simulation;
      settings.until = std::min(settings.until, 20.0 * settings.step);
      const auto system = model::compile(file.description);
      const SimulationReport report = simulate(*system, settings);
      EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
      EXPECT_LT(report.assembly.position_residual, 1e-10);  // what assembly promises
    }
  }
  EXPECT_GE(models, 16) << "one for every joint and force, at least";
}

// `type: NAME` with its space, in one of the models of its own page.
void expect_shown(const fs::path& page, const io::Kind& kind) {
  ASSERT_TRUE(fs::exists(page)) << page;
  const std::vector<std::string> models = models_of(page);
  const bool shown = std::any_of(models.begin(), models.end(), [&](const std::string& text) {
    return text.find("type: " + kind.name) != std::string::npos;
  });
  EXPECT_TRUE(shown) << page << " has no complete model with `type: " << kind.name << "`";
}

TEST(DocumentedModels, ShowEveryJointAndForceOnItsPage) {
  const io::Vocabulary vocabulary = full_vocabulary();
  for (const io::Kind& kind : vocabulary.joints) {
    expect_shown(root() / "docs" / "joints" / model::to_string(*kind.space) / (kind.name + ".md"),
                 kind);
  }
  for (const io::Kind& kind : vocabulary.forces) {
    expect_shown(root() / "docs" / "forces" / (kind.name + ".md"), kind);
  }
}

// Keys of a joint or force stand on its page by name.
TEST(DocumentedModels, NameEveryKeyOnItsPage) {
  const io::Vocabulary vocabulary = full_vocabulary();
  const auto expect_keys = [](const fs::path& page, const io::Kind& kind) {
    std::ifstream stream(page);
    std::stringstream text;
    text << stream.rdbuf();
    for (const model::Field& field : kind.fields) {
      EXPECT_NE(text.str().find("`" + field.name + "`"), std::string::npos)
          << page << " does not name the key " << field.name;
    }
  };
  for (const io::Kind& kind : vocabulary.joints) {
    expect_keys(root() / "docs" / "joints" / model::to_string(*kind.space) / (kind.name + ".md"),
                kind);
  }
  for (const io::Kind& kind : vocabulary.forces) {
    expect_keys(root() / "docs" / "forces" / (kind.name + ".md"), kind);
  }
}

}  // namespace
}  // namespace trammel::analysis::documented_models_test
