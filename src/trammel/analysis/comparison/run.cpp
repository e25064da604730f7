#include "trammel/analysis/comparison/run.h"

#include <cmath>
#include <ctime>
#include <memory>

#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/model_march.h"
#include "trammel/analysis/recorder.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis::comparison {
namespace {

using system::Vector;

// Of this thread, s: other work on the machine does not count.
double processor_time() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Slope of the line that fits values at equal intervals best.
double trend(const std::vector<double>& values, double interval) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 2) return 0.0;
  double moment = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    moment += (static_cast<double>(i) - 0.5 * (n - 1.0)) * values[i];
  }
  return 12.0 * moment / (n * (n * n - 1.0)) / interval;
}

class MeasuredRun {
 public:
  MeasuredRun(const model::Description& description,
              const Candidate& candidate,
              const Sampling& sampling,
              const Reference& reference,
              const RunOptions& options)
      : sampling_(sampling),
        reference_(reference),
        options_(options),
        watch_(options.end),
        system_(model::compile(description)),
        march_(*system_),
        recorder_(march_.system(), no_sink_),
        forces_(march_.system()),
        own_steps_(candidate.own_steps),
        steps_per_sample_(own_steps_ ? 1 : sampling.steps_per_sample(candidate.step)),
        acceleration_(steps_per_sample_ * sampling.count),
        reaction_(steps_per_sample_ * sampling.count) {
    result_.step = own_steps_ ? sampling.interval : sampling.fitted(candidate.step);
    constexpr int halvings = 0;  // methods are compared at the step that was asked for
    march_.set_method(candidate.settings, halvings);
  }

  RunResult go() {
    Assembly assembly = assemble(march_.system());
    march_.start(assembly.motion);
    measure();
    for (long i = 0; i < sampling_.count; ++i) {
      if (!interval()) break;
      result_.energy_history.push_back(recorder_.energy().numerical_loss);
      compare(static_cast<std::size_t>(i));
      if (options_.progress) options_.progress(steps_per_sample_);
    }
    finish();
    return std::move(result_);
  }

 private:
  // The time of the method alone: what is measured after each step does not count.
  bool interval() {
    double begin = processor_time();
    bool finite = true;
    const integrators::MarchReport report = march_.advance(result_.step, steps_per_sample_, [&] {
      result_.time += processor_time() - begin;
      measure();
      finite = std::isfinite(result_.energy_change);
      if (watch_.after_step() && options_.progress) options_.progress(0);
      begin = processor_time();
      return finite && !watch_.stopped();
    });
    result_.time += processor_time() - begin;
    if (!report.ok) fail(integrators::to_string(report.failure));
    if (!finite) fail("a number is not finite");
    return report.ok && finite && !watch_.stopped();
  }

  void fail(const std::string& why) {
    result_.verdict = Verdict::fails;
    result_.reason = fmt::format("at t = {:.4g} s: {}", march_.integrator().motion().state.t, why);
  }

  // After every step.
  void measure() {
    const system::Motion& motion = march_.integrator().motion();
    march_.account_impacts(recorder_);
    recorder_.step(motion,
                   march_.integrator().integrates_work() ? &march_.integrator().work() : nullptr);
    recorder_.record(motion, march_.integrator().statistics(), result_.step);
    const double loss = std::abs(recorder_.energy().numerical_loss);
    result_.energy_change =
        loss > result_.energy_change || std::isnan(loss) ? loss : result_.energy_change;
    const Vector& scale = system_->displacement_scale();
    forces_(motion, sample_.reaction);
    scaled_ = motion.a.cwiseQuotient(scale);
    acceleration_.add(scaled_);
    scaled_ = sample_.reaction.cwiseProduct(scale);
    reaction_.add(scaled_);
  }

  // At a sample time.
  void compare(std::size_t i) {
    if (i >= reference_.samples.size()) return;
    const system::Motion& motion = march_.integrator().motion();
    sample_.state = motion.state;
    sample_.a = motion.a;
    error_.include(deviation(*system_, sample_, reference_.samples[i]));
    if (i + 1 == reference_.samples.size()) {
      result_.error = error_.relative_to(reference_.scale);
    }
  }

  void finish() {
    const integrators::Statistics& s = march_.integrator().statistics();
    const double steps = static_cast<double>(std::max(1L, s.steps));
    result_.reached = march_.integrator().motion().state.t;
    result_.steps = s.steps;
    if (own_steps_) result_.step = result_.reached / steps;  // the mean
    result_.position_residual = recorder_.position_error();
    result_.velocity_residual = recorder_.velocity_error();
    result_.acceleration_residual = recorder_.acceleration_error();
    result_.energy_drift = trend(result_.energy_history, sampling_.interval);
    result_.iterations_per_step = static_cast<double>(s.iterations) / steps;
    result_.factorisations_per_step = static_cast<double>(s.factorisations) / steps;
    result_.saw_tooth_acceleration = acceleration_.relative();
    result_.saw_tooth_reaction = reaction_.relative();
    judge();
  }

  void judge() {
    if (result_.verdict == Verdict::fails) return;
    const double drift = result_.position_residual / system_->size();
    if (drift > options_.limits.drift) {
      result_.verdict = Verdict::drifts;
      result_.reason =
          fmt::format("position constraints are violated by {:.2g} of the model's size", drift);
      return;
    }
    const bool a = acceleration_.oscillates(options_.limits);
    if (!a && !reaction_.oscillates(options_.limits)) return;
    const SawToothWatch& watch = a ? acceleration_ : reaction_;
    result_.verdict = Verdict::oscillates;
    result_.reason = fmt::format("{} alternate from step to step by {:.2g} of their range{}",
                                 a ? "accelerations" : "reactions", watch.relative(),
                                 watch.grew() ? ", and more and more" : "");
  }

  const Sampling& sampling_;
  const Reference& reference_;
  const RunOptions& options_;
  Watch watch_;
  const SimulationOptions no_sink_;
  std::unique_ptr<model::ModelSystem> system_;
  ModelMarch march_;
  Recorder recorder_;
  ReactionForces forces_;
  bool own_steps_;
  long steps_per_sample_;
  SawToothWatch acceleration_;
  SawToothWatch reaction_;
  Sample sample_;
  Deviation error_;
  Vector scaled_;
  RunResult result_;
};

}  // namespace

RunResult run_candidate(const model::Description& description,
                        const Candidate& candidate,
                        const Sampling& sampling,
                        const Reference& reference,
                        const RunOptions& options) {
  return MeasuredRun(description, candidate, sampling, reference, options).go();
}

}  // namespace trammel::analysis::comparison
