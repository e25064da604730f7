// Mechanical systems written by hand on the bare contract, without any model: what an integrator
// may rely on is what these offer.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "trammel/system/mechanical_system.h"

namespace trammel::integrators::testing {

using system::Motion;
using system::Sizes;
using system::State;
using system::Vector;

/// A system on a vector space with constant diagonal mass, given by functions. Derivatives of
/// forces and of G^T lambda are taken by central differences: slow, but independent of everything
/// else.
class FunctionSystem : public system::MechanicalSystem, public system::FirstOrderStates {
 public:
  using Function = std::function<Vector(const State&)>;

  struct Parts {
    Vector mass;                                                      ///< diagonal
    Function force = nullptr;                                         ///< f(t, q, v, z)
    Function position = nullptr;                                      ///< g(t, q), may be empty
    std::function<Eigen::MatrixXd(const State&)> jacobian = nullptr;  ///< G, all rows
    Function velocity_bias = nullptr;      ///< G v + bias = 0: dg/dt, or a of Pfaff rows
    Function acceleration_bias = nullptr;  ///< gamma
    int holonomic = 0;
    int nonholonomic = 0;
    Function state_rates = nullptr;  ///< z'
    int states = 0;
  };

  explicit FunctionSystem(Parts parts) : parts_(std::move(parts)) {
    sizes_.q = sizes_.v = static_cast<int>(parts_.mass.size());
    sizes_.z = parts_.states;
    sizes_.holonomic = parts_.holonomic;
    sizes_.nonholonomic = parts_.nonholonomic;
    system::KktPatternBuilder builder(sizes_.v, sizes_.multipliers());
    for (int i = 0; i < sizes_.v; ++i) {
      for (int j = 0; j < i; ++j) builder.add(i, j);
      for (int row = 0; row < sizes_.multipliers(); ++row) builder.add(sizes_.v + row, i);
    }
    builder.add_block(0, sizes_.v);
    builder.add_block(sizes_.v, sizes_.multipliers());
    pattern_ = std::make_shared<const system::KktPattern>(builder.build());
    scale_ = Vector::Ones(sizes_.v);
  }

  std::unique_ptr<system::MechanicalSystem> clone() const override {
    return std::make_unique<FunctionSystem>(*this);
  }
  Sizes sizes() const override { return sizes_; }
  std::shared_ptr<const system::KktPattern> pattern() const override { return pattern_; }
  const Vector& displacement_scale() const override { return scale_; }
  void retract(const Vector& q, const Vector& x, Vector& moved) const override { moved = q + x; }
  void logarithm(const Vector& from, const Vector& to, Vector& x) const override { x = to - from; }
  void inverse_tangent(const Vector& /*x*/, const Vector& delta, Vector& dx) const override {
    dx = delta;
  }

  void residual(const Motion& m, Vector& r, Vector& constraint) override {
    r = parts_.mass.cwiseProduct(m.a) - parts_.force(m.state);
    constraint.resize(sizes_.multipliers());
    if (sizes_.multipliers() == 0) return;
    r += parts_.jacobian(m.state).transpose() * m.lambda;
    Vector velocity;
    velocity_constraint(m.state, velocity);
    if (sizes_.holonomic > 0) constraint.head(sizes_.holonomic) = parts_.position(m.state);
    constraint.tail(sizes_.nonholonomic) = velocity.tail(sizes_.nonholonomic);
  }

  void tangent(const Motion& m,
               const system::Weights& w,
               const Vector* /*step*/,
               system::KktMatrix& tangent) override {
    Eigen::MatrixXd K = w.acceleration * Eigen::MatrixXd(parts_.mass.asDiagonal());
    constexpr double eps = 1e-6;
    for (int j = 0; j < sizes_.v; ++j) {
      for (const bool position : {true, false}) {
        Motion plus = m;
        Motion minus = m;
        (position ? plus.state.q : plus.state.v)[j] += eps;
        (position ? minus.state.q : minus.state.v)[j] -= eps;
        Vector r_plus;
        Vector r_minus;
        Vector g;
        residual(plus, r_plus, g);
        residual(minus, r_minus, g);
        K.col(j) += (position ? w.position : w.velocity) * (r_plus - r_minus) / (2.0 * eps);
      }
    }
    const auto put = [&](int row, int column, double value) {
      const int position = tangent.pattern->find(row, column);
      if (position >= 0) tangent.values[static_cast<std::size_t>(position)] = value;
    };
    for (int i = 0; i < sizes_.v; ++i) {
      for (int j = 0; j < sizes_.v; ++j) put(i, j, K(i, j));
    }
    if (sizes_.multipliers() == 0) return;
    const Eigen::MatrixXd G = parts_.jacobian(m.state);
    for (int row = 0; row < sizes_.multipliers(); ++row) {
      for (int j = 0; j < sizes_.v; ++j) {
        put(sizes_.v + row, j, G(row, j));
        put(j, sizes_.v + row, G(row, j));
      }
    }
  }

  void forces(const State& state, Vector& f) override { f = parts_.force(state); }
  void position_constraint(const State& state, Vector& g) override {
    g.setZero(sizes_.multipliers());
    if (sizes_.holonomic > 0) g.head(sizes_.holonomic) = parts_.position(state);
  }
  void velocity_constraint(const State& state, Vector& g_dot) override {
    g_dot.setZero(sizes_.multipliers());
    if (sizes_.multipliers() == 0) return;
    g_dot = parts_.jacobian(state) * state.v;
    if (parts_.velocity_bias) g_dot += parts_.velocity_bias(state);
  }
  void acceleration_bias(const State& state, Vector& gamma) override {
    gamma.setZero(sizes_.multipliers());
    if (sizes_.multipliers() > 0) gamma = parts_.acceleration_bias(state);
  }

