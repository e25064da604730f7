#include "trammel/io/mesh_file.h"

#include <cstring>

#include "folder_test.h"
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "trammel/core/base64.h"

namespace trammel::io {
namespace {

using Eigen::Vector3d;

// The tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1): volume 1/6, centre (1,1,1)/4.
constexpr const char* ascii_stl = R"(solid corner
facet normal 0 0 -1
 outer loop
  vertex 0 0 0
  vertex 0 1 0
  vertex 1 0 0
 endloop
endfacet
facet normal 0 -1 0
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 0 +1.0e0
 endloop
endfacet
facet normal -1 0 0
 outer loop
  vertex 0 0 0
  vertex 0 0 1
  vertex 0 1 0
 endloop
endfacet
facet normal 1 1 1
 outer loop
  vertex 1 0 0
  vertex 0 1 0
  vertex 0 0 1
 endloop
endfacet
endsolid corner
)";

constexpr const char* obj = R"(# a corner
o corner
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vn 0 0 1
f 1 3 2
f 1//1 2//1 4//1
f -4 -1 -2
f 2/1/1 3/1/1 4/1/1
)";

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

const std::vector<std::array<float, 3>> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<std::uint16_t> faces = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

std::string binary_stl() {
  std::string bytes = "solid is what many binary files begin with, too";
  bytes.resize(80, ' ');
  append(bytes, std::uint32_t(faces.size() / 3));
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    bytes.append(12, '\0');
    for (std::size_t k = i; k < i + 3; ++k) {
      for (const float x : corners[faces[k]]) append(bytes, x);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string gltf_numbers() {
  std::string bytes;
  for (const auto& corner : corners) {
    for (const float x : corner) append(bytes, x);
  }
  for (const std::uint16_t index : faces) append(bytes, index);
  return bytes;
}

// The node turns the tetrahedron by 90 degrees about z and shifts it: x -> y, y -> -x + 5.
std::string gltf_json(const std::string& uri) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"translation":[5,0,0],"children":[1]},{"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
"buffers":[{)" +
         (uri.empty() ? "" : R"("uri":")" + uri + R"(",)") + R"("byteLength":72}]})";
}

std::string glb(std::string json, const std::string& binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  append(file, std::uint32_t(2));
  append(file, std::uint32_t(12 + 8 + json.size() + 8 + binary.size()));
  append(file, std::uint32_t(json.size()));
  file += "JSON" + json;
  append(file, std::uint32_t(binary.size()));
  file.append("BIN\0", 4);
  return file + binary;
}

class MeshFile : public test::FolderTest {
 protected:
  math::TriangleMesh mesh(const std::string& name, const std::string& content) const {
    write(name, content);
    return read_mesh(path(name));
  }
  std::string mistake(const std::string& name, const std::string& content) const {
    try {
      mesh(name, content);
    } catch (const core::InputError& error) {
      EXPECT_FALSE(error.diagnostics().front().remedy.empty()) << error.what();
      return error.what();
    }
    return {};
  }
};

TEST_F(MeshFile, EveryFormatGivesTheSameBody) {
  const std::string data = gltf_numbers();
  write("numbers.bin", data);
  const std::string uri = "data:application/octet-stream;base64," +
                          core::base64(std::as_bytes(std::span(data.data(), data.size())));
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a.stl", ascii_stl},
      {"b.STL", binary_stl()},
      {"c.obj", obj},
      {"d.gltf", gltf_json(uri)},
      {"e.gltf", gltf_json("numbers.bin")},
      {"f.glb", glb(gltf_json(""), data)}};
  for (const auto& [name, content] : files) {
    const math::TriangleMesh surface = mesh(name, content);
    EXPECT_EQ(surface.points.size(), 4u) << name;
    EXPECT_EQ(math::open_edges(surface), 0u) << name;
    const math::SolidProperties solid = math::solid_properties(surface);
    EXPECT_NEAR(solid.volume, 1.0 / 6.0, 1e-7) << name;  // turned in float32
    const bool turned = name > "d";
    const Vector3d center = turned ? Vector3d(4.75, 0.25, 0.25) : Vector3d(0.25, 0.25, 0.25);
    EXPECT_NEAR((solid.center - center).norm(), 0.0, 1e-6) << name;
  }
}

TEST_F(MeshFile, SaysWhatIsWrong) {
  const auto expect = [&](const std::string& name, const std::string& content,
                          const std::string& words) {
    const std::string text = mistake(name, content);
    EXPECT_NE(text.find(words), std::string::npos) << name << ": " << text;
    EXPECT_NE(text.find(name), std::string::npos) << "names the file: " << text;
  };
  expect("part.step", "ISO-10303-21;", "'.step' is no format of meshes");
  expect("a.stl", "", "empty");
  expect("b.stl", "solid x\nendsolid x\n", "no triangles");
  expect("c.stl", std::string(ascii_stl).substr(0, 300), "ends before 'endsolid'");
  expect("d.stl", binary_stl().substr(0, 150), "promises 4 triangles");
  expect("e.stl", "abc", "too short");
  expect("f.stl", "solid\n outer loop\n vertex 0 zero 0\n", "line 3: a coordinate is no number");
  expect("g.obj", "v 0 0 0\nf 1 2 3\n", "line 2: a corner is none of the 1 points before it");
  expect("h.obj", "v 0 0 0\nv 1 0 nan\n", "line 2");
  expect("i.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "2 corners");
  expect("j.gltf", "{", "no JSON");
  expect("k.gltf", R"({"asset":{"version":"1.0"}})", "glTF 2");
  expect("l.gltf",
         R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]})",
         "KHR_draco_mesh_compression");
  expect("m.gltf", gltf_json("nowhere.bin"), "nowhere.bin");
  expect("n.glb", glb(gltf_json(""), gltf_numbers()).substr(0, 400), "cut short");
  expect("o.glb", glb(gltf_json(""), gltf_numbers().substr(0, 60)), "cut short");
  expect("p.gltf",
         R"({"asset":{"version":"2.0"},"nodes":[{"children":[0]}],"scenes":[{"nodes":[0]}]})",
         "nested");
  // Numbers that are given and mean nothing are not the same as none.
  const std::string offset = R"("byteOffset":48)";
  for (const char* number : {"18446744073709551580", "-4", "1.5", "\"48\"", "1e300"}) {
    std::string json = gltf_json("");
    json.replace(json.find(offset), offset.size(), std::string(R"("byteOffset":)") + number);
    expect("r.glb", glb(json, gltf_numbers()), "its byteOffset is no count");
  }
  std::string wild = gltf_numbers();
  wild[48] = '\xff';
  expect("q.glb", glb(gltf_json(""), wild), "names point 255 of 4");
}

