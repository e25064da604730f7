// Bodies in groups, for solvers that take a mechanism apart at joints.
//
// Bodies are the vertices of a graph, joints and couplings of the tangent (springs) its edges. Two
// ways of cutting it are tried, and that which cuts fewer rows is taken: subtrees of a spanning
// tree, the leaves first (one joint for each group of a tree), and slices of its breadth-first
// order (strips of a net). Both depend on the pattern alone.
#pragma once

#include <vector>

#include "trammel/system/kkt_matrix.h"

namespace trammel::linear {

struct BodyGroups {
  int count = 0;
  /// Of each block of the pattern; -1 for multipliers of joints that are cut.
  std::vector<int> group;
  int cut_rows = 0;
};

/// About `bodies_per_group` bodies each. Joints within a group stay whole, or are cut as well.
BodyGroups group_bodies(const system::KktPattern& pattern, int bodies_per_group, bool cut_all);

}  // namespace trammel::linear
