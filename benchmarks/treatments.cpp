// What explicit steps and the treatments of constraints of Park and Chiou cost, beside
// generalized-alpha at equal accuracy.
//
// Three mechanisms whose bodies do the same however many there are: bodies strung on springs, a
// taut chain of hinged bars with a wave on it, and a hub from which chains of 20 hinged bars hang.
// Where joints hold, every method takes the longest step of h_0/2^k that brings the last body to
// its place to the accuracy asked; the reference is dormand-prince at a sharp tolerance.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <vector>

#include "suite.h"
#include "support/mechanisms.h"
#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/march.h"

namespace trammel::benchmarks {
namespace {

using Eigen::Vector3d;

struct Treatment {
  const char* name;
  const char* method;
  bool relative;
  integrators::Settings settings{};
};

struct Outcome {
  bool ok = true;
  double cpu_s = 0.0;
  long steps = 0;
  int bodies = 0;
  Vector3d last_body = Vector3d::Zero();

  double us_per_body_and_step() const {
    return 1e6 * cpu_s / static_cast<double>(steps) / static_cast<double>(bodies);
  }
};

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// ---- mechanisms

// Every body turns and swings between its springs, and none of them is near its limit of stability.
model::Description strung_bodies(int n) {
  model::Description d;
  d.name = "bodies on springs";
  d.space = model::Space::spatial;
  d.gravity = {0, 0, -9.81};
  constexpr double length = 0.1;
  constexpr double gap = 0.05;
  std::string last = "ground";
  for (int i = 0; i < n; ++i) {
    model::Body body = support::bar("body" + std::to_string(i), length, 0.1, d.space);
    body.mass.inertia = Vector3d(1e-4, 2e-4, 3e-4).asDiagonal();
    body.position = {gap + 0.5 * length + i * (length + gap), 0, 0};
    body.angular_velocity = {1.0, 0.1 * std::sin(i), 0.1 * std::cos(i)};
    d.add_force("spring", "spring" + std::to_string(i), {last, body.name + ".left"},
                {{"stiffness", 500.0}, {"length", 0.8 * gap}});
    last = body.name + ".right";
    d.add_body(std::move(body));
  }
  d.ground_frames.push_back({"end", Vector3d(n * (length + gap) + gap, 0, 0)});
  d.add_force("spring", "spring_end", {last, "ground.end"},
              {{"stiffness", 500.0}, {"length", 0.8 * gap}});
  return d;
}

// A hub that turns about z, and chains of 20 bars that hang from its rim.
model::Description hub_with_chains(int n) {
  model::Description d;
  d.name = "hub with chains";
  d.space = model::Space::spatial;
  d.gravity = {0, -9.81, 0};
  constexpr int links = 20;
  constexpr double length = 0.05;
  constexpr double mass = 0.05;
  const int chains = n / links;
  model::Body hub;
  hub.name = "hub";
  hub.mass.mass = n * mass;
  hub.mass.inertia = 0.1 * n * mass * Eigen::Matrix3d::Identity();
  for (int k = 0; k < chains; ++k) {
    hub.frames.push_back({"rim" + std::to_string(k), Vector3d(0.2, 0, 0.1 * k)});
  }
  d.add_body(hub);
  d.add_joint("revolute", "axle", "ground", "hub");
  for (int k = 0; k < chains; ++k) {
    std::string last = "hub.rim" + std::to_string(k);
    Vector3d left(0.2, 0, 0.1 * k);
    for (int i = 0; i < links; ++i) {
      const double angle = -0.5 * M_PI + 0.3 * static_cast<double>(i) / links;
      const Vector3d along = length * Vector3d(std::cos(angle), std::sin(angle), 0);
      const std::string number = fmt::format("{}_{}", k, i);
      model::Body link = support::bar("link" + number, length, mass, d.space);
      link.position = left + 0.5 * along;
      link.angle = angle;
      link.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
      d.add_joint("revolute", "hinge" + number, last, link.name + ".left");
      last = link.name + ".right";
      left += along;
      d.add_body(std::move(link));
    }
  }
  return d;
}

// ---- runs

Outcome run(const model::Description& description,
            const Treatment& treatment,
            double h,
            double until) {
  Outcome outcome;
  outcome.bodies = static_cast<int>(description.bodies.size());
  std::unique_ptr<model::ModelSystem> absolute;
  std::unique_ptr<formulation::RelativeModel> relative;
  system::MechanicalSystem* system = nullptr;
  analysis::Assembly assembly;
  if (treatment.relative) {
    relative = formulation::compile_relative(description);
    assembly = analysis::assemble(*relative);
    system = relative.get();
  } else {
    absolute = model::compile(description);
    assembly = analysis::assemble(*absolute);
    system = absolute.get();
  }
  const integrators::IntegratorKind& kind = *integrators::find_integrator_kind(treatment.method);
  const auto integrator = kind.make(*system, treatment.settings, "auto");
  integrator->start(assembly.motion);
  integrators::March march(*integrator);
  const auto steps = std::max(1L, static_cast<long>(std::llround(until / h)));
  const double begin = cpu_time();
  outcome.ok = march.advance(until / static_cast<double>(steps), steps).ok;
  outcome.cpu_s = cpu_time() - begin;
  outcome.steps = integrator->statistics().steps;
  const system::Motion& end =
      treatment.relative ? relative->to_absolute(integrator->motion()) : integrator->motion();
  // The position of the last body stands first among its seven coordinates.
  outcome.last_body = end.state.q.segment<3>(end.state.q.size() - 7);
  return outcome;
}

void strung_table(bool quick) {
  fmt::print("\nSpatial bodies on springs, staggered explicit steps of 1 ms (limit 0.3 us)\n");
  fmt::print("{:<10}{:>16}\n", "bodies", "us/body/step");
  const std::vector<int> counts =
      quick ? std::vector<int>{100, 1000} : std::vector<int>{100, 1000, 10000, 100000};
  for (const int n : counts) {
    std::vector<double> costs;
    for (int round = 0; round < 3; ++round) {
      const Outcome outcome =
          run(strung_bodies(n), {"", "staggered", false}, 1e-3, n > 1000 ? 0.1 : 1.0);
      costs.push_back(outcome.us_per_body_and_step());
      if (!outcome.ok) fmt::print("FAILED\n");
    }
    std::sort(costs.begin(), costs.end());
    fmt::print("{:<10}{:>16.3f}\n", n, costs[1]);
  }
}

void constrained_table(const char* name,
                       const std::vector<model::Description>& models,
                       double longest_step,
                       double until,
                       double accuracy) {
  fmt::print("\n{}, {:g} s, last body to {:g} m\n", name, until, accuracy);
  fmt::print("{:<8}{:<34}{:>12}{:>14}{:>22}{:>12}\n", "bodies", "treatment", "step s",
             "us/body/step", "ms/body/simulated s", "error m");
  const std::vector<Treatment> treatments{
      {"generalized-alpha", "generalized-alpha", false},
      {"staggered, penalty stabilisation", "staggered", false},
      {"staggered, natural partitioning", "staggered", true},
  };
  for (const model::Description& description : models) {
    const Treatment sharp{
        "", "dormand-prince", true, {{"relative_tolerance", 1e-10}, {"absolute_tolerance", 1e-10}}};
    const Outcome reference = run(description, sharp, until, until);
    for (const Treatment& treatment : treatments) {
      std::optional<Outcome> found;
      double error = 0.0;
      double h = longest_step;
      for (int k = 0; k < 8 && !found; ++k, h *= 0.5) {
        const Outcome outcome = run(description, treatment, h, until);
        error = (outcome.last_body - reference.last_body).norm();
        if (outcome.ok && error <= accuracy) found = outcome;
      }
      if (!found) {
        fmt::print("{:<8}{:<34}  not reached ({:.1e} m)\n", description.bodies.size(),
                   treatment.name, error);
        continue;
      }
      fmt::print("{:<8}{:<34}{:>12.2e}{:>14.3f}{:>22.3f}{:>12.1e}\n", found->bodies, treatment.name,
                 2.0 * h, found->us_per_body_and_step(), 1e3 * found->cpu_s / found->bodies / until,
                 error);
    }
  }
}

}  // namespace

void treatment_costs(bool quick) {
  strung_table(quick);
  std::vector<model::Description> chains;
  std::vector<model::Description> trees;
  for (const int n : {40, 400, 4000}) {
    if (quick && n > 400) continue;
    chains.push_back(support::taut_chain(n));
    trees.push_back(hub_with_chains(n));
  }
  constrained_table("Taut chain of hinged bars with a wave", chains, 1e-3, 0.05, 1e-4);
  constrained_table("Hub with hanging chains of 20 bars", trees, 4e-3, 0.5, 1e-4);
}

}  // namespace trammel::benchmarks
