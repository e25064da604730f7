// Several expressions with the same long vectors, piece by piece: the processor then gets each
// piece from memory once and not once for every expression.
#pragma once

#include <algorithm>

#include <Eigen/Core>

namespace trammel::integrators {

/// Calls f(piece) for pieces that cover [0, size); v(piece) is that part of a vector v.
template <class Function>
void in_pieces(Eigen::Index size, Function&& f) {
  constexpr Eigen::Index longest = 512;  // a dozen vectors fit into the first cache
  for (Eigen::Index i = 0; i < size; i += longest) {
    f(Eigen::seqN(i, std::min(longest, size - i)));
  }
}

}  // namespace trammel::integrators
