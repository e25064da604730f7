#include "trammel/model/other_words.h"

#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

template <class Kind>
std::vector<std::string> names_in(const std::vector<Kind>& kinds, Space space) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (kind.space == space) names.push_back(kind.name);
  }
  return names;
}

TEST(OtherWords, MeanWhatPeopleMeanByThem) {
  const std::vector<std::string> joints = names_in(joint_kinds(), Space::spatial);
  const std::vector<std::string> forces = names_in(force_kinds(), Space::spatial);
  EXPECT_EQ(meaning("pin", joints), "revolute");
  EXPECT_EQ(meaning("Hinge", joints), "revolute");
  EXPECT_EQ(meaning("translational", joints), "prismatic");
  EXPECT_EQ(meaning("Ball joint", joints), "spherical");
  EXPECT_EQ(meaning("motor", forces), "dc_motor");
  EXPECT_EQ(meaning("moment", forces), "torque");
  EXPECT_EQ(meaning("motor", joints), "");
  EXPECT_EQ(kind_suggestion("hinge", joints), "did you mean 'revolute'?");
  EXPECT_NE(kind_suggestion("motor", joints).find("'drives'"), std::string::npos);
  EXPECT_NE(kind_suggestion("gear", joints).find("'couplings'"), std::string::npos);
  EXPECT_EQ(kind_suggestion("revoulte", joints), "did you mean 'revolute'?");
  EXPECT_EQ(kind_suggestion("xyzzy", joints).rfind("known: ", 0), 0u);
}

// A word that were itself a kind would be wrong advice; one for a kind that is gone, none.
TEST(OtherWords, AreNoKindsThemselvesAndNameKindsThatExist) {
  std::size_t found = 0;
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const auto& names : {names_in(joint_kinds(), space), names_in(force_kinds(), space)}) {
      for (const std::string& name : names) {
        EXPECT_EQ(meaning(name, names), "") << name;
        found += other_words(name).size();
      }
    }
  }
  EXPECT_GT(found, 60u);
  EXPECT_EQ(other_words("revolute"), (std::vector<std::string>{"pin", "hinge", "pivot"}));
}

}  // namespace
}  // namespace trammel::model
