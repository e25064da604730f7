#include "trammel/math/mass_properties.h"

#include <cmath>
#include <string_view>

#include <Eigen/Dense>
#include <fmt/format.h>

namespace trammel::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double symmetry_tolerance = 1e-6;
constexpr double zero_moment_tolerance = 1e-12;
constexpr double triangle_tolerance = 1e-3;

Matrix3d symmetric_part(const Matrix3d& A) {
  return 0.5 * (A + A.transpose());
}

// Signs are a free choice of the eigenvector solver: make the largest component of the first two
// axes positive and let the third complete a right-handed frame.
Matrix3d right_handed_axes(const Matrix3d& eigenvectors) {
  Matrix3d R_BP = eigenvectors;
  for (int axis = 0; axis < 2; ++axis) {
    int largest = 0;
    R_BP.col(axis).cwiseAbs().maxCoeff(&largest);
    if (R_BP(largest, axis) < 0.0) {
      R_BP.col(axis) = -R_BP.col(axis);
    }
  }
  R_BP.col(2) = R_BP.col(0).cross(R_BP.col(1));
  return R_BP;
}

void check_mass_and_center(double mass,
                           bool center_is_finite,
                           const std::string& path,
                           core::Diagnostics& diagnostics) {
  if (!(mass > 0.0) || !std::isfinite(mass)) {
    diagnostics.error(path + ".mass", fmt::format("mass {:g} kg is not positive and finite", mass),
                      "give a positive mass, or a shape and a density");
  }
  if (!center_is_finite) {
    diagnostics.error(path + ".center",
                      "the centre of mass has a component that is not a finite number",
                      "give finite coordinates in the body frame");
  }
}

// True when the inertia is finite and symmetric, so that its principal moments mean something.
bool check_symmetry(const Matrix3d& J, const std::string& path, core::Diagnostics& diagnostics) {
  if (!J.allFinite()) {
    diagnostics.error(path + ".inertia", "the inertia has an element that is not a finite number",
                      "give finite moments of inertia");
    return false;
  }
  constexpr std::string_view letters = "xyz";
  const double allowed = symmetry_tolerance * J.cwiseAbs().maxCoeff();
  bool symmetric = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      if (std::abs(J(i, j) - J(j, i)) > allowed) {
        symmetric = false;
        diagnostics.error(
            path + ".inertia",
            fmt::format("the inertia is not symmetric: J{0}{1} = {2:g} but J{1}{0} = {3:g} kg m^2",
                        letters[static_cast<std::size_t>(i)], letters[static_cast<std::size_t>(j)],
                        J(i, j), J(j, i)),
            "give the same value on both sides of the diagonal");
      }
    }
  }
  return symmetric;
}

void check_moments(const Vector3d& moments,
                   InertiaDemand demand,
                   const std::string& path,
                   core::Diagnostics& diagnostics) {
  const double largest = moments.cwiseAbs().maxCoeff();
  const double negligible = zero_moment_tolerance * largest;
  if (moments[0] < -negligible) {
    diagnostics.error(
        path + ".inertia",
        fmt::format(
            "the inertia has the negative principal moment {:g} kg m^2 about the centre of mass",
            moments[0]),
        "check the signs, and whether the inertia was meant about another point than the centre of "
        "mass");
    return;
  }
  if (demand == InertiaDemand::positive_definite && moments[0] <= negligible) {
    diagnostics.error(
        path + ".inertia",
        fmt::format("a principal moment of inertia is zero ({:g}, {:g}, {:g} kg m^2), so "
                    "the spin about that axis is not determined",
                    moments[0], moments[1], moments[2]),
        "give the body a thickness, e.g. a cylinder with a radius instead of a rod");
  }
  if (moments[0] + moments[1] < moments[2] * (1.0 - triangle_tolerance)) {
    diagnostics.error(
        path + ".inertia",
        fmt::format("no body has the principal moments {:g}, {:g}, {:g} kg m^2: the largest "
                    "exceeds the sum of the other two, {:g}",
                    moments[0], moments[1], moments[2], moments[0] + moments[1]),
        "check the values and the point they refer to (the centre of mass is meant), or give "
        "a shape and a mass");
  }
}

}  // namespace

Matrix3d point_mass_inertia(double mass, const Vector3d& position) {
  return mass * (position.squaredNorm() * Matrix3d::Identity() - position * position.transpose());
}

Matrix3d inertia_about(const MassProperties& body, const Vector3d& point) {
  return body.inertia + point_mass_inertia(body.mass, body.center - point);
}

MassProperties from_inertia_about(const Vector3d& point,
                                  double mass,
                                  const Vector3d& center,
                                  const Matrix3d& inertia_about_point) {
  return {mass, center, inertia_about_point - point_mass_inertia(mass, center - point)};
}

MassProperties placed(const MassProperties& body_in_B, const Matrix3d& R_FB, const Vector3d& p_FB) {
  return translated(rotated(body_in_B, R_FB), p_FB);
}

MassProperties translated(const MassProperties& body_in_B, const Vector3d& p_FB) {
  return {body_in_B.mass, body_in_B.center + p_FB, body_in_B.inertia};
}

MassProperties rotated(const MassProperties& body_in_B, const Matrix3d& R_FB) {
  return {body_in_B.mass, R_FB * body_in_B.center,
          symmetric_part(R_FB * body_in_B.inertia * R_FB.transpose())};
}

MassProperties sum(const std::vector<MassProperties>& parts) {
  MassProperties whole;
  Vector3d first_moment = Vector3d::Zero();
  for (const MassProperties& part : parts) {
    whole.mass += part.mass;
    first_moment += part.mass * part.center;
  }
  if (whole.mass != 0.0) {
    whole.center = first_moment / whole.mass;
  }
  for (const MassProperties& part : parts) {
    whole.inertia += inertia_about(part, whole.center);
  }
  return whole;
}

PrincipalInertia principal_inertia(const MassProperties& body) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(symmetric_part(body.inertia));
  return {solver.eigenvalues(), right_handed_axes(solver.eigenvectors())};
}

PlanarMassProperties planar(const MassProperties& body) {
  return {body.mass, body.center.head<2>(), body.inertia(2, 2)};
}

void check_mass_properties(const MassProperties& body,
                           InertiaDemand demand,
                           const std::string& path,
                           core::Diagnostics& diagnostics) {
  check_mass_and_center(body.mass, body.center.allFinite(), path, diagnostics);
  if (check_symmetry(body.inertia, path, diagnostics)) {
    check_moments(principal_inertia(body).moments, demand, path, diagnostics);
  }
}

void check_mass_properties(const PlanarMassProperties& body,
                           InertiaDemand demand,
                           const std::string& path,
                           core::Diagnostics& diagnostics) {
  check_mass_and_center(body.mass, body.center.allFinite(), path, diagnostics);
  const bool large_enough =
      demand == InertiaDemand::positive_definite ? body.inertia > 0.0 : body.inertia >= 0.0;
  if (!large_enough || !std::isfinite(body.inertia)) {
    diagnostics.error(
        path + ".inertia",
        fmt::format("the moment of inertia {:g} kg m^2 about the centre of mass is not {}",
                    body.inertia,
                    demand == InertiaDemand::positive_definite ? "positive and finite"
                                                               : "zero or positive"),
        "check whether it was meant about another point, or give a shape and a mass");
  }
}

}  // namespace trammel::math
