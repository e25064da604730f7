#include "trammel/io/assembly_keys.h"

#include "trammel/io/flexible_keys.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Space;

Section assembly_section() {
  Section section{
      "assembly",
      "Sub-assemblies",
      "A group of bodies, joints and forces with parameters, described once and used by "
      "`instances`. Names are local to it; `ground` means its own origin, which `place` moves.",
      {
          {.name = "description", .forms = {Form::text}, .description = "what it is"},
          {.name = "parameters",
           .forms = {Form::defaults},
           .description = "named values for use in its expressions, with their defaults; one "
                          "without value must be given by every instance"},
          {.name = "ports",
           .forms = {Form::ports},
           .description = "short names for frames to attach to from outside: with `foot: "
                          "shin.end`, `left_leg.foot` is `left_leg.shin.end`"},
          {.name = "instances",
           .forms = {Form::named},
           .description = "copies of other sub-assemblies in this one",
           .section = "instance"},
      }};
  // Before the instances.
  const std::vector<Key> parts = part_keys();
  section.keys.insert(section.keys.end() - 1, parts.begin(), parts.end());
  return section;
}

Section instance_section() {
  return {
      "instance",
      "Instances",
      "A copy of a sub-assembly, or `repeat` copies called `name_1`, `name_2` ... Everything in it "
      "gets the name of the instance and a dot before its own: `left_leg.shin.knee`. Expressions "
      "here use the parameters of the place where the instance stands and, when it is repeated, "
      "the number `i` of the copy, counted from 1.",
      {
          {.name = "assembly",
           .forms = {Form::text},
           .description = "name of the sub-assembly",
           .required = true},
          {.name = "parameters",
           .forms = {Form::quantities},
           .description = "values of its parameters"},
          {.name = "place",
           .forms = {Form::section},
           .description = "where its origin and axes lie",
           .section = "place"},
          {.name = "mirror",
           .forms = {Form::choice},
           .description = "a symmetric copy: mirrored in this axis of its own coordinates before "
                          "it is placed",
           .choices = {"x", "y"},
           .space = Space::planar},
          {.name = "mirror",
           .forms = {Form::choice},
           .description = "a symmetric copy: mirrored in this plane of its own coordinates before "
                          "it is placed",
           .choices = {"xy", "xz", "yz"},
           .space = Space::spatial},
          {.name = "repeat",
           .forms = {Form::number},
           .description = "number of copies, a whole number",
           .sign = model::Sign::positive},
          {.name = "start",
           .forms = {Form::name},
           .description = "the frame that `previous...` means in the first copy; without it, "
                          "joints and forces that name `previous` begin with the second"},
          {.name = "override",
           .forms = {Form::changes},
           .description = "other values than those of the sub-assembly, by path: "
                          "`bodies.shin.mass: 3 kg`"},
          {.name = "joints",
           .forms = {Form::named},
           .description = "joints that belong to the instance, e.g. to the copy before it: "
                          "`between: [previous.tip, bar.start]`",
           .section = "joint"},
          {.name = "forces",
           .forms = {Form::named},
           .description = "forces that belong to the instance",
           .section = "force"},
      }};
}

Section place_section() {
  return {
      "place",
      "Place",
      "Where the origin and the axes of an instance lie in what contains it. A bare list stands "
      "for its position.",
      {{.name = "position",
        .forms = {Form::vector},
        .description = "origin of the instance",
        .dimension = d::length,
        .fallback = "0"},
       {.name = "angle",
        .forms = {Form::number},
        .description = "turn of the instance about z",
        .dimension = d::angle,
        .fallback = "0",
        .space = Space::planar},
       {.name = "orientation",
        .forms = {Form::section},
        .description = "turn of the instance",
        .section = "orientation",
        .space = Space::spatial}},
      {},
      "position"};
}

}  // namespace

std::vector<Key> part_keys() {
  return {
      {.name = "ground",
       .forms = {Form::section},
       .description = "frames on the ground, which in a sub-assembly are placed with it",
       .section = "ground"},
      {.name = "bodies",
       .forms = {Form::named},
       .description = "bodies by name",
       .section = "body"},
      flexible_part_key(),
      {.name = "joints",
       .forms = {Form::named},
       .description = "joints by name",
       .section = "joint"},
      {.name = "forces",
       .forms = {Form::named},
       .description = "forces by name",
       .section = "force"},
      {.name = "couplings",
       .forms = {Form::named},
       .description = "relations between coordinates, by name",
       .section = "coupling"},
      {.name = "drives",
       .forms = {Form::named},
       .description = "prescribed coordinates, by name",
       .section = "drive"},
      {.name = "sensors",
       .forms = {Form::named},
       .description = "quantities with names of their own, for formulas and results",
       .section = "sensor"},
      {.name = "connections",
       .forms = {Form::named},
       .description = "connections assembled of elements, by name",
       .section = "connection"},
      {.name = "states",
       .forms = {Form::named},
       .description = "first-order states of controllers and filters, by name",
       .section = "state"},
  };
}

std::vector<Section> assembly_sections() {
  return {assembly_section(), instance_section(), place_section()};
}

}  // namespace trammel::io
