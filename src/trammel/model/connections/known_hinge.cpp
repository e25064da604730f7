#include "trammel/model/connections/known_hinge.h"

#include <cmath>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"
#include "trammel/model/connections/motion_samples.h"
#include "trammel/model/connections/pushing_lines.h"
#include "trammel/model/mechanism_parts.h"

namespace trammel::model {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double tolerance = 1e-7;

using Hinge3 = KnownHinge<Spatial>;
using Samples3 = std::vector<MotionSample<Spatial>>;

template <class S>
KnownHinge<S> candidate(const char* kind, const typename S::Point& point, Values values = {}) {
  return {find_joint_kind(S::space, kind), point, point, std::move(values)};
}

Hinge3 along_axis(const char* kind, const Vector3d& point, const Vector3d& axis) {
  return candidate<Spatial>(kind, point, {{"axis", axis}});
}

// v = w x (p - point) + lead w for a motion about and along an axis through the point.
Hinge3 one_freedom(const Vector3d& v, const Vector3d& w, const Vector3d& p) {
  if (w.norm() < tolerance) return along_axis("prismatic", p, v.normalized());
  const Vector3d point = p - v.cross(w) / w.squaredNorm();
  const double lead = v.dot(w) / w.squaredNorm();
  if (std::abs(lead) <= tolerance) return along_axis("revolute", point, w.normalized());
  Hinge3 screw = along_axis("screw", point, w.normalized());
  screw.values["pitch"] = std::abs(lead) * math::full_turn;
  screw.values["hand"] = std::string(lead > 0.0 ? "right" : "left");
  return screw;
}

Hinge3 turn_and_shift(const MatrixXd& free,
                      const Eigen::JacobiSVD<MatrixXd>& turns,
                      const Vector3d& p) {
  const Vector3d shift = free.topRows(3) * turns.matrixV().col(1);
  const Vector3d w = free.bottomRows(3) * turns.matrixV().col(0);
  Vector3d v = free.topRows(3) * turns.matrixV().col(0);
  if (shift.cross(w).norm() > tolerance * shift.norm() * w.norm()) return {};
  v -= v.dot(w) / w.squaredNorm() * w;
  Hinge3 hinge = one_freedom(v, w, p);
  hinge.kind = find_joint_kind(Space::spatial, "cylindrical");
  return hinge;
}

// The point about which all free motions turn, v = w x (p - point), as far as there is one.
bool common_point(const MatrixXd& free, const Vector3d& p, Vector3d& point) {
  MatrixXd A(3 * free.cols(), 3);
  Eigen::VectorXd b(3 * free.cols());
  for (Eigen::Index i = 0; i < free.cols(); ++i) {
    A.middleRows(3 * i, 3) = math::skew(free.col(i).tail<3>());
    b.segment(3 * i, 3) = free.col(i).head<3>();
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(A);
  const Vector3d arm = factors.solve(b);
  point = p - arm;
  return (A * arm - b).norm() <= tolerance * (1.0 + b.norm());
}

// The direction that lies in the planes with these normals, as far as there is one.
bool common_direction(const MatrixXd& normals, Vector3d& direction) {
  const Eigen::JacobiSVD<MatrixXd> svd(normals, Eigen::ComputeFullV);
  direction = svd.matrixV().col(2);
  return svd.singularValues()[2] <= tolerance && svd.singularValues()[1] > 1e-3;
}

// Each axis lies in the plane of free turns wherever the bodies go: one in a, the other in b.
Hinge3 two_turns(const Samples3& samples) {
  Vector3d point;
  if (!common_point(samples[0].free, samples[0].b.p, point)) return {};
  const auto count = static_cast<Eigen::Index>(samples.size());
  MatrixXd in_a(count, 3);
  MatrixXd in_b(count, 3);
  for (Eigen::Index k = 0; k < count; ++k) {
    const MotionSample<Spatial>& sample = samples[static_cast<std::size_t>(k)];
    const Vector3d normal =
        Vector3d(sample.free.col(0).tail<3>()).cross(sample.free.col(1).tail<3>()).normalized();
    in_a.row(k) = normal;
    in_b.row(k) = sample.b.R.transpose() * normal;
  }
  Vector3d n_a;
  Vector3d n_b;
  if (!common_direction(in_a, n_a) || !common_direction(in_b, n_b)) return {};
  n_b = samples[0].b.R * n_b;
  if (std::abs(n_a.dot(n_b)) > tolerance) return {};
  Hinge3 hinge = along_axis("universal", point, n_a);
  hinge.values["axis_b"] = n_b;
  return hinge;
}

Hinge3 two_freedoms(const Samples3& samples) {
  const MotionSample<Spatial>& here = samples[0];
  const Eigen::JacobiSVD<MatrixXd> turns(here.free.bottomRows(3), Eigen::ComputeFullV);
  if (turns.singularValues()[0] < tolerance) return {};
  return turns.singularValues()[1] > tolerance ? two_turns(samples)
                                               : turn_and_shift(here.free, turns, here.b.p);
}

Hinge3 three_freedoms(const MotionSample<Spatial>& here) {
  const Eigen::JacobiSVD<MatrixXd> turns(here.free.bottomRows(3),
                                         Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& sizes = turns.singularValues();
  Vector3d point;
  if (sizes[2] > tolerance) {
    return common_point(here.free, here.b.p, point) ? candidate<Spatial>("spherical", point)
                                                    : Hinge3{};
  }
  if (sizes[0] < tolerance || sizes[1] > tolerance) return {};
  const Vector3d normal = turns.matrixU().col(0);
  const MatrixXd shifts = here.free.topRows(3) * turns.matrixV().rightCols(2);
  if ((normal.transpose() * shifts).norm() > tolerance) return {};
  return along_axis("planar", here.b.p, normal);
}

Hinge3 spatial_candidate(const Samples3& samples) {
  const MotionSample<Spatial>& here = samples[0];
  switch (here.free.cols()) {
    case 0:
      return candidate<Spatial>("fixed", here.b.p);
    case 1:
      return one_freedom(here.free.col(0).head<3>(), here.free.col(0).tail<3>(), here.b.p);
    case 2:
      return two_freedoms(samples);
    case 3:
      return three_freedoms(here);
    case 4:
      return guided_point(samples);
    default:
      return single_row(samples);
  }
}

KnownHinge<Planar> planar_candidate(const std::vector<MotionSample<Planar>>& samples) {
  const MotionSample<Planar>& here = samples[0];
  if (here.free.cols() == 0) return candidate<Planar>("fixed", here.b.p);
  if (here.free.cols() == 2) return single_row(samples);
  const Eigen::Vector2d v = here.free.col(0).head<2>();
  const double w = here.free(2, 0);
  if (std::abs(w) > tolerance) {  // v = w perp(p - point)
    return candidate<Planar>("revolute", here.b.p + perpendicular(v) / w);
  }
  return candidate<Planar>("prismatic", here.b.p,
                           {{"axis", Vector3d(v.normalized().x(), v.normalized().y(), 0.0)}});
}

// The rows of the joint hold at all samples.
template <class S>
bool holds(const KnownHinge<S>& hinge,
           const KinematicConnection<S>& connection,
           const std::vector<MotionSample<S>>& samples) {
  const JointAssembly<S> joint = hinge.build(connection);
  for (const MotionSample<S>& sample : samples) {
    const typename S::Kinematics ground;
    for (const auto& constraint : joint.constraints) {
      typename Constraint<S>::Rows g;
      typename Constraint<S>::Jacobian G;
      g.setZero();
      G.setZero();
      constraint->linearise(hinge.swapped ? sample.b : ground, hinge.swapped ? ground : sample.b,
                            0.0, g, G);
      const double error = g.head(constraint->rows()).template lpNorm<Eigen::Infinity>();
      if (!(error < 1e-11 * (1.0 + connection.length()))) return false;
    }
  }
  return true;
}

template <class S>
KnownHinge<S> verified(KnownHinge<S> hinge,
                       const KinematicConnection<S>& connection,
                       const std::vector<MotionSample<S>>& samples) {
  if (hinge.kind == nullptr) {
    return {.obstacle =
                fmt::format("no joint of the catalogue leaves its {} freedom{}",
                            samples[0].free.cols(), samples[0].free.cols() == 1 ? "" : "s")};
  }
  core::Diagnostics diagnostics;
  check_values(hinge.kind->fields, S::space, "", hinge.values, diagnostics);
  diagnostics.throw_if_errors();
  if (holds(hinge, connection, samples)) return hinge;
  return {.obstacle = fmt::format("it is no {} joint away from the start", hinge.kind->name)};
}

}  // namespace

template <class S>
JointAssembly<S> KnownHinge<S>::build(const KinematicConnection<S>& connection) const {
  const typename S::Kinematics ground;
  const typename S::Kinematics& reference = connection.reference();
  NodeFrame<S> on_a;
  on_a.node = connection.node_a();
  on_a.l = swapped ? second : first;
  NodeFrame<S> on_b;
  on_b.node = connection.node_b();
  on_b.axes = reference.R.transpose();
  if constexpr (S::space == Space::planar) on_b.turn[0] = -reference.angle;
  on_b.l = on_b.axes * ((swapped ? first : second) - reference.p);
  JointAssembly<S> assembly(swapped ? on_b : on_a, swapped ? on_a : on_b,
                            swapped ? reference : ground, swapped ? ground : reference);
  build_joint<S>(*kind, values, assembly);
  return assembly;
}

template <>
KnownHinge<Spatial> known_hinge(const KinematicConnection<Spatial>& connection) {
  if (connection.velocity_rows() > 0) return {.obstacle = "it has nonholonomic rows"};
  const Samples3 samples = motion_samples(connection);
  return verified(spatial_candidate(samples), connection, samples);
}

template <>
KnownHinge<Planar> known_hinge(const KinematicConnection<Planar>& connection) {
  if (connection.velocity_rows() > 0) return {.obstacle = "it has nonholonomic rows"};
  const std::vector<MotionSample<Planar>> samples = motion_samples(connection);
  return verified(planar_candidate(samples), connection, samples);
}

template struct KnownHinge<Planar>;
template struct KnownHinge<Spatial>;

}  // namespace trammel::model
