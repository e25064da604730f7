// Prony series of relaxation functions, and their fit to measured points.
//
//     k(t) = k_inf + sum_i k_i exp(-t/tau_i),   all k >= 0
// The fit takes relaxation times spread evenly over the decades of the points and finds the
// non-negative k that are nearest to them (least squares of the relative errors) by the active set
// method of Lawson and Hanson [LawsonHanson1974, ch. 23].
#pragma once

#include <vector>

namespace trammel::model {

struct Prony {
  double stiffness = 0.0;           ///< k_inf
  std::vector<double> stiffnesses;  ///< k_i
  std::vector<double> times;        ///< tau_i, s
  double at(double t) const;
};

struct PronyFit {
  Prony series;
  double error = 0.0;  ///< largest relative error at the points
};

/// `times` increase from 0 or above, `values` are positive; as many of both, two or more.
PronyFit fit_prony(const std::vector<double>& times, const std::vector<double>& values);

}  // namespace trammel::model
