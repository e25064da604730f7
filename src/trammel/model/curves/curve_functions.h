// What constraints on curves hold at zero, as functions of the point's components in the frame of
// the curve, with exact derivatives.
#pragma once

#include "trammel/model/curves/curve.h"
#include "trammel/model/jet.h"

namespace trammel::model {

/// s*(e): the parameter of the foot.
template <int D>
struct FootParameter {
  CurvePointer<D> curve;
  Jet<D> operator()(const Jets<D>& e) const;
};

/// Distance of a point from a plane curve, positive on its left: g = N . (e - C), with
/// dg/de = N and d2g/de2 = -kappa / (1 - kappa g) T T^T.
struct SignedDistance {
  CurvePointer<2> curve;
  Jet<2> operator()(const Jets<2>& e) const;
};

/// The angle of the normal to the right at the foot (outwards for counterclockwise profiles), in
/// -pi .. pi. With the distance d = -g from the curve, f = kappa / (1 + kappa d) and kappa' the
/// derivative of the curvature by arc length
///     d alpha/de = f T,   d2 alpha/de2 = f^2 (N T^T + T N^T) + kappa' / (1 + kappa d)^3 T T^T.
struct NormalAngle {
  CurvePointer<2> curve;
  Jet<2> operator()(const Jets<2>& e) const;
};

/// The curvature kappa at the foot, positive where the curve bends to the left.
struct FootCurvature {
  CurvePointer<2> curve;
  Jet<2> operator()(const Jets<2>& e) const;
};

/// Distance of a point from a space curve along a direction N_i(s*) across it: N_1 and N_2 are the
/// directions m_i turned with the tangent from u to T,
///     N_i = m_i - (m_i . T) / (1 + u . T) (u + T).
/// u is chosen far from -T on the whole curve.
struct NormalDistance {
  CurvePointer<3> curve;
  Eigen::Vector3d u;
  Eigen::Vector3d m;
  Jet<3> operator()(const Jets<3>& e) const;
};

/// u, m_1 and m_2 as columns.
Eigen::Matrix3d best_reference(const Curve<3>& curve);

/// The gap between a flat face and a convex closed profile, g = n . e - h(psi), where e is a point
/// of the face, n = (cos psi, sin psi) its normal away from the profile and h = max n . C the
/// profile's support function: h' = n' . C, h'' = -h - (n' . C')^2 / (n . C'').
/// Arguments e_x, e_y, psi.
struct FaceGap {
  CurvePointer<2> curve;
  Jet<3> operator()(const Jets<3>& x) const;
};

/// h(psi) with two derivatives, see FaceGap.
struct Support {
  double h = 0.0;
  double first = 0.0;
  double second = 0.0;
  double parameter = 0.0;  ///< of the touching point
};
Support support(const Curve<2>& profile, double psi);
/// The same, from a parameter nearby.
Support support(const Curve<2>& profile, double psi, double near);

/// The gap between two convex closed profiles: the largest separation over all directions n,
///     g = max F(theta),   F = n . e - h_a(theta) - h_b(theta + pi - phi),   n = (cos, sin)(theta),
/// with the support functions h of both, e the origin of b in a and phi its angle. It is the
/// distance of the profiles, and negative when they overlap. With y = (e_x, e_y, phi)
///     dg/dy = F_y,   d2g/dy2 = F_yy - F_y,theta F_theta,y / F_theta,theta,
/// where F_theta,theta = -(rho_a + rho_b) at contact, the sum of the radii of curvature.
class ProfileGap {
 public:
  ProfileGap(CurvePointer<2> profile_a, CurvePointer<2> profile_b);
  Jet<3> operator()(const Jets<3>& y) const;

 private:
  struct Touch {
    double theta = 0.0;
    Support a;
    Support b;
  };
  Touch touch(const Eigen::Vector2d& e, double phi) const;

  CurvePointer<2> a_;
  CurvePointer<2> b_;
  std::vector<double> supports_a_;  ///< at equal steps of a turn
  std::vector<double> supports_b_;
};

/// Least curvature of a counterclockwise profile: positive when it is convex.
double smallest_curvature(const Curve<2>& profile);

/// Signed curvature of a plane curve, positive when it bends to the left.
double curvature(const CurvePoint<2>& point);
/// Its derivative by arc length.
double curvature_slope(const CurvePoint<2>& point, const Eigen::Vector2d& third);

}  // namespace trammel::model
