// A simulation that a program takes step by step: to steer it, to look at it, to go back.
//
//     Stepper sim(compile(description), description.simulation, inputs_of(description));
//     const int u = sim.input("torque");
//     while (sim.time() < 10.0) {
//       sim.set_input(u, controller(sim.motion().state.q));
//       sim.step();
//     }
//
// Inputs are first-order states with the rate zero (z' = 0): whatever formula reads them sees what
// was set last, held until it is set again. A change makes accelerations and multipliers jump; they
// are computed anew before the next step, and the method starts there.
//
// What a motion goes on from is a value (Saved): positions, velocities, states, and the turns that
// angles have made. Multistep methods start anew from one that is restored.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/model_march.h"
#include "trammel/analysis/start.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// Names of the states whose rate is written as 0: they change only when they are set.
std::vector<std::string> inputs_of(const model::Description& description);

class Stepper {
 public:
  /// Assembles the model. `inputs` are names of states. InputError for a method that does not go
  /// with the model and for inputs that are no states, RunError when it cannot be assembled. Steps
  /// are those of the settings; a method that chooses its own goes as far.
  Stepper(std::unique_ptr<model::ModelSystem> system,
          const model::SimulationSettings& settings,
          const std::vector<std::string>& inputs = {},
          Start start = Start::described);
  ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  Stepper(Stepper&&) = delete;
  Stepper& operator=(Stepper&&) = delete;

  /// One of its own, standing at the same motion; the constant model is shared.
  std::unique_ptr<Stepper> clone() const;

  double step_size() const { return step_; }
  double time() const { return motion_.state.t; }
  /// Stays where it is in memory: the numbers change with every step.
  const system::Motion& motion() const { return motion_; }
  model::ModelSystem& system() { return march_->system(); }
  const Assembly& assembly() const { return assembly_; }
  const std::vector<model::Quantity>& observables() const { return observables_; }
  const std::string& method() const { return method_; }

  /// RunError when a step fails even with a smaller size; the motion stays where it got to.
  void step(long count = 1);
  /// Whole steps, and a shorter one where that is needed. InputError for a time that has passed.
  void advance(double until);
  /// Back to the assembled start; inputs to their initial values.
  void reset();

  struct Saved {
    system::Motion motion;
    std::vector<double> angles;  ///< as counted
  };
  Saved save();
  void restore(const Saved& saved);
  /// Goes on from positions, velocities and states that somebody made up: onto the constraints by
  /// the least motion of mass if `project`, else as they are. RunError when they cannot be reached.
  void set_state(const system::State& state, bool project = true);

  /// The number of an input; InputError with the nearest name for what is none.
  int input(const std::string& name) const;
  const std::vector<std::string>& input_names() const { return input_names_; }
  void set_input(int input, double value);
  double input_value(int input) const;

  /// One number per observable.
  void observe(double* values);
  /// The number of a channel among the observables, and its value now. InputError with the nearest
  /// name for what is none.
  int channel(const std::string& name) const;
  double value(int channel);
  double value(const std::string& name) { return value(channel(name)); }

 private:
  Stepper(std::unique_ptr<model::ModelSystem> system, const Stepper& other);
  void begin(system::Motion motion);
  void find_inputs(const std::vector<std::string>& names);
  /// Accelerations after inputs have changed.
  void settle();
  void take(double h, long count);

  std::unique_ptr<model::ModelSystem> model_;
  model::SimulationSettings settings_;
  std::string method_;
  double step_ = 0.0;
  Assembly assembly_;
  std::vector<double> first_angles_;
  std::unique_ptr<ModelMarch> march_;
  std::unique_ptr<constraint_handling::ConsistentStart> consistent_;
  std::vector<model::Quantity> observables_;
  std::vector<double> observed_;  ///< scratch of value()
  std::vector<std::string> input_names_;
  std::vector<Eigen::Index> input_states_;  ///< in z
  system::Motion motion_;
  bool changed_ = false;
};

}  // namespace trammel::analysis
