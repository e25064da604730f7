// Coordinates of a point in a frame besides Cartesian ones, either
// by formulas of the user (user_position.h), or
//     radius   sqrt(x^2 + y^2 [+ z^2])       azimuth   atan2(y, x), whole turns counted
#pragma once

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/composed_coordinate.h"
#include "trammel/model/elementary_joint.h"
#include "trammel/model/joint_assembly.h"
#include "trammel/model/position_motion.h"
#include "trammel/model/user_position.h"

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

/// u, v and w of formulas; the described place must be among what they reach from the guess.
template <class S>
void add_user_position(const Values& values,
                       const CoordinateArray<S, S::dimension>& components,
                       JointAssembly<S>& joint) {
  const auto form = std::make_shared<const UserPosition<S>>(values);
  typename S::Point r;
  for (int i = 0; i < S::dimension; ++i) {
    r[i] = components[static_cast<std::size_t>(i)]->value(joint.described_a, joint.described_b);
  }
  typename S::Point u;
  if (!form->coordinates_of(r, u.data())) {
    throw core::InputError(
        fmt::format("no coordinates for the described place ({:.4g}, {:.4g}{}) are found from "
                    "'guess'",
                    r[0], r[1],
                    S::dimension == 3 ? fmt::format(", {:.4g}", r[S::dimension - 1]) : ""),
        "give a guess nearer to it, on the same side of singular places");
  }
  for (int i = 0; i < S::dimension; ++i) {
    joint.add_coordinate(
        form->names[static_cast<std::size_t>(i)], "",
        compose<S, S::dimension>(
            components, [form, i](const Jets<S::dimension>& c) { return form->coordinate(i, c); }));
  }
}

/// The chain of a free joint: slides along the axes, or one place by other coordinates instead of
/// them, and the rotation behind it.
template <class S>
void arrange_free(JointPlace<S>& place, ElementaryChain<S>& chain) {
  auto form = PositionForm<S>::from(place.values);
  if (!form) return;
  const ElementaryKind rotation = chain.joints.back().kind;
  chain.joints = {{.kind = ElementaryKind::form,
                   .form = std::make_shared<const PositionMotion<S>>(std::move(form))},
                  {.kind = rotation}};
}

}  // namespace trammel::model
