// Elimination order of the blocks of a KKT matrix along the mechanism's graph.
//
// Minimum degree with one rule: a block of multipliers is not eliminated before enough of its
// bodies are, since until then its pivot is only the tiny regularisation. On a tree this is the
// order of the articulated-body recursion, from the leaves to the root, without any fill.
//
// In relative coordinates a loop-closing joint or a drive has entries for all hinges of its path,
// and some of them are zero: the pattern does not tell which hinges carry its rows. Such blocks
// wait for all their velocities; then their pivot is the Schur complement G K^-1 G^T of whole rows,
// which has full rank when the rows have.
#pragma once

#include <vector>

#include "trammel/system/kkt_matrix.h"

namespace trammel::linear {

struct BlockOrder {
  std::vector<int> order;  ///< blocks in the order of elimination
  /// For each place in the order: the blocks below its pivot, as places, ascending.
  std::vector<std::vector<int>> below;
  /// For each block of the pattern: multipliers of a loop-closing joint. Their rows go over more
  /// than two blocks of velocities or over a hinge with one velocity, or are more than the
  /// velocities they meet.
  std::vector<bool> closes_loop;
};

BlockOrder order_blocks(const system::KktPattern& pattern);

}  // namespace trammel::linear
