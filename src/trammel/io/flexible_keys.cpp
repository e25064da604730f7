#include "trammel/io/flexible_keys.h"

#include "trammel/io/beam_keys.h"
#include "trammel/io/floating_reader.h"
#include "trammel/io/planar_beam_reader.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Sign;
using model::Space;

constexpr core::Dimension area_dimension{2, 0, 0, 0};
constexpr core::Dimension second_moment_dimension{4, 0, 0, 0};

Section material_section() {
  return {"material",
          "Materials",
          "A linearly elastic material by name, for bodies that bend.",
          {{.name = "density",
            .forms = {Form::number},
            .description = "mass per volume",
            .dimension = d::density,
            .sign = Sign::positive,
            .required = true},
           {.name = "youngs_modulus",
            .forms = {Form::number},
            .description = "stress by strain in a pulled rod, E",
            .dimension = d::pressure,
            .sign = Sign::positive,
            .required = true},
           {.name = "poissons_ratio",
            .forms = {Form::number},
            .description = "contraction by extension, nu; the shear modulus is E/(2 (1 + nu))",
            .fallback = "0.3"}}};
}

Section cross_section_section() {
  return {"cross_section",
          "Sections",
          "The cross section of a body that bends, by name: its `area` and `second_moment`, or a "
          "shape. In space y is the height and z the width.",
          {{.name = "area",
            .forms = {Form::number},
            .description = "area of the section",
            .dimension = area_dimension,
            .sign = Sign::positive},
           {.name = "second_moment",
            .forms = {Form::number},
            .description = "second moment of area about z, with `area`; bars need none",
            .dimension = second_moment_dimension,
            .sign = Sign::positive},
           {.name = "rectangle",
            .forms = {Form::numbers},
            .description = "width across the plane, height in it",
            .dimension = d::length,
            .sign = Sign::positive,
            .counts = {2}},
           {.name = "circle",
            .forms = {Form::number},
            .description = "radius of a round section",
            .dimension = d::length,
            .sign = Sign::positive},
           {.name = "tube",
            .forms = {Form::numbers},
            .description = "outer and inner radius",
            .dimension = d::length,
            .sign = Sign::positive,
            .counts = {2}},
           {.name = "shear_factor",
            .forms = {Form::number},
            .description = "share of the area that carries shear, of Timoshenko's beam",
            .sign = Sign::positive,
            .fallback = "5/6; 0.9 of a circle, 0.5 of a tube"}},
          {{"area"}, {"rectangle"}, {"circle"}, {"tube"}, {"stiffness"}}};
}

std::vector<Key> motion_keys() {
  return {{.name = "start",
           .forms = {Form::vector},
           .description = "one end, unloaded",
           .dimension = d::length,
           .fallback = "the origin"},
          {.name = "tip",
           .forms = {Form::vector},
           .description = "the other end, unloaded; the body is straight between them, unless "
                          "`through` says otherwise",
           .dimension = d::length,
           .required = true},
          {.name = "velocity",
           .forms = {Form::vector},
           .description = "of the start, world axes",
           .dimension = d::velocity,
           .fallback = "0"},
          {.name = "angular_velocity",
           .forms = {Form::number},
           .description = "of the whole body about its start",
           .dimension = d::angular_velocity,
           .fallback = "0",
           .space = Space::planar}};
}

std::vector<Key> choice_keys() {
  return {
      {.name = "mass",
       .forms = {Form::choice},
       .description = "of beams in the `inertial` formulation: `consistent`, or `constant` "
                      "without what couples positions and angles",
       .fallback = "consistent",
       .choices = {"consistent", "constant"},
       .space = Space::planar},
      {.name = "strain",
       .forms = {Form::choice},
       .description = "of bars in the `ancf` formulation",
       .fallback = "engineering",
       .choices = {"engineering", "green"},
       .space = Space::planar},
      {.name = "weight",
       .forms = {Form::choice},
       .description = "in the `floating` formulation: `distributed`, or at the `center` of each "
                      "element",
       .fallback = "distributed",
       .choices = {"distributed", "center"},
       .space = Space::planar},
      {.name = "color",
       .forms = {Form::text},
       .description = "for drawing: a name or #rrggbb",
       .fallback = "chosen"}};
}

Section flexible_section() {
  Section section{
      "flexible",
      "Flexible bodies",
      "A body that bends and stretches, cut into elements. Joints, forces, drives and "
      "sensors attach to `beam.start`, `beam.tip`, to the nodes between, `beam.node_1` ..., and to "
      "its frames. See [flexible bodies](flexible_bodies.md).",
      {{.name = "formulation",
        .forms = {Form::choice},
        .description = "coordinates of its nodes",
        .required = true,
        .choices = model::flexible_formulations(Space::planar),
        .space = Space::planar},
       {.name = "element",
        .forms = {Form::choice},
        .description = "what it resists: `bar` stretch alone, `euler_bernoulli` bending too, "
                       "`timoshenko` shear as well",
        .fallback = "euler_bernoulli",
        .choices = model::flexible_elements(Space::planar),
        .space = Space::planar},
       {.name = "elements",
        .forms = {Form::number},
        .description = "number of elements, all of the same length",
        .sign = Sign::positive,
        .required = true},
       {.name = "material",
        .forms = {Form::text},
        .description = "name of one of the `materials`",
        .required = true,
        .space = Space::planar},
       {.name = "section",
        .forms = {Form::text},
        .description = "name of one of the `sections`",
        .required = true}}};
  for (const std::vector<Key>& keys :
       {spatial_flexible_keys(), motion_keys(), planar_beam_keys(), choice_keys()}) {
    section.keys.insert(section.keys.end(), keys.begin(), keys.end());
  }
  section.keys.push_back({.name = "frames",
                          .forms = {Form::named},
                          .description = "further places along it, by name",
                          .section = "flexible_frame"});
  return section;
}

Section flexible_frame_section() {
  return {"flexible_frame",
          "Frames of flexible bodies",
          "A frame that goes with a section of the body: x along the centre line. A bare number "
          "stands for `along`.",
          {{.name = "along",
            .forms = {Form::number},
            .description = "share of the length, from 0 at the start to 1 at the tip",
            .sign = Sign::non_negative,
            .required = true},
           {.name = "position",
            .forms = {Form::vector},
            .description = "of its origin from the centre line",
            .dimension = d::length,
            .fallback = "0"}},
          {},
          "along"};
}

}  // namespace

std::vector<Key> flexible_model_keys() {
  return {{.name = "materials",
           .forms = {Form::named},
           .description = "materials of bodies that bend, by name",
           .section = "material"},
          {.name = "sections",
           .forms = {Form::named},
           .description = "cross sections of bodies that bend, by name",
           .section = "cross_section"}};
}

Key flexible_part_key() {
  return {.name = "flexible",
          .forms = {Form::named},
          .description = "bodies that bend, by name",
          .section = "flexible"};
}

std::vector<Section> flexible_sections() {
  std::vector<Section> list{flexible_section(), flexible_frame_section(), material_section(),
                            cross_section_section()};
  for (Key& key : spatial_section_keys()) list.back().keys.push_back(std::move(key));
  for (Section& section : spatial_flexible_sections()) list.push_back(std::move(section));
  for (Section& section : planar_beam_sections()) list.push_back(std::move(section));
  for (Section& section : floating_sections()) list.push_back(std::move(section));
  return list;
}

}  // namespace trammel::io
