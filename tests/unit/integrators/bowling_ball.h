// A ball that rolls without slipping on the plane z = 0 along the guide y = A sin(x/A), its mass
// centre off its middle by r_0 along the body axis b_3 [ParkChiou1987, sec. 7; Chiou1990,
// sec. 7.4], with signs corrected, on the bare contract. Velocities x', y' and w in body axes; R_ij
// = b_i . e_j.
//
//     g = A sin(x/A) - y,    x' - a w . R_.2 = 0,    y' + a w . R_.1 = 0
//
// J is that about the middle, (2/5) m a^2, whatever r_0. Lengths are in ball radii.
#pragma once

#include <array>

#include "hand_written_systems.h"
#include <Eigen/Geometry>

#include "trammel/system/freedom_parts.h"

namespace trammel::integrators::testing {

struct BallData {
  double radius = 1.0;
  double offset = 0.0;  ///< r_0
  double gravity = 90.0;
  double mass = 71.32;
  double guide = 1.0;  ///< A
};

class BowlingBall final : public system::MechanicalSystem, public system::FreedomParts {
 public:
  explicit BowlingBall(const BallData& data) : d_(data) {
    inertia_ = 0.4 * d_.mass * d_.radius * d_.radius;
    system::KktPatternBuilder builder(5, 3);
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < i; ++j) builder.add(i, j);
      for (int row = 0; row < 3; ++row) builder.add(5 + row, i);
    }
    builder.add_block(0, 5);
    builder.add_block(5, 3);
    pattern_ = std::make_shared<const system::KktPattern>(builder.build());
    scale_ = Vector::Ones(5);
  }

  /// At the origin, w = (-1, 1, 0), rolling.
  State start() const {
    State s{0.0, Vector::Unit(6, 2), Vector::Zero(5), {}};
    s.v << d_.radius, d_.radius, -1.0, 1.0, 0.0;
    return s;
  }

  std::unique_ptr<system::MechanicalSystem> clone() const override {
    return std::make_unique<BowlingBall>(d_);
  }
  Sizes sizes() const override { return {.q = 6, .v = 5, .holonomic = 1, .nonholonomic = 2}; }
  std::shared_ptr<const system::KktPattern> pattern() const override { return pattern_; }
  const Vector& displacement_scale() const override { return scale_; }
  std::span<const system::FreedomPart> freedom_parts() const override { return parts_; }

  void retract(const Vector& q, const Vector& x, Vector& moved) const override {
    const Eigen::Vector3d turn = x.tail<3>();
    const double angle = turn.norm();
    const Eigen::Quaterniond by(
        Eigen::AngleAxisd(angle, Eigen::Vector3d(turn / std::max(angle, 1e-300))));
    const Eigen::Quaterniond R = (rotation(q) * by).normalized();
    Vector result(6);
    result << q.head<2>() + x.head<2>(), R.w(), R.x(), R.y(), R.z();
    moved = result;
  }
  void logarithm(const Vector& from, const Vector& to, Vector& x) const override {
    const Eigen::AngleAxisd turn(rotation(from).conjugate() * rotation(to));
    x.resize(5);
    x << to.head<2>() - from.head<2>(), turn.angle() * turn.axis();
  }
  void inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const override {
    const Eigen::Vector3d a = x.tail<3>();
    const Eigen::Vector3d e = delta.tail<3>();
    const double t = a.norm();
    const double c = t > 1e-3 ? (1.0 - 0.5 * t / std::tan(0.5 * t)) / (t * t) : 1.0 / 12.0;
    const Eigen::Vector3d turned = e + 0.5 * a.cross(e) + c * a.cross(a.cross(e));
    Vector result(5);
    result << delta.head<2>(), turned;
    dx = result;
  }

  void residual(const Motion& m, Vector& r, Vector& constraint) override {
    Vector f;
    forces(m.state, f);
    r = mass_matrix(m.state.q) * m.a - f + jacobian(m.state.q).transpose() * m.lambda;
    Vector g;
    position_constraint(m.state, g);
    velocity_constraint(m.state, constraint);
    constraint[0] = g[0];
  }
  // Derivatives by central differences.
  void tangent(const Motion& m,
               const system::Weights& w,
               const Vector* /*step*/,
               system::KktMatrix& tangent) override {
    constexpr double eps = 1e-6;
    Eigen::MatrixXd K = w.acceleration * mass_matrix(m.state.q);
    Vector r[2];
    Vector g;
    for (int j = 0; j < 5 && (w.position != 0.0 || w.velocity != 0.0); ++j) {
      Motion at = m;
      for (int k = 0; k < 2; ++k) {
        retract(m.state.q, (k == 0 ? eps : -eps) * Vector::Unit(5, j), at.state.q);
        residual(at, r[k], g);
      }
      K.col(j) += w.position * (r[0] - r[1]) / (2.0 * eps);
      at = m;
      for (int k = 0; k < 2; ++k) {
        at.state.v = m.state.v + (k == 0 ? eps : -eps) * Vector::Unit(5, j);
        residual(at, r[k], g);
      }
      K.col(j) += w.velocity * (r[0] - r[1]) / (2.0 * eps);
    }
    const auto G = jacobian(m.state.q);
    const auto put = [&](int row, int column, double value) {
      tangent.values[static_cast<std::size_t>(pattern_->find(row, column))] = value;
    };
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 5; ++i) put(i, j, K(i, j));
      for (int row = 0; row < 3; ++row) put(5 + row, j, G(row, j));
    }
  }
  void forces(const State& s, Vector& f) override {
    const Eigen::Matrix3d R = rotation(s.q).toRotationMatrix().transpose();
    const Eigen::Vector3d w = s.v.tail<3>();
    const double mr = d_.mass * d_.offset;
    f.setZero(5);
    for (int j = 0; j < 2; ++j) {
      f[j] = -mr * (w[0] * w[2] * R(0, j) + w[1] * w[2] * R(1, j) -
                    (w[0] * w[0] + w[1] * w[1]) * R(2, j));
    }
    f[2] = mr * d_.gravity * R(1, 2);
    f[3] = -mr * d_.gravity * R(0, 2);
  }
  void position_constraint(const State& s, Vector& g) override {
    g.setZero(3);
    g[0] = d_.guide * std::sin(s.q[0] / d_.guide) - s.q[1];
  }
  void velocity_constraint(const State& s, Vector& g_dot) override { g_dot = jacobian(s.q) * s.v; }
  void acceleration_bias(const State& s, Vector& gamma) override {
    gamma.setZero(3);
    gamma[0] = -std::sin(s.q[0] / d_.guide) * s.v[0] * s.v[0] / d_.guide;
  }

  /// J: constant where the constraints hold.
  double energy(const State& s) const {
    const Eigen::Matrix3d R = rotation(s.q).toRotationMatrix().transpose();
    return 0.5 * s.v.dot(mass_matrix(s.q) * s.v) + d_.mass * d_.gravity * d_.offset * R(2, 2);
  }

 private:
  static Eigen::Quaterniond rotation(const Vector& q) {
    return Eigen::Quaterniond(q[2], q[3], q[4], q[5]);
  }
  Eigen::MatrixXd mass_matrix(const Vector& q) const {
    const Eigen::Matrix3d R = rotation(q).toRotationMatrix().transpose();
    const double mr = d_.mass * d_.offset;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(5, 5);
    M.diagonal() << d_.mass, d_.mass, inertia_, inertia_, inertia_;
    for (int j = 0; j < 2; ++j) {
      M(j, 2) = -mr * R(1, j);
      M(j, 3) = mr * R(0, j);
      M(2, j) = M(j, 2);
      M(3, j) = M(j, 3);
    }
    return M;
  }
  Eigen::Matrix<double, 3, 5> jacobian(const Vector& q) const {
    const Eigen::Matrix3d R = rotation(q).toRotationMatrix().transpose();
    const double a = d_.radius;
    Eigen::Matrix<double, 3, 5> G;
    G << std::cos(q[0] / d_.guide), -1, 0, 0, 0,         //
        1, 0, -a * R(0, 1), -a * R(1, 1), -a * R(2, 1),  //
        0, 1, a * R(0, 0), a * R(1, 0), a * R(2, 0);
    return G;
  }

  BallData d_;
  double inertia_ = 0.0;
  std::array<system::FreedomPart, 2> parts_{{{0, 0, 2, false}, {2, 2, 3, true}}};
  std::shared_ptr<const system::KktPattern> pattern_;
  Vector scale_;
};

}  // namespace trammel::integrators::testing
