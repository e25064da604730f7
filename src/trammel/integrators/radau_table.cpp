#include "trammel/integrators/radau_table.h"

#include <cmath>

namespace trammel::integrators {
namespace {

// A vector x with (A - g) x = 0: orthogonal to two of its rows, which for these tables are
// independent.
Eigen::Vector3cd eigenvector(const Eigen::Matrix3d& a, std::complex<double> g) {
  const Eigen::Matrix3cd shifted =
      a.cast<std::complex<double>>() - g * Eigen::Matrix3cd::Identity();
  const Eigen::Matrix<std::complex<double>, 3, 1> r = shifted.row(0).transpose();
  const Eigen::Matrix<std::complex<double>, 3, 1> s = shifted.row(1).transpose();
  Eigen::Vector3cd x(r[1] * s[2] - r[2] * s[1], r[2] * s[0] - r[0] * s[2],
                     r[0] * s[1] - r[1] * s[0]);
  return x / x[2];
}

}  // namespace

RadauTable::RadauTable() {
  const double q = std::sqrt(6.0);
  c << (4.0 - q) / 10.0, (4.0 + q) / 10.0, 1.0;
  a << (88.0 - 7.0 * q) / 360.0, (296.0 - 169.0 * q) / 1800.0, (-2.0 + 3.0 * q) / 225.0,
      (296.0 + 169.0 * q) / 1800.0, (88.0 + 7.0 * q) / 360.0, (-2.0 - 3.0 * q) / 225.0,
      (16.0 - q) / 36.0, (16.0 + q) / 36.0, 1.0 / 9.0;
  inverse = a.inverse();
  error << -(13.0 + 7.0 * q) / 3.0, (-13.0 + 7.0 * q) / 3.0, -1.0 / 3.0;
  const double third = std::cbrt(81.0);
  const double ninth = std::cbrt(9.0);
  real = (6.0 + third - ninth) / 30.0;
  pair = {(12.0 - third + ninth) / 60.0, std::sqrt(3.0) * (third + ninth) / 60.0};
  const Eigen::Vector3cd first = eigenvector(a, real);
  pair_vector = eigenvector(a, pair);
  real_vector = first.real();
  Eigen::Matrix3cd p;
  p << first, pair_vector, pair_vector.conjugate();
  const Eigen::Matrix3cd inverse_p = p.inverse();
  real_row = inverse_p.row(0).real().transpose();
  pair_row = inverse_p.row(1).transpose();
}

const RadauTable& radau_table() {
  static const RadauTable table;
  return table;
}

RadauWeights::RadauWeights(double s) {
  const Eigen::Vector3d& c = radau_table().c;
  for (int i = 0; i < 3; ++i) {
    const double d = c[(i + 1) % 3];
    const double e = c[(i + 2) % 3];
    const double scale = 1.0 / ((c[i] - d) * (c[i] - e));
    multiplier[i] = scale * (s - d) * (s - e);
    value[i] = multiplier[i] * s / c[i];
    slope[i] = scale / c[i] * ((s - d) * (s - e) + s * (2.0 * s - d - e));
  }
}

}  // namespace trammel::integrators
