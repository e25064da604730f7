// Whether a formula is linear in the rates that it reads, as Pfaff rows must be.
#pragma once

#include <cmath>
#include <random>

#include "trammel/model/formula.h"

namespace trammel::model {

/// Second derivatives by rates vanish, tried at random places.
template <class S>
bool linear_in_rates(const Formula<S>& formula, FormulaWorkspace<S>& work) {
  const auto& inputs = formula.inputs();
  const std::size_t n = inputs.size();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  work.gradient.resize(n);
  work.hessian.resize(n * n);
  for (int trial = 0; trial < 5; ++trial) {
    work.inputs.resize(n);
    for (double& input : work.inputs) input = uniform(random);
    formula.program().hessian(work.inputs, work.gradient, work.hessian, work.program);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const bool rates =
            inputs[i].kind == Measure<S>::Kind::rate && inputs[j].kind == Measure<S>::Kind::rate;
        if (rates && std::abs(work.hessian[i * n + j]) > 1e-12) return false;
      }
    }
  }
  return true;
}

}  // namespace trammel::model
