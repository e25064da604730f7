#include "support/joint_laws.h"

#include <cmath>
#include <numbers>

#include "support/finite_differences.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace trammel::support {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using system::Vector;

namespace {

// Truncation and round-off of finite_differences.h, with a margin for derivatives larger than the
// functions themselves. Far below 1e-6, which is what a Newton iteration would ask for.
constexpr double first_order_tolerance = 1e-9;
constexpr double second_order_tolerance = 2e-7;

void expect_close(const MatrixXd& actual,
                  const MatrixXd& expected,
                  double tolerance,
                  const char* what) {
  ASSERT_EQ(actual.rows(), expected.rows()) << what;
  ASSERT_EQ(actual.cols(), expected.cols()) << what;
  if (expected.size() == 0) return;
  const double scale = std::max(1.0, expected.lpNorm<Eigen::Infinity>());
  EXPECT_LE((actual - expected).lpNorm<Eigen::Infinity>(), tolerance * scale)
      << what << "\nactual\n"
      << actual << "\nexpected\n"
      << expected;
}

// The state moved by x, with the velocities kept.
system::State moved(const system::MechanicalSystem& system,
                    const system::State& state,
                    const Vector& x) {
  system::State result = state;
  system.retract(state.q, x, result.q);
  return result;
}

Vector position_constraint(system::MechanicalSystem& system, const system::State& state) {
  Vector g;
  system.position_constraint(state, g);
  return g;
}

// Generalised forces -G^T lambda of all constraints, by the residual with and without lambda.
Vector reaction_forces(system::MechanicalSystem& system, const system::Motion& motion) {
  Vector with;
  Vector without;
  Vector g;
  system.residual(motion, with, g);
  system.residual(at_rest(system, motion.state), without, g);
  return without - with;
}

Vector coordinate_values(model::ModelSystem& system,
                         const system::State& state,
                         const std::string& suffix) {
  const std::vector<std::string> names = joint_coordinates(system);
  const Observation seen = observe(system, at_rest(system, state));
  Vector values(static_cast<Eigen::Index>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    values[static_cast<Eigen::Index>(i)] = seen.at(names[i] + suffix);
  }
  return values;
}

// Rates are linear in the velocities: column i belongs to the unit velocity i.
MatrixXd coordinate_jacobian(model::ModelSystem& system, const system::State& state) {
  const auto count = static_cast<Eigen::Index>(joint_coordinates(system).size());
  MatrixXd C(count, state.v.size());
  system::State unit = state;
  for (Eigen::Index i = 0; i < state.v.size(); ++i) {
    unit.v = Vector::Unit(state.v.size(), i);
    C.col(i) = coordinate_values(system, unit, "_rate");
  }
  return C;
}

}  // namespace

void expect_jacobian_is_derivative(model::ModelSystem& system, const system::State& state) {
  const MatrixXd G = constraint_jacobian(system, state);
  const int holonomic = system.sizes().holonomic;
  const MatrixXd differences = derivative_matrix(state.v.size(), [&](const Vector& x) {
    return position_constraint(system, moved(system, state, x));
  });
  expect_close(G.topRows(holonomic), differences.topRows(holonomic), first_order_tolerance,
               "G is the derivative of g");
  // Pfaff rows have no g, but are linear in the velocities.
  const MatrixXd rates = derivative_matrix(state.v.size(), [&](const Vector& v) {
    system::State faster = state;
    faster.v += v;
    Vector g_dot;
    system.velocity_constraint(faster, g_dot);
    return g_dot;
  });
  expect_close(G, rates, first_order_tolerance, "G is the derivative of g'");
  Vector g_dot;
  system.velocity_constraint(state, g_dot);
  expect_close(g_dot, G * state.v, 1e-13, "g' = G v");
}

