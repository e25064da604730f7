// Coordinates of hinges that are chains of their own: from where the model describes them, step by
// step to where they are asked for.
#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/core/dense_factors.h"
#include "trammel/math/rotation.h"
#include "trammel/model/hinge.h"

namespace trammel::model {
namespace {

// The small motion from one pose to another, as a twist at the first.
Twist<Planar> motion_between(const Pose<Planar>& from, const Pose<Planar>& to) {
  Twist<Planar> x;
  x << to.p - from.p, to.angle - from.angle;
  return x;
}
Twist<Spatial> motion_between(const Pose<Spatial>& from, const Pose<Spatial>& to) {
  Twist<Spatial> x;
  x << to.p - from.p, math::logarithm(to.e * from.e.conjugate());
  return x;
}

Pose<Planar> part_of_the_way(const Pose<Planar>& from, const Pose<Planar>& to, double part) {
  return {from.p + part * (to.p - from.p), from.angle + part * (to.angle - from.angle)};
}
Pose<Spatial> part_of_the_way(const Pose<Spatial>& from, const Pose<Spatial>& to, double part) {
  return {from.p + part * (to.p - from.p), from.e.slerp(part, to.e)};
}

}  // namespace

// Gauss-Newton steps to the nearest pose that the hinge has.
template <class S>
bool Hinge<S>::approach(const Pose<S>& X, double* q) const {
  constexpr double largest_step = 0.5;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 60; ++round) {
    Pose<S> here;
    Eigen::MatrixXd J = columns(q, here);
    if (!J.allFinite()) return false;
    // Seen at the second node.
    for (Eigen::Index i = 0; i < J.cols(); ++i) {
      J.col(i).template head<S::dimension>() += turn_velocity(Twist<S>(J.col(i)), here.p);
    }
    Eigen::VectorXd x = J.completeOrthogonalDecomposition().solve(motion_between(here, X));
    const double size = x.size() > 0 ? x.template lpNorm<Eigen::Infinity>() : 0.0;
    if (!std::isfinite(size)) return false;
    if (size > largest_step) x *= largest_step / size;
    move(x.data(), q);
    // At the limit of precision steps fall no more.
    if (size < 1e-15 || (size < 1e-10 && size >= before)) return true;
    before = size;
  }
  return before < 1e-7;  // a place that the hinge does not have: slowly, to the nearest
}

// At once where that succeeds, in ever more parts otherwise.
template <class S>
void Hinge<S>::iterate_coordinates(const Pose<S>& X, double* q) const {
  const Pose<S> from = pose(start.data());
  for (int parts = 1; parts <= 64; parts *= 4) {
    std::copy(start.begin(), start.end(), q);
    bool there = true;
    for (int k = 1; there && k <= parts; ++k) {
      there =
          approach(k == parts ? X : part_of_the_way(from, X, static_cast<double>(k) / parts), q);
    }
    if (there) return;
  }
  std::copy(start.begin(), start.end(), q);
}

template void Hinge<Planar>::iterate_coordinates(const Pose<Planar>&, double*) const;
template void Hinge<Spatial>::iterate_coordinates(const Pose<Spatial>&, double*) const;

}  // namespace trammel::model
