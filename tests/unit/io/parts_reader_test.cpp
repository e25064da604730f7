// Sub-assemblies against the same models written out.
#include "trammel/io/parts_reader.h"

#include <algorithm>
#include <ctime>

#include "test_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io::parts_reader_test {
namespace {

using Eigen::Vector3d;

// Some roundings of numbers near one.
constexpr double roundoff = 1e-14;

constexpr const char* link = R"(
trammel: 1
space: planar
parameters: {step: 0.2 m}
assemblies:
  link:
    parameters: {length: 0.1 m, mass: 2 kg/m * length}
    ports: {tip: bar.end}
    bodies:
      bar: {mass: mass, inertia: 1e-3, frames: {start: [-length/2, 0], end: [length/2, 0]}}
)";

model::Description read(const std::string& text, const ReadOptions& options = {}) {
  return read_model_text(text, "model", test::vocabulary(), options).description;
}

const model::Body& body(const model::Description& model, std::string_view name) {
  for (const model::Body& each : model.bodies) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

const model::Item& joint(const model::Description& model, std::string_view name) {
  for (const model::Item& each : model.joints) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

using Names = std::vector<std::string>;

TEST(Assemblies, RepeatedChainConnectsEachLinkToTheOneBefore) {
  const model::Description model = read(std::string(link) + R"(
instances:
  chain:
    assembly: link
    repeat: 3
    start: ground
    place: [step * (i - 0.5), 0]
    parameters: {length: step}
    joints: {pin: {type: revolute, between: [previous.tip, bar.start]}}
)");
  ASSERT_EQ(model.bodies.size(), 3U);
  EXPECT_EQ(model.bodies[2].name, "chain_3.bar");
  EXPECT_LT((model.bodies[2].position - Vector3d(0.5, 0, 0)).norm(), roundoff);
  EXPECT_NEAR(model.bodies[2].mass.mass, 0.4, roundoff);
  EXPECT_EQ(joint(model, "chain_1.pin").attachments, (Names{"ground", "chain_1.bar.start"}));
  EXPECT_EQ(joint(model, "chain_3.pin").attachments,
            (Names{"chain_2.bar.end", "chain_3.bar.start"}));
}

TEST(Assemblies, WithoutStartTheFirstCopyHasNoJointToThePrevious) {
  const model::Description model = read(std::string(link) + R"(
instances:
  chain: {assembly: link, repeat: 3, joints: {pin: {type: revolute, between: [previous.tip, bar]}}}
)");
  ASSERT_EQ(model.joints.size(), 2U);
  EXPECT_EQ(model.joints[0].name, "chain_2.pin");
}

TEST(Assemblies, AttachmentsReachAcrossInstances) {
  const model::Description model = read(std::string(link) + R"(
instances:
  left: {assembly: link}
  chain: {assembly: link, repeat: 2}
joints:
  by_port: {type: revolute, between: [left.tip, chain_1.bar.start]}
  by_number: {type: revolute, between: [chain.first.tip, chain.last.bar]}
)");
  EXPECT_EQ(joint(model, "by_port").attachments, (Names{"left.bar.end", "chain_1.bar.start"}));
  EXPECT_EQ(joint(model, "by_number").attachments, (Names{"chain_1.bar.end", "chain_2.bar"}));
}

TEST(Assemblies, NestAndSeeOnlyTheirOwnParametersAndThoseOfTheModel) {
  const model::Description model = read(std::string(link) + R"(
  pair:
    parameters: {half: 1 m}
    instances:
      a: {assembly: link, parameters: {length: half}, place: [half, 0]}
      b: {assembly: link, parameters: {length: 2 * half + step}}
    joints: {hinge: {type: revolute, between: [a.tip, b.bar.start]}}
instances:
  one: {assembly: pair, place: {position: [0, 1], angle: 90 deg}, parameters: {half: 3 m}}
)");
  EXPECT_NEAR(body(model, "one.a.bar").frames[1].position.x(), 1.5, roundoff);
  EXPECT_NEAR(body(model, "one.b.bar").frames[1].position.x(), 3.1, roundoff);
  EXPECT_LT((body(model, "one.a.bar").position - Vector3d(0, 4, 0)).norm(), roundoff);
  EXPECT_NEAR(body(model, "one.a.bar").angle, std::acos(0.0), roundoff);
  EXPECT_EQ(joint(model, "one.hinge").attachments, (Names{"one.a.bar.end", "one.b.bar.start"}));
}

TEST(Assemblies, OverridesReplaceAnyValueOfOneInstance) {
  const model::Description model = read(std::string(link) + R"(
  pair: {instances: {a: {assembly: link}, b: {assembly: link}}}
instances:
  plain: {assembly: pair}
  changed:
    assembly: pair
    repeat: 2
    override:
      instances.a.bodies.bar.mass: step * i * 5 kg/m
      instances.b.parameters.length: 0.3 m * i
      instances.b.bodies.bar.position: [0, i]
)");
  EXPECT_NEAR(body(model, "plain.a.bar").mass.mass, 0.2, roundoff);
  EXPECT_NEAR(body(model, "changed_1.a.bar").mass.mass, 1.0, roundoff);
  EXPECT_NEAR(body(model, "changed_2.a.bar").mass.mass, 2.0, roundoff);
  EXPECT_NEAR(body(model, "changed_2.b.bar").mass.mass, 1.2, roundoff);
  EXPECT_EQ(body(model, "changed_2.b.bar").position, Vector3d(0, 2, 0));
  EXPECT_EQ(body(model, "plain.b.bar").position, Vector3d::Zero());
}

TEST(Assemblies, UnusedOnesMayReferToTheirCopies) {
  EXPECT_EQ(read(std::string(link) + R"(
  unused:
    parameters: {count: null}
    instances: {few: {assembly: link, repeat: 3}, many: {assembly: link, repeat: count}}
    joints:
      a: {type: revolute, between: [few_1.tip, few_3.bar.start]}
      b: {type: revolute, between: [many_7.tip, many.last.bar]}
bodies: {only: {mass: 1, inertia: 1}}
)")
                .bodies.size(),
            1U);
}

TEST(Assemblies, OverridesWithNullRemove) {
  const model::Description model = read(std::string(link) + R"(
instances:
  a: {assembly: link, override: {bodies.bar.frames.start: null, bodies.bar.mass: null,
      bodies.bar.inertia: null, bodies.bar.shape: {disc: {radius: step, mass: 3}}}}
)");
  EXPECT_EQ(body(model, "a.bar").frames.size(), 1U);
  EXPECT_EQ(body(model, "a.bar").mass.mass, 3.0);
}

TEST(Assemblies, ExamplesOfThePageAreModels) {
  const std::string page = test::content(test::source_folder() / "docs/assemblies.md");
  std::vector<std::size_t> bodies;
  for (auto at = page.find("```yaml\ntrammel"); at != std::string::npos;
       at = page.find("```yaml\ntrammel", at + 1)) {
    const std::size_t begin = page.find('\n', at) + 1;
    bodies.push_back(read(page.substr(begin, page.find("```", begin) - begin)).bodies.size());
  }
  EXPECT_EQ(bodies, (std::vector<std::size_t>{1000, 6}));
}

TEST(Assemblies, GroundIsTheOriginOfThePlacedInstance) {
  const model::Description model = read(std::string(link) + R"(
  swing:
    ground: {frames: {hook: [1, 0]}}
    bodies: {seat: {mass: 1, inertia: 1}}
    joints:
      pin: {type: revolute, between: [ground, seat]}
      pole: {type: prismatic, between: [ground.hook, seat], axis: y}
      slot: {type: prismatic, between: [ground, seat], at: [2, 0]}
instances:
  a: {assembly: swing, place: {position: [0, 5], angle: 90 deg}}
)");
  const auto frame = [&](std::string_view name) {
    for (const model::Frame& each : model.ground_frames) {
      if (each.name == name) return each;
    }
    throw std::out_of_range(std::string(name));
  };
  EXPECT_EQ(joint(model, "a.pin").attachments[0], "ground.a.ground");
  EXPECT_LT((frame("a.ground").position - Vector3d(0, 5, 0)).norm(), roundoff);
  EXPECT_LT((frame("a.hook").position - Vector3d(0, 6, 0)).norm(), roundoff);
  EXPECT_LT((frame("a.hook").rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(), roundoff);
  // The point `at` is a frame with the axes of the instance, on the ground and on the body.
  const model::Item& slot = joint(model, "a.slot");
  EXPECT_FALSE(slot.at.has_value());
  EXPECT_LT((frame("@a.slot").position - Vector3d(0, 7, 0)).norm(), roundoff);
  EXPECT_LT((frame("@a.slot").rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(), roundoff);
  EXPECT_LT((body(model, "a.seat").frames.at(0).position - Vector3d(2, 0, 0)).norm(), roundoff);
}

TEST(Assemblies, CommandLineReachesInstances) {
  ReadOptions options;
  options.overrides = {{"instances.chain.repeat", "5"}, {"assemblies.link.parameters.mass", "7"}};
  const model::Description model =
      read(std::string(link) + "instances: {chain: {assembly: link, repeat: 3}}", options);
  ASSERT_EQ(model.bodies.size(), 5U);
  EXPECT_EQ(model.bodies[4].mass.mass, 7.0);
}

TEST(Assemblies, MistakesOfTheModelAreFoundAtTheirPlaces) {
  ModelFile file = read_model_text(std::string(link) + "instances: {a: {assembly: link}}", "model",
                                   test::vocabulary());
  core::Diagnostic diagnostic;
  diagnostic.path = "bodies.a.bar.frames.end";
  file.locate(diagnostic);
  EXPECT_EQ(diagnostic.line, 10);
  EXPECT_EQ(diagnostic.column, 77);
  EXPECT_TRUE(file.is_in_instance(diagnostic.path));
  EXPECT_FALSE(file.is_in_instance("bodies.b"));
}

TEST(Assemblies, AreMirroredAsAWhole) {
  const ModelFile file =
      read_model_file((test::source_folder() / "tests/data/good_models/assemblies.yaml").string(),
                      test::vocabulary());
  const model::Description& model = file.description;
  EXPECT_EQ(model.bodies.size(), 8U);
  const model::Body& left = body(model, "left.wheel.disc");
  EXPECT_LT((left.position - Vector3d(0, 1.0, 0)).norm(), roundoff);
  EXPECT_NEAR(left.mass.mass, 6.0, roundoff);
  const model::Body& right = body(model, "right.arm");
  EXPECT_LT((right.frames[1].position - Vector3d(0, -0.4, 0)).norm(), roundoff);
  EXPECT_LT((right.mass.center - Vector3d(0, -0.2, 0)).norm(), roundoff);
  EXPECT_LT((right.angular_velocity - Vector3d(-0.1, 0.2, -0.3)).norm(), roundoff);
  EXPECT_EQ(model::vector(joint(model, "right.hub").values, "axis"), Vector3d(0, 1, 0));
  EXPECT_EQ(model::vector(joint(model, "right.pivot").values, "axis"), Vector3d(-1, 0, 0));
  EXPECT_EQ(joint(model, "tie").attachments, (Names{"stairs_4.plate.end", "left.arm.outer"}));
}

TEST(Assemblies, WarningsWaitUntilThereAreNoErrors) {
  const std::string free_bodies =
      "trammel: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: "
      "1}\n";
  EXPECT_EQ(read_model_text(free_bodies, "model", test::vocabulary()).warnings.size(), 2U);
  try {
    read_model_text(free_bodies + "gravity: 3\n", "model", test::vocabulary());
    FAIL();
  } catch (const core::InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics()[0].path, "gravity");
  }
}

std::string written_out(int links) {
  std::string text = "trammel: 1\nspace: planar\nparameters: {length: 0.1 m}\nbodies:\n";
  for (int i = 0; i < links; ++i) {
    text += fmt::format(
        "  link{}: {{shape: {{rod: {{length: length, mass: 0.1 kg}}}}, position: [{} * length, 0], "
        "frames: {{start: [-length/2, 0], end: [length/2, 0]}}}}\n",
        i, i + 0.5);
  }
  text += "joints:\n";
  for (int i = 0; i < links; ++i) {
    const std::string before = i == 0 ? "ground" : fmt::format("link{}.end", i - 1);
    text += fmt::format("  pin{0}: {{type: revolute, between: [{1}, link{0}.start]}}\n", i, before);
  }
  return text;
}

std::string repeated(int links) {
  return std::string(link) + fmt::format(R"(
instances:
  chain:
    assembly: link
    repeat: {}
    start: ground
    place: [0.1 * (i - 0.5), 0]
    joints: {{pin: {{type: revolute, between: [previous.tip, bar.start]}}}}
)",
                                         links);
}

/// Seconds of processor time.
double time_to_read(const std::string& text, std::size_t bodies) {
  const std::clock_t start = std::clock();
  EXPECT_EQ(read(text).bodies.size(), bodies);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// A search through all bodies for each of them would take 64 times as long for eight times as many.
// Measured: 8 to 10 times; on a quiet machine 0.45 s and 0.11 s for 10,000.
TEST(Assemblies, TheTimeToReadGrowsWithTheNumberOfBodies) {
  const auto least = [](const std::string& text, std::size_t bodies) {
    double time = time_to_read(text, bodies);
    for (int i = 0; i < 2; ++i) time = std::min(time, time_to_read(text, bodies));
    return time;
  };
  EXPECT_LT(least(written_out(8000), 8000), 24.0 * least(written_out(1000), 1000));
  EXPECT_LT(least(repeated(8000), 8000), 24.0 * least(repeated(1000), 1000));
}

}  // namespace
}  // namespace trammel::io::parts_reader_test