void expect_bias_is_second_derivative(model::ModelSystem& system,
                                      const system::State& state,
                                      Random& random) {
  // Along x(s) = v s + a s^2/2 from the state, velocity and acceleration at s = 0 are v and a, also
  // for rotations, since T(x) x'' + T' x' = a there.
  const Vector a = random.values(state.v.size());
  const Vector second = second_derivative([&](double s) {
    system::State later = moved(system, state, s * state.v + 0.5 * s * s * a);
    later.t = state.t + s;
    return position_constraint(system, later);
  });
  Vector gamma;
  system.acceleration_bias(state, gamma);
  const Vector expected = constraint_jacobian(system, state) * a + gamma;
  const int holonomic = system.sizes().holonomic;
  expect_close(expected.head(holonomic), second.head(holonomic), second_order_tolerance,
               "g'' = G a + gamma");
  // All rows, and the only way for Pfaff rows: the derivative of g' where v grows by a.
  const Vector first = first_derivative([&](double s) {
    system::State later = moved(system, state, s * state.v + 0.5 * s * s * a);
    later.t = state.t + s;
    later.v += s * a;
    Vector g_dot;
    system.velocity_constraint(later, g_dot);
    return g_dot;
  });
  expect_close(expected, first, first_order_tolerance, "d(g')/dt = G a + gamma");
}

void expect_stiffness_is_derivative(model::ModelSystem& system,
                                    const system::State& state,
                                    Random& random) {
  system::Motion motion = at_rest(system, state);
  motion.lambda = random.values(motion.lambda.size(), 3.0);
  const MatrixXd K = tangent_matrix(system, motion, {.position = 1.0})
                         .topLeftCorner(state.v.size(), state.v.size());
  const MatrixXd differences = derivative_matrix(state.v.size(), [&](const Vector& x) {
    system::Motion there = motion;
    there.state = moved(system, state, x);
    return Vector(-reaction_forces(system, there));
  });
  expect_close(K, differences, first_order_tolerance, "d(G^T lambda)/dq");
}

void expect_full_rank(model::ModelSystem& system,
                      const system::State& state,
                      const model::JointKind& kind) {
  const int all = kind.space == model::Space::planar ? 3 : 6;
  const MatrixXd G = constraint_jacobian(system, state);
  EXPECT_EQ(G.rows(), all - kind.freedoms) << "rows declared by the kind's freedoms";
  EXPECT_EQ(rank_of(G), G.rows());
}

void expect_reactions_do_no_work(const model::Description& description,
                                 model::ModelSystem& system,
                                 const system::State& state,
                                 Random& random) {
  system::Motion motion = at_rest(system, state);
  motion.lambda = random.values(motion.lambda.size(), 3.0);
  const MatrixXd allowed = allowed_velocities(constraint_jacobian(system, state));
  const auto name = [&](std::size_t end) {
    const std::string& attachment = description.joints[0].attachments[end];
    return attachment.substr(0, attachment.find('.'));
  };
  for (Eigen::Index i = 0; i < allowed.cols(); ++i) {
    motion.state.v = allowed.col(i);
    const Observation seen = observe(system, motion);
    double power = 0.0;
    double size = 1.0;
    for (const std::size_t end : {0U, 1U}) {
      const BodyMotion body = body_motion(seen, name(end));
      const Wrench wrench = joint_wrench(description, seen, "item", name(end));
      power += wrench.force.dot(body.velocity_at(Vector3d::Zero())) + wrench.moment.dot(body.w);
      size = std::max({size, wrench.force.norm(), wrench.moment.norm()});
    }
    // Assembly closes the joint to 1e-13, and the null space is as exact.
    EXPECT_NEAR(power, 0.0, 1e-11 * size) << "allowed velocity " << i;
  }
}

void expect_action_is_reaction(const model::Description& description,
                               model::ModelSystem& system,
                               const system::State& state,
                               Random& random) {
  system::Motion motion = at_rest(system, state);
  motion.lambda = random.values(motion.lambda.size(), 3.0);
  const Vector forces = reaction_forces(system, motion);
  const Observation seen = observe(system, motion);
  const bool planar = description.space == model::Space::planar;
  const Eigen::Index freedoms = planar ? 3 : 6;

  Wrench total;
  for (const Eigen::Index body : {0, 1}) {
    const std::string name = body == 0 ? "a" : "b";
    const BodyMotion pose = body_motion(seen, name);
    const Vector part = forces.segment(body * freedoms, freedoms);
    // (force in world axes; moment about the centre of mass, body axes)
    Wrench wrench;
    wrench.force << part.head(planar ? 2 : 3), Vector::Zero(planar ? 1 : 0);
    Vector3d moment;
    moment << Vector::Zero(planar ? 2 : 0), part.tail(planar ? 1 : 3);
    const Vector3d center =
        pose.point(description.bodies[static_cast<std::size_t>(body)].mass.center);
    wrench.moment = pose.R * moment + center.cross(wrench.force);
    const Wrench recorded = joint_wrench(description, seen, "item", name);
    expect_close(recorded.force, wrench.force, 1e-11, "recorded force");
    expect_close(recorded.moment, wrench.moment, 1e-11, "recorded torque");
    total = total + wrench;
  }
  expect_close(total.force, Vector3d::Zero(), 1e-11, "resultant force");
  expect_close(total.moment, Vector3d::Zero(), 1e-11, "resultant moment");
}

