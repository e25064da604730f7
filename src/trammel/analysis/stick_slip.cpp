#include "trammel/analysis/stick_slip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/model/friction_modes.h"
#include "trammel/system/open_row.h"

namespace trammel::analysis {

using model::Slip;
using system::Vector;

namespace {

constexpr double friction_load_tolerance = 1e-8;
constexpr double speed_tolerance = 1e-10;
// A row whose compliance is below this part of what its bodies have alone depends on other rows.
constexpr double independence = 1e-9;
// What comes to rest has no other velocity than the error of the integrator, as a part of the
// largest speed. Where sticking would stop more than that, the coordinate merely passes a dead
// centre.
constexpr double stopping_share = 1e-3;

bool rests(Slip slip) {
  return slip == Slip::sticking || slip == Slip::held;
}

}  // namespace

StickSlip::StickSlip(model::ModelSystem& model, system::MechanicalSystem& whole)
    : model_(model), whole_(whole), matrix_(model.pattern()) {
  const system::KktPattern& pattern = *matrix_.pattern;
  for (model::StickRow& row : model.stick_rows()) {
    Friction friction{.row = std::move(row)};
    friction.places = places_of(friction.row.row);
    frictions_.push_back(std::move(friction));
  }
  for (const model::UnilateralRow& row : model.unilateral_rows()) {
    unilateral_.push_back(places_of(row.row));
  }
  if (empty()) return;
  solver_.analyse(model.pattern());
  motion_.a.setZero(pattern.velocities);
  motion_.lambda.setZero(pattern.multipliers);
}

// The model's own part of the decisions was cloned with it.
void StickSlip::continue_from(const StickSlip& other) {
  frictions_ = other.frictions_;
  largest_speed_ = other.largest_speed_;
}

StickSlip::RowPlaces StickSlip::places_of(int row) const {
  const system::KktPattern& pattern = *matrix_.pattern;
  RowPlaces places{.row = row};
  for (int column = 0; column < pattern.velocities; ++column) {
    const int position = pattern.find(pattern.velocities + row, column);
    if (position < 0) continue;
    places.positions.push_back(position);
    places.columns.push_back(column);
  }
  return places;
}

void StickSlip::set(Friction& friction, Slip slip, const system::State& state) {
  friction.slip = slip;
  friction.driven = false;
  friction.loaded = false;
  friction.slack = 0.0;
  model::friction_modes(model_).set_slip(friction.row, slip, state);
}

void StickSlip::smooth(const system::State& state) {
  for (Friction& friction : frictions_) set(friction, Slip::smoothed, state);
}

// The largest velocity met, or what the accelerations bring about over the size of the model.
void StickSlip::see(const system::Motion& motion) {
  if (empty()) return;
  const Vector& scale = model_.displacement_scale();
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    largest_speed_ = std::max({largest_speed_, std::abs(motion.state.v[i]) / scale[i],
                               std::sqrt(std::abs(motion.a[i]) / scale[i])});
  }
}

double StickSlip::rate_tolerance(const Friction& friction) const {
  const double least = std::numeric_limits<double>::min();
  return std::max(speed_tolerance * largest_speed_ * friction.row.scale, least);
}

// What this part of the largest speed would need the time of one of its motions for.
double StickSlip::acceleration_tolerance(const Friction& friction) const {
  return largest_speed_ * rate_tolerance(friction);
}

void StickSlip::set_by_rate(Friction& friction, double rate, const system::State& state) {
  friction.next = rate < 0.0 ? Slip::backward : Slip::forward;
  friction.marked = std::abs(rate) <= rate_tolerance(friction);
  friction.trials = 0;
  set(friction, friction.next, state);
}

void StickSlip::begin(const system::Motion& motion) {
  see(motion);
  follow(motion);
}

void StickSlip::follow(const system::Motion& motion) {
  for (Friction& friction : frictions_) {
    set_by_rate(friction, model::friction_modes(model_).slip_at(friction.row, motion).rate,
                motion.state);
  }
}

void StickSlip::let_go(const system::State& state) {
  for (Friction& friction : frictions_) {
    if (rests(friction.slip)) set(friction, Slip::held, state);
  }
}

