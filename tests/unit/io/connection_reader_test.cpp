#include "trammel/io/connection_reader.h"

#include <string>

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"
#include "trammel/model/model_system.h"

namespace trammel::io {
namespace {

constexpr const char* hanger = R"(trammel: 1
space: planar
parameters: {k: 400 N/m}
ground:
  frames: {left: {position: [-1, 1]}}
bodies:
  weight: {mass: 2 kg, inertia: 0.01 kg m^2, position: [0, -0.6]}
connections:
  hanger:
    nodes:
      hub: {position: [0, 20 cm], force: [1 kN, 0]}
    elements:
      left: {type: spring, between: [ground.left, hub], stiffness: k, length: 1}
      turn: {type: bushing, between: [hub, weight], at: [0, -0.6], stiffness: [900, 900]}
)";

TEST(Connections, AreReadWithNodesAndElements) {
  const auto description = read_model_text(hanger, "model.yaml", test::vocabulary()).description;
  ASSERT_EQ(description.connections.size(), 1U);
  const model::Connection& connection = description.connections[0];
  EXPECT_EQ(connection.name, "hanger");
  ASSERT_EQ(connection.nodes.size(), 1U);
  EXPECT_EQ(connection.nodes[0].name, "hub");
  EXPECT_DOUBLE_EQ(connection.nodes[0].position.y(), 0.2);
  EXPECT_DOUBLE_EQ(connection.nodes[0].force.x(), 1000.0);
  ASSERT_EQ(connection.elements.size(), 2U);
  const model::Item& left = connection.elements[0];
  EXPECT_EQ(left.type, "spring");
  EXPECT_EQ(left.attachments, (std::vector<std::string>{"ground.left", "hub"}));
  EXPECT_DOUBLE_EQ(std::get<double>(left.values.at("stiffness")), 400.0);
  ASSERT_TRUE(connection.elements[1].at.has_value());
  EXPECT_DOUBLE_EQ(connection.elements[1].at->y(), -0.6);
}

void expect_mistake(const std::string& from, const std::string& to, const std::string& part) {
  std::string text = hanger;
  text.replace(text.find(from), from.size(), to);
  try {
    read_model_text(text, "model.yaml", test::vocabulary());
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("model.yaml:"), std::string::npos) << message;
  }
}

TEST(Connections, MistakesAreToldWithTheirPlace) {
  expect_mistake("type: spring", "type: sprig", "did you mean 'spring'");
  expect_mistake("length: 1", "lenght: 1", "lenght");
  expect_mistake("force: [1 kN, 0]", "force: [1 m, 0]", "force");
  expect_mistake("[ground.left, hub]", "[ground.left, hubb]", "hubb");
  expect_mistake("[ground.left, hub]", "[ground.left]", "1 frames are named");
}

// A bar between pins, with its wishes.
constexpr const char* bar = R"(trammel: 1
space: planar
bodies:
  weight: {mass: 2 kg, inertia: 0.01 kg m^2, position: [0, -0.6]}
  moon: {mass: 1 kg, inertia: 0.01 kg m^2, position: [1, 1]}
connections:
  bar:
    nodes:
      rod: {}
    elements:
      top: {type: revolute, between: [ground, rod], at: [0, 0]}
      bottom: {type: revolute, between: [rod, weight], at: [0, -0.6]}
    coordinates: [bottom.angle, top.angle]
tree: {open: [bar], tie: {moon: weight}}
)";

TEST(Connections, AndTreesTakeWishes) {
  const auto description = read_model_text(bar, "model.yaml", test::vocabulary()).description;
  EXPECT_EQ(description.connections[0].coordinates,
            (std::vector<std::string>{"bottom.angle", "top.angle"}));
  EXPECT_EQ(description.tree.open, std::vector<std::string>{"bar"});
  EXPECT_TRUE(description.tree.keep.empty());
  ASSERT_EQ(description.tree.tie.size(), 1U);
  EXPECT_EQ(description.tree.tie[0].body, "moon");
  EXPECT_EQ(description.tree.tie[0].to, "weight");
}

