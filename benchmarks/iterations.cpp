// Iterations of conjugate gradients by preconditioner: chains, trees and nets of ever more bodies.
// Counts do not depend on the machine.
#include <array>
#include <chrono>
#include <random>
#include <vector>

#include "suite.h"
#include <Eigen/Dense>
#include <fmt/format.h>

#include "trammel/linear/conjugate_gradients.h"

namespace trammel::benchmarks {
namespace {

using Eigen::Vector3d;
using linear::ConjugateGradientOptions;
using linear::ConjugateGradients;
using linear::Preconditioner;
using system::KktMatrix;
using system::KktPattern;
using system::Vector;

struct Hinge {
  int a = -1;  ///< -1: the ground
  int b = 0;
  Vector3d at_a = Vector3d::Zero();  ///< from the centre of mass
  Vector3d at_b = Vector3d::Zero();
  bool revolute = true;  ///< about z; else a ball joint
};

struct Structure {
  int bodies = 0;
  std::vector<Hinge> hinges;
  double compliance = 0.0;  ///< of each row, relative to its own part of G M^-1 G^T
};

// Bars of 1 m and 1 kg, 0.1 m thick.
const std::array<double, 6> bar_masses{1.0, 1.0, 1.0, 0.005, 1.0 / 12.0, 1.0 / 12.0};
const std::array<double, 6> plate_masses{1.0, 1.0, 1.0, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 6.0};

Structure bar_chain(int n) {
  Structure s{n, {}, 0.0};
  for (int i = 0; i < n; ++i) s.hinges.push_back({i - 1, i, {0.5, 0, 0}, {-0.5, 0, 0}, true});
  return s;
}

// Each body carries two.
Structure bar_tree(int n) {
  Structure s{n, {}, 0.0};
  for (int i = 0; i < n; ++i) {
    const int parent = i == 0 ? -1 : (i - 1) / 2;
    s.hinges.push_back({parent, i, {0.5, 0, 0}, {-0.5, 0.1, 0}, true});
  }
  return s;
}

// Square plates with ball joints in the middles of their edges, a little soft: as many rows as
// velocities, and without that redundant.
Structure plate_net(int side, double compliance) {
  Structure s{side * side, {}, compliance};
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const int k = i * side + j;
      if (i == 0) s.hinges.push_back({-1, k, {0, 0, 0}, {0, -0.5, 0}, false});
      if (j > 0) s.hinges.push_back({k - 1, k, {0.5, 0, 0}, {-0.5, 0, 0}, false});
      if (i > 0) s.hinges.push_back({k - side, k, {0, 0.5, 0}, {0, -0.5, 0}, false});
    }
  }
  return s;
}

// Rows of a hinge by the twist of a body: r' - s x w, and the axes that a hinge about z holds.
template <class Visit>
void hinge_rows(const Hinge& hinge, bool second, const Visit& visit) {
  const Vector3d& s = second ? hinge.at_b : hinge.at_a;
  const double sign = second ? 1.0 : -1.0;
  for (int i = 0; i < 3; ++i) visit(i, i, sign);
  visit(0, 4, sign * s.z());
  visit(0, 5, -sign * s.y());
  visit(1, 3, -sign * s.z());
  visit(1, 5, sign * s.x());
  visit(2, 3, sign * s.y());
  visit(2, 4, -sign * s.x());
  if (!hinge.revolute) return;
  visit(3, 3, sign);
  visit(4, 4, sign);
}

