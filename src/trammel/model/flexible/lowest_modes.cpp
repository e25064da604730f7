#include "trammel/model/flexible/lowest_modes.h"

#include <algorithm>
#include <random>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_iterations = 300;
constexpr double converged = 1e-10;  // relative change of omega^2 + s in a step
constexpr int further = 3;           // steps, for shapes are slower than values
constexpr unsigned seed = 20240229;

/// Numbers between -1 and 1 where there is mass, the same on every machine.
MatrixXd first_guess(const VectorXd& mass, Index columns) {
  std::mt19937 random(seed);
  MatrixXd x(mass.size(), columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < mass.size(); ++i) {
      const double number = static_cast<double>(random()) / 2147483648.0 - 1.0;
      x(i, j) = mass[i] > 0.0 ? number : 0.0;
    }
  }
  return x;
}

/// Takes the known modes out of columns, in the product with M.
class Deflation {
 public:
  explicit Deflation(const LowestModesProblem& problem)
      : known_(problem.known), M_known_(problem.M * problem.known) {
    if (known_.cols() > 0) factors_.compute(known_.transpose() * M_known_);
  }
  void apply(MatrixXd& x) const {
    if (known_.cols() > 0) x -= known_ * factors_.solve(M_known_.transpose() * x);
  }

 private:
  const MatrixXd& known_;
  MatrixXd M_known_;
  Eigen::LDLT<MatrixXd> factors_;
};

}  // namespace

std::optional<LowestModes> lowest_modes(const LowestModesProblem& problem, Index count) {
  if (count == 0) return LowestModes{VectorXd(0), MatrixXd(problem.K.rows(), 0)};
  const VectorXd mass = problem.M.diagonal();
  const Index available = (mass.array() > 0.0).count() - problem.known.cols();
  const Index columns = std::min(available, std::max(2 * count, count + 8));
  const Eigen::SparseMatrix<double> shifted = problem.K + problem.shift * problem.M;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>>
      factors(shifted);
  if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0.0)) {
    return std::nullopt;
  }
  const Deflation deflation(problem);
  MatrixXd x = first_guess(mass, columns);
  VectorXd last = VectorXd::Zero(count);
  int steady = 0;
  for (int i = 0; i < most_iterations; ++i) {
    deflation.apply(x);
    const MatrixXd M_x = problem.M * x;
    MatrixXd y = factors.solve(M_x);
    deflation.apply(y);
    // The largest mu of (y^T M y) z = mu (y^T (K + s M) y) z are the lowest modes.
    const MatrixXd M_y = problem.M * y;
    const MatrixXd small_M = y.transpose() * M_y;
    const MatrixXd small_K = y.transpose() * (shifted * y);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(
        0.5 * (small_M + small_M.transpose()), 0.5 * (small_K + small_K.transpose()));
    if (modes.info() != Eigen::Success) return std::nullopt;
    const VectorXd mu = modes.eigenvalues().reverse();
    x = y * modes.eigenvectors().rowwise().reverse();
    const VectorXd value = mu.head(count).cwiseInverse();
    const bool done = ((value - last).array().abs() <= converged * value.array().abs()).all();
    last = value;
    if (done) ++steady;
    if (steady <= further) continue;
    LowestModes found{value.array() - problem.shift, x.leftCols(count)};
    for (Index k = 0; k < count; ++k) found.shapes.col(k) /= std::sqrt(mu[k]);
    return found;
  }
  return std::nullopt;
}

}  // namespace trammel::model
