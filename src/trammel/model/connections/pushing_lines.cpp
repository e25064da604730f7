#include "trammel/model/connections/pushing_lines.h"

#include <algorithm>
#include <optional>

#include "trammel/core/dense_factors.h"

namespace trammel::model {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double line_tolerance = 1e-7;

template <class S>
struct PushingLine {
  typename S::Point point;  ///< in the axes of a
  typename S::Point direction;
};

template <class S>
using Lines = std::vector<PushingLine<S>>;

Eigen::Vector2d foot(const Eigen::Vector2d& n, const Eigen::Matrix<double, 1, 1>& m) {
  return -m[0] * perpendicular(n);
}
Vector3d foot(const Vector3d& n, const Vector3d& m) {
  return n.cross(m);
}
bool has_pitch(const Eigen::Vector2d& /*n*/, const Eigen::Matrix<double, 1, 1>& /*m*/) {
  return false;
}
bool has_pitch(const Vector3d& n, const Vector3d& m) {
  return std::abs(n.dot(m)) > line_tolerance;
}

// Along which the only row pushes at each sample; empty where some row turns.
template <class S>
Lines<S> pushing_lines(const std::vector<MotionSample<S>>& samples) {
  Lines<S> lines;
  for (const MotionSample<S>& sample : samples) {
    typename S::Point n = sample.rows.row(0).template head<S::dimension>();
    Eigen::Matrix<double, S::rotations, 1> m = sample.rows.row(0).template tail<S::rotations>();
    const double size = n.norm();
    if (size < line_tolerance) return {};
    n /= size;
    m /= size;
    if (has_pitch(n, m)) return {};
    lines.push_back({sample.b.p + foot(n, m), n});
  }
  return lines;
}

template <class S>
Lines<S> seen_from_b(const Lines<S>& lines, const std::vector<MotionSample<S>>& samples) {
  Lines<S> seen;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto& b = samples[k].b;
    seen.push_back(
        {b.R.transpose() * (lines[k].point - b.p), b.R.transpose() * lines[k].direction});
  }
  return seen;
}

// Where all lines meet.
template <class S>
std::optional<typename S::Point> meeting_point(const Lines<S>& lines) {
  constexpr int d = S::dimension;
  const auto count = static_cast<Eigen::Index>(lines.size());
  MatrixXd A(d * count, d);
  VectorXd b(d * count);
  double size = 1.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const PushingLine<S>& line = lines[static_cast<std::size_t>(k)];
    const Eigen::Matrix<double, d, d> across =
        Eigen::Matrix<double, d, d>::Identity() - line.direction * line.direction.transpose();
    A.middleRows(d * k, d) = across;
    b.segment(d * k, d) = across * line.point;
    size = std::max(size, line.point.norm());
  }
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(1e-4);
  factors.compute(A);
  if (factors.rank() < d) return std::nullopt;
  const VectorXd x = factors.solve(b);
  if ((A * x - b).norm() > line_tolerance * size) return std::nullopt;
  return typename S::Point(x);
}

template <class S>
bool parallel(const Lines<S>& lines) {
  constexpr double least_cosine = 1.0 - line_tolerance * line_tolerance;
  return std::all_of(lines.begin(), lines.end(), [&](const PushingLine<S>& line) {
    return std::abs(line.direction.dot(lines[0].direction)) >= least_cosine;
  });
}

KnownHinge<Planar> point_on_flat(const Eigen::Vector2d& point, const Eigen::Vector2d& normal) {
  const Eigen::Vector2d along = perpendicular(normal);
  return {find_joint_kind(Space::planar, "pin_in_slot"),
          point,
          point,
          {{"axis", Vector3d(along.x(), along.y(), 0.0)}}};
}
KnownHinge<Spatial> point_on_flat(const Vector3d& point, const Vector3d& normal) {
  return {find_joint_kind(Space::spatial, "point_on_plane"), point, point, {{"normal", normal}}};
}

