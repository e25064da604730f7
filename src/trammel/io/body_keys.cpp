#include "trammel/io/body_keys.h"

#include <algorithm>

#include <fmt/format.h>

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Sign;
using model::Space;

constexpr core::Dimension area{2, 0, 0, 0};

std::vector<std::string> fixed_choices(Space space) {
  if (space == Space::planar) {
    return {"x",          "y",          "position", "angle",
            "velocity.x", "velocity.y", "velocity", "angular_velocity"};
  }
  return {"x",          "y",          "z",          "position", "orientation",
          "velocity.x", "velocity.y", "velocity.z", "velocity", "angular_velocity"};
}

std::vector<Key> initial_keys() {
  const std::string fixed = "initial values that assembly must keep exactly";
  return {
      {.name = "position",
       .forms = {Form::vector},
       .description = "origin of the body frame",
       .dimension = d::length,
       .fallback = "0"},
      {.name = "angle",
       .forms = {Form::number},
       .description = "turn of the body frame about z",
       .dimension = d::angle,
       .fallback = "0",
       .space = Space::planar},
      {.name = "orientation",
       .forms = {Form::section},
       .description = "turn of the body frame",
       .section = "orientation",
       .space = Space::spatial},
      {.name = "velocity",
       .forms = {Form::vector},
       .description = "of the body frame's origin, world axes",
       .dimension = d::velocity,
       .fallback = "0"},
      {.name = "angular_velocity",
       .forms = {Form::number},
       .description = "about z",
       .dimension = d::angular_velocity,
       .fallback = "0",
       .space = Space::planar},
      {.name = "angular_velocity",
       .forms = {Form::vector},
       .description = "in body axes",
       .dimension = d::angular_velocity,
       .fallback = "0",
       .space = Space::spatial},
      {.name = "angular_velocity_world",
       .forms = {Form::vector},
       .description = "in world axes, instead of angular_velocity",
       .dimension = d::angular_velocity,
       .space = Space::spatial},
      {.name = "fixed",
       .forms = {Form::choices},
       .description = fixed,
       .choices = fixed_choices(Space::planar),
       .space = Space::planar},
      {.name = "fixed",
       .forms = {Form::choices},
       .description = fixed,
       .choices = fixed_choices(Space::spatial),
       .space = Space::spatial},
  };
}

std::vector<Key> inertia_keys() {
  return {
      {.name = "mass",
       .forms = {Form::number},
       .description = "mass",
       .dimension = d::mass,
       .sign = Sign::positive},
      {.name = "center",
       .forms = {Form::vector},
       .description = "centre of mass in the body frame",
       .dimension = d::length,
       .fallback = "0"},
      {.name = "inertia",
       .forms = {Form::number},
       .description = "moment of inertia about z; 0 where the joints hold the turn of the body",
       .dimension = d::inertia,
       .sign = Sign::non_negative,
       .space = Space::planar},
      {.name = "inertia",
       .forms = {Form::numbers},
       .description = "[Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jxy, Jxz, Jyz] in body axes; "
                      "elements of the tensor, "
                      "Jxy = -integral of x y dm; moments may be 0 where the joints hold "
                      "the turn",
       .dimension = d::inertia,
       .counts = {3, 6},
       .space = Space::spatial},
      {.name = "inertia_about",
       .forms = {Form::choice},
       .description = "the point of the given inertia: centre of mass or origin of the body frame",
       .fallback = "center",
       .choices = {"center", "origin"}},
  };
}

Section body_section() {
  Section section{
      "body",
      "Bodies",
      "A rigid body has either a `shape` or `mass`, `center` and `inertia`. Position, orientation "
      "and velocities describe the start: what is `fixed` holds exactly, what is written is kept "
      "as "
      "far as joints and drives allow, and what is left out gives way "
      "([the start](concepts.md#the-start)).",
      {
          {.name = "kind",
           .forms = {Form::choice},
           .description = "a rigid body or a point mass",
           .fallback = "rigid",
           .choices = {"rigid", "point"}},
          {.name = "shape",
           .forms = {Form::section, Form::sections},
           .description = "a homogeneous shape, or a list of shapes that are added up",
           .section = "shape"},
      }};
  for (Key& key : inertia_keys()) section.keys.push_back(std::move(key));
  section.keys.push_back(
      {.name = "meshes",
       .forms = {Form::section, Form::sections},
       .description = "a surface, or a list of them, that is drawn for the body; it has no mass",
       .section = "drawn_mesh"});
  for (Key& key : initial_keys()) section.keys.push_back(std::move(key));
  section.keys.push_back({.name = "frames",
                          .forms = {Form::named},
                          .description = "frames fixed to the body, by name",
                          .section = "frame"});
  return section;
}

