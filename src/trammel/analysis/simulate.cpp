#include "trammel/analysis/simulate.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/deformation_watch.h"
#include "trammel/analysis/euler_angle_watch.h"
#include "trammel/analysis/examination.h"
#include "trammel/analysis/half_turn_watch.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/model_march.h"
#include "trammel/analysis/output_grid.h"
#include "trammel/analysis/rank_watch.h"
#include "trammel/analysis/recorder.h"
#include "trammel/analysis/start.h"
#include "trammel/analysis/undefined_quantity.h"
#include "trammel/analysis/watch.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/integrators/failure_advice.h"
#include "trammel/linear/solver_scope.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::analysis {
namespace {

// `auto` needs the assembled model to choose.
MethodChoice resolved(model::ModelSystem& system,
                      const model::SimulationSettings& settings,
                      Start start,
                      SimulationReport& report) {
  if (settings.integrator != auto_method_name) return {settings, {}};
  report.assembly = start_of(system, start, report.notes);
  return choose_method(system, report.assembly, settings);
}

class Run {
 public:
  Run(model::ModelSystem& system,
      const model::SimulationSettings& settings,
      const SimulationOptions& options,
      Start start)
      : examination_(system, options.second_run),
        march_(system),
        system_(march_.system()),
        unilateral_(march_.unilateral()),
        options_(options),
        start_(start),
        until_(settings.until),
        choice_(resolved(system_, settings, start, report_)),
        grid_(simulation_grid(choice_.settings)),
        rank_watch_(system_),
        half_turns_(system_),
        euler_angles_(system_),
        deformations_(system_) {
    if (choice_.settings.threads != 1) {
      team_ = model::WorkerTeam(choice_.settings.threads > 0
                                    ? choice_.settings.threads
                                    : static_cast<int>(std::thread::hardware_concurrency()));
      solvers_.set_team([this](int pieces, const auto& work) { team_.run(pieces, work); });
    }
    march_.set_method(choice_.settings);
    march_.set_division_of_parts(options.division_of_parts);
    report_.method = method_text(choice_.settings, grid_.h);
    report_.choice = choice_.reason;
    if (relative_model(system_) != nullptr) {
      report_.method += ", relative coordinates";
    }
  }

  SimulationReport go() {
    if (choice_.reason.empty()) {
      report_.assembly = start_of(system_, start_, report_.notes);
    }
    watch_ = Watch({options_.stop, options_.time_limit});
    SimulationOptions options = options_;
    options.information.method = report_.method;
    if (!choice_.reason.empty()) options.information.more["method_choice"] = choice_.reason;
    deformations_.begin(report_.assembly.motion);
    march_.start(report_.assembly.motion);
    if (unilateral_ != nullptr) {
      for (const model::UnilateralRow& row : unilateral_->unilateral_rows()) {
        options.further.push_back({row.name + ".closed", "", "", "1 while it holds, else 0"});
      }
      for (const model::StickRow& row : unilateral_->stick_rows()) {
        options.further.push_back({row.name + ".stuck", "", "", "1 while it sticks, else 0"});
      }
    }
    Recorder recorder(system_, options);
    recorder.set_end(until_);
    recorder_ = &recorder;
    examination_.begin(grid_);
    follow();
    record(grid_.h, 0);
    if (recorder.finite()) march();
    recorder.judge(report_.outcome, report_.message, report_.remedy);
    finish();
    return report_;
  }

 private:
  void march() {
    for (long i = 0; i < grid_.outputs; ++i) {
      if (!interval(grid_.h, grid_.steps_per_output)) return;
    }
    if (grid_.last_steps > 0 && !interval(grid_.last_h, grid_.last_steps)) return;
    check_end();
  }

  // A run that says it is complete ends when it was asked to.
  void check_end() {
    const double t = march_.integrator().motion().state.t;
    if (std::abs(t - until_) <= 2e-9 * until_) return;
    report_.outcome = results::Outcome::failed;
    report_.message = fmt::format("the run ended at t = {:.9g} s instead of {:g} s", t, until_);
    report_.remedy = "this is a mistake of the program; please report it with the model";
  }

