#include "trammel/analysis/fastest_rate.h"

#include <algorithm>
#include <cmath>

#include "trammel/linear/block_ldlt.h"

namespace trammel::analysis {
namespace {

using system::KktMatrix;
using system::Vector;

class PowerIteration {
 public:
  PowerIteration(system::MechanicalSystem& system, const system::Motion& motion)
      : system_(system), motion_(motion), mass_(system.pattern()), other_(system.pattern()) {
    system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
    solver_.analyse(system.pattern());
    ok_ = solver_.factor(mass_).ok;
  }

  /// Largest |eigenvalue| of M^-1 times the tangent with these weights, on G x = 0.
  double largest(const system::Weights& weights) {
    if (!ok_) return 0.0;
    system_.tangent(motion_, weights, nullptr, other_);
    const Eigen::Index n = motion_.a.size();
    Vector x = Vector::Zero(n + motion_.lambda.size());
    // Any start will do that is orthogonal to nothing in particular.
    for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(1.0 + 1.7 * static_cast<double>(i));
    double found = 0.0;
    constexpr int rounds = 40;
    for (int k = 0; k < rounds; ++k) {
      other_.multiply(x, product_);
      product_.tail(motion_.lambda.size()).setZero();
      refined_(solver_, mass_, product_, y_);
      y_.tail(motion_.lambda.size()).setZero();
      const double before = x.head(n).norm();
      const double after = y_.head(n).norm();
      if (!(after > 0.0) || !std::isfinite(after)) return 0.0;
      found = after / before;
      x = y_ / after;
    }
    return found;
  }

 private:
  system::MechanicalSystem& system_;
  const system::Motion& motion_;
  KktMatrix mass_;
  KktMatrix other_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  Vector product_;
  Vector y_;
  bool ok_ = false;
};

}  // namespace

double fastest_rate(system::MechanicalSystem& system, const system::Motion& motion) {
  if (motion.a.size() == 0) return 0.0;
  PowerIteration iteration(system, motion);
  const double frequency = std::sqrt(iteration.largest({.position = 1.0}));
  return std::max(frequency, iteration.largest({.velocity = 1.0}));
}

}  // namespace trammel::analysis
