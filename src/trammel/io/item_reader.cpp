#include "trammel/io/item_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/model/forces/coordinate_units.h"
#include "trammel/model/other_words.h"

namespace trammel::io {
namespace {

/// The kind that the entry `key` of a map names; reports a missing or unknown name.
const Kind* read_kind(Reader& reader,
                      const Node& map,
                      const Path& path,
                      std::string_view key,
                      const std::vector<Kind>& kinds) {
  const std::vector<std::string> names = kind_names(kinds, reader.space());
  const Entry* entry = map.find(key);
  const Path key_path{&path, key};
  if (entry == nullptr) {
    reader.error(map, key_path, fmt::format("'{}' is missing", key), core::suggestion("", names));
    return nullptr;
  }
  const auto name = reader.text(*entry->value, key_path);
  if (!name) return nullptr;
  if (const Kind* kind = find_kind(kinds, reader.space(), *name)) return kind;
  const bool elsewhere =
      std::any_of(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == *name; });
  if (elsewhere) {
    reader.error(*entry->value, key_path,
                 fmt::format("{} does not exist in {} models", shown(*entry->value),
                             model::to_string(reader.space())),
                 core::suggestion("", names));
  } else {
    reader.error(*entry->value, key_path, fmt::format("{} is unknown", shown(*entry->value)),
                 model::kind_suggestion(name->substr(0, 64), names));
  }
  return nullptr;
}

std::string example_of(const std::vector<Kind>& kinds) {
  return fmt::format("{{type: {}, ...}}", kinds.empty() ? "..." : kinds.front().name);
}

namespace d = core::dimension;

/// Reads a number in a unit that goes with a length or an angle as coordinate, or without unit.
class CoordinateSettingReader {
 public:
  CoordinateSettingReader(Reader& reader, const SectionReader& section, const std::string& prefix)
      : reader_(reader), section_(section), prefix_(prefix) {}

  std::optional<model::Value> read(const model::Field& field, const model::CoordinateUnit& unit) {
    const Node* node = section_.find(field.name);
    if (node == nullptr) return std::nullopt;
    const Path path{&section_.path(), field.name};
    const Key key = key_of(field, reader_.space());
    if (field.kind == model::FieldKind::number) {
      const std::optional<double> value = number(*node, path, key, unit, 0);
      return value ? std::optional<model::Value>(*value) : std::nullopt;
    }
    // A list, or one number in place of a list of one.
    const Node& list = resolved(*node);
    std::vector<double> values;
    const bool whole = list.kind == NodeKind::sequence;
    if (!whole && list.kind != NodeKind::scalar) {
      if (auto wrong = reader_.numbers(*node, path, key)) return model::Value(*wrong);
      return std::nullopt;
    }
    const std::size_t count = whole ? list.entries.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Node& entry = whole ? *list.entries[i].value : *node;
      const std::optional<double> value = number(entry, path, key, unit, static_cast<int>(i));
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return model::Value(std::move(values));
  }

 private:
  std::optional<double> number(
      const Node& node, const Path& path, Key key, const model::CoordinateUnit& unit, int place) {
    if (resolved(node).kind != NodeKind::scalar) return reader_.number(node, path, key);
    const std::optional<Quantity> given = reader_.quantity(node, path);
    if (!given) return std::nullopt;
    if (given->dimension == core::Dimension{} && !given->any_angle) {
      return reader_.number(node, path, key);  // without unit: SI
    }
    const std::optional<int> times = exponent(unit);
    if (!times) {
      reader_.error(
          node, path,
          fmt::format("{} has a unit, and '{}' is no whole number", shown(node), unit.exponent),
          "give a number without unit, in SI units");
      return std::nullopt;
    }
    CoordinateSetting setting{.node = &node,
                              .path = path.text(),
                              .coordinate = coordinate(),
                              .given = given->dimension,
                              .any_angle = given->any_angle,
                              .along_length = unit.dimension(d::length, place, *times),
                              .along_angle = unit.dimension(d::angle, place, *times)};
    if (!fits(*given, setting.along_length) && !fits(*given, setting.along_angle)) {
      reader_.error(
          node, path, fmt::format("{} is in {}", shown(node), core::si_unit(given->dimension)),
          fmt::format("give a value in {} along a length, in {} along an angle",
                      core::si_unit(setting.along_length), core::si_unit(setting.along_angle)));
      return std::nullopt;
    }
    key.dimension = given->dimension;
    reader_.note(std::move(setting));
    return reader_.number(node, path, key);
  }

