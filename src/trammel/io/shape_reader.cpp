#include "trammel/io/shape_reader.h"

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/color.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/math/shapes.h"

namespace trammel::io {
namespace {

/// `node` is the name of a file.
std::optional<math::Mesh> surface_named(Reader& reader,
                                        const Node& node,
                                        const Path& path,
                                        double scale = 1.0) {
  const auto file = reader.text(node, path);
  if (!file) return std::nullopt;
  try {
    return reader.meshes().find(reader.folder_of(node), *file, scale);
  } catch (const core::InputError& error) {
    reader.error(node, path, error);
    return std::nullopt;
  }
}

std::optional<math::Mesh> read_surface(Reader& reader, SectionReader& section) {
  const auto scale = section.number("scale");
  const Node* file = section.find("file");
  if (file == nullptr || (section.has("scale") && !scale)) return std::nullopt;
  return surface_named(reader, *file, Path{&section.path(), "file"}, scale.value_or(1.0));
}

}  // namespace

std::string read_color(Reader& reader, SectionReader& section) {
  const Node* node = section.find("color");
  if (node == nullptr) return {};
  const Path path{&section.path(), "color"};
  if (resolved(*node).kind == NodeKind::null) {
    reader.error(*node, path, "nothing is given as a colour",
                 "put quotes around it, as # begins a remark: \"#4c7fb0\"");
    return {};
  }
  const auto text = section.text("color");
  if (!text) return {};
  const std::string color = color_from(*text);
  if (color.empty()) {
    reader.error(*node, path, fmt::format("'{}' is no colour", *text),
                 fmt::format("write \"#rrggbb\" with hexadecimal digits, or a name; {}",
                             core::suggestion(*text, color_names())));
  }
  return color;
}

namespace {

/// The dimensions of a shape. A value that is given but wrong makes them incomplete.
class Dimensions {
 public:
  explicit Dimensions(SectionReader& section) : section_(section) {}

  double operator()(std::string_view name) {
    return taken(name, section_.number(name)).value_or(0.0);
  }
  std::vector<double> size(std::size_t count) {
    return taken("size", section_.numbers("size")).value_or(std::vector<double>(count));
  }
  bool complete() const { return complete_; }

 private:
  template <class T>
  T taken(std::string_view name, T value) {
    if (!value && section_.has(name)) complete_ = false;
    return value;
  }

  SectionReader& section_;
  bool complete_ = true;
};

math::Shape shape_from(Reader& reader,
                       const std::string& kind,
                       SectionReader& section,
                       Dimensions& d) {
  if (kind == "mesh") return read_surface(reader, section).value_or(math::Mesh{});
  if (kind == "rod") return math::Rod{.length = d("length"), .area = d("area")};
  if (kind == "cylinder") {
    return math::Cylinder{
        .radius = d("radius"), .length = d("length"), .inner_radius = d("inner_radius")};
  }
  if (kind == "disc") {
    return math::Disc{
        .radius = d("radius"), .thickness = d("thickness"), .inner_radius = d("inner_radius")};
  }
  if (kind == "sphere") {
    return math::Sphere{.radius = d("radius"), .inner_radius = d("inner_radius")};
  }
  if (kind == "cone") return math::Cone{.radius = d("radius"), .height = d("height")};
  if (kind == "plate") {
    const std::vector<double> size = d.size(2);
    return math::Plate{.x = size[0], .y = size[1], .thickness = d("thickness")};
  }
  const std::vector<double> size = d.size(3);
  return math::Box{.x = size[0], .y = size[1], .z = size[2]};
}

std::optional<math::MassProperties> homogeneous(Reader& reader,
                                                const std::string& kind,
                                                const Node& node,
                                                const Path& path,
                                                math::Shape& shape) {
  const std::size_t errors_before = reader.diagnostics().list().size();
  SectionReader section(reader, node, path, find_section(kind));
  Dimensions dimensions(section);
  shape = shape_from(reader, kind, section, dimensions);
  const std::optional<double> mass = section.number("mass");
  const std::optional<double> density = section.number("density");
  const bool sound = reader.diagnostics().list().size() == errors_before;
  const auto* mesh = std::get_if<math::Mesh>(&shape);
  const bool missing = mesh != nullptr && !mesh->surface;
  if (!sound || !dimensions.complete() || missing) return std::nullopt;
  try {
    if (mass) return math::from_shape_and_mass(shape, *mass);
    if (density) return math::from_shape_and_density(shape, *density);
  } catch (const core::InputError& mistakes) {
    reader.error(node, path, mistakes);
  }
  return std::nullopt;
}

std::optional<math::MassProperties> read_shape(Reader& reader,
                                               const Node& node,
                                               const Path& path,
                                               std::vector<model::PlacedShape>& shapes) {
  SectionReader section(reader, node, path, find_section("shape"));
  const Placement placement = read_placement(reader, section);
  const std::string color = read_color(reader, section);
  const std::string& kind = section.alternative();
  if (kind.empty()) return std::nullopt;
  math::Shape shape;
  const auto properties = homogeneous(reader, kind, *section.find(kind), Path{&path, kind}, shape);
  if (!properties) return std::nullopt;
  shapes.push_back({shape, placement.position, placement.rotation, color});
  return math::placed(*properties, placement.rotation.toRotationMatrix(), placement.position);
}

}  // namespace

std::optional<math::MassProperties> read_shapes(Reader& reader,
                                                const Node& node,
                                                const Path& path,
                                                std::vector<model::PlacedShape>& shapes) {
  const Node& value = resolved(node);
  if (value.kind != NodeKind::sequence) return read_shape(reader, node, path, shapes);
  if (value.entries.empty()) {
    reader.error(node, path, "the list of shapes is empty", "give at least one shape");
    return std::nullopt;
  }
  std::vector<math::MassProperties> parts;
  for (std::size_t i = 0; i < value.entries.size(); ++i) {
    const std::string number = fmt::format("{}", i + 1);
    const auto part = read_shape(reader, *value.entries[i].value, Path{&path, number}, shapes);
    if (part) parts.push_back(*part);
  }
  if (parts.size() != value.entries.size()) return std::nullopt;
  return math::sum(parts);
}

std::vector<model::PlacedShape> read_drawn_meshes(Reader& reader,
                                                  const Node& node,
                                                  const Path& path) {
  std::vector<model::PlacedShape> list;
  const auto add = [&](const Node& each, const Path& place) {
    const Section& section = find_section("drawn_mesh");
    if (resolved(each).kind == NodeKind::scalar) {
      if (auto mesh = surface_named(reader, each, place)) list.push_back({*mesh});
      return;
    }
    SectionReader keys(reader, each, place, section);
    const Placement placement = read_placement(reader, keys);
    const std::string color = read_color(reader, keys);
    if (auto mesh = read_surface(reader, keys)) {
      list.push_back({*mesh, placement.position, placement.rotation, color});
    }
  };
  const Node& value = resolved(node);
  if (value.kind != NodeKind::sequence) {
    add(node, path);
    return list;
  }
  for (std::size_t i = 0; i < value.entries.size(); ++i) {
    const std::string number = fmt::format("{}", i + 1);
    add(*value.entries[i].value, Path{&path, number});
  }
  return list;
}

}  // namespace trammel::io
