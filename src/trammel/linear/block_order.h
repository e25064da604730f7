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
//
// Large systems are eliminated in parts that have nothing to do with each other, and a rest that
// connects them: subtrees of the elimination, where it branches. That of a chain does not. A chain
// is cut at a body where there are no loops (nested dissection): the outer part goes from the free
// end inwards as before, the inner one from the ground outwards. There a joint waits for both its
// bodies, since those towards the ground alone have too few freedoms to carry its rows; that costs
// more for each body, and the inner part is made shorter. The order does not depend on how many
// threads there are.
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
  /// A chain or tree without loops that was cut: multipliers meet multipliers though no row can
  /// depend on others.
  bool cut_tree = false;
  /// First places of parts that can be eliminated side by side, and at last that of the rest, which
  /// comes after all of them. Empty where there are none.
  std::vector<int> parts;
};

/// Patterns with fewer blocks are not divided: threads take some time to wake up.
constexpr int fewest_divided_blocks = 10'000;

BlockOrder order_blocks(const system::KktPattern& pattern,
                        int fewest_divided = fewest_divided_blocks);

}  // namespace trammel::linear
