// When to stop Newton's iteration, when to renew the tangent, when to give up.
//
// Corrections of a modified Newton iteration shrink by a factor theta per iteration. What is left
// after a correction of size e is about theta / (1 - theta) e [Hairer & Wanner, Solving ODEs II,
// sec. IV.8]. The factor of the last step serves as a guess for the first correction of the next
// one.
#pragma once

#include <algorithm>
#include <cmath>

namespace trammel::integrators {

class NewtonControl {
 public:
  enum class Verdict { converged, go_on, renew_tangent };

  /// A new step; `fresh` when the tangent was renewed for it.
  void begin(bool fresh) {
    count_ = 0;
    // An old factor is trusted less at every step, so that it is measured again before long, and
    // never taken for better than a tangent of another configuration can be.
    theta_ = fresh ? std::clamp(theta_, 1e-3, 0.1) : std::max(std::pow(theta_, 0.8), 0.02);
  }

  /// Judges a correction of the given size against the tolerance; `redundant` when the tangent met
  /// constraint rows that depend on others. With a tangent that is not `exact` a correction may
  /// fall by more than the next ones will: the larger of two factors counts.
  Verdict judge(double size, double tolerance, bool redundant, bool exact) {
    ++count_;
    const double before = theta_;
    if (count_ > 1) theta_ = std::min(size / last_, 1e3);
    last_ = size;
    if (size == 0.0) return Verdict::converged;
    // A single correction is trusted only when it is hardly needed: its factor is a guess.
    const double least = count_ == 1 ? guessed : exact ? 0.0 : before;
    const double theta = std::min(std::max(theta_, least), 0.99);
    if (theta / (1.0 - theta) * size <= tolerance) return Verdict::converged;
    if (count_ == 1) return Verdict::go_on;
    // Near singular positions round-off in the constraints is magnified above the tolerance, and
    // rows that depend on others settle slowly: small corrections that hardly fall any more are as
    // good as it gets.
    if (size < (redundant ? 1e-8 : 1e-11) && theta_ > stagnant) return Verdict::converged;
    if (theta_ > renew_above) return Verdict::renew_tangent;
    // Iterations still to come at this rate.
    const double left = std::log(tolerance / size) / std::log(theta_);
    return left > most_left ? Verdict::renew_tangent : Verdict::go_on;
  }

  int count() const { return count_; }
  double theta() const { return theta_; }
  /// True when the kept factors are still good enough for the next step.
  bool keep_tangent() const { return theta_ < keep_below; }
  void forget() { theta_ = 0.1; }

 private:
  // Renewing costs about as much as two iterations.
  static constexpr double keep_below = 0.1;
  static constexpr double renew_above = 0.5;
  static constexpr double most_left = 2.5;
  static constexpr double stagnant = 0.3;
  static constexpr double guessed = 0.3;

  int count_ = 0;
  double last_ = 0.0;
  double theta_ = 0.1;
};

/// Whether steps had better begin with the factors of the last step or with new ones: both ways are
/// tried and their work is compared.
class TangentEconomy {
 public:
  bool renewal_pays() const { return renewals_due_ > 0; }

  /// What a step cost that began with new (`fresh`) or kept factors.
  void judge(bool fresh, int iterations, long factorisations) {
    const double work = iterations + renewal * static_cast<double>(factorisations);
    double& mean = fresh ? fresh_work_ : kept_work_;
    mean = mean == 0.0 ? work : mean + weight * (work - mean);
    kept_steps_ = fresh ? 0 : kept_steps_ + 1;
    if (fresh) {
      renewals_due_ = std::max(0, renewals_due_ - 1);
    } else if (kept_work_ > fresh_work_) {
      renewals_due_ = span;
      until_trial_ = first_trial;
    } else if (factorisations > 0 && kept_steps_ >= until_trial_) {
      renewals_due_ = 1;
      until_trial_ = std::min(2 * until_trial_, last_trial);
    }
  }

 private:
  static constexpr double renewal = 2.0;  ///< work of a tangent and its factors, in iterations
  static constexpr double weight = 0.5;
  static constexpr int span = 10;        ///< steps with new factors once they pay
  static constexpr int first_trial = 2;  ///< steps with kept factors before a trial of new ones
  static constexpr int last_trial = 64;

  double fresh_work_ = 0.0;  ///< running means
  double kept_work_ = 0.0;
  int renewals_due_ = 0;  ///< steps to begin with new factors
  int kept_steps_ = 0;    ///< begun with kept factors, in a row
  int until_trial_ = first_trial;
};

}  // namespace trammel::integrators
