#include "trammel/report/scene_json.h"

#include <map>
#include <span>
#include <type_traits>
#include <variant>

#include "trammel/core/base64.h"
#include "trammel/core/dimension.h"
#include "trammel/model/kinds.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/scene.h"

namespace trammel::report {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

void write_rotation(JsonWriter& json, const Quaterniond& rotation) {
  if (rotation.vec().isZero()) return;
  json.member("rotation", Eigen::Vector4d(rotation.w(), rotation.x(), rotation.y(), rotation.z()));
}

void write_place(JsonWriter& json, const Vector3d& position, const Quaterniond& rotation) {
  if (!position.isZero(0.0)) json.member("position", position);
  write_rotation(json, rotation);
}

void write_frames(JsonWriter& json, const std::vector<model::Frame>& frames) {
  if (frames.empty()) return;
  json.key("frames");
  json.begin_array();
  for (const model::Frame& frame : frames) {
    json.begin_object();
    json.member("name", frame.name);
    write_place(json, frame.position, frame.rotation);
    json.end_object();
  }
  json.end_array();
}

void write_inertia(JsonWriter& json, const Eigen::Matrix3d& J, model::Space space) {
  if (space == model::Space::planar) {
    json.member("inertia", Eigen::Matrix<double, 1, 1>(J(2, 2)));
    return;
  }
  Eigen::Matrix<double, 6, 1> elements;
  elements << J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
  json.member("inertia", elements);
}

/// Surfaces of the scene, each once.
class Surfaces {
 public:
  explicit Surfaces(const Scene& scene) {
    for (const SceneBody& body : scene.bodies) add(body.parts);
    add(scene.ground_parts);
  }
  std::size_t number(const Part& part) const { return numbers_.at(part.surface.get()); }
  const std::vector<const math::TriangleMesh*>& list() const { return list_; }

 private:
  void add(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      if (part.surface && numbers_.try_emplace(part.surface.get(), list_.size()).second) {
        list_.push_back(part.surface.get());
      }
    }
  }

  std::map<const math::TriangleMesh*, std::size_t> numbers_;
  std::vector<const math::TriangleMesh*> list_;
};

/// Numbers as little-endian bytes in base64: float32 coordinates, uint32 indices.
void write_surfaces(JsonWriter& json, const Surfaces& surfaces) {
  if (surfaces.list().empty()) return;
  json.key("meshes");
  json.begin_array();
  for (const math::TriangleMesh* mesh : surfaces.list()) {
    std::vector<float> coordinates;
    coordinates.reserve(3 * mesh->points.size());
    for (const Vector3d& point : mesh->points) {
      for (const double x : point) coordinates.push_back(static_cast<float>(x));
    }
    json.begin_object();
    json.member("points", core::base64(std::as_bytes(std::span(coordinates))));
    json.member("triangles", core::base64(std::as_bytes(std::span(mesh->triangles))));
    json.end_object();
  }
  json.end_array();
}

void write_part(JsonWriter& json, const Part& part, const Surfaces& surfaces) {
  json.begin_object();
  json.member("kind", name_of(part.kind));
  json.member("size", part.size);
  if (part.surface) json.member("mesh", surfaces.number(part));
  if (!part.color.empty()) json.member("color", part.color);
  if (part.mark) json.member("mark", true);
  write_place(json, part.position, part.rotation);
  json.end_object();
}

void write_parts(JsonWriter& json,
                 const char* name,
                 const std::vector<Part>& parts,
                 const Surfaces& surfaces) {
  json.key(name);
  json.begin_array();
  for (const Part& part : parts) write_part(json, part, surfaces);
  json.end_array();
}

void write_body(JsonWriter& json,
                const model::Body& body,
                const SceneBody& drawn,
                const Surfaces& surfaces,
                model::Space space) {
  json.begin_object();
  json.member("name", body.name);
  if (body.kind == model::BodyKind::point) json.member("kind", "point");
  json.member("mass", body.mass.mass);
  if (body.kind == model::BodyKind::rigid) write_inertia(json, body.mass.inertia, space);
  if (!body.mass.center.isZero(0.0)) json.member("center", body.mass.center);
  write_place(json, body.position, body.orientation);
  if (!body.velocity.isZero(0.0)) json.member("velocity", body.velocity);
  if (!body.angular_velocity.isZero(0.0)) json.member("angular_velocity", body.angular_velocity);
  if (drawn.layer != 0) json.member("layer", drawn.layer);
  if (!body.shapes.empty()) json.member("shaped", true);
  write_frames(json, body.frames);
  write_parts(json, "parts", drawn.parts, surfaces);
  json.end_object();
}