Section point_section() {
  Section section{"point",
                  "Point masses",
                  "A body with `kind: point` has a mass and a place, and cannot turn.",
                  {{.name = "kind",
                    .forms = {Form::choice},
                    .description = "`point`",
                    .required = true,
                    .choices = {"point"}},
                   {.name = "mass",
                    .forms = {Form::number},
                    .description = "mass",
                    .dimension = d::mass,
                    .sign = Sign::positive,
                    .required = true}}};
  for (Key& key : initial_keys()) {
    const bool turns = key.name.find("ang") != std::string::npos || key.name == "orientation";
    if (turns) continue;
    const auto is_turn = [](const std::string& choice) {
      return choice == "angle" || choice == "orientation" || choice == "angular_velocity";
    };
    key.choices.erase(std::remove_if(key.choices.begin(), key.choices.end(), is_turn),
                      key.choices.end());
    section.keys.push_back(std::move(key));
  }
  return section;
}

/// Where a frame or a part of a body sits.
std::vector<Key> placement_keys(const std::string& what) {
  return {
      {.name = "position",
       .forms = {Form::vector},
       .description = fmt::format("origin of the {} in the body frame", what),
       .dimension = d::length,
       .fallback = "0"},
      {.name = "angle",
       .forms = {Form::number},
       .description = fmt::format("turn of the {} about z", what),
       .dimension = d::angle,
       .fallback = "0",
       .space = Space::planar},
      {.name = "orientation",
       .forms = {Form::section},
       .description = fmt::format("turn of the {}", what),
       .section = "orientation",
       .space = Space::spatial},
  };
}

Key color_key() {
  return {.name = "color",
          .forms = {Form::text},
          .description = "\"#rrggbb\" in quotes, or a name: red, steel, brass"};
}

std::vector<Key> mesh_keys() {
  return {{.name = "file",
           .forms = {Form::text},
           .description = "file with the surface: .stl, .obj, .gltf or .glb; beside this file",
           .required = true},
          {.name = "scale",
           .forms = {Form::number},
           .description = "metres per unit of the file: 0.001 for millimetres",
           .sign = Sign::positive,
           .fallback = "1"}};
}

Section drawn_mesh_section() {
  Section section{.name = "drawn_mesh",
                  .title = "Meshes",
                  .description =
                      "The surface of a body from a file of a CAD program, to be drawn in reports "
                      "instead of its shapes. The name of the file alone stands for the whole map: "
                      "`meshes: crank.stl`.",
                  .keys = mesh_keys(),
                  .shorthand = "file"};
  for (Key& key : placement_keys("mesh")) section.keys.push_back(std::move(key));
  section.keys.push_back(color_key());
  return section;
}

Section frame_section() {
  return {.name = "frame",
          .title = "Frames",
          .description =
              "A frame is a point with axes, fixed in a body, to which joints and forces "
              "attach: `crank.tip` is the frame `tip` of the body `crank`. A bare list "
              "stands for its position: `tip: [0.1, 0]`.",
          .keys = placement_keys("frame"),
          .shorthand = "position"};
}

Section orientation_section() {
  return {
      "orientation",
      "Orientation",
      "One of: `axis` and `angle`; `euler` and `angles`; `quaternion`; `matrix`; `rodrigues`. All "
      "describe the rotation R that turns body components into world components.",
      {
          {.name = "axis", .forms = {Form::direction}, .description = "axis of a single turn"},
          {.name = "angle",
           .forms = {Form::number},
           .description = "angle of a single turn",
           .dimension = d::angle},
          {.name = "euler",
           .forms = {Form::choice},
           .description = "axes of three successive turns about the moving axes: `zxz` are Euler "
                          "angles, `xyz` "
                          "Bryant (Cardan) angles",
           .choices = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz",
                       "zyz"}},
          {.name = "angles",
           .forms = {Form::numbers},
           .description = "angles of the three turns",
           .dimension = d::angle,
           .counts = {3}},
          {.name = "quaternion",
           .forms = {Form::numbers},
           .description = "Euler parameters [e0, e1, e2, e3], e0 = cos(angle/2)",
           .counts = {4}},
          {.name = "matrix", .forms = {Form::matrix}, .description = "rotation matrix by rows"},
          {.name = "rodrigues",
           .forms = {Form::numbers},
           .description = "Rodrigues parameters, axis * tan(angle/2)",
           .counts = {3}},
      },
      {{"axis", "angle"}, {"euler", "angles"}, {"quaternion"}, {"matrix"}, {"rodrigues"}}};
}

