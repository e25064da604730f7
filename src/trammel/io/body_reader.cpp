#include "trammel/io/body_reader.h"

#include <fmt/format.h>

#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/io/shape_reader.h"

namespace trammel::io {
namespace {

using model::Space;

constexpr const char* mass_remedy =
    "give 'shape', or 'mass' and 'inertia', or make it 'kind: point'";

Eigen::Matrix3d inertia_tensor(const std::vector<double>& J) {
  Eigen::Matrix3d tensor = Eigen::Vector3d(J[0], J[1], J[2]).asDiagonal();
  if (J.size() == 6) {
    tensor(0, 1) = tensor(1, 0) = J[3];
    tensor(0, 2) = tensor(2, 0) = J[4];
    tensor(1, 2) = tensor(2, 1) = J[5];
  }
  return tensor;
}

std::optional<Eigen::Matrix3d> read_inertia(Reader& reader, SectionReader& section) {
  if (reader.space() == Space::planar) {
    const auto J = section.number("inertia");
    if (!J) return std::nullopt;
    return inertia_tensor({0.0, 0.0, *J});
  }
  const auto J = section.numbers("inertia");
  if (!J) return std::nullopt;
  return inertia_tensor(*J);
}

void refuse_beside_shape(Reader& reader, const SectionReader& section) {
  for (const Entry& entry : section.node().entries) {
    if (entry.key == "mass" || entry.key == "center" || entry.key.rfind("inertia", 0) == 0) {
      reader.error_at_key(section.node(), entry, Path{&section.path(), entry.key},
                          fmt::format("'{}' is given beside 'shape'", entry.key),
                          "the shape determines it; keep one of them");
    }
  }
}

std::optional<math::MassProperties> read_given_mass(Reader& reader, SectionReader& section) {
  const auto mass = section.number("mass");
  const auto center = section.vector("center").value_or(Eigen::Vector3d::Zero());
  const auto inertia = read_inertia(reader, section);
  const auto about = section.choice("inertia_about").value_or("center");
  if (!section.has("mass") || !section.has("inertia")) {
    const std::string_view name = section.has("mass") ? "inertia" : "mass";
    reader.error(section.node(), Path{&section.path(), name}, fmt::format("'{}' is missing", name),
                 mass_remedy);
  }
  if (!mass || !inertia) return std::nullopt;
  if (about == "center") return math::MassProperties{*mass, center, *inertia};
  math::MassProperties properties =
      math::from_inertia_about(Eigen::Vector3d::Zero(), *mass, center, *inertia);
  if (properties.inertia.diagonal().tail<1>()[0] >= 0.0) return properties;
  reader.error(*section.find("inertia"), Path{&section.path(), "inertia"},
               "the inertia about the origin is too small for this mass at this centre",
               "it is at least m*distance^2; or give it about the centre of mass");
  return std::nullopt;
}

math::MassProperties read_mass(Reader& reader,
                               SectionReader& section,
                               std::vector<model::PlacedShape>& shapes) {
  const math::MassProperties stand_in{1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  if (const Node* shape = section.find("shape")) {
    refuse_beside_shape(reader, section);
    return read_shapes(reader, *shape, Path{&section.path(), "shape"}, shapes).value_or(stand_in);
  }
  return read_given_mass(reader, section).value_or(stand_in);
}

void mark_fixed(const std::string& what, Space space, model::Body& body) {
  const bool planar = space == Space::planar;
  const std::string_view velocity_prefix = "velocity.";
  const auto mark = [](std::array<bool, 6>& flags, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) flags[i] = true;
  };
  const std::size_t last_axis = planar ? 1 : 2;
  if (what == "position") {
    mark(body.fixed_pose, 0, last_axis);
  } else if (what == "velocity") {
    mark(body.fixed_velocity, 0, last_axis);
  } else if (what == "angle" || what == "orientation") {
    mark(body.fixed_pose, planar ? 5 : 3, 5);
  } else if (what == "angular_velocity") {
    mark(body.fixed_velocity, planar ? 5 : 3, 5);
  } else if (what.rfind(velocity_prefix, 0) == 0) {
    body.fixed_velocity[static_cast<std::size_t>(what.back() - 'x')] = true;
  } else {
    body.fixed_pose[static_cast<std::size_t>(what.back() - 'x')] = true;
  }
}

// What is written counts, what is left out gives way.
void mark_stated(const SectionReader& section, model::Body& body) {
  const auto mark = [&](const char* key, std::array<bool, 6>& flags, std::size_t first) {
    if (section.has(key)) std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(first), 3, true);
  };
  mark("position", body.stated_pose, 0);
  mark("angle", body.stated_pose, 3);
  mark("orientation", body.stated_pose, 3);
  mark("velocity", body.stated_velocity, 0);
  mark("angular_velocity", body.stated_velocity, 3);
  mark("angular_velocity_world", body.stated_velocity, 3);
}

void read_turn(Reader& reader, SectionReader& section, model::Body& body) {
  if (reader.space() == Space::planar) {
    body.angle = section.number("angle").value_or(0.0);
    body.orientation = Eigen::AngleAxisd(body.angle, Eigen::Vector3d::UnitZ());
    body.angular_velocity.z() = section.number("angular_velocity").value_or(0.0);
    return;
  }
  if (const Node* node = section.find("orientation")) {
    const StatedOrientation stated =
        read_orientation(reader, *node, Path{&section.path(), "orientation"});
    body.orientation = stated.rotation;
    body.stated_turn = stated.turn;
    body.turn_counts = stated.turn_counts;
  }
  const auto in_body = section.vector("angular_velocity");
  const auto in_world = section.vector("angular_velocity_world");
  if (in_body) body.angular_velocity = *in_body;
  if (in_world) body.angular_velocity = body.orientation.conjugate() * *in_world;
  if (in_body && in_world) {
    reader.error(
        *section.find("angular_velocity_world"), Path{&section.path(), "angular_velocity_world"},
        "the angular velocity is given twice, in body and in world axes", "keep one of them");
  }
}

bool is_point(const Node& node) {
  const Entry* kind = resolved(node).find("kind");
  return kind != nullptr && resolved(*kind->value).text == "point";
}

}  // namespace

model::Body read_body(Reader& reader, const std::string& name, const Node& node, const Path& path) {
  model::Body body;
  body.name = name;
  const bool point = is_point(node);
  SectionReader section(reader, node, path, find_section(point ? "point" : "body"));
  section.choice("kind");
  if (point) {
    body.kind = model::BodyKind::point;
    body.mass.mass = section.number("mass").value_or(1.0);
  } else {
    body.mass = read_mass(reader, section, body.shapes);
    if (const Node* meshes = section.find("meshes")) {
      body.shapes = read_drawn_meshes(reader, *meshes, Path{&path, "meshes"});
    }
    read_turn(reader, section, body);
    if (const Node* frames = section.find("frames")) {
      body.frames = read_frames(reader, *frames, Path{&path, "frames"});
    }
  }
  body.position = section.vector("position").value_or(Eigen::Vector3d::Zero());
  body.velocity = section.vector("velocity").value_or(Eigen::Vector3d::Zero());
  mark_stated(section, body);
  for (const std::string& what : section.choices("fixed").value_or(std::vector<std::string>{})) {
    mark_fixed(what, reader.space(), body);
  }
  return body;
}

}  // namespace trammel::io
