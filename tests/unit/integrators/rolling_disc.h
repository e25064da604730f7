// A thin disc that rolls without slipping on a plane, written on the bare contract: a body with
// position and rotation (Euler parameters), one holonomic row (the rim touches the plane) and two
// nonholonomic ones (the touching point stands still).
//
//     r = -R u,  u = (e_z - (e_z . n) n)/|...|   from the centre to the touching point, n the axis
//     g = p_z - R sqrt(1 - n_z^2),   A v = (v + w x r)_{x,y}
#pragma once

#include "hand_written_systems.h"
#include <Eigen/Geometry>

namespace trammel::integrators::testing {

class RollingDisc final : public system::MechanicalSystem, public system::EnergyBook {
 public:
  static constexpr double mass = 1.5;    // kg
  static constexpr double radius = 0.3;  // m
  static constexpr double gravity = 9.81;

  RollingDisc() {
    inertia_ = 0.25 * mass * radius * radius * Eigen::Vector3d(1.0, 1.0, 2.0);
    system::KktPatternBuilder builder(6, 3);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < i; ++j) builder.add(i, j);
      for (int row = 0; row < 3; ++row) builder.add(6 + row, i);
    }
    builder.add_block(0, 6);
    builder.add_block(6, 3);
    pattern_ = std::make_shared<const system::KktPattern>(builder.build());
    scale_ = Vector::Ones(6);
  }

  /// Axis tilted by `tilt` from the horizontal, rolling with body rates w.
  State start(double tilt, const Eigen::Vector3d& w) const {
    const Eigen::Quaterniond R(
        Eigen::AngleAxisd(0.5 * M_PI - tilt, Eigen::Vector3d::UnitX()).toRotationMatrix());
    State s{0.0, Vector::Zero(7), Vector::Zero(6), {}};
    s.q.segment<4>(3) << R.w(), R.x(), R.y(), R.z();
    s.q[2] = radius * std::cos(tilt);
    s.v.tail<3>() = w;
    const Eigen::Vector3d slip = jacobian(s.q).rightCols<3>() * w;  // along z, x, y
    s.v.head<3>() << -slip[1], -slip[2], -slip[0];
    return s;
  }

  std::unique_ptr<system::MechanicalSystem> clone() const override {
    return std::make_unique<RollingDisc>(*this);
  }
  Sizes sizes() const override { return {.q = 7, .v = 6, .holonomic = 1, .nonholonomic = 2}; }
  std::shared_ptr<const system::KktPattern> pattern() const override { return pattern_; }
  const Vector& displacement_scale() const override { return scale_; }

  void retract(const Vector& q, const Vector& x, Vector& moved) const override {
    const Eigen::Vector3d turn = x.tail<3>();
    const double angle = turn.norm();
    const Eigen::Quaterniond by(
        Eigen::AngleAxisd(angle, Eigen::Vector3d(turn / std::max(angle, 1e-300))));
    const Eigen::Quaterniond R = (rotation(q) * by).normalized();
    Vector result(7);
    result << q.head<3>() + x.head<3>(), R.w(), R.x(), R.y(), R.z();
    moved = result;
  }
  void logarithm(const Vector& from, const Vector& to, Vector& x) const override {
    const Eigen::AngleAxisd turn(rotation(from).conjugate() * rotation(to));
    x.resize(6);
    x << to.head<3>() - from.head<3>(), turn.angle() * turn.axis();
  }
  // dexp^-1 by its series: x/2 x delta + x x (x x delta)/12 - ..., |x| < 0.5 leaves 1e-6 |delta|.
  void inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const override {
    const Eigen::Vector3d a = x.tail<3>();
    const Eigen::Vector3d d = delta.tail<3>();
    const double t = a.norm();
    const double c = t > 1e-3 ? (1.0 - 0.5 * t / std::tan(0.5 * t)) / (t * t) : 1.0 / 12.0;
    const Eigen::Vector3d turned = d + 0.5 * a.cross(d) + c * a.cross(a.cross(d));
    Vector result(6);
    result << delta.head<3>(), turned;
    dx = result;
  }

  void residual(const Motion& m, Vector& r, Vector& constraint) override {
    Vector f;
    forces(m.state, f);
    r = mass_vector().cwiseProduct(m.a) - f + jacobian(m.state.q).transpose() * m.lambda;
    Vector rows;
    velocity_constraint(m.state, rows);
    position_constraint(m.state, constraint);
    constraint.tail<2>() = rows.tail<2>();
  }

  void tangent(const Motion& m,
               const system::Weights& w,
               const Vector* /*step*/,
               system::KktMatrix& tangent) override {
    Eigen::MatrixXd K = w.acceleration * Eigen::MatrixXd(mass_vector().asDiagonal());
    constexpr double eps = 1e-6;
    for (int j = 0; j < 6; ++j) {
      Motion at = m;
      Vector r[2];
      Vector g;
      for (int k = 0; k < 2; ++k) {
        retract(m.state.q, (k == 0 ? eps : -eps) * Vector::Unit(6, j), at.state.q);
        residual(at, r[k], g);
      }
      K.col(j) += w.position * (r[0] - r[1]) / (2.0 * eps);
      at = m;
      for (int k = 0; k < 2; ++k) {
        at.state.v = m.state.v + (k == 0 ? eps : -eps) * Vector::Unit(6, j);
        residual(at, r[k], g);
      }
      K.col(j) += w.velocity * (r[0] - r[1]) / (2.0 * eps);
    }
    const Eigen::MatrixXd G = jacobian(m.state.q);
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i < 6; ++i) put(tangent, i, j, K(i, j));
      for (int row = 0; row < 3; ++row) put(tangent, 6 + row, j, G(row, j));
    }
  }

  void forces(const State& s, Vector& f) override {
    const Eigen::Vector3d w = s.v.tail<3>();
    f.setZero(6);
    f[2] = -mass * gravity;
    f.tail<3>() = -w.cross(inertia_.cwiseProduct(w));
  }
  void position_constraint(const State& s, Vector& g) override {
    const double n = axis(s.q).z();
    g.setZero(3);
    g[0] = s.q[2] - radius * std::sqrt(1.0 - n * n);
  }
  void velocity_constraint(const State& s, Vector& g_dot) override { g_dot = jacobian(s.q) * s.v; }
  // d/dt G at fixed v, by differences of fourth order along the motion.
  void acceleration_bias(const State& s, Vector& gamma) override {
    const double eps = 2e-3 / std::max(1.0, s.v.norm());
    const auto row = [&](double time) {
      Vector q;
      retract(s.q, time * s.v, q);
      return Vector(jacobian(q) * s.v);
    };
    gamma = (8.0 * (row(eps) - row(-eps)) - (row(2.0 * eps) - row(-2.0 * eps))) / (12.0 * eps);
  }

  system::EnergyBook* energy_book() override { return this; }
  system::Energy energy(const State& s) override {
    return {0.5 * s.v.dot(mass_vector().cwiseProduct(s.v)), mass * gravity * s.q[2]};
  }
  system::Power power(const Motion& /*motion*/) override { return {}; }

 private:
  static Eigen::Quaterniond rotation(const Vector& q) {
    return Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
  }
  static Eigen::Vector3d axis(const Vector& q) { return rotation(q).toRotationMatrix().col(2); }
  static void put(system::KktMatrix& matrix, int row, int column, double value) {
    matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
  }
  Vector mass_vector() const {
    Vector m(6);
    m << mass, mass, mass, inertia_;
    return m;
  }
  // Rows z, x, y of v + w x r.
  static Eigen::Matrix<double, 3, 6> jacobian(const Vector& q) {
    const Eigen::Matrix3d R = rotation(q).toRotationMatrix();
    const Eigen::Vector3d n = R.col(2);
    const Eigen::Vector3d up = (Eigen::Vector3d::UnitZ() - n.z() * n).normalized();
    const Eigen::Vector3d l = R.transpose() * (-radius * up);  // in body axes
    Eigen::Matrix3d cross;
    cross << 0, -l.z(), l.y(), l.z(), 0, -l.x(), -l.y(), l.x(), 0;
    Eigen::Matrix<double, 3, 6> all;
    all << Eigen::Matrix3d::Identity(), -R * cross;
    Eigen::Matrix<double, 3, 6> rows;
    rows << all.row(2), all.row(0), all.row(1);
    return rows;
  }

  Eigen::Vector3d inertia_;
  std::shared_ptr<const system::KktPattern> pattern_;
  Vector scale_;
};

}  // namespace trammel::integrators::testing
