#include "trammel/io/floating_reader.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/io/shape_reader.h"
#include "trammel/io/structure_files.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::FloatingBody;
using model::Reduction;
using model::Sign;
using model::Structure;

std::vector<Key> source_keys() {
  return {{.name = "formulation",
           .forms = {Form::choice},
           .description = "`floating`",
           .required = true,
           .choices = {"floating"}},
          {.name = "mass",
           .forms = {Form::text},
           .description = "file of the mass matrix, Matrix Market; with `stiffness` and `nodes`"},
          {.name = "stiffness",
           .forms = {Form::text},
           .description = "file of the stiffness matrix of the free structure"},
          {.name = "nodes",
           .forms = {Form::text},
           .description = "file with a line for each node: its name, x, y and z"},
          {.name = "freedoms",
           .forms = {Form::text},
           .description = "file with a line for each row of the matrices: node and direction, "
                          "`7.2`; 1, 2, 3 along x, y, z and 4, 5, 6 about them",
           .fallback = "three or six rows of each node, in their order"},
          {.name = "length_unit",
           .forms = {Form::number},
           .description = "unit of length of these files, e.g. `1 mm`",
           .dimension = d::length,
           .sign = Sign::positive,
           .fallback = "1 m"},
          {.name = "mass_unit",
           .forms = {Form::number},
           .description = "unit of mass of these files, e.g. `1 t`; forces follow with seconds",
           .dimension = d::mass,
           .sign = Sign::positive,
           .fallback = "1 kg"},
          {.name = "beam",
           .forms = {Form::section},
           .description = "a beam as the source, in place of files; its nodes are `start`, "
                          "`node_1` ... and `tip`",
           .section = "flexible"}};
}

std::vector<Key> reduction_keys() {
  return {{.name = "interfaces",
           .forms = {Form::named},
           .description = "nodes that others attach to, by names of their own: `arm.hub`",
           .required = true,
           .section = "floating_interface"},
          {.name = "reduction",
           .forms = {Form::choice},
           .description = "`craig_bampton`: shapes of moved interfaces, and modes with interfaces "
                          "held; `free`: modes of the free structure",
           .fallback = "craig_bampton",
           .choices = {"craig_bampton", "free"}},
          {.name = "modes",
           .forms = {Form::number},
           .description = "number of modes",
           .sign = Sign::non_negative,
           .fallback = "8"},
          {.name = "frame",
           .forms = {Form::text},
           .description = "what the floating frame is fixed to: `mean` axes, or an interface",
           .fallback = "mean"},
          {.name = "damping_ratio",
           .forms = {Form::number},
           .description = "of each shape, as a mode of the free body; 1 is critical",
           .sign = Sign::non_negative,
           .fallback = "0"},
          {.name = "viscosity",
           .forms = {Form::number},
           .description = "stiffness times this time resists the rates of deformation",
           .dimension = d::time,
           .sign = Sign::non_negative,
           .fallback = "0"}};
}

std::vector<Key> place_keys() {
  return {{.name = "position",
           .forms = {Form::vector},
           .description = "of the origin of the nodes' coordinates",
           .dimension = d::length,
           .fallback = "0"},
          {.name = "orientation",
           .forms = {Form::section},
           .description = "of the axes of the nodes' coordinates",
           .fallback = "world axes",
           .section = "orientation"},
          {.name = "velocity",
           .forms = {Form::vector},
           .description = "of that origin, world axes",
           .dimension = d::velocity,
           .fallback = "0"},
          {.name = "angular_velocity",
           .forms = {Form::vector},
           .description = "of the whole, world axes",
           .dimension = d::angular_velocity,
           .fallback = "0"},
          {.name = "line",
           .forms = {Form::names, Form::numbers},
           .description = "nodes by which it is drawn, as rods from each to the next",
           .fallback = "a beam as it is; files: its interfaces"},
          {.name = "thickness",
           .forms = {Form::number},
           .description = "of the rods of `line`",
           .dimension = d::length,
           .sign = Sign::positive,
           .fallback = "a fiftieth of its size"},
          {.name = "color",
           .forms = {Form::text},
           .description = "for drawing: a name or #rrggbb",
           .fallback = "chosen"}};
}

