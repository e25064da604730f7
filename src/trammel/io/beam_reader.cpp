#include "trammel/io/beam_reader.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace trammel::io {
namespace {

using model::BeamSection;
using model::CrossSection;
using model::SpatialBeam;
using model::SpatialSection;

/// Saint-Venant's torsion of a rectangle with sides a >= b,
/// J = a b^3/3 [1 - 192 b/(pi^5 a) sum of tanh(n pi a/(2 b))/n^5 over odd n].
double torsion_of_rectangle(double first, double second) {
  const double a = std::max(first, second);
  const double b = std::min(first, second);
  double sum = 0.0;
  for (int n = 1; n < 60; n += 2) sum += std::tanh(n * M_PI * a / (2.0 * b)) / std::pow(n, 5);
  return a * b * b * b / 3.0 * (1.0 - 192.0 * b / (std::pow(M_PI, 5) * a) * sum);
}

BeamSection read_stiffness(Reader& reader, const Node& node, const Path& path) {
  SectionReader section(reader, node, path, find_section("beam_stiffness"));
  // Values that do, where those of the file are missing or wrong and told.
  BeamSection beam{
      .force = {1.0, 1.0, 1.0}, .moment = {1.0, 1.0, 1.0}, .mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
  beam.force[0] = section.number("axial").value_or(1.0);
  if (const auto shear = section.numbers("shear")) beam.force.tail<2>() << (*shear)[0], (*shear)[1];
  beam.moment[0] = section.number("torsion").value_or(1.0);
  if (const auto bending = section.numbers("bending")) {
    beam.moment.tail<2>() << (*bending)[0], (*bending)[1];
  }
  beam.mass = section.number("mass").value_or(1.0);
  if (const auto inertia = section.numbers("inertia")) {
    beam.inertia << (*inertia)[0], (*inertia)[1], (*inertia)[2];
  }
  return beam;
}

void read_corners(Reader& reader, const Node& node, const Path& path, SpatialBeam& body) {
  const Node& list = resolved(node);
  if (list.kind != NodeKind::sequence) {
    reader.error(node, path, fmt::format("{} is no list of points", shown(node)),
                 "give points, e.g. [[1, 0, 0], [1, 1, 0]]");
    return;
  }
  const Section& table = find_section("flexible_corner");
  for (std::size_t i = 0; i < list.entries.size(); ++i) {
    const std::string number = std::to_string(i);
    const Path item_path{&path, number};
    const Node& item = *list.entries[i].value;
    std::optional<Eigen::Vector3d> point;
    if (resolved(item).kind == NodeKind::sequence) {
      point = reader.vector(item, item_path, find_key(reader.keys(table), table.shorthand));
    } else {
      SectionReader section(reader, item, item_path, table);
      point = section.vector("position");
    }
    if (point) body.corners.push_back(*point);
  }
}

/// What beams in space need of sections that are told by their area.
void check_area_section(Reader& reader, SectionReader& section, SpatialBeam& body) {
  const auto want = [&](double& value, const char* what, const char* key) {
    if (value > 0.0) return;
    reader.error(*section.find("section"), Path{&section.path(), "section"},
                 fmt::format("the section '{}' has no {}", body.section.name, what),
                 fmt::format("beams in space bend and twist: give it '{}', or a shape", key));
    value = 1.0;
  };
  want(body.section.second_moment, "second moment of area about z", "second_moment");
  want(body.across.second_moment_y, "second moment of area about y", "second_moment_y");
  want(body.across.torsion_constant, "torsion constant", "torsion_constant");
}

}  // namespace

SpatialSection read_spatial_section(Reader& reader,
                                    SectionReader& section,
                                    const CrossSection& cross) {
  SpatialSection across;
  if (const auto sides = section.numbers("rectangle")) {
    const double width = (*sides)[0];
    const double height = (*sides)[1];
    across.width = width;
    across.second_moment_y = cross.area * width * width / 12.0;
    across.torsion_constant = torsion_of_rectangle(width, height);
  } else if (section.has("circle") || section.has("tube")) {
    across.second_moment_y = cross.second_moment;
    across.torsion_constant = 2.0 * cross.second_moment;
  }
  const auto own = [&](const char* key, double& value) {
    const auto number = section.number(key);
    if (!number) return;
    if (section.alternative() != "area" && !section.alternative().empty()) {
      reader.error(*section.find(key), Path{&section.path(), key},
                   fmt::format("'{}' is given beside '{}'", key, section.alternative()),
                   fmt::format("'{}' determines it; keep one of them", section.alternative()));
    }
    value = *number;
  };
  own("second_moment_y", across.second_moment_y);
  own("torsion_constant", across.torsion_constant);
  if (const auto factor = section.number("shear_factor_z")) across.shear_factor_z = *factor;
  if (const Node* stiffness = section.find("stiffness")) {
    across.given = read_stiffness(reader, *stiffness, Path{&section.path(), "stiffness"});
    for (const char* key : {"shear_factor", "shear_factor_z"}) {
      if (!section.has(key)) continue;
      reader.error(*section.find(key), Path{&section.path(), key},
                   fmt::format("'{}' is given beside 'stiffness'", key),
                   "'stiffness' has the shear; keep one of them");
    }
  }
  return across;
}

void read_spatial_body(Reader& reader, SectionReader& section, SpatialBeam& body) {
  const Path& path = section.path();
  if (section.has("section") && !body.across.given) check_area_section(reader, section, body);
  if (!section.has("material") && !body.across.given) {
    reader.error(section.node(), Path{&path, "material"}, "'material' is missing",
                 "add it: name of one of the 'materials'");
  } else if (section.has("material") && body.across.given) {
    reader.error(*section.find("material"), Path{&path, "material"},
                 fmt::format("the section '{}' gives its stiffness and mass", body.section.name),
                 "leave the material out");
  }
  if (const Node* corners = section.find("corners")) {
    read_corners(reader, *corners, Path{&path, "corners"}, body);
  }
  body.through = section.vector("through");
  body.y_axis = section.direction("y_axis").value_or(body.y_axis);
  body.angular_velocity = section.vector("angular_velocity").value_or(body.angular_velocity);
  if (section.choice("mass").value_or("") == "consistent") {
    body.beam_mass = model::BeamMass::consistent;
  }
  if (section.choice("shear").value_or("") == "plain") body.shear = model::BeamShear::plain;
  body.viscosity = section.number("viscosity").value_or(0.0);
}

}  // namespace trammel::io
