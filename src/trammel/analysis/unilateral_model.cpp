#include "trammel/analysis/unilateral_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/system/forward_dynamics.h"
#include "trammel/system/open_row.h"

namespace trammel::analysis {

using system::Vector;

namespace {

constexpr double contact_load_tolerance = 1e-8;
constexpr double gap_tolerance = 1e-10;
// Loads below this part of the largest force are found anew.
constexpr double near = 1e-2;
constexpr int most_passes = 20;

}  // namespace

UnilateralModel::UnilateralModel(model::ModelSystem& system)
    : system_(system), start_(*this), matrix_(system.pattern()), friction_(system, *this) {
  for (const model::UnilateralRow& row : system.unilateral_rows()) {
    Row entry{row, !row.starts_open, {}};
    const system::KktPattern& pattern = *matrix_.pattern;
    for (int column = 0; column < pattern.velocities; ++column) {
      const int position = pattern.find(pattern.velocities + row.row, column);
      if (position >= 0) entry.jacobian.push_back(position);
    }
    rows_.push_back(std::move(entry));
  }
  solver_.analyse(system.pattern());
  tell_open_rows();
}

UnilateralModel::UnilateralModel(std::unique_ptr<model::ModelSystem> system)
    : UnilateralModel(*system) {
  owned_ = std::move(system);
}

UnilateralModel::~UnilateralModel() {
  if (auto* dynamics = system::forward_dynamics(system_)) dynamics->leave_out({});
  friction_.smooth(system_.described_state());
}

std::unique_ptr<system::MechanicalSystem> UnilateralModel::clone() const {
  std::unique_ptr<system::MechanicalSystem> inner = system_.clone();
  auto* model = dynamic_cast<model::ModelSystem*>(inner.get());
  inner.release();
  auto copy = std::make_unique<UnilateralModel>(std::unique_ptr<model::ModelSystem>(model));
  copy->rows_ = rows_;
  copy->tell_open_rows();
  copy->friction_.continue_from(friction_);
  copy->largest_force_ = largest_force_;
  return copy;
}

// ---- the model with open rows left out

void UnilateralModel::leave_out(Vector& rows) const {
  for (const Row& row : rows_) {
    if (!row.closed) rows[row.row.row] = 0.0;
  }
}

void UnilateralModel::tell_open_rows() const {
  system::ForwardDynamics* dynamics = system::forward_dynamics(system_);
  if (dynamics == nullptr) return;
  std::vector<int> open;
  for (const Row& row : rows_) {
    if (!row.closed) open.push_back(row.row.row);
  }
  dynamics->leave_out(open);
}

void UnilateralModel::residual(const system::Motion& motion, Vector& r, Vector& constraint) {
  system_.residual(motion, r, constraint);
  leave_out(constraint);
}

void UnilateralModel::tangent(const system::Motion& motion,
                              const system::Weights& weights,
                              const Vector* step,
                              system::KktMatrix& tangent) {
  system_.tangent(motion, weights, step, tangent);
  for (const Row& row : rows_) {
    if (row.closed) continue;
    for (const int position : row.jacobian) {
      tangent.values[static_cast<std::size_t>(position)] = 0.0;
    }
    system::open_row(row.row.row, tangent);
  }
}

void UnilateralModel::position_constraint(const system::State& state, Vector& g) {
  system_.position_constraint(state, g);
  leave_out(g);
}

void UnilateralModel::velocity_constraint(const system::State& state, Vector& g_dot) {
  system_.velocity_constraint(state, g_dot);
  leave_out(g_dot);
}

void UnilateralModel::acceleration_bias(const system::State& state, Vector& gamma) {
  system_.acceleration_bias(state, gamma);
  leave_out(gamma);
}

void UnilateralModel::reaction_weights(const system::State& state, Vector& weights) {
  weights.setZero(sizes().multipliers());
  if (system::ReactionWeights* own = system::reaction_weights(system_)) {
    own->reaction_weights(state, weights);
  }
}

formulation::RelativeModel* relative_model(model::ModelSystem& system) {
  auto* events = dynamic_cast<UnilateralModel*>(&system);
  return dynamic_cast<formulation::RelativeModel*>(events == nullptr ? &system : &events->inner());
}

// ---- events

std::string to_string(const ContactEvent& event) {
  const std::string text = fmt::format("t = {:.9g} s: '{}' {}", event.time, event.name, event.what);
  return event.energy_lost > 0.0 ? fmt::format("{}, {:.4g} J lost", text, event.energy_lost) : text;
}

void UnilateralModel::take_gaps(const system::State& state) {
  system_.position_constraint(state, gaps_);
}

double UnilateralModel::function(const Row& row, const Vector& lambda) const {
  const double side = row.row.side;
  if (!row.closed) return 1.0 + side * gaps_[row.row.row] / (gap_tolerance * system_.size());
  const double scale = std::max(largest_force_, std::numeric_limits<double>::min());
  return 1.0 - side * lambda[row.row.row] / (contact_load_tolerance * scale);
}

double UnilateralModel::least_function(const Vector& lambda) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Row& row : rows_) {
    const double value = function(row, lambda);
    if (std::isnan(value)) return value;
    least = std::min(least, value);
  }
  return least;
}

