#include "trammel/io/connection_reader.h"

#include <string>

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"

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

}  // namespace
}  // namespace trammel::io
