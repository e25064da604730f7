// What every time integrator offers: start from a consistent motion, take steps, report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/linear/kkt_solver.h"
#include "trammel/system/mechanical_system.h"

namespace trammel::integrators {

enum class Failure {
  none,
  diverged,    ///< Newton's corrections grew or did not shrink
  slow,        ///< too many iterations
  not_finite,  ///< a residual or correction is NaN or infinite
  singular,    ///< the tangent could not be factored
  unresolved,  ///< the motion turned by more than half a revolution in the step
  projection,  ///< the result could not be projected onto the constraints
  events       ///< constraints let go and closed again without end
};

std::string to_string(Failure failure);

/// Outcome of one step. A failed step leaves time and positions as they were (velocities,
/// accelerations and multipliers may be made consistent again): a smaller one may succeed.
struct StepReport {
  Failure failure = Failure::none;
  int iterations = 0;
  double displacement = 0.0;  ///< largest displacement over its scale (rad, or model sizes)

  bool ok() const { return failure == Failure::none; }
};

struct Statistics {
  long steps = 0;
  long failed_steps = 0;
  long iterations = 0;
  long factorisations = 0;
  long residual_evaluations = 0;
  int most_iterations = 0;
  double largest_displacement = 0.0;
  int wrong_signs = 0;  ///< factorisations of a tangent that was not positive definite
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins at a motion that is consistent at all levels.
  virtual void start(const system::Motion& motion) = 0;
  /// One step of size h. Does not allocate after the first.
  virtual StepReport step(double h) = 0;
  virtual const system::Motion& motion() const = 0;
  virtual const Statistics& statistics() const = 0;
  /// Things worth telling, e.g. that the tangent's unsymmetric part was needed from some time on.
  virtual const std::vector<std::string>& notes() const = 0;
  virtual std::size_t memory_bytes() const = 0;
};

}  // namespace trammel::integrators