TEST_F(MeshFile, RefusesWhatIsTooLarge) {
  std::string many = binary_stl().substr(0, 80);
  const std::uint32_t count = most_triangles + 1;
  append(many, count);
  many.resize(84 + 50 * std::size_t(count), '\0');
  const std::string text = mistake("many.stl", many);
  EXPECT_NE(text.find("200001 triangles are too many"), std::string::npos) << text;
}

// 60 levels of two nodes that share their children: 2^60 ways down.
TEST_F(MeshFile, OfNodesThatShareTheirChildrenIsRefusedAtOnce) {
  std::string nodes;
  for (int level = 0; level < 60; ++level) {
    const int next = 2 * (level + 1);
    for (int k = 0; k < 2; ++k) {
      nodes += level < 59 ? "{\"children\":[" + std::to_string(next) + "," +
                                std::to_string(next + 1) + "]},"
                          : std::string("{},");
    }
  }
  nodes.pop_back();
  const std::string text = mistake("shared.gltf", R"({"asset":{"version":"2.0"},"nodes":[)" +
                                                      nodes + R"(],"scenes":[{"nodes":[0]}]})");
  EXPECT_NE(text.find("is nested in two others"), std::string::npos) << text;
}

TEST_F(MeshFile, OfManyBuffersHoldsTheirContentOnce) {
  // 2000 names for the same 2.5 MB would be 5 GB.
  std::string json = gltf_json("");
  const std::string one = R"({"byteLength":72})";
  std::string many = one;
  for (int i = 1; i < 2000; ++i) many += "," + one;
  json.replace(json.find(one), one.size(), many);
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(
      mesh("many.glb", glb(json, gltf_numbers() + std::string(2'500'000, '\0'))).triangles.size(),
      4u);
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100'000) << "kB";
}

TEST_F(MeshFile, TrianglesAreCountedBeforeTheyAreRead) {
  // Each of 60,000 nodes shows the same four triangles.
  std::string nodes = "{\"mesh\":0}";
  std::string list = "0";
  for (int i = 1; i < 60'000; ++i) {
    nodes += ",{\"mesh\":0}";
    list += ',';
    list += std::to_string(i);
  }
  std::string json = gltf_json("");
  const std::size_t begin = json.find("\"nodes\":[{");
  json.replace(begin, json.find("\"meshes\"") - begin, "\"nodes\":[" + nodes + "],\n");
  json.replace(json.find("[{\"nodes\":[0]}]"), 15, "[{\"nodes\":[" + list + "]}]");
  const std::string text = mistake("many.glb", glb(json, gltf_numbers()));
  EXPECT_NE(text.find("200004 triangles are too many"), std::string::npos) << text;
}

TEST_F(MeshFile, MissingSuggestsTheNearestName) {
  write("crank.stl", ascii_stl);
  try {
    read_mesh(path("cranc.stl"));
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(error.diagnostics().front().remedy.find("crank.stl"), std::string::npos);
  }
}

TEST_F(MeshFile, OfAnyCutOrFlippedByteIsReadOrRefused) {
  // No crash and no other exception, whatever the damage.
  for (const auto& [name, content] : {std::pair<std::string, std::string>{"a.stl", ascii_stl},
                                      {"b.stl", binary_stl()},
                                      {"c.obj", obj},
                                      {"d.glb", glb(gltf_json(""), gltf_numbers())}}) {
    for (std::size_t i = 0; i < content.size(); i += 7) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x5b);
      for (const std::string& text : {damaged, content.substr(0, i)}) {
        try {
          EXPECT_FALSE(mesh(name, text).triangles.empty());
        } catch (const core::InputError&) {
        }
      }
    }
  }
}