KktMatrix kkt_of(const Structure& s, const std::array<double, 6>& masses) {
  const int n = 6 * s.bodies;
  std::vector<int> first;
  int rows = 0;
  for (const Hinge& hinge : s.hinges) {
    first.push_back(n + rows);
    rows += hinge.revolute ? 5 : 3;
  }
  const auto visit = [&](const auto& add) {
    for (std::size_t h = 0; h < s.hinges.size(); ++h) {
      const Hinge& hinge = s.hinges[h];
      for (const bool second : {false, true}) {
        const int body = second ? hinge.b : hinge.a;
        if (body < 0) continue;
        hinge_rows(hinge, second, [&](int row, int column, double value) {
          add(first[h] + row, 6 * body + column, value);
        });
      }
    }
  };
  system::KktPatternBuilder builder(n, rows);
  visit([&](int row, int column, double) { builder.add(row, column); });
  for (int b = 0; b < s.bodies; ++b) builder.add_block(6 * b, 6);
  for (std::size_t h = 0; h < s.hinges.size(); ++h) {
    builder.add_block(first[h], s.hinges[h].revolute ? 5 : 3);
  }
  KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
  const auto entry = [&](int row, int column) -> double& {
    return matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))];
  };
  visit([&](int row, int column, double value) { entry(row, column) = value; });
  for (int i = 0; i < n; ++i) entry(i, i) = masses[static_cast<std::size_t>(i % 6)];
  if (s.compliance > 0.0) {
    Vector sizes;
    linear::regularisation(matrix, s.compliance, sizes);
    for (int i = 0; i < rows; ++i) entry(n + i, n + i) = -sizes[i];
  }
  return matrix;
}

struct Counted {
  int iterations = 0;
  bool finished = true;
  bool gathered = false;
  double residual = 0.0;
  double seconds = 0.0;
};

Counted count(const KktMatrix& matrix, Preconditioner preconditioner, int patience) {
  ConjugateGradientOptions options{.preconditioner = preconditioner, .patience = patience};
  options.tolerance = 1e-10;
  ConjugateGradients solver(options);
  solver.analyse(matrix.pattern);
  const auto begin = std::chrono::steady_clock::now();
  solver.factor(matrix);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector load = Vector::Zero(matrix.pattern->size());
  for (int i = 0; i < matrix.pattern->velocities; ++i) load[i] = uniform(random);
  Vector solution;
  solver.solve(load, solution);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  Vector product;
  matrix.multiply(solution, product);
  const linear::IterationCount& done = solver.iterations();
  return {done.most, done.unfinished == 0 && done.direct == 0, done.gathered,
          (product - load).lpNorm<Eigen::Infinity>(), time.count()};
}

void print_counts(const std::string& name, const KktMatrix& matrix) {
  fmt::print("{:<34}{:>9}", name, matrix.pattern->multipliers);
  for (const Preconditioner p : {Preconditioner::diagonal, Preconditioner::scaled,
                                 Preconditioner::joints, Preconditioner::groups}) {
    constexpr int most_rows = 6000;  // beyond, single bodies take long
    if (p != Preconditioner::groups && matrix.pattern->multipliers > most_rows) {
      fmt::print("{:>9} ", "-");
      continue;
    }
    const Counted done = count(matrix, p, 1000000);
    fmt::print("{:>9}{}", done.iterations, done.finished ? ' ' : '*');
    if (p == Preconditioner::groups) fmt::print("{:>12.1e}{:>9.2f}", done.residual, done.seconds);
    std::fflush(stdout);
  }
  fmt::print("\n");
}

}  // namespace

void iteration_counts(bool quick) {
  fmt::print(
      "\nIterations of conjugate gradients to 1e-10 by preconditioner (*: not converged)\n"
      "{:<34}{:>9}{:>9} {:>9} {:>9} {:>9} {:>12}{:>9}\n",
      "", "rows", "diagonal", "scaled", "joints", "groups", "residual", "s");
  for (const int n : {10, 100, 1000, 10000, 100000}) {
    if (quick && n > 1000) break;
    print_counts(fmt::format("chain of {}", n), kkt_of(bar_chain(n), bar_masses));
  }
  for (const int n : {15, 127, 1023, 16383, 131071}) {
    if (quick && n > 1023) break;
    print_counts(fmt::format("binary tree of {}", n), kkt_of(bar_tree(n), bar_masses));
  }
  for (const double compliance : {1e-2, 1e-4, 1e-6}) {
    for (const int side : {10, 30, 100, 300}) {
      if (side > (quick ? 30 : compliance < 1e-3 ? 100 : 300)) break;
      print_counts(fmt::format("net of {0} x {0}, compliance {1:g}", side, compliance),
                   kkt_of(plate_net(side, compliance), plate_masses));
    }
  }
}

}  // namespace trammel::benchmarks
