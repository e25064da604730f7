// Closed profiles of circular arcs and straight lines, as cams are drawn: exact, with curvatures
// that jump where the pieces meet.
//
// Circles i = 1 .. n are followed one after the other, counterclockwise. From one to the next the
// profile goes along their common outer tangent, whose normal n satisfies
//
//     n . c_i + r_i = n . c_j + r_j,     angle(n) = angle(c_j - c_i) - acos((r_i - r_j)/|c_j -
//     c_i|);
//
// circles that touch from inside follow each other without a line between. In polar form, with
// u = (cos, sin)(angle), t = du/dangle, k = c . u, s = c . t and w = sqrt(r^2 - s^2)
//
//     arc    rho = k + w,       rho' = s + s k/w,   rho'' = -k + (s^2 - k^2)/w - s^2 k^2/w^3
//     line   rho = p/cos(x),    rho' = rho tan x,   rho'' = rho (1 + 2 tan^2 x),   x = angle -
//     alpha
//
// with p the distance of the line from the origin and alpha the angle of its normal.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "trammel/expression/function.h"

namespace trammel::model {

struct ProfileCircle {
  Eigen::Vector2d center = Eigen::Vector2d::Zero();
  double radius = 0.0;
};

/// The radius over the polar angle, periodic. At a junction derivatives are those of the piece that
/// follows. Throws InputError when the circles make no convex profile around the origin.
expression::FunctionPointer arc_profile(const std::vector<ProfileCircle>& circles);

}  // namespace trammel::model
