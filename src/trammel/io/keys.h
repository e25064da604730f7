// The keys of the model file: one table for the reader, the JSON Schema and the reference page.
//
// The file is a tree of sections. A section lists its keys; a key says in which forms its value may
// be written, its dimension, and what it means. Keys of joints, forces and integrators come from
// the fields of their kinds and look the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/dimension.h"
#include "trammel/io/vocabulary.h"
#include "trammel/model/field.h"

namespace trammel::io {

enum class Form {
  version,        ///< the number 1
  text,           ///< any words
  choice,         ///< one of `choices`
  choices,        ///< a list of them, or a single one
  flag,           ///< true or false
  number,         ///< a number or an expression
  numbers,        ///< a list of numbers, as many as `counts` allows
  vector,         ///< a list of 2 (planar) or 3 (spatial) numbers
  direction,      ///< the same without unit and not zero, or one of x, y, z, -x, -y, -z
  matrix,         ///< three lists of three numbers
  name,           ///< the name of a body or frame
  name_pair,      ///< a list of two of them, or as many as `counts` says
  names,          ///< a list of names, or a single one
  quantities,     ///< a map from names to expressions
  formula,        ///< an expression of time and measured quantities, or a number
  quantity,       ///< the name of a measured quantity, e.g. pin.angle
  quantity_list,  ///< a list of them
  formula_list,   ///< a list of formulas
  points,         ///< a list of pairs of numbers
  defaults,       ///< the same; a name without value must be given by whoever uses it
  files,          ///< the name of a file, or a list of them
  ports,          ///< a map from names to names of frames
  changes,        ///< a map from dotted paths to any values
  section,        ///< a map with the keys of `section`
  sections,       ///< a list of such maps
  named,          ///< a map from names to such maps
};

struct Key {
  std::string name;
  std::vector<Form> forms;
  std::string description;
  core::Dimension dimension{};
  model::Sign sign = model::Sign::any;
  bool required = false;
  std::string fallback{};  ///< the value when none is given, as people write it
  std::vector<std::string> choices{};
  std::vector<int> counts{};
  std::string section{};
  std::optional<model::Space> space{};  ///< empty: in planar and spatial models
};

struct Section {
  std::string name;
  std::string title;  ///< of its chapter in the reference page
  std::string description;
  std::vector<Key> keys{};
  /// When not empty: exactly one of these groups of keys must be given.
  std::vector<std::vector<std::string>> alternatives{};
  /// When not empty: the key whose value may be written in place of the whole map.
  std::string shorthand{};
  /// The names of its items stand for values in formulas.
  bool names_values = false;
};

/// Every section, in the order of the reference page.
const std::vector<Section>& sections();
/// The name must exist.
const Section& find_section(std::string_view name);

/// The key must exist.
const Key& find_key(const std::vector<Key>& keys, std::string_view name);

/// The keys of a section that exist in a space.
std::vector<Key> keys_in(const std::vector<Key>& keys, model::Space space);

/// The key under which a field of a kind is written.
Key key_of(const model::Field& field, model::Space space);
/// Common keys of joints or forces (from `section`) followed by the fields of the kind.
std::vector<Key> keys_of(const Section& section, const Kind& kind, model::Space space);

/// "m", "rad/s" ...; empty for numbers without dimension.
std::string unit_of(const Key& key);
/// How a value of a field is written in a file.
std::string written(const model::Value& value, model::Space space);

}  // namespace trammel::io
