#include "trammel/system/reaction_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/core/dense_factors.h"

namespace trammel::system {
auto ReactionIteration::solve(const Map& map, Vector& lambda) -> Report {
  map_ = &map;
  share_ = 1.0;
  evaluations_ = 0;
  Report report;
  report.converged = plain(lambda) || newton(lambda) || continued(lambda);
  report.evaluations = evaluations_;
  report.share = report.converged ? 1.0 : share_;
  return report;
}

bool ReactionIteration::small(double size) const {
  constexpr double tolerance = 1e-13;
  return size <= tolerance * scale_;
}

double ReactionIteration::evaluate(const Vector& lambda, Vector& F) {
  (*map_)(lambda, share_, F);
  ++evaluations_;
  scale_ = std::max(largest(lambda), largest(F));
  F -= lambda;
  return F.allFinite() ? largest(F) : std::numeric_limits<double>::infinity();
}

// Ends where ten passes do not bring a tenth: Newton is faster then.
bool ReactionIteration::plain(Vector& lambda) {
  constexpr int most_passes = 200;
  trial_ = lambda;
  double best = std::numeric_limits<double>::infinity();
  double before = best;
  for (int i = 0; i < most_passes; ++i) {
    const double size = evaluate(trial_, F_);
    if (!std::isfinite(size)) return false;
    if (size < best) {
      best = size;
      lambda = trial_;
    }
    trial_ += F_;
    if (small(size)) {
      lambda = trial_;
      return true;
    }
    if (i % 10 == 0) {
      if (best > 0.1 * before) return false;
      before = best;
    }
  }
  return false;
}

bool ReactionIteration::newton(Vector& lambda) {
  constexpr int most_steps = 40;
  constexpr double shortest = 1e-3;
  constexpr double round_off = 1e-11;  // of P with redundant rows, whose factors are regularised
  double size = evaluate(lambda, F_);
  for (int i = 0; i < most_steps; ++i) {
    if (!std::isfinite(size)) return false;
    if (small(size)) return true;
    newton_step(lambda, F_, d_);
    if (!d_.allFinite()) return false;
    double t = 1.0;
    double next = 0.0;
    for (;; t *= 0.5) {
      trial_ = lambda + t * d_;
      next = evaluate(trial_, F_trial_);
      if (next < (1.0 - 0.1 * t) * size) break;
      if (t < shortest) return size <= round_off * scale_;
    }
    lambda = trial_;
    F_ = F_trial_;
    size = next;
  }
  return size <= round_off * scale_;
}

bool ReactionIteration::continued(Vector& lambda) {
  constexpr double smallest_step = 1e-4;
  share_ = 0.0;
  Vector last;
  (*map_)(lambda, share_, last);
  double reached = 0.0;
  double step = 0.25;
  while (reached < 1.0) {
    share_ = std::min(1.0, reached + step);
    lambda = last;
    if (newton(lambda)) {
      reached = share_;
      last = lambda;
      step *= 1.5;
      continue;
    }
    step *= 0.5;
    if (step < smallest_step) break;
  }
  lambda = last;
  share_ = reached;
  return reached >= 1.0;
}

void ReactionIteration::product(const Vector& lambda,
                                const Vector& F,
                                const Vector& x,
                                Vector& result) {
  const double step = 1e-7 * scale_ / std::max(largest(x), 1e-300);
  moved_ = lambda + step * x;
  evaluate(moved_, result);
  result = (F - result) / step;
}

void ReactionIteration::newton_step(const Vector& lambda, const Vector& F, Vector& d) {
  constexpr Eigen::Index most_products = 60;
  constexpr double accuracy = 1e-9;
  const Eigen::Index most = std::min(most_products, F.size());
  Eigen::MatrixXd basis(F.size(), most + 1);
  Eigen::MatrixXd hessenberg = Eigen::MatrixXd::Zero(most + 1, most);
  const double size = F.norm();
  basis.col(0) = F / size;
  Vector right = Vector::Zero(most + 1);
  right[0] = size;
  Vector y;
  Eigen::Index k = 0;
  while (k < most) {
    Vector next;
    product(lambda, F, basis.col(k), next);
    if (!next.allFinite()) break;
    const double length = next.norm();
    for (Eigen::Index j = 0; j <= k; ++j) {
      hessenberg(j, k) = basis.col(j).dot(next);
      next -= hessenberg(j, k) * basis.col(j);
    }
    hessenberg(k + 1, k) = next.norm();
    ++k;
    const auto part = hessenberg.topLeftCorner(k + 1, k);
    y = part.colPivHouseholderQr().solve(right.head(k + 1));
    const double rest = (right.head(k + 1) - part * y).norm();
    if (rest <= accuracy * size || hessenberg(k, k - 1) <= accuracy * length) break;
    basis.col(k) = next / hessenberg(k, k - 1);
  }
  d = Vector::Zero(F.size());
  if (k > 0) d = basis.leftCols(k) * y;
}

}  // namespace trammel::system
