#include "trammel/integrators/state_space_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/solver_choice.h"
#include "trammel/system/coordinate_names.h"
#include "trammel/system/position_measure.h"

namespace trammel::integrators {

using constraint_handling::CoordinatePartition;
using system::Vector;

void multiply_block(const system::KktMatrix& matrix,
                    const Eigen::Ref<const Eigen::MatrixXd>& x,
                    Eigen::Ref<Eigen::MatrixXd> y) {
  const system::KktPattern& pattern = *matrix.pattern;
  y.setZero();
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    for (int column = 0; column < pattern.velocities; ++column) {
      const double factor = x(column, j);
      if (factor == 0.0) continue;
      const auto c = static_cast<std::size_t>(column);
      for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
        const int row = pattern.row[static_cast<std::size_t>(k)];
        if (row >= pattern.velocities) break;
        y(row, j) += factor * matrix.values[static_cast<std::size_t>(k)];
      }
    }
  }
}

namespace {

std::string large_solver(const std::string& name) {
  return std::string(solver_by_name(name)->name());
}

bool curved_positions(const system::MechanicalSystem& system) {
  const int n = system.sizes().v;
  const Vector x = Vector::LinSpaced(n, 0.3, 0.5);
  const Vector delta = Vector::LinSpaced(n, 1.0, -0.7);
  Vector dx;
  system.inverse_tangent(x, delta, dx);
  return dx != delta;
}

}  // namespace

StateSpaceForm::StateSpaceForm(system::MechanicalSystem& system, const StateSpaceOptions& options)
    : rows_left_(system),
      system_(rows_left_),
      options_(options),
      sizes_(system.sizes()),
      wanted_(components_of(options.independent)),
      velocity_coordinates_(system_, large_solver(options.solver)),
      curved_(curved_positions(system)),
      mass_(system.pattern()) {
  if (constraint_handling::takes_plane(options.partition) && !wanted_.empty()) {
    throw core::InputError("independent: a tangent plane has no coordinates to name",
                           "take partition: lu or qr, or name none");
  }
  if (sizes_.nonholonomic > 0) {
    if (constraint_handling::takes_plane(options.partition)) {
      throw core::InputError(
          "partition: a tangent plane does not go with constraints between velocities (rolling, "
          "skates): it has no coordinates whose position is free and whose velocity is not",
          "take partition: lu or qr");
    }
    position_ = std::make_unique<constraint_handling::IndependentCoordinates>(
        system_, large_solver(options.solver));
  }
  inverse_scale_ = system.displacement_scale().cwiseInverse();
  turn_scale_ = system::inverse_turn_scale(system);
}

std::vector<int> StateSpaceForm::components_of(const std::vector<std::string>& names) {
  std::vector<int> components;
  if (names.empty()) return components;
  std::vector<std::string> known;
  system::MechanicalSystem& system = rows_left_.whole();
  for (int i = 0; i < sizes_.v; ++i) known.push_back(system::coordinate_name(system, i));
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw core::InputError(
          fmt::format("independent: '{}' is no coordinate of the equations of motion", name),
          core::suggestion(name, known));
    }
    components.push_back(static_cast<int>(found - known.begin()));
  }
  std::sort(components.begin(), components.end());
  if (std::adjacent_find(components.begin(), components.end()) != components.end()) {
    throw core::InputError("independent: a coordinate is named twice", "name each once");
  }
  return components;
}

void StateSpaceForm::start(const system::Motion& motion) {
  rows_left_.begin(motion.state);
  motion_ = motion;
  x_.setZero(sizes_.v);
  origin_ = motion.state.q;
  system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
  const bool as_wanted = !wanted_.empty();
  const CoordinatePartition chosen = best_partition(as_wanted);
  const CoordinatePartition best = as_wanted ? best_partition(false) : chosen;
  const bool fits = !as_wanted || (chosen.rows.size() == best.rows.size() &&
                                   static_cast<int>(wanted_.size()) == best.freedoms() &&
                                   chosen.weakest_pivot > 1e-8);
  if (!fits && !started_) refuse(best);
  started_ = true;
  use(fits ? chosen : best);
  if (factor()) condition_ = worst_condition();
  condition_at_choice_ = condition_;
  if (!told_) notes_.push_back(described());
  told_ = true;
  for (Vector* v : {&delta_, &dx_, &r_, &f_, &h_, &product_}) v->setZero(sizes_.v);
  for (Vector* v : {&rows_, &lambda_}) v->setZero(sizes_.multipliers());
  Vector round_off;
  system::position_round_off(system_, motion.state, round_off);
  constexpr double lever = 1e3;
  floor_ = sizes_.v == 0 ? 0.0 : lever * system::largest(round_off.cwiseProduct(inverse_scale_));
}

