// Where the entries of the tangent in relative coordinates come from: found once, never changed.
//
// The tangent of the absolute system has a block for each pair of nodes (i, j) that an element
// joins. In relative coordinates such a block reaches all pairs of elementary joints (k on the path
// of i, l on the path of j). In twists about the origin it need not be transformed on the way: it
// is added to the slot of its two elementary joints, and slots are worked off from the leaves to
// the ground,
//
//     K(k, path of l) += s_k^T slot(k, l) c ,   slot(parent of k, l) += slot(k, l),
//
// so that every entry of the result is touched a few times only.
#pragma once

#include <memory>
#include <vector>

#include "trammel/formulation/hinge_tree.h"

namespace trammel::formulation {

/// An entry of the absolute KKT matrix and its place in a block of two nodes (or row and node).
struct BlockEntry {
  int position = 0;
  int row = 0;
  int column = 0;
};

struct NodePair {
  int row_node = 0;
  int column_node = 0;
  int slot = 0;
  int first = 0;  ///< entries
  int count = 0;
};

struct Slot {
  int row = 0;  ///< elementary joints
  int column = 0;
  int target = -1;  ///< slot of the parents, -1 when one of them is the ground
  int first_position = 0;
};

/// An entry of a row below this share of the terms it is the sum of is zero but for round-off:
/// joints that repeat hinges have no others.
constexpr double cancelled_share = 1e-13;

/// The part of a constraint row that belongs to one node.
struct RowPart {
  int row = 0;  ///< of the relative system
  int node = 0;
  int first = 0;
  int count = 0;
  int first_position = 0;
};

struct RelativePattern {
  std::shared_ptr<const system::KktPattern> pattern;
  std::vector<BlockEntry> entries;
  std::vector<NodePair> pairs;
  std::vector<Slot> slots;      ///< in the order in which they are worked off
  std::vector<int> node_slots;  ///< slot of each node with itself, -1 on the ground
  std::vector<BlockEntry> row_entries;
  std::vector<RowPart> rows;
  std::vector<int> positions;  ///< in the values of the relative KKT matrix

  std::size_t memory_bytes() const;
};

/// `row_of` maps rows of the absolute system to rows of the relative one, -1 for tree joints.
/// Throws InputError for trees so deep that the matrix would not fit into memory.
template <class S>
RelativePattern build_relative_pattern(const model::Mechanism<S>& mechanism,
                                       const HingeTree<S>& tree,
                                       const std::vector<int>& row_of,
                                       int rows);

}  // namespace trammel::formulation
