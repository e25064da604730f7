// O(n) forward dynamics of chains: time per link and evaluation, and memory per link.
#include <algorithm>
#include <chrono>
#include <vector>

#include "suite.h"
#include "support/mechanisms.h"
#include <fmt/format.h>

#include "trammel/formulation/recursive_dynamics.h"
#include "trammel/model/kinds.h"

namespace trammel::benchmarks {
namespace {

struct ChainCost {
  double us_per_link = 0.0;
  double bytes_per_link = 0.0;
};

// A chain in motion, so that all velocity terms count.
template <class S>
ChainCost chain_cost(int n) {
  model::Description description = support::chain(n, S::space);
  core::Diagnostics diagnostics;
  model::check(description, diagnostics);
  const auto mechanism = model::build_mechanism<S>(description);
  const auto tree = std::make_shared<const formulation::HingeTree<S>>(formulation::build_hinge_tree(
      description, *mechanism, topology::spanning_tree(formulation::graph_of(description))));
  formulation::RecursiveDynamics<S> recursion(tree, mechanism);
  system::Vector q = system::Vector::LinSpaced(n, 0.0, 1.0);
  const system::Vector v = system::Vector::LinSpaced(n, 1.0, -1.0);
  system::Vector a;
  recursion.accelerations(q, v, a);
  // Least of several rounds: what others on the machine do can only add.
  const int calls = std::max(1, 20000 / n);
  double least = 1e300;
  for (int round = 0; round < 15; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) recursion.accelerations(q, v, a);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, 1e6 * time.count() / calls / n);
  }
  return {least, static_cast<double>(recursion.memory_bytes()) / n};
}

template <class S>
void print_costs() {
  for (const int n : {10, 100, 1000, 10000, 100000}) {
    const ChainCost cost = chain_cost<S>(n);
    fmt::print("{:<9}{:<10}{:>14.3f}{:>14.0f}\n", model::to_string(S::space), n, cost.us_per_link,
               cost.bytes_per_link);
  }
}

}  // namespace

void recursion_costs() {
  fmt::print("\nForward dynamics of revolute chains by the articulated-body recursion\n");
  fmt::print("{:<9}{:<10}{:>14}{:>14}   (at most 0.5 us, flat)\n", "space", "N", "us per link",
             "bytes");
  print_costs<formulation::Planar>();
  print_costs<formulation::Spatial>();
}

double forward_dynamics_us_per_link(int n) {
  return chain_cost<formulation::Spatial>(n).us_per_link;
}

}  // namespace trammel::benchmarks
