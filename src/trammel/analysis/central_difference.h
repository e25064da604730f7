// The derivative of a smooth function of one variable at 0, by central differences of order 8:
//
//     f'(0) = sum_k c_k (f(k h) - f(-k h)) / h + O(h^8),   c = 4/5, -1/5, 4/105, -1/280
//
// With h = 1/200 of a function's natural scale both the error of the formula and round-off stay
// near 1e-13 of the function's size.
#pragma once

#include <array>

namespace trammel::analysis {

constexpr double difference_step = 5e-3;

/// `f` maps a double to a vector or matrix.
template <class Function>
auto central_difference(const Function& f, double h = difference_step) {
  constexpr std::array<double, 4> c{4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  auto sum = ((f(h) - f(-h)) * (c[0] / h)).eval();
  for (std::size_t k = 1; k < c.size(); ++k) {
    const double s = h * static_cast<double>(k + 1);
    sum += (f(s) - f(-s)) * (c[k] / h);
  }
  return sum;
}

}  // namespace trammel::analysis
