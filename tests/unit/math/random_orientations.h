// Orientations for property tests: random ones from a fixed seed, and the positions where formulas
// divide by zero.
#pragma once

#include <numbers>
#include <random>
#include <vector>

#include <Eigen/Geometry>

namespace trammel::math::test {

inline Eigen::Vector3d random_vector(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  const double x = normal(generator);
  const double y = normal(generator);
  const double z = normal(generator);
  return {x, y, z};
}

/// Uniform over all orientations; both signs of e0 occur.
inline Eigen::Quaterniond random_quaternion(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  const double w = normal(generator);
  const Eigen::Vector3d v = random_vector(generator);
  return Eigen::Quaterniond(w, v.x(), v.y(), v.z()).normalized();
}

/// No turn, quarter and half turns about axes and diagonals, turns that miss these by a hair, and
/// 500 random ones.
inline std::vector<Eigen::Quaterniond> sample_orientations() {
  constexpr double pi = std::numbers::pi;
  std::vector<Eigen::Quaterniond> samples;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const Eigen::Vector3d axis(x, y, z);
        if (axis.isZero()) {
          continue;
        }
        for (const double angle : {0.0, 0.5 * pi, pi, 1.5 * pi}) {
          for (const double hair : {0.0, 1e-14, -1e-11, 1e-9, 1e-7, -1e-4}) {
            samples.emplace_back(Eigen::AngleAxisd(angle + hair, axis.normalized()));
          }
        }
      }
    }
  }
  std::mt19937 generator(1983);
  for (int count = 0; count < 500; ++count) {
    samples.push_back(random_quaternion(generator));
  }
  return samples;
}

}  // namespace trammel::math::test