CoordinatePartition StateSpaceForm::best_partition(bool as_wanted) {
  constraint_handling::PartitionOptions options;
  options.method = options_.partition;
  options.scaled = options_.scaled_columns;
  if (as_wanted) options.wanted = wanted_;
  return constraint_handling::partition_coordinates(system_, mass_, options);
}

void StateSpaceForm::refuse(const CoordinatePartition& best) {
  system::MechanicalSystem& system = rows_left_.whole();
  std::vector<std::string> names;
  for (int j = 0; j < best.freedoms() && best.selects(); ++j) {
    names.push_back(system::coordinate_name(system, best.independent[static_cast<std::size_t>(j)]));
  }
  const std::string remedy = names.empty() ? "name none: the constraints prescribe the motion"
                                           : fmt::format("{} would do", fmt::join(names, ", "));
  if (static_cast<int>(wanted_.size()) != best.freedoms()) {
    throw core::InputError(fmt::format("independent: {} coordinates are named, the constraints "
                                       "leave {} free at the start",
                                       wanted_.size(), best.freedoms()),
                           remedy);
  }
  throw core::InputError(
      fmt::format("independent: the other coordinates do not follow from {} at the start",
                  fmt::join(options_.independent, ", ")),
      remedy);
}

void StateSpaceForm::use(CoordinatePartition partition) {
  partition_ = std::move(partition);
  velocity_coordinates_.set_partition(partition_);
  if (position_) position_->set_partition(partition_, true);
  const int nd = velocity_coordinates_.freedoms();
  const int np = position_coordinates().freedoms();
  chart_.setIdentity(np, np);
  reduced_.setZero(nd, nd);
  mass_basis_.setZero(sizes_.v, nd);
  p_now_.setZero(np);
  c_.setZero(np);
  independent_scale_.setOnes(nd);
  for (int j = 0; j < nd && partition_.selects(); ++j) {
    const int component = partition_.independent[static_cast<std::size_t>(j)];
    independent_scale_[j] = system_.displacement_scale()[component];
  }
}

std::string StateSpaceForm::described() {
  system::MechanicalSystem& system = rows_left_.whole();
  std::string text;
  if (!partition_.selects()) {
    text = fmt::format("{} independent coordinates in the tangent plane", partition_.P.rows());
  } else if (partition_.freedoms() == 0) {
    text = "no coordinate is independent: the constraints prescribe the motion";
  } else {
    constexpr int most = 12;
    std::vector<std::string> names;
    for (int j = 0; j < std::min(most, partition_.freedoms()); ++j) {
      names.push_back(
          system::coordinate_name(system, partition_.independent[static_cast<std::size_t>(j)]));
    }
    text = fmt::format("independent coordinates: {}", fmt::join(names, ", "));
    if (partition_.freedoms() > most) {
      text += fmt::format(" and {} more", partition_.freedoms() - most);
    }
  }
  text += fmt::format(" (t = {:.6g} s, condition {:.3g})", motion_.state.t, condition_);
  std::vector<std::string> rows;
  for (const int row : rows_left_.left_out()) rows.push_back(system::constraint_name(system, row));
  for (const int row : partition_.redundant) rows.push_back(system::constraint_name(system, row));
  if (!rows.empty()) text += fmt::format("; left out: {}", fmt::join(rows, "; "));
  return text;
}

void StateSpaceForm::begin_step(const system::Motion& now) {
  motion_ = now;
  origin_ = now.state.q;
  x_.setZero();
  if (!curved_ || chart_.size() == 0) return;
  chart_.setIdentity();
  chart_factors_.compute(chart_);
}

// Hysteresis: another choice has to be better by half, else the present one counts as made here.
bool StateSpaceForm::revise_partition(const system::Motion& now, bool failed) {
  const bool other_rows = !failed && rows_left_.revise(now.state);
  if (other_rows || failed) {
    begin_step(now);
    system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
    if (!other_rows && !factor()) condition_ = std::numeric_limits<double>::infinity();
  }
  if (!other_rows) {
    if (options_.repartition_above == 0.0) return false;
    if (!failed || std::isfinite(condition_)) condition_ = worst_condition();
    // A failure at a place where nothing else could be chosen is none of the partition.
    const double growth = failed ? 1.0 : options_.repartition_above;
    if (!(condition_ > growth * condition_at_choice_)) return false;
  }
  const double before = condition_;
  CoordinatePartition present = partition_;
  use(best_partition(false));
  condition_ = factor() ? worst_condition() : std::numeric_limits<double>::infinity();
  constexpr double better = 0.5;
  if (!other_rows && !(condition_ < better * before)) {
    use(std::move(present));
    factor();
    condition_ = before;
    condition_at_choice_ = before;
    return false;
  }
  condition_at_choice_ = condition_;
  ++changes_;
  constexpr int most_told = 20;
  if (!other_rows && changes_ <= most_told) notes_.push_back(described());
  return true;
}

