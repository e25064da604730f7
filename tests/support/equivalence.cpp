#include "support/equivalence.h"

#include <algorithm>

#include "support/reference_motion.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::support {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Body;
using model::Description;
using model::Space;

namespace {

constexpr double duration = 0.4;
constexpr int steps = 400;

Body arbitrary_body(const std::string& name, Space space, const Vector3d& position) {
  Body body;
  body.name = name;
  body.mass.mass = name == "a" ? 3.0 : 1.2;
  body.mass.center = {0.05, -0.08, 0.0};
  body.mass.inertia = Vector3d(0.05, 0.09, 0.11).asDiagonal();
  body.position = position;
  body.angle = name == "a" ? 0.4 : -0.9;
  body.orientation = Quaterniond(Eigen::AngleAxisd(body.angle, Vector3d::UnitZ()));
  body.velocity = name == "a" ? Vector3d(0.3, 1.0, 0.0) : Vector3d(-0.5, 0.8, 0.0);
  body.angular_velocity = {0.0, 0.0, name == "a" ? 1.5 : -4.0};
  if (space == Space::spatial) {
    body.mass.center.z() = 0.06;
    const Vector3d tilt = name == "a" ? Vector3d(1, 0.2, 0) : Vector3d(0.3, -1, 0);
    body.orientation = body.orientation * Quaterniond(Eigen::AngleAxisd(0.6, tilt.normalized()));
    body.velocity.z() = 0.4;
    body.angular_velocity += Vector3d(2.0, -1.0, 0.5);
  }
  return body;
}

Body& find_body(Description& description, const std::string& name) {
  return *std::find_if(description.bodies.begin(), description.bodies.end(),
                       [&](const Body& body) { return body.name == name; });
}

bool touches(const model::Item& item, const std::string& body) {
  return std::any_of(item.attachments.begin(), item.attachments.end(),
                     [&](const std::string& attachment) {
                       return attachment.substr(0, attachment.find('.')) == body;
                     });
}

BodyMotion extrapolated(const BodyMotion& half, const BodyMotion& full) {
  BodyMotion m;
  m.p = 2.0 * half.p - full.p;
  m.R = 2.0 * half.R - full.R;
  m.v = 2.0 * half.v - full.v;
  m.w = 2.0 * half.w - full.w;
  return m;
}

void expect_same(const BodyMotion& actual, const BodyMotion& expected, double tolerance) {
  EXPECT_LE((actual.p - expected.p).norm(), tolerance);
  EXPECT_LE((actual.R - expected.R).norm(), tolerance);
  EXPECT_LE((actual.v - expected.v).norm(), 10.0 * tolerance);
  EXPECT_LE((actual.w - expected.w).norm(), 10.0 * tolerance);
}

}  // namespace

Vector3d connection_point() {
  return {0.3, 0.15, 0.0};
}
Vector3d connection_axis() {
  return Vector3d(2.0, 1.0, 0.0).normalized();
}
Vector3d connection_cross_axis() {
  return Vector3d(1.0, -2.0, 2.0).normalized();
}

Description flying_pair(Space space) {
  Description d;
  d.name = "flying pair";
  d.space = space;
  d.gravity = {0.0, -9.81, 0.0};
  d.add_body(arbitrary_body("a", space, {0, 0, 0}));
  d.add_body(arbitrary_body("b", space, {0.6, 0.2, 0.0}));
  d.ground_frames.push_back({"hook", Vector3d(0.5, 1.0, 0.0)});
  d.add_force("spring", "string", {"ground.hook", "b"},
              {{"stiffness", 40.0}, {"damping", 0.5}, {"length", 0.3}});
  return d;
}

std::string mark(Description& description,
                 const std::string& body,
                 const std::string& frame,
                 const Vector3d& point) {
  Body& on = find_body(description, body);
  on.frames.push_back({frame, on.orientation.conjugate() * (point - on.position)});
  return body + "." + frame;
}

