#include "trammel/analysis/model_crossing.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/unilateral_model.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/system/open_row.h"

namespace trammel::analysis {

using integrators::Failure;
using system::Vector;

namespace {

model::ModelSystem& absolute_of(model::ModelSystem& system) {
  if (formulation::RelativeModel* relative = relative_model(system)) return relative->absolute();
  auto* unilateral = dynamic_cast<UnilateralModel*>(&system);
  return unilateral == nullptr ? system : unilateral->inner();
}

// Of the load that a drive exerts; empty where it has no such channel.
std::string load_unit(const model::ModelSystem& system, const std::string& name) {
  for (const model::Quantity& quantity : system.observables()) {
    if (quantity.name == name + ".load") return quantity.unit;
  }
  return {};
}

}  // namespace

ModelCrossing::ModelCrossing(model::ModelSystem& system, UnilateralModel* unilateral)
    : SwitchCrossing(system),
      model_(system),
      unilateral_(unilateral),
      absolute_(absolute_of(system)),
      matrix_(absolute_.pattern()) {
  solver_.analyse(absolute_.pattern());
}

void ModelCrossing::see_before(const system::Motion& motion) {
  formulation::RelativeModel* relative = relative_model(model_);
  struck_ = relative != nullptr ? relative->to_absolute(motion) : motion;
  absolute_.velocity_constraint(struck_.state, rates_before_);
  potential_before_ = absolute_.energy(struck_.state).potential;
}

Failure ModelCrossing::change_velocities(system::Motion& motion, int order) {
  struck_.state.t = motion.state.t;
  // A spring whose stiffness jumps stores more or less without any motion.
  load_work_ += absolute_.energy(struck_.state).potential - potential_before_;
  absolute_.velocity_constraint(struck_.state, rates_after_);
  const Vector jump = rates_after_ - rates_before_;
  const bool strikes = order <= 1 && jump.size() > 0 && jump.lpNorm<Eigen::Infinity>() > 0.0;
  if (!strikes) return SwitchCrossing::change_velocities(motion, order);
  const Vector v_before = struck_.state.v;
  const Failure failure = strike();
  if (failure != Failure::none) return failure;
  tell(jump, solution_.tail(jump.size()), account(v_before));
  formulation::RelativeModel* relative = relative_model(model_);
  motion.state.v = relative != nullptr ? relative->from_absolute(struck_.state).v : struck_.state.v;
  // What the drift of positions and velocities leaves.
  return SwitchCrossing::change_velocities(motion, order);
}

void ModelCrossing::open_rows() {
  if (unilateral_ == nullptr) return;
  const std::vector<model::UnilateralRow> rows = absolute_.unilateral_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (unilateral_->closed(i)) continue;
    const int row = matrix_.pattern->velocities + rows[i].row;
    for (int column = 0; column < matrix_.pattern->velocities; ++column) {
      const int position = matrix_.pattern->find(row, column);
      if (position >= 0) matrix_.values[static_cast<std::size_t>(position)] = 0.0;
    }
    system::open_row(rows[i].row, matrix_);
    rates_after_[rows[i].row] = 0.0;
  }
}

Failure ModelCrossing::strike() {
  const int n = absolute_.sizes().v;
  absolute_.tangent(struck_, {.acceleration = 1.0}, nullptr, matrix_);
  open_rows();
  if (!solver_.factor(matrix_).ok) return Failure::singular;
  right_side_.setZero(matrix_.pattern->size());
  right_side_.tail(rates_after_.size()) = -rates_after_;
  refined_(solver_, matrix_, right_side_, solution_);
  if (!solution_.allFinite()) return Failure::singular;
  struck_.state.v += solution_.head(n);
  return Failure::none;
}

double ModelCrossing::account(const Vector& v_before) {
  system::State other = struck_.state;
  const double after = absolute_.energy(other).kinetic;
  other.v = v_before;
  const double before = absolute_.energy(other).kinetic;
  other.v = struck_.state.v - v_before;
  const double lost = absolute_.energy(other).kinetic;
  energy_lost_ += lost;
  work_ += after - before + lost;
  return lost;
}

// The energy goes with the last of those that strike together.
void ModelCrossing::tell(const Vector& jump, const Vector& impulses, double lost) {
  constexpr double noticeable = 1e-9;
  const double largest = jump.lpNorm<Eigen::Infinity>();
  const std::vector<model::RowName> names = absolute_.row_names();
  for (Eigen::Index row = 0; row < jump.size(); ++row) {
    if (std::abs(jump[row]) <= noticeable * largest) continue;
    const std::string& name = names[static_cast<std::size_t>(row)].joint;
    const std::string unit = load_unit(absolute_, name);
    const char* rate = unit == "N m" ? " rad/s" : unit == "N" ? " m/s" : "";
    events_.push_back({struck_.state.t, name,
                       fmt::format("strikes: its velocity jumps by {:.6g}{}, with the impulse "
                                   "{:.6g}{}",
                                   -jump[row], rate, -impulses[row],
                                   unit.empty() ? "" : fmt::format(" {} s", unit))});
  }
  if (!events_.empty()) events_.back().energy_lost = lost;
}

void ModelCrossing::see_after(system::Motion& motion) {
  if (source_ != nullptr) source_->act(motion);
}

}  // namespace trammel::analysis