  static bool fits(const Quantity& given, const core::Dimension& wanted) {
    core::Dimension without = wanted;
    without.angle = 0;
    return given.fits(wanted) || given.fits(without);
  }

  std::string coordinate() const {
    const Node* node = section_.find("coordinate");
    return node == nullptr ? std::string{} : prefix_ + resolved(*node).text;
  }

  /// 1 where there is none.
  std::optional<int> exponent(const model::CoordinateUnit& unit) const {
    const Node* node = unit.exponent.empty() ? nullptr : section_.find(unit.exponent);
    if (node == nullptr) return 1;
    const std::string& text = resolved(*node).text;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    constexpr double most = 9.0;
    if (*end != '\0' || value != std::floor(value) || value < 1.0 || value > most) {
      return std::nullopt;
    }
    return static_cast<int>(value);
  }

  Reader& reader_;
  const SectionReader& section_;
  const std::string& prefix_;
};

void read_item_values(Reader& reader,
                      SectionReader& section,
                      const Kind& kind,
                      const std::string& prefix,
                      model::Values& values) {
  CoordinateSettingReader along(reader, section, prefix);
  for (const model::Field& field : kind.fields) {
    const model::CoordinateUnit* unit = model::coordinate_unit(kind.name, field.name);
    auto value = unit == nullptr ? section.value(field.name) : along.read(field, *unit);
    if (value) values.emplace(field.name, std::move(*value));
  }
}

void read_values(SectionReader& section, const Kind& kind, model::Values& values) {
  for (const model::Field& field : kind.fields) {
    if (auto value = section.value(field.name)) values.emplace(field.name, std::move(*value));
  }
}

std::vector<std::string> read_attachments(Reader& reader,
                                          const SectionReader& section,
                                          const Kind& kind) {
  std::vector<std::string> names;
  const auto read = [&](const Node& node, const Path& path) {
    if (auto name = reader.frame_name(node, path)) names.push_back(std::move(*name));
  };
  if (const Node* on = section.find("on")) read(*on, Path{&section.path(), "on"});
  const Node* between = section.find("between");
  if (between == nullptr) return names;
  const Path path{&section.path(), "between"};
  const Node& pair = resolved(*between);
  const auto count = static_cast<std::size_t>(std::max(2, kind.attachments));
  if (pair.kind != NodeKind::sequence || pair.entries.size() != count) {
    reader.error(
        *between, path,
        pair.kind == NodeKind::sequence
            ? fmt::format("{} frames are named", pair.entries.size())
            : fmt::format("{} is not a {} of frames", shown(pair), count == 2 ? "pair" : "list"),
        count == 2 ? std::string("name two frames, e.g. [ground, crank.tip]")
                   : fmt::format("name {} frames", count));
    return names;
  }
  for (const Entry& entry : pair.entries) read(*entry.value, path);
  return names;
}

/// A key of the map that is nearly the name of a method; true when there is one, which is reported.
bool has_misspelt_method(Reader& reader,
                         const Node& map,
                         const Path& path,
                         const std::vector<Kind>& integrators) {
  if (map.find("name") != nullptr) return false;
  std::vector<std::string> names;
  for (const Kind& kind : integrators) names.push_back(kind.name);
  for (const Entry& setting : map.entries) {
    if (core::nearest_name(setting.key, names).empty()) continue;
    reader.error_at_key(map, setting, path, fmt::format("'{}' is unknown", setting.key),
                        core::suggestion(setting.key, names));
    return true;
  }
  return false;
}

/// `method: hht`, `method: {hht: 0.8, index: 2}` or `method: {name: hht, index: 2}`.
/// Null when that was a mistake.
const Kind* read_method(Reader& reader,
                        const Node& simulation,
                        const Entry& entry,
                        const Path& path,
                        const std::vector<Kind>& integrators,
                        model::SimulationSettings& settings) {
  const Path method_path{&path, "method"};
  Node map = resolved(*entry.value);
  if (map.kind != NodeKind::map) {
    const Kind* kind = read_kind(reader, simulation, path, "method", integrators);
    if (kind != nullptr) settings.integrator = kind->name;
    return kind;
  }
  const Kind* kind = nullptr;
  for (Entry& setting : map.entries) {
    const Kind* named = find_kind(integrators, reader.space(), setting.key);
    if (named == nullptr || named->fields.empty()) continue;
    kind = named;
    const std::string& first = kind->fields.front().name;
    if (map.find(first) != nullptr) {
      reader.error_at_key(
          map, setting, method_path, fmt::format("'{}' and '{}' say the same", setting.key, first),
          fmt::format("write name: {} beside '{}', or leave '{}' out", setting.key, first, first));
      return nullptr;
    }
    setting.key = first;
    break;
  }
  if (kind == nullptr) {
    if (has_misspelt_method(reader, map, method_path, integrators)) return nullptr;
    kind = read_kind(reader, map, method_path, "name", integrators);
  }
  if (kind == nullptr) return nullptr;
  settings.integrator = kind->name;
  SectionReader section(reader, map, method_path, find_section("method"), *kind);
  read_values(section, *kind, settings.integrator_values);
  return kind;
}

/// The tolerance where a file chooses neither a method nor a step, and rows of its results where it
/// does not say how many.
constexpr double default_tolerance = 1e-6;
constexpr double default_rows = 1000.0;
constexpr const char* chosen_by_tolerance = "auto";

bool has_field(const Kind& kind, std::string_view name) {
  return std::any_of(kind.fields.begin(), kind.fields.end(),
                     [&](const model::Field& field) { return field.name == name; });
}

/// The method that a map without `method` and `integrator` means: the default one where a step or
/// one of its settings is given, else one that is chosen by the tolerance.
const Kind* unnamed_method(const Node& map,
                           model::Space space,
                           const Vocabulary& vocabulary,
                           const std::string& by_step) {
  const Kind* with_step = find_kind(vocabulary.integrators, space, by_step);
  const Kind* by_tolerance = find_kind(vocabulary.integrators, space, chosen_by_tolerance);
  if (with_step == nullptr || by_tolerance == nullptr || !has_field(*by_tolerance, "tolerance")) {
    return with_step;
  }
  const bool has_settings =
      std::any_of(map.entries.begin(), map.entries.end(), [&](const Entry& e) {
        return has_field(*with_step, e.key) && !has_field(*by_tolerance, e.key);
      });
  if (has_settings) return with_step;
  return map.find("tolerance") != nullptr || map.find("step") == nullptr ? by_tolerance : with_step;
}

/// The number of the key `tolerance`; none where it is missing or wrong.
std::optional<double> stated_tolerance(Reader& reader, const Node& map, const Path& path) {
  const Entry* entry = map.find("tolerance");
  if (entry == nullptr) return std::nullopt;
  const Path place{&path, "tolerance"};
  const Key& key = find_key(reader.keys(find_section("simulation")), "tolerance");
  const std::optional<double> value = reader.number(*entry->value, place, key);
  constexpr double least = 1e-13;
  if (!value || (*value >= least && *value < 1.0)) return value;
  reader.error(*entry->value, place, fmt::format("the tolerance is {:g}", *value),
               "give a number from 1e-13 to below 1, e.g. 1e-6");
  return std::nullopt;
}

/// `tolerance` becomes the tolerances of the method. What the method itself states counts more.
void read_tolerance(Reader& reader,
                    const Node& map,
                    const Path& path,
                    const Kind& kind,
                    model::SimulationSettings& settings) {
  std::optional<double> tolerance = stated_tolerance(reader, map, path);
  const bool unnamed = map.find("method") == nullptr && map.find("integrator") == nullptr;
  if (unnamed && kind.name == chosen_by_tolerance && map.find("tolerance") == nullptr) {
    tolerance = default_tolerance;
  }
  if (!tolerance) return;
  if (has_field(kind, "relative_tolerance")) {
    settings.integrator_values.emplace("relative_tolerance", *tolerance);
    settings.integrator_values.emplace("absolute_tolerance", *tolerance);
  } else if (has_field(kind, "tolerance")) {
    settings.integrator_values.emplace("tolerance", *tolerance);
  } else {
    reader.error_at_key(
        map, *map.find("tolerance"), Path{&path, "tolerance"},
        fmt::format("{} takes steps of a given size: it has no tolerance", kind.name),
        "give a step in its place, or leave the method out: one is chosen that keeps the "
        "tolerance");
    return;
  }
  const bool has_grid = map.find("step") != nullptr || map.find("output_step") != nullptr;
  if (!has_grid) settings.output_step = settings.until / default_rows;
}

/// The settings of a method among the keys of the simulation; its tolerance is read by itself.
void read_flat_values(SectionReader& section, const Kind& kind, model::Values& values) {
  Kind others = kind;
  others.fields.erase(
      std::remove_if(others.fields.begin(), others.fields.end(),
                     [](const model::Field& field) { return field.name == "tolerance"; }),
      others.fields.end());
  read_values(section, others, values);
}

}  // namespace