// Coordinates that are good for velocities may be bad for positions, which have fewer rows.
double StateSpaceForm::worst_condition() {
  const double velocities = velocity_coordinates_.condition();
  return position_ ? std::max(velocities, position_->condition()) : velocities;
}

bool StateSpaceForm::factor() {
  ++factorisations_;
  if (!velocity_coordinates_.factor(mass_)) return false;
  if (position_ && !position_->factor(mass_)) return false;
  if (!curved_) return true;
  const Eigen::MatrixXd& Z = position_coordinates().basis();
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    delta_ = Z.col(j);
    system_.inverse_tangent(x_, delta_, dx_);
    position_coordinates().project(dx_, c_);
    chart_.col(j) = c_;
  }
  if (Z.cols() > 0) chart_factors_.compute(chart_);
  return true;
}

void StateSpaceForm::solve_chart(Vector& y) {
  if (!curved_ || y.size() == 0) return;
  p_now_ = chart_factors_.solve(y);
  y.swap(p_now_);
}

// dx with P dx = p - P x and G T dx = -g; returns its size.
double StateSpaceForm::position_correction(const Vector& p) {
  constraint_handling::IndependentCoordinates& coordinates = position_coordinates();
  ++position_iterations_;
  system_.position_constraint(motion_.state, rows_);
  coordinates.fulfil(rows_, delta_);
  delta_ *= -1.0;
  coordinates.project(x_, p_now_);
  c_ = p - p_now_;
  if (curved_) {
    system_.inverse_tangent(x_, delta_, dx_);
    coordinates.project(dx_, p_now_);
    c_ -= p_now_;
    solve_chart(c_);
  }
  delta_.noalias() += coordinates.basis() * c_;
  if (curved_) {
    system_.inverse_tangent(x_, delta_, dx_);
  } else {
    dx_ = delta_;
  }
  return sizes_.v == 0 ? 0.0 : dx_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

Failure StateSpaceForm::set_positions(double t, const Vector& p) {
  constexpr int most_steps = 30;
  constexpr double tolerance = 1e-13;
  constexpr double slow = 0.2;
  constexpr double stagnant = 1e-9;
  motion_.state.t = t;
  if (sizes_.multipliers() == 0) {
    x_ = p;
    system_.retract(origin_, x_, motion_.state.q);
    system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
    return factor() ? Failure::none : Failure::partition;
  }
  double last = 0.0;
  bool fresh = true;
  for (int i = 0; i < most_steps; ++i) {
    system_.retract(origin_, x_, motion_.state.q);
    const double size = position_correction(p);
    if (!std::isfinite(size)) return Failure::not_finite;
    x_ += dx_;
    const double rate = i == 0 ? 1.0 : size / last;
    const double left = rate < 1.0 ? rate / (1.0 - rate) * size : size;
    const bool arrived =
        left <= tolerance || (i > 0 && rate > 0.5 && size <= std::max(stagnant, floor_));
    if (arrived) {
      system_.retract(origin_, x_, motion_.state.q);
      system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
      return factor() ? Failure::none : Failure::partition;
    }
    if (i > 0 && rate > 2.0 && fresh && i > 6) return Failure::partition;
    fresh = i > 0 && rate > slow;
    if (fresh) {
      system_.retract(origin_, x_, motion_.state.q);
      system_.tangent(motion_, {.acceleration = 1.0}, nullptr, mass_);
      if (!factor()) return Failure::partition;
    }
    last = size;
  }
  return Failure::partition;
}

void StateSpaceForm::set_velocities(const Vector& p_rate) {
  motion_.state.v.noalias() = velocity_coordinates_.basis() * p_rate;
  if (sizes_.multipliers() == 0) return;
  system_.velocity_constraint(motion_.state, rows_);
  velocity_coordinates_.fulfil(rows_, delta_);
  motion_.state.v -= delta_;
}

void StateSpaceForm::set_accelerations(const Vector& s) {
  motion_.a.noalias() = velocity_coordinates_.basis() * s;
  if (sizes_.multipliers() == 0) return;
  system_.acceleration_bias(motion_.state, rows_);
  velocity_coordinates_.fulfil(rows_, delta_);
  motion_.a -= delta_;
}

// lambda = X^T (load + h(lambda)) by iteration from the last multipliers; load = f - M a.
bool StateSpaceForm::iterate_multipliers(const Vector& load_free) {
  system::ConstraintDependentForces* loads = system_.constraint_dependent_forces();
  if (loads == nullptr) {
    velocity_coordinates_.multipliers(load_free, motion_.lambda);
    return true;
  }
  lambda_ = motion_.lambda;
  const auto map = [&](const Vector& lambda, double share, Vector& image) {
    motion_.lambda = lambda;
    loads->constraint_dependent_forces(motion_, h_);
    product_ = load_free + share * h_;
    velocity_coordinates_.multipliers(product_, image);
  };
  const bool converged = reactions_.solve(map, lambda_).converged;
  motion_.lambda = lambda_;
  return converged;
}

bool StateSpaceForm::set_multipliers(Vector& psi) {
  ++evaluations_;
  system_.forces(motion_.state, f_);
  load_size_ = sizes_.v == 0 ? 0.0 : f_.cwiseQuotient(inverse_scale_).lpNorm<Eigen::Infinity>();
  // M a, from the residual without multipliers.
  multiply_block(mass_, motion_.a, r_);
  if (sizes_.v > 0) {
    load_size_ = std::max(load_size_, r_.cwiseQuotient(inverse_scale_).lpNorm<Eigen::Infinity>());
  }
  f_ -= r_;
  if (!iterate_multipliers(f_)) return false;
  if (system::ConstraintDependentForces* loads = system_.constraint_dependent_forces()) {
    loads->constraint_dependent_forces(motion_, h_);
    f_ += h_;
  }
  psi.noalias() = -(velocity_coordinates_.basis().transpose() * f_);
  return true;
}

bool StateSpaceForm::accelerations(Vector& s) {
  ++evaluations_;
  const Eigen::MatrixXd& Z = velocity_coordinates_.basis();
  const int nd = freedoms();
  multiply_block(mass_, Z, mass_basis_);
  reduced_.noalias() = Z.transpose() * mass_basis_;
  if (nd > 0) {
    reduced_factors_.compute(reduced_);
    if (reduced_factors_.info() != Eigen::Success) return false;
  }
  s.setZero(nd);
  set_accelerations(s);  // -X gamma
  dx_ = motion_.a;
  system_.forces(motion_.state, f_);
  multiply_block(mass_, dx_, r_);
  f_ -= r_;  // f + M X gamma
  system::ConstraintDependentForces* loads = system_.constraint_dependent_forces();
  const auto respond = [&](const Vector& load) {
    c_.head(nd).noalias() = Z.transpose() * load;
    s = c_.head(nd);
    if (nd > 0) reduced_factors_.solveInPlace(s);
    r_.noalias() = mass_basis_ * s;
  };
  if (loads == nullptr) {
    respond(f_);
    f_ -= r_;
    velocity_coordinates_.multipliers(f_, motion_.lambda);
  } else {
    lambda_ = motion_.lambda;
    const auto map = [&](const Vector& lambda, double share, Vector& image) {
      motion_.lambda = lambda;
      loads->constraint_dependent_forces(motion_, h_);
      product_ = f_ + share * h_;
      respond(product_);
      product_ -= r_;
      velocity_coordinates_.multipliers(product_, image);
    };
    if (!reactions_.solve(map, lambda_).converged) return false;
    // Leaves s of the solution.
    map(lambda_, 1.0, motion_.lambda);
    motion_.lambda = lambda_;
  }
  motion_.a = dx_;
  motion_.a.noalias() += Z * s;
  return motion_.a.allFinite() && motion_.lambda.allFinite();
}

void StateSpaceForm::position_rates(Vector& p_rate) {
  if (curved_) {
    system_.inverse_tangent(x_, motion_.state.v, dx_);
    position_coordinates().project(dx_, p_rate);
  } else {
    position_coordinates().project(motion_.state.v, p_rate);
  }
}

double StateSpaceForm::largest_displacement() const {
  return sizes_.v == 0 ? 0.0 : x_.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

double StateSpaceForm::largest_turn() const {
  return sizes_.v == 0 ? 0.0 : x_.cwiseProduct(turn_scale_).lpNorm<Eigen::Infinity>();
}

std::size_t StateSpaceForm::memory_bytes() const {
  const auto numbers =
      static_cast<std::size_t>(2 * sizes_.q + 16 * sizes_.v + 4 * sizes_.multipliers() +
                               2 * mass_basis_.size() + 2 * reduced_.size() + 2 * chart_.size());
  return (numbers + mass_.values.size()) * sizeof(double) + velocity_coordinates_.memory_bytes() +
         (position_ ? position_->memory_bytes() : 0) + rows_left_.memory_bytes();
}

}  // namespace trammel::integrators
