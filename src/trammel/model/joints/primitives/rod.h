// The joint `distance`, planar and spatial: a massless rod, or a rope where it is unilateral.
#pragma once

#include <memory>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/joint_assembly.h"

namespace trammel::model {

std::vector<Field> rod_fields();

/// `Constraint` keeps the distance of two points.
template <class S, class Constraint>
void build_rod(const Values& values, JointAssembly<S>& joint) {
  const PointPair<S> points = joint.points();
  const double length = has(values, "length")
                            ? number(values, "length")
                            : points.distance(joint.described_a, joint.described_b).norm();
  if (!(length > 0.0)) {
    throw core::InputError("the rod has no length: its two points coincide",
                           "give 'length', or describe the two points apart");
  }
  joint.add(std::make_unique<Constraint>(joint.a, joint.b, length), {"distance"});
  // As a rope: slack where the points are closer, and pulling only.
  joint.contact = unilateral_row(values, 0, -1.0);
  joint.add_coordinate("length", "m", std::make_unique<DistanceCoordinate<S>>(points));
}

}  // namespace trammel::model
