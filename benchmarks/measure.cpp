#include "measure.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "support/mechanisms.h"
#include <fmt/format.h>
#include <malloc.h>

#include "trammel/analysis/assembly.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/generalized_alpha.h"
#include "trammel/integrators/march.h"

namespace trammel::benchmarks {
namespace {

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

using Observations = std::map<std::string, double>;

Observations observe(model::ModelSystem& system, const system::Motion& motion) {
  const auto quantities = system.observables();
  std::vector<double> values(quantities.size());
  system.observe(motion, values.data());
  Observations named;
  for (std::size_t i = 0; i < values.size(); ++i) named[quantities[i].name] = values[i];
  return named;
}

// The end of the motion under the names of the peer programs.
Observations final_values(const Case& run,
                          model::ModelSystem& system,
                          const system::Motion& motion) {
  Observations o = observe(system, motion);
  if (run.name == "pendulum") {
    const double x = o["bob.position.x"];
    const double y = o["bob.position.y"];
    const double rate = x * o["bob.velocity.y"] - y * o["bob.velocity.x"];
    double angle = std::atan2(y, x);
    if (angle < 0.0) angle += 2.0 * M_PI;
    return {{"angle", angle}, {"rate", rate}, {"x", x}, {"y", y}};
  }
  if (run.name == "fourbar") {
    const double angle = o["rocker0.angle"];
    return {{"angle", angle},
            {"rate", o["rocker0.angular_velocity"]},
            {"x", std::cos(angle)},
            {"y", std::sin(angle)}};
  }
  if (run.name == "slider_crank") {
    return {{"angle", o["crank.angle"]},
            {"rate", o["crank.angular_velocity"]},
            {"slider_x", o["slider.position.x"]}};
  }
  if (run.name == "ancf_pendulum") {
    return {{"x", o["beam.tip.position.x"]}, {"y", o["beam.tip.position.y"]}};
  }
  const std::string last = fmt::format("link{}", run.n - 1);
  double angle = o[last + ".angle"];
  if (run.name != "planar_chain")
    angle = 2.0 * std::atan2(o[last + ".orientation.e3"], o[last + ".orientation.e0"]);
  const double half = 0.5 / run.n;
  return {{"x", o[last + ".position.x"] + half * std::cos(angle)},
          {"y", o[last + ".position.y"] + half * std::sin(angle)},
          {"angle", angle}};
}

Measurement once(const Case& run) {
  Measurement result;
  const model::Description description = mechanism(run);
  const double heap = heap_bytes();
  const double begin = cpu_time();
  const auto system = model::compile(description);
  analysis::Assembly assembly = analysis::assemble(*system);
  result.bodies = system->body_count();

  integrators::GeneralizedAlphaOptions options;
  options.spectral_radius = run.spectral_radius;
  options.solver = run.solver;
  integrators::GeneralizedAlpha integrator(*system, options);
  integrator.start(assembly.motion);
  result.setup_s = cpu_time() - begin;
  const system::Energy before = system->energy(assembly.motion.state);
  assembly = {};  // the integrator has its own copy
  integrators::March march(integrator);
  const auto steps = static_cast<long>(std::llround(run.until / run.h));
  const double stepping = cpu_time();
  const integrators::MarchReport report =
      march.advance(run.until / static_cast<double>(steps), steps);
  result.cpu_s = cpu_time() - stepping;
  result.bytes_per_body = (heap_bytes() - heap) / result.bodies;

  result.ok = report.ok;
  result.halvings = report.halvings;
  result.statistics = integrator.statistics();
  result.per_step_us = 1e6 * result.cpu_s / static_cast<double>(result.statistics.steps);
  result.per_body_us = result.per_step_us / result.bodies;
  const system::Energy after = system->energy(integrator.motion().state);
  result.energy_error = after.kinetic + after.potential - before.kinetic - before.potential;
  system::Vector g;
  system->position_constraint(integrator.motion().state, g);
  result.constraint_error = g.size() > 0 ? g.lpNorm<Eigen::Infinity>() : 0.0;
  if (result.ok) result.final = final_values(run, *system, integrator.motion());
  for (const std::string& note : integrator.notes()) result.note += note;
  if (!report.ok) result.note += integrators::to_string(report.failure);
  return result;
}

}  // namespace

model::Description mechanism(const Case& run) {
  if (run.name == "chain") return support::chain(run.n, model::Space::spatial);
  if (run.name == "hanging_chain") return support::hanging_chain(run.n, model::Space::spatial);
  if (run.name == "taut_chain") return support::taut_chain(run.n);
  if (run.name == "planar_chain") return support::chain(run.n, model::Space::planar);
  if (run.name == "fourbar") return support::four_bars(run.n);
  if (run.name == "slider_crank") return support::slider_crank();
  if (run.name == "pendulum") return support::pendulum();
  if (run.name == "ancf_pendulum") return support::ancf_pendulum(run.n);
  throw core::InputError(
      fmt::format("unknown case '{}'", run.name),
      core::suggestion(run.name, {"chain", "hanging_chain", "taut_chain", "planar_chain", "fourbar",
                                  "slider_crank", "pendulum", "ancf_pendulum"}));
}

Measurement median(std::vector<Measurement>& measured) {
  std::sort(measured.begin(), measured.end(),
            [](const Measurement& a, const Measurement& b) { return a.cpu_s < b.cpu_s; });
  return measured[measured.size() / 2];
}

Measurement measure(const Case& run) {
  std::vector<Measurement> all;
  for (int i = 0; i < std::max(1, run.repeat); ++i) all.push_back(once(run));
  return median(all);
}

}  // namespace trammel::benchmarks