double StickSlip::function(Friction& friction, const system::Motion& motion) {
  if (friction.slip == Slip::held || friction.loaded) {
    return std::numeric_limits<double>::infinity();
  }
  const model::SlipPlace place = model::friction_modes(model_).slip_at(friction.row, motion);
  if (model::slides(friction.slip)) {
    const double rate = model::direction(friction.slip) * place.rate + friction.slack;
    return 1.0 + rate / rate_tolerance(friction);
  }
  const double load = std::abs(motion.lambda[friction.row.row]);
  friction.largest_load =
      std::max({friction.largest_load, load, place.limit, std::numeric_limits<double>::min()});
  const double acceleration = friction.largest_load * friction.mobility;
  largest_speed_ = std::max(largest_speed_, std::sqrt(acceleration / friction.row.scale));
  return 1.0 + (place.limit - load) / (friction_load_tolerance * friction.largest_load);
}

double StickSlip::least_function(const system::Motion& motion) {
  double least = std::numeric_limits<double>::infinity();
  for (Friction& friction : frictions_) least = std::min(least, function(friction, motion));
  return least;
}

void StickSlip::fire(const system::Motion& motion) {
  for (Friction& friction : frictions_) {
    friction.fired = model::slides(friction.slip) && function(friction, motion) < 0.0;
  }
}

// What slides comes to rest where its rate has changed its sign, or is about to.
void StickSlip::mark(const system::Motion& motion) {
  for (Friction& friction : frictions_) {
    friction.trials = 0;
    friction.marked = friction.slip == Slip::held;
    if (!model::slides(friction.slip) || friction.loaded) continue;
    const model::SlipPlace place = model::friction_modes(model_).slip_at(friction.row, motion);
    const double s = model::direction(friction.slip);
    const bool ends = s * place.rate <= rate_tolerance(friction) && s * place.acceleration < 0.0;
    friction.marked = friction.fired || ends || function(friction, motion) < 0.0;
    friction.next = s > 0.0 ? Slip::backward : Slip::forward;
  }
}

void StickSlip::mark_resting(const system::Motion& motion) {
  for (Friction& friction : frictions_) {
    if (!model::slides(friction.slip) || friction.driven || friction.loaded) continue;
    const double rate = model::friction_modes(model_).slip_at(friction.row, motion).rate;
    friction.marked = std::abs(rate) <= rate_tolerance(friction);
    friction.next = friction.slip;
  }
}

double StickSlip::compliance(Friction& friction, const system::State& state, bool lasting) {
  motion_.state = state;
  model::friction_modes(model_).set_slip(friction.row, Slip::sticking, state);
  whole_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  row_.setZero(matrix_.pattern->size());
  double alone = 0.0;
  for (std::size_t i = 0; i < friction.places.positions.size(); ++i) {
    const double entry = matrix_.values[static_cast<std::size_t>(friction.places.positions[i])];
    const int column = friction.places.columns[i];
    const int diagonal = matrix_.pattern->diagonal[static_cast<std::size_t>(column)];
    row_[column] = entry;
    alone += entry * entry / matrix_.values[static_cast<std::size_t>(diagonal)];
  }
  friction.mobility = alone;
  model::friction_modes(model_).set_slip(friction.row, Slip::held, state);
  whole_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  for (std::size_t i = 0; lasting && i < unilateral_.size(); ++i) {
    for (const int position : unilateral_[i].positions) {
      matrix_.values[static_cast<std::size_t>(position)] = 0.0;
    }
    system::open_row(unilateral_[i].row, matrix_);
  }
  model::friction_modes(model_).set_slip(friction.row, friction.slip, state);
  if (!solver_.factor(matrix_).ok) return 0.0;
  refined_(solver_, matrix_, row_, solution_);
  return row_.dot(solution_) / alone;
}

bool StickSlip::can_stick(Friction& friction, const system::State& state) {
  return compliance(friction, state, false) > independence;
}