/// The file that a key names, read by `parse`; the mistake is told at the key.
template <class Parse>
auto from_file(Reader& reader, SectionReader& section, const char* key, const Parse& parse)
    -> std::optional<decltype(parse(std::string_view{}, std::string{}))> {
  const auto name = section.text(key);
  if (!name) return std::nullopt;
  const Node& node = *section.find(key);
  try {
    const auto path = std::filesystem::path(reader.folder_of(node)) / *name;
    return parse(reader.files().read(path, largest_structure_file), path.string());
  } catch (const core::InputError& error) {
    reader.error(node, Path{&section.path(), key}, error);
    return std::nullopt;
  }
}

std::shared_ptr<Structure> read_structure(Reader& reader, SectionReader& section) {
  auto structure = std::make_shared<Structure>();
  auto nodes = from_file(reader, section, "nodes", read_node_table);
  auto mass = from_file(reader, section, "mass", read_matrix_market);
  auto stiffness = from_file(reader, section, "stiffness", read_matrix_market);
  const double length_unit = section.number("length_unit").value_or(1.0);
  const double mass_unit = section.number("mass_unit").value_or(1.0);
  const bool sound = !section.has("freedoms") || section.text("freedoms").has_value();
  if (!nodes || !mass || !stiffness || !sound) return nullptr;
  structure->nodes = std::move(*nodes);
  structure->mass.swap(*mass);
  structure->stiffness.swap(*stiffness);
  if (section.has("freedoms")) {
    auto freedoms =
        from_file(reader, section, "freedoms", [&](std::string_view text, const std::string& file) {
          return read_freedom_table(text, file, structure->nodes);
        });
    if (!freedoms) return nullptr;
    structure->freedoms = std::move(*freedoms);
  } else {
    structure->freedoms = freedoms_in_order(structure->nodes.size(), structure->mass.rows());
  }
  scale_structure(length_unit, mass_unit, *structure);
  return structure;
}

std::shared_ptr<Structure> read_beam(Reader& reader,
                                     const std::string& name,
                                     SectionReader& section,
                                     const FlexibleParts& parts) {
  for (const char* key : {"freedoms", "length_unit", "mass_unit"}) {
    if (!section.has(key)) continue;
    reader.error(*section.find(key), Path{&section.path(), key},
                 fmt::format("'{}' is given beside 'beam'", key), "leave it out; it is for files");
  }
  const Node& node = *section.find("beam");
  const Path path{&section.path(), "beam"};
  const std::size_t before = reader.diagnostics().list().size();
  model::SpatialBeam beam = read_spatial_beam(reader, name, node, path, parts);
  core::Diagnostics found;
  check(beam, found);
  for (const core::Diagnostic& each : found.list()) {
    reader.error(node, path, each.message, each.remedy);
  }
  if (reader.diagnostics().list().size() > before) return nullptr;
  return std::make_shared<Structure>(beam_structure(beam));
}

void read_interfaces(Reader& reader, SectionReader& section, FloatingBody& body) {
  const Node* node = section.find("interfaces");
  const Path path{&section.path(), "interfaces"};
  if (node == nullptr || !is_named_map(reader, *node, path, "hub: 1")) return;
  const Section& table = find_section("floating_interface");
  for (const Entry& entry : resolved(*node).entries) {
    const Path each{&path, entry.key};
    if (!reader.check_name(resolved(*node), entry, each)) continue;
    std::optional<std::vector<std::string>> nodes;
    if (resolved(*entry.value).kind == NodeKind::map) {
      SectionReader keys(reader, *entry.value, each, table);
      nodes = keys.texts("nodes");
    } else {
      nodes = reader.texts(*entry.value, each);
    }
    if (nodes) body.interfaces.push_back({entry.key, std::move(*nodes)});
  }
}

