// The kinds of joints that the viewer draws are those of the registry, by name: one that is missing
// or misspelt would be drawn as something else without a word.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::report {
namespace {

// The keys of `export const NAME: ... = { ... };`.
std::set<std::string> keys_of(const std::string& text, const std::string& name) {
  const std::size_t start = text.find("export const " + name + ":");
  const std::size_t open = text.find("= {", start);
  const std::size_t close = text.find("};", open);
  if (start == std::string::npos || close == std::string::npos) return {};
  const std::string body = text.substr(open, close - open);
  const std::regex key(R"(\n\s*([a-z_]+):)");
  std::set<std::string> keys;
  for (std::sregex_iterator i(body.begin(), body.end(), key), end; i != end; ++i) {
    keys.insert((*i)[1]);
  }
  return keys;
}

std::set<std::string> registered(model::Space space) {
  std::set<std::string> names;
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.space == space) names.insert(kind.name);
  }
  return names;
}

TEST(ViewerKinds, AreThoseOfTheRegistry) {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "viewer/src/stage/joint_kinds.ts";
  std::ifstream stream(file);
  ASSERT_TRUE(stream) << file;
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(keys_of(text.str(), "planar_kinds"), registered(model::Space::planar));
  EXPECT_EQ(keys_of(text.str(), "spatial_kinds"), registered(model::Space::spatial));
}

}  // namespace
}  // namespace trammel::report
