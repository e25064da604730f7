#include "trammel/analysis/recorder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "trammel/analysis/part_observables.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/table.h"

namespace trammel::analysis {
namespace {

using system::largest;

// Channels every run has, after the model's own.
std::vector<results::Channel> run_channels() {
  return {
      {"energy.kinetic", "J", "", "kinetic energy"},
      {"energy.potential", "J", "", "gravity and springs"},
      {"energy.total", "J", "", "kinetic + potential"},
      {"energy.dissipated", "J", "", "taken by dampers since the start"},
      {"energy.loads", "J", "", "work of applied forces and torques since the start"},
      {"energy.drives", "J", "", "work of time-dependent constraints since the start"},
      {"energy.numerical_loss", "J", "", "what the balance lacks: error of the integration"},
      {"error.position", "", "", "largest position constraint residual"},
      {"error.velocity", "", "", "largest velocity constraint residual"},
      {"error.acceleration", "", "", "largest acceleration constraint residual"},
      {"solver.step", "s", "", "step size"},
      {"solver.steps", "", "", "steps since the start"},
      {"solver.iterations", "", "", "Newton iterations since the start"},
      {"solver.factorisations", "", "", "factorisations since the start"},
  };
}

// Channels with their numbers among all: those of the run, and those of the model's parts that
// patterns may mean.
struct KnownChannels {
  std::vector<results::Channel> list;
  std::vector<std::size_t> numbers;
  std::size_t observables = 0;  ///< of the whole model
};

KnownChannels known_channels(model::ModelSystem& system,
                             const std::vector<std::string>& patterns,
                             const std::vector<results::Channel>& further) {
  model::ObservableChoice parts =
      observables_of(system, [&](model::PartKind /*kind*/, std::string_view name) {
        return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
          return results::may_match(pattern, name);
        });
      });
  KnownChannels known;
  known.observables = parts.total;
  known.list.reserve(parts.chosen.size());
  known.numbers.reserve(parts.chosen.size());
  for (model::Observable& each : parts.chosen) {
    model::Quantity& of = each.quantity;
    known.list.push_back(
        {std::move(of.name), std::move(of.unit), std::move(of.frame), std::move(of.description)});
    known.numbers.push_back(each.number);
  }
  std::vector<results::Channel> last = run_channels();
  last.insert(last.end(), further.begin(), further.end());
  for (results::Channel& channel : last) {
    known.numbers.push_back(known.observables + known.numbers.size() - parts.chosen.size());
    known.list.push_back(std::move(channel));
  }
  return known;
}

// More would make files that nobody can look through.
void refuse_too_many(std::size_t chosen, const std::vector<std::string>& patterns) {
  constexpr std::size_t most = 5'000'000;
  if (chosen <= most) return;
  throw core::InputError(
      fmt::format("{} channels would be recorded, more than {}", chosen, most),
      patterns == std::vector<std::string>{"*"}
          ? "choose some, e.g. -c 'energy.*,NAME.position.*' with the name of a body"
          : "choose fewer, e.g. the positions of some bodies");
}

std::vector<std::size_t> chosen_among(const KnownChannels& known,
                                      const std::vector<std::string>& patterns,
                                      const model::ModelSystem& system) {
  std::vector<std::size_t> chosen;
  try {
    chosen = results::select(known.list, patterns);
  } catch (const core::InputError&) {
    // Names that are near to a mistaken one may be those of any part.
    constexpr std::size_t comfortable = 1'000'000;
    if (known.observables > comfortable) throw;
    results::select(channels(system), patterns);
    throw;
  }
  refuse_too_many(chosen.size(), patterns);
  return chosen;
}

// "multiplier.pin.x", for whoever asks for it by name or pattern.
constexpr std::string_view multiplier_prefix = "multiplier.";

bool asks_for_multipliers(const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [](const std::string& pattern) {
    return pattern.rfind(multiplier_prefix, 0) == 0;
  });
}

