#include "trammel/analysis/companion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/model_march.h"
#include "trammel/core/diagnostic.h"
#include "trammel/system/position_measure.h"

namespace trammel::analysis {
namespace {

constexpr double sharper = 10.0;  // tolerances of the first run over those of the second

// Steps of the second run over those of the first, where the step is fixed. Halved ones end where
// those of the first do, and where these were cut at switches in time.
enum class SecondStep { twice, half };

// No method takes a tolerance below this (integrators/adaptive_options.cpp).
bool sharpest(const model::SimulationSettings& settings) {
  constexpr double least = 1e-13;
  const auto too_sharp = [&](const char* name) {
    const double* value = number_of(settings, name);
    return value != nullptr && *value > 0.0 && *value / sharper < least;
  };
  return chooses_steps(settings) && (too_sharp("relative_tolerance") ||
                                     too_sharp("absolute_tolerance") || too_sharp("tolerance"));
}

model::SimulationSettings of_second_run(model::SimulationSettings settings) {
  if (chooses_steps(settings)) {
    multiply_tolerances(settings, 1.0 / sharper);
  } else {
    keep_long_steps(settings);
  }
  return settings;
}

class Second {
 public:
  Second(model::ModelSystem& system,
         const FirstRun& first,
         const EarlyEnd& end,
         SecondStep step = SecondStep::twice)
      : march_(system), first_(first), kind_(step), watch_(end) {
    march_.set_method(of_second_run(first.settings));
    if (kind_ == SecondStep::half) march_.set_division(2);
    way_.setZero(march_.system().sizes().v);
  }

  /// Whether halved steps would tell more: a step turned some counted angle so far that whole turns
  /// cannot be told apart, or switches in time cut the steps of both runs alike.
  bool wants_half() {
    if (march_.integrator().adaptive()) return false;
    return turned_too_far_ || (march_.crossing() != nullptr && cut_alike());
  }
  /// The same, before it went.
  bool knows_better() {
    return !march_.integrator().adaptive() && march_.crossing() != nullptr && first_was_cut();
  }

  ErrorEstimate go() {
    estimate_.origin = march_.integrator().adaptive() ? "a second run with a tenth of the tolerance"
                       : kind_ == SecondStep::twice   ? "a second run with twice the step"
                                                      : "a second run with half the step";
    system::Motion start = first_.start;
    march_.start(start);
    const std::vector<MotionTrail::Sample>& samples = first_.trail.samples();
    if (samples.size() < 2) return without("the run has too few steps for a second one");
    for (std::size_t i = 1; i < samples.size(); ++i) {
      if (!reach(samples[i], samples[i].time - samples[i - 1].time)) return estimate_;
      if (turned_too_far_) return estimate_;
      compare(samples[i]);
    }
    conclude();
    return estimate_;
  }

 private:
  ErrorEstimate without(std::string reason) {
    estimate_.known = false;
    estimate_.reason = std::move(reason);
    return estimate_;
  }

  bool reach(const MotionTrail::Sample& sample, double interval) {
    const long fixed = kind_ == SecondStep::twice ? std::max(1L, sample.steps / 2) : sample.steps;
    const long steps = march_.integrator().adaptive() ? 1 : fixed;
    // Equal intervals have to give equal steps, to the last bit.
    const double step = interval / static_cast<double>(steps);
    if (std::abs(step - step_) > 1e-9 * step) step_ = step;
    if (!march_.integrator().adaptive() && kind_ == SecondStep::twice) {
      constexpr double told_apart = 3.0;  // rad, below half a revolution
      const double rate = march_.system().fastest_turn(march_.integrator().motion().state);
      turned_too_far_ = rate * step_ > told_apart;
      if (turned_too_far_) return true;
    }
    const integrators::MarchReport report = march_.advance(step_, steps, [&] {
      watch_.after_step();
      return !watch_.stopped();
    });
    if (watch_.stopped()) {
      without(watch_.reason() + " in " + estimate_.origin);
      return false;
    }
    if (report.ok) return true;
    without(fmt::format("{} failed at t = {:.4g} s ({})", estimate_.origin, report.time,
                        integrators::to_string(report.failure)));
    return false;
  }

