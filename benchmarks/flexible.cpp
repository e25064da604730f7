// What bodies that bend cost: a pendulum of planar elements in absolute nodal coordinates.
#include <cmath>

#include "measure.h"
#include "suite.h"
#include <fmt/format.h>

namespace trammel::benchmarks {

// The error is that of the tip after 0.5 s against steps of a quarter.
void flexible_costs(bool quick) {
  fmt::print("\nPendulum of n planar ancf elements, h = 1 ms, 0.5 s, CPU time per step\n");
  fmt::print("{:<8}{:>12}{:>16}{:>12}{:>12}{:>14}{:>12}\n", "n", "us/step", "us/element/step",
             "its/step", "fact./step", "error m", "limit us");
  const auto limit = [](int n) { return n == 8 ? "10" : n == 32 ? "35" : n == 128 ? "130" : ""; };
  for (const int n : {8, 32, 128, 1024}) {
    if (quick && n > 128) continue;
    Case run{.name = "ancf_pendulum", .n = n, .until = 0.5, .repeat = n > 128 ? 1 : 5};
    const Measurement m = measure(run);
    run.h = 0.25e-3;
    run.repeat = 1;
    const Measurement fine = measure(run);
    const auto steps = static_cast<double>(m.statistics.steps);
    const auto difference = [&](const char* name) {
      return m.final.at(name) - fine.final.at(name);
    };
    fmt::print("{:<8}{:>12.2f}{:>16.3f}{:>12.2f}{:>12.2f}{:>14.1e}{:>12}\n", n, m.per_step_us,
               m.per_step_us / n, static_cast<double>(m.statistics.iterations) / steps,
               static_cast<double>(m.statistics.factorisations) / steps,
               std::hypot(difference("x"), difference("y")), limit(n));
  }
}

}  // namespace trammel::benchmarks