  // At the start and after every step.
  void follow() {
    recorder_->step(march_.integrator().motion(),
                    march_.integrator().integrates_work() ? &march_.integrator().work() : nullptr);
    rank_watch_.follow(march_.integrator().motion().state);
    half_turns_.follow(march_.integrator().motion());
    euler_angles_.follow(march_.integrator().motion());
    if (options_.visit) options_.visit(march_.integrator().motion());
  }

  // One output interval; false when the run ends in it.
  bool interval(double h, long steps) {
    const integrators::MarchReport march = march_.advance(h, steps, [&] {
      march_.account_impacts(*recorder_);
      follow();
      follow_progress();
      return !watch_.stopped();
    });
    halvings_ += march.halvings;
    smallest_step_ =
        smallest_step_ == 0.0 ? march.smallest_step : std::min(smallest_step_, march.smallest_step);
    record(march.smallest_step, steps);
    if (!march.ok) {
      fail(march);
      return false;
    }
    if (watch_.stopped()) {
      report_.outcome = results::Outcome::stopped;
      report_.message = fmt::format("{} at t = {:.6g} s of {:g} s", watch_.reason(),
                                    march_.integrator().motion().state.t, until_);
      return false;
    }
    tell_progress();
    return recorder_->finite();
  }

  void follow_progress() {
    const double t = march_.integrator().motion().state.t;
    if (t > last_time_) last_step_ = t - last_time_;  // an event takes no time
    last_time_ = t;
    if (watch_.after_step()) tell_progress();
  }

  void tell_progress() const {
    if (!options_.progress) return;
    options_.progress({last_time_, until_, march_.integrator().statistics().steps,
                       watch_.wall_time(), last_step_});
  }

  void fail(const integrators::MarchReport& march) {
    report_.outcome = results::Outcome::failed;
    report_.message =
        fmt::format("the step at t = {:.6g} s failed even with h = {:.3g} s: {}", march.time,
                    march.smallest_step, integrators::to_string(march.failure));
    if (unilateral_ != nullptr && unilateral_->stuck()) {
      report_.message = unilateral_->trouble();
      report_.remedy =
          "look for contacts that contradict each other or the joints there; give one of "
          "them compliance (a contact force in its place), or begin differently";
      return;
    }
    const std::string undefined =
        undefined_quantity(system_, march_.integrator().motion(), march.smallest_step);
    if (!undefined.empty()) report_.message += fmt::format("; {} is not finite there", undefined);
    const std::string dependent = rank_watch_.trouble(march_.integrator().motion().state);
    if (!dependent.empty()) report_.message += "; " + dependent;
    if (dependent.empty()) tell_singular_position();
    report_.remedy = after_failure(choice_.settings, march_.integrator().adaptive());
    take_advice();
    if (march.failure == integrators::Failure::unstable) {
      const double limit = march_.integrator().longest_step();
      report_.message = fmt::format(
          "at t = {:.6g} s the step of {:.3g} s is above the stability limit of {}, {:.4g} s",
          march.time, march.smallest_step, choice_.settings.integrator, limit);
      report_.remedy = fmt::format(
          "take a step of at most {:.2g} s, or an implicit method such as generalized-alpha{}",
          0.9 * limit,
          takes(choice_.settings.integrator, "above_limit", "go-on")
              ? "; above_limit: go-on shows what becomes of it"
              : "");
    }
    if (march.failure == integrators::Failure::round_off) {
      report_.remedy = "describe the model nearer to the origin, or take longer steps";
    }
    const EulerAngleWatch::Trouble angles = euler_angles_.trouble(march_.integrator().motion());
    if (!angles.what.empty()) {
      report_.message += "; " + angles.what;
      report_.remedy = angles.remedy;
    }
    if (const formulation::RelativeModel* relative = relative_model(system_)) {
      const auto singular = relative->singular_hinge(march_.integrator().motion().state);
      if (singular.what.empty()) return;
      report_.message += "; " + singular.what;
      report_.remedy = singular.remedy;
    }
  }

