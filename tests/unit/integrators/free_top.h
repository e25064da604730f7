// A rigid body that turns without any load, on the bare contract: Euler parameters and angular
// velocities in body axes, J w' + w x J w = 0.
#pragma once

#include <array>

#include "hand_written_systems.h"
#include <Eigen/Geometry>

#include "trammel/system/freedom_parts.h"

namespace trammel::integrators::testing {

class FreeTop final : public system::MechanicalSystem, public system::FreedomParts {
 public:
  explicit FreeTop(const Eigen::Vector3d& inertia) : inertia_(inertia) {
    system::KktPatternBuilder builder(3, 0);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < i; ++j) builder.add(i, j);
    }
    builder.add_block(0, 3);
    pattern_ = std::make_shared<const system::KktPattern>(builder.build());
    scale_ = Vector::Ones(3);
  }

  /// Turning with w, body axes along those of the world.
  Motion start(const Eigen::Vector3d& w) {
    Motion motion{{0.0, Vector::Unit(4, 0), w, {}}, {}, {}};
    forces(motion.state, motion.a);
    motion.a = motion.a.cwiseQuotient(Vector(inertia_));
    return motion;
  }

  std::unique_ptr<system::MechanicalSystem> clone() const override {
    return std::make_unique<FreeTop>(inertia_);
  }
  Sizes sizes() const override { return {.q = 4, .v = 3}; }
  std::shared_ptr<const system::KktPattern> pattern() const override { return pattern_; }
  const Vector& displacement_scale() const override { return scale_; }
  std::span<const system::FreedomPart> freedom_parts() const override { return parts_; }

  void retract(const Vector& q, const Vector& x, Vector& moved) const override {
    const Eigen::Vector3d turn = x;
    const double angle = turn.norm();
    const Eigen::Quaterniond by(
        Eigen::AngleAxisd(angle, Eigen::Vector3d(turn / std::max(angle, 1e-300))));
    const Eigen::Quaterniond R = (Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * by).normalized();
    moved = Eigen::Vector4d(R.w(), R.x(), R.y(), R.z());
  }
  void logarithm(const Vector& from, const Vector& to, Vector& x) const override {
    const Eigen::AngleAxisd turn(
        Eigen::Quaterniond(from[0], from[1], from[2], from[3]).conjugate() *
        Eigen::Quaterniond(to[0], to[1], to[2], to[3]));
    x = turn.angle() * turn.axis();
  }
  void inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const override {
    const Eigen::Vector3d a = x;
    const Eigen::Vector3d d = delta;
    const double t = a.norm();
    const double c = t > 1e-3 ? (1.0 - 0.5 * t / std::tan(0.5 * t)) / (t * t) : 1.0 / 12.0;
    dx = Eigen::Vector3d(d + 0.5 * a.cross(d) + c * a.cross(a.cross(d)));
  }

  void residual(const Motion& m, Vector& r, Vector& constraint) override {
    forces(m.state, r);
    r = Vector(inertia_).cwiseProduct(m.a) - r;
    constraint.resize(0);
  }
  void tangent(const Motion& m,
               const system::Weights& w,
               const Vector* /*step*/,
               system::KktMatrix& tangent) override {
    for (int j = 0; j < 3; ++j) {
      State moved = m.state;
      moved.v[j] += 1.0;  // forces are quadratic: exact by a central difference
      Vector above;
      forces(moved, above);
      moved.v[j] -= 2.0;
      Vector below;
      forces(moved, below);
      for (int i = 0; i < 3; ++i) {
        const double inertia = i == j ? inertia_[i] : 0.0;
        tangent.values[static_cast<std::size_t>(pattern_->find(i, j))] =
            w.acceleration * inertia - w.velocity * 0.5 * (above[i] - below[i]);
      }
    }
  }
  void forces(const State& s, Vector& f) override {
    const Eigen::Vector3d w = s.v;
    f = -w.cross(Eigen::Vector3d(inertia_.cwiseProduct(w)));
  }
  void position_constraint(const State& /*state*/, Vector& g) override { g.resize(0); }
  void velocity_constraint(const State& /*state*/, Vector& g) override { g.resize(0); }
  void acceleration_bias(const State& /*state*/, Vector& gamma) override { gamma.resize(0); }

 private:
  Eigen::Vector3d inertia_;
  std::array<system::FreedomPart, 1> parts_{{{0, 0, 3, true}}};
  std::shared_ptr<const system::KktPattern> pattern_;
  Vector scale_;
};

}  // namespace trammel::integrators::testing
