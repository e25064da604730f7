// What a run writes: the model's observables, energies, constraint errors and solver statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/analysis/simulate.h"
#include "trammel/analysis/unique_reactions.h"
#include "trammel/integrators/integrator.h"

namespace trammel::analysis {

/// Follows a run step by step: keeps the energy balance and the constraint errors, and writes rows.
class Recorder {
 public:
  Recorder(model::ModelSystem& system, const SimulationOptions& options);

  /// Goes on with another system of the same observables and sizes.
  void use(model::ModelSystem& system);
  /// At the start and after every step. `work` is what the integrator found (integrator.h); null:
  /// powers are integrated here by the trapezoidal rule, of second order.
  void step(const system::Motion& motion, const system::Power* work = nullptr);
  /// What happens at once, J: lost in an impact, done by drives in it, by functions that jump.
  void impact(const system::Power& energies) { book(energies); }
  /// A last row whose time differs from this one by round-off alone is written with it.
  void set_end(double until) { until_ = until; }
  /// Where rows stand that come next, in place of their time: rows of an analysis in which time may
  /// run backwards.
  void place_rows(double at) { place_ = at; }
  /// At output times: one row. `further` are the values of the options' further channels.
  void record(const system::Motion& motion,
              const integrators::Statistics& statistics,
              double h,
              const std::vector<double>& further = {});

  /// Whether positions, velocities, accelerations and multipliers of all rows are finite.
  bool finite() const { return finite_; }
  /// The first channel that was not, and when: "'ratio' is not finite at t = 0 s"; empty for none.
  const std::string& undefined() const { return undefined_; }
  /// What this means for an analysis that ended so: a motion that is not finite is no result. A
  /// channel that is not, of a motion that is, is told beside a result.
  void judge(results::Outcome& outcome, std::string& message, std::string& remedy) const;

  const EnergyBalance& energy() const { return energy_; }
  const EnergyTraffic& traffic() const { return traffic_; }
  double position_error() const { return largest_position_error_; }
  double velocity_error() const { return largest_velocity_error_; }
  double acceleration_error() const { return largest_acceleration_error_; }
  /// Largest |v| at output times, m/s or rad/s.
  double speed() const { return largest_speed_; }
  std::size_t rows() const { return rows_; }

 private:
  void measure_errors(const system::Motion& motion);
  void balance(const system::State& state);
  void book(const system::Power& work);
  void look_for_undefined(const system::Motion& motion);

  model::ModelSystem* system_;
  results::Sink* sink_;
  std::optional<double> place_;
  std::vector<std::size_t> selected_;  ///< recorded channels among all
  std::vector<double> all_;
  std::vector<double> row_;
  std::vector<std::string> names_;  ///< of the row
  bool finite_ = true;
  std::string undefined_;
  std::size_t observables_ = 0;
  bool multipliers_ = false;                    ///< recorded as well
  std::unique_ptr<UniqueReactions> reactions_;  ///< null where they are unique anyhow
  bool reactions_known_ = false;

  EnergyBalance energy_;
  EnergyTraffic traffic_;
  system::Power power_;      ///< at the last step
  system::Power last_work_;  ///< of the integrator
  double last_time_ = 0.0;
  bool started_ = false;

  std::optional<system::KktMatrix> matrix_;  ///< where there are constraints
  system::Vector g_;
  system::Vector stacked_;
  system::Vector product_;
  double position_error_ = 0.0;
  double velocity_error_ = 0.0;
  double acceleration_error_ = 0.0;
  double largest_position_error_ = 0.0;
  double largest_velocity_error_ = 0.0;
  double largest_acceleration_error_ = 0.0;
  double largest_speed_ = 0.0;
  std::size_t rows_ = 0;
  double until_ = -1.0;  ///< s; negative: not known
};

}  // namespace trammel::analysis
