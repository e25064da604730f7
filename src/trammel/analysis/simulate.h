// Simulation: assemble, integrate, record.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/contact_event.h"
#include "trammel/analysis/verdict.h"
#include "trammel/model/model_system.h"
#include "trammel/results/sink.h"

namespace trammel::analysis {

struct Progress {
  double time = 0.0;   ///< reached, s
  double until = 0.0;  ///< s
  long steps = 0;
  double wall_time = 0.0;  ///< s since the start
  double step = 0.0;       ///< the last one taken, s
};

struct SimulationOptions {
  results::Sink* sink = nullptr;  ///< where results go; none when null
  results::RunInformation information;
  std::vector<std::string> channels;      ///< which to record, e.g. "crank.*"; all when empty
  std::vector<results::Channel> further;  ///< that an analysis records besides
  /// Called at output times, and between them ten times a second.
  std::function<void(const Progress&)> progress;
  std::function<void(const system::Motion&)> visit;  ///< called at the start and after every step
  const std::atomic<bool>* stop = nullptr;           ///< set to stop early; results are kept
  double time_limit = 0.0;                  ///< s of wall time after which it stops so; 0: none
  SecondRun second_run = SecondRun::never;  ///< to estimate the error
  /// Of what switches and events leave of fixed steps; see March::set_division_of_parts().
  int division_of_parts = 1;
};

/// Where the energy went between the start and the end, J. The balance
///     (kinetic + potential) end - start = loads + drives - dissipated - numerical_loss
/// defines the numerical loss.
struct EnergyBalance {
  double kinetic = 0.0;
  double potential = 0.0;
  double initial_total = 0.0;
  double dissipated = 0.0;
  double loads = 0.0;
  double drives = 0.0;
  double numerical_loss = 0.0;
};

/// How much energy changed hands in a run, J: what its losses are measured by.
struct EnergyTraffic {
  double largest_kinetic = 0.0;  ///< at output times, as the next ones
  double lowest_potential = 0.0;
  double highest_potential = 0.0;
  double work = 0.0;          ///< sum over all steps of |dissipated|, |of loads| and |of drives|
  double largest_lack = 0.0;  ///< the numerical loss of largest magnitude, with its sign
  double time_of_lack = 0.0;  ///< s

  double exchanged() const {
    return largest_kinetic + (highest_potential - lowest_potential) + work;
  }
};

struct SimulationReport {
  results::Outcome outcome = results::Outcome::completed;
  std::string message;  ///< why it ended, when not completed
  std::string remedy;
  std::string method;  ///< "generalized-alpha, spectral_radius 0.6, step 0.001 s, solver auto"
  std::string choice;  ///< why `auto` chose it, in a sentence; empty when the settings named it
  Assembly assembly;
  system::Motion final_motion;
  EnergyBalance energy;
  EnergyTraffic traffic;
  double largest_position_error = 0.0;  ///< max over output times of max |g|
  double largest_velocity_error = 0.0;
  double largest_acceleration_error = 0.0;
  std::vector<ContactEvent> events;          ///< of unilateral constraints and frictions
  double largest_rotation_per_step = 0.0;    ///< rad (and relative to model size for translations)
  ErrorEstimate error;                       ///< of positions; with a second run only
  std::vector<std::string> certificate;      ///< sentences of certificate.h; empty without one
  std::vector<Doubt> doubts;                 ///< none about a healthy run
  std::map<std::string, double> statistics;  ///< steps, newton_iterations, factorisations, ...
  std::vector<std::string> notes;  ///< e.g. "switched to the unsymmetric tangent at t = ..."
};

/// The names and units that a simulation of this system records.
std::vector<results::Channel> channels(const model::ModelSystem& system);

/// Runs the simulation. Failures of the run are in the report (outcome, message, remedy), with
/// everything recorded until then in the sink; InputError is thrown for wrong settings, RunError
/// when the model cannot be assembled or the sink cannot be written.
SimulationReport simulate(model::ModelSystem& system,
                          const model::SimulationSettings& settings,
                          const SimulationOptions& options = {});

}  // namespace trammel::analysis
