#include "trammel/integrators/state_space_integrator.h"

#include <algorithm>

namespace trammel::integrators {

StateSpaceIntegrator::StateSpaceIntegrator(system::MechanicalSystem& system,
                                           StateSpaceOptions options)
    : options_(std::move(options)), form_(system, options_) {}

void StateSpaceIntegrator::start(const system::Motion& motion) {
  now_ = motion;
  form_.start(motion);
  time_carry_ = 0.0;
  begin();
  settle_memory();
}

StepReport StateSpaceIntegrator::step(double h) {
  constexpr double half_turn = 3.14159;  // rad: beyond it nobody can count turns
  StepReport report;
  // Compensated summation: after any number of steps the time is right to the last digit.
  const double advanced = h - time_carry_;
  const double t = now_.state.t + advanced;
  for (int trial = 0; trial < 2; ++trial) {
    form_.begin_step(now_);
    report.failure = advance(t, h, report.iterations);
    if (report.ok() && form_.largest_turn() > half_turn) report.failure = Failure::unresolved;
    if (report.ok() || !form_.revise_partition(now_, true)) break;
  }
  statistics_.iterations += report.iterations;
  statistics_.most_iterations = std::max(statistics_.most_iterations, report.iterations);
  statistics_.residual_evaluations = form_.evaluations();
  statistics_.factorisations = form_.factorisations();
  if (!report.ok()) {
    ++statistics_.failed_steps;
    return report;
  }
  report.displacement = form_.largest_displacement();
  ++statistics_.steps;
  statistics_.largest_displacement =
      std::max(statistics_.largest_displacement, report.displacement);
  keep(h);
  time_carry_ = (t - now_.state.t) - advanced;
  now_ = form_.motion();
  form_.make_unique(now_);
  form_.revise_partition(now_, false);
  return report;
}

std::size_t StateSpaceIntegrator::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(now_.state.q.size() + 2 * now_.state.v.size() +
                                                now_.state.z.size() + now_.lambda.size());
  return numbers * sizeof(double) + form_.memory_bytes();
}

}  // namespace trammel::integrators