  // Constraints that held well at the start and hardly do here.
  void tell_singular_position() {
    constexpr int comfortable = 2000;  // velocities
    constexpr double nearly = 1e-3;
    if (system_.sizes().v > comfortable || relative_model(system_) != nullptr) return;
    const Mobility here = mobility_of(system_, march_.integrator().motion().state);
    const Mobility& start = report_.assembly.mobility;
    if (here.rank >= start.rank && !(here.smallest_kept < nearly * start.smallest_kept)) return;
    report_.message += fmt::format(
        "; the constraints nearly depend on each other there (by {:.1e}, at the start {:.1e}), as "
        "in a singular position, where the motion may go on in several ways",
        here.rank < start.rank ? here.largest_dropped : here.smallest_kept, start.smallest_kept);
  }

  void take_advice() {
    const auto* advisor = dynamic_cast<const integrators::FailureAdvisor*>(&march_.integrator());
    if (advisor == nullptr) return;
    const integrators::FailureAdvice advice = advisor->advice();
    if (advice.reason.empty()) return;
    report_.message += "; " + advice.reason;
    report_.remedy = advice.remedy;
  }

  void record(double h, long steps) {
    examination_.add(march_.integrator().motion().state, steps);
    deformations_.follow(march_.integrator().motion());
    std::vector<double> further;
    for (std::size_t i = 0; unilateral_ != nullptr && i < unilateral_->rows(); ++i) {
      further.push_back(unilateral_->closed(i) ? 1.0 : 0.0);
    }
    for (std::size_t i = 0; unilateral_ != nullptr && i < unilateral_->friction().size(); ++i) {
      further.push_back(unilateral_->friction().at_rest(i) ? 1.0 : 0.0);
    }
    recorder_->record(march_.integrator().motion(), march_.integrator().statistics(), h, further);
  }

  void tell_events() {
    constexpr std::size_t most = 20;
    if (unilateral_ != nullptr) report_.events = unilateral_->events();
    if (march_.crossing() != nullptr) {
      const std::vector<ContactEvent>& strikes = march_.crossing()->events();
      report_.events.insert(report_.events.end(), strikes.begin(), strikes.end());
      std::stable_sort(
          report_.events.begin(), report_.events.end(),
          [](const ContactEvent& a, const ContactEvent& b) { return a.time < b.time; });
    }
    if (unilateral_ == nullptr && report_.events.empty()) return;
    report_.statistics["events"] = static_cast<double>(report_.events.size());
    for (std::size_t i = 0; i < std::min(most, report_.events.size()); ++i) {
      report_.notes.push_back(to_string(report_.events[i]));
    }
    if (report_.events.size() > most) {
      report_.notes.push_back(fmt::format("and {} more events", report_.events.size() - most));
    }
  }

  // Of conjugate gradients.
  void tell_iterations() {
    const linear::IterationCount count = solvers_.iterations();
    if (count.solutions == 0) return;
    report_.statistics["linear_solutions"] = static_cast<double>(count.solutions);
    report_.statistics["linear_iterations"] = static_cast<double>(count.iterations);
    report_.statistics["most_linear_iterations"] = count.most;
    report_.notes.push_back(fmt::format(
        "conjugate gradients on {} multipliers between {} groups of bodies: {:.1f} iterations for "
        "each of {} solutions, at most {}",
        count.rows, count.groups,
        static_cast<double>(count.iterations) / static_cast<double>(count.solutions),
        count.solutions, count.most));
    if (count.gathered) {
      report_.notes.emplace_back(
          "they converged badly; the matrix of the cut joints was built and factored instead");
    }
    if (count.direct > 0) {
      report_.notes.push_back(
          fmt::format("{} of the solutions are by direct factors (block-ldlt): the tangent was not "
                      "positive definite, or couples groups too strongly to iterate",
                      count.direct));
    }
    if (count.unfinished > 0) {
      report_.notes.push_back(fmt::format(
          "{} of the solutions did not converge; solver: block-ldlt has no such trouble",
          count.unfinished));
    }
  }

