// Shape functions of planar beams and bars, and the integrals of them that elements are made of.
//
// The centre line of an element of length L, xi = x/L from 0 to 1, is
//
//     r(xi) = s1 r_i + s2 r'_i + s3 r_j + s4 r'_j
//
// with the cubic functions of Timoshenko's beam [Huang2014, eq. 3.36]
//
//     s1 = [1 - 3 xi^2 + 2 xi^3 + (1 - xi) phi]/(1 + phi)
//     s2 = L [xi - 2 xi^2 + xi^3 + (xi - xi^2) phi/2]/(1 + phi)
//     s3 = [3 xi^2 - 2 xi^3 + xi phi]/(1 + phi)
//     s4 = L [xi^3 - xi^2 - (xi - xi^2) phi/2]/(1 + phi)
//
//     phi = 12 E I/(kappa G A L^2)    shear parameter; zero for the beam of Euler and Bernoulli
//
// A section stands along b1 r_i + b2 r'_i + b3 r_j + b4 r'_j, which at the ends are the slopes r'_i
// and r'_j, and without shear is dr/dx. A bar has s1 = 1 - xi and s3 = xi only.
#pragma once

#include <array>

#include <Eigen/Core>

#include "trammel/model/flexible/flexible_body.h"

namespace trammel::model {

/// A number for each of r_i, r'_i, r_j and r'_j.
using EndWeights = Eigen::Vector4d;
/// Vectors r_i, r'_i, r_j and r'_j, one in each row.
using EndVectors = Eigen::Matrix<double, 4, 2>;

/// One element of a body.
struct ElementProperties {
  double length = 0.0;   ///< L, m
  double mass = 0.0;     ///< m = rho A L, kg
  double axial = 0.0;    ///< E A, N
  double bending = 0.0;  ///< E I, N m^2; zero for a bar
  double shear = 0.0;    ///< phi
  double bend = 0.0;     ///< unloaded, from one end to the other, rad; L is that of the chord then
  bool is_bar = false;
};

/// The unloaded centre line: straight, or an arc of a circle.
double centre_line_length(const FlexibleBody& body);
/// Change of its direction from start to tip, rad.
double centre_line_turn(const FlexibleBody& body);
/// Of the section at a share of the length; sections given by a shape change with its sizes, others
/// with area and second moment.
CrossSection section_at(const FlexibleBody& body, double along);

/// Of element k = 0, 1 ..., with the section at its middle.
ElementProperties element_properties(const FlexibleBody& body, int k);

EndWeights shape(const ElementProperties& element, double xi);
/// ds/dxi.
EndWeights shape_slope(const ElementProperties& element, double xi);
/// b, the direction of the section.
EndWeights section_direction(const ElementProperties& element, double xi);

/// The integral of s over xi.
EndWeights shape_mean(const ElementProperties& element);
/// The integrals of s_a s_b over xi.
Eigen::Matrix4d mass_integrals(const ElementProperties& element);
/// E A/L times the integrals of ds_a/dxi ds_b/dxi.
Eigen::Matrix4d axial_stiffness(const ElementProperties& element);
/// Of bending and shear: twice the energy of deflections w_i, w'_i, w_j, w'_j.
Eigen::Matrix4d beam_stiffness(const ElementProperties& element);

/// Points and weights of Gauss on 0 to 1, exact up to degree 9.
struct GaussPoint {
  double xi;
  double weight;
};
const std::array<GaussPoint, 5>& gauss_points();

}  // namespace trammel::model