Key length_key(std::string name, std::string description) {
  return {.name = std::move(name),
          .forms = {Form::number},
          .description = std::move(description),
          .dimension = d::length,
          .sign = Sign::positive,
          .required = true};
}

Section shape_kind(const std::string& name, std::string description, std::vector<Key> dimensions) {
  Section section{.name = name,
                  .title = "Shape: " + name,
                  .description = std::move(description),
                  .keys = std::move(dimensions),
                  .alternatives = {{"mass"}, {"density"}}};
  section.keys.push_back({.name = "mass",
                          .forms = {Form::number},
                          .description = "mass of the shape",
                          .dimension = d::mass,
                          .sign = Sign::positive});
  section.keys.push_back({.name = "density",
                          .forms = {Form::number},
                          .description = "density of the material",
                          .dimension = d::density,
                          .sign = Sign::positive});
  return section;
}

std::vector<Section> shape_kinds() {
  const Key inner{.name = "inner_radius",
                  .forms = {Form::number},
                  .description = "radius of the hole",
                  .dimension = d::length,
                  .sign = Sign::non_negative,
                  .fallback = "0"};
  const Key thickness{.name = "thickness",
                      .forms = {Form::number},
                      .description = "thickness, needed with a density",
                      .dimension = d::length,
                      .sign = Sign::non_negative,
                      .fallback = "0"};
  return {
      shape_kind("rod", "Slender rod along x.",
                 {length_key("length", "length"),
                  {.name = "area",
                   .forms = {Form::number},
                   .description = "area of the cross-section, needed with a density",
                   .dimension = area,
                   .sign = Sign::non_negative,
                   .fallback = "0"}}),
      shape_kind("box", "Box with edges along x, y, z.",
                 {{.name = "size",
                   .forms = {Form::numbers},
                   .description = "edges along x, y, z",
                   .dimension = d::length,
                   .sign = Sign::positive,
                   .required = true,
                   .counts = {3}}}),
      shape_kind("plate", "Thin plate in the x-y plane.",
                 {{.name = "size",
                   .forms = {Form::numbers},
                   .description = "edges along x, y",
                   .dimension = d::length,
                   .sign = Sign::positive,
                   .required = true,
                   .counts = {2}},
                  thickness}),
      shape_kind(
          "cylinder", "Cylinder about z, hollow with `inner_radius`.",
          {length_key("radius", "outer radius"), length_key("length", "length along z"), inner}),
      shape_kind("disc", "Thin disc about z.",
                 {length_key("radius", "outer radius"), thickness, inner}),
      shape_kind("sphere", "Sphere, hollow with `inner_radius`.",
                 {length_key("radius", "outer radius"), inner}),
      shape_kind("cone", "Cone about z, base at z = 0.",
                 {length_key("radius", "radius of the base"), length_key("height", "height")}),
      shape_kind("mesh",
                 "What a closed surface encloses, in the coordinates of its file. Mass, centre and "
                 "inertia come from its triangles.",
                 mesh_keys()),
  };
}

Section shape_section(const std::vector<Section>& kinds) {
  Section section{.name = "shape",
                  .title = "Shapes",
                  .description =
                      "A homogeneous body from its dimensions, with its middle at "
                      "`position` (the cone: the middle of its base). Exactly one kind of "
                      "shape per entry, with either a `mass` or a `density`; a list of "
                      "shapes is added up."};
  for (const Section& kind : kinds) {
    section.keys.push_back({.name = kind.name,
                            .forms = {Form::section},
                            .description = kind.description,
                            .section = kind.name});
    section.alternatives.push_back({kind.name});
  }
  for (Key& key : placement_keys("shape")) section.keys.push_back(std::move(key));
  section.keys.push_back(color_key());
  return section;
}

}  // namespace

std::vector<Section> body_sections() {
  const std::vector<Section> kinds = shape_kinds();
  std::vector<Section> list{body_section(), point_section(), shape_section(kinds)};
  list.insert(list.end(), kinds.begin(), kinds.end());
  list.insert(list.end(), {drawn_mesh_section(), frame_section(), orientation_section()});
  return list;
}

}  // namespace trammel::io
