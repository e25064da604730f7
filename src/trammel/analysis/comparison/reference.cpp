#include "trammel/analysis/comparison/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/comparison/parallel.h"
#include "trammel/analysis/model_march.h"
#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::analysis::comparison {
namespace {

using system::State;
using system::Vector;

constexpr double trusted_error = 1e-3;     // model sizes or rad
constexpr double wanted_reduction = 1e-3;  // of the error of the first run
constexpr std::size_t most_columns = 3;    // corrections of a row of the table
constexpr double of_halving = 0.5;         // what is left after a halving; at order 2: a third

/// One run at the sample times; fewer when it failed or was stopped.
using SamplePath = std::vector<Sample>;

class Builder {
 public:
  Builder(const model::Description& description,
          const Sampling& sampling,
          const ReferenceOptions& options)
      : description_(description),
        sampling_(sampling),
        options_(options),
        system_(model::compile(description)),
        has_events_(!system_->unilateral_rows().empty() || !system_->stick_rows().empty()),
        start_(*system_) {}

  Reference build() {
    run_levels(options_.least_runs);
    while (usable() && !converged() && levels() < options_.most_runs) run_levels(levels() + 1);
    return finish();
  }

 private:
  int levels() const { return static_cast<int>(rows_.size()); }
  bool stopped() const { return options_.end.reached(); }

  void run_levels(int count) {
    const int first = levels();
    std::vector<SamplePath> paths(static_cast<std::size_t>(count - first));
    in_parallel(count - first, options_.threads, [&](int i) {
      paths[static_cast<std::size_t>(i)] = run(std::ldexp(options_.step, -(first + i)));
    });
    for (SamplePath& path : paths) add_row(std::move(path));
  }

  SamplePath run(double h) const {
    const std::unique_ptr<model::ModelSystem> system = model::compile(description_);
    model::SimulationSettings settings = description_.simulation;
    settings.integrator = "generalized-alpha";
    settings.integrator_values = {{"newton_tolerance", 1e-11}};
    ModelMarch march(*system);
    march.set_method(settings);
    Assembly assembly = assemble(march.system());
    march.start(assembly.motion);
    ReactionForces forces(march.system());
    SamplePath path;
    Watch watch(options_.end);
    const long steps = sampling_.steps_per_sample(h);
    for (long i = 0; i < sampling_.count && !watch.stopped(); ++i) {
      const auto report = march.advance(sampling_.fitted(h), steps, [&] {
        if (watch.after_step() && options_.progress) options_.progress(0);
        return !watch.stopped();
      });
      if (!report.ok || watch.stopped()) break;
      const system::Motion& motion = march.integrator().motion();
      path.push_back({motion.state, motion.a, {}});
      forces(motion, path.back().reaction);
      if (options_.progress) options_.progress(steps);
    }
    return path;
  }

  // fine + (fine - coarse)/(2^order - 1) in the state; the rest is that of the fine one.
  Sample extrapolated(const Sample& fine, const Sample& coarse, int order) const {
    const double factor = 1.0 / (std::ldexp(1.0, order) - 1.0);
    const State& from = coarse.state;
    Sample result = fine;
    State& state = result.state;
    Vector x;
    system_->logarithm(fine.state.q, from.q, x);
    x *= -factor;
    system_->retract(fine.state.q, x, state.q);
    state.v += factor * (fine.state.v - from.v);
    if (state.z.size() > 0) state.z += factor * (fine.state.z - from.z);
    return result;
  }

  // A new row of the extrapolation table, from the plain run to the last correction.
  void add_row(SamplePath path) {
    usable_ = std::min(usable_, path.size());
    std::vector<SamplePath> row{std::move(path)};
    if (!rows_.empty()) {
      const std::vector<SamplePath>& last = rows_.back();
      const std::size_t columns = std::min(last.size(), most_columns);
      for (std::size_t j = 0; j < columns; ++j) {
        SamplePath better;
        for (std::size_t i = 0; i < std::min(row[j].size(), last[j].size()); ++i) {
          better.push_back(extrapolated(row[j][i], last[j][i], static_cast<int>(j) + 2));
        }
        row.push_back(std::move(better));
      }
    }
    rows_.push_back(std::move(row));
  }

  bool usable() const { return usable_ > 0 && !stopped(); }

  double distance(const Sample& a, const Sample& b) const {
    Vector x;
    system_->logarithm(a.state.q, b.state.q, x);
    return x.cwiseQuotient(system_->displacement_scale()).lpNorm<Eigen::Infinity>();
  }

