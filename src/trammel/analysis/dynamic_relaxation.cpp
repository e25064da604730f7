#include "trammel/analysis/dynamic_relaxation.h"

#include <algorithm>
#include <cmath>

#include "trammel/core/dense_factors.h"

namespace trammel::analysis {
namespace {

double highest_frequency(const Equilibrium& equilibrium) {
  const Matrix ratio =
      equilibrium.reduced_mass().partialPivLu().solve(equilibrium.reduced_stiffness());
  if (ratio.size() == 0) return 0.0;
  return std::sqrt(Eigen::EigenSolver<Matrix>(ratio, false).eigenvalues().cwiseAbs().maxCoeff());
}

// A frequency well above the one at which the loads would carry the model through its size.
double frequency_of_loads(const Equilibrium& equilibrium, const Vector& scale) {
  constexpr double above = 100.0;
  const Vector a = equilibrium.reduced_mass().partialPivLu().solve(equilibrium.out_of_balance());
  return above * std::sqrt(scaled_size(equilibrium.freedoms() * a, scale));
}

// M~^-1 load with fictitious masses: shapes that vibrate faster than `omega` are made so heavy that
// they vibrate with it. The position of rest is the same, and the step need not be theirs.
Vector slowed_acceleration(const Equilibrium& equilibrium, const Vector& load, double omega) {
  const Matrix K = equilibrium.reduced_stiffness();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> shapes(0.5 * (K + K.transpose()),
                                                                equilibrium.reduced_mass());
  Vector modal = shapes.eigenvectors().transpose() * load;
  for (Eigen::Index i = 0; i < modal.size(); ++i) {
    const double square = std::abs(shapes.eigenvalues()[i]);
    if (square > omega * omega) modal[i] *= omega * omega / square;
  }
  return shapes.eigenvectors() * modal;
}

}  // namespace

RelaxationReport relax(model::ModelSystem& system,
                       Equilibrium& equilibrium,
                       double tolerance,
                       long most_steps,
                       const EarlyEnd& end) {
  constexpr double longest = 0.05;  // of the displacement scale
  constexpr long between_frequencies = 20;
  const Vector& scale = system.displacement_scale();
  RelaxationReport report;
  Vector v = Vector::Zero(scale.size());
  double h = 0.0;
  double omega = 0.0;
  bool stiff = false;  // some shapes are much faster than what the loads do
  for (; report.steps < most_steps; ++report.steps) {
    end.require_time("the model was relaxed towards an equilibrium",
                     "give more time, or start nearer to it");
    if (equilibrium.rests(tolerance)) {
      report.settled = true;
      return report;
    }
    if (report.steps % between_frequencies == 0) {
      const double highest = highest_frequency(equilibrium);
      omega = std::min(highest, frequency_of_loads(equilibrium, scale));
      stiff = omega < highest;
      h = 1.0 / std::max(omega, 1e-3);
    }
    const Matrix& N = equilibrium.freedoms();
    const Vector load = -equilibrium.out_of_balance();
    Vector eta = N.colPivHouseholderQr().solve(v);
    if (load.dot(eta) < 0.0) eta.setZero();
    if (stiff) {
      eta += h * slowed_acceleration(equilibrium, load, 1.0 / h);
    } else {
      eta += h * equilibrium.reduced_mass().partialPivLu().solve(load);
    }
    Vector x = h * (N * eta);
    const double size = scaled_size(x, scale);
    if (!std::isfinite(size)) return report;
    const double factor = size > longest ? longest / size : 1.0;
    v = factor * (N * eta);
    if (!equilibrium.move(factor * x)) {
      v.setZero();
      h *= 0.5;
      continue;
    }
    if (equilibrium.state_rates().size() > 0) {
      equilibrium.add_to_states(factor * h * equilibrium.state_rates());
    }
    equilibrium.update();
  }
  return report;
}

}  // namespace trammel::analysis