void read_options(Reader& reader, SectionReader& section, FloatingBody& body) {
  if (section.choice("reduction").value_or("") == "free") {
    body.options.reduction = Reduction::free_modes;
  }
  constexpr double most = 1e4;
  if (const auto modes = section.number("modes")) {
    if (*modes == std::floor(*modes) && *modes <= most) {
      body.options.modes = static_cast<int>(*modes);
    } else {
      const Node& node = *section.find("modes");
      reader.error(node, Path{&section.path(), "modes"},
                   fmt::format("{} is no number of modes", shown(node)), "give a whole number");
    }
  }
  body.options.frame = section.text("frame").value_or(body.options.frame);
  body.options.damping_ratio = section.number("damping_ratio").value_or(0.0);
  body.options.viscosity = section.number("viscosity").value_or(0.0);
}

void read_place(Reader& reader, SectionReader& section, FloatingBody& body) {
  body.position = section.vector("position").value_or(body.position);
  if (const Node* node = section.find("orientation")) {
    body.orientation =
        read_orientation(reader, *node, Path{&section.path(), "orientation"}).rotation;
  }
  body.velocity = section.vector("velocity").value_or(body.velocity);
  body.angular_velocity = section.vector("angular_velocity").value_or(body.angular_velocity);
  body.color = read_color(reader, section);
}

double extent_of(const Structure& structure) {
  double size = 0.0;
  for (const model::StructureNode& node : structure.nodes) {
    size = std::max(size, (node.position - structure.nodes.front().position).norm());
  }
  return size;
}

/// `into` may be missing for mistakes told elsewhere.
void read_line(Reader& reader, SectionReader& section, const FloatingBody& body, Structure* into) {
  const auto given = section.texts("line");
  const auto thickness = section.number("thickness");
  if (into == nullptr) return;
  std::vector<std::string> nodes;
  if (given) {
    nodes = *given;
    if (section.has("beam")) into->points.clear();
  } else if (!section.has("beam")) {
    for (const model::StructureInterface& each : body.interfaces) {
      if (!each.nodes.empty() && into->find(each.nodes.front()) >= 0) {
        nodes.push_back(each.nodes.front());
      }
    }
  }
  core::Diagnostics found;
  draw_line(nodes, thickness.value_or(0.02 * extent_of(*into)), body.color, "line", *into, found);
  for (const core::Diagnostic& each : found.list()) {
    reader.error(*section.find("line"), Path{&section.path(), "line"}, each.message, each.remedy);
  }
}

}  // namespace

std::vector<Section> floating_sections() {
  Section body{
      "floating_body", "Bodies in a floating frame",
      "A flexible body in space of `formulation: floating`: a structure by its mass and stiffness "
      "matrices, or a beam, with a few shapes of small deformation in a frame that moves at will. "
      "See [floating frames](floating_frames.md)."};
  for (const std::vector<Key>& keys : {source_keys(), reduction_keys(), place_keys()}) {
    body.keys.insert(body.keys.end(), keys.begin(), keys.end());
  }
  body.alternatives = {{"mass", "stiffness", "nodes"}, {"beam"}};
  return {body,
          {"floating_interface",
           "Interfaces of bodies in a floating frame",
           "A node with displacements and turns, or several nodes that are tied rigidly to a frame "
           "in their middle. A bare name, or a list of names, stands for `nodes`.",
           {{.name = "nodes",
             .forms = {Form::names, Form::numbers},
             .description = "names of nodes",
             .required = true}},
           {},
           "nodes"}};
}

bool is_floating(const Node& node) {
  const Node& body = resolved(node);
  if (body.kind != NodeKind::map) return false;
  const Entry* formulation = body.find("formulation");
  return formulation != nullptr && resolved(*formulation->value).text == "floating";
}

FloatingBody read_floating_body(Reader& reader,
                                const std::string& name,
                                const Node& node,
                                const Path& path,
                                const FlexibleParts& parts) {
  FloatingBody body;
  body.name = name;
  SectionReader section(reader, node, path, find_section("floating_body"));
  section.choice("formulation");
  read_interfaces(reader, section, body);
  read_options(reader, section, body);
  read_place(reader, section, body);
  const std::shared_ptr<Structure> structure = section.has("beam")
                                                   ? read_beam(reader, name, section, parts)
                                                   : read_structure(reader, section);
  read_line(reader, section, body, structure.get());
  body.structure = structure;
  return body;
}

}  // namespace trammel::io
