// Assembly and solution by several threads: wall time of residuals, tangents, factors and
// substitution of a long chain, all numbers of threads in turn, and whether the bits are the same.
#include "trammel/system/threads.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>

#include "measure.h"
#include "suite.h"
#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/linear/block_ldlt.h"
#include "trammel/linear/solver_scope.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::benchmarks {
namespace {

constexpr std::array<int, 4> numbers_of_threads = {1, 2, 3, 7};

struct Assembled {
  system::Vector residual;
  system::Vector constraint;
  system::KktMatrix tangent;
  system::Vector solution;
};

struct AssemblyTimes {
  double residual_ms = std::numeric_limits<double>::infinity();
  double tangent_ms = std::numeric_limits<double>::infinity();
  double factor_ms = std::numeric_limits<double>::infinity();
  double solve_ms = std::numeric_limits<double>::infinity();
};

double wall_ms(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count();
}

template <class Values>
bool same_bits(const Values& a, const Values& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(a[0]) * static_cast<std::size_t>(a.size())) == 0;
}

bool same_bits(const Assembled& a, const Assembled& b) {
  return same_bits(a.residual, b.residual) && same_bits(a.constraint, b.constraint) &&
         same_bits(a.tangent.values, b.tangent.values) && same_bits(a.solution, b.solution);
}

}  // namespace

void thread_gains() {
  const int n = 100000;
  const auto system = model::compile(mechanism({.name = "taut_chain", .n = n}));
  const analysis::Assembly assembly = analysis::assemble(*system);
  const system::Weights weights{.position = 1e-6, .velocity = 1e-3, .acceleration = 1.0};
  Assembled first{{}, {}, system::KktMatrix(system->pattern()), {}};
  Assembled later = first;
  std::array<AssemblyTimes, numbers_of_threads.size()> times;
  std::array<bool, numbers_of_threads.size()> same{};
  linear::SolverScope scope;
  linear::BlockLdlt solver;
  solver.analyse(system->pattern());
  const system::Vector right_side = system::Vector::Ones(system->pattern()->size());
  // Least of several rounds: what others on the machine do can only add.
  for (int round = 0; round < 25; ++round) {
    for (std::size_t i = 0; i < numbers_of_threads.size(); ++i) {
      Assembled& made = i == 0 ? first : later;
      system::set_threads(*system, numbers_of_threads[i]);
      const auto residual = [&] {
        system->residual(assembly.motion, made.residual, made.constraint);
      };
      const auto tangent = [&] {
        system->tangent(assembly.motion, weights, nullptr, made.tangent);
      };
      times[i].residual_ms = std::min(times[i].residual_ms, wall_ms(residual));
      times[i].tangent_ms = std::min(times[i].tangent_ms, wall_ms(tangent));
      model::WorkerTeam team(numbers_of_threads[i]);
      scope.set_team([&team](int pieces, const auto& work) { team.run(pieces, work); });
      times[i].factor_ms =
          std::min(times[i].factor_ms, wall_ms([&] { solver.factor(made.tangent); }));
      const auto solve = [&] { solver.solve(right_side, made.solution); };
      times[i].solve_ms = std::min(times[i].solve_ms, wall_ms(solve));
      scope.set_team({});
      same[i] = same_bits(first, made);
    }
  }
  fmt::print(
      "\nAssembly and solution of a chain of {} spatial bodies by threads (wall time; two: at "
      "least 1.6)\n",
      n);
  fmt::print("{:<9}{:>14}{:>14}{:>14}{:>14}{:>8}   {}\n", "threads", "residual ms", "tangent ms",
             "factor ms", "solve ms", "gain", "bits of one thread");
  const auto sum = [](const AssemblyTimes& t) {
    return t.residual_ms + t.tangent_ms + t.factor_ms + t.solve_ms;
  };
  for (std::size_t i = 0; i < numbers_of_threads.size(); ++i) {
    fmt::print("{:<9}{:>14.2f}{:>14.2f}{:>14.2f}{:>14.2f}{:>8.2f}   {}\n", numbers_of_threads[i],
               times[i].residual_ms, times[i].tangent_ms, times[i].factor_ms, times[i].solve_ms,
               sum(times[0]) / sum(times[i]), same[i] ? "the same" : "OTHERS");
  }
}

}  // namespace trammel::benchmarks
