#include "trammel/analysis/stepper.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/model_copy.h"
#include "trammel/analysis/output_grid.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::analysis {
namespace {

bool is_zero(const std::string& text) {
  double value = 1.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value == 0.0;
}

}  // namespace

std::vector<std::string> inputs_of(const model::Description& description) {
  std::vector<std::string> names;
  for (const model::StateVariable& state : description.states) {
    if (is_zero(state.rate)) names.push_back(state.name);
  }
  return names;
}

Stepper::Stepper(std::unique_ptr<model::ModelSystem> system,
                 const model::SimulationSettings& settings,
                 const std::vector<std::string>& inputs,
                 Start start)
    : model_(std::move(system)), settings_(settings), observables_(model_->observables()) {
  find_inputs(inputs);
  assembly_ = start_of(*model_, start);
  if (settings_.integrator == auto_method_name) {
    settings_ = choose_method(*model_, assembly_, settings_).settings;
  }
  step_ = chooses_steps(settings_) ? simulation_grid(settings_).h : settings_.step;
  method_ = method_text(settings_, step_);
  first_angles_ = model_->counted_angles();
  begin(assembly_.motion);
}

Stepper::Stepper(std::unique_ptr<model::ModelSystem> system, const Stepper& other)
    : model_(std::move(system)),
      settings_(other.settings_),
      method_(other.method_),
      step_(other.step_),
      assembly_(other.assembly_),
      first_angles_(other.first_angles_),
      observables_(other.observables_),
      input_names_(other.input_names_),
      input_states_(other.input_states_),
      changed_(other.changed_) {
  begin(other.motion_);
  changed_ = other.changed_;
}

std::unique_ptr<Stepper> Stepper::clone() const {
  // The constructor is private.
  return std::unique_ptr<Stepper>(new Stepper(copy_of(*model_), *this));
}

// What a march knows of the time before, such as the next switch, is not that of this motion.
void Stepper::begin(system::Motion motion) {
  march_ = std::make_unique<ModelMarch>(*model_);
  march_->set_method(settings_);
  consistent_ = std::make_unique<constraint_handling::ConsistentStart>(march_->system());
  march_->start(motion);
  motion_ = march_->integrator().motion();
  changed_ = false;
}

void Stepper::find_inputs(const std::vector<std::string>& names) {
  std::vector<std::string> states;
  for (const model::Quantity& quantity : observables_) {
    if (quantity.description == "first-order state") states.push_back(quantity.name);
  }
  for (const std::string& name : names) {
    const auto found = std::find(states.begin(), states.end(), name);
    if (found == states.end()) {
      throw core::InputError(fmt::format("the input '{}' is no state of the model", name),
                             core::suggestion(name, states));
    }
    input_names_.push_back(name);
    input_states_.push_back(found - states.begin());
  }
}

int Stepper::input(const std::string& name) const {
  const auto found = std::find(input_names_.begin(), input_names_.end(), name);
  if (found == input_names_.end()) {
    throw core::InputError(fmt::format("there is no input '{}'", name),
                           core::suggestion(name, input_names_));
  }
  return static_cast<int>(found - input_names_.begin());
}

void Stepper::set_input(int input, double value) {
  double& place = motion_.state.z[input_states_[static_cast<std::size_t>(input)]];
  if (place == value) return;
  if (!std::isfinite(value)) {
    throw core::InputError(fmt::format("the input '{}' would be {}",
                                       input_names_[static_cast<std::size_t>(input)], value),
                           "give a finite number");
  }
  place = value;
  changed_ = true;
}

double Stepper::input_value(int input) const {
  return motion_.state.z[input_states_[static_cast<std::size_t>(input)]];
}

void Stepper::settle() {
  changed_ = false;
  if (march_->unilateral() != nullptr) {
    // A contact may have to let go.
    begin(motion_);
    return;
  }
  consistent_->accelerations(motion_.state, motion_.a, motion_.lambda);
  march_->integrator().start(motion_);
}

void Stepper::take(double h, long count) {
  if (changed_) settle();
  const integrators::MarchReport report = march_->advance(h, count);
  motion_ = march_->integrator().motion();
  if (report.ok) return;
  throw core::RunError(
      fmt::format("the step at t = {:.6g} s failed even with h = {:.3g} s: {}", report.time,
                  report.smallest_step, integrators::to_string(report.failure)),
      "look for a singular position or a force without bound near that time; try a smaller step, "
      "or restore an earlier state");
}

void Stepper::step(long count) {
  if (count > 0) take(step_, count);
}

void Stepper::advance(double until) {
  constexpr double rounding = 1e-9;  // of a step
  const double left = until - time();
  if (!(left >= -rounding * step_)) {
    throw core::InputError(
        fmt::format("t = {:g} s is before the present time {:g} s", until, time()),
        "give a later time, or reset or restore the simulation first");
  }
  const double whole = std::floor(left / step_ + rounding);
  if (whole > most_steps) throw core::InputError(too_many_steps(until, step_), "take longer steps");
  if (whole > 0.0) take(step_, static_cast<long>(whole));
  const double rest = until - time();
  if (rest > rounding * step_) take(rest, 1);
}

void Stepper::reset() {
  model_->counted_angles() = first_angles_;
  begin(assembly_.motion);
}

Stepper::Saved Stepper::save() {
  if (changed_) settle();
  return {motion_, model_->counted_angles()};
}

void Stepper::restore(const Saved& saved) {
  model_->counted_angles() = saved.angles;
  begin(saved.motion);
}

void Stepper::set_state(const system::State& state, bool project) {
  system::Motion motion = motion_;
  const system::State& now = motion_.state;
  if (state.q.size() != now.q.size() || state.v.size() != now.v.size() ||
      state.z.size() != now.z.size()) {
    throw core::InputError(
        fmt::format("the state has {}, {} and {} positions, velocities and further states, the "
                    "model {}, {} and {}",
                    state.q.size(), state.v.size(), state.z.size(), now.q.size(), now.v.size(),
                    now.z.size()),
        "give as many");
  }
  motion.state = state;
  constraint_handling::ConsistentStart consistent(*model_);
  const auto follow = [&](const system::State& on_the_way) { model_->accept(on_the_way); };
  if (project) {
    const bool positions = consistent.positions(motion.state, {}, follow).converged;
    if (!positions || !consistent.velocities(motion.state, {}).converged) {
      model_->accept(motion_.state);
      throw core::RunError("the joints cannot be closed near this state",
                           "give positions nearer to ones that fit together");
    }
  }
  model_->accept(motion.state);
  consistent.accelerations(motion.state, motion.a, motion.lambda);
  begin(motion);
}

void Stepper::observe(double* values) {
  if (changed_) settle();
  march_->system().observe(motion_, values);
}

int Stepper::channel(const std::string& name) const {
  std::vector<std::string> names;
  for (const model::Quantity& quantity : observables_) {
    if (quantity.name == name) return static_cast<int>(names.size());
    names.push_back(quantity.name);
  }
  throw core::InputError(fmt::format("there is no channel '{}'", name),
                         core::suggestion(name, names));
}

double Stepper::value(int channel) {
  observed_.resize(observables_.size());
  observe(observed_.data());
  return observed_.at(static_cast<std::size_t>(channel));
}

}  // namespace trammel::analysis
