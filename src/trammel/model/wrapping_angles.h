// Angles that are known only up to whole turns: those of joints, then others that something reads.
#pragma once

#include "trammel/model/mechanism.h"

namespace trammel::model {

/// Calls visit(coordinate, node a, node b) for all of them, in the order of their counters.
template <class S, class F>
void for_wrapping_angles(const Mechanism<S>& mechanism, F&& visit) {
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    for (const auto& named : joint.coordinates) {
      if (named.coordinate->wraps()) visit(*named.coordinate, joint.a.node, joint.b.node);
    }
  }
  for (const Measure<S>& measure : mechanism.counted) {
    visit(*measure.coordinate, measure.node_a, measure.node_b);
  }
}

/// Their values in a configuration, from which turns are counted.
template <class S>
std::vector<double> wrapping_angles(const Mechanism<S>& mechanism,
                                    const std::vector<typename S::Kinematics>& kinematics) {
  const auto at = [&](int node) { return kinematics[static_cast<std::size_t>(node)]; };
  std::vector<double> angles;
  for_wrapping_angles(mechanism, [&](const Coordinate<S>& coordinate, int a, int b) {
    angles.push_back(coordinate.value(at(a), at(b)));
  });
  return angles;
}

}  // namespace trammel::model
