#include "trammel/model/connections/known_hinge.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"

namespace trammel::model {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double tolerance = 1e-7;

template <class S>
bool is_closed_at(const KinematicConnection<S>& connection, const typename S::Kinematics& b) {
  const RelativeMotion<S> motion(typename S::Kinematics{}, b);
  typename KinematicConnection<S>::Place place;
  connection.place(motion, 0.0, place);
  return place.value.head(connection.rows()).template lpNorm<Eigen::Infinity>() < 1e-9;
}

// b turned about the hinge's point and shifted along its axis.
Spatial::Kinematics moved(const Spatial::Kinematics& b,
                          const Vector3d& point,
                          const Vector3d& turn,
                          const Vector3d& shift) {
  const Eigen::Matrix3d Q = math::exponential(turn).toRotationMatrix();
  Spatial::Kinematics k = b;
  k.R = Q * b.R;
  k.p = point + Q * (b.p - point) + shift;
  return k;
}

// All motions that b may do, in the axes of a: columns of velocities (top) and turns (bottom).
template <class S>
MatrixXd free_motions(const KinematicConnection<S>& connection) {
  const RelativeMotion<S> motion(typename S::Kinematics{}, connection.reference());
  typename KinematicConnection<S>::Place place;
  connection.place(motion, 0.0, place);
  const MatrixXd P = place.P.topRows(connection.rows());
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(P.transpose());
  return MatrixXd(factors.householderQ()).rightCols(S::freedoms - connection.rows());
}

using Hinge = KnownHinge<Spatial>;

// v = w x (p - point) for a turn w about an axis through the point.
Hinge one_freedom(const Vector3d& v, const Vector3d& w, const Vector3d& p) {
  if (w.norm() < tolerance) return {"prismatic", p, v.normalized(), {}};
  if (std::abs(v.dot(w)) > tolerance * w.squaredNorm()) {
    return {nullptr, p, w, "its bodies move along a screw"};
  }
  return {"revolute", p - v.cross(w) / w.squaredNorm(), w.normalized(), {}};
}

Hinge two_freedoms(const MatrixXd& free, const Eigen::Matrix3d& R, const Vector3d& p) {
  // Turns must have one direction; the motion without turning must go along it.
  const MatrixXd turns = free.bottomRows(3);
  const Eigen::JacobiSVD<MatrixXd> svd(turns, Eigen::ComputeThinU | Eigen::ComputeFullV);
  const Hinge none{nullptr, p, Vector3d::UnitZ(), "no joint of the catalogue leaves these two"};
  if (svd.singularValues()[0] < tolerance || svd.singularValues()[1] > tolerance) return none;
  const Vector3d shift = free.topRows(3) * svd.matrixV().col(1);
  const Vector3d w = R * turns * svd.matrixV().col(0);
  Vector3d v = free.topRows(3) * svd.matrixV().col(0);
  if (shift.cross(w).norm() > tolerance * shift.norm() * w.norm()) return none;
  v -= v.dot(w) / w.squaredNorm() * w;
  Hinge hinge = one_freedom(v, w, p);
  hinge.kind = "cylindrical";
  return hinge;
}

Hinge three_freedoms(const MatrixXd& free, const Eigen::Matrix3d& R, const Vector3d& p) {
  const Hinge none{nullptr, p, Vector3d::UnitZ(), "its bodies do not turn about one point"};
  const Eigen::Matrix3d turns = R * free.bottomRows(3);
  if (std::abs(turns.determinant()) < tolerance) return none;
  // v = W w, W = -skew(p - point).
  const Eigen::Matrix3d W = free.topRows(3) * turns.inverse();
  if ((W + W.transpose()).norm() > tolerance * (1.0 + W.norm())) return none;
  const Vector3d arm(-W(2, 1), -W(0, 2), -W(1, 0));
  return {"spherical", p - arm, Vector3d::UnitZ(), {}};
}

bool same_motion(const KinematicConnection<Spatial>& connection, const Hinge& hinge) {
  const std::string_view kind = hinge.kind;
  for (const double x : {0.15, -0.2, 0.35}) {
    Vector3d turn = x * hinge.axis;
    Vector3d shift = Vector3d::Zero();
    if (kind == "spherical") turn = x * Vector3d(1.0, -0.7, 0.4);
    if (kind == "prismatic") turn.setZero();
    if (kind == "prismatic" || kind == "cylindrical") shift = 0.3 * x * hinge.axis;
    if (kind == "fixed") continue;
    if (!is_closed_at(connection, moved(connection.reference(), hinge.point, turn, shift))) {
      return false;
    }
  }
  return true;
}

}  // namespace

template <>
KnownHinge<Spatial> known_hinge(const KinematicConnection<Spatial>& connection) {
  if (connection.velocity_rows() > 0) return {.obstacle = "it has nonholonomic rows"};
  const Spatial::Kinematics& b = connection.reference();
  const MatrixXd free = free_motions(connection);
  Hinge hinge;
  switch (free.cols()) {
    case 0:
      hinge = {"fixed", b.p, Vector3d::UnitZ(), {}};
      break;
    case 1:
      hinge = one_freedom(free.col(0).head<3>(), b.R * free.col(0).tail<3>(), b.p);
      break;
    case 2:
      hinge = two_freedoms(free, b.R, b.p);
      break;
    case 3:
      hinge = three_freedoms(free, b.R, b.p);
      break;
    default:
      hinge.obstacle = fmt::format("no hinge of the catalogue leaves {} freedoms", free.cols());
  }
  if (hinge.kind == nullptr || same_motion(connection, hinge)) return hinge;
  return {.obstacle = fmt::format("it is no {} joint away from the start", hinge.kind)};
}

template <>
KnownHinge<Planar> known_hinge(const KinematicConnection<Planar>& connection) {
  if (connection.velocity_rows() > 0) return {.obstacle = "it has nonholonomic rows"};
  const Planar::Kinematics& b = connection.reference();
  const MatrixXd free = free_motions(connection);
  KnownHinge<Planar> hinge;
  hinge.point = b.p;
  if (free.cols() == 0) {
    hinge.kind = "fixed";
    return hinge;
  }
  if (free.cols() == 2) return {.obstacle = "no hinge of the catalogue leaves 2 freedoms"};
  const Eigen::Vector2d v = free.col(0).head<2>();
  const double w = free(2, 0);
  const bool turns = std::abs(w) > tolerance;
  hinge.kind = turns ? "revolute" : "prismatic";
  // v = w perp(p - point).
  if (turns) hinge.point += perpendicular(v) / w;
  hinge.axis << v.normalized(), 0.0;
  for (const double x : {0.15, -0.2, 0.35}) {
    Planar::Kinematics k = b;
    if (turns) {
      k.angle += x;
      const Eigen::Matrix2d Q = Eigen::Rotation2Dd(x).toRotationMatrix();
      k.R = Q * b.R;
      k.p = hinge.point + Q * (b.p - hinge.point);
    } else {
      k.p += 0.3 * x * hinge.axis.head<2>();
    }
    if (is_closed_at(connection, k)) continue;
    return {.obstacle = fmt::format("it is no {} joint away from the start", hinge.kind)};
  }
  return hinge;
}

}  // namespace trammel::model
