// Points and weights that integrate over patches and volumes, for distributed loads.
//
// With n points a direction the rules are exact for polynomials of the place up to degree 2 n - 1:
// Gauss-Legendre along straight directions and radii, 2 n equal steps around a full circle, and
// Gauss-Legendre over the sine of the latitude on a sphere. An arc is not a polynomial:
// there the error falls with the 2 n-th power of its angle.
//
//     planar   segment  along x, centred, normal +y         arc   about the origin, normal outwards
//              area: rectangle, disc (per area of the plane)
//     spatial  rectangle  in x-y, centred, normal +z        disc  in x-y, normal +z
//              cylinder  side only, about z, centred, normal outwards
//              sphere, box  whole surface, normal outwards
//              volume: box, cylinder, ball, about the origin
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "trammel/model/field.h"

namespace trammel::model {

struct LoadPoint {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();    ///< m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< outwards, length 1; zero in volumes
  double weight = 0.0;                                ///< m, m^2 or m^3
};

struct Abscissa {
  double x = 0.0;
  double weight = 0.0;
};

/// Gauss-Legendre with n points between two ends.
std::vector<Abscissa> gauss_points(int n, double from, double to);

/// Names of the shapes.
const std::vector<std::string>& surface_shapes(Space space);
const std::vector<std::string>& volume_shapes(Space space);

/// Points of the shape that the values of a distributed load describe: shape, size, radius,
/// inner_radius, length, from, to, order. Throws InputError when what the shape needs is missing.
std::vector<LoadPoint> surface_points(Space space, const Values& values);
std::vector<LoadPoint> volume_points(Space space, const Values& values);

}  // namespace trammel::model