double UnilateralModel::watch(const system::Motion& motion, bool exactly) {
  take_gaps(motion.state);
  const double contacts = least_function(motion.lambda);
  const double least = std::min(contacts, friction_.least_function(motion));
  if (!exactly && !std::isnan(contacts) && least > near / contact_load_tolerance) return least;
  exact_ = motion;
  start_.accelerations(exact_.state, exact_.a, exact_.lambda);
  // Where there are no loads nothing can be said of them: act() looks, and gives up.
  if (!exact_.lambda.allFinite()) return -1.0;
  largest_force_ = std::max(largest_force_, exact_.lambda.lpNorm<Eigen::Infinity>());
  friction_.see(exact_);
  return std::min(least_function(exact_.lambda), friction_.least_function(exact_));
}

void UnilateralModel::note(const Row& row, double time) {
  events_.push_back({time, row.row.name, row.closed ? "closes" : "opens"});
}

void UnilateralModel::act(system::Motion& motion) {
  watch(motion, true);
  friction_.fire(exact_);
  std::vector<Row*> changing;
  for (Row& row : rows_) {
    if (function(row, exact_.lambda) < 0.0) changing.push_back(&row);
  }
  // What opens must not start with the errors that the integrator leaves: the gap grows with the
  // third power of time only, and a short step makes velocities of gaps that it closes.
  if (!exact_.lambda.allFinite()) return give_up(motion.state.t, "its loads are not finite");
  if (!start_.positions(motion.state, {}).converged) {
    return give_up(motion.state.t,
                   "its positions cannot be brought onto the constraints that hold");
  }
  if (!start_.velocities(motion.state, {}).converged) {
    return give_up(motion.state.t, "no velocities satisfy the constraints that hold");
  }
  if (!friction_.empty()) {
    exact_.state = motion.state;
    start_.accelerations(exact_.state, exact_.a, exact_.lambda);
    friction_.mark(exact_);
  }
  bool closing = false;
  for (Row* row : changing) {
    row->closed = !row->closed;
    closing = closing || row->closed;
    note(*row, motion.state.t);
  }
  tell_open_rows();
  if (closing) impact(motion);
  if (stuck()) return;
  settle(motion);
  friction_.finish(motion, &events_);
}

void UnilateralModel::give_up(double time, const std::string& why) {
  if (!trouble_.empty()) return;
  std::string closed;
  for (const Row& row : rows_) {
    if (row.closed) closed += fmt::format("{}'{}'", closed.empty() ? "" : ", ", row.row.name);
  }
  trouble_ = fmt::format("no motion goes on from the event at t = {:.9g} s: {} (closed: {})", time,
                         why, closed.empty() ? "none" : closed);
}

UnilateralModel::Row* UnilateralModel::most_pulling() {
  const system::Sizes sizes = system_.sizes();
  double pull =
      contact_load_tolerance * solution_.tail(sizes.multipliers()).lpNorm<Eigen::Infinity>();
  Row* worst = nullptr;
  for (Row& row : rows_) {
    const double impulse = row.row.side * solution_[sizes.v + row.row.row];
    if (!row.closed || impulse <= pull) continue;
    pull = impulse;
    worst = &row;
  }
  return worst;
}

