// What methods with error control share: their own steps inside the intervals they are asked for.
//
// The method steps on in its own time t_n with steps of its own size, beyond the end of an interval
// where that comes; what is asked for in between is read off the step's interpolating polynomial,
// brought onto the constraints, and given its accelerations and multipliers.
#pragma once

#include "trammel/integrators/integrator.h"
#include "trammel/integrators/state_equations.h"

namespace trammel::integrators {

class AdaptiveIntegrator : public Integrator {
 public:
  AdaptiveIntegrator(system::MechanicalSystem& system, AdaptiveOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  bool adaptive() const override { return options_.steps == StepChoice::adaptive; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }

 protected:
  /// Begins anew at t_, y_ and dy_.
  virtual void restart() = 0;
  /// One step of size h_ from t_; true when it succeeded and t_, y_, now_ are those of its end.
  /// Else the next h_ is smaller.
  virtual bool attempt(Failure& failure) = 0;
  /// y at a time inside the last step.
  virtual void interpolate(double t, system::Vector& y) = 0;
  /// Puts the motion at a time inside the last step into now_. False when it has no accelerations.
  virtual bool look_between(double t);

  /// Work done so far.
  virtual long evaluations() const { return equations_.evaluations(); }
  virtual long factorisations() const { return equations_.factorisations(); }

  /// A first step for a method of this order [Hairer, Norsett & Wanner 1993, sec. II.4].
  double first_step(int order);
  /// h_, limited by what the user allows.
  void limit_step();
  /// Says once that stability, not accuracy, limits the step.
  void note_stiffness();
  /// Counts a step and its error.
  void count_step(double position_error);

  AdaptiveOptions options_;
  StateEquations equations_;
  double t_ = 0.0;     ///< t_n
  double h_ = 0.0;     ///< size of the next step
  system::Vector y_;   ///< at t_n
  system::Vector dy_;  ///< at t_n
  system::Motion now_;
  Statistics statistics_;
  std::vector<std::string> notes_;

 private:
  StepReport advance();

  system::Vector between_;  ///< scratch
  system::Vector rates_;
  bool stiff_ = false;
};

}  // namespace trammel::integrators