// One for each row, in their order; rows with the same label are counted.
std::vector<results::Channel> multiplier_channels(const model::ModelSystem& system) {
  std::vector<results::Channel> list;
  std::map<std::string, int> uses;
  for (const model::RowName& row : system.row_names()) {
    std::string name = fmt::format("{}{}.{}", multiplier_prefix, row.joint, row.label);
    std::replace(name.begin(), name.end(), ' ', '_');
    const int use = ++uses[name];
    if (use > 1) name += fmt::format("_{}", use);
    list.push_back({std::move(name), "", "", "multiplier of a constraint row"});
  }
  return list;
}

}  // namespace

std::vector<results::Channel> channels(const model::ModelSystem& system) {
  std::vector<results::Channel> list;
  for (const model::Quantity& quantity : system.observables()) {
    list.push_back({quantity.name, quantity.unit, quantity.frame, quantity.description});
  }
  for (results::Channel& channel : run_channels()) list.push_back(std::move(channel));
  return list;
}

Recorder::Recorder(model::ModelSystem& system, const SimulationOptions& options)
    : system_(&system), sink_(options.sink) {
  if (sink_ == nullptr) return;
  const std::vector<std::string> patterns =
      options.channels.empty() ? std::vector<std::string>{"*"} : options.channels;
  std::vector<results::Channel> further = options.further;
  multipliers_ = asks_for_multipliers(options.channels);
  if (multipliers_) {
    for (results::Channel& channel : multiplier_channels(system)) {
      further.push_back(std::move(channel));
    }
  }
  KnownChannels known = known_channels(system, patterns, further);
  observables_ = known.observables;
  all_.resize(observables_ + run_channels().size() + further.size());
  std::vector<results::Channel> recorded;
  for (const std::size_t i : chosen_among(known, patterns, system)) {
    selected_.push_back(known.numbers[i]);
    recorded.push_back(std::move(known.list[i]));
  }
  known = {};
  row_.resize(selected_.size());
  sink_->begin(recorded, options.information);
  for (results::Channel& channel : recorded) names_.push_back(std::move(channel.name));
}

void Recorder::balance(const system::State& state) {
  const system::Energy energy = system_->energy(state);
  energy_.kinetic = energy.kinetic;
  energy_.potential = energy.potential;
  const double total = energy.kinetic + energy.potential;
  if (!started_) energy_.initial_total = total;
  energy_.numerical_loss =
      energy_.loads + energy_.drives - energy_.dissipated - (total - energy_.initial_total);
  if (!started_) traffic_.lowest_potential = traffic_.highest_potential = energy.potential;
  traffic_.largest_kinetic = std::max(traffic_.largest_kinetic, energy.kinetic);
  traffic_.lowest_potential = std::min(traffic_.lowest_potential, energy.potential);
  traffic_.highest_potential = std::max(traffic_.highest_potential, energy.potential);
  const double lack = std::abs(energy_.numerical_loss);
  if (lack <= std::abs(traffic_.largest_lack)) return;
  traffic_.largest_lack = energy_.numerical_loss;
  traffic_.time_of_lack = state.t;
}

void Recorder::book(const system::Power& work) {
  energy_.dissipated += work.dissipated;
  energy_.loads += work.loads;
  energy_.drives += work.drives;
  traffic_.work += std::abs(work.dissipated) + std::abs(work.loads) + std::abs(work.drives);
}

void Recorder::use(model::ModelSystem& system) {
  if (system_ == &system) return;
  system_ = &system;
  matrix_.reset();
  reactions_known_ = false;
}

void Recorder::step(const system::Motion& motion, const system::Power* work) {
  if (work != nullptr) {
    book({.dissipated = work->dissipated - last_work_.dissipated,
          .loads = work->loads - last_work_.loads,
          .drives = work->drives - last_work_.drives});
    last_work_ = *work;
  } else {
    const system::Power power = system_->power(motion);
    const double half = 0.5 * (motion.state.t - last_time_);
    if (started_) {
      book({.dissipated = half * (power.dissipated + power_.dissipated),
            .loads = half * (power.loads + power_.loads),
            .drives = half * (power.drives + power_.drives)});
    }
    power_ = power;
  }
  last_time_ = motion.state.t;
  if (!started_) balance(motion.state);
  started_ = true;
}

