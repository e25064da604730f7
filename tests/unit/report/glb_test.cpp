// The exported animation is valid glTF and holds the motion.
#include "trammel/report/glb.h"

#include <cstring>

#include "drawn_samples.h"
#include <gtest/gtest.h>

#include "trammel/core/json_value.h"
#include "trammel/io/gltf.h"

namespace trammel::report {
namespace {

using core::JsonValue;

struct Asset {
  JsonValue json;
  std::string binary;
};

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, &bytes.at(at), sizeof word);
  return word;
}

Asset unpacked(const std::string& file) {
  EXPECT_EQ(file.substr(0, 4), "glTF");
  EXPECT_EQ(word_at(file, 4), 2u);
  EXPECT_EQ(word_at(file, 8), file.size());
  const std::size_t json = word_at(file, 12);
  EXPECT_EQ(json % 4, 0u);
  EXPECT_EQ(file.substr(16, 4), "JSON");
  const std::size_t binary = word_at(file, 20 + json);
  EXPECT_EQ(file.substr(24 + json, 4), std::string("BIN\0", 4));
  EXPECT_EQ(28 + json + binary, file.size());
  return {core::parse_json(file.substr(20, json)), file.substr(28 + json)};
}

std::vector<float> floats(const Asset& asset, std::size_t accessor) {
  const JsonValue& a = asset.json["accessors"][accessor];
  EXPECT_EQ(a["componentType"].number(), 5126);
  const std::size_t width = a["type"].text() == "SCALAR" ? 1 : a["type"].text() == "VEC3" ? 3 : 4;
  const JsonValue& view = asset.json["bufferViews"][a["bufferView"].index(99)];
  std::vector<float> list(width * a["count"].index(0));
  EXPECT_EQ(view["byteLength"].index(0), 4 * list.size());
  EXPECT_EQ(view["byteOffset"].index(1) % 4, 0u);
  EXPECT_LE(view["byteOffset"].index(0) + 4 * list.size(), asset.binary.size());
  std::memcpy(list.data(), &asset.binary.at(view["byteOffset"].index(0)), 4 * list.size());
  return list;
}

TEST(Glb, HoldsTheMotionOfEveryBody) {
  const DrawnModel model = testing::two_bodies();
  const results::Table table = testing::two_bodies_motion();
  const Asset asset = unpacked(glb(model, table));
  EXPECT_EQ(asset.json["asset"]["version"].text(), "2.0");
  const JsonValue& nodes = asset.json["nodes"];
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[1]["name"].text(), "disc");
  EXPECT_EQ(nodes[0]["children"].size(), 2u);
  // Gravity along -z: z becomes y by a quarter turn about -x.
  EXPECT_NEAR(nodes[0]["rotation"][0].number(), -std::sqrt(0.5), 1e-12);
  const JsonValue& animation = asset.json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 2u) << "the second body does not move";
  for (const JsonValue& channel : animation["channels"].array()) {
    EXPECT_EQ(channel["target"]["node"].index(0), 1u);
    const JsonValue& sampler = animation["samplers"][channel["sampler"].index(9)];
    EXPECT_EQ(floats(asset, sampler["input"].index(99)), (std::vector<float>{0, 0.5, 1}));
    const std::vector<float> keys = floats(asset, sampler["output"].index(99));
    if (channel["target"]["path"].text() == "translation") {
      EXPECT_EQ(keys, (std::vector<float>{0, 0, 0, 1, 0, 0, 2, 0, 0}));
      continue;
    }
    ASSERT_EQ(keys.size(), 12u);
    // The table changes the sign of the quaternion on the way; the keys do not.
    for (std::size_t k = 4; k < 12; k += 4) {
      const float dot = keys[k] * keys[k - 4] + keys[k + 1] * keys[k - 3] +
                        keys[k + 2] * keys[k - 2] + keys[k + 3] * keys[k - 1];
      EXPECT_GT(dot, 0.0F);
    }
    EXPECT_NEAR(keys[7], std::cos(0.5), 1e-6);
  }
}

TEST(Glb, HasTheShapesColoursAndBounds) {
  const Asset asset = unpacked(glb(testing::two_bodies(), testing::two_bodies_motion()));
  ASSERT_EQ(asset.json["meshes"].size(), 2u);
  EXPECT_EQ(asset.json["meshes"][1]["primitives"].size(), 2u) << "two colours";
  for (const JsonValue& mesh : asset.json["meshes"].array()) {
    for (const JsonValue& primitive : mesh["primitives"].array()) {
      const std::size_t number = primitive["attributes"]["POSITION"].index(99);
      const std::vector<float> points = floats(asset, number);
      EXPECT_EQ(floats(asset, primitive["attributes"]["NORMAL"].index(99)).size(), points.size());
      const JsonValue& accessor = asset.json["accessors"][number];
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_GE(points[i], accessor["min"][i % 3].number() - 1e-7);
        EXPECT_LE(points[i], accessor["max"][i % 3].number() + 1e-7);
      }
      EXPECT_LT(primitive["material"].index(99), asset.json["materials"].size());
    }
  }
  // sRGB 1, 0, 0.5 as light: 0.5 is 0.214.
  bool found = false;
  for (const JsonValue& material : asset.json["materials"].array()) {
    const JsonValue& color = material["pbrMetallicRoughness"]["baseColorFactor"];
    found = found || (std::abs(color[0].number() - 1.0) < 1e-12 && color[1].number() == 0.0 &&
                      std::abs(color[2].number() - 0.2159) < 1e-3);
  }
  EXPECT_TRUE(found);
}

TEST(Glb, IsReadByOurOwnReader) {
  const math::TriangleMesh mesh =
      math::welded(io::read_gltf(glb(testing::two_bodies(), testing::two_bodies_motion()),
                                 [](const std::string&) { return std::string(); }));
  EXPECT_EQ(math::open_edges(mesh), 0u);
  // The disc of 32 facets, the box and the tetrahedron.
  const double disc = 16.0 * std::sin(2.0 * M_PI / 32.0) * 0.25 * 0.1;
  EXPECT_NEAR(math::solid_properties(mesh).volume, disc + 0.006 + 1.0 / 6.0, 1e-6);
}

TEST(Glb, OfOneTimeHasNoAnimation) {
  results::Table table = testing::two_bodies_motion();
  table.time.resize(1);
  for (auto& column : table.columns) column.resize(1);
  EXPECT_TRUE(unpacked(glb(testing::two_bodies(), table)).json["animations"].is_null());
}

TEST(Glb, RepeatsPosesThatAreNoNumbers) {
  results::Table table = testing::two_bodies_motion();
  table.columns[0][1] = std::nan("");
  const std::string file = glb(testing::two_bodies(), table);
  EXPECT_EQ(file.find("null"), std::string::npos);
}

TEST(Glb, ThinsOutLongRuns) {
  const Asset asset = unpacked(
      glb(testing::two_bodies(), testing::two_bodies_motion(), GlbOptions{.most_frames = 2}));
  EXPECT_EQ(floats(asset, asset.json["animations"][0]["samplers"][0]["input"].index(99)),
            (std::vector<float>{0, 1}));
}

}  // namespace
}  // namespace trammel::report
