// Shapes stay with their body for drawing, also in mirrored copies.
#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

constexpr const char* model = R"(
trammel: 1
space: spatial
assemblies:
  side:
    bodies:
      nose:
        shape:
          - {cone: {radius: 0.1, height: 0.3, mass: 1 kg}, position: [0, 0, 0.2]}
          - {sphere: {radius: 0.05, mass: 1 kg}, position: [0.1, 0, 0]}
instances:
  up: {assembly: side}
  down: {assembly: side, mirror: xy}
)";

TEST(PlacedShapes, AreKeptWithTheirPlaces) {
  const ModelFile file = read_model_text(model, "test", test::vocabulary());
  const auto& shapes = file.description.bodies[0].shapes;
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(std::get<math::Cone>(shapes[0].shape).height, 0.3);
  EXPECT_EQ(shapes[0].position, Eigen::Vector3d(0, 0, 0.2));
  EXPECT_EQ(std::get<math::Sphere>(shapes[1].shape).radius, 0.05);
}

TEST(PlacedShapes, OfAMirroredCopyHaveItsCentreOfMass) {
  const ModelFile file = read_model_text(model, "test", test::vocabulary());
  for (const model::Body& body : file.description.bodies) {
    // The masses are equal: the centre of mass lies between the centres of the parts.
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const model::PlacedShape& part : body.shapes) {
      sum += part.position + part.rotation * math::center(part.shape);
    }
    EXPECT_NEAR((0.5 * sum - body.mass.center).norm(), 0.0, 1e-15) << body.name;
  }
}

}  // namespace
}  // namespace trammel::io