// --- in a model

TEST_F(MeshFile, GivesABodyItsMass) {
  write("parts/corner.stl", ascii_stl);
  write("model.yaml", R"(
trammel: 1
space: spatial
bodies:
  solid: {shape: {mesh: {file: parts/corner.stl, scale: 0.1, density: 6000}, position: [1, 0, 0], color: brass}}
  drawn:
    mass: 2 kg
    inertia: [1, 1, 1]
    meshes: parts/corner.stl
  both:
    shape: {box: {size: [1, 1, 1], mass: 1 kg}}
    meshes:
      - {file: parts/corner.stl, scale: 2, position: [0, 0, 1], orientation: {axis: z, angle: 90 deg}, color: "#4C7"}
      - parts/corner.stl
)");
  const ModelFile file = read("model.yaml");
  const auto& bodies = file.description.bodies;
  // 6000 kg/m^3 (0.1 m)^3/6
  EXPECT_NEAR(bodies[0].mass.mass, 1.0, 1e-12);
  EXPECT_NEAR((bodies[0].mass.center - Vector3d(1.025, 0.025, 0.025)).norm(), 0.0, 1e-12);
  // A corner tetrahedron of edge a: J_xx = 3/80 m a^2 * 2 about its centre, J_xy = m a^2/80.
  EXPECT_NEAR(bodies[0].mass.inertia(0, 0), 2.0 * 3.0 / 80.0 * 0.01, 1e-12);
  EXPECT_NEAR(bodies[0].mass.inertia(0, 1), 0.01 / 80.0, 1e-12);
  EXPECT_EQ(bodies[0].shapes[0].color, "#c9a84c");
  EXPECT_EQ(bodies[1].mass.mass, 2.0);
  ASSERT_EQ(bodies[1].shapes.size(), 1u);
  ASSERT_EQ(bodies[2].shapes.size(), 2u) << "meshes replace the shape";
  EXPECT_EQ(bodies[2].mass.mass, 1.0);
  EXPECT_EQ(bodies[2].shapes[0].color, "#44cc77");
  const auto& big = std::get<math::Mesh>(bodies[2].shapes[0].shape);
  EXPECT_NEAR(math::reach(*big.surface), 2.0, 1e-12);
  // One file, one scale: read once.
  EXPECT_EQ(std::get<math::Mesh>(bodies[1].shapes[0].shape).surface,
            std::get<math::Mesh>(bodies[2].shapes[1].shape).surface);
}

TEST_F(MeshFile, MistakesInAModelHaveTheirPlace) {
  write("open.stl",
        std::string(ascii_stl).erase(0, 0).replace(
            std::string(ascii_stl).find("facet normal 1 1 1"), std::string::npos, "endsolid\n"));
  write("model.yaml", R"(trammel: 1
space: spatial
bodies:
  a: {shape: {mesh: {file: open.stl, density: 1}}}
  b: {mass: 1, inertia: [1, 1, 1], meshes: nowhere.stl}
  c: {mass: 1, inertia: [1, 1, 1], meshes: {file: open.stl, color: purpel}}
  d: {mass: 1, inertia: [1, 1, 1], meshes: {file: open.stl, scale: -1}}
)");
  const std::vector<std::string> list = mistakes("model.yaml");
  ASSERT_EQ(list.size(), 4u);
  EXPECT_NE(list[0].find("model.yaml:4: the surface of 'open.stl' is not closed: 3 edges"),
            std::string::npos)
      << list[0];
  EXPECT_NE(list[1].find("model.yaml:5:"), std::string::npos) << list[1];
  EXPECT_NE(list[2].find("did you mean 'purple'"), std::string::npos) << list[2];
  EXPECT_NE(list[3].find("model.yaml:7:"), std::string::npos) << list[3];
}

TEST_F(MeshFile, OfAMirroredCopyIsMirrored) {
  write("corner.obj", obj);
  write("model.yaml", R"(
trammel: 1
space: spatial
assemblies:
  side:
    bodies:
      part: {shape: {mesh: {file: corner.obj, mass: 1 kg}, position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 40 deg}}}
instances:
  left: {assembly: side}
  right: {assembly: side, mirror: xz}
)");
  const ModelFile file = read("model.yaml");
  for (const model::Body& body : file.description.bodies) {
    const model::PlacedShape& shape = body.shapes.at(0);
    const math::MassProperties own =
        math::placed(math::from_shape_and_mass(shape.shape, 1.0), shape.rotation.toRotationMatrix(),
                     shape.position);
    EXPECT_NEAR((own.center - body.mass.center).norm(), 0.0, 1e-14) << body.name;
    EXPECT_NEAR((own.inertia - body.mass.inertia).norm(), 0.0, 1e-14) << body.name;
  }
}

}  // namespace
}  // namespace trammel::io