void read_items(Reader& reader,
                const Node& node,
                const Path& path,
                const std::string& prefix,
                const Section& section,
                const std::vector<Kind>& kinds,
                const ItemTaker& take) {
  if (!is_named_map(reader, node, path, "name: " + example_of(kinds))) return;
  for (const Entry& entry : resolved(node).entries) {
    const std::string name = prefix + entry.key;
    const Path item_path{&path, name};
    const bool named = section.names_values
                           ? reader.check_formula_name(resolved(node), entry, item_path)
                           : reader.check_name(resolved(node), entry, item_path);
    if (!named) continue;
    const Node& map = resolved(*entry.value);
    if (map.kind != NodeKind::map) {
      reader.error(map, item_path,
                   fmt::format("{} is given where keys with values belong", shown(map)),
                   "write e.g. " + example_of(kinds));
      continue;
    }
    const Kind* kind = read_kind(reader, map, item_path, "type", kinds);
    if (kind == nullptr) continue;
    SectionReader keys(reader, map, item_path, section, *kind);
    model::Item item;
    item.name = name;
    item.type = kind->name;
    item.attachments = read_attachments(reader, keys, *kind);
    item.at = keys.vector("at");
    read_item_values(reader, keys, *kind, prefix, item.values);
    take(std::move(item), *kind, entry, item_path);
  }
}

