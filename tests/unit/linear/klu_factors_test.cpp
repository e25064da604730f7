// Complex KKT systems against a dense factorisation, on mechanisms and random graphs.
#include "trammel/linear/klu_factors.h"

#include "support/kkt_systems.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace trammel::linear::klu_factors_test {
namespace {

Eigen::MatrixXcd written_out(const std::vector<std::complex<double>>& values,
                             const KktPattern& pattern) {
  Eigen::MatrixXcd full = Eigen::MatrixXcd::Zero(pattern.size(), pattern.size());
  for (int column = 0; column < pattern.size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)];
      full(row, column) = values[static_cast<std::size_t>(k)];
      if (row >= pattern.velocities) full(column, row) = full(row, column);
    }
  }
  return full;
}

TEST(KluFactors, SolvesWhatADenseFactorisationSolves) {
  support::Random random(7);
  std::vector<support::KktProblem> problems;
  problems.push_back(support::random_graph(12, 10, 0, random));
  problems.push_back(support::random_graph(30, 29, 0, random));
  for (const support::KktProblem& problem : problems) {
    const KktPattern& pattern = *problem.matrix.pattern;
    KluFactors<std::complex<double>> solver;
    solver.analyse(problem.matrix.pattern);
    // Twice, so that kept pivots are used with other numbers.
    for (const std::complex<double> c : {std::complex(0.3, 0.4), std::complex(-0.1, 1.2)}) {
      std::vector<std::complex<double>> values(problem.matrix.values.begin(),
                                               problem.matrix.values.end());
      for (int i = 0; i < pattern.velocities; ++i) {
        values[static_cast<std::size_t>(pattern.diagonal[static_cast<std::size_t>(i)])] *= 1.0 + c;
      }
      ASSERT_TRUE(solver.factor(values, problem.matrix)) << problem.name;
      ComplexVector x(pattern.size());
      for (int i = 0; i < pattern.size(); ++i) x[i] = {std::sin(1.0 + i), std::cos(2.0 * i)};
      const ComplexVector right_side = x;
      solver.solve(x);
      const Eigen::MatrixXcd full = written_out(values, pattern);
      // The regularisation of 1e-10 shows.
      EXPECT_LT((full * x - right_side).norm(), 1e-6 * right_side.norm()) << problem.name;
    }
  }
}

}  // namespace
}  // namespace trammel::linear::klu_factors_test