template <class... T>
void write_value(JsonWriter& json, const std::variant<T...>& value) {
  std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, double> || std::is_same_v<Content, bool> ||
                      std::is_same_v<Content, std::string> || std::is_same_v<Content, Vector3d>) {
          json.value(content);
        } else {
          json.begin_array();
          for (const auto& each : content) json.value(each);
          json.end_array();
        }
      },
      value);
}

std::string unit_of(const std::vector<model::Field>* fields, const std::string& name) {
  if (fields == nullptr) return {};
  for (const model::Field& field : *fields) {
    if (field.name == name) return core::si_unit(field.dimension);
  }
  return {};
}

void write_values(JsonWriter& json,
                  const model::Values& values,
                  const std::vector<model::Field>* fields) {
  if (values.empty()) return;
  json.key("values");
  json.begin_array();
  for (const auto& [name, value] : values) {
    json.begin_array();
    json.value(name);
    write_value(json, value);
    json.value(unit_of(fields, name));
    json.end_array();
  }
  json.end_array();
}

void write_item(JsonWriter& json,
                const model::Item& item,
                const std::vector<End>& ends,
                const std::vector<model::Field>* fields) {
  json.begin_object();
  json.member("name", item.name);
  json.member("type", item.type);
  json.key("ends");
  json.begin_array();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    json.begin_object();
    json.member("body", ends[i].body);
    json.member("label", item.attachments[i]);
    write_place(json, ends[i].position, ends[i].rotation);
    json.end_object();
  }
  json.end_array();
  write_values(json, item.values, fields);
  json.end_object();
}

/// `find` gives the kind of a type, or null. Couplings and drives act on coordinates: no ends.
template <class Find>
void write_items(JsonWriter& json,
                 const char* name,
                 const std::vector<model::Item>& items,
                 const std::vector<std::vector<End>>& ends,
                 const Find& find) {
  json.key(name);
  json.begin_array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* kind = find(items[i].type);
    write_item(json, items[i], i < ends.size() ? ends[i] : std::vector<End>(),
               kind == nullptr ? nullptr : &kind->fields);
  }
  json.end_array();
}

void write_settings(JsonWriter& json, const model::SimulationSettings& settings) {
  json.key("simulation");
  json.begin_object();
  json.member("until", settings.until);
  json.member("step", settings.step);
  json.member("output_step", settings.output_step);
  json.member("integrator", settings.integrator);
  json.member("solver", settings.solver);
  write_values(json, settings.integrator_values, nullptr);
  json.end_object();
}

}  // namespace

std::string scene_json(const model::Description& description) {
  const Scene scene = make_scene(description);
  JsonWriter json;
  json.begin_object();
  json.member("version", scene_version);
  json.member("space", model::to_string(description.space));
  json.member("size", scene.size);
  json.member("bar_width", scene.bar_width);
  json.member("gravity", description.gravity);
  write_frames(json, description.ground_frames);
  const Surfaces surfaces(scene);
  write_surfaces(json, surfaces);
  if (!scene.ground_parts.empty()) {
    write_parts(json, "ground_parts", scene.ground_parts, surfaces);
  }
  json.key("bodies");
  json.begin_array();
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    write_body(json, description.bodies[i], scene.bodies[i], surfaces, description.space);
  }
  json.end_array();
  const model::Space space = description.space;
  write_items(json, "joints", description.joints, scene.joint_ends,
              [&](const std::string& type) { return model::find_joint_kind(space, type); });
  write_items(json, "forces", description.forces, scene.force_ends,
              [&](const std::string& type) { return model::find_force_kind(space, type); });
  write_items(json, "sensors", description.sensors, scene.sensor_ends,
              [&](const std::string& type) { return model::find_sensor_kind(space, type); });
  const std::vector<std::vector<End>> nowhere;
  write_items(json, "couplings", description.couplings, nowhere,
              [&](const std::string& type) { return model::find_coupling_kind(type); });
  write_items(json, "drives", description.drives, nowhere,
              [&](const std::string& type) { return model::find_drive_kind(type); });
  write_settings(json, description.simulation);
  json.end_object();
  return json.take();
}

}  // namespace trammel::report
