#include "trammel/analysis/simulate.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/recorder.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/march.h"

namespace trammel::analysis {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<integrators::Integrator> make_integrator(
    model::ModelSystem& system, const model::SimulationSettings& settings) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(settings.integrator);
  if (kind == nullptr) {
    std::vector<std::string> known;
    for (const auto& k : integrators::integrator_kinds()) known.push_back(k.name);
    throw core::InputError(fmt::format("unknown integrator '{}'", settings.integrator),
                           core::suggestion(settings.integrator, known));
  }
  integrators::Settings chosen;
  for (const auto& [name, value] : settings.integrator_values) {
    if (const double* number = std::get_if<double>(&value)) chosen[name] = *number;
    if (const auto* word = std::get_if<std::string>(&value)) chosen[name] = *word;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) chosen[name] = *list;
  }
  return kind->make(system, chosen, settings.solver);
}

// Output times are hit exactly: the output step is divided evenly.
struct Grid {
  double h = 0.0;
  long steps_per_output = 1;
  long outputs = 0;
  double last_h = 0.0;  ///< for a shorter last interval
  long last_steps = 0;

  explicit Grid(const model::SimulationSettings& settings) {
    const double output =
        settings.output_step > 0.0 ? settings.output_step : std::min(settings.step, settings.until);
    constexpr double slack = 1e-9;  // 10 ms / 1 ms is ten steps, whatever rounding says
    steps_per_output = std::max(1L, static_cast<long>(std::ceil(output / settings.step - slack)));
    h = output / static_cast<double>(steps_per_output);
    outputs = static_cast<long>(std::floor(settings.until / output + slack));
    const double rest = settings.until - static_cast<double>(outputs) * output;
    if (rest > slack * output) {
      last_steps = std::max(1L, static_cast<long>(std::ceil(rest / h - slack)));
      last_h = rest / static_cast<double>(last_steps);
    }
  }
};

std::string method_text(const model::SimulationSettings& settings, const Grid& grid) {
  std::string text = settings.integrator;
  for (const auto& [name, value] : settings.integrator_values) {
    if (const double* number = std::get_if<double>(&value)) {
      text += fmt::format(", {} {:g}", name, *number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      text += fmt::format(", {} {}", name, *word);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      text += fmt::format(", {} ({:g})", name, fmt::join(*list, ", "));
    }
  }
  return fmt::format("{}, step {:g} s, solver {}", text, grid.h, settings.solver);
}

class Run {
 public:
  Run(model::ModelSystem& system,
      const model::SimulationSettings& settings,
      const SimulationOptions& options)
      : system_(system),
        options_(options),
        grid_(settings),
        until_(settings.until),
        integrator_(make_integrator(system, settings)),
        march_(*integrator_) {
    report_.method = method_text(settings, grid_);
    if (dynamic_cast<formulation::RelativeModel*>(&system) != nullptr) {
      report_.method += ", relative coordinates";
    }
  }

  SimulationReport go() {
    report_.assembly = assemble(system_);
    begin_ = Clock::now();
    SimulationOptions options = options_;
    options.information.method = report_.method;
    Recorder recorder(system_, options);
    recorder_ = &recorder;
    integrator_->start(report_.assembly.motion);
    recorder.step(integrator_->motion());
    recorder.record(integrator_->motion(), integrator_->statistics(), grid_.h);
    march();
    finish();
    return report_;
  }

 private:
  void march() {
    for (long i = 0; i < grid_.outputs; ++i) {
      if (!interval(grid_.h, grid_.steps_per_output)) return;
    }
    if (grid_.last_steps > 0) interval(grid_.last_h, grid_.last_steps);
  }

  // One output interval; false when the run ends in it.
  bool interval(double h, long steps) {
    const integrators::MarchReport march = march_.advance(h, steps, [&] {
      recorder_->step(integrator_->motion());
      return !stopped();
    });
    halvings_ += march.halvings;
    smallest_step_ =
        smallest_step_ == 0.0 ? march.smallest_step : std::min(smallest_step_, march.smallest_step);
    recorder_->record(integrator_->motion(), integrator_->statistics(), march.smallest_step);
    if (!march.ok) {
      report_.outcome = results::Outcome::failed;
      report_.message =
          fmt::format("the step at t = {:.6g} s failed even with h = {:.3g} s: {}", march.time,
                      march.smallest_step, integrators::to_string(march.failure));
      report_.remedy =
          "look for a singular position or a force without bound near that time; try a smaller "
          "step, "
          "a smaller spectral_radius, or solver: klu";
      return false;
    }
    if (stopped()) {
      report_.outcome = results::Outcome::stopped;
      report_.message = fmt::format("stopped by the user at t = {:.6g} s of {:g} s",
                                    integrator_->motion().state.t, until_);
      return false;
    }
    if (options_.progress) {
      options_.progress(
          {integrator_->motion().state.t, until_, integrator_->statistics().steps, wall_time()});
    }
    return true;
  }

  void finish() {
    const integrators::Statistics& s = integrator_->statistics();
    report_.final_motion = integrator_->motion();
    report_.energy = recorder_->ledger();
    report_.largest_position_error = recorder_->position_error();
    report_.largest_velocity_error = recorder_->velocity_error();
    report_.largest_acceleration_error = recorder_->acceleration_error();
    report_.largest_rotation_per_step = s.largest_displacement;
    report_.notes = integrator_->notes();
    report_.statistics = {
        {"steps", static_cast<double>(s.steps)},
        {"failed_steps", static_cast<double>(s.failed_steps)},
        {"newton_iterations", static_cast<double>(s.iterations)},
        {"most_iterations", static_cast<double>(s.most_iterations)},
        {"factorisations", static_cast<double>(s.factorisations)},
        {"indefinite_factorisations", static_cast<double>(s.wrong_signs)},
        {"halvings", static_cast<double>(halvings_)},
        {"smallest_step", smallest_step_},
        {"wall_time", wall_time()},
        {"memory_bytes", static_cast<double>(system_.memory_bytes() + integrator_->memory_bytes())},
    };
    if (halvings_ > 0) {
      report_.notes.push_back(
          fmt::format("the step was halved {} times, down to {:.3g} s", halvings_, smallest_step_));
    }
    if (options_.sink != nullptr) {
      options_.sink->finish(report_.outcome, report_.message, report_.statistics);
    }
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  double wall_time() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  model::ModelSystem& system_;
  const SimulationOptions& options_;
  Grid grid_;
  double until_;
  std::unique_ptr<integrators::Integrator> integrator_;
  integrators::March march_;
  Recorder* recorder_ = nullptr;
  Clock::time_point begin_;
  long halvings_ = 0;
  double smallest_step_ = 0.0;
  SimulationReport report_;
};

}  // namespace

SimulationReport simulate(model::ModelSystem& system,
                          const model::SimulationSettings& settings,
                          const SimulationOptions& options) {
  return Run(system, settings, options).go();
}

}  // namespace trammel::analysis
