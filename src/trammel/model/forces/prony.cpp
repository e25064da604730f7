#include "trammel/model/forces/prony.h"

#include <algorithm>
#include <cmath>

#include "trammel/core/dense_factors.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Least squares with the columns of the active set; zeros elsewhere.
VectorXd solve_active(const MatrixXd& A, const VectorXd& b, const std::vector<Index>& active) {
  MatrixXd part(A.rows(), static_cast<Index>(active.size()));
  for (std::size_t i = 0; i < active.size(); ++i) {
    part.col(static_cast<Index>(i)) = A.col(active[i]);
  }
  const VectorXd y = part.colPivHouseholderQr().solve(b);
  VectorXd x = VectorXd::Zero(A.cols());
  for (std::size_t i = 0; i < active.size(); ++i) x[active[i]] = y[static_cast<Index>(i)];
  return x;
}

// Goes from x towards the trial until the first entry meets zero, and drops what is zero there.
void step_back(const VectorXd& trial, VectorXd& x, std::vector<Index>& active) {
  double part = 1.0;
  for (const Index i : active) {
    if (trial[i] <= 0.0) part = std::min(part, x[i] / (x[i] - trial[i]));
  }
  x += part * (trial - x);
  const double small = 1e-14 * x.cwiseAbs().maxCoeff();
  active.erase(std::remove_if(active.begin(), active.end(),
                              [&](Index i) { return trial[i] <= 0.0 && x[i] <= small; }),
               active.end());
}

// The smallest |A x - b| with x >= 0.
VectorXd non_negative_least_squares(const MatrixXd& A, const VectorXd& b) {
  VectorXd x = VectorXd::Zero(A.cols());
  std::vector<Index> active;
  const double tolerance = 1e-12 * (A.transpose() * b).cwiseAbs().maxCoeff();
  for (Index rounds = 0; rounds < 3 * A.cols(); ++rounds) {
    const VectorXd descent = A.transpose() * (b - A * x);
    Index best = -1;
    for (Index i = 0; i < A.cols(); ++i) {
      const bool free = std::find(active.begin(), active.end(), i) == active.end();
      if (free && descent[i] > tolerance && (best < 0 || descent[i] > descent[best])) best = i;
    }
    if (best < 0) break;
    active.push_back(best);
    for (VectorXd trial = solve_active(A, b, active);; trial = solve_active(A, b, active)) {
      const bool inside =
          std::all_of(active.begin(), active.end(), [&](Index i) { return trial[i] > 0.0; });
      if (inside) {
        x = trial;
        break;
      }
      step_back(trial, x, active);
      if (active.empty()) break;
    }
  }
  return x;
}

std::vector<double> candidate_times(const std::vector<double>& times) {
  const double first = times.front() > 0.0 ? times.front() : times[1];
  const double last = times.back();
  const double decades = std::log10(last / first);
  constexpr int per_decade = 12;
  const int count = std::max(1, static_cast<int>(std::lround(per_decade * decades))) + 1;
  std::vector<double> list;
  for (int i = 0; i <= count; ++i) {
    list.push_back(first * std::pow(10.0, decades * i / count));
  }
  return list;
}

}  // namespace

double Prony::at(double t) const {
  double value = stiffness;
  for (std::size_t i = 0; i < times.size(); ++i) value += stiffnesses[i] * std::exp(-t / times[i]);
  return value;
}

PronyFit fit_prony(const std::vector<double>& times, const std::vector<double>& values) {
  const std::vector<double> tau = candidate_times(times);
  const auto rows = static_cast<Index>(times.size());
  MatrixXd A(rows, static_cast<Index>(tau.size()) + 1);
  for (Index i = 0; i < rows; ++i) {
    const double weight = 1.0 / values[static_cast<std::size_t>(i)];
    A(i, 0) = weight;
    for (std::size_t j = 0; j < tau.size(); ++j) {
      A(i, static_cast<Index>(j) + 1) =
          weight * std::exp(-times[static_cast<std::size_t>(i)] / tau[j]);
    }
  }
  const VectorXd k = non_negative_least_squares(A, VectorXd::Ones(rows));
  PronyFit fit;
  fit.series.stiffness = k[0];
  for (std::size_t j = 0; j < tau.size(); ++j) {
    const double part = k[static_cast<Index>(j) + 1];
    if (part <= 1e-9 * values.front()) continue;
    fit.series.stiffnesses.push_back(part);
    fit.series.times.push_back(tau[j]);
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    fit.error = std::max(fit.error, std::abs(fit.series.at(times[i]) / values[i] - 1.0));
  }
  return fit;
}

}  // namespace trammel::model
