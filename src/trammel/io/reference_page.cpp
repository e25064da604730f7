#include "trammel/io/reference_page.h"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/expression/callables.h"
#include "trammel/expression/units.h"
#include "trammel/io/expression.h"
#include "trammel/io/keys.h"

namespace trammel::io {
namespace {

using model::Space;

constexpr std::string_view introduction = R"page(# The model file

<!-- Generated from the table of keys in src/trammel/io/keys.cpp; do not edit by hand. -->

A model is described in one [YAML](https://yaml.org) file (JSON is read, too). A complete example:

```yaml
# yaml-language-server: $schema=../schema/trammel-1.schema.json
trammel: 1
name: pendulum
space: planar
gravity: [0, -9.81]
parameters:
  rod_length: 500 mm
  half: rod_length / 2
bodies:
  rod:
    shape: {rod: {length: rod_length, mass: 1.2 kg}}
    position: [half, 0]
    frames:
      top: [-half, 0]
joints:
  pin: {type: revolute, between: [ground, rod.top]}
simulation: {until: 2 s, step: 1 ms, output_step: 10 ms}
```

The first line is a comment for editors: with the YAML language server (VS Code, Neovim, Emacs ...)
it switches on completion, descriptions and checks while typing. `trammel check FILE` finds everything
else that is wrong, all at once; `trammel format FILE` puts the file into canonical layout.

Names of bodies, frames, joints, forces and parameters consist of letters, digits, `_` and `-`
(parameters without `-`). Anchors and aliases (`&name`, `*name`) repeat a value.

## Numbers, units and expressions

A number without unit is in SI units: m, kg, s, rad, N ... A number with a unit is converted, and its
dimension is checked: `25 mm`, `90 deg`, `1500 rpm`, `10 N m/rad`, `9.81 m/s^2`, `2 N*s/m`. Wherever a
number belongs, an expression of numbers, units and parameters may stand: `crank_length / 2 + 5 mm`.

- Operators: `+ - * / ^` and parentheses. Units behind a number bind tighter than `*` and `/`.
- Functions: {functions}.
- Sums need equal dimensions; in a sum, a plain number needs its unit.
- Angles are a dimension of their own: `10 Hz` is no speed of rotation (write `10 rev/s`), and the
  stiffness of a rotational spring is in `N m/rad`. Products of quantities may gain or lose radians:
  `omega * radius` is a velocity.
- An expression with a comma inside brackets needs quotes: `[0, "max(a, b)"]`.
- What stands for a value (a parameter, state, sensor or function) cannot have the name of a unit,
  a function or a word of formulas; parts, which stand in formulas with a dot, can: `t.angle`.
)page";

std::string function_list() {
  std::string text;
  for (const std::string& name : expression::function_names()) {
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  }
  return text;
}

std::string unit_table() {
  std::string text = "\n| unit | | SI |\n|---|---|---|\n";
  for (const expression::Unit& unit : expression::units()) {
    text += fmt::format("| `{}` | {} | {:.10g} {} |\n", unit.name, unit.meaning, unit.size,
                        core::si_unit(unit.dimension));
  }
  return text;
}

std::string choices_text(const Key& key) {
  std::string text;
  for (const std::string& choice : key.choices) {
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", choice);
  }
  return text.empty() ? "a name" : text;
}

std::string numbers_text(const Key& key) {
  if (key.counts.empty()) return "number or list of numbers";
  return fmt::format("list of {} numbers", fmt::join(key.counts, " or "));
}

std::string form_text(Form form, const Key& key) {
  switch (form) {
    case Form::version:
      return "1";
    case Form::text:
      return "text";
    case Form::choice:
      return choices_text(key);
    case Form::choices:
      return fmt::format("one or a list of {}", choices_text(key));
    case Form::flag:
      return "`true`, `false`";
    case Form::number:
      return "number";
    case Form::numbers:
      return numbers_text(key);
    case Form::vector:
      return "vector";
    case Form::direction:
      return "direction: a vector, or `x`, `-y` ...";
    case Form::matrix:
      return "three rows of three numbers";
    case Form::name:
      return "frame";
    case Form::name_pair:
      return "list of two frames";
    case Form::names:
      return "a name or a list of them";
    case Form::quantities:
      return "names with numbers";
    case Form::formula:
      return "[formula](expressions.md)";
    case Form::quantity:
      return "measured quantity, e.g. `pin.angle`";
    case Form::quantity_list:
      return "list of measured quantities";
    case Form::formula_list:
      return "list of [formulas](expressions.md)";
    case Form::points:
      return "list of pairs of numbers";
    case Form::defaults:
      return "names with numbers, or with nothing";
    case Form::files:
      return "a file's name or a list of them";
    case Form::ports:
      return "names with frames";
    case Form::changes:
      return "dotted names with values";
    case Form::section:
      return fmt::format("[{}](#{})", key.section, key.section);
    case Form::sections:
      return fmt::format("list of [{}](#{})", key.section, key.section);
    case Form::named:
      break;
  }
  return fmt::format("names with [{}](#{})", key.section, key.section);
}

std::string key_row(const Key& key) {
  std::string forms;
  for (const Form form : key.forms) forms += (forms.empty() ? "" : ", or ") + form_text(form, key);
  const std::string unit = unit_of(key);
  std::string meaning = key.description;
  if (key.space) meaning += fmt::format(" ({} models)", model::to_string(*key.space));
  const std::string fallback = key.required ? "required" : key.fallback;
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, forms, unit, fallback, meaning);
}

std::string key_table(const std::vector<Key>& keys) {
  if (keys.empty()) return "No further keys.\n";
  std::string text = "| key | value | unit | default | |\n|---|---|---|---|---|\n";
  for (const Key& key : keys) text += key_row(key);
  return text;
}

std::string section_text(const Section& section) {
  return fmt::format("\n<a id=\"{}\"></a>\n## {}\n\n{}\n\n{}", section.name, section.title,
                     section.description, key_table(section.keys));
}

/// The kinds of joints, forces or integrators with their own keys.
std::string kinds_text(const std::vector<Kind>& kinds) {
  std::string text;
  for (const Kind& kind : kinds) {
    const Space space = kind.space.value_or(Space::spatial);
    std::vector<Key> keys;
    for (const model::Field& field : kind.fields) keys.push_back(key_of(field, space));
    const std::string label = kind.space ? fmt::format(" ({})", model::to_string(*kind.space)) : "";
    const std::string attached = kind.attachments == 1   ? " Acts `on` one frame."
                                 : kind.attachments == 2 ? " Stands `between` two frames."
                                 : kind.attachments == 3 ? " Stands `between` three frames."
                                                         : "";
    text += fmt::format("\n### `{}`{}\n\n{}.{}\n\n{}", kind.name, label, kind.summary, attached,
                        key_table(keys));
  }
  return text;
}

std::string solver_list(const std::vector<Kind>& solvers) {
  std::string text = "\n### Linear solvers\n\n";
  for (const Kind& solver : solvers)
    text += fmt::format("- `{}`: {}\n", solver.name, solver.summary);
  return text;
}

}  // namespace

std::string reference_page(const Vocabulary& vocabulary) {
  std::string page(introduction);
  const std::string_view mark = "{functions}";
  page.replace(page.find(mark), mark.size(), function_list());
  page += unit_table();
  for (const Section& section : sections()) {
    page += section_text(section);
    if (section.name == "joint") page += kinds_text(vocabulary.joints);
    if (section.name == "force") page += kinds_text(vocabulary.forces);
    if (section.name == "coupling") page += kinds_text(vocabulary.couplings);
    if (section.name == "drive") page += kinds_text(vocabulary.drives);
    if (section.name == "sensor") page += kinds_text(vocabulary.sensors);
    if (section.name == "simulation") {
      page += kinds_text(vocabulary.integrators) + solver_list(vocabulary.solvers);
    }
  }
  return page;
}

}  // namespace trammel::io
