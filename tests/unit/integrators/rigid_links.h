// Chains of point masses on massless links in redundant coordinates (x, y, theta), theta from the
// downward vertical [Huang2014, sec. 4.1]: unit masses and lengths, g = 9.81 m/s^2. The angles
// carry no mass, so that the mass matrix is singular.
#pragma once

#include "hand_written_systems.h"

namespace trammel::integrators::testing {

inline FunctionSystem rigid_links(int links) {
  Vector mass = Vector::Zero(3 * links);
  for (int i = 0; i < links; ++i) mass.segment(3 * i, 2).setOnes();
  const auto force = [links](const State&) {
    Vector f = Vector::Zero(3 * links);
    for (int i = 0; i < links; ++i) f[3 * i + 1] = -9.81;
    return f;
  };
  const auto position = [links](const State& s) {
    Vector g(2 * links);
    for (int i = 0; i < links; ++i) {
      const double x = i == 0 ? 0.0 : s.q[3 * i - 3];
      const double y = i == 0 ? 0.0 : s.q[3 * i - 2];
      g[2 * i] = s.q[3 * i] - x - std::sin(s.q[3 * i + 2]);
      g[2 * i + 1] = s.q[3 * i + 1] - y + std::cos(s.q[3 * i + 2]);
    }
    return g;
  };
  const auto jacobian = [links](const State& s) {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(2 * links, 3 * links);
    for (int i = 0; i < links; ++i) {
      for (int k = 0; k < 2; ++k) {
        G(2 * i + k, 3 * i + k) = 1.0;
        if (i > 0) G(2 * i + k, 3 * i - 3 + k) = -1.0;
      }
      G(2 * i, 3 * i + 2) = -std::cos(s.q[3 * i + 2]);
      G(2 * i + 1, 3 * i + 2) = -std::sin(s.q[3 * i + 2]);
    }
    return G;
  };
  const auto bias = [links](const State& s) {
    Vector gamma(2 * links);
    for (int i = 0; i < links; ++i) {
      const double w = s.v[3 * i + 2];
      gamma[2 * i] = std::sin(s.q[3 * i + 2]) * w * w;
      gamma[2 * i + 1] = -std::cos(s.q[3 * i + 2]) * w * w;
    }
    return gamma;
  };
  return FunctionSystem({.mass = mass,
                         .force = force,
                         .position = position,
                         .jacobian = jacobian,
                         .acceleration_bias = bias,
                         .holonomic = 2 * links});
}

/// First link horizontal, second hanging, at rest.
inline Motion rigid_links_start(int links) {
  if (links == 1) {
    return {{0.0, vector({1, 0, M_PI_2}), vector({0, 0, 0}), {}},
            vector({0, -9.81, -9.81}),
            vector({0, 0})};
  }
  return {{0.0, vector({1, 0, M_PI_2, 1, -1, 0}), Vector::Zero(6), {}},
          vector({0, -9.81, -9.81, 0, -9.81, 0}),
          Vector::Zero(4)};
}

}  // namespace trammel::integrators::testing
