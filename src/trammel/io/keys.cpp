// long file: one table of all keys of the model file.
#include "trammel/io/keys.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/expression/table.h"
#include "trammel/io/assembly_keys.h"
#include "trammel/io/body_keys.h"
#include "trammel/io/flexible_keys.h"

namespace trammel::io {
namespace {

namespace d = core::dimension;
using model::Sign;
using model::Space;

/// What a model has besides its parts.
std::vector<Key> model_keys() {
  return {
      {.name = "tables",
       .forms = {Form::named},
       .description = "tables for formulas, by name",
       .section = "table"},
      {.name = "include",
       .forms = {Form::files},
       .description = "files whose sections are added to this one; paths are relative to the "
                      "file that names them"},
      {.name = "assemblies",
       .forms = {Form::named},
       .description = "definitions of sub-assemblies by name",
       .section = "assembly"},
      {.name = "instances",
       .forms = {Form::named},
       .description = "copies of sub-assemblies by name",
       .section = "instance"},
  };
}

Section model_section() {
  Section section{
      "model",
      "The file",
      "Top-level keys.",
      {
          {.name = "trammel",
           .forms = {Form::version},
           .description = "version of the file format, always 1",
           .required = true},
          {.name = "name",
           .forms = {Form::text},
           .description = "name of the model, for reports",
           .fallback = "the file's name"},
          {.name = "description",
           .forms = {Form::text},
           .description = "what the model is, in as many words as you like"},
          {.name = "space",
           .forms = {Form::choice},
           .description = "`planar`: bodies move in the x-y plane and turn about z, vectors have "
                          "two components; "
                          "`spatial`: three",
           .required = true,
           .choices = {"planar", "spatial"}},
          {.name = "gravity",
           .forms = {Form::vector},
           .description = "acceleration of gravity, world axes",
           .dimension = d::acceleration,
           .fallback = "none"},
          {.name = "parameters",
           .forms = {Form::quantities},
           .description =
               "named values for use in expressions; they may refer to each other in any order"},
          {.name = "start",
           .forms = {Form::choice},
           .description = "what runs start from: the configuration as it is `described`, or at "
                          "rest in the `equilibrium` nearest to it; drives that move keep their "
                          "speed there",
           .fallback = "described",
           .choices = {"described", "equilibrium"}},
          {.name = "report",
           .forms = {Form::section},
           .description = "how results are shown",
           .section = "report"},
          {.name = "tree",
           .forms = {Form::section},
           .description = "wishes for the spanning tree of relative coordinates",
           .section = "tree"},
          {.name = "simulation",
           .forms = {Form::section},
           .description = "how to simulate",
           .section = "simulation"},
      }};
  // Before what concerns the whole model.
  for (const std::vector<Key>& keys : {part_keys(), flexible_model_keys(), model_keys()}) {
    section.keys.insert(section.keys.end() - 4, keys.begin(), keys.end());
  }
  return section;
}

Section ground_section() {
  return {"ground",
          "Ground",
          "Ground needs no description; it is given when frames are fixed to it.",
          {{.name = "frames",
            .forms = {Form::named},
            .description = "frames fixed to the ground, by name",
            .section = "frame"}}};
}

Section joint_section() {
  return {"joint",
          "Joints",
          "Every joint connects two frames. Further keys depend on its `type`.",
          {
              {.name = "type",
               .forms = {Form::choice},
               .description = "kind of joint",
               .required = true},
              {.name = "between",
               .forms = {Form::name_pair},
               .description = "the two frames: `ground`, `crank` (the body frame) or `crank.tip`",
               .required = true},
              {.name = "at",
               .forms = {Form::vector},
               .description = "point of the world, in the described configuration, at which frames "
                              "with world axes are "
                              "made on both bodies",
               .dimension = d::length},
          }};
}

Section force_section() {
  return {"force",
          "Forces",
          "A force acts `on` one frame or `between` two. Further keys depend on its `type`.",
          {
              {.name = "type",
               .forms = {Form::choice},
               .description = "kind of force",
               .required = true},
              {.name = "between",
               .forms = {Form::name_pair},
               .description = "the two frames: `ground`, `crank` (the body frame) or `crank.tip`",
               .required = true},
              {.name = "on",
               .forms = {Form::name},
               .description = "the frame it acts on",
               .required = true},
              {.name = "at",
               .forms = {Form::vector},
               .description = "point of the world, in the described configuration, at which its "
                              "frames are made, with "
                              "world axes",
               .dimension = d::length},
          }};
}

Key type_key(const char* description) {
  return {.name = "type", .forms = {Form::choice}, .description = description, .required = true};
}

Section connection_section() {
  return {"connection",
          "Connections",
          "Elements that act together between bodies, with massless internal nodes: springs, beams "
          "and bushings whose nodes find their equilibrium, or joints that are reduced to the "
          "constraints they make together. See [connections](connections.md).",
          {{.name = "nodes",
            .forms = {Form::named},
            .description = "internal nodes by name",
            .section = "internal_node"},
           {.name = "elements",
            .forms = {Form::named},
            .description = "elements by name",
            .required = true,
            .section = "element"},
           {.name = "coordinates",
            .forms = {Form::quantity_list},
            .description = "of joints that make a hinge: which of their coordinates count in "
                           "relative coordinates, e.g. `[crank.angle]`",
            .fallback = "chosen by the program"}}};
}

Section tree_section() {
  return {"tree",
          "Tree",
          "Wishes for the spanning tree of [relative coordinates](theory/relative_coordinates.md). "
          "`trammel info --topology` shows what came of them.",
          {{.name = "open",
            .forms = {Form::names},
            .description = "joints and connections that are cut: they close loops by constraints"},
           {.name = "keep",
            .forms = {Form::names},
            .description = "joints and connections that are hinges before all others"},
           {.name = "tie",
            .forms = {Form::ports},
            .description = "bodies of parts without a way to the ground, and to which body a free "
                           "hinge ties each, e.g. `{satellite: station}`",
            .fallback = "the middle of each part, to the ground"}}};
}

Section internal_node_section() {
  return {"internal_node",
          "Internal nodes",
          "A massless point of a connection, with axes of its own, where its elements meet.",
          {{.name = "position",
            .forms = {Form::vector},
            .description = "place in the world in the described configuration; a guess",
            .dimension = d::length,
            .fallback = "the origin"},
           {.name = "force",
            .forms = {Form::vector},
            .description = "load applied to it, world axes",
            .dimension = d::force,
            .fallback = "none"}}};
}

Section element_section() {
  return {
      "element",
      "Elements",
      "A joint, a force between frames, internal nodes among them, a load on a node, or a force "
      "along a coordinate (a sensor may stand between internal nodes), with the keys of its kind.",
      {type_key("kind of joint, or of force between frames or along a coordinate"),
       {.name = "between",
        .forms = {Form::name_pair},
        .description = "internal nodes or frames: `middle`, `ground`, `crank.tip`; not of forces "
                       "along a coordinate",
        .required = true},
       {.name = "on",
        .forms = {Form::name},
        .description = "the internal node that a `force` or `torque` acts on",
        .required = true},
       {.name = "at",
        .forms = {Form::vector},
        .description = "point of the world, in the described configuration, at which frames "
                       "with world axes are made on both",
        .dimension = d::length}}};
}

Section coupling_section() {
  return {"coupling",
          "Couplings",
          "A relation between coordinates of any joints, bodies and sensors: gears, racks, belts, "
          "differentials, or an equation of one's own. Further keys depend on its `type`.",
          {type_key("kind of coupling")}};
}

Section drive_section() {
  return {"drive",
          "Drives",
          "A coordinate that follows a formula of time. Further keys depend on its `type`.",
          {type_key("what is prescribed")}};
}

Section sensor_section() {
  return {"sensor",
          "Sensors",
          "A quantity with a name of its own. A geometric one may be used in all formulas, its "
          "rate as `name_rate`. Further keys depend on its `type`.",
          {type_key("kind of sensor"),
           {.name = "between",
            .forms = {Form::name_pair},
            .description = "the two frames",
            .required = true}},
          {},
          {},
          true};
}

Section state_section() {
  return {"state",
          "States",
          "A first-order state z' = rate, which formulas read by its name: the memory of "
          "controllers and filters.",
          {{.name = "rate",
            .forms = {Form::formula},
            .description = "its rate of change, a formula of measured quantities and states",
            .required = true},
           {.name = "initial",
            .forms = {Form::number},
            .description = "value at the start",
            .fallback = "0"}}};
}

Section table_section() {
  return {
      "table",
      "Tables",
      "A function given by points, for `table(name, x)` in formulas: in the file, or columns "
      "of a CSV file.",
      {{.name = "points", .forms = {Form::points}, .description = "pairs [x, y], x increasing"},
       {.name = "x_unit",
        .forms = {Form::text},
        .description = "unit of x in the points or in the file, e.g. deg; SI without it"},
       {.name = "y_unit",
        .forms = {Form::text},
        .description = "unit of y, e.g. mm or N mm; SI without it"},
       {.name = "csv",
        .forms = {Form::text},
        .description = "a file beside the model, with columns of numbers; a first line without any "
                       "number is taken for titles"},
       {.name = "columns",
        .forms = {Form::numbers},
        .description = "numbers of the columns of x and y in the CSV file, counted from 1",
        .fallback = "[1, 2]",
        .counts = {2}},
       {.name = "interpolation",
        .forms = {Form::choice},
        .description = "between the points",
        .fallback = "spline",
        .choices = expression::interpolation_names()},
       {.name = "extrapolation",
        .forms = {Form::choice},
        .description = "outside of them",
        .fallback = "hold",
        .choices = expression::extrapolation_names()}},
      {{"points"}, {"csv"}}};
}

Section simulation_section() {
  return {"simulation",
          "Simulation",
          "Further keys are those of the chosen integrator.",
          {
              {.name = "until",
               .forms = {Form::number},
               .description = "end of the simulation",
               .dimension = d::time,
               .sign = Sign::positive,
               .fallback = "1 s"},
              {.name = "step",
               .forms = {Form::number},
               .description = "step of the integrator; those with tolerances choose their own",
               .dimension = d::time,
               .sign = Sign::positive,
               .fallback = "1 ms"},
              {.name = "tolerance",
               .forms = {Form::number},
               .description = "error that is allowed: the method chooses its own steps. Without "
                              "`method` and `integrator` a method is chosen by it; that is also "
                              "what happens where no `step` is given",
               .sign = Sign::positive,
               .fallback = "1e-6 without `step` and `method`"},
              {.name = "output_step",
               .forms = {Form::number},
               .description = "interval of the results",
               .dimension = d::time,
               .sign = Sign::positive,
               .fallback = "every step; a thousandth of `until` where a tolerance is given and no "
                           "`step`"},
              {.name = "integrator",
               .forms = {Form::choice},
               .description = "method of integration",
               .fallback = "auto, by the tolerance; generalized-alpha where a `step` is given"},
              {.name = "method",
               .forms = {Form::choice, Form::section},
               .description = "in place of `integrator`: its name, or a map with its settings",
               .section = "method"},
              {.name = "coordinates",
               .forms = {Form::choice},
               .description = "coordinates of the bodies, or of the hinges of a spanning tree; "
                              "auto takes the cheaper ones",
               .fallback = "absolute",
               .choices = {"absolute", "relative", "auto"}},
              {.name = "solver",
               .forms = {Form::choice},
               .description = "linear solver",
               .fallback = "auto"},
              {.name = "threads",
               .forms = {Form::number},
               .description = "threads that evaluate the bodies and joints of large models; 0: as "
                              "many as the machine has. Results are the same to the last bit",
               .sign = Sign::non_negative,
               .fallback = "1"},
          }};
}

Section report_section() {
  return {
      "report",
      "Report",
      "How reports and plots show a run. Results files are in SI units whatever is written here.",
      {{.name = "units",
        .forms = {Form::names},
        .description = "display units, each for all channels of its dimension, e.g. "
                       "`[deg, mm, kN, rpm]`"},
       {.name = "plots",
        .forms = {Form::names},
        .description = "channels that the report plots at first, e.g. `[motor.load, rod.*]`",
        .fallback = "sensors and loads of drives"}}};
}

Section method_section() {
  return {"method",
          "Method",
          "An integrator with its settings, e.g. `{gssss: V0, rho: [1, 1, 0], index: 2}`: the key "
          "that names an integrator holds its first setting. Integrators and their settings are "
          "listed under [Simulation](#simulation).",
          {{.name = "name",
            .forms = {Form::choice},
            .description = "the integrator, where its first setting is not given in this way"}}};
}

std::vector<Section> all_sections() {
  std::vector<Section> list{model_section(), ground_section()};
  for (Section& section : body_sections()) list.push_back(std::move(section));
  for (Section& section : flexible_sections()) list.push_back(std::move(section));
  list.insert(list.end(), {joint_section(), force_section(), coupling_section(), drive_section(),
                           sensor_section(), state_section(), table_section(), connection_section(),
                           internal_node_section(), element_section()});
  for (Section& section : assembly_sections()) list.push_back(std::move(section));
  list.insert(list.end(),
              {report_section(), tree_section(), simulation_section(), method_section()});
  return list;
}

Form form_of(model::FieldKind kind) {
  switch (kind) {
    case model::FieldKind::number:
      return Form::number;
    case model::FieldKind::vector:
      return Form::vector;
    case model::FieldKind::direction:
      return Form::direction;
    case model::FieldKind::flag:
      return Form::flag;
    case model::FieldKind::numbers:
      return Form::numbers;
    case model::FieldKind::formula:
      return Form::formula;
    case model::FieldKind::quantity:
      return Form::quantity;
    case model::FieldKind::quantities:
      return Form::quantity_list;
    case model::FieldKind::formulas:
      return Form::formula_list;
    case model::FieldKind::choice:
      break;
  }
  return Form::choice;
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> list = all_sections();
  return list;
}

const Section& find_section(std::string_view name) {
  const auto found = std::find_if(sections().begin(), sections().end(),
                                  [&](const Section& section) { return section.name == name; });
  assert(found != sections().end() && "a key names a section that does not exist");
  return *found;
}

const Key& find_key(const std::vector<Key>& keys, std::string_view name) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  assert(found != keys.end() && "a key is asked for that its table lacks");
  return *found;
}

std::vector<Key> keys_in(const std::vector<Key>& keys, Space space) {
  std::vector<Key> list;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(list),
               [&](const Key& key) { return !key.space || *key.space == space; });
  return list;
}

