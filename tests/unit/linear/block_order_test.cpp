#include "trammel/linear/block_order.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "support/kkt_systems.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::linear {
namespace {

using system::KktPattern;

std::shared_ptr<const KktPattern> pattern_of(const model::Description& description) {
  return model::compile(description)->pattern();
}

// Pairs of different blocks that are coupled in the matrix.
std::size_t coupled_pairs(const KktPattern& pattern) {
  std::vector<int> block(static_cast<std::size_t>(pattern.size()));
  for (int b = 0; b < pattern.blocks(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    for (int i = pattern.block_start[at]; i < pattern.block_start[at + 1]; ++i) {
      block[static_cast<std::size_t>(i)] = b;
    }
  }
  std::set<std::pair<int, int>> pairs;
  for (int column = 0; column < pattern.size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = block[static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(k)])];
      if (row > block[c]) pairs.emplace(row, block[c]);
    }
  }
  return pairs.size();
}

std::size_t panels(const BlockOrder& order) {
  return std::accumulate(order.below.begin(), order.below.end(), std::size_t{0},
                         [](std::size_t sum, const auto& below) { return sum + below.size(); });
}

// Hinged bars, each on a random earlier one or on the ground.
model::Description random_tree(int bodies, support::Random& random) {
  model::Description d;
  d.space = model::Space::planar;
  for (int i = 0; i < bodies; ++i) {
    const int parent = static_cast<int>(random.uniform(-1.0, i)) - (i == 0 ? 1 : 0);
    const std::string name = "bar" + std::to_string(i);
    d.add_body(support::bar(name, 1.0, 1.0, d.space));
    d.add_joint("revolute", "hinge" + std::to_string(i),
                parent < 0 ? "ground" : "bar" + std::to_string(parent) + ".right", name + ".left");
  }
  return d;
}

TEST(BlockOrder, EveryBlockComesOnceAndPanelsLieBelow) {
  support::Random random(3);
  const auto problem = support::random_graph(12, 20, 3, random);
  const BlockOrder order = order_blocks(*problem.matrix.pattern);
  std::vector<int> sorted = order.order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> all(static_cast<std::size_t>(problem.matrix.pattern->blocks()));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  for (std::size_t p = 0; p < order.below.size(); ++p) {
    EXPECT_TRUE(std::is_sorted(order.below[p].begin(), order.below[p].end()));
    for (const int below : order.below[p]) EXPECT_GT(below, static_cast<int>(p));
  }
}

// Bars in a net of n x n, each joined to its right and its upper neighbour.
model::Description net(int n) {
  model::Description d;
  d.space = model::Space::planar;
  const auto name = [](int i, int j) {
    return "bar" + std::to_string(i) + "_" + std::to_string(j);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) d.add_body(support::bar(name(i, j), 1.0, 1.0, d.space));
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j + 1 < n) {
        d.add_joint("distance", "row" + name(i, j), name(i, j) + ".right", name(i, j + 1) + ".left",
                    {{"length", 1.0}});
      }
      if (i + 1 < n) {
        d.add_joint("distance", "column" + name(i, j), name(i, j) + ".left",
                    name(i + 1, j) + ".right", {{"length", 1.0}});
      }
    }
  }
  return d;
}

TEST(BlockOrder, PartsHaveNothingToDoWithEachOther) {
  support::Random random(11);
  for (const auto& [what, description] :
       {std::pair("spatial chain", support::chain(300, model::Space::spatial)),
        std::pair("planar chain", support::chain(301, model::Space::planar)),
        std::pair("four-bars", support::four_bars(100)),
        std::pair("tree", random_tree(400, random)), std::pair("net", net(12))}) {
    SCOPED_TRACE(what);
    const auto pattern = pattern_of(description);
    const BlockOrder order = order_blocks(*pattern, 1);
    std::vector<int> sorted = order.order;
    std::sort(sorted.begin(), sorted.end());
    for (int b = 0; b < pattern->blocks(); ++b) EXPECT_EQ(sorted[static_cast<std::size_t>(b)], b);
    if (order.parts.empty()) continue;
    EXPECT_TRUE(std::is_sorted(order.parts.begin(), order.parts.end()));
    const auto part_of = [&](int place) {
      return std::upper_bound(order.parts.begin(), order.parts.end(), place) - order.parts.begin();
    };
    const auto rest = static_cast<std::ptrdiff_t>(order.parts.size());
    for (int p = 0; p < pattern->blocks(); ++p) {
      for (const int below : order.below[static_cast<std::size_t>(p)]) {
        EXPECT_TRUE(part_of(below) == part_of(p) || part_of(below) == rest) << p << " " << below;
      }
    }
  }
}

// A chain is cut in two, neither part much longer than the other, with one body
// and its joint between them.
TEST(BlockOrder, ChainsAreCutOnce) {
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    const auto pattern = pattern_of(support::chain(1000, space));
    const BlockOrder order = order_blocks(*pattern, 1);
    EXPECT_TRUE(order.cut_tree);
    ASSERT_GE(order.parts.size(), 3U);
    EXPECT_LE(pattern->blocks() - order.parts.back(), 3);
    for (std::size_t i = 0; i + 1 < order.parts.size(); ++i) {
      EXPECT_LT(order.parts[i + 1] - order.parts[i], 1300) << "of 2000 blocks";
    }
    EXPECT_TRUE(order_blocks(*pattern).parts.empty()) << "small systems are not divided";
  }
}

TEST(BlockOrder, TreesAreDividedWithoutMoreFill) {
  support::Random random(13);
  const auto pattern = pattern_of(random_tree(2000, random));
  const BlockOrder order = order_blocks(*pattern, 1);
  EXPECT_GT(order.parts.size(), 4U);
  EXPECT_EQ(panels(order), coupled_pairs(*pattern));
}

TEST(BlockOrder, ChainsHaveNoFill) {
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    for (const int n : {1, 2, 7, 50}) {
      const auto pattern = pattern_of(support::chain(n, space));
      EXPECT_EQ(panels(order_blocks(*pattern)), coupled_pairs(*pattern)) << n;
    }
  }
}

TEST(BlockOrder, TreesHaveNoFill) {
  support::Random random(17);
  for (const int n : {3, 10, 60}) {
    for (int time = 0; time < 5; ++time) {
      const auto pattern = pattern_of(random_tree(n, random));
      EXPECT_EQ(panels(order_blocks(*pattern)), coupled_pairs(*pattern)) << n;
    }
  }
}

// A multiplier's own pivot is only the regularisation: bodies must come first.
TEST(BlockOrder, JointsWaitForEnoughOfTheirBodies) {
  for (const auto& description : {support::chain(10, model::Space::spatial), support::four_bars(4),
                                  support::bricard(), support::spatial_slider_crank()}) {
    const auto pattern = pattern_of(description);
    const BlockOrder order = order_blocks(*pattern);
    std::vector<bool> eliminated(static_cast<std::size_t>(pattern->size()), false);
    for (const int b : order.order) {
      const auto at = static_cast<std::size_t>(b);
      const int first = pattern->block_start[at];
      const int last = pattern->block_start[at + 1];
      std::set<int> support;
      for (int i = first; i < last; ++i) {
        for (int v = 0; v < pattern->velocities; ++v) {
          if (pattern->find(i, v) >= 0 && eliminated[static_cast<std::size_t>(v)])
            support.insert(v);
        }
        eliminated[static_cast<std::size_t>(i)] = true;
      }
      if (first >= pattern->velocities) {
        EXPECT_GE(static_cast<int>(support.size()), last - first) << description.name;
      }
    }
  }
}

}  // namespace
}  // namespace trammel::linear