  // Where the error has no expansion in powers of h (a jump that the steps do not meet, an event),
  // the corrections remove nothing and say nothing: the error is then still of second order, about
  // a third of what the last halving changed, and irregular.
  double halving_error(std::size_t i) const {
    return distance(rows_.back().back()[i], rows_[rows_.size() - 2].back()[i]) * of_halving;
  }

  // Is the estimate far below the error of the first run, as long as the reference is trusted?
  bool converged() const {
    const std::vector<SamplePath>& row = rows_.back();
    double estimate = 0.0;
    double plain = 0.0;
    for (std::size_t i = 0; i < usable_; ++i) {
      const double last =
          std::max(distance(row.back()[i], row[row.size() - 2][i]), halving_error(i));
      if (!(last <= trusted_error)) return false;
      estimate = std::max(estimate, last);
      plain = std::max(plain, distance(row.back()[i], rows_.front().front()[i]));
    }
    constexpr double round_off = 1e-12;
    return estimate <= std::max(wanted_reduction * plain, round_off);
  }

  // On the constraints at all levels, with accelerations and reactions. Which rows hold at a time
  // is known to the runs alone: where there are events, their own accelerations and reactions stay.
  Sample consistent(const Sample& extrapolated, ReactionForces& forces) {
    if (has_events_) return extrapolated;
    State state = extrapolated.state;
    system_->accept(state);
    start_.positions(state, {});
    start_.velocities(state, {});
    system::Motion motion{state, Vector::Zero(state.v.size()), {}};
    start_.accelerations(motion.state, motion.a, motion.lambda);
    Sample sample{motion.state, motion.a, {}};
    forces(motion, sample.reaction);
    return sample;
  }

  // What a sample's error is estimated by: one correction less; with events also the accelerations
  // and reactions of the run before.
  Sample compared_with(const std::vector<SamplePath>& row, std::size_t i) const {
    Sample before = row[row.size() - 2][i];
    if (has_events_) {
      const Sample& coarse = rows_[rows_.size() - 2].front()[i];
      before.a = coarse.a;
      before.reaction = coarse.reaction;
    }
    return before;
  }

  Reference finish() {
    Reference reference;
    for (int k = 0; k < levels(); ++k) {
      reference.steps.push_back(sampling_.fitted(std::ldexp(options_.step, -k)));
    }
    if (!usable()) {
      reference.obstacle = stopped() ? "it was stopped" : "generalized-alpha fails from the start";
      return reference;
    }
    const std::vector<SamplePath>& row = rows_.back();
    ReactionForces forces(*system_);
    for (std::size_t i = 0; i < usable_; ++i) {
      const Sample sample = consistent(row.back()[i], forces);
      const Sample before = consistent(compared_with(row, i), forces);
      const Sample coarser = consistent(rows_[rows_.size() - 2].back()[i], forces);
      Deviation error = deviation(*system_, sample, before);
      error.include(deviation(*system_, sample, coarser).times(of_halving));
      if (!(error.position <= trusted_error)) break;
      reference.estimate.include(error);
      reference.scale.include(magnitude(*system_, sample));
      reference.samples.push_back(sample);
    }
    reference.trusted_until = static_cast<double>(reference.samples.size()) * sampling_.interval;
    reference.estimate = reference.estimate.relative_to(reference.scale);
    if (reference.samples.empty()) reference.obstacle = "no step was short enough to converge";
    return reference;
  }

  const model::Description& description_;
  const Sampling& sampling_;
  const ReferenceOptions& options_;
  std::unique_ptr<model::ModelSystem> system_;
  bool has_events_;
  constraint_handling::ConsistentStart start_;
  std::vector<std::vector<SamplePath>> rows_;                     ///< T_{k,j}
  std::size_t usable_ = std::numeric_limits<std::size_t>::max();  ///< samples that all runs have
};

}  // namespace

std::string Reference::text() const {
  if (samples.empty()) return "none: " + obstacle;
  return fmt::format(
      "generalized-alpha at {} steps from {:g} to {:.3g} s, extrapolated; its own error is about "
      "{:.1e} in positions, {:.1e} in velocities, {:.1e} in accelerations, {:.1e} in reactions",
      steps.size(), steps.front(), steps.back(), estimate.position, estimate.velocity,
      estimate.acceleration, estimate.reaction);
}

Reference make_reference(const model::Description& description,
                         const Sampling& sampling,
                         const ReferenceOptions& options) {
  return Builder(description, sampling, options).build();
}

}  // namespace trammel::analysis::comparison
