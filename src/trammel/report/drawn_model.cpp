#include "trammel/report/drawn_model.h"

#include <cstring>

#include <fmt/format.h>

#include "trammel/core/base64.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/json_value.h"
#include "trammel/report/scene_json.h"

namespace trammel::report {
namespace {

using core::JsonValue;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Surface = std::shared_ptr<const math::TriangleMesh>;

constexpr const char* ground_color = "#7d8791";

[[noreturn]] void damaged(const std::string& what) {
  throw core::InputError(fmt::format("the scene of these results is damaged: {}", what),
                         "run the model again");
}

Vector3d vector(const JsonValue& value) {
  return {value[0].number(), value[1].number(), value[2].number()};
}

Quaterniond rotation(const JsonValue& value) {
  return {value[0].number(1.0), value[1].number(), value[2].number(), value[3].number()};
}

template <class T>
std::vector<T> numbers(const JsonValue& value) {
  const auto bytes = core::from_base64(value.text());
  if (!bytes || bytes->size() % (3 * sizeof(T)) != 0) damaged("the numbers of a mesh");
  std::vector<T> list(bytes->size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes->data(), bytes->size());
  return list;
}

Surface read_surface(const JsonValue& value) {
  const std::vector<float> coordinates = numbers<float>(value["points"]);
  const std::vector<std::uint32_t> corners = numbers<std::uint32_t>(value["triangles"]);
  math::TriangleMesh mesh;
  for (std::size_t i = 0; i < coordinates.size(); i += 3) {
    mesh.points.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  }
  for (const std::uint32_t corner : corners) {
    if (corner >= mesh.points.size()) damaged("a mesh names points it does not have");
  }
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    mesh.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  }
  return std::make_shared<const math::TriangleMesh>(std::move(mesh));
}

Part::Kind kind_named(const std::string& name) {
  for (const Part::Kind kind : {Part::Kind::box, Part::Kind::cylinder, Part::Kind::sphere,
                                Part::Kind::cone, Part::Kind::bar, Part::Kind::mesh}) {
    if (name == name_of(kind)) return kind;
  }
  damaged(fmt::format("'{}' is no kind of part", name));
}

Part read_part(const JsonValue& value, const std::vector<Surface>& surfaces) {
  Part part;
  part.kind = kind_named(value["kind"].text());
  part.size = vector(value["size"]);
  part.position = vector(value["position"]);
  part.rotation = rotation(value["rotation"]);
  part.color = value["color"].text();
  if (part.kind == Part::Kind::mesh) {
    const std::size_t number = value["mesh"].index(surfaces.size());
    if (number >= surfaces.size()) damaged("a part names a mesh that does not exist");
    part.surface = surfaces[number];
  }
  return part;
}

}  // namespace

DrawnModel read_scene(std::string_view json) {
  const JsonValue scene = core::parse_json(json);
  if (!scene["bodies"].is_array()) damaged("it has no bodies");
  if (scene["version"].number() > scene_version) {
    throw core::InputError("these results come from a newer version of Trammel",
                           "use that version to show or export them");
  }
  DrawnModel model;
  model.planar = scene["space"].text() == "planar";
  model.layer_height = model.planar ? layer_heights * scene["bar_width"].number() : 0.0;
  model.gravity = vector(scene["gravity"]);
  std::vector<Surface> surfaces;
  for (const JsonValue& mesh : scene["meshes"].array()) surfaces.push_back(read_surface(mesh));
  for (const JsonValue& value : scene["bodies"].array()) {
    DrawnBody& body = model.bodies.emplace_back();
    body.name = value["name"].text();
    body.position = vector(value["position"]);
    body.orientation = rotation(value["rotation"]);
    body.layer = static_cast<int>(value["layer"].index(0));
    for (const JsonValue& part : value["parts"].array()) {
      body.parts.push_back(read_part(part, surfaces));
    }
  }
  if (const auto& parts = scene["ground_parts"].array(); !parts.empty()) {
    DrawnBody& ground = model.bodies.emplace_back();
    ground.name = "ground";
    ground.layer = -1;
    for (const JsonValue& part : parts) {
      ground.parts.push_back(read_part(part, surfaces));
      if (ground.parts.back().color.empty()) ground.parts.back().color = ground_color;
    }
  }
  return model;
}

Vector3d up_of(const DrawnModel& model) {
  if (model.planar) return Vector3d::UnitY();
  for (int axis = 0; axis < 3; ++axis) {
    if (-model.gravity[axis] > 0.95 * model.gravity.norm()) return Vector3d::Unit(axis);
  }
  return Vector3d::UnitZ();
}

}  // namespace trammel::report
