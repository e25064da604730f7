// Collects the evidence about a run (verdict.h), and makes the second run where one is wanted.
#pragma once

#include <atomic>
#include <memory>

#include "trammel/analysis/recorder.h"

namespace trammel::analysis {

class Examination {
 public:
  /// Before the system is used: the second run starts from a copy of it.
  Examination(const model::ModelSystem& system, SecondRun second_run);

  void begin(const OutputGrid& grid);
  /// At the start and at every output time; `steps` nominal ones after the last of these.
  void add(const system::State& state, long steps) { trail_.add(state, steps); }

  /// At the end: the error estimate, the doubts and their numbers in the statistics of the report,
  /// whose other parts, and doubts that others have, are there already. Runs that did not complete
  /// are not judged.
  void conclude(model::ModelSystem& system,
                const model::SimulationSettings& settings,
                const integrators::Integrator& integrator,
                const Recorder& recorder,
                const EarlyEnd& end,
                SimulationReport& report);

 private:
  void estimate(const model::SimulationSettings& settings,
                const integrators::Integrator& integrator,
                const EarlyEnd& end,
                SimulationReport& report);

  SecondRun second_run_;
  std::unique_ptr<model::ModelSystem> copy_;
  MotionTrail trail_;
};

}  // namespace trammel::analysis
