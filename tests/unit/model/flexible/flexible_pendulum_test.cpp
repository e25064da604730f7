// The flexible pendulums of [Huang2014, sec. 4.2] against motions that another program integrated
// from the same equations (relative tolerance 1e-10): one element per body, tip at four times.
#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model::flexible_pendulum_test {
namespace {

struct Row {
  std::string formulation;
  std::string element;
  std::vector<Eigen::Vector2d> tip;  ///< at 0.1, 0.2, 0.5 and 1 s, as many as there are
};

FlexibleBody link(const Row& row, const std::string& name) {
  FlexibleBody body;
  body.name = name;
  body.formulation = row.formulation;
  body.element = row.element;
  body.mass = InertialMass::constant;
  return body;
}

Description single_pendulum(const Row& row) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  FlexibleBody body = link(row, "one");
  body.material = {.density = 5540.0, .youngs_modulus = 0.7e6};
  body.section = {.area = 0.0018, .second_moment = 1.215e-8};
  body.tip = {1.2, 0.0, 0.0};
  add_flexible_body(body, d);
  d.add_joint("revolute", "hinge", "ground", "one.start");
  return d;
}

Description double_pendulum(const Row& row) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  for (const int k : {0, 1}) {
    FlexibleBody body = link(row, k == 0 ? "one" : "two");
    body.material = {.density = 2767.0, .youngs_modulus = 1e6};
    body.section = {.area = 2.5e-4, .second_moment = 1.3e-5};
    // phi = 0.6 as in the reference, in place of 0.601 of nu = 0.3.
    const double E = 1e6;
    const double G = 12.0 * E * 1.3e-5 / (0.6 * (5.0 / 6.0) * 2.5e-4 * 1.8 * 1.8);
    body.material.poissons_ratio = 0.5 * E / G - 1.0;
    body.start = {1.8 * k, 0.0, 0.0};
    body.tip = {1.8 * (k + 1), 0.0, 0.0};
    add_flexible_body(body, d);
  }
  d.add_joint("revolute", "hinge", "ground", "one.start");
  d.add_joint("revolute", "elbow", "one.tip", "two.start");
  return d;
}

void expect_tips(const Description& description, const std::string& tip, const Row& row) {
  const auto system = compile(description);
  system::State state = support::assembled(*system);
  double t = 0.0;
  const double times[] = {0.1, 0.2, 0.5, 1.0};
  for (std::size_t i = 0; i < row.tip.size(); ++i) {
    const int steps = static_cast<int>(std::lround((times[i] - t) / 2e-4));
    const system::Motion motion = support::reference_motion(*system, state, times[i] - t, steps);
    state = motion.state;
    t = times[i];
    const auto seen = support::observe(*system, motion);
    const Eigen::Vector3d position = support::observed_vector(seen, tip + ".position");
    // Half a unit of the last printed digit, and as much for the steps of the fourth order.
    EXPECT_NEAR(position.x(), row.tip[i].x(), 1e-8) << row.formulation << row.element << t;
    EXPECT_NEAR(position.y(), row.tip[i].y(), 1e-8) << row.formulation << row.element << t;
  }
}

TEST(FlexiblePendulum, SwingsAsAnotherProgramSays) {
  const std::vector<Row> rows{
      {"inertial",
       "bar",
       {{1.19981130, -0.07356885},
        {1.18960657, -0.29297923},
        {0.39379332, -1.28950018},
        {-1.20336584, -0.14233999}}},
      {"floating",
       "bar",
       {{1.19981130, -0.07356885},
        {1.18960657, -0.29297923},
        {0.39379332, -1.28950018},
        {-1.20336584, -0.14233999}}},
      {"ancf",
       "bar",
       {{1.19981119, -0.07356885},
        {1.18953591, -0.29296788},
        {0.37462751, -1.27701999},
        {-1.21146122, -0.12864541}}},
      {"inertial",
       "euler_bernoulli",
       {{1.19986295, -0.06602410},
        {1.19232886, -0.26322576},
        {0.53187783, -1.23609063},
        {-1.19273069, -0.27226950}}},
      {"ancf",
       "euler_bernoulli",
       {{1.19910583, -0.06103920},
        {1.18770445, -0.21649634},
        {0.32823528, -1.29084191},
        {-1.13357858, -0.06210257}}},
      // Linear strain: not meaningful beyond 0.2 s, but well defined.
      {"floating",
       "euler_bernoulli",
       {{1.20683536, -0.05816966}, {1.29071678, -0.18790633}, {2.17159321, -1.86029088}}}};
  for (const Row& row : rows) expect_tips(single_pendulum(row), "one.tip", row);
}

