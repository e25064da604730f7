#include "trammel/analysis/examination.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "trammel/analysis/fastest_rate.h"
#include "trammel/analysis/model_copy.h"

namespace trammel::analysis {
namespace {

double share(double part, double whole) {
  return whole > 0.0 ? part / whole : 0.0;
}

Evidence evidence_of(model::ModelSystem& system,
                     const std::string& name,
                     const integrators::Integrator& integrator,
                     const Recorder& recorder,
                     const SimulationReport& report) {
  const integrators::Statistics& s = integrator.statistics();
  const EnergyTraffic& traffic = recorder.traffic();
  Evidence e;
  e.integrator = name;
  e.adaptive = integrator.adaptive();
  e.damps = integrator.damps();
  e.step = integrator.motion().state.t / static_cast<double>(std::max(1L, s.steps));
  e.exchanged = traffic.exchanged();
  e.lack = traffic.largest_lack;
  e.time_of_lack = traffic.time_of_lack;
  e.largest_energy = traffic.largest_kinetic + std::max(std::abs(traffic.lowest_potential),
                                                        std::abs(traffic.highest_potential));
  system::Vector f;
  system.forces(integrator.motion().state, f);
  e.loads = f.cwiseAbs().dot(system.displacement_scale());
  e.position_error = recorder.position_error();
  e.redundant = report.assembly.mobility.redundant.size();
  e.size = system.size();
  e.velocity_error = recorder.velocity_error();
  e.speed = recorder.speed();
  e.mispredicted = share(s.mispredicted, s.moved);
  e.estimate = report.error;
  return e;
}

}  // namespace

Examination::Examination(const model::ModelSystem& system, SecondRun second_run)
    : second_run_(second_run) {
  constexpr int few = 20000;  // velocities and rows: more are never cheap
  const system::Sizes sizes = system.sizes();
  if (second_run_ == SecondRun::when_cheap && sizes.v + sizes.multipliers() > few) {
    second_run_ = SecondRun::never;
  }
  if (second_run_ != SecondRun::never) copy_ = copy_of(system);
}

void Examination::begin(const OutputGrid& grid) {
  if (copy_) trail_ = MotionTrail(grid);
}

void Examination::estimate(const model::SimulationSettings& settings,
                           const integrators::Integrator& integrator,
                           const EarlyEnd& end,
                           SimulationReport& report) {
  const bool dear = second_run_ == SecondRun::when_cheap && copy_ &&
                    !cheap(copy_->sizes(), integrator.statistics());
  if (!copy_ || dear) {
    report.error.reason = dear ? "a second run would take long" : "no second run was made";
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  report.error =
      estimate_error(*copy_, {settings, report.assembly.motion, trail_, integrator}, end);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  report.statistics["second_run_time"] = time.count();
  if (report.error.known) report.statistics["error_estimate"] = report.error.position;
}

void Examination::conclude(model::ModelSystem& system,
                           const model::SimulationSettings& settings,
                           const integrators::Integrator& integrator,
                           const Recorder& recorder,
                           const EarlyEnd& end,
                           SimulationReport& report) {
  if (report.outcome != results::Outcome::completed) {
    report.error.reason = "the run did not come to its end";
    return;
  }
  estimate(settings, integrator, end, report);
  Evidence evidence = evidence_of(system, settings.integrator, integrator, recorder, report);
  if (wants_fastest_rate(evidence)) {
    evidence.fastest_rate = fastest_rate(system, integrator.motion());
    report.statistics["fastest_rate"] = evidence.fastest_rate;
  }
  for (Doubt& doubt : judge(evidence)) report.doubts.push_back(std::move(doubt));
  if (!recorder.undefined().empty()) {
    report.doubts.push_back({"numbers", recorder.undefined(),
                             "mend the formula where it divides by zero or leaves its range"});
  }
  report.statistics["exchanged_energy"] = evidence.exchanged;
  report.statistics["largest_energy_lack"] = evidence.lack;
  report.statistics["mispredicted"] = evidence.mispredicted;
  report.statistics["doubts"] = static_cast<double>(report.doubts.size());
}

}  // namespace trammel::analysis
