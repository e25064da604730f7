// What a given accuracy costs: two mechanisms by methods with error control, in absolute and
// relative coordinates, at ever sharper tolerances; the cheapest run that reaches it, as all
// sharper ones do, is told.
//
// Andrews' squeezing mechanism: largest relative error of the seven angles at 0.03 s. Slider-crank
// of the examples: largest error of any position at 10 s, m or rad. The truth is adams at 1e-12.
#include <algorithm>
#include <limits>

#include "suite.h"
#include "unit/analysis/tolerance_study.h"
#include <fmt/format.h>

#include "trammel/formulation/coordinates.h"

namespace trammel::benchmarks {
namespace {

namespace study = analysis::tolerance_study;

struct Mechanism {
  std::string name;
  model::Description description;
  double until;
  bool relative_error;
  std::vector<double> wanted;
  std::vector<const char*> limits;  // ms of processor time
};

std::vector<Mechanism> mechanisms() {
  return {
      {"Andrews' squeezer", analysis::trial("squeezer"), 0.03, true, {1e-3, 1e-6}, {"1.5", "4"}},
      {"slider-crank, 10 s", support::slider_crank(), 10.0, false, {1e-4}, {"10"}}};
}

struct Candidate {
  std::string method;
  bool relative;
  double tolerance;
  std::unique_ptr<model::ModelSystem> system;
  formulation::RelativeModel* tree = nullptr;
  analysis::Assembly assembly;
  double cpu_s = std::numeric_limits<double>::infinity();  // the least of all rounds
  double error = 0.0;
  integrators::Statistics statistics;
};

Candidate candidate(const Mechanism& mechanism,
                    const std::string& method,
                    bool relative,
                    double tolerance) {
  Candidate result{.method = method, .relative = relative, .tolerance = tolerance};
  if (relative) {
    auto tree = formulation::compile_relative(mechanism.description);
    result.tree = tree.get();
    result.system = std::move(tree);
  } else {
    result.system = model::compile(mechanism.description);
  }
  result.assembly = analysis::assemble(*result.system);
  return result;
}

// Runs it once; positions of the end in absolute coordinates.
system::Vector run(Candidate& each, double until) {
  const study::Sampled result = study::sampled(
      *each.system, each.assembly, study::with_tolerance(each.method, each.tolerance), until, 1);
  each.cpu_s = std::min(each.cpu_s, result.cpu_s);
  each.statistics = result.statistics;
  if (!result.ok) each.error = std::numeric_limits<double>::infinity();
  if (each.tree == nullptr) return result.states.back().q;
  return each.tree
      ->to_absolute({result.states.back(), each.assembly.motion.a, each.assembly.motion.lambda})
      .state.q;
}

double error_of(const Mechanism& mechanism, const system::Vector& q, const system::Vector& exact) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double difference = std::abs(q[i] - exact[i]);
    if (!mechanism.relative_error) {
      largest = std::max(largest, difference);
    } else if (i % 3 == 2) {  // x, y, angle
      largest = std::max(largest, difference / std::abs(exact[i]));
    }
  }
  return largest;
}

// It, and every sharper tolerance of its method: a lucky run is none.
bool reaches(const Candidate& run, double wanted, const std::vector<Candidate>& all) {
  return std::all_of(all.begin(), all.end(), [&](const Candidate& each) {
    const bool sharper = each.method == run.method && each.relative == run.relative &&
                         each.tolerance <= run.tolerance;
    return !sharper || each.error <= wanted;
  });
}

void table(const Mechanism& mechanism, int rounds) {
  Candidate reference = candidate(mechanism, "adams", false, 1e-12);
  const system::Vector exact = run(reference, mechanism.until);
  std::vector<Candidate> all;
  for (const char* method : {"dormand-prince", "adams"}) {
    for (const bool relative : {false, true}) {
      for (int i = 0; i < 12; ++i) {
        const double tolerance = std::pow(10.0, -2.0 - 0.5 * i);
        all.push_back(candidate(mechanism, method, relative, tolerance));
      }
    }
  }
  // In turn: the speed of a shared machine changes within seconds.
  for (int round = 0; round < rounds; ++round) {
    for (Candidate& each : all) {
      const system::Vector q = run(each, mechanism.until);
      each.error = std::max(each.error, error_of(mechanism, q, exact));
    }
  }
  fmt::print("\n{}\n{:<16}{:<10}{:>10}{:>10}{:>12}{:>8}{:>10}{:>13}\n", mechanism.name, "method",
             "", "tolerance", "CPU ms", "error", "steps", "rejected", "evaluations");
  for (const Candidate& each : all) {
    fmt::print("{:<16}{:<10}{:>10.1e}{:>10.3f}{:>12.1e}{:>8}{:>10}{:>13}\n", each.method,
               each.relative ? "relative" : "absolute", each.tolerance, 1e3 * each.cpu_s,
               each.error, each.statistics.steps, each.statistics.failed_steps,
               each.statistics.residual_evaluations);
  }
  for (std::size_t i = 0; i < mechanism.wanted.size(); ++i) {
    const Candidate* best = nullptr;
    for (const Candidate& each : all) {
      if (!reaches(each, mechanism.wanted[i], all)) continue;
      if (best == nullptr || each.cpu_s < best->cpu_s) best = &each;
    }
    if (best == nullptr) continue;
    fmt::print("to {:.0e}: {:.2f} ms (limit {}), by {}, {} coordinates, tolerance {:.1e}\n",
               mechanism.wanted[i], 1e3 * best->cpu_s, mechanism.limits[i], best->method,
               best->relative ? "relative" : "absolute", best->tolerance);
  }
}

}  // namespace

void accuracy_costs(bool quick) {
  for (const Mechanism& mechanism : mechanisms()) table(mechanism, quick ? 3 : 15);
}

}  // namespace trammel::benchmarks