namespace {

// A list that has a fallback value is as long as that, unless that is empty.
std::vector<int> counts_of(const model::Field& field) {
  if (!field.fallback) return {};
  const auto* list = std::get_if<std::vector<double>>(&*field.fallback);
  if (list == nullptr || list->empty()) return {};
  return {static_cast<int>(list->size())};
}

}  // namespace

Key key_of(const model::Field& field, Space space) {
  return {.name = field.name,
          .forms = {form_of(field.kind)},
          .description = field.description,
          .dimension = field.dimension,
          .sign = field.sign,
          .required = !field.fallback && !field.optional,
          .fallback = field.fallback ? written(*field.fallback, space) : std::string{},
          .choices = field.choices,
          .counts = counts_of(field)};
}

std::vector<Key> keys_of(const Section& section, const Kind& kind, Space space) {
  std::vector<Key> list = keys_in(section.keys, space);
  // Of `between`, `on` and `at` those that the kind has a use for.
  const auto unused = [&](const Key& key) {
    if (key.name == "between") return kind.attachments < 2;
    if (key.name == "on") return kind.attachments != 1;
    return key.name == "at" && kind.attachments == 0;
  };
  list.erase(std::remove_if(list.begin(), list.end(), unused), list.end());
  for (Key& key : list) {
    if (key.name == "between" && kind.attachments > 2) key.counts = {kind.attachments};
  }
  for (const model::Field& field : kind.fields) list.push_back(key_of(field, space));
  return list;
}

std::string unit_of(const Key& key) {
  return core::si_unit(key.dimension);
}

std::string written(const model::Value& value, Space space) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    return fmt::format("[{}]", fmt::join(*list, ", "));
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return fmt::format("[{}]", fmt::join(*list, ", "));
  }
  const auto& v = std::get<Eigen::Vector3d>(value);
  return space == Space::planar ? fmt::format("[{}, {}]", v.x(), v.y())
                                : fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

}  // namespace trammel::io