  void finish() {
    const integrators::Statistics& s = march_.integrator().statistics();
    report_.final_motion = march_.integrator().motion();
    report_.energy = recorder_->energy();
    report_.traffic = recorder_->traffic();
    report_.largest_position_error = recorder_->position_error();
    report_.largest_velocity_error = recorder_->velocity_error();
    report_.largest_acceleration_error = recorder_->acceleration_error();
    report_.largest_rotation_per_step = s.largest_displacement;
    const auto& of_method = march_.integrator().notes();
    report_.notes.insert(report_.notes.end(), of_method.begin(), of_method.end());
    report_.statistics = {
        {"steps", static_cast<double>(s.steps)},
        {"failed_steps", static_cast<double>(s.failed_steps)},
        {"newton_iterations", static_cast<double>(s.iterations)},
        {"most_iterations", static_cast<double>(s.most_iterations)},
        {"factorisations", static_cast<double>(s.factorisations)},
        {"evaluations", static_cast<double>(s.residual_evaluations)},
        {"indefinite_factorisations", static_cast<double>(s.wrong_signs)},
        {"halvings", static_cast<double>(halvings_)},
        {"smallest_step", smallest_step_},
        {"wall_time", watch_.wall_time()},
        {"memory_bytes",
         static_cast<double>(system_.memory_bytes() + march_.integrator().memory_bytes())},
    };
    if (march_.integrator().adaptive()) report_.statistics["local_errors"] = s.local_errors;
    tell_iterations();
    tell_events();
    if (march_.branches() != nullptr) {
      report_.statistics["condition_changes"] = static_cast<double>(march_.branches()->changes());
      const std::vector<std::string>& endless = march_.branches()->notes();
      report_.notes.insert(report_.notes.end(), endless.begin(), endless.end());
    }
    if (unilateral_ != nullptr && system::state_branches(system_) != nullptr) {
      report_.notes.emplace_back(
          "conditions on the motion in formulas are not located beside contacts and friction that "
          "sticks: every evaluation takes the side on which it falls");
    }
    const std::vector<std::string> ranks = rank_watch_.notes();
    report_.notes.insert(report_.notes.end(), ranks.begin(), ranks.end());
    const std::vector<std::string> angles = euler_angles_.notes();
    report_.notes.insert(report_.notes.end(), angles.begin(), angles.end());
    if (halvings_ > 0) {
      report_.notes.push_back(
          fmt::format("the step was halved {} times, down to {:.3g} s", halvings_, smallest_step_));
    }
    std::vector<Doubt> seen = half_turns_.doubts();
    for (Doubt& doubt : deformations_.doubts()) seen.push_back(std::move(doubt));
    for (Doubt& doubt : seen) {
      if (report_.outcome == results::Outcome::completed) {
        report_.doubts.push_back(std::move(doubt));
      } else {
        report_.notes.push_back(to_string(doubt));
      }
    }
    examination_.conclude(system_, choice_.settings, march_.integrator(), *recorder_,
                          {options_.stop, options_.time_limit, watch_.begin()}, report_);
    if (options_.sink != nullptr) {
      options_.sink->finish(report_.outcome, report_.message, report_.statistics);
    }
  }

  Examination examination_;  ///< first: it copies the system as it was given
  model::WorkerTeam team_;   ///< of iterative linear solvers
  linear::SolverScope solvers_;
  ModelMarch march_;
  model::ModelSystem& system_;
  UnilateralModel* unilateral_;
  const SimulationOptions& options_;
  Start start_;
  double until_;
  SimulationReport report_;
  MethodChoice choice_;
  OutputGrid grid_;
  RankWatch rank_watch_;
  HalfTurnWatch half_turns_;
  EulerAngleWatch euler_angles_;
  DeformationWatch deformations_;
  Recorder* recorder_ = nullptr;
  Watch watch_{EarlyEnd{}};
  double last_time_ = 0.0;
  double last_step_ = 0.0;  ///< taken, s
  long halvings_ = 0;
  double smallest_step_ = 0.0;
};

}  // namespace

SimulationReport simulate(model::ModelSystem& system,
                          const model::SimulationSettings& settings,
                          const SimulationOptions& options) {
  return simulate(system, settings, options, Start::described);
}

SimulationReport simulate(model::ModelSystem& system,
                          const model::SimulationSettings& settings,
                          const SimulationOptions& options,
                          Start start) {
  return Run(system, settings, options, start).go();
}

}  // namespace trammel::analysis