TEST(FlexiblePendulum, SwingsDoubleAsAnotherProgramSays) {
  const std::vector<Row> rows{{"inertial",
                               "bar",
                               {{3.60000901, -0.04204366},
                                {3.59972352, -0.16838267},
                                {3.37853980, -1.22395651},
                                {-0.39658857, -4.19069571}}},
                              {"floating",
                               "bar",
                               {{3.60000901, -0.04204366},
                                {3.59972352, -0.16838267},
                                {3.37853980, -1.22395651},
                                {-0.39658857, -4.19069571}}},
                              {"ancf",
                               "bar",
                               {{3.60000901, -0.04204366},
                                {3.59972529, -0.16838330},
                                {3.37041087, -1.23043004},
                                {-0.40925995, -4.13559386}}},
                              {"inertial",
                               "euler_bernoulli",
                               {{3.60000821, -0.04623952},
                                {3.59997371, -0.18503212},
                                {3.41959817, -1.22802386},
                                {-0.24394422, -4.18168363}}},
                              {"ancf",
                               "euler_bernoulli",
                               {{3.59999656, -0.04958591},
                                {3.59999702, -0.19161338},
                                {3.37752031, -1.20985247},
                                {-0.42928279, -4.10020340}}},
                              {"floating",
                               "euler_bernoulli",
                               {{3.59999893, -0.04959079},
                                {3.60359792, -0.19084803},
                                {3.42579036, -1.20667036},
                                {1.07871571, -5.14469425}}},
                              {"inertial",
                               "timoshenko",
                               {{3.60000939, -0.04484469},
                                {3.59992564, -0.17951617},
                                {3.40451470, -1.22524983},
                                {-0.32991354, -4.18608119}}},
                              {"ancf",
                               "timoshenko",
                               {{3.59999833, -0.05024541},
                                {3.60007097, -0.19110223},
                                {3.37800071, -1.20938445},
                                {-0.43003369, -4.09939688}}},
                              {"floating",
                               "timoshenko",
                               {{3.59999237, -0.05024976},
                                {3.60362341, -0.19035321},
                                {3.43687520, -1.20802724},
                                {1.43651541, -5.28223417}}}};
  for (const Row& row : rows) expect_tips(double_pendulum(row), "two.tip", row);
}

// The node between two bars of one body is their hinge, without multipliers: the same motion as
// that of two bodies with a joint.
TEST(FlexiblePendulum, BarsAreHingedByTheNodeTheyShare) {
  const std::vector<Row> rows{{"inertial",
                               "bar",
                               {{3.60000901, -0.04204366},
                                {3.59972352, -0.16838267},
                                {3.37853980, -1.22395651},
                                {-0.39658857, -4.19069571}}},
                              {"ancf",
                               "bar",
                               {{3.60000901, -0.04204366},
                                {3.59972529, -0.16838330},
                                {3.37041087, -1.23043004},
                                {-0.40925995, -4.13559386}}}};
  for (const Row& row : rows) {
    Description d;
    d.space = Space::planar;
    d.gravity = {0.0, -9.81, 0.0};
    FlexibleBody body = link(row, "both");
    body.material = {.density = 2767.0, .youngs_modulus = 1e6};
    body.section = {.area = 2.5e-4};
    body.tip = {3.6, 0.0, 0.0};
    body.elements = 2;
    add_flexible_body(body, d);
    d.add_joint("revolute", "hinge", "ground", "both.start");
    expect_tips(d, "both.tip", row);
  }
}

TEST(FlexibleBodies, AreRefusedWithWhatIsWrongWithThem) {
  FlexibleBody body = link({"ancf", "euler_bernoulli", {}}, "beam");
  body.elements = 0;
  body.section.second_moment = -1.0;
  body.material.poissons_ratio = 0.7;
  body.frames = {{"tip", 0.5, {}}, {"grip", 1.5, {}}};
  core::Diagnostics diagnostics;
  check(body, Space::planar, diagnostics);
  std::vector<std::string> paths;
  for (const core::Diagnostic& each : diagnostics.list()) paths.push_back(each.path);
  EXPECT_EQ(paths, (std::vector<std::string>{
                       "flexible.beam.elements", "flexible.beam.tip", "flexible.beam.material",
                       "flexible.beam.material", "flexible.beam.material", "flexible.beam.section",
                       "flexible.beam.section", "flexible.beam.frames.grip.along"}));
}

TEST(FlexibleBodies, TellWhichNodesAndFramesTheyHave) {
  Description d = single_pendulum({"ancf", "euler_bernoulli", {}});
  d.add_joint("revolute", "eye", "ground", "one.node_3");
  d.add_joint("revolute", "whole", "ground", "one");
  core::Diagnostics diagnostics;
  check(d, diagnostics);
  std::vector<std::string> messages;
  for (const core::Diagnostic& each : diagnostics.list()) messages.push_back(core::to_string(each));
  EXPECT_EQ(messages, (std::vector<std::string>{
                          "error: joints.eye.between: the flexible body 'one' has no node or frame "
                          "'node_3'; known: one.start, one.tip",
                          "error: joints.whole.between: 'one' is a flexible body; known: "
                          "one.start, one.tip"}));
}

}  // namespace
}  // namespace trammel::model::flexible_pendulum_test
