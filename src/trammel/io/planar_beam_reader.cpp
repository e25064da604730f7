#include "trammel/io/planar_beam_reader.h"

#include "trammel/io/placement_reader.h"
#include "trammel/io/scoped_formula.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Sign;
using model::Space;

constexpr core::Dimension per_time{0, 0, -1, 0};
constexpr core::Dimension force_per_length{0, 1, -2, 0};

void read_spread_loads(Reader& reader,
                       const Node& node,
                       const Path& path,
                       model::FlexibleBody& body) {
  if (!is_named_map(reader, node, path, "wind: {force: [0, -10]}")) return;
  for (const Entry& entry : resolved(node).entries) {
    const Path load_path{&path, entry.key};
    if (!reader.check_name(resolved(node), entry, load_path)) continue;
    SectionReader section(reader, *entry.value, load_path, find_section("flexible_load"));
    model::SpreadLoad load{.name = entry.key};
    load.force = section.vector("force").value_or(load.force);
    load.force_end = section.vector("end_force").value_or(load.force);
    load.from = section.number("from").value_or(load.from);
    load.to = section.number("to").value_or(load.to);
    load.follows = section.choice("axes").value_or("world") == "section";
    load.factor = section.text("factor").value_or("");
    if (!load.factor.empty()) load.factor = scoped_formula(load.factor, "", reader.parameters());
    body.loads.push_back(std::move(load));
  }
}

}  // namespace

std::vector<Key> planar_beam_keys() {
  return {{.name = "through",
           .forms = {Form::vector},
           .description = "a point of the arc of a circle from start to tip, unloaded; of beams in "
                          "the `inertial` formulation",
           .dimension = d::length,
           .space = Space::planar},
          {.name = "tip_section",
           .forms = {Form::text},
           .description = "name of the section at the tip, where it is another one than at the "
                          "start: the body tapers",
           .space = Space::planar},
          {.name = "viscosity",
           .forms = {Form::number},
           .description = "Kelvin and Voigt's damping: stiffness times this time resists the rates "
                          "of strain (Rayleigh's beta)",
           .dimension = d::time,
           .sign = Sign::non_negative,
           .fallback = "0",
           .space = Space::planar},
          {.name = "mass_damping",
           .forms = {Form::number},
           .description = "mass times this rate resists velocities (Rayleigh's alpha)",
           .dimension = per_time,
           .sign = Sign::non_negative,
           .fallback = "0",
           .space = Space::planar},
          {.name = "loads",
           .forms = {Form::named},
           .description = "loads spread along it, by name",
           .section = "flexible_load",
           .space = Space::planar}};
}

std::vector<Section> planar_beam_sections() {
  return {{"flexible_load",
           "Loads along flexible bodies",
           "A force for each metre of the centre line, from one place to another.",
           {{.name = "force",
             .forms = {Form::vector},
             .description = "force for each metre, at `from`",
             .dimension = force_per_length,
             .required = true},
            {.name = "end_force",
             .forms = {Form::vector},
             .description = "the same at `to`; between them it changes evenly",
             .dimension = force_per_length,
             .fallback = "that of `force`"},
            {.name = "from",
             .forms = {Form::number},
             .description = "where it begins, a share of the length",
             .sign = Sign::non_negative,
             .fallback = "0"},
            {.name = "to",
             .forms = {Form::number},
             .description = "where it ends, a share of the length",
             .sign = Sign::positive,
             .fallback = "1"},
            {.name = "axes",
             .forms = {Form::choice},
             .description = "axes of the vectors: fixed in the world, or those of the `section`, "
                            "which the load then follows",
             .fallback = "world",
             .choices = {"world", "section"}},
            {.name = "factor",
             .forms = {Form::formula},
             .description = "formula of time by which it is multiplied",
             .fallback = "1"}}}};
}

void read_planar_beam(Reader& reader, SectionReader& section, model::FlexibleBody& body) {
  if (const auto through = section.vector("through")) body.through = *through;
  body.viscosity = section.number("viscosity").value_or(0.0);
  body.mass_damping = section.number("mass_damping").value_or(0.0);
  if (const Node* loads = section.find("loads")) {
    read_spread_loads(reader, *loads, Path{&section.path(), "loads"}, body);
  }
}

}  // namespace trammel::io