  void compare(const MotionTrail::Sample& sample) {
    model::ModelSystem& system = march_.system();
    system.logarithm(first_.trail.samples().front().q, sample.q, x_);
    way_ = way_.cwiseMax(x_.cwiseAbs());
    system.logarithm(sample.q, march_.integrator().motion().state.q, x_);
    const system::Vector& scale = system.displacement_scale();
    of_way_ = std::max(of_way_, x_.cwiseQuotient(length_of_way()).lpNorm<Eigen::Infinity>());
    const double size = x_.cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
    see_round_off();
    const system::Vector& z = march_.integrator().motion().state.z;
    if (largest_state_.size() != z.size()) largest_state_.setZero(z.size());
    largest_state_ = largest_state_.cwiseMax(z.cwiseAbs());
    if (size <= estimate_.difference) return;
    estimate_.difference = size;
    estimate_.time = sample.time;
  }

  // For lengths, the longest way of any body where that is longer than the model. Angles are
  // angles, however far something turned.
  system::Vector length_of_way() {
    system::Vector scale = march_.system().displacement_scale();
    const system::PositionMeasure* measure = system::position_measure(march_.system());
    if (measure == nullptr) return scale;
    double longest = 0.0;
    for (Eigen::Index i = 0; i < scale.size(); ++i) {
      if (!measure->turns(static_cast<int>(i))) longest = std::max(longest, way_[i]);
    }
    for (Eigen::Index i = 0; i < scale.size(); ++i) {
      if (!measure->turns(static_cast<int>(i))) scale[i] = std::max(scale[i], longest);
    }
    return scale;
  }

  // Far from the origin positions are known no better than this, in rad or model sizes.
  void see_round_off() {
    system::position_round_off(march_.system(), march_.integrator().motion().state, x_);
    if (x_.size() == 0) return;
    const double size =
        x_.cwiseQuotient(march_.system().displacement_scale()).lpNorm<Eigen::Infinity>();
    round_off_ = std::max(round_off_, size);
  }

  // Every step rounds its end, by a quarter of the last digit or so, up and down: n of them are a
  // random walk. Both runs have that error, of no regular kind, so that their difference tells
  // less.
  double accumulated_round_off() const {
    const auto steps = static_cast<double>(first_.integrator.statistics().steps);
    return 0.25 * round_off_ * std::sqrt(std::max(1.0, steps));
  }

  // By how much first-order states differ at the end, over the largest value of each.
  double state_difference() const {
    const system::Vector& one = first_.integrator.motion().state.z;
    const system::Vector& other = march_.integrator().motion().state.z;
    double largest = 0.0;
    for (Eigen::Index i = 0; i < largest_state_.size(); ++i) {
      const double size = std::max(largest_state_[i], std::abs(one[i]));
      const double share = std::abs(one[i] - other[i]) / size;
      if (size > 0.0 && !(share <= largest)) largest = share;
    }
    return largest;
  }

  void conclude() {
    if (way_.size() > 0) {
      estimate_.way =
          way_.cwiseQuotient(march_.system().displacement_scale()).lpNorm<Eigen::Infinity>();
    }
    // Beyond, the two motions have little to do with each other.
    constexpr double comparable = 0.3;  // rad, or model sizes
    if (estimate_.difference > 0.0) estimate_.per_way = of_way_ / estimate_.difference;
    // Positions may know nothing of a state that an explicit method makes grow without bound.
    const double of_states = state_difference();
    if (!(of_states <= comparable)) {
      estimate_.difference = std::max(estimate_.difference, of_states);
      estimate_.per_way = 1.0;
      without(fmt::format("first-order states of {} differ by {:.2g} of their largest values",
                          estimate_.origin, of_states));
      return;
    }
    if (!(of_way_ <= comparable)) {
      without(fmt::format("{} differs by {:.2g} rad or model sizes at t = {:.4g} s",
                          estimate_.origin, estimate_.difference, estimate_.time));
      return;
    }
    const double ratio = ratio_of_errors();
    if (ratio < 2.0) {
      without(fmt::format("{} took nearly the same steps", estimate_.origin));
      return;
    }
    estimate_.known = true;
    const double part = second_is_better() ? ratio / (ratio - 1.0) : 1.0 / (ratio - 1.0);
    estimate_.position = std::max(estimate_.difference * part, accumulated_round_off());
  }

