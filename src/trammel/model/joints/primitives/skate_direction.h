// The velocity across a heading psi in the x-y plane of frame a: -sin(psi) x' + cos(psi) y'.
#pragma once

#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {

template <class S>
DirectionPointer<S> sideways(const JointAssembly<S>& joint, CoordinatePointer<S> heading) {
  const auto weights = [](const Jets<1>& psi) {
    return std::array<Jet<1>, 2>{-1.0 * sin(psi[0]), cos(psi[0])};
  };
  return compose_direction<S, 2, 1>({displacement(joint, 0), displacement(joint, 1)},
                                    {std::move(heading)}, weights);
}

}  // namespace trammel::model
