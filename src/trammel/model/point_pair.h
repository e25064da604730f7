// The vector d = p_b - p_a between two attachment points, with its derivatives.
//
//     d = r_b + R_b l_b - r_a - R_a l_a,      delta d = B delta q,      d' = B v
//     d'_q = C delta q  (derivative of d' at fixed v)
//     geometric(w) = d(B^T w)/dq at fixed w
// A force w at p_b and -w at p_a is the generalised force B^T w.
#pragma once

#include "trammel/math/rotation.h"
#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
struct PointPair {
  using Point = typename S::Point;
  using Kinematics = typename S::Kinematics;
  using Map = Eigen::Matrix<double, S::dimension, pair_freedoms<S>>;

  NodeFrame<S> a;
  NodeFrame<S> b;

  Point distance(const Kinematics& ka, const Kinematics& kb) const {
    return kb.p + kb.R * b.l - ka.p - ka.R * a.l;
  }
  Point rate(const Kinematics& ka, const Kinematics& kb) const;
  Map B(const Kinematics& ka, const Kinematics& kb) const;
  /// B^T w
  PairVector<S> load(const Kinematics& ka, const Kinematics& kb, const Point& w) const;
  Map C(const Kinematics& ka, const Kinematics& kb) const;
  PairMatrix<S> geometric(const Kinematics& ka, const Kinematics& kb, const Point& w) const;
};

template <>
inline Eigen::Vector3d PointPair<Spatial>::rate(const Kinematics& ka, const Kinematics& kb) const {
  return kb.v + kb.R * kb.w.cross(b.l) - ka.v - ka.R * ka.w.cross(a.l);
}

template <>
inline auto PointPair<Spatial>::B(const Kinematics& ka, const Kinematics& kb) const -> Map {
  Map map;
  map << -Eigen::Matrix3d::Identity(), ka.R * math::skew(a.l), Eigen::Matrix3d::Identity(),
      kb.R * math::skew(-b.l);
  return map;
}

template <>
inline PairVector<Spatial> PointPair<Spatial>::load(const Kinematics& ka,
                                                    const Kinematics& kb,
                                                    const Point& w) const {
  PairVector<Spatial> f;
  f << -w, (ka.R.transpose() * w).cross(a.l), w, b.l.cross(kb.R.transpose() * w);
  return f;
}

template <>
inline auto PointPair<Spatial>::C(const Kinematics& ka, const Kinematics& kb) const -> Map {
  Map map = Map::Zero();
  map.block<3, 3>(0, 3) = ka.R * math::skew(ka.w.cross(a.l));
  map.block<3, 3>(0, 9) = -kb.R * math::skew(kb.w.cross(b.l));
  return map;
}

template <>
inline PairMatrix<Spatial> PointPair<Spatial>::geometric(const Kinematics& ka,
                                                         const Kinematics& kb,
                                                         const Point& w) const {
  PairMatrix<Spatial> K = PairMatrix<Spatial>::Zero();
  K.block<3, 3>(3, 3) = -math::skew(a.l) * math::skew(ka.R.transpose() * w);
  K.block<3, 3>(9, 9) = math::skew(b.l) * math::skew(kb.R.transpose() * w);
  return K;
}

template <>
inline Eigen::Vector2d PointPair<Planar>::rate(const Kinematics& ka, const Kinematics& kb) const {
  return kb.v + kb.w * perpendicular(kb.R * b.l) - ka.v - ka.w * perpendicular(ka.R * a.l);
}

template <>
inline auto PointPair<Planar>::B(const Kinematics& ka, const Kinematics& kb) const -> Map {
  Map map;
  map << -Eigen::Matrix2d::Identity(), -perpendicular(ka.R * a.l), Eigen::Matrix2d::Identity(),
      perpendicular(kb.R * b.l);
  return map;
}

template <>
inline PairVector<Planar> PointPair<Planar>::load(const Kinematics& ka,
                                                  const Kinematics& kb,
                                                  const Point& w) const {
  PairVector<Planar> f;
  f << -w, -perpendicular(ka.R * a.l).dot(w), w, perpendicular(kb.R * b.l).dot(w);
  return f;
}

template <>
inline auto PointPair<Planar>::C(const Kinematics& ka, const Kinematics& kb) const -> Map {
  Map map = Map::Zero();
  map.col(2) = ka.w * (ka.R * a.l);
  map.col(5) = -kb.w * (kb.R * b.l);
  return map;
}

template <>
inline PairMatrix<Planar> PointPair<Planar>::geometric(const Kinematics& ka,
                                                       const Kinematics& kb,
                                                       const Point& w) const {
  PairMatrix<Planar> K = PairMatrix<Planar>::Zero();
  K(2, 2) = w.dot(ka.R * a.l);
  K(5, 5) = -w.dot(kb.R * b.l);
  return K;
}

}  // namespace trammel::model
