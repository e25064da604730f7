// Released chains by methods with error control, in relative coordinates: time and error.
//
// The chain of 100 links (1 m, 1 kg, from the horizontal) lashes out like a whip before the first
// second is over. Errors are those of the centre of the last link, against the other method at a
// far sharper tolerance.
#include <ctime>

#include "suite.h"
#include "support/mechanisms.h"
#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/march.h"

namespace trammel::benchmarks {
namespace {

struct Outcome {
  bool ok = true;
  double cpu_s = 0.0;
  Eigen::Vector3d last_link = Eigen::Vector3d::Zero();
  integrators::Statistics statistics;
};

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Outcome run(model::Space space, int links, const std::string& method, double tolerance) {
  const auto system = formulation::compile_relative(support::chain(links, space));
  const analysis::Assembly assembly = analysis::assemble(*system);
  const integrators::IntegratorKind& kind = *integrators::find_integrator_kind(method);
  const auto integrator = kind.make(
      *system, {{"relative_tolerance", tolerance}, {"absolute_tolerance", tolerance}}, "auto");
  const double begin = cpu_time();
  integrator->start(assembly.motion);
  integrators::March march(*integrator);
  Outcome outcome;
  outcome.ok = march.advance(1.0, 1).ok;
  outcome.cpu_s = cpu_time() - begin;
  outcome.statistics = integrator->statistics();
  // The last body's centre stands first among the coordinates of its node.
  const system::Motion& motion = system->to_absolute(integrator->motion());
  const int dimension = space == model::Space::planar ? 2 : 3;
  const int per_body = space == model::Space::planar ? 3 : 7;
  outcome.last_link.head(dimension) = motion.state.q.segment((links - 1) * per_body, dimension);
  return outcome;
}

void table(model::Space space) {
  constexpr int links = 100;
  const std::string methods[] = {"dormand-prince", "adams"};
  for (const std::string& method : methods) {
    const std::string& other = methods[method == methods[0] ? 1 : 0];
    const Outcome reference = run(space, links, other, 1e-11);
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const Outcome outcome = run(space, links, method, tolerance);
      fmt::print("{:<9}{:<16}{:>10.0e}{:>10.3f}{:>12.1e}{:>8}{:>10}{:>14}{}\n",
                 model::to_string(space), method, tolerance, outcome.cpu_s,
                 (outcome.last_link - reference.last_link).norm(), outcome.statistics.steps,
                 outcome.statistics.failed_steps, outcome.statistics.residual_evaluations,
                 outcome.ok && reference.ok ? "" : "  FAILED");
    }
  }
}

}  // namespace

void adaptive_costs() {
  fmt::print("\nReleased chains of 100 links for 1 s, relative coordinates (0.3 s at 1e-5 m)\n");
  fmt::print("{:<9}{:<16}{:>10}{:>10}{:>12}{:>8}{:>10}{:>14}\n", "space", "method", "tolerance",
             "CPU s", "error m", "steps", "rejected", "evaluations");
  table(model::Space::planar);
  table(model::Space::spatial);
}

}  // namespace trammel::benchmarks