void UnilateralModel::impact(system::Motion& motion) {
  const double time = motion.state.t;
  friction_.let_go(motion.state);
  if (!start_.positions(motion.state, {}).converged) {
    return give_up(time, "its positions cannot be brought onto the constraints that close");
  }
  const system::Sizes sizes = system_.sizes();
  const Vector v = motion.state.v;
  // Each pass opens a row.
  for (std::size_t pass = 0; pass <= rows_.size(); ++pass) {
    motion.state.v = v;
    tangent(motion, {.acceleration = 1.0}, nullptr, matrix_);
    if (!solver_.factor(matrix_).ok) {
      return give_up(time, "the matrix of the impact is singular");
    }
    right_side_.setZero(sizes.v + sizes.multipliers());
    Vector error;
    velocity_constraint(motion.state, error);
    right_side_.tail(sizes.multipliers()) = -error;
    refined_(solver_, matrix_, right_side_, solution_);
    if (!solution_.allFinite()) return give_up(time, "the impact has no finite impulses");
    motion.state.v += solution_.head(sizes.v);
    Row* worst = most_pulling();
    if (worst == nullptr) break;
    worst->closed = false;
    tell_open_rows();
    motion.lambda[worst->row.row] = 0.0;
    note(*worst, time);
  }
  if (!start_.velocities(motion.state, {}).converged) {
    return give_up(time, "what closes and what holds already ask for different velocities");
  }
  const double lost = account(v, motion.state);
  if (!events_.empty()) events_.back().energy_lost = lost;
  friction_.follow(motion);
}

// The energy of the change of velocity is lost; the rest is work of what moves by itself.
double UnilateralModel::account(const Vector& v, const system::State& state) {
  system::State other = state;
  other.v = v;
  const double before = system_.energy(other).kinetic;
  other.v = state.v - v;
  const double lost = system_.energy(other).kinetic;
  energy_lost_ += lost;
  impact_work_ += system_.energy(state).kinetic - before + lost;
  return lost;
}

bool UnilateralModel::open_pulling(system::Motion& motion) {
  take_gaps(motion.state);
  bool changed = false;
  for (Row& row : rows_) {
    if (!row.closed || function(row, motion.lambda) >= 0.0) continue;
    row.closed = false;
    changed = true;
    note(row, motion.state.t);
  }
  for (const Row& row : rows_) {
    if (!row.closed) motion.lambda[row.row.row] = 0.0;
  }
  if (changed) tell_open_rows();
  return changed;
}

void UnilateralModel::settle(system::Motion& motion) {
  while (friction_.hold(motion.state)) {
    const Vector v = motion.state.v;
    if (!start_.velocities(motion.state, {}).converged) {
      return give_up(motion.state.t, "no velocities satisfy what sticks");
    }
    account(v, motion.state);
    friction_.mark_resting(motion);
  }
  const std::size_t most = most_passes + 4 * friction_.size();
  for (std::size_t pass = 0; pass < most; ++pass) {
    start_.accelerations(motion.state, motion.a, motion.lambda);
    if (!motion.a.allFinite() || !motion.lambda.allFinite()) {
      return give_up(motion.state.t, "it has no finite accelerations");
    }
    if (!open_pulling(motion) && !friction_.let_slip(motion)) return;
  }
  give_up(motion.state.t, "contacts and frictions find no state that agrees with its loads");
}

void UnilateralModel::begin(system::Motion& motion) {
  take_gaps(motion.state);
  for (const Row& row : rows_) {
    const double gap = row.row.side * gaps_[row.row.row];
    if (row.closed || gap >= -gap_tolerance * size()) continue;
    throw core::RunError(
        fmt::format("'{}' starts open, but its parts overlap by {:.3g} m", row.row.name, -gap),
        "describe the parts apart, or leave starts_open out");
  }
  largest_force_ = motion.lambda.lpNorm<Eigen::Infinity>();
  friction_.begin(motion);
  settle(motion);
  if (stuck()) {
    throw core::RunError(trouble_,
                         "begin elsewhere, or leave out a contact that others make superfluous");
  }
  friction_.finish(motion, nullptr);
}

}  // namespace trammel::analysis
