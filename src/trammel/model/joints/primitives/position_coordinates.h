// Coordinates of a point in a frame besides Cartesian ones, made of these:
//     radius   sqrt(x^2 + y^2 [+ z^2])       azimuth   atan2(y, x), whole turns counted
#pragma once

#include "trammel/model/composed_coordinate.h"

namespace trammel::model {

template <class S, int N>
CoordinatePointer<S> radius(const CoordinateArray<S, N>& components) {
  return compose<S, N>(components, [](const Jets<N>& c) {
    Jet<N> sum(0.0);
    for (const Jet<N>& x : c) sum = sum + x * x;
    return sqrt(sum);
  });
}

template <class S>
CoordinatePointer<S> azimuth(const CoordinateArray<S, 2>& xy) {
  return compose<S, 2>(
      xy, [](const Jets<2>& c) { return atan2(c[1], c[0]); }, true);
}

}  // namespace trammel::model
