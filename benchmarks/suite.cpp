#include "suite.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <vector>

#include "measure.h"
#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::benchmarks {
namespace {

void small_mechanisms() {
  fmt::print("\nSmall mechanisms, h = 1 ms, CPU time per step\n");
  fmt::print("{:<24}{:>12}{:>14}{:>12}{:>14}\n", "case", "us/step", "steps/s", "its/step",
             "limit us");
  const auto line = [](const Case& run, const char* limit) {
    const Measurement m = measure(run);
    fmt::print(
        "{:<24}{:>12.3f}{:>14.0f}{:>12.2f}{:>14}\n", run.name, m.per_step_us, 1e6 / m.per_step_us,
        static_cast<double>(m.statistics.iterations) / static_cast<double>(m.statistics.steps),
        limit);
  };
  line({.name = "pendulum", .until = 100.0, .repeat = 3}, "4");
  line({.name = "slider_crank", .until = 100.0, .repeat = 3}, "4");
}

void four_bars(bool quick) {
  fmt::print("\nN four-bars, h = 1 ms: cost per body and step (limit 3 us, linear in N)\n");
  fmt::print("{:<10}{:>10}{:>14}{:>14}{:>14}\n", "N", "bodies", "us/step", "us/body/step", "gap");
  for (const int n : {1, 10, 40, 100, 1000}) {
    if (quick && n > 100) continue;
    const Measurement m = measure({.name = "fourbar", .n = n, .until = n > 100 ? 0.2 : 1.0});
    fmt::print("{:<10}{:>10}{:>14.2f}{:>14.3f}{:>14.1e}\n", n, m.bodies, m.per_step_us,
               m.per_body_us, m.constraint_error);
  }
}

void released_chains(bool quick) {
  fmt::print("\nReleased chains, 1 m and 1 kg in all, h = 1 ms (limits 0.5, 5, 50 ms/step)\n");
  fmt::print("{:<8}{:<10}{:>8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>12}\n", "N", "space", "until s",
             "ms/step", "its/step", "halvings", "max turn", "energy err J", "gap m");
  const auto line = [](const char* name, int n, double until) {
    const Measurement m = measure({.name = name, .n = n, .h = 1e-3, .until = until});
    fmt::print(
        "{:<8}{:<10}{:>8g}{:>12.3f}{:>12.2f}{:>12}{:>12.3f}{:>14.1e}{:>12.1e}{}\n", n,
        name[0] == 'p' ? "planar" : "spatial", until, 1e-3 * m.per_step_us,
        static_cast<double>(m.statistics.iterations) / static_cast<double>(m.statistics.steps),
        m.halvings, m.statistics.largest_displacement, m.energy_error, m.constraint_error,
        m.ok ? "" : "  FAILED");
  };
  line("chain", 100, 1.0);
  line("planar_chain", 100, 1.0);
  line("chain", 1000, 0.2);
  if (quick) return;
  line("planar_chain", 1000, 1.0);
  line("chain", 10000, 0.2);
  line("planar_chain", 10000, 0.2);
}

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Median time of ten calls, ms.
template <class F>
double median_ms(F call) {
  std::vector<double> times;
  for (int i = 0; i < 10; ++i) {
    const double begin = cpu_time();
    call();
    times.push_back(1e3 * (cpu_time() - begin));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

// A wave along a taut chain asks the same of every bar, however many there are. The swinging chain,
// 1 m in all, gets stiffer with their number: the tension acts on ever shorter and lighter bars.
void chain_scaling(bool quick) {
  const auto table = [quick](const char* title, Case run) {
    fmt::print("\n{}, 50 steps\n", title);
    fmt::print("{:<10}{:>14}{:>12}{:>12}{:>12}{:>16}{:>12}\n", "N", "us/body/step", "its/step",
               "fact./step", "ratio", "bytes/body", "setup s");
    run.until = 50.0 * run.h;
    // All lengths in turn, several times: the speed of a shared machine changes within seconds.
    const int rounds = quick ? 1 : 5;
    std::map<int, std::vector<Measurement>> all;
    for (int round = 0; round < rounds; ++round) {
      for (const int n : {100, 1000, 10000, 100000}) {
        if (quick && n > 10000) continue;
        run.n = n;
        run.repeat = n > 1000 ? 1 : 9;
        all[n].push_back(measure(run));
      }
    }
    const double first = median(all[100]).per_body_us;
    for (auto& [n, measured] : all) {
      const Measurement m = median(measured);
      const auto steps = static_cast<double>(m.statistics.steps);
      fmt::print("{:<10}{:>14.3f}{:>12.2f}{:>12.2f}{:>12.2f}{:>16.0f}{:>12.2f}\n", n, m.per_body_us,
                 static_cast<double>(m.statistics.iterations) / steps,
                 static_cast<double>(m.statistics.factorisations) / steps, m.per_body_us / first,
                 m.bytes_per_body, m.setup_s);
    }
  };
  table("Open chains of spatial bodies, a wave running along (limits: ratio 1.5, 6000 bytes/body)",
        {.name = "taut_chain", .h = 1e-3});
  table("The same, 1 m in all and swinging gently, h = 0.1 ms",
        {.name = "hanging_chain", .h = 1e-4});
}

void linear_solvers() {
  fmt::print("\nKKT matrix of a chain of spatial bodies: linear solvers side by side (ms)\n");
  fmt::print("{:<8}{:<14}{:>12}{:>12}{:>12}{:>14}\n", "N", "solver", "factor", "solve", "ratio",
             "MB");
  for (const int n : {100, 1000, 10000}) {
    const auto system = model::compile(mechanism({.name = "chain", .n = n}));
    const analysis::Assembly assembly = analysis::assemble(*system);
    system::KktMatrix matrix(system->pattern());
    system->tangent(assembly.motion, {.position = 1e-9, .acceleration = 1.0}, nullptr, matrix);
    system::Vector b = system::Vector::Ones(matrix.pattern->size());
    system::Vector x;
    double first = 0.0;
    for (const char* name : {"block-ldlt", "eigen-ldlt", "klu"}) {
      // KLU's pivoting fills the factors of long chains; the time is not worth waiting for.
      if (n > 1000 && std::string_view(name) == "klu") continue;
      const auto solver = linear::make_solver(name);
      solver->analyse(matrix.pattern);
      solver->factor(matrix);
      const double factor = median_ms([&] { solver->factor(matrix); });
      const double solve = median_ms([&] { solver->solve(b, x); });
      if (first == 0.0) first = factor + solve;
      fmt::print("{:<8}{:<14}{:>12.4f}{:>12.4f}{:>12.2f}{:>14.2f}\n", n, name, factor, solve,
                 (factor + solve) / first, 1e-6 * static_cast<double>(solver->memory_bytes()));
    }
  }
}

void run_suite(bool quick) {
  small_mechanisms();
  four_bars(quick);
  chain_scaling(quick);
  released_chains(quick);
  linear_solvers();
  recursion_costs();
  adaptive_costs();
  accuracy_costs(quick);
  flexible_costs(quick);
  treatment_costs(quick);
  item_costs();
  if (!quick) thread_gains();
}

}  // namespace trammel::benchmarks
