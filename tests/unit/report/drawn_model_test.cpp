// The scene in a results file is understood again.
#include "trammel/report/drawn_model.h"

#include "drawn_samples.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/report/body_motion.h"
#include "trammel/report/scene_json.h"

namespace trammel::report {
namespace {

TEST(DrawnModel, IsTheSceneThatWasWritten) {
  model::Description description = support::slider_crank();
  model::PlacedShape mesh;
  mesh.shape = math::Mesh{testing::tetrahedron(), "corner.stl"};
  mesh.position = {0.1, 0.2, 0};
  mesh.color = "#ff0080";
  description.bodies[0].shapes = {mesh};
  const Scene scene = make_scene(description);
  const DrawnModel model = read_scene(scene_json(description));
  EXPECT_TRUE(model.planar);
  EXPECT_NEAR(model.layer_height, layer_heights * scene.bar_width, 1e-15);
  ASSERT_EQ(model.bodies.size(), scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    EXPECT_EQ(model.bodies[i].name, description.bodies[i].name);
    EXPECT_EQ(model.bodies[i].layer, scene.bodies[i].layer);
    ASSERT_EQ(model.bodies[i].parts.size(), scene.bodies[i].parts.size());
    for (std::size_t k = 0; k < scene.bodies[i].parts.size(); ++k) {
      const Part& a = scene.bodies[i].parts[k];
      const Part& b = model.bodies[i].parts[k];
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.color, b.color);
      EXPECT_TRUE(a.size.isApprox(b.size) && a.position.isApprox(b.position));
      EXPECT_TRUE(a.rotation.isApprox(b.rotation));
    }
  }
  const Part& corner = model.bodies[0].parts[0];
  ASSERT_TRUE(corner.surface);
  EXPECT_EQ(corner.surface->triangles, testing::tetrahedron()->triangles);
  EXPECT_EQ(corner.surface->points, testing::tetrahedron()->points);
}

TEST(DrawnModel, RefusesForeignText) {
  for (const char* text :
       {"", "{}", R"({"version":99,"bodies":[]})",
        R"({"version":1,"bodies":[{"parts":[{"kind":"blob"}]}]})",
        R"({"version":1,"bodies":[{"parts":[{"kind":"mesh","mesh":3}]}]})",
        R"({"version":1,"meshes":[{"points":"AAAA","triangles":"AAAA"}],"bodies":[]})"}) {
    EXPECT_THROW(read_scene(text), core::InputError) << text;
  }
}

TEST(DrawnModel, KnowsWhichWayIsUp) {
  DrawnModel model;
  EXPECT_EQ(up_of(model), Eigen::Vector3d::UnitZ());
  model.gravity = {0.01, -9.81, 0};
  EXPECT_EQ(up_of(model), Eigen::Vector3d::UnitY());
  model.gravity = {5, -5, 0};
  EXPECT_EQ(up_of(model), Eigen::Vector3d::UnitZ()) << "no axis";
  model.planar = true;
  EXPECT_EQ(up_of(model), Eigen::Vector3d::UnitY());
}

TEST(BodyMotion, ReadsPlanarPosesAndLiftsLayers) {
  DrawnModel model;
  model.planar = true;
  model.layer_height = 0.1;
  model.bodies.resize(2);
  model.bodies[0].name = "a";
  model.bodies[0].layer = 2;
  model.bodies[1].name = "b";
  model.bodies[1].position = {7, 8, 0};
  results::Table table;
  table.channels = {
      {"a.position.x", "", "", ""}, {"a.position.y", "", "", ""}, {"a.angle", "", "", ""}};
  table.time = {0, 1};
  table.columns = {{1, 2}, {3, 4}, {0, M_PI / 2}};
  const BodyMotion motion(model, table);
  EXPECT_TRUE(motion.moves(0));
  EXPECT_FALSE(motion.moves(1));
  EXPECT_TRUE(motion.pose(0, 1).position.isApprox(Eigen::Vector3d(2, 4, 0.2)));
  EXPECT_TRUE((motion.pose(0, 1).orientation * Eigen::Vector3d::UnitX())
                  .isApprox(Eigen::Vector3d::UnitY()));
  EXPECT_TRUE(motion.pose(1, 0).position.isApprox(Eigen::Vector3d(7, 8, 0)));
}

}  // namespace
}  // namespace trammel::report
