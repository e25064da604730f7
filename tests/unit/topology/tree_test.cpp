#include "trammel/topology/tree.h"

#include <random>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/topology/picture.h"

namespace trammel::topology {
namespace {

std::string numbered(const char* letter, int number) {
  std::string name(letter);
  name += std::to_string(number);
  return name;
}

Graph bodies(int count) {
  Graph graph;
  graph.vertices.push_back({"ground", 0});
  for (int i = 1; i <= count; ++i) graph.vertices.push_back({numbered("V", i), 6});
  return graph;
}

// Ground and five bodies [Sol1983, fig. 4.1]: a ball joint, two pins, two sliders; V5 is isolated.
Graph figure_4_1() {
  Graph graph = bodies(5);
  graph.edges = {{"ball", "spherical", 0, 1, 3, 3},
                 {"pin12", "revolute", 1, 2, 1, 5},
                 {"pin23", "revolute", 2, 3, 1, 5},
                 {"slide34", "prismatic", 3, 4, 1, 5},
                 {"slide03", "prismatic", 0, 3, 1, 5}};
  return graph;
}

TEST(Tree, FigureOfTheSource) {
  const Tree tree = spanning_tree(figure_4_1());
  EXPECT_EQ(tree.location_column(), (std::vector<int>{0, 1, 2, 1, 0}));
  // The loop is opened at the ball joint, which has the most coordinates; V5 is tied by six.
  ASSERT_EQ(tree.cut_joints().size(), 1U);
  EXPECT_EQ(tree.cut_joints()[0].edge, 0);
  EXPECT_EQ(tree.cut_joints()[0].from, 0);
  EXPECT_EQ(tree.cut_joints()[0].to, 3);  // new body 3 is the old V1
  EXPECT_EQ(tree.vertex(1).name, "V3");
  EXPECT_EQ(tree.vertex(2).name, "V2");
  EXPECT_EQ(tree.vertex(3).name, "V1");
  EXPECT_EQ(tree.vertex(4).name, "V4");
  EXPECT_EQ(tree.free_bodies(), std::vector<int>{5});
  EXPECT_EQ(tree.coordinates(), 4 + 6);
  EXPECT_EQ(tree.trees(), 2);

  Eigen::MatrixXi T(5, 5);  // (4.3.7)
  T << 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1;
  EXPECT_EQ(tree.tree_matrix(), T);
  Eigen::MatrixXi S(5, 5);  // (4.3.4)
  S << 1, -1, 0, -1, 0, 0, 1, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1;
  EXPECT_EQ(tree.location_matrix().bottomRows(5), S);
  EXPECT_EQ(tree.location_matrix().row(0), (Eigen::RowVectorXi(5) << -1, 0, 0, 0, -1).finished());
}

// What the user wants comes before the numbers of coordinates [Sol1983, 4.2].
TEST(Tree, FollowsWishes) {
  Graph graph = figure_4_1();
  graph.edges[0].wish = Wish::keep;  // the ball
  graph.ties = {{5, 2}};
  const Tree kept = spanning_tree(graph);
  ASSERT_EQ(kept.cut_joints().size(), 1U);
  EXPECT_EQ(kept.cut_joints()[0].edge, 2);
  EXPECT_EQ(kept.trees(), 2);
  EXPECT_EQ(kept.vertex(kept.branch(kept.number_of(5)).parent).name, "V2");
  EXPECT_NE(to_text(kept).find("kept: ball"), std::string::npos);
  EXPECT_NE(to_text(kept).find("tied: V5 to V2"), std::string::npos);

  graph = figure_4_1();
  graph.edges[1].wish = Wish::open;  // pin12
  const Tree open = spanning_tree(graph);
  ASSERT_EQ(open.cut_joints().size(), 1U);
  EXPECT_EQ(open.cut_joints()[0].edge, 1);
  EXPECT_EQ(open.coordinates(), 3 + 3 + 6);

  for (Edge& edge : graph.edges) edge.wish = Wish::keep;
  EXPECT_THROW(spanning_tree(graph), core::InputError);
  graph = figure_4_1();
  graph.ties = {{4, 5}};  // V4 hangs on the ground already
  EXPECT_THROW(spanning_tree(graph), core::InputError);
}

TEST(Tree, LoopsAreNamedByTheirBranches) {
  const Tree tree = spanning_tree(figure_4_1());
  const std::vector<Loop> loops = tree.loops();
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].branches, (std::vector<int>{3, 2, 1}));
}

TEST(Tree, AFourBarHasTwoShortBranches) {
  Graph graph = bodies(3);
  graph.edges = {{"a", "revolute", 0, 1, 1, 2},
                 {"b", "revolute", 1, 2, 1, 2},
                 {"c", "revolute", 2, 3, 1, 2},
                 {"d", "revolute", 3, 0, 1, 2}};
  const Tree tree = spanning_tree(graph);
  EXPECT_EQ(tree.depth(), 2);
  ASSERT_EQ(tree.cut_joints().size(), 1U);
  EXPECT_EQ(tree.cut_joints()[0].edge, 2);
}