TEST(Connections, MistakesInWishesAreToldWithTheirPlace) {
  const auto expect_told = [](const std::string& from, const std::string& to,
                              const std::string& part) {
    std::string text = bar;
    text.replace(text.find(from), from.size(), to);
    try {
      read_model_text(text, "model.yaml", test::vocabulary());
      ADD_FAILURE() << "accepted: " << to;
    } catch (const core::InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(part), std::string::npos) << message;
      EXPECT_NE(message.find("model.yaml:14:"), std::string::npos) << message;
    }
  };
  expect_told("open: [bar]", "open: [baar]", "did you mean 'bar'");
  expect_told("open: [bar]", "opened: [bar]", "unknown key 'opened'");
  expect_told("{moon: weight}", "{moon: wight}", "did you mean 'weight'");
  expect_told("{moon: weight}", "{mon: weight}", "there is no body 'mon'");
  expect_told("open: [bar]", "open: [bar], keep: [bar]", "to be opened and kept");
}

// A motor on an elastic shaft, in a sub-assembly.
constexpr const char* drives = R"(trammel: 1
space: planar
assemblies:
  drive:
    parameters: {k: 2 N m/rad}
    bodies:
      wheel: {mass: 1 kg, inertia: 0.02 kg m^2, position: [0.5, 0]}
    joints:
      pin: {type: revolute, between: [ground, wheel], at: [0.5, 0]}
    sensors:
      turn: {type: angle, between: [ground, shaft.end]}
    connections:
      shaft:
        nodes:
          end: {position: [0.5, 0], force: [1, 0]}
        elements:
          motor: {type: dc_motor, coordinate: turn, voltage: 12 + motor.current + wheel.angle, resistance: 2, inductance: 0.2, torque_constant: 0.5}
          coupling: {type: bushing, between: [end, wheel], stiffness: [1e4, 1e4], rotational_stiffness: k}
instances:
  left: {assembly: drive}
  right: {assembly: drive, place: {position: [3, 1], angle: 90 deg}, parameters: {k: 5 N m/rad}}
)";

TEST(Connections, StandInSubAssemblies) {
  const auto d = read_model_text(drives, "model.yaml", test::vocabulary()).description;
  ASSERT_EQ(d.connections.size(), 2U);
  const model::Connection& right = d.connections[1];
  EXPECT_EQ(right.name, "right.shaft");
  // Shifted and turned with the copy.
  EXPECT_LE((right.nodes[0].position - Eigen::Vector3d(3, 1.5, 0)).norm(), 1e-14);
  EXPECT_LE((right.nodes[0].force - Eigen::Vector3d(0, 1, 0)).norm(), 1e-14);
  const model::Values& motor = right.elements[0].values;
  EXPECT_EQ(std::get<std::string>(motor.at("coordinate")), "right.turn");
  EXPECT_EQ(std::get<std::string>(motor.at("voltage")),
            "12 + right.shaft.motor.current + right.wheel.angle");
  EXPECT_EQ(right.elements[1].attachments, (std::vector<std::string>{"end", "right.wheel"}));
  EXPECT_DOUBLE_EQ(std::get<double>(right.elements[1].values.at("rotational_stiffness")), 5.0);
  const auto system = model::compile(d);
  EXPECT_EQ(system->sizes().z, 2);
}

TEST(Connections, ThatCannotFollowTheirInstanceAreRefused) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& part) {
    std::string text = drives;
    text.replace(text.find(from), from.size(), to);
    try {
      read_model_text(text, "model.yaml", test::vocabulary());
      FAIL() << "accepted";
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect("left: {assembly: drive}", "left: {assembly: drive, mirror: x}",
         "a connection cannot be mirrored");
  expect("between: [end, wheel],", "between: [end, wheel], at: [0.5, 0],",
         "cannot be turned with its sub-assembly");
}

}  // namespace
}  // namespace trammel::io