// Velocities would change by K^-1 J^T / (J K^-1 J^T) times the rate.
bool StickSlip::passes(const Friction& friction) {
  const double rate = model::friction_modes(model_).slip_at(friction.row, motion_).rate;
  const Vector& scale = model_.displacement_scale();
  const double change = solution_.head(scale.size()).cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
  return std::abs(rate) * change > stopping_share * largest_speed_ * row_.dot(solution_);
}

bool StickSlip::is_free(Friction& friction, const system::State& state) {
  std::vector<Friction*> stuck;
  for (Friction& other : frictions_) {
    if (other.slip == Slip::sticking) stuck.push_back(&other);
  }
  for (Friction* other : stuck)
    model::friction_modes(model_).set_slip(other->row, Slip::held, state);
  const bool free = compliance(friction, state, true) > independence;
  for (Friction* other : stuck)
    model::friction_modes(model_).set_slip(other->row, Slip::sticking, state);
  return free;
}

bool StickSlip::hold(const system::State& state) {
  bool held = false;
  for (Friction& friction : frictions_) {
    if (!friction.marked) continue;
    friction.marked = false;
    const bool independent = can_stick(friction, state);
    const bool passing = independent && passes(friction);
    if (independent && !passing) {
      set(friction, Slip::sticking, state);
      held = true;
    } else if (!passing && is_free(friction, state)) {
      set(friction, Slip::held, state);
      held = true;
    } else {
      set(friction, friction.next, state);
      friction.driven = !passing;
      motion_.state = state;
      const double rate = model::friction_modes(model_).slip_at(friction.row, motion_).rate;
      friction.slack = std::max(0.0, -model::direction(friction.next) * rate);
    }
  }
  return held;
}

bool StickSlip::stick_held(const system::State& state) {
  bool changed = false;
  for (Friction& friction : frictions_) {
    if (friction.slip != Slip::held || !can_stick(friction, state)) continue;
    set(friction, Slip::sticking, state);
    changed = true;
  }
  return changed;
}

bool StickSlip::let_slip(system::Motion& motion) {
  constexpr int most_trials = 2;
  Friction* worst = nullptr;
  double least = 0.0;
  for (Friction& friction : frictions_) {
    if (friction.slip != Slip::sticking) continue;
    const double value = function(friction, motion);
    if (value >= least) continue;
    least = value;
    worst = &friction;
  }
  if (worst != nullptr) {
    double& lambda = motion.lambda[worst->row.row];
    set(*worst, lambda < 0.0 ? Slip::backward : Slip::forward, motion.state);
    lambda = 0.0;
    ++worst->trials;
    for (Friction& friction : frictions_) {
      if (friction.loaded) set(friction, Slip::held, motion.state);
    }
    stick_held(motion.state);
    return true;
  }
  // What began to slide and is driven back since others slide, too.
  for (Friction& friction : frictions_) {
    if (!model::slides(friction.slip) || friction.trials == 0 || friction.trials > most_trials) {
      continue;
    }
    const double ahead = model::direction(friction.slip) *
                         model::friction_modes(model_).slip_at(friction.row, motion).acceleration;
    if (ahead >= -acceleration_tolerance(friction) || !can_stick(friction, motion.state)) continue;
    set(friction, Slip::sticking, motion.state);
    return true;
  }
  return false;
}

void StickSlip::finish(const system::Motion& motion, std::vector<ContactEvent>* events) {
  for (Friction& friction : frictions_) {
    const bool rested = friction.rests;
    const Slip told = friction.told;
    friction.told = friction.slip;
    if (model::slides(friction.slip) && !friction.driven) {
      const model::SlipPlace place = model::friction_modes(model_).slip_at(friction.row, motion);
      friction.loaded = std::abs(place.rate) <= rate_tolerance(friction) &&
                        std::abs(place.acceleration) <= acceleration_tolerance(friction);
    }
    friction.rests = friction.loaded || rests(friction.slip);
    const bool same = rested == friction.rests && (rested || told == friction.slip);
    if (same || events == nullptr) continue;
    const char* what = friction.rests ? "sticks" : rested ? "slides" : "reverses";
    events->push_back({motion.state.t, friction.row.name, what});
  }
}

}  // namespace trammel::analysis
