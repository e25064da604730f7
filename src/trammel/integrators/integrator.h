// What every time integrator offers: start from a consistent motion, take steps, report.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "trammel/linear/kkt_solver.h"
#include "trammel/system/time_switches.h"

namespace trammel::integrators {

enum class Failure {
  none,
  diverged,    ///< Newton's corrections grew or did not shrink
  slow,        ///< too many iterations
  not_finite,  ///< a residual or correction is NaN or infinite
  singular,    ///< the tangent could not be factored
  unresolved,  ///< a body turned by more than half a revolution, or not as the last steps foretold
  projection,  ///< the result could not be projected onto the constraints
  tolerance,   ///< the error stays above its tolerance, however small the step
  jump,        ///< a prescribed position jumps
  events,      ///< constraints let go and closed again without end
  round_off,   ///< corrections are lost in the round-off of positions; smaller steps do not help
  no_successor,  ///< no motion goes on from an event
  unstable,      ///< the step is above the stability limit of the method (longest_step())
  partition      ///< dependent coordinates could not be found from the independent ones
};

std::string to_string(Failure failure);

/// Outcome of one step. A failed step leaves time and positions as they were (velocities,
/// accelerations and multipliers may be made consistent again): a smaller one may succeed.
struct StepReport {
  Failure failure = Failure::none;
  int iterations = 0;
  double displacement = 0.0;   ///< largest displacement over its scale (rad, or model sizes)
  double misprediction = 0.0;  ///< of the largest displacement that was extrapolated, likewise
  double size = 0.0;           ///< of the step that an adaptive method took, s; 0: none was needed

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
  /// Sum of the estimated errors of all steps in positions (rad, or model sizes), where a method
  /// estimates them. What the motion makes of them is not in it.
  double local_errors = 0.0;
  /// Sums over all steps of what positions moved by, and of what that differs from the
  /// extrapolation of the steps before (both over their scale), where a method extrapolates. The
  /// ratio is small as long as the steps resolve the motion.
  double moved = 0.0;
  double mispredicted = 0.0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins at a motion that is consistent at all levels.
  virtual void start(const system::Motion& motion) = 0;
  /// One step of size h. Does not allocate after the first. Methods that choose their own steps
  /// (adaptive()) advance by one of them, or by h where that is less.
  virtual StepReport step(double h) = 0;
  virtual bool adaptive() const { return false; }
  /// Of its global error in the step, where motions are smooth.
  virtual int order() const { return 2; }
  /// Up to which order switches in time (system/time_switches.h) are to end a step.
  int minded_switches() const {
    return order() > 2 ? system::TimeSwitch::all : system::TimeSwitch::loads;
  }
  virtual system::MechanicalSystem& system() = 0;
  virtual const system::Motion& motion() const = 0;
  virtual const Statistics& statistics() const = 0;
  /// Things worth telling, e.g. that the tangent's unsymmetric part was needed from some time on.
  virtual const std::vector<std::string>& notes() const = 0;
  virtual std::size_t memory_bytes() const = 0;
  /// The stability limit of the method at motion(), s, where it watches one.
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
  /// Does it damp oscillations that its steps pass over?
  virtual bool damps() const { return false; }

  /// Does the method integrate the powers of the system's energy book along with the motion, to
  /// its own order? Else work() stays zero.
  virtual bool integrates_work() const { return false; }
  /// Work done between the first start and motion(), J. start() goes on with what there is.
  const system::Power& work() const { return work_; }
  /// For whoever is about to start() from an earlier motion again.
  void set_work(const system::Power& work) { work_ = work; }

 protected:
  /// For the end of start(), when all memory is there: that of large systems is moved into large
  /// pages (core/large_pages.h), once; restarts at events find it there. Whether it was moved.
  bool settle_memory();

  system::Power work_;

 private:
  std::size_t settled_ = 0;  ///< bytes that were moved
};

}  // namespace trammel::integrators
