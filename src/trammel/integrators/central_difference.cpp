#include "trammel/integrators/central_difference.h"

#include <algorithm>

#include "trammel/integrators/setting_reader.h"
#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using system::Vector;

namespace {

const std::vector<std::string> lagged_rows{"velocity", "acceleration"};

constraint_handling::PenaltyOptions penalty_of(const CentralDifferenceOptions& options) {
  return {.epsilon = options.epsilon,
          .rates_of_velocities = options.rows == LaggedRows::acceleration};
}

}  // namespace

std::vector<Setting> central_difference_settings() {
  const CentralDifferenceOptions o;
  return {
      {"velocities", "lagged: forces see those of half a step ago", "lagged", {"lagged"}},
      {"stabilisation", "penalty: multipliers by their own equation", "penalty", {"penalty"}},
      {"epsilon", "of the penalty, violation per multiplier, below 1; 0: chosen for each row",
       o.epsilon},
      {"rows", "what constraints ask for: velocities, or accelerations as published",
       lagged_rows[0], lagged_rows},
  };
}

void apply(const Settings& settings, CentralDifferenceOptions& options) {
  const SettingReader read(settings);
  read.word("rows", lagged_rows, options.rows);
  read.number("epsilon", options.epsilon);
  if (options.epsilon >= 0.0 && options.epsilon < 1.0) return;
  throw core::InputError(fmt::format("epsilon is {:g}", options.epsilon),
                         "give a number above 0 and below 1, e.g. 1e-6, or 0 to have it chosen");
}

CentralDifference::CentralDifference(system::MechanicalSystem& system,
                                     const CentralDifferenceOptions& options)
    : rows_left_(system),
      system_(rows_left_),
      sizes_(system.sizes()),
      parts_(system::freedom_parts(system)),
      lagged_rows_(options.rows == LaggedRows::acceleration),
      reactions_(system_, solver_by_name(options.solver), penalty_of(options)) {}

void CentralDifference::start(const system::Motion& motion) {
  now_ = motion;
  rows_left_.begin(motion.state);
  rows_left_.regroup(now_.lambda);
  reactions_.begin(now_.lambda);
  next_ = now_;
  rows_left_.make_unique(now_.state, now_.lambda);
  h_ = 0.0;
  time_carry_ = 0.0;
  for (Vector* v : {&half_velocity_, &next_half_velocity_, &x_}) v->setZero(sizes_.v);
  rates_.setZero(sizes_.z);
  settle_memory();
}

// With the velocity of the half step before in next_.
bool CentralDifference::find_accelerations() {
  if (sizes_.multipliers() == 0) return reactions_.solve_accelerations(next_);
  if (!lagged_rows_) return reactions_.solve(next_half_velocity_, now_.lambda, next_);
  system_.acceleration_bias(next_.state, gamma_);
  return reactions_.solve_penalty(gamma_, now_.lambda, next_);
}

StepReport CentralDifference::step(double h) {
  StepReport report;
  if (rows_left_.revise(now_.state)) rows_left_.regroup(now_.lambda);
  if (h != h_) {
    reactions_.set_half_step(0.5 * h);
    half_velocity_ = now_.state.v - 0.5 * h * now_.a;
    h_ = h;
  }
  const double advance = h - time_carry_;
  next_half_velocity_ = half_velocity_ + h * now_.a;
  next_.state.t = now_.state.t + advance;
  next_.state.v = next_half_velocity_;
  move_by_parts(system_, parts_, now_.state.q, next_half_velocity_, h, x_, next_.state.q);
  if (sizes_.z > 0) {
    system_.first_order_states()->rates(now_.state, rates_);
    next_.state.z = now_.state.z + h * rates_;
  }
  if (!next_.state.q.allFinite() || !find_accelerations()) {
    ++statistics_.failed_steps;
    h_ = 0.0;
    report.failure = Failure::not_finite;
    return report;
  }
  time_carry_ = (next_.state.t - now_.state.t) - advance;
  next_.state.v += 0.5 * h * next_.a;
  half_velocity_.swap(next_half_velocity_);
  std::swap(now_, next_);
  rows_left_.make_unique(now_.state, now_.lambda);
  x_ = h * half_velocity_.cwiseQuotient(system_.displacement_scale());
  report.displacement = system::largest(x_);
  ++statistics_.steps;
  ++statistics_.iterations;
  statistics_.most_iterations = 1;
  statistics_.factorisations = reactions_.factorisations();
  statistics_.residual_evaluations = reactions_.factorisations();
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
  return report;
}

std::size_t CentralDifference::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(2 * (sizes_.q + 2 * sizes_.v + sizes_.z) +
                                                3 * sizes_.v + 2 * sizes_.multipliers());
  return numbers * sizeof(double) + rows_left_.memory_bytes() + reactions_.memory_bytes();
}

}  // namespace trammel::integrators