std::vector<std::string> joint_coordinates(const model::ModelSystem& system) {
  const std::vector<model::Quantity> quantities = system.observables();
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < quantities.size(); ++i) {
    const std::string& name = quantities[i].name;
    if (name.rfind("item.", 0) == 0 && quantities[i + 1].name == name + "_rate") {
      names.push_back(name);
    }
  }
  return names;
}

void expect_coordinate_rates(model::ModelSystem& system,
                             const system::State& state,
                             Random& random) {
  if (joint_coordinates(system).empty()) return;
  system.accept(state);
  const Vector a = random.values(state.v.size());
  const Vector reported = coordinate_values(system, state, "_rate");
  // Near a singularity of three angles, differences are worse than what they are to judge.
  constexpr double fastest = 20.0;  // rad/s, of velocities of size one
  if (reported.lpNorm<Eigen::Infinity>() > fastest) return;
  const Vector rates = first_derivative([&](double s) {
    return coordinate_values(system, moved(system, state, s * state.v + 0.5 * s * s * a), "");
  });
  expect_close(reported, rates, first_order_tolerance, "coordinate rates");
}

void expect_coordinates_complete(model::ModelSystem& system,
                                 const system::State& state,
                                 const model::JointKind& kind) {
  // Pfaff rows forbid velocities, not positions.
  const system::Sizes sizes = system.sizes();
  const int freedoms = kind.freedoms + sizes.multipliers() - sizes.holonomic;
  const MatrixXd G = constraint_jacobian(system, state).topRows(sizes.holonomic);
  const MatrixXd allowed = allowed_velocities(G);
  ASSERT_GE(static_cast<int>(joint_coordinates(system).size()), freedoms)
      << "one coordinate for each freedom";
  const MatrixXd C = coordinate_jacobian(system, state).topRows(freedoms);
  ASSERT_EQ(allowed.cols(), freedoms);
  // Values are lengths and angles of size one, so a smallest singular value of 1e-3 is far from
  // dependence and leaves room for Bryant angles near their singular position.
  if (freedoms == 0) return;
  EXPECT_EQ(rank_of(C * allowed, 1e-3), freedoms);
}

void expect_angle_tracked(model::ModelSystem& system,
                          system::State state,
                          std::size_t coordinate,
                          double turns) {
  const auto index = static_cast<Eigen::Index>(coordinate);
  const int holonomic = system.sizes().holonomic;
  const Eigen::Index free = state.v.size() - holonomic;
  system.accept(state);
  const Vector begin = coordinate_values(system, state, "");
  const double step = 0.2 * (turns > 0.0 ? 1.0 : -1.0);
  const int steps = static_cast<int>(std::abs(turns) * 2.0 * std::numbers::pi / 0.2);
  Vector target = begin;
  for (int i = 1; i <= steps; ++i) {
    target[index] = begin[index] + step * i;
    // Newton's method for the position with these coordinates; quadratic from 0.2 rad away.
    for (int iteration = 0; iteration < 8; ++iteration) {
      const MatrixXd G = constraint_jacobian(system, state).topRows(holonomic);
      const MatrixXd C = coordinate_jacobian(system, state).topRows(free);
      MatrixXd J(G.rows() + C.rows(), G.cols());
      J << G, C;
      Vector error(J.rows());
      error << -position_constraint(system, state).head(holonomic),
          (target - coordinate_values(system, state, "")).head(free);
      state = moved(system, state, J.fullPivLu().solve(error));
    }
    system.accept(state);
    expect_close(coordinate_values(system, state, "").head(free), target.head(free), 1e-10,
                 "coordinates");
    expect_close(position_constraint(system, state).head(holonomic), Vector::Zero(holonomic), 1e-10,
                 "constraints");
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace trammel::support
