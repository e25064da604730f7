#include "trammel/io/parameter_reader.h"

#include <utility>

#include <fmt/format.h>

#include "trammel/io/parameters.h"
#include "trammel/io/placement_reader.h"

namespace trammel::io {

Quantities read_parameters(Reader& reader,
                           const Node& node,
                           const Path& path,
                           Quantities known,
                           const Quantities& given,
                           bool may_be_open) {
  if (!is_named_map(reader, node, path, "crank_length: 150 mm")) return known;
  const Node& map = resolved(node);
  std::vector<ParameterDefinition> definitions;
  std::vector<const Node*> values;
  for (const Entry& entry : map.entries) {
    const Path entry_path{&path, entry.key};
    const Node& value = resolved(*entry.value);
    if (!reader.check_formula_name(map, entry, entry_path)) {
      // Wherever it is used, that is no further mistake.
      known.insert_or_assign(entry.key, std::nullopt);
      continue;
    }
    if (const auto found = given.find(entry.key); found != given.end()) {
      known.insert_or_assign(entry.key, found->second);
      continue;
    }
    if (value.kind == NodeKind::null && may_be_open) {
      known.insert_or_assign(entry.key, std::nullopt);
      continue;
    }
    if (value.kind != NodeKind::scalar) {
      reader.error(value, entry_path,
                   fmt::format("{} is given where a number belongs", shown(value)),
                   "give a number, one with a unit, or an expression");
    }
    definitions.push_back({entry.key, value.text, value.kind == NodeKind::scalar});
    values.push_back(&value);
  }
  std::vector<ParameterError> errors;
  Quantities quantities = evaluate_parameters(definitions, errors, std::move(known));
  for (const ParameterError& mistake : errors) {
    reader.error(*values[mistake.definition], Path{&path, definitions[mistake.definition].name},
                 mistake.error);
  }
  return quantities;
}

}  // namespace trammel::io
