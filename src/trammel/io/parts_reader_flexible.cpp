// Bodies that bend, in the model and in its sub-assemblies.
#include "trammel/io/parts_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::io {

void PartsReader::read_flexible_bodies(const Scope& scope, const Node& map, const Path& base) {
  const Entry* section = map.find("flexible");
  const Path path{&base, "flexible"};
  if (section == nullptr || reader_.space() != model::Space::planar ||
      !is_named_map(reader_, *section->value, path, "beam: {formulation: ancf, ...}")) {
    return;
  }
  const Node& bodies = resolved(*section->value);
  for (const Entry& entry : bodies.entries) {
    const std::string name = scope.prefix + entry.key;
    const Path body_path{&path, name};
    if (!reader_.check_name(bodies, entry, body_path)) continue;
    note_place("flexible", scope, entry);
    // Nodes and frames are bodies that the file tells in this place.
    places_->emplace("bodies." + name, PartPlace{entry.value, entry.key_mark});
    take_flexible_body(read_flexible_body(reader_, name, *entry.value, body_path, flexible_parts_),
                       scope, entry, body_path);
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
  body.velocity = transform.vector(body.velocity);
  body.angular_velocity *= transform.handedness();
  for (model::FlexibleFrame& frame : body.frames) {
    frame.position = transform.mirrored(frame.position);
  }
  const std::size_t name_size = body.name.size();
  core::Diagnostics diagnostics;
  model::check(body, reader_.space(), diagnostics);
  for (const core::Diagnostic& each : diagnostics.list()) {
    // The check tells the path "flexible.beam.key"; what it ends with is a key of this map.
    const std::string key = each.path.substr(std::string_view("flexible.").size() + name_size + 1);
    const Entry* value = resolved(*entry.value).find(key.substr(0, key.find('.')));
    reader_.error(value == nullptr ? *entry.value : *value->value, Path{&path, key}, each.message,
                  each.remedy);
  }
  if (!diagnostics.list().empty()) {
    // With values that do, so that what names its nodes is not told as well.
    body.frames.clear();
    body.elements = 1;
    body.tip = body.start + Eigen::Vector3d::UnitX();
    core::Diagnostics rest;
    model::check(body, reader_.space(), rest);
    if (rest.has_errors()) return;
  }
  const std::size_t first = description_->bodies.size();
  model::add_flexible_body(std::move(body), *description_);
  for (std::size_t i = first; i < description_->bodies.size(); ++i) {
    body_index_.emplace(description_->bodies[i].name, i);
  }
}

}  // namespace trammel::io
