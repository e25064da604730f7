#include "trammel/io/flexible_reader.h"

#include <cmath>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/beam_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/planar_beam_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/io/shape_reader.h"

namespace trammel::io {
namespace {

using model::CrossSection;
using model::FlexibleBody;
using model::Material;

/// Values that do, where those of the file are missing or wrong and told.
void set_stand_in(const std::string& name, FlexibleBody& body) {
  body.name = name;
  body.formulation = "inertial";
  body.material = {.density = 1.0, .youngs_modulus = 1.0};
  body.section = {.area = 1.0, .second_moment = 1.0};
  body.tip = Eigen::Vector3d::UnitX();
}

Material read_material(Reader& reader,
                       const std::string& name,
                       const Node& node,
                       const Path& path) {
  SectionReader section(reader, node, path, find_section("material"));
  Material material{.name = name};
  material.density = section.number("density").value_or(1.0);
  material.youngs_modulus = section.number("youngs_modulus").value_or(1.0);
  material.poissons_ratio = section.number("poissons_ratio").value_or(0.3);
  if (!(material.poissons_ratio > -1.0 && material.poissons_ratio <= 0.5)) {
    reader.error(*section.find("poissons_ratio"), Path{&path, "poissons_ratio"},
                 fmt::format("Poisson's ratio is {:g}", material.poissons_ratio),
                 "give a value above -1 and up to 0.5");
    material.poissons_ratio = 0.3;
  }
  return material;
}

void read_section_shape(Reader& reader, SectionReader& section, CrossSection& cross) {
  const double pi = M_PI;
  if (const auto sides = section.numbers("rectangle")) {
    cross.shape = model::SectionShape::rectangle;
    cross.height = (*sides)[1];
    cross.area = (*sides)[0] * cross.height;
    cross.second_moment = cross.area * cross.height * cross.height / 12.0;
  } else if (const auto radius = section.number("circle")) {
    cross.shape = model::SectionShape::circle;
    cross.height = 2.0 * *radius;
    cross.area = pi * *radius * *radius;
    cross.second_moment = 0.25 * cross.area * *radius * *radius;
    cross.shear_factor = 0.9;
  } else if (const auto radii = section.numbers("tube")) {
    const double outer = (*radii)[0];
    const double inner = (*radii)[1];
    cross.shape = model::SectionShape::tube;
    cross.inner = inner;
    cross.height = 2.0 * outer;
    cross.area = pi * (outer * outer - inner * inner);
    cross.second_moment = 0.25 * cross.area * (outer * outer + inner * inner);
    cross.shear_factor = 0.5;
    if (inner >= outer) {
      reader.error(
          *section.find("tube"), Path{&section.path(), "tube"},
          fmt::format("the inner radius {:g} m is not below the outer one, {:g} m", inner, outer),
          "give [outer radius, inner radius]; a wall of t has outer - t for the second");
      cross.area = 1.0;
      cross.second_moment = 1.0;
    }
  }
}

void read_cross_section(Reader& reader,
                        const std::string& name,
                        const Node& node,
                        const Path& path,
                        FlexibleParts& parts) {
  SectionReader section(reader, node, path, find_section("cross_section"));
  CrossSection cross{.name = name, .area = 1.0};
  read_section_shape(reader, section, cross);
  if (const auto area = section.number("area")) cross.area = *area;
  if (const auto moment = section.number("second_moment")) {
    if (!section.has("area") && !section.alternative().empty()) {
      reader.error(*section.find("second_moment"), Path{&path, "second_moment"},
                   fmt::format("'second_moment' is given beside '{}'", section.alternative()),
                   "the shape determines it; keep one of them");
    }
    cross.second_moment = *moment;
  }
  if (const auto factor = section.number("shear_factor")) cross.shear_factor = *factor;
  // What was given and could not be read is told already: beams need not tell it again.
  const bool given = section.has("second_moment") || section.has("rectangle") ||
                     section.has("circle") || section.has("tube");
  if (given && cross.second_moment == 0.0) cross.second_moment = 1.0;
  if (reader.space() == model::Space::spatial) {
    parts.across.emplace(name, read_spatial_section(reader, section, cross));
  }
  parts.sections.emplace(name, std::move(cross));
}

/// The part of that name, or null, which is told.
template <class Part>
const Part* named_part(Reader& reader,
                       SectionReader& section,
                       const char* key,
                       const char* what,
                       const std::map<std::string, Part>& parts) {
  const auto name = section.text(key);
  if (!name) return nullptr;
  const auto found = parts.find(*name);
  if (found != parts.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& part : parts) known.push_back(part.first);
  reader.error(*section.find(key), Path{&section.path(), key},
               fmt::format("there is no {} '{}'", what, name->substr(0, 64)),
               known.empty() ? fmt::format("describe it under '{}s' of the model", what)
                             : core::suggestion(name->substr(0, 64), known));
  return nullptr;
}

/// One that does for the body; null where there is none, which is told if it should be.
const CrossSection* named_section(Reader& reader,
                                  SectionReader& section,
                                  const char* key,
                                  const FlexibleBody& body,
                                  const FlexibleParts& parts) {
  const CrossSection* cross = named_part(reader, section, key, "section", parts.sections);
  if (cross == nullptr || body.element == "bar" || cross->second_moment > 0.0) return cross;
  reader.error(*section.find(key), Path{&section.path(), key},
               fmt::format("the section '{}' has no second moment of area", cross->name),
               "beams bend: give it 'second_moment', or a shape");
  return nullptr;
}

void read_elements(Reader& reader, SectionReader& section, FlexibleBody& body) {
  const auto number = section.number("elements");
  if (!number) return;
  constexpr double most = 1e5;
  if (*number == std::floor(*number) && *number <= most) {
    body.elements = static_cast<int>(*number);
    return;
  }
  const Node& node = *section.find("elements");
  reader.error(node, Path{&section.path(), "elements"},
               fmt::format("{} is no number of elements", shown(node)),
               "give a whole number from 1 to 100000");
}

void read_flexible_frames(Reader& reader, const Node& node, const Path& path, FlexibleBody& body) {
  if (!is_named_map(reader, node, path, "middle: 0.5")) return;
  const Section& table = find_section("flexible_frame");
  for (const Entry& entry : resolved(node).entries) {
    const Path frame_path{&path, entry.key};
    if (!reader.check_name(resolved(node), entry, frame_path)) continue;
    model::FlexibleFrame frame{.name = entry.key};
    if (resolved(*entry.value).kind == NodeKind::scalar) {
      const Key& along = find_key(reader.keys(table), table.shorthand);
      frame.along = reader.number(*entry.value, frame_path, along).value_or(0.0);
    } else {
      SectionReader section(reader, *entry.value, frame_path, table);
      frame.along = section.number("along").value_or(0.0);
      frame.position = section.vector("position").value_or(Eigen::Vector3d::Zero());
    }
    body.frames.push_back(std::move(frame));
  }
}

void read_choices(Reader& reader, SectionReader& section, FlexibleBody& body) {
  body.formulation = section.choice("formulation").value_or(body.formulation);
  body.element = section.choice("element").value_or(body.element);
  if (section.choice("mass").value_or("") == "constant") {
    body.mass = model::InertialMass::constant;
  }
  if (section.choice("strain").value_or("") == "green") body.strain = model::BarStrain::green;
  if (section.choice("weight").value_or("") == "center") {
    body.weight = model::FloatingWeight::center;
  }
  const bool bar = body.element == "bar";
  const auto refuse = [&](const char* key, const char* use) {
    if (!section.has(key)) return;
    reader.error(*section.find(key), Path{&section.path(), key},
                 fmt::format("'{}' means nothing to a {} in the formulation '{}'", key,
                             bar ? "bar" : "beam", body.formulation),
                 fmt::format("leave it out; it is for {}", use));
  };
  if (bar || body.formulation != "inertial") refuse("mass", "beams with 'formulation: inertial'");
  if (!bar || body.formulation != "ancf") refuse("strain", "bars with 'formulation: ancf'");
  if (body.formulation != "floating") refuse("weight", "'formulation: floating'");
}

/// What bodies in the plane and in space have in common.
void read_any_body(Reader& reader,
                   SectionReader& section,
                   const FlexibleParts& parts,
                   FlexibleBody& body) {
  read_elements(reader, section, body);
  if (const Material* material =
          named_part(reader, section, "material", "material", parts.materials)) {
    body.material = *material;
  }
  body.start = section.vector("start").value_or(body.start);
  body.tip = section.vector("tip").value_or(Eigen::Vector3d(body.start + body.tip));
  body.velocity = section.vector("velocity").value_or(body.velocity);
  body.color = read_color(reader, section);
  if (const Node* frames = section.find("frames")) {
    read_flexible_frames(reader, *frames, Path{&section.path(), "frames"}, body);
  }
}

}  // namespace

FlexibleParts read_flexible_parts(Reader& reader, const Node& root, const Path& top) {
  FlexibleParts parts;
  const auto read = [&](const char* key, const char* example, const auto& take) {
    const Entry* entry = root.find(key);
    const Path path{&top, key};
    if (entry == nullptr || !is_named_map(reader, *entry->value, path, example)) return;
    for (const Entry& each : resolved(*entry->value).entries) {
      const Path each_path{&path, each.key};
      if (reader.check_name(resolved(*entry->value), each, each_path)) take(each, each_path);
    }
  };
  read("materials", "steel: {density: 7850, youngs_modulus: 210e9}",
       [&](const Entry& entry, const Path& path) {
         parts.materials.emplace(entry.key, read_material(reader, entry.key, *entry.value, path));
       });
  read("sections", "strip: {rectangle: [10 mm, 1 mm]}", [&](const Entry& entry, const Path& path) {
    read_cross_section(reader, entry.key, *entry.value, path, parts);
  });
  return parts;
}

model::FlexibleBody read_flexible_body(Reader& reader,
                                       const std::string& name,
                                       const Node& node,
                                       const Path& path,
                                       const FlexibleParts& parts) {
  FlexibleBody body;
  set_stand_in(name, body);
  SectionReader section(reader, node, path, find_section("flexible"));
  read_choices(reader, section, body);
  read_any_body(reader, section, parts, body);
  if (const CrossSection* cross = named_section(reader, section, "section", body, parts)) {
    body.section = *cross;
  }
  if (const CrossSection* cross = named_section(reader, section, "tip_section", body, parts)) {
    body.tip_section = *cross;
  }
  body.angular_velocity.z() = section.number("angular_velocity").value_or(0.0);
  read_planar_beam(reader, section, body);
  return body;
}

model::SpatialBeam read_spatial_beam(Reader& reader,
                                     const std::string& name,
                                     const Node& node,
                                     const Path& path,
                                     const FlexibleParts& parts) {
  model::SpatialBeam body;
  set_stand_in(name, body);
  body.formulation = "geometrically_exact";
  body.element = "reissner";
  body.across = {.second_moment_y = 1.0, .torsion_constant = 1.0};
  SectionReader section(reader, node, path, find_section("flexible"));
  body.formulation = section.choice("formulation").value_or(body.formulation);
  body.element = section.choice("element").value_or(body.element);
  read_any_body(reader, section, parts, body);
  if (const CrossSection* cross =
          named_part(reader, section, "section", "section", parts.sections)) {
    body.section = *cross;
  }
  const auto across = parts.across.find(body.section.name);
  if (across != parts.across.end()) body.across = across->second;
  read_spatial_body(reader, section, body);
  return body;
}

}  // namespace trammel::io