model::SimulationSettings read_simulation(Reader& reader,
                                          const Node& node,
                                          const Path& path,
                                          const Vocabulary& vocabulary) {
  model::SimulationSettings settings;
  const Node& map = resolved(node);
  const Section& table = find_section("simulation");
  const auto time = [&](std::string_view name, double& value) {
    const Entry* entry = map.find(name);
    if (entry == nullptr) return;
    const Key& key = find_key(reader.keys(table), name);
    value = reader.number(*entry->value, Path{&path, name}, key).value_or(value);
  };
  time("until", settings.until);
  time("step", settings.step);
  time("output_step", settings.output_step);
  if (const Entry* entry = map.find("threads")) {
    const Path place{&path, "threads"};
    const double threads =
        reader.number(*entry->value, place, find_key(reader.keys(table), "threads")).value_or(1.0);
    constexpr double most = 1024.0;
    if (threads != std::floor(threads) || threads > most) {
      reader.error(*entry->value, place, fmt::format("{:g} threads", threads),
                   "give a whole number from 0 to 1024");
    } else {
      settings.threads = static_cast<int>(threads);
    }
  }
  if (const Entry* entry = map.find("coordinates")) {
    const Key& key = find_key(reader.keys(table), "coordinates");
    settings.coordinates = reader.choice(*entry->value, Path{&path, "coordinates"}, key.choices)
                               .value_or(settings.coordinates);
  }
  if (map.find("solver") != nullptr) {
    const Kind* solver = read_kind(reader, map, path, "solver", vocabulary.solvers);
    if (solver != nullptr) settings.solver = solver->name;
  }
  if (const Entry* method = map.find("method")) {
    if (const Entry* integrator = map.find("integrator")) {
      reader.error_at_key(map, *integrator, Path{&path, "integrator"},
                          "both 'method' and 'integrator' are given", "keep one of them");
    }
    const SectionReader known(reader, node, path, table);
    const Kind* named = read_method(reader, map, *method, path, vocabulary.integrators, settings);
    if (named != nullptr) read_tolerance(reader, map, path, *named, settings);
    return settings;
  }
  const Kind* integrator =
      map.find("integrator") == nullptr
          ? unnamed_method(map, reader.space(), vocabulary, settings.integrator)
          : read_kind(reader, map, path, "integrator", vocabulary.integrators);
  if (integrator == nullptr) return settings;
  settings.integrator = integrator->name;
  SectionReader section(reader, node, path, table, *integrator);
  read_flat_values(section, *integrator, settings.integrator_values);
  read_tolerance(reader, map, path, *integrator, settings);
  return settings;
}

}  // namespace trammel::io
