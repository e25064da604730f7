#include "trammel/io/beam_keys.h"

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Sign;
using model::Space;

constexpr core::Dimension fourth_power{4, 0, 0, 0};
constexpr core::Dimension bending_dimension{3, 1, -2, 0};
constexpr core::Dimension line_mass_dimension{-1, 1, 0, 0};
constexpr core::Dimension line_inertia_dimension{1, 1, 0, 0};

std::vector<Key> in_space(std::vector<Key> keys) {
  for (Key& key : keys) key.space = Space::spatial;
  return keys;
}

Section stiffness_section() {
  return {"beam_stiffness",
          "Stiffness of sections",
          "What a section of a beam in space resists and weighs, without shape and material: "
          "for each metre of the centre line, in the axes of the section.",
          {{.name = "axial",
            .forms = {Form::number},
            .description = "E A, force by stretch",
            .dimension = d::force,
            .sign = Sign::positive,
            .required = true},
           {.name = "shear",
            .forms = {Form::numbers},
            .description = "G A along y and along z, force by shear",
            .dimension = d::force,
            .sign = Sign::positive,
            .required = true,
            .counts = {2}},
           {.name = "torsion",
            .forms = {Form::number},
            .description = "G J, torque by twist",
            .dimension = bending_dimension,
            .sign = Sign::positive,
            .required = true},
           {.name = "bending",
            .forms = {Form::numbers},
            .description = "E I about y and about z, moment by curvature",
            .dimension = bending_dimension,
            .sign = Sign::positive,
            .required = true,
            .counts = {2}},
           {.name = "mass",
            .forms = {Form::number},
            .description = "mass of a metre",
            .dimension = line_mass_dimension,
            .sign = Sign::positive,
            .required = true},
           {.name = "inertia",
            .forms = {Form::numbers},
            .description = "moments of inertia of a metre about x, y and z, without its length",
            .dimension = line_inertia_dimension,
            .sign = Sign::positive,
            .required = true,
            .counts = {3}}}};
}

Section corner_section() {
  return {"flexible_corner",
          "Corners of flexible bodies",
          "A point of a line with corners. A bare list stands for `position`.",
          {{.name = "position",
            .forms = {Form::vector},
            .description = "where the line has a corner, unloaded",
            .dimension = d::length,
            .required = true}},
          {},
          "position"};
}

std::vector<Key> line_keys() {
  return {{.name = "corners",
           .forms = {Form::sections},
           .description = "points between start and tip where the line has corners; elements are "
                          "shared out by length",
           .section = "flexible_corner"},
          {.name = "through",
           .forms = {Form::vector},
           .description = "a point of the arc of a circle from start to tip",
           .dimension = d::length},
          {.name = "y_axis",
           .forms = {Form::direction},
           .description = "direction of the y axis (the height) of the first section, as far as it "
                          "is across the line",
           .fallback = "level: z as near to the world's z as can be"},
          {.name = "angular_velocity",
           .forms = {Form::vector},
           .description = "of the whole body about its start, world axes",
           .dimension = d::angular_velocity,
           .fallback = "0"}};
}

std::vector<Key> kind_keys() {
  return {
      {.name = "formulation",
       .forms = {Form::choice},
       .description = "how strains and mass are measured",
       .fallback = "geometrically_exact",
       .choices = model::flexible_formulations(Space::spatial)},
      {.name = "element",
       .forms = {Form::choice},
       .description = "`reissner`: two nodes, resists stretch, shear, torsion and bending",
       .fallback = "reissner",
       .choices = model::flexible_elements(Space::spatial)},
      {.name = "material",
       .forms = {Form::text},
       .description =
           "name of one of the `materials`; none where the section gives its `stiffness`"},
      {.name = "mass",
       .forms = {Form::choice},
       .description = "`lumped` at the nodes, or `consistent` along the bent line between them",
       .fallback = "lumped",
       .choices = {"lumped", "consistent"}},
      {.name = "shear",
       .forms = {Form::choice},
       .description = "`compensated` for the bending within elements that a straight line leaves "
                      "out, or `plain`",
       .fallback = "compensated",
       .choices = {"compensated", "plain"}},
      {.name = "viscosity",
       .forms = {Form::number},
       .description = "Kelvin and Voigt's damping: stiffness times this time resists the rates of "
                      "strain",
       .dimension = d::time,
       .sign = Sign::non_negative,
       .fallback = "0"}};
}

}  // namespace

std::vector<Key> spatial_flexible_keys() {
  std::vector<Key> keys = kind_keys();
  for (Key& key : line_keys()) keys.push_back(std::move(key));
  return in_space(std::move(keys));
}

std::vector<Key> spatial_section_keys() {
  return in_space(
      {{.name = "second_moment_y",
        .forms = {Form::number},
        .description = "second moment of area about y, with `area`",
        .dimension = fourth_power,
        .sign = Sign::positive},
       {.name = "torsion_constant",
        .forms = {Form::number},
        .description = "J, with `area`: the torque is G J times the twist",
        .dimension = fourth_power,
        .sign = Sign::positive},
       {.name = "shear_factor_z",
        .forms = {Form::number},
        .description = "share of the area that carries shear along z",
        .sign = Sign::positive,
        .fallback = "shear_factor"},
       {.name = "stiffness",
        .forms = {Form::section},
        .description = "stiffness and inertia as such, in place of a shape and a material",
        .section = "beam_stiffness"}});
}

std::vector<Section> spatial_flexible_sections() {
  return {stiffness_section(), corner_section()};
}

}  // namespace trammel::io
