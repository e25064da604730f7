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

/// Signed curvature of a plane curve, positive when it bends to the left.
double curvature(const CurvePoint<2>& point);

}  // namespace trammel::model