TEST(Tree, AnIsolatedChainIsTiedInItsMiddle) {
  Graph graph = bodies(5);
  for (int i = 1; i < 5; ++i) graph.edges.push_back({"h", "revolute", i, i + 1, 1, 5});
  const Tree tree = spanning_tree(graph);
  EXPECT_EQ(tree.vertex(1).name, "V3");
  EXPECT_EQ(tree.depth(), 3);
  EXPECT_EQ(tree.coordinates(), 6 + 4);
}

TEST(Tree, EdgesWithoutAHingeAreCutJoints) {
  Graph graph = bodies(1);
  graph.edges = {{"rod", "distance", 0, 1, -1, 1}};
  const Tree tree = spanning_tree(graph);
  EXPECT_EQ(tree.cut_joints().size(), 1U);
  EXPECT_EQ(tree.free_bodies(), std::vector<int>{1});
}

// S T = T S = I, S0 T = -1 (4.3.8), parents before children, and every edge is a branch or a cut
// joint.
TEST(Tree, MatricesOfRandomGraphs) {
  std::mt19937 generator(3);
  for (int round = 0; round < 50; ++round) {
    const int n = 1 + static_cast<int>(generator() % 12);
    Graph graph = bodies(n);
    const int edges = static_cast<int>(generator() % 20);
    for (int e = 0; e < edges; ++e) {
      const int a = static_cast<int>(generator() % static_cast<unsigned>(n + 1));
      const int b = static_cast<int>(generator() % static_cast<unsigned>(n + 1));
      if (a == b) continue;
      const int coordinates = static_cast<int>(generator() % 5) - 1;
      graph.edges.push_back({numbered("e", e), "kind", a, b, coordinates, 1});
    }
    const Tree tree = spanning_tree(graph);
    const Eigen::MatrixXi T = tree.tree_matrix();
    const Eigen::MatrixXi L = tree.location_matrix();
    const Eigen::MatrixXi identity = Eigen::MatrixXi::Identity(n, n);
    EXPECT_EQ(L.bottomRows(n) * T, identity);
    EXPECT_EQ(T * L.bottomRows(n), identity);
    EXPECT_EQ(L.row(0) * T, Eigen::RowVectorXi::Constant(n, -1));
    std::size_t branches = 0;
    for (int k = 1; k <= n; ++k) {
      EXPECT_LT(tree.branch(k).parent, k);
      branches += tree.branch(k).edge >= 0 ? 1 : 0;
    }
    EXPECT_EQ(branches + tree.cut_joints().size(), graph.edges.size());
  }
}

// No tree of all trees has fewer coordinates: exchange any branch for any cut joint that fits.
TEST(Tree, HasTheFewestCoordinates) {
  std::mt19937 generator(5);
  for (int round = 0; round < 30; ++round) {
    const int n = 6;
    Graph graph = bodies(n);
    for (int e = 0; e < 12; ++e) {
      const int a = static_cast<int>(generator() % 7U);
      const int b = static_cast<int>(generator() % 7U);
      if (a != b) graph.edges.push_back({"e", "kind", a, b, static_cast<int>(generator() % 4U), 1});
    }
    const Tree tree = spanning_tree(graph);
    for (const Loop& loop : tree.loops()) {
      const int cut_joint = graph.edges[static_cast<std::size_t>(loop.cut_joint)].coordinates;
      for (const int k : loop.branches) {
        if (tree.branch(k).edge >= 0) {
          EXPECT_LE(tree.branch(k).coordinates, cut_joint);
        }
      }
    }
  }
}

TEST(Tree, LongChainsNeedNoRecursion) {
  const int n = 200000;
  Graph graph = bodies(n);
  for (int i = 0; i < n; ++i) graph.edges.push_back({"h", "revolute", i, i + 1, 1, 5});
  EXPECT_EQ(spanning_tree(graph).depth(), n);
}

TEST(Picture, TextNamesHingesCutJointsAndLoops) {
  const std::string text = to_text(spanning_tree(figure_4_1()));
  EXPECT_NE(text.find("5 bodies, 5 joints, 2 trees, depth 3, 10 Lagrange coordinates, 1 cut joint"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("ball: pin12 pin23 slide03"), std::string::npos) << text;
  EXPECT_NE(text.find("Tree matrix"), std::string::npos);
  EXPECT_EQ(to_text(spanning_tree(figure_4_1()), 3).find("Tree matrix"), std::string::npos);
}

TEST(Picture, DotAndSvgHaveOneLinePerArc) {
  Graph graph = figure_4_1();
  graph.vertices[5].name = "a \"b\" & <c>";
  const Tree tree = spanning_tree(graph);
  const std::string dot = to_dot(tree);
  EXPECT_NE(dot.find("style=dashed"), std::string::npos);
  EXPECT_NE(dot.find("\"a \\\"b\\\" & <c>\""), std::string::npos) << dot;
  const std::string svg = to_svg(tree);
  std::size_t arcs = 0;
  for (std::size_t i = svg.find("<path"); i != std::string::npos; i = svg.find("<path", i + 1))
    ++arcs;
  EXPECT_EQ(arcs, 6U);
  EXPECT_NE(svg.find("a &quot;b&quot; &amp; &lt;c>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace trammel::topology
