#include "support/force_laws.h"

#include <cmath>

#include "support/finite_differences.h"
#include "support/system_laws.h"
#include <gtest/gtest.h>

namespace trammel::support {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using system::Vector;

namespace {

// Generalised forces of the elements alone: what is left of f when the velocities' own gyroscopic
// part is taken away by the same residual without the element.
Vector forces_of(system::MechanicalSystem& system, const system::State& state) {
  Vector f;
  system.forces(state, f);
  if (system::ConstraintDependentForces* loads = system.constraint_dependent_forces()) {
    Vector h;
    loads->constraint_dependent_forces(at_rest(system, state), h);
    f += h;
  }
  return f;
}

// The state a time s later along the motion: positions, first-order states and time.
system::State along(system::MechanicalSystem& system, const system::State& state, double s) {
  system::State later = state;
  system.retract(state.q, s * state.v, later.q);
  later.t = state.t + s;
  if (system::FirstOrderStates* states = system.first_order_states()) {
    Vector rates;
    states->rates(state, rates);
    later.z += s * rates;
  }
  return later;
}

// The wrench on each body about the world's origin. States must have no spatial spin, or the
// gyroscopic moments would count as forces.
Wrench wrench_on(const model::Description& description,
                 model::ModelSystem& system,
                 const system::State& state,
                 Eigen::Index body) {
  const bool planar = description.space == model::Space::planar;
  const Eigen::Index freedoms = planar ? 3 : 6;
  const auto number = static_cast<std::size_t>(body);
  const Observation seen = observe(system, at_rest(system, state));
  const BodyMotion pose = body_motion(seen, description.bodies[number].name);
  const Vector part = forces_of(system, state).segment(body * freedoms, freedoms);
  Wrench wrench;
  wrench.force << part.head(planar ? 2 : 3), Vector::Zero(planar ? 1 : 0);
  Vector3d moment;
  moment << Vector::Zero(planar ? 2 : 0), part.tail(planar ? 1 : 3);
  if (!planar) {
    const Vector3d w = state.v.segment<3>(body * freedoms + 3);
    moment += w.cross(description.bodies[number].mass.inertia * w);
  }
  wrench.moment =
      pose.R * moment + pose.point(description.bodies[number].mass.center).cross(wrench.force);
  return wrench;
}

}  // namespace

void expect_force_tangent_is_derivative(model::ModelSystem& system, const system::State& state) {
  const system::Motion motion = at_rest(system, state);
  expect_tangent_is_derivative(system, motion, {.position = 1.0}, nullptr);
  expect_tangent_is_derivative(system, motion, {.velocity = 1.0}, nullptr);
  expect_tangent_is_derivative(system, motion, {0.7, 1.3, 0.4}, nullptr);
}

void expect_energy_rate_is_power(model::ModelSystem& system, const system::State& state) {
  const system::Power power = system.power(at_rest(system, state));
  const Vector parts = first_derivative([&](double s) {
    const system::Energy energy = system.energy(along(system, state, s));
    return Vector(Eigen::Vector2d(energy.potential, energy.kinetic));
  });
  const Vector stored = Vector::Constant(1, parts.sum());
  const double work = forces_of(system, state).dot(state.v);
  const double scale = std::max({1.0, std::abs(work), std::abs(stored[0]), power.dissipated});
  // Round-off where it is what is left of the work after the change of the potential.
  EXPECT_GE(power.dissipated, -1e-14 * scale);
  // The error of first_derivative().
  EXPECT_NEAR(stored[0] + power.dissipated - power.loads + work, 0.0, 1e-9 * scale)
      << "stored " << stored[0] << ", dissipated " << power.dissipated << ", load " << power.loads
      << ", work on the bodies " << work;
}

void expect_momentum_is_kept(const model::Description& description,
                             model::ModelSystem& system,
                             const system::State& state) {
  const Wrench total =
      wrench_on(description, system, state, 0) + wrench_on(description, system, state, 1);
  const double scale = std::max(1.0, wrench_on(description, system, state, 0).moment.norm());
  EXPECT_LE(total.force.norm(), 1e-12 * scale);
  EXPECT_LE(total.moment.norm(), 1e-12 * scale);
}

void expect_objective(const model::Description& description,
                      model::ModelSystem& system,
                      const system::State& state,
                      Random& random) {
  // World points p become Q p + c; velocities gain the rigid motion V + W x p.
  const Matrix3d Q = random.rotation(description.space, 3.0).toRotationMatrix();
  const Vector3d c = random.vector(description.space);
  const Vector3d V = random.vector(description.space);
  const Vector3d W = description.space == model::Space::planar
                         ? Vector3d(0, 0, random.uniform(-1.0, 1.0))
                         : random.vector(description.space);
  const Observation before = observe(system, at_rest(system, state));
  model::Description elsewhere = description;
  for (model::Body& body : elsewhere.bodies) {
    const BodyMotion motion = body_motion(before, body.name);
    body.position = Q * motion.p + c;
    body.orientation = Eigen::Quaterniond(Matrix3d(Q * motion.R)).normalized();
    // Whole turns do not matter to a rigid motion of both, so angles are shifted by the same
    // amount.
    body.angle += std::atan2(Q(1, 0), Q(0, 0));
    body.velocity = Q * motion.v + V + W.cross(body.position);
    body.angular_velocity = motion.R.transpose() * (motion.w + Q.transpose() * W);
  }
  const auto other = model::compile(elsewhere);
  for (const Eigen::Index body : {0, 1}) {
    const Wrench here = wrench_on(description, system, state, body);
    const Wrench there = wrench_on(elsewhere, *other, other->described_state(), body);
    const double scale = std::max({1.0, here.force.norm(), here.moment.norm()});
    const Vector3d force = Q * here.force;
    EXPECT_LE((there.force - force).norm(), 1e-12 * scale);
    EXPECT_LE((there.moment - Q * here.moment - c.cross(force)).norm(), 1e-11 * scale);
  }
}

void expect_recorded_rate(model::ModelSystem& system,
                          const system::State& state,
                          const std::string& quantity,
                          const std::string& rate) {
  const auto recorded = [&](const system::State& s, const std::string& name) {
    return observe(system, at_rest(system, s)).at("item." + name);
  };
  const Vector derivative = first_derivative(
      [&](double s) { return Vector::Constant(1, recorded(along(system, state, s), quantity)); });
  EXPECT_NEAR(recorded(state, rate), derivative[0], 1e-9 * std::max(1.0, std::abs(derivative[0])));
}

}  // namespace trammel::support
