// What methods with error control share: their own steps inside the intervals they are asked for.
//
// The method steps on in its own time t_n with steps of its own size, beyond the end of an interval
// where that comes; what is asked for in between is read off the step's interpolating polynomial,
// brought onto the constraints, and given its accelerations and multipliers. No step goes beyond a
// time at which a function of the system jumps or has a kink (system/time_switches.h).
//
// Nothing here knows a second: times are compared to the round-off of the clock, and the first step
// comes from the rates of the motion and from the interval asked for, so that a model whose times
// are 1e-9 s and one whose times are 1e9 s are treated alike.
#pragma once

#include "trammel/integrators/integrator.h"
#include "trammel/integrators/state_equations.h"
#include "trammel/system/time_switches.h"

namespace trammel::integrators {

class AdaptiveIntegrator : public Integrator {
 public:
  AdaptiveIntegrator(system::MechanicalSystem& system, AdaptiveOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  bool adaptive() const override { return options_.steps == StepChoice::adaptive; }
  system::MechanicalSystem& system() override { return equations_.system(); }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  bool integrates_work() const override { return equations_.work_size() > 0; }

 protected:
  /// Begins anew at t_, y_ and dy_, when the first interval is known.
  virtual void restart() = 0;
  /// One step of size h_ from t_; true when it succeeded and t_, y_, now_ are those of its end.
  /// Else the next h_ is smaller.
  virtual bool attempt(Failure& failure) = 0;
  /// y at a time inside the last step.
  virtual void interpolate(double t, system::Vector& y) = 0;
  /// h_ was set to another size by limit_step().
  virtual void step_was_changed() {}
  /// Whether the method starts anew at a switch: where it remembers what was before, at kinks too.
  virtual bool restarts_at(const system::TimeSwitch& next) const { return next.order <= 3; }
  /// After a step that was shortened and would rather have had this size.
  virtual void resume(double /*wanted*/) {}
  /// Puts the motion and the work at a time inside the last step into now_ and work_. False when
  /// it has no accelerations.
  virtual bool look_between(double t);

  /// Work done so far.
  virtual long evaluations() const { return equations_.evaluations(); }
  virtual long factorisations() const { return equations_.factorisations(); }

  /// Before a step over an interval: the first one after a start restarts the method.
  void begin(double interval);
  /// A first step for a method of this order, after [Hairer, Norsett & Wanner 1993, sec. II.4].
  double first_step(int order);
  /// h_, limited by what the user allows, by the turns that the system counts and by what its
  /// functions of time do. False when a jump is so near that the clock does not tell it apart from
  /// t_, which is then its time.
  bool limit_step();
  void limit_turns();
  void round_step();
  /// Rate of the fastest angle whose turns are counted, at t_, rad/s.
  double turn_rate() const { return turn_rate_; }
  /// To be called when t_ and now_ are those of a step's end, or of the start (h = 0).
  void watch_turns(double h);
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
  /// Makes now_ the motion at t_ again, after a look between steps.
  void look_at_end();

  /// Where the system's functions jump: only a start goes on from there.
  bool at_jump() const { return switches_ != nullptr && t_ >= switches_->held().time; }
  /// Whether one lies in (t_, end], though the clock hardly tells these apart.
  bool switch_before(double end) const;

  system::TimeSwitches* switches_;  ///< null: the system's functions of time are smooth
  double switch_time_ = 0.0;        ///< where the present step is to end exactly, or infinite
  double wanted_ = 0.0;             ///< its size before it was limited
  system::Motion end_motion_;       ///< that of t_n, while now_ is one before it
  system::Vector between_;          ///< scratch
  system::Vector rates_;
  double interval_ = 0.0;  ///< the longest one asked for
  bool begun_ = false;     ///< restart() was called
  bool looks_between_ = false;
  bool stiff_ = false;
  double last_size_ = 0.0;  ///< of the last step that succeeded since the start
  double turn_rate_ = 0.0;
  double turn_growth_ = 0.0;  ///< of that rate over the last step, rad/s^2
};

}  // namespace trammel::integrators
