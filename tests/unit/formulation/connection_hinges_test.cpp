// Kinematic connections as hinges, as constraints and as joints of the catalogue [Sol1983, 7.2]:
// the same sizes, motions and reactions, in relative and in absolute coordinates.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/connection_gallery.h"
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/model/connection_watch.h"
#include "trammel/model/connections/connection_hinge.h"
#include "trammel/model/connections/summary.h"
#include "trammel/system/capability.h"
#include "trammel/topology/picture.h"

namespace trammel::formulation::connection_hinges_test {
namespace {

using support::ConnectionCase;
using support::Random;
using system::Vector;

class ConnectionHinges : public testing::TestWithParam<ConnectionCase> {
 protected:
  const ConnectionCase& which_ = GetParam();
  const model::Description& description_ = which_.description;
  const int freedoms_of_body_ = description_.space == model::Space::planar ? 3 : 6;
};

// Where everything is at the end, and what all rows together push with.
struct End {
  system::Motion absolute;
  Vector reactions;  ///< G^T lambda
};

Vector reactions_of(model::ModelSystem& absolute, const system::Motion& motion) {
  return support::constraint_jacobian(absolute, motion.state).transpose() * motion.lambda;
}

constexpr double duration = 0.25;
constexpr int steps = 500;

End end_of(model::ModelSystem& absolute, const system::State& start) {
  End end{support::reference_motion(absolute, start, duration, steps), {}};
  end.reactions = reactions_of(absolute, end.absolute);
  return end;
}

End end_of(RelativeModel& relative, const system::State& start) {
  const system::Motion motion =
      support::reference_motion(relative, relative.from_absolute(start), duration, steps);
  End end{relative.to_absolute(motion), {}};
  end.reactions = reactions_of(relative.absolute(), end.absolute);
  return end;
}

// Two forms of one motion have to agree to 1e-9; positions and velocities are of the order
// of one, accelerations and reactions of the order of a hundred. What is left of it is the error of
// Runge-Kutta, which the coordinates do not share.
void expect_same(const End& one, const End& other) {
  EXPECT_LE((one.absolute.state.q - other.absolute.state.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((one.absolute.state.v - other.absolute.state.v).lpNorm<Eigen::Infinity>(), 1e-9);
  const double a = std::max(1.0, one.absolute.a.lpNorm<Eigen::Infinity>());
  EXPECT_LE((one.absolute.a - other.absolute.a).lpNorm<Eigen::Infinity>(), 1e-9 * a);
  const double size = std::max(1.0, one.reactions.lpNorm<Eigen::Infinity>());
  EXPECT_LE((one.reactions - other.reactions).lpNorm<Eigen::Infinity>(), 1e-9 * size);
}

model::KinematicReduction reduction_of(model::Description description) {
  core::Diagnostics diagnostics;
  model::check(description, diagnostics);
  diagnostics.throw_if_errors();
  return model::kinematic_reductions(description)[0];
}

model::Description opened(model::Description description) {
  description.tree.open = {"link"};
  return description;
}

TEST_P(ConnectionHinges, HaveTheSameMotionAndReactionsHoweverTheyAreTaken) {
  const auto constraint = model::compile(description_);
  const system::State start = support::assembled(*constraint);
  const End end = end_of(*constraint, start);
  EXPECT_GT((end.absolute.state.q - start.q).lpNorm<Eigen::Infinity>(), 0.01) << "it moves";
  expect_same(end, end_of(*compile_relative(description_), start));
  expect_same(end, end_of(*compile_relative(opened(description_)), start));
  if (!which_.catalogue) return;
  expect_same(end, end_of(*model::compile(*which_.catalogue), start));
  expect_same(end, end_of(*compile_relative(*which_.catalogue), start));
}

TEST_P(ConnectionHinges, HaveTheSizesOfTheirHinge) {
  const model::KinematicReduction reduction = reduction_of(description_);
  EXPECT_EQ(reduction.freedoms, which_.freedoms);
  EXPECT_EQ(reduction.is_hinge, which_.hinge) << reduction.obstacle;
  EXPECT_EQ(static_cast<int>(reduction.redundant.size()), which_.redundant);
  if (which_.kind != "any") {
    EXPECT_EQ(reduction.joint, which_.kind) << reduction.obstacle;
  }
  const int rows = freedoms_of_body_ - which_.freedoms;
  const auto relative = compile_relative(description_);
  EXPECT_EQ(relative->sizes().v, 1 + (which_.hinge ? which_.freedoms : freedoms_of_body_));
  EXPECT_EQ(relative->sizes().multipliers(), which_.hinge ? 0 : rows);
  const auto open = compile_relative(opened(description_));
  EXPECT_EQ(open->sizes().v, 1 + freedoms_of_body_);
  EXPECT_EQ(open->sizes().multipliers(), rows);
  if (which_.catalogue) {
    EXPECT_EQ(compile_relative(*which_.catalogue)->sizes().v, relative->sizes().v);
  }
  // In the graph it is an edge like a joint.
  const topology::Tree tree = topology_of(description_);
  EXPECT_EQ(tree.graph().edges.size(), 2U);
  EXPECT_EQ(tree.cut_joints().size(), which_.hinge ? 0U : 1U);
  EXPECT_NE(topology::to_text(tree).find("link"), std::string::npos);
  EXPECT_NE(topology::to_svg(tree).find("link"), std::string::npos);
}

system::Motion random_motion(RelativeModel& system, Random& random) {
  system::Motion motion;
  motion.state = system.described_state();
  const Vector x = random.values(system.sizes().v, 0.2);
  system.retract(motion.state.q, x, motion.state.q);
  motion.state.v = random.values(system.sizes().v, 1.5);
  motion.a = random.values(system.sizes().v, 1.5);
  motion.lambda = random.values(system.sizes().multipliers());
  return motion;
}

// Whatever the hinge allows, the constraint rows find nothing to forbid.
TEST_P(ConnectionHinges, HaveTwoFacesThatAgree) {
  const auto system = compile_relative(description_);
  Random random(5);
  system::Motion motion = random_motion(*system, random);
  if (!which_.hinge) return;
  const system::Motion absolute = system->to_absolute(motion);
  Vector rows;
  system->absolute().position_constraint(absolute.state, rows);
  EXPECT_LE(rows.lpNorm<Eigen::Infinity>(), 1e-11) << "g";
  system->absolute().velocity_constraint(absolute.state, rows);
  EXPECT_LE(rows.lpNorm<Eigen::Infinity>(), 1e-11) << "G S v";
  system->absolute().acceleration_bias(absolute.state, rows);
  const Eigen::MatrixXd G = support::constraint_jacobian(system->absolute(), absolute.state);
  // Accelerations are of the size of velocities squared, over lengths of some decimetres.
  EXPECT_LE((G * absolute.a + rows).lpNorm<Eigen::Infinity>(), 1e-9) << "bias";
  // The coordinates are found again from where the bodies are.
  const system::State found = system->from_absolute(absolute.state);
  system::Motion again = motion;
  again.state = found;
  const system::State back = system->to_absolute(again).state;
  EXPECT_LE((back.q - absolute.state.q).lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_LE((back.v - absolute.state.v).lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST_P(ConnectionHinges, HaveExactTangents) {
  const auto system = compile_relative(description_);
  Random random(6);
  const system::Motion motion = random_motion(*system, random);
  support::expect_tangent_is_derivative(*system, motion, {0.7, 1.3, 0.4}, nullptr);
  support::expect_clone_is_independent(*system, motion.state, random);
  support::expect_residual_is_sum_of_parts(*system, motion.state, random);
}

// The recursion finds the accelerations that the equations have.
TEST_P(ConnectionHinges, AreTakenByTheRecursion) {
  const auto system = compile_relative(description_);
  if (system->sizes().multipliers() > 0) return;
  Random random(7);
  system::Motion motion = random_motion(*system, random);
  Vector lambda;
  ASSERT_TRUE(system->accelerations(motion.state, motion.a, lambda));
  Vector r;
  Vector none;
  system->residual(motion, r, none);
  // Loads are of the order of a hundred newtons.
  EXPECT_LE(r.lpNorm<Eigen::Infinity>(), 1e-9);
}

std::vector<ConnectionCase> cases() {
  std::vector<ConnectionCase> list = support::known_connections();
  for (ConnectionCase& chain : support::random_chains()) {
    chain.kind = "any";  // some happen to be joints of the catalogue
    list.push_back(std::move(chain));
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Gallery,
                         ConnectionHinges,
                         testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

const ConnectionCase& named(const std::string& name) {
  static const std::vector<ConnectionCase> all = support::connection_gallery();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ConnectionCase& each) { return each.name == name; });
}

// ---- nodes

// Joints between frames of the bodies and a node that is described somewhere else: the node goes to
// where they meet, and the bodies stay.
TEST(ConnectionNodes, ArePlacedBySolving) {
  const ConnectionCase& cross = named("cardan_cross");
  model::Description d = cross.description;
  const Eigen::Vector3d at = *d.connections[0].elements[0].at;
  for (model::Body& body : d.bodies) {
    body.frames.push_back({.name = "eye", .position = at - body.position});
  }
  d.connections[0].nodes[0].position = {4.0, -3.0, 2.0};
  d.connections[0].elements[0].at.reset();
  d.connections[0].elements[1].at.reset();
  d.connections[0].elements[0].attachments = {"base.eye", "cross"};
  d.connections[0].elements[1].attachments = {"cross", "bob.eye"};
  EXPECT_EQ(reduction_of(d).joint, "universal");
  const auto system = model::compile(d);
  Vector rows;
  system->position_constraint(system->described_state(), rows);
  EXPECT_LE(rows.lpNorm<Eigen::Infinity>(), 1e-12);
}

// ---- coordinates by the user

TEST(ConnectionCoordinates, AreThoseThatAreNamed) {
  model::Description d = named("knee").description;
  d.connections[0].coordinates = {"r1.angle"};
  EXPECT_EQ(reduction_of(d).coordinates, std::vector<std::string>{"r1.angle"});
  const auto system = compile_relative(d);
  system::Motion motion = support::at_rest(*system, system->described_state());
  const double before = motion.state.q[1];
  motion.state.q[1] += 0.1;
  const system::State moved = system->to_absolute(motion).state;
  const system::State found = system->from_absolute(moved);
  EXPECT_NEAR(found.q[1], before + 0.1, 1e-12);
}

void expect_refused(const model::Description& description, const std::string& words) {
  try {
    compile_relative(description);
    FAIL() << words;
  } catch (const core::InputError& error) {
    EXPECT_NE(core::to_string(error.diagnostics()[0]).find(words), std::string::npos)
        << core::to_string(error.diagnostics()[0]);
  }
}

TEST(ConnectionCoordinates, ThatDoNotTellTheMotionAreRefused) {
  model::Description d = named("knee").description;
  d.connections[0].coordinates = {"r1.angel"};
  expect_refused(d, "r1.angle");
  d.connections[0].coordinates = {"r1.angle", "f1.angle"};
  expect_refused(d, "1 freedom");
  d = named("ball_bar_ball").description;
  d.connections[0].coordinates = {"upper.angle1"};
  expect_refused(d, "felt by no body");
}

// ---- wishes for the tree

TEST(TreeWishes, OpenAndKeepJoints) {
  // A loop of mount and link, closed by a third joint.
  model::Description d = named("skew_pins").description;
  d.add_joint("spherical", "ball", "ground", "bob").at = d.bodies[1].position;
  EXPECT_EQ(topology_of(d).cut_joints()[0].edge, 1) << "the ball has the most coordinates";
  d.tree.keep = {"ball"};
  const topology::Tree kept = topology_of(d);
  ASSERT_EQ(kept.cut_joints().size(), 1U);
  EXPECT_EQ(kept.graph().edges[static_cast<std::size_t>(kept.cut_joints()[0].edge)].name, "link");
  EXPECT_NE(topology::to_text(kept).find("kept: ball"), std::string::npos);
  d.tree = {.open = {"mount"}};
  const topology::Tree open = topology_of(d);
  EXPECT_EQ(open.graph().edges[static_cast<std::size_t>(open.cut_joints()[0].edge)].name, "mount");
  EXPECT_EQ(compile_relative(d)->sizes().v, 3 + 2);
}

TEST(TreeWishes, TieAPartToAnyBody) {
  model::Description d = named("skew_pins").description;
  d.tree.open = {"link"};
  d.tree.tie = {{"bob", "base"}};
  const topology::Tree tree = topology_of(d);
  EXPECT_EQ(tree.trees(), 1);
  EXPECT_EQ(tree.branch(tree.number_of(2)).parent, tree.number_of(1));
  EXPECT_NE(topology::to_text(tree).find("tied: bob to base"), std::string::npos);
  // The motion is the same as without the wish.
  const auto constraint = model::compile(d);
  const system::State start = support::assembled(*constraint);
  expect_same(end_of(*constraint, start), end_of(*compile_relative(d), start));
}

TEST(TreeWishes, ThatCannotBeMetAreNamed) {
  const model::Description good = named("skew_pins").description;
  model::Description d = good;
  d.tree.open = {"lnk"};
  expect_refused(d, "tree.open: there is no joint or kinematic connection 'lnk'");
  d = good;
  d.tree = {.open = {"link"}, .keep = {"link"}};
  expect_refused(d, "to be opened and kept");
  d = good;
  d.tree.tie = {{"bob", "ground"}};
  expect_refused(d, "has a way to the ground already");
  d.tree.tie = {{"bob", "bas"}};
  expect_refused(d, "there is no body 'bas'");
  d = named("ball_bar_ball").description;
  d.tree.keep = {"link"};
  expect_refused(d, "'link' cannot be a hinge");
  d = good;
  d.add_joint("spherical", "ball", "ground", "bob").at = d.bodies[1].position;
  d.tree.keep = {"mount", "link", "ball"};
  expect_refused(d, "closes a loop of joints to keep");
}

// ---- rank on the way

model::Item element(
    const char* type, const char* name, const char* a, const char* b, const Eigen::Vector3d& axis) {
  return {.name = name,
          .type = type,
          .attachments = {a, b},
          .at = Eigen::Vector3d::Zero(),
          .values = {{"axis", axis}}};
}

// Three joints on the ground's origin, between the ground and a body.
model::Description three_joints(const std::vector<model::Item>& elements) {
  model::Description d;
  model::Body bob;
  bob.name = "bob";
  bob.mass = {.mass = 2.0, .inertia = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal()};
  bob.position = {0.3, 0.1, 0.2};
  d.add_body(bob);
  d.add_connection(
      {.name = "link", .nodes = {{.name = "n1"}, {.name = "n2"}}, .elements = elements});
  return d;
}

// A turn by 120 degrees about (1, 1, 1) brings the second slide into the line of the first: then
// the nodes between them can slide without anybody feeling it.
TEST(ConnectionRank, IsWatchedOnTheWayAndToldByName) {
  const Eigen::Vector3d n = Eigen::Vector3d::Ones().normalized();
  const auto system = compile_relative(
      three_joints({element("prismatic", "s1", "ground", "n1", Eigen::Vector3d::UnitX()),
                    element("revolute", "pin", "n1", "n2", n),
                    element("prismatic", "s2", "n2", "bob", Eigen::Vector3d::UnitY())}));
  ASSERT_EQ(system->sizes().v, 3);
  auto* watch = system::capability<model::ConnectionWatch>(*system);
  ASSERT_NE(watch, nullptr);
  system::State state = system->described_state();
  const auto share = [&] {
    const auto ranks = watch->ranks(state);
    EXPECT_EQ(ranks.size(), 1U);
    EXPECT_EQ(ranks[0].connection, "link");
    return ranks[0].share;
  };
  EXPECT_NEAR(share(), 1.0, 1e-9);
  EXPECT_EQ(system->singular_hinge(state).what, "");
  state.q[1] = -2.0 * std::numbers::pi / 3.0 + 0.01;
  EXPECT_LT(share(), 0.02);
  EXPECT_GT(share(), 1e-3);
  state.q[1] = -2.0 * std::numbers::pi / 3.0;
  EXPECT_LT(share(), 1e-9);
  EXPECT_NE(system->singular_hinge(state).what.find("'link'"), std::string::npos);
}

// Coordinates of a gimbal lock; those of the ball that three such pins are do not.
TEST(ConnectionRank, OfCoordinatesDoesNotMatterWhereTheCatalogueHasBetterOnes) {
  const Eigen::Vector3d last(std::cos(1.2), 0.0, std::sin(1.2));
  const model::Description d =
      three_joints({element("revolute", "a", "ground", "n1", Eigen::Vector3d::UnitX()),
                    element("revolute", "b", "n1", "n2", Eigen::Vector3d::UnitY()),
                    element("revolute", "c", "n2", "bob", last)});
  EXPECT_EQ(reduction_of(d).joint, "spherical");
  EXPECT_EQ(compile_relative(d)->sizes().q, 4);
}

}  // namespace
}  // namespace trammel::formulation::connection_hinges_test
