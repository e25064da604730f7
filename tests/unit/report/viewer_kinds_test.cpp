// The kinds of joints that the viewer draws are those of the registry, each by the symbol that it
// tells: one that is missing or misspelt would be drawn as something else without a word.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::report {
namespace {

// The entries `name: "symbol",` of `export const NAME: ... = { ... };`.
std::map<std::string, std::string> viewer_table(const std::string& text, const std::string& name) {
  const std::size_t start = text.find("export const " + name + ":");
  const std::size_t open = text.find("= {", start);
  const std::size_t close = text.find("};", open);
  if (start == std::string::npos || close == std::string::npos) return {};
  const std::string body = text.substr(open, close - open);
  const std::regex entry(R"re(\n\s*([a-z_]+): "([a-z_]+)")re");
  std::map<std::string, std::string> table;
  for (std::sregex_iterator i(body.begin(), body.end(), entry), end; i != end; ++i) {
    table.emplace((*i)[1], (*i)[2]);
  }
  return table;
}

std::map<std::string, std::string> registered(model::Space space) {
  std::map<std::string, std::string> table;
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.space == space) table.emplace(kind.name, model::to_string(kind.symbol));
  }
  return table;
}

TEST(ViewerKinds, AreThoseOfTheRegistry) {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "viewer/src/stage/joint_kinds.ts";
  std::ifstream stream(file);
  ASSERT_TRUE(stream) << file;
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(viewer_table(text.str(), "planar_kinds"), registered(model::Space::planar));
  EXPECT_EQ(viewer_table(text.str(), "spatial_kinds"), registered(model::Space::spatial));
}

}  // namespace
}  // namespace trammel::report
