// Fewer rows and channels, but no peak lost and nothing important left out.
#include "trammel/report/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace trammel::report {
namespace {

std::vector<results::Channel> chain_channels(int bodies) {
  std::vector<results::Channel> list;
  for (int i = 0; i < bodies; ++i) {
    const std::string body = "link" + std::to_string(i);
    for (const char* part : {".position.x", ".position.y", ".angle", ".acceleration.x",
                             ".acceleration.y", ".velocity.x"}) {
      list.push_back({body + part, "", "", ""});
    }
  }
  list.push_back({"energy.total", "J", "", ""});
  return list;
}

TEST(Thinning, SmallRunsStayWhole) {
  const ThinningPlan plan = plan_thinning(chain_channels(3), 100, 10'000);
  EXPECT_TRUE(plan.whole);
  EXPECT_EQ(plan.channels.size(), 19u);
  EXPECT_EQ(plan.samples, 100u);
}

TEST(Thinning, LargeRunsKeepPosesAndEnergiesWithinTheBudget) {
  const auto channels = chain_channels(1000);
  constexpr std::size_t rows = 10'000;
  constexpr std::size_t budget = 1'000'000;
  const ThinningPlan plan = plan_thinning(channels, rows, budget);
  EXPECT_FALSE(plan.whole);
  EXPECT_EQ(plan.poses.size(), 3000u);
  EXPECT_EQ(plan.frames.front(), 0u);
  EXPECT_EQ(plan.frames.back(), rows - 1);
  EXPECT_LE(plan.poses.size() * plan.frames.size(), budget / 2);
  EXPECT_LE(plan.poses.size() * plan.frames.size() + plan.channels.size() * plan.samples, budget);
  const auto kept = [&](const std::string& name) {
    return std::any_of(plan.channels.begin(), plan.channels.end(),
                       [&](std::size_t i) { return channels[i].name == name; });
  };
  EXPECT_TRUE(kept("energy.total"));
  EXPECT_TRUE(kept("link0.position.x"));
  EXPECT_FALSE(kept("link0.acceleration.x"));
}

TEST(Thinning, KnowsWhatMovesABody) {
  EXPECT_TRUE(is_pose("crank.position.x"));
  EXPECT_TRUE(is_pose("rod.orientation.e3"));
  EXPECT_FALSE(is_pose("crank.velocity.x"));
  EXPECT_FALSE(is_pose("energy.total"));
}

}  // namespace
}  // namespace trammel::report
