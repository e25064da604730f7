#include "trammel/model/description.h"

#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

using Eigen::Vector3d;

Body box(std::string name, const Vector3d& position) {
  Body body;
  body.name = std::move(name);
  body.mass.mass = 2.0;
  body.mass.inertia.setIdentity();
  body.position = position;
  return body;
}

TEST(Description, AttachmentsNameBodiesWithDotsAndTheirFrames) {
  const auto is_body = [](std::string_view name) { return name == "crank" || name == "leg.shin"; };
  const auto parts = [&](std::string_view attachment) {
    const Attachment split = split_attachment(attachment, is_body);
    return std::pair(std::string(split.body), std::string(split.frame.value_or("-")));
  };
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(parts("ground"), Parts("ground", "-"));
  EXPECT_EQ(parts("ground.leg.hook"), Parts("ground", "leg.hook"));
  EXPECT_EQ(parts("crank"), Parts("crank", "-"));
  EXPECT_EQ(parts("crank.tip"), Parts("crank", "tip"));
  EXPECT_EQ(parts("leg.shin"), Parts("leg.shin", "-"));
  EXPECT_EQ(parts("leg.shin.knee"), Parts("leg.shin", "knee"));
  EXPECT_EQ(parts("unknown"), Parts("unknown", "-"));
  EXPECT_EQ(parts("grounded.tip"), Parts("grounded", "tip"));
}

TEST(Description, IsBuiltPieceByPiece) {
  Description d;
  d.add_body(box("door", {1, 0, 0})).frames.push_back({"hinge", Vector3d(-1, 0, 0)});
  d.add_joint("revolute", "post", "ground", "door.hinge", {{"axis", Vector3d(0, 1, 0)}});
  d.add_force("torque", "push", {"door"}, {{"torque", Vector3d(0, 1, 0)}});
  const auto system = compile(d);
  EXPECT_EQ(system->sizes().q, 7);
  EXPECT_EQ(system->sizes().v, 6);
  EXPECT_EQ(system->sizes().multipliers(), 5);
  EXPECT_EQ(system->sizes().z, 0);
  system::Vector g;
  system->position_constraint(system->described_state(), g);
  EXPECT_LE(g.lpNorm<Eigen::Infinity>(), 1e-15);
}

TEST(Description, DescribedStateIsThatOfTheCentreOfMass) {
  Description d;
  Body body = box("arm", {1, 2, 3});
  body.mass.center = {0.5, 0, 0};
  body.orientation = Eigen::AngleAxisd(1.5707963267948966, Vector3d::UnitZ());
  body.velocity = {1, 0, 0};
  body.angular_velocity = {0, 0, 2};
  d.add_body(body);
  const system::State state = compile(d)->described_state();
  EXPECT_LE((state.q.head<3>() - Vector3d(1, 2.5, 3)).norm(), 1e-15);
  // 1 m/s along x, and 2 rad/s times 0.5 m the other way.
  EXPECT_LE((state.v.head<3>() - Vector3d(0, 0, 0)).norm(), 1e-15);
  // What people see is the frame's origin again.
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, state));
  EXPECT_LE((support::observed_vector(seen, "arm.position") - Vector3d(1, 2, 3)).norm(), 1e-15);
  EXPECT_LE((support::observed_vector(seen, "arm.velocity") - Vector3d(1, 0, 0)).norm(), 1e-15);
}

TEST(Description, AtPlacesBothFramesInTheDescribedConfiguration) {
  Description d;
  Body body = box("arm", {1, 2, 3});
  body.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 1, 0).normalized());
  body.mass.center = {0.1, 0.2, 0.3};
  d.add_body(body);
  d.add_joint("revolute", "pin", "ground", "arm", {{"axis", Vector3d(1, 2, 2)}}).at =
      Vector3d(0.4, 0.5, 0.6);
  d.add_joint("fixed", "weld", "arm", "ground").at = Vector3d(1, 1, 1);
  const auto system = compile(d);
  system::Vector g;
  system->position_constraint(system->described_state(), g);
  EXPECT_LE(g.lpNorm<Eigen::Infinity>(), 1e-15);
}

TEST(Description, PointMassesHaveNoRotation) {
  Description d;
  Body bob = box("bob", {1, 0, 0});
  bob.kind = BodyKind::point;
  d.add_body(bob);
  d.add_joint("distance", "rod", "ground", "bob");
  EXPECT_EQ(compile(d)->sizes().v, 3);
  d.space = Space::planar;
  EXPECT_EQ(compile(d)->sizes().v, 2);
  for (const Quantity& quantity : compile(d)->observables()) {
    EXPECT_EQ(quantity.name.find("bob.ang"), std::string::npos);
  }
}

TEST(Description, PlanarFixedJointKeepsTheDescribedTurns) {
  // Two turns and a bit, welded: assembly must not unwind the body.
  Description d;
  d.space = Space::planar;
  Body body = box("wheel", {0, 0, 0});
  body.angle = 4.0 * 3.14159265358979323846 + 0.2;
  body.orientation = Eigen::AngleAxisd(body.angle, Vector3d::UnitZ());
  d.add_body(body);
  d.add_joint("fixed", "weld", "ground", "wheel");
  const auto system = compile(d);
  const system::State state = support::assembled(*system);
  EXPECT_NEAR(state.q[2], 4.0 * 3.14159265358979323846, 1e-12);
}

}  // namespace
}  // namespace trammel::model
