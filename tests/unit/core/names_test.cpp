#include "trammel/core/names.h"

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

TEST(EditDistance, CountsChangesAndTranspositions) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("mass", "mass"), 0U);
  EXPECT_EQ(edit_distance("mas", "mass"), 1U);
  EXPECT_EQ(edit_distance("revoulte", "revolute"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string> words{"axis", "axes", "sixa", "position", "opsitoin", ""};
  for (const auto& a : words) {
    for (const auto& b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << b;
  }
}

TEST(NearestName, FindsWhatWasMeant) {
  const std::vector<std::string> known{"revolute", "prismatic", "spherical"};
  EXPECT_EQ(nearest_name("revolut", known), "revolute");
  EXPECT_EQ(nearest_name("prizmatic", known), "prismatic");
  EXPECT_EQ(nearest_name("screw", known), "");
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(NearestName, ShortNamesMayDifferByOneLetter) {
  EXPECT_EQ(nearest_name("b", {"a"}), "a");
  EXPECT_EQ(nearest_name("xy", {"ab"}), "");
}

TEST(Suggestion, NamesTheNearestOrAllOrNone) {
  EXPECT_EQ(suggestion("revolut", {"revolute", "fixed"}), "did you mean 'revolute'?");
  EXPECT_EQ(suggestion("screw", {"revolute", "fixed"}), "known: revolute, fixed");
  EXPECT_EQ(suggestion("screw", {}), "none is defined");
}

TEST(Suggestion, LongListsAreCut) {
  std::vector<std::string> known;
  for (char c = 'a'; c <= 'z'; ++c) known.push_back(std::string(8, c));
  const std::string text = suggestion("12345678", known);
  EXPECT_NE(text.find("llllllll"), std::string::npos);
  EXPECT_EQ(text.find("mmmmmmmm"), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 3), "...");
}

}  // namespace
}  // namespace trammel::core