void Recorder::measure_errors(const system::Motion& motion) {
  position_error_ = 0.0;
  velocity_error_ = 0.0;
  acceleration_error_ = 0.0;
  if (motion.lambda.size() == 0) return;
  if (!matrix_) matrix_.emplace(system_->pattern());
  system_->position_constraint(motion.state, g_);
  position_error_ = largest(g_);
  system_->velocity_constraint(motion.state, g_);
  velocity_error_ = largest(g_);
  system_->tangent(motion, {.acceleration = 1.0}, nullptr, *matrix_);
  stacked_.resize(motion.a.size() + motion.lambda.size());
  stacked_ << motion.a, motion.lambda;
  matrix_->multiply(stacked_, product_);
  system_->acceleration_bias(motion.state, g_);
  acceleration_error_ = largest(product_.tail(g_.size()) + g_);
  largest_speed_ = std::max(largest_speed_, largest(motion.state.v));
  largest_position_error_ = std::max(largest_position_error_, position_error_);
  largest_velocity_error_ = std::max(largest_velocity_error_, velocity_error_);
  largest_acceleration_error_ = std::max(largest_acceleration_error_, acceleration_error_);
}

void Recorder::look_for_undefined(const system::Motion& motion) {
  if (!undefined_.empty()) return;
  const auto found =
      std::find_if(row_.begin(), row_.end(), [](double value) { return !std::isfinite(value); });
  if (found == row_.end()) return;
  undefined_ = fmt::format("'{}' is not finite at t = {:.6g} s",
                           names_[static_cast<std::size_t>(found - row_.begin())], motion.state.t);
}

void Recorder::judge(results::Outcome& outcome, std::string& message, std::string& remedy) const {
  if (outcome != results::Outcome::completed) return;
  if (!finite_) {
    outcome = results::Outcome::failed;
    message = undefined_.empty() ? "the motion is not finite" : undefined_;
    remedy = "look for masses, lengths or times that are very large or very small, and their units";
  } else if (message.empty()) {
    message = undefined_;
  }
}

void Recorder::record(const system::Motion& motion,
                      const integrators::Statistics& statistics,
                      double h,
                      const std::vector<double>& further) {
  measure_errors(motion);
  balance(motion.state);
  ++rows_;
  finite_ = finite_ && motion.state.q.allFinite() && motion.state.v.allFinite() &&
            motion.a.allFinite() && motion.lambda.allFinite();
  if (sink_ == nullptr) return;
  if (!reactions_known_) {
    reactions_ = UniqueReactions::where_needed(*system_, motion.state);
    reactions_known_ = true;
  }
  if (reactions_) {
    reactions_->observe(motion, all_.data());
  } else {
    system_->observe(motion, all_.data());
  }
  const double own[] = {energy_.kinetic,
                        energy_.potential,
                        energy_.kinetic + energy_.potential,
                        energy_.dissipated,
                        energy_.loads,
                        energy_.drives,
                        energy_.numerical_loss,
                        position_error_,
                        velocity_error_,
                        acceleration_error_,
                        h,
                        static_cast<double>(statistics.steps),
                        static_cast<double>(statistics.iterations),
                        static_cast<double>(statistics.factorisations)};
  const auto end = std::copy(std::begin(own), std::end(own),
                             all_.begin() + static_cast<std::ptrdiff_t>(observables_));
  const auto behind = std::copy(further.begin(), further.end(), end);
  if (multipliers_) std::copy(motion.lambda.begin(), motion.lambda.end(), behind);
  for (std::size_t i = 0; i < selected_.size(); ++i) row_[i] = all_[selected_[i]];
  look_for_undefined(motion);
  constexpr double round_off = 1e-12;
  const bool at_end = std::abs(motion.state.t - until_) <= round_off * until_;
  sink_->append(place_.value_or(at_end ? until_ : motion.state.t), row_.data());
}

}  // namespace trammel::analysis
