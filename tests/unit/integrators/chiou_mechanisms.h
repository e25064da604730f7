// Planar mechanisms of [Chiou1990, ch. 7] in the coordinates of the source, with data that it does
// not print chosen so that its statements can be followed.
#pragma once

#include "hand_written_systems.h"

namespace trammel::integrators::testing {

/// Crank-slider [Chiou1990, sec. 7.2]: crank angle, rod angle, x and y of the rod's mass centre. No
/// mass at the slider. One revolution from rest takes 0.82 s.
inline FunctionSystem chiou_crank_slider() {
  constexpr double r = 0.5;   // crank, m
  constexpr double l = 1.0;   // rod
  constexpr double l1 = 0.5;  // crank pin to mass centre
  constexpr double m = 1.0;   // kg
  constexpr double g = 9.81;
  constexpr double torque = 22.8632157;  // N m
  return FunctionSystem({.mass = vector({1.0, 1.0 / 12.0, m, m}),
                         .force =
                             [](const State&) {
                               return vector({torque, 0.0, 0.0, -m * g});
                             },
                         .position =
                             [](const State& s) {
                               const Vector& u = s.q;
                               return vector({r * std::cos(u[0]) - (u[2] - l1 * std::cos(u[1])),
                                              r * std::sin(u[0]) - (u[3] - l1 * std::sin(u[1])),
                                              (l - l1) * std::sin(u[1]) + u[3]});
                             },
                         .jacobian =
                             [](const State& s) {
                               const Vector& u = s.q;
                               Eigen::MatrixXd B(3, 4);
                               B << -r * std::sin(u[0]), -l1 * std::sin(u[1]), -1, 0,
                                   r * std::cos(u[0]), l1 * std::cos(u[1]), 0, -1, 0,
                                   (l - l1) * std::cos(u[1]), 0, 1;
                               return B;
                             },
                         .acceleration_bias =
                             [](const State& s) {
                               const Vector& u = s.q;
                               const double a = s.v[0] * s.v[0];
                               const double b = s.v[1] * s.v[1];
                               return vector({-r * std::cos(u[0]) * a - l1 * std::cos(u[1]) * b,
                                              -r * std::sin(u[0]) * a - l1 * std::sin(u[1]) * b,
                                              -(l - l1) * std::sin(u[1]) * b});
                             },
                         .holonomic = 3});
}

inline State chiou_crank_slider_start() {
  return {0.0, vector({0, 0, 1, 0}), Vector::Zero(4), {}};
}

/// Three links with coil springs, pulled straight by a force along x at the third mass centre
/// [Chiou1990, sec. 7.3]: three angles, x_1..3, y_1..3. Equal angles mean folded links.
inline FunctionSystem chiou_three_links() {
  constexpr double half = 0.5;  // of the length of a link, m
  return FunctionSystem(
      {.mass = vector({1.0 / 12, 1.0 / 12, 1.0 / 12, 1, 1, 1, 1, 1, 1}),
       .force =
           [](const State& s) {
             const Vector& u = s.q;
             return vector({-(2.0 * u[0] - u[1]), -(2.0 * u[1] - u[0] - u[2]), -(u[2] - u[1]), 0, 0,
                            7.0, 0, 0, 0});
           },
       .position =
           [](const State& s) {
             const Vector& u = s.q;
             const auto c = [&](int i) { return half * std::cos(u[i]); };
             const auto d = [&](int i) { return half * std::sin(u[i]); };
             return vector({u[3] - c(0), u[6] - d(0), u[4] - u[3] - c(0) + c(1),
                            u[7] - u[6] - d(0) + d(1), u[5] - u[4] + c(1) - c(2),
                            u[8] - u[7] + d(1) - d(2)});
           },
       .jacobian =
           [](const State& s) {
             const auto c = [&](int i) { return half * std::cos(s.q[i]); };
             const auto d = [&](int i) { return half * std::sin(s.q[i]); };
             Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 9);
             B.row(0) << d(0), 0, 0, 1, 0, 0, 0, 0, 0;
             B.row(1) << -c(0), 0, 0, 0, 0, 0, 1, 0, 0;
             B.row(2) << d(0), -d(1), 0, -1, 1, 0, 0, 0, 0;
             B.row(3) << -c(0), c(1), 0, 0, 0, 0, -1, 1, 0;
             B.row(4) << 0, -d(1), d(2), 0, -1, 1, 0, 0, 0;
             B.row(5) << 0, c(1), -c(2), 0, 0, 0, 0, -1, 1;
             return B;
           },
       .acceleration_bias =
           [](const State& s) {
             const auto c = [&](int i) { return half * std::cos(s.q[i]) * s.v[i] * s.v[i]; };
             const auto d = [&](int i) { return half * std::sin(s.q[i]) * s.v[i] * s.v[i]; };
             return vector({c(0), d(0), c(0) - c(1), d(0) - d(1), -c(1) + c(2), -d(1) + d(2)});
           },
       .holonomic = 6});
}

/// Folded, along y, at rest.
inline State chiou_three_links_start() {
  constexpr double quarter = 0.5 * M_PI;
  State s{0.0, Vector::Zero(9), Vector::Zero(9), {}};
  s.q << quarter, quarter, quarter, 0, 0, 0, 0.5, 0.5, 0.5;
  return s;
}

}  // namespace trammel::integrators::testing