  bool first_was_cut() const {
    long nominal = 0;
    for (const MotionTrail::Sample& sample : first_.trail.samples()) nominal += sample.steps;
    return first_.integrator.statistics().steps > nominal;
  }

  // Of steps that are all twice as long there are half as many. Where more are left, pieces between
  // switches were taken in the same steps by both runs: their errors are the same, and not seen.
  bool cut_alike() const {
    const long half = (first_.integrator.statistics().steps + 1) / 2;
    return march_.integrator().statistics().steps > half;
  }

  bool second_is_better() const {
    return march_.integrator().adaptive() || kind_ == SecondStep::half;
  }

  // The larger error over the smaller one.
  double ratio_of_errors() const {
    const integrators::Statistics& one = first_.integrator.statistics();
    const integrators::Statistics& two = march_.integrator().statistics();
    if (march_.integrator().adaptive()) {
      // Sums of local errors tell how much the tolerance did; where there are none, all was exact.
      if (!(one.local_errors > 0.0)) return sharper;
      return std::min(one.local_errors / std::max(two.local_errors, 1e-300), sharper);
    }
    const auto [fewer, more] = std::minmax({one.steps, two.steps});
    const double ratio = static_cast<double>(more) / static_cast<double>(std::max(1L, fewer));
    return std::pow(std::min(ratio, 2.0), march_.integrator().order());
  }

  ModelMarch march_;
  const FirstRun& first_;
  SecondStep kind_;
  Watch watch_;
  ErrorEstimate estimate_;
  system::Vector x_;
  system::Vector way_;            ///< from the start, of each component
  double of_way_ = 0.0;           ///< the largest difference over it
  system::Vector largest_state_;  ///< of the second run
  double step_ = 0.0;
  bool turned_too_far_ = false;
  double round_off_ = 0.0;
};

}  // namespace

MotionTrail::MotionTrail(const OutputGrid& grid) {
  constexpr long most = 60;
  outputs_ = grid.outputs + (grid.last_steps > 0 ? 1 : 0);
  stride_ = std::max(1L, (outputs_ + most - 1) / most);
  // An even number of steps between samples, so that twice the step fits.
  if (stride_ * grid.steps_per_output % 2 != 0) ++stride_;
  samples_.reserve(most + 2);
}

void MotionTrail::add(const system::State& state, long steps) {
  if (stride_ == 0) return;
  steps_ += steps;
  const long i = count_++;
  if (i % stride_ != 0 && i != outputs_) return;
  samples_.push_back({state.t, steps_, state.q});
  steps_ = 0;
}

std::string to_string(const ErrorEstimate& estimate) {
  if (!estimate.known) return fmt::format("no estimate: {}", estimate.reason);
  constexpr double much_longer = 100.0;  // the way, in model sizes
  const bool travels = much_longer * estimate.per_way < 1.0;
  return fmt::format(
      "about {:.1e} rad or model sizes in positions{}, by {}", estimate.position,
      travels ? fmt::format(", {:.1e} of the way", estimate.per_way * estimate.position) : "",
      estimate.origin);
}

bool cheap(const system::Sizes& sizes, const integrators::Statistics& statistics) {
  constexpr double most = 1e7;  // unknowns times evaluations: a few seconds
  const auto evaluations =
      static_cast<double>(std::max(statistics.iterations, statistics.residual_evaluations));
  return evaluations * (sizes.v + sizes.multipliers()) <= most;
}

ErrorEstimate estimate_error(model::ModelSystem& system,
                             const FirstRun& first,
                             const EarlyEnd& end) {
  if (sharpest(first.settings)) {
    ErrorEstimate none;
    none.reason = "a tenth of the tolerance is beyond round-off";
    return none;
  }
  try {
    // The first attempt leaves it elsewhere.
    const std::unique_ptr<system::MechanicalSystem> unused = system.clone();
    Second second(system, first, end);
    if (!second.knows_better()) {
      const ErrorEstimate estimate = second.go();
      if (!second.wants_half()) return estimate;
    }
    return Second(dynamic_cast<model::ModelSystem&>(*unused), first, end, SecondStep::half).go();
  } catch (const core::InputError& error) {
    ErrorEstimate none;
    none.reason = fmt::format("no second run is possible ({})", error.what());
    return none;
  }
}

}  // namespace trammel::analysis
