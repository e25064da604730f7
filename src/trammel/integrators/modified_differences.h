// Modified divided differences of values at unequally spaced times, newest first: with
// psi_i = t_n - t_{n-i},
//
//     phi_j(n) = psi_1 psi_2 ... psi_j f[t_n, t_{n-1}, ..., t_{n-j}],
//
// so that the interpolating polynomial is
//
//     P(t_n + s) = sum_j phi_j prod_{i<j} (s + psi_i)/psi_{i+1},   psi_0 = 0.
//
// With constant steps they are backward differences. The next ones follow from
//
//     phi_0(n+1) = f_{n+1},   phi_{j+1}(n+1) = phi_j(n+1) - beta_j phi_j(n),
//     beta_j = prod_{i<j} (h + psi_i)/psi_{i+1}
//
// [Krogh 1974; Shampine & Gordon 1975, ch. 5; Hairer, Norsett & Wanner 1993, sec. III.5].
#pragma once

#include <array>
#include <vector>

#include "trammel/system/state.h"

namespace trammel::integrators {

/// An order or a number of past values as an index.
inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

class ModifiedDifferences {
 public:
  static constexpr int most = 15;

  /// Begins with one value; room for `count` differences.
  void begin(double t, const system::Vector& value, int count);
  /// Adds the value at t_n + h. `used` differences and one more are kept right, as far as there are
  /// values.
  void add(double h, const system::Vector& value, int used);
  /// The first `rows` rows of all differences from values of those rows, newest first; the values
  /// are lost.
  void replace_head(std::vector<system::Vector>& values);

  /// Forgets all but the newest `count` values.
  void keep(int count) { available_ = count < available_ ? count : available_; }
  /// Number of values there are, at most the room.
  int available() const { return available_; }
  const system::Vector& operator[](int j) const { return phi_[static_cast<std::size_t>(j)]; }
  /// t_n - t_{n-i}.
  double psi(int i) const { return time_[0] - time_[static_cast<std::size_t>(i)]; }
  double time() const { return time_[0]; }
  void set_time(double t) { time_[0] = t; }
  /// The interpolating polynomial of the first `terms` differences at t_n + s, and its derivative.
  void value(double s, int terms, system::Vector& value) const;
  void rate(double s, int terms, system::Vector& rate) const;
  /// beta_0 ... beta_{count-1} for a step h.
  void betas(double h, int count, std::array<double, most>& beta) const;
  std::size_t memory_bytes() const;

 private:
  std::vector<system::Vector> phi_;
  std::array<double, most> time_{};
  system::Vector carry_;
  system::Vector scratch_;
  int available_ = 0;
};

}  // namespace trammel::integrators
