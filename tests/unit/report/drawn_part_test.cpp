#include "trammel/report/drawn_part.h"

#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/report/drawn_model.h"

namespace trammel::report {
namespace {

constexpr std::size_t few = 10;

std::vector<std::string> names(const model::Description& description) {
  std::vector<std::string> list;
  for (const model::Body& body : description.bodies) list.push_back(body.name);
  return list;
}

TEST(DrawnPart, IsTheWholeOfASmallModel) {
  const model::Description chain = support::chain(10, model::Space::spatial);
  EXPECT_FALSE(drawn_part(chain, {}, few));
  EXPECT_TRUE(drawn_part(chain, {}, few - 1));
}

TEST(DrawnPart, HoldsWhatIsRecordedWithTheJointsBetween) {
  const model::Description chain = support::chain(50, model::Space::planar);
  const auto name = [&](std::size_t i) { return chain.bodies[i].name; };
  const auto part = drawn_part(
      chain, {name(0) + ".*", name(30) + ".position.*", name(31) + ".position.x", "energy.*"}, few);
  ASSERT_TRUE(part);
  EXPECT_EQ(names(part->description), (std::vector<std::string>{name(0), name(30), name(31)}));
  // The first hangs on the ground; of the others only the joint between them has both its bodies.
  ASSERT_EQ(part->description.joints.size(), 2U);
  EXPECT_EQ(part->description.joints[0].name, chain.joints[0].name);
  EXPECT_EQ(part->description.joints[1].name, chain.joints[31].name);
  EXPECT_EQ(part->note, "3 of 50 bodies: those whose positions were recorded");
}

TEST(DrawnPart, IsSpreadOverWhatIsTooMuch) {
  const model::Description chain = support::chain(50, model::Space::planar);
  const auto all = drawn_part(chain, {}, few);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->description.bodies.size(), few);
  EXPECT_EQ(all->description.bodies.front().name, chain.bodies.front().name);
  EXPECT_EQ(all->description.bodies.back().name, chain.bodies.back().name);
  EXPECT_EQ(all->note, "10 of 50 bodies, evenly spread among those whose positions were recorded");
  const auto none = drawn_part(chain, {"energy.*"}, few);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->description.bodies.size(), few);
  EXPECT_EQ(none->note, "10 of 50 bodies, as described: no positions were recorded");
}

// A page with a million bodies would not open.
TEST(DrawnPart, KeepsTheSceneOfALargeModelSmall) {
  const model::Description chain =
      support::chain(static_cast<int>(most_drawn_bodies) + 5000, model::Space::planar);
  results::RunInformation info;
  add_scene(chain, {chain.bodies[7].name + ".*"}, info);
  const DrawnModel drawn = read_scene(info.scene);
  ASSERT_EQ(drawn.bodies.size(), 1U);
  EXPECT_EQ(drawn.bodies[0].name, chain.bodies[7].name);
  EXPECT_EQ(info.more.at("drawn"), "1 of 25000 bodies: those whose positions were recorded");
}

}  // namespace
}  // namespace trammel::report
