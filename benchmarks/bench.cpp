// trammel_bench [--quick]                  the standard suite
// trammel_bench scaling                    only the cost per body of ever longer chains
// trammel_bench linear                     only the linear solvers
// trammel_bench recursion                  only the recursion on chains
// trammel_bench forward --n N              the recursion on N spatial links, as a JSON line
// trammel_bench adaptive                   only methods with error control on chains
// trammel_bench accuracy [--quick]         only what a given accuracy costs
// trammel_bench tolerances [--problem NAME] [METHOD...]  true errors over tolerances
// trammel_bench flexible                   only pendulums of planar elements that bend
// trammel_bench treatments [--quick]       only staggered steps and treatments of constraints
// trammel_bench threads                    only assembly by several threads
// trammel_bench iterations [--quick]       only conjugate gradients by preconditioner
// trammel_bench CASE [--n N] [--h H] ...   one run as a JSON line, named as in the peer programs
#include <cstdio>
#include <string>
#include <vector>

#include "measure.h"
#include "suite.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace {

using trammel::benchmarks::Case;
using trammel::benchmarks::Measurement;

Case parse(const std::vector<std::string>& words) {
  Case run;
  run.name = words[0];
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string& key = words[i];
    const std::string& value = words[i + 1];
    if (key == "--n")
      run.n = std::stoi(value);
    else if (key == "--h")
      run.h = std::stod(value);
    else if (key == "--until")
      run.until = std::stod(value);
    else if (key == "--spectral-radius")
      run.spectral_radius = std::stod(value);
    else if (key == "--solver")
      run.solver = value;
    else if (key == "--repeat")
      run.repeat = std::stoi(value);
    else
      throw trammel::core::InputError("unknown option '" + key + "'",
                                      "known: --n --h --until --spectral-radius --solver --repeat");
  }
  return run;
}

void print_json(const Case& run, const Measurement& m) {
  std::string values;
  for (const auto& [name, value] : m.final) {
    values += fmt::format("{}\"{}\":{:.17g}", values.empty() ? "" : ",", name, value);
  }
  fmt::print(
      "{{\"program\":\"Trammel\",\"case\":\"{}\",\"n\":{},\"method\":\"generalized-alpha "
      "{}\",\"h\":{},"
      "\"until\":{},\"steps\":{},\"cpu_s\":{},\"cpu_per_step_us\":{},\"setup_s\":{},"
      "\"bytes_per_body\":{},\"energy_error\":{},\"constraint_error\":{},\"final\":{{{}}},"
      "\"iterations\":{},\"factorisations\":{},\"rejected\":{},\"failed\":{},\"note\":\"{}\"}}\n",
      run.name, run.n, run.spectral_radius, run.h, run.until, m.statistics.steps, m.cpu_s,
      m.per_step_us, m.setup_s, m.bytes_per_body, m.energy_error, m.constraint_error, values,
      m.statistics.iterations, m.statistics.factorisations, m.statistics.failed_steps,
      m.ok ? "false" : "true", m.note);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.empty() || words[0] == "--quick") {
      trammel::benchmarks::run_suite(!words.empty());
    } else if (words[0] == "scaling") {
      trammel::benchmarks::chain_scaling(false);
    } else if (words[0] == "linear") {
      trammel::benchmarks::linear_solvers();
    } else if (words[0] == "recursion") {
      trammel::benchmarks::recursion_costs();
    } else if (words[0] == "forward") {
      const Case run = parse(words);
      const double us = trammel::benchmarks::forward_dynamics_us_per_link(run.n);
      fmt::print("{{\"program\":\"Trammel\",\"final\":{{\"us_per_link\":{}}}}}\n", us);
    } else if (words[0] == "adaptive") {
      trammel::benchmarks::adaptive_costs();
    } else if (words[0] == "accuracy") {
      trammel::benchmarks::accuracy_costs(words.size() > 1 && words[1] == "--quick");
    } else if (words[0] == "tolerances") {
      std::vector<std::string> methods(words.begin() + 1, words.end());
      std::string problem;
      if (methods.size() > 1 && methods[0] == "--problem") {
        problem = methods[1];
        methods.erase(methods.begin(), methods.begin() + 2);
      }
      trammel::benchmarks::tolerance_table(methods, problem);
    } else if (words[0] == "iterations") {
      trammel::benchmarks::iteration_counts(words.size() > 1 && words[1] == "--quick");
    } else if (words[0] == "flexible") {
      trammel::benchmarks::flexible_costs(false);
    } else if (words[0] == "treatments") {
      trammel::benchmarks::treatment_costs(words.size() > 1 && words[1] == "--quick");
    } else if (words[0] == "threads") {
      trammel::benchmarks::thread_gains();
    } else {
      const Case run = parse(words);
      print_json(run, trammel::benchmarks::measure(run));
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
