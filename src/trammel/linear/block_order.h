// Elimination order of the blocks of a KKT matrix along the mechanism's graph.
//
// Minimum degree with one rule: a block of multipliers is not eliminated before enough of its
// bodies are, since until then its pivot is only the tiny regularisation. On a tree this is the
// order of the articulated-body recursion, from the leaves to the root, without any fill.
#pragma once

#include <vector>

#include "trammel/system/kkt_matrix.h"

namespace trammel::linear {

struct BlockOrder {
  std::vector<int> order;  ///< blocks in the order of elimination
  /// For each place in the order: the blocks below its pivot, as places, ascending.
  std::vector<std::vector<int>> below;
};

BlockOrder order_blocks(const system::KktPattern& pattern);

}  // namespace trammel::linear