  system::FirstOrderStates* first_order_states() override {
    return parts_.states > 0 ? this : nullptr;
  }
  void rates(const State& state, Vector& rates) override { rates = parts_.state_rates(state); }
  void rate_tangent(const State& state, Eigen::MatrixXd& tangent) override {
    tangent.resize(sizes_.z, sizes_.z);
    for (int j = 0; j < sizes_.z; ++j) {
      State plus = state;
      plus.z[j] += 1e-6;
      tangent.col(j) = (parts_.state_rates(plus) - parts_.state_rates(state)) / 1e-6;
    }
  }

 private:
  Parts parts_;
  Sizes sizes_;
  std::shared_ptr<const system::KktPattern> pattern_;
  Vector scale_;
};

inline Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) v[i++] = value;
  return v;
}

/// m q'' + c q' + k q = 0 with m = 1, c = 0.2, k = 9.
inline FunctionSystem oscillator() {
  return FunctionSystem({.mass = vector({1.0}), .force = [](const State& s) {
                           return vector({-9.0 * s.q[0] - 0.2 * s.v[0]});
                         }});
}

/// Unit point mass on a circle of radius 1, g = 9.81 along -y; released at (-1, 0).
inline FunctionSystem circle_pendulum() {
  return FunctionSystem(
      {.mass = vector({1.0, 1.0}),
       .force =
           [](const State&) {
             return vector({0.0, -9.81});
           },
       .position = [](const State& s) { return vector({0.5 * (s.q.squaredNorm() - 1.0)}); },
       .jacobian = [](const State& s) { return Eigen::MatrixXd(s.q.transpose()); },
       .acceleration_bias = [](const State& s) { return vector({s.v.squaredNorm()}); },
       .holonomic = 1});
}

/// The same with its row twice: what both give together is what one alone gives.
inline FunctionSystem doubly_held_pendulum() {
  return FunctionSystem({.mass = vector({1.0, 1.0}),
                         .force =
                             [](const State&) {
                               return vector({0.0, -9.81});
                             },
                         .position =
                             [](const State& s) {
                               const double g = 0.5 * (s.q.squaredNorm() - 1.0);
                               return vector({g, 2.0 * g});
                             },
                         .jacobian =
                             [](const State& s) {
                               Eigen::MatrixXd G(2, 2);
                               G << s.q.transpose(), 2.0 * s.q.transpose();
                               return G;
                             },
                         .acceleration_bias =
                             [](const State& s) {
                               return vector({s.v.squaredNorm(), 2.0 * s.v.squaredNorm()});
                             },
                         .holonomic = 2});
}

/// Skate (knife edge) of unit mass and inertia on a slope with g sin(slope) = 4 along x
/// [Sol1983, eq. 3.3.20]: x' sin(phi) - y' cos(phi) = 0. From rest with phi' = w it moves along the
/// cycloid x = 4/(2 w^2) sin^2(w t), y = 4/(2 w^2) (w t - sin(2 w t)/2).
inline FunctionSystem skate() {
  return FunctionSystem(
      {.mass = vector({1.0, 1.0, 1.0}),
       .force =
           [](const State&) {
             return vector({4.0, 0.0, 0.0});
           },
       .jacobian =
           [](const State& s) {
             Eigen::MatrixXd G(1, 3);
             G << std::sin(s.q[2]), -std::cos(s.q[2]), 0.0;
             return G;
           },
       .acceleration_bias =
           [](const State& s) {
             return vector({s.v[2] * (s.v[0] * std::cos(s.q[2]) + s.v[1] * std::sin(s.q[2]))});
           },
       .nonholonomic = 1});
}

/// Unit mass at (x, y) driven along x = sin(2 t), hanging on a spring of stiffness 9 along y.
inline FunctionSystem driven_mass() {
  return FunctionSystem(
      {.mass = vector({1.0, 1.0}),
       .force =
           [](const State& s) {
             return vector({0.0, -9.0 * s.q[1]});
           },
       .position = [](const State& s) { return vector({s.q[0] - std::sin(2.0 * s.t)}); },
       .jacobian =
           [](const State&) {
             return Eigen::MatrixXd(vector({1.0, 0.0}).transpose());
           },
       .velocity_bias = [](const State& s) { return vector({-2.0 * std::cos(2.0 * s.t)}); },
       .acceleration_bias = [](const State& s) { return vector({4.0 * std::sin(2.0 * s.t)}); },
       .holonomic = 1});
}

/// Mass on a spring of stiffness 4 with a relaxing (Maxwell) force z: q'' = -4 q - z, z' = 3 v - 5
/// z.
inline FunctionSystem maxwell_element() {
  return FunctionSystem(
      {.mass = vector({1.0}),
       .force = [](const State& s) { return vector({-4.0 * s.q[0] - s.z[0]}); },
       .state_rates = [](const State& s) { return vector({3.0 * s.v[0] - 5.0 * s.z[0]}); },
       .states = 1});
}

/// Fails for t > 0.5: the force becomes undefined.
inline FunctionSystem broken_after_half_a_second() {
  return FunctionSystem({.mass = vector({1.0}), .force = [](const State& s) {
                           return vector({s.t > 0.5 ? std::nan("") : -s.q[0]});
                         }});
}

}  // namespace trammel::integrators::testing
