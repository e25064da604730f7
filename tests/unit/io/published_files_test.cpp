// The files that are made from the table of keys and committed: they must be what the table says.
// TRAMMEL_REGENERATE=1 in the environment writes them anew.
#include <cstdlib>

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/vocabulary.h"
#include "trammel/io/json_schema.h"
#include "trammel/io/model_file.h"
#include "trammel/io/reference_page.h"

namespace trammel::io {
namespace {

std::vector<Kind> to_kinds(const std::vector<analysis::MethodKind>& methods) {
  std::vector<Kind> kinds;
  for (const analysis::MethodKind& method : methods) {
    kinds.push_back({.name = method.name, .summary = method.summary, .fields = method.fields});
  }
  return kinds;
}

Vocabulary full_vocabulary() {
  Vocabulary vocabulary = model_vocabulary();
  vocabulary.integrators = to_kinds(analysis::integrator_kinds());
  vocabulary.solvers = to_kinds(analysis::solver_kinds());
  return vocabulary;
}

void expect_published(const std::string& file, const std::string& text) {
  const std::filesystem::path path = test::source_folder() / file;
  if (std::getenv("TRAMMEL_REGENERATE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_TRUE(test::content(path) == text)
      << file << " is not what the table of keys says; run this test with TRAMMEL_REGENERATE=1";
}

TEST(PublishedFiles, SchemaIsUpToDate) {
  expect_published("schema/trammel-1.schema.json", json_schema(full_vocabulary()));
}

TEST(PublishedFiles, ReferencePageIsUpToDate) {
  expect_published("docs/model_file.md", reference_page(full_vocabulary()));
}

TEST(PublishedFiles, ExampleInTheReferencePageIsRead) {
  const std::string page = reference_page(full_vocabulary());
  const std::string begin = "```yaml\n";
  const std::size_t start = page.find(begin) + begin.size();
  const std::string example = page.substr(start, page.find("```", start) - start);
  const ModelFile file = read_model_text(example, "model_file.md", full_vocabulary());
  EXPECT_EQ(file.description.name, "pendulum");
  EXPECT_TRUE(file.warnings.empty());
}

TEST(PublishedFiles, EveryExampleIsRead) {
  for (const auto& path : test::files_in("examples")) {
    if (test::content(path).find("trammel: 1") == std::string::npos) continue;
    EXPECT_NO_THROW(read_model_file(path.string(), full_vocabulary())) << path;
  }
}

TEST(PublishedFiles, DefaultsOfTheSimulationExist) {
  const model::SimulationSettings settings;
  const Vocabulary vocabulary = full_vocabulary();
  EXPECT_NE(find_kind(vocabulary.integrators, model::Space::planar, settings.integrator), nullptr);
  EXPECT_NE(find_kind(vocabulary.solvers, model::Space::planar, settings.solver), nullptr);
}

}  // namespace
}  // namespace trammel::io