template <class S>
KnownHinge<S> joint_of_lines(const std::vector<MotionSample<S>>& samples) {
  const Lines<S> lines = pushing_lines(samples);
  if (lines.empty()) return {};
  const Lines<S> seen = seen_from_b(lines, samples);
  const auto& b = samples[0].b;
  const auto in_a = meeting_point(lines);
  const auto in_b = meeting_point(seen);
  const auto to_a = [&](const typename S::Point& x) { return typename S::Point(b.p + b.R * x); };
  if (in_a && in_b) {
    const typename S::Point end = to_a(*in_b);
    return {find_joint_kind(S::space, "distance"), *in_a, end, {{"length", (end - *in_a).norm()}}};
  }
  if (in_b && parallel(lines)) return point_on_flat(to_a(*in_b), lines[0].direction);
  if (in_a && parallel(seen)) {
    KnownHinge<S> hinge = point_on_flat(*in_a, lines[0].direction);
    hinge.swapped = true;
    return hinge;
  }
  return {};
}

// A curve by points: a straight line, a circle, or neither.
KnownHinge<Spatial> guide_through(const std::vector<Vector3d>& points) {
  const auto count = static_cast<Eigen::Index>(points.size());
  MatrixXd spread(count - 1, 3);
  for (Eigen::Index k = 1; k < count; ++k) {
    spread.row(k - 1) = points[static_cast<std::size_t>(k)] - points[0];
  }
  const Eigen::JacobiSVD<MatrixXd> svd(spread, Eigen::ComputeThinU | Eigen::ComputeFullV);
  const auto& sizes = svd.singularValues();
  if (count < 4 || sizes[2] > line_tolerance * sizes[0]) return {};
  if (sizes[1] <= line_tolerance * sizes[0]) {
    return {find_joint_kind(Space::spatial, "point_on_line"),
            points[0],
            points[0],
            {{"axis", Vector3d(svd.matrixV().col(0))}}};
  }
  // |x - centre| is the same for all: 2 (x - x_0) . (centre - x_0) = |x - x_0|^2.
  const MatrixXd plane = svd.matrixV().leftCols(2);
  const MatrixXd flat = spread * plane;
  const VectorXd arm = (2.0 * flat).colPivHouseholderQr().solve(flat.rowwise().squaredNorm());
  return {find_joint_kind(Space::spatial, "revolute_spherical"),
          points[0] + plane * arm,
          points[0],
          {{"axis", Vector3d(svd.matrixV().col(2))}, {"length", arm.norm()}, {"offset", 0.0}}};
}

}  // namespace

KnownHinge<Planar> single_row(const std::vector<MotionSample<Planar>>& samples) {
  return joint_of_lines(samples);
}

KnownHinge<Spatial> single_row(const std::vector<MotionSample<Spatial>>& samples) {
  return joint_of_lines(samples);
}

KnownHinge<Spatial> guided_point(const std::vector<MotionSample<Spatial>>& samples) {
  // The shift d without a turn, and the point c with (v - w x (p - c)) along d for all motions.
  const MotionSample<Spatial>& here = samples[0];
  const Eigen::JacobiSVD<MatrixXd> turns(here.free.bottomRows(3), Eigen::ComputeFullV);
  if (turns.singularValues()[2] < line_tolerance) return {};
  const Vector3d d = (here.free.topRows(3) * turns.matrixV().col(3)).normalized();
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - d * d.transpose();
  MatrixXd A(12, 3);
  VectorXd b(12);
  for (Eigen::Index i = 0; i < 4; ++i) {
    A.middleRows(3 * i, 3) = across * math::skew(here.free.col(i).tail<3>());
    b.segment(3 * i, 3) = across * here.free.col(i).head<3>();
  }
  const Vector3d arm = A.colPivHouseholderQr().solve(b);
  if ((A * arm - b).norm() > line_tolerance * (1.0 + b.norm())) return {};
  const Vector3d c = here.b.p - arm;
  // c as a point of b seen in a, and as one of a seen in b.
  std::vector<Vector3d> in_a;
  std::vector<Vector3d> in_b;
  for (const MotionSample<Spatial>& sample : samples) {
    in_a.emplace_back(sample.b.p - sample.b.R * (here.b.R.transpose() * arm));
    in_b.emplace_back(sample.b.R.transpose() * (c - sample.b.p));
  }
  KnownHinge<Spatial> hinge = guide_through(in_a);
  if (hinge.kind != nullptr) return hinge;
  hinge = guide_through(in_b);
  hinge.swapped = true;
  const auto to_a = [&](const Vector3d& x) { return Vector3d(here.b.p + here.b.R * x); };
  hinge.first = to_a(hinge.first);
  hinge.second = to_a(hinge.second);
  if (hinge.kind != nullptr)
    hinge.values["axis"] = Vector3d(here.b.R * vector(hinge.values, "axis"));
  return hinge;
}

}  // namespace trammel::model
