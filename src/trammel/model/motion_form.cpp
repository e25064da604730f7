#include "trammel/model/motion_form.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/core/dense_factors.h"

namespace trammel::model {

Twist<Planar> carried(const Pose<Planar>& frame, const Twist<Planar>& s) {
  Twist<Planar> moved;
  moved << frame.rotation() * s.head<2>() - s[2] * perpendicular(frame.p), s[2];
  return moved;
}

Twist<Spatial> carried(const Pose<Spatial>& frame, const Twist<Spatial>& s) {
  Twist<Spatial> moved;
  const Eigen::Vector3d w = frame.e * s.tail<3>();
  moved << frame.e * s.head<3>() + frame.p.cross(w), w;
  return moved;
}

template <class S>
void MotionForm<S>::third(const double* q, const double* v, Columns& sums) const {
  const int n = size();
  for (Twist<S>& sum : sums) sum.setZero();
  double fastest = 0.0;
  for (int j = 0; j < n; ++j) fastest = std::max(fastest, std::abs(v[j]));
  if (fastest == 0.0) return;
  // (-f(2h) + 8 f(h) - 8 f(-h) + f(-2h)) / 12 h along v: the error is of the order of 1e-11.
  const double h = 2e-3 / fastest;
  constexpr std::array<std::pair<double, double>, 4> weights{
      {{2.0, -1.0}, {1.0, 8.0}, {-1.0, -8.0}, {-2.0, 1.0}}};
  Derivatives at;
  std::array<double, most> moved{};
  for (const auto& [steps, weight] : weights) {
    for (int j = 0; j < n; ++j) moved[static_cast<std::size_t>(j)] = q[j] + steps * h * v[j];
    differentiate(moved.data(), at);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        sums[static_cast<std::size_t>(i)] +=
            weight * v[j] / (12.0 * h) * at.second[static_cast<std::size_t>(i * most + j)];
      }
    }
  }
}

template <class S>
double MotionForm<S>::distance_from_singularity(const double* q, double size_of_model) const {
  Derivatives at;
  differentiate(q, at);
  Eigen::MatrixXd columns(S::freedoms, size());
  for (int i = 0; i < size(); ++i) {
    Twist<S> s = at.first[static_cast<std::size_t>(i)];
    // Seen at where the frame stands.
    s.template head<S::dimension>() += turn_velocity(s, at.X.p);
    s.template head<S::dimension>() /= size_of_model;
    columns.col(i) = is_length(i) ? Twist<S>(size_of_model * s) : s;
  }
  if (!columns.allFinite()) return 0.0;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns);
  const auto& values = svd.singularValues();
  return values.size() == 0 ? 1.0 : values[values.size() - 1] / values[0];
}

template <class S>
void ReversedMotion<S>::differentiate(const double* q, Derivatives& at) const {
  constexpr int most = MotionForm<S>::most;
  Derivatives forth;
  form_->differentiate(q, forth);
  at.X = inverse(forth.X);
  for (int i = 0; i < size(); ++i) {
    at.first[static_cast<std::size_t>(i)] =
        -carried(at.X, forth.first[static_cast<std::size_t>(i)]);
    for (int j = 0; j < size(); ++j) {
      at.second[static_cast<std::size_t>(i * most + j)] =
          -carried(at.X, forth.second[static_cast<std::size_t>(j * most + i)]);
    }
  }
}

template class MotionForm<Planar>;
template class MotionForm<Spatial>;
template class ReversedMotion<Planar>;
template class ReversedMotion<Spatial>;

}  // namespace trammel::model