void add_light_body(Description& description,
                    const std::string& name,
                    double mass,
                    const Vector3d& point) {
  Body body;
  body.name = name;
  body.mass.mass = mass;
  body.mass.inertia = Vector3d(0.02, 0.02, 0.02).asDiagonal() * mass;
  body.position = point;
  description.add_body(body);
}

Description started_pair(Space space, const Connect& first) {
  Description d = flying_pair(space);
  Description connected = d;
  first(connected);
  const auto system = model::compile(connected);
  const Observation seen = observe(*system, at_rest(*system, assembled(*system)));
  for (Body& body : d.bodies) {
    const BodyMotion motion = body_motion(seen, body.name);
    body.velocity = motion.v;
    body.angular_velocity = motion.R.transpose() * motion.w;
  }
  return d;
}

namespace {

using Solve = system::Motion (*)(model::ModelSystem& system);

ConnectedMotion motion_of(Description pair, const Connect& connect, Solve solve) {
  connect(pair);
  for (const char* name : {"a", "b"}) {
    find_body(pair, name).fixed_pose.fill(true);
    find_body(pair, name).fixed_velocity.fill(true);
  }
  const auto system = model::compile(pair);
  const Eigen::MatrixXd G = constraint_jacobian(*system, assembled(*system));
  const system::Motion motion = solve(*system);
  const Observation seen = observe(*system, motion);

  ConnectedMotion result;
  result.redundant = static_cast<int>(G.rows()) - rank_of(G);
  result.a = body_motion(seen, "a");
  result.b = body_motion(seen, "b");
  for (const model::Item& joint : pair.joints) {
    if (touches(joint, "b")) {
      result.on_b = result.on_b + joint_wrench(pair, seen, joint.name, "b");
    }
  }
  system::Vector g;
  system->position_constraint(motion.state, g);
  result.drift = g.lpNorm<Eigen::Infinity>();
  return result;
}

}  // namespace

ConnectedMotion connected_motion(Description pair, const Connect& connect) {
  return motion_of(std::move(pair), connect, [](model::ModelSystem& system) {
    return reference_motion(system, assembled(system), duration, steps);
  });
}

ConnectedMotion simulated_motion(Description pair, const Connect& connect) {
  return motion_of(std::move(pair), connect, [](model::ModelSystem& system) {
    model::SimulationSettings settings;
    settings.until = duration;
    settings.step = duration / steps;
    const analysis::SimulationReport report = analysis::simulate(system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
    return report.final_motion;
  });
}

ConnectedMotion massless_limit(const Description& pair,
                               const std::function<Connect(double mass)>& connect) {
  constexpr double mass = 1e-4;
  const ConnectedMotion full = connected_motion(pair, connect(mass));
  const ConnectedMotion half = connected_motion(pair, connect(0.5 * mass));
  ConnectedMotion result = half;
  result.a = extrapolated(half.a, full.a);
  result.b = extrapolated(half.b, full.b);
  result.on_b.force = 2.0 * half.on_b.force - full.on_b.force;
  result.on_b.moment = 2.0 * half.on_b.moment - full.on_b.moment;
  return result;
}

void expect_same_motion(const ConnectedMotion& actual,
                        const ConnectedMotion& expected,
                        double position,
                        double reaction) {
  // Index 1 lets the constraints drift by the error of the integration.
  EXPECT_LE(actual.drift, 1e-9);
  EXPECT_LE(expected.drift, 1e-9);
  expect_same(actual.a, expected.a, position);
  expect_same(actual.b, expected.b, position);
  const double size = std::max(1.0, expected.on_b.force.norm());
  EXPECT_GT(expected.on_b.force.norm() + expected.on_b.moment.norm(), 0.1) << "nothing to compare";
  EXPECT_LE((actual.on_b.force - expected.on_b.force).norm(), reaction * size);
  EXPECT_LE((actual.on_b.moment - expected.on_b.moment).norm(), reaction * size);
}

}  // namespace trammel::support
