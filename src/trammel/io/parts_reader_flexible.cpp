// Bodies that bend, in the model and in its sub-assemblies.
#include "trammel/io/floating_reader.h"
#include "trammel/io/parts_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/model/flexible/beam_line.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::io {

void PartsReader::read_flexible_bodies(const Scope& scope, const Node& map, const Path& base) {
  const Entry* section = map.find("flexible");
  const Path path{&base, "flexible"};
  const bool planar = reader_.space() == model::Space::planar;
  const char* example = planar ? "beam: {formulation: ancf, ...}" : "beam: {elements: 8, ...}";
  if (section == nullptr || !is_named_map(reader_, *section->value, path, example)) return;
  const Node& bodies = resolved(*section->value);
  for (const Entry& entry : bodies.entries) {
    const std::string name = scope.prefix + entry.key;
    const Path body_path{&path, name};
    if (!reader_.check_name(bodies, entry, body_path)) continue;
    note_place("flexible", scope, entry);
    // Nodes and frames are bodies that the file tells in this place.
    places_->emplace("bodies." + name, PartPlace{entry.value, entry.key_mark});
    const std::size_t first = description_->bodies.size();
    if (planar) {
      take_flexible_body(
          read_flexible_body(reader_, name, *entry.value, body_path, flexible_parts_), scope, entry,
          body_path);
    } else if (is_floating(*entry.value)) {
      take_floating_body(
          read_floating_body(reader_, name, *entry.value, body_path, flexible_parts_), scope, entry,
          body_path);
    } else {
      take_spatial_beam(read_spatial_beam(reader_, name, *entry.value, body_path, flexible_parts_),
                        scope, entry, body_path);
    }
    for (std::size_t i = first; i < description_->bodies.size(); ++i) {
      body_index_.emplace(description_->bodies[i].name, i);
    }
  }
}

void PartsReader::take_flexible_body(model::FlexibleBody body,
                                     const Scope& scope,
                                     const Entry& entry,
                                     const Path& path) {
  const Transform& transform = scope.transform;
  if (transform.signs.x() < 0.0) {
    reader_.error(*entry.value, path, "a flexible body cannot be mirrored in the y axis",
                  "mirror the instance in x and turn it");
  }
  body.start = transform.point(body.start);
  body.tip = transform.point(body.tip);
  if (body.through) body.through = transform.point(*body.through);
  for (model::SpreadLoad& load : body.loads) {
    for (Eigen::Vector3d* force : {&load.force, &load.force_end}) {
      *force = load.follows ? transform.mirrored(*force) : transform.vector(*force);
    }
  }
  body.velocity = transform.vector(body.velocity);
  body.angular_velocity *= transform.handedness();
  for (model::FlexibleFrame& frame : body.frames) {
    frame.position = transform.mirrored(frame.position);
  }
  core::Diagnostics diagnostics;
  model::check(body, reader_.space(), diagnostics);
  tell_mistakes(diagnostics, body.name, entry, path);
  if (!diagnostics.list().empty()) {
    // With values that do, so that what names its nodes is not told as well.
    body.frames.clear();
    body.loads.clear();
    body.through.reset();
    body.elements = 1;
    body.tip = body.start + Eigen::Vector3d::UnitX();
    core::Diagnostics rest;
    model::check(body, reader_.space(), rest);
    if (rest.has_errors()) return;
  }
  model::add_flexible_body(std::move(body), *description_);
}

void PartsReader::tell_mistakes(const core::Diagnostics& found,
                                const std::string& name,
                                const Entry& entry,
                                const Path& path) {
  for (const core::Diagnostic& each : found.list()) {
    // The check tells the path "flexible.beam.key"; what it ends with is a key of this map.
    const std::string key =
        each.path.substr(std::string_view("flexible.").size() + name.size() + 1);
    const Entry* value = resolved(*entry.value).find(key.substr(0, key.find('.')));
    reader_.error(value == nullptr ? *entry.value : *value->value, Path{&path, key}, each.message,
                  each.remedy);
  }
}

void PartsReader::take_spatial_beam(model::SpatialBeam beam,
                                    const Scope& scope,
                                    const Entry& entry,
                                    const Path& path) {
  const Transform& transform = scope.transform;
  core::Diagnostics diagnostics;
  model::check(beam, diagnostics);
  tell_mistakes(diagnostics, beam.name, entry, path);
  if (!diagnostics.list().empty()) {
    // With values that do, so that what names its nodes is not told as well.
    beam.frames.clear();
    beam.corners.clear();
    beam.through.reset();
    beam.y_axis.setZero();
    beam.elements = 1;
    beam.tip = beam.start + Eigen::Vector3d::UnitX();
    core::Diagnostics rest;
    model::check(beam, rest);
    if (rest.has_errors()) return;
  }
  // Axes that the line has where it is described go with the instance. They stay right-handed:
  // mirrored are x and y.
  if (!transform.is_identity()) beam.y_axis = transform.vector(model::first_y_axis(beam));
  beam.start = transform.point(beam.start);
  beam.tip = transform.point(beam.tip);
  for (Eigen::Vector3d& corner : beam.corners) corner = transform.point(corner);
  if (beam.through) beam.through = transform.point(*beam.through);
  beam.velocity = transform.vector(beam.velocity);
  beam.angular_velocity = transform.handedness() * transform.vector(beam.angular_velocity);
  for (model::FlexibleFrame& frame : beam.frames) frame.position.z() *= transform.handedness();
  model::add_spatial_beam(std::move(beam), *description_);
}

void PartsReader::take_floating_body(model::FloatingBody body,
                                     const Scope& scope,
                                     const Entry& entry,
                                     const Path& path) {
  const Transform& transform = scope.transform;
  if (transform.is_mirrored()) {
    reader_.error(*entry.value, path, "a body in a floating frame cannot be mirrored",
                  "write the matrices of its mirror image");
  }
  body.position = transform.point(body.position);
  const Eigen::Matrix3d signs = transform.signs.asDiagonal();  // a rotation: none or two change
  body.orientation = transform.turn * Eigen::Quaterniond(signs) * body.orientation;
  body.velocity = transform.vector(body.velocity);
  body.angular_velocity = transform.vector(body.angular_velocity);
  core::Diagnostics diagnostics;
  const std::string name = body.name;
  const std::vector<model::StructureInterface> interfaces = body.interfaces;
  const bool added = body.structure != nullptr &&
                     model::add_floating_body(std::move(body), *description_, diagnostics);
  tell_mistakes(diagnostics, name, entry, path);
  if (added) return;
  // Bodies that do, so that what names its interfaces is not told as well.
  for (const model::StructureInterface& each : interfaces) {
    model::Body stand_in;
    stand_in.name = name + "." + each.name;
    stand_in.part_of = name;
    stand_in.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
    description_->bodies.push_back(std::move(stand_in));
  }
}

}  // namespace trammel::io
