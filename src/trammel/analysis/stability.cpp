#include "trammel/analysis/stability.h"

#include <algorithm>
#include <utility>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/dense_factors.h"

namespace trammel::analysis {
namespace {

// Indices of the eigenvalues by ascending real part.
std::vector<Eigen::Index> ascending(const Eigen::VectorXcd& eigenvalues) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(eigenvalues.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::pair(eigenvalues[a].real(), a) < std::pair(eigenvalues[b].real(), b);
  });
  return order;
}

}  // namespace

StabilityReport judge_stability(model::ModelSystem& system, const Equilibrium& equilibrium) {
  StabilityReport report;
  const Matrix& N = equilibrium.freedoms();
  const Eigen::Index count = N.cols();
  if (count == 0) return report;
  const Eigen::EigenSolver<Matrix> solver(
      equilibrium.reduced_mass().partialPivLu().solve(equilibrium.reduced_stiffness()));
  const std::vector<Eigen::Index> order = ascending(solver.eigenvalues());
  report.stiffness.resize(count);
  Matrix shapes(N.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index at = order[static_cast<std::size_t>(i)];
    report.stiffness[i] = solver.eigenvalues()[at].real();
    shapes.col(i) = N * solver.eigenvectors().col(at).real();
  }

  // Soft shapes beside stiff ones are told from round-off of these, and from nothing else.
  const double zero = 1e-11 * std::max(1.0, report.stiffness.cwiseAbs().maxCoeff());
  const bool flutter = solver.eigenvalues().imag().cwiseAbs().maxCoeff() > zero;
  const double least = report.stiffness[0];
  report.verdict = least < -zero || flutter ? Stability::unstable
                   : least < zero           ? Stability::neutral
                                            : Stability::stable;
  const Eigen::Index diverging = (report.stiffness.array() < -zero).count();
  report.diverging = shapes.leftCols(diverging);
  for (Eigen::Index i = 0; i < diverging; ++i) {
    report.diverging.col(i) /= scaled_size(shapes.col(i), system.displacement_scale());
  }
  Observer observer(system);
  report.softest = suitable_inputs(observer, equilibrium.motion().state, shapes.leftCols(1));
  return report;
}

}  // namespace trammel::analysis
