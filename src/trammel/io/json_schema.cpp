#include "trammel/io/json_schema.h"

#include <fmt/format.h>

#include "trammel/io/json.h"
#include "trammel/io/keys.h"
#include "trammel/model/description.h"

namespace trammel::io {
namespace {

using model::Space;

constexpr const char* name_pattern = R"(^[^\s.:,\[\]{}#]{1,100}$)";
constexpr const char* frame_pattern = R"(^[^\s.]+(\.[^\s.]+)*$)";
constexpr const char* parameter_pattern = "^[A-Za-z_][A-Za-z0-9_]*$";

/// Writes the definitions of one space, "planar_body" and so on.
class SpaceSchema {
 public:
  SpaceSchema(Space space, const Vocabulary& vocabulary, Json& definitions)
      : space_(space), vocabulary_(vocabulary), definitions_(definitions) {}

  void write() {
    for (const Section& section : sections()) {
      if (section.name == "joint") {
        definitions_[name_of(section.name)] = items(section, vocabulary_.joints);
      } else if (section.name == "force") {
        definitions_[name_of(section.name)] = items(section, vocabulary_.forces);
      } else if (section.name == "coupling") {
        definitions_[name_of(section.name)] = items(section, vocabulary_.couplings);
      } else if (section.name == "drive") {
        definitions_[name_of(section.name)] = items(section, vocabulary_.drives);
      } else if (section.name == "sensor") {
        definitions_[name_of(section.name)] = items(section, vocabulary_.sensors);
      } else if (section.name == "element") {
        definitions_[name_of(section.name)] = items(section, element_kinds(vocabulary_));
      } else if (section.name == "simulation") {
        definitions_[name_of(section.name)] = simulation(section);
      } else if (section.name == "method") {
        definitions_[name_of(section.name)] = method(section);
      } else if (section.name == "body") {
        definitions_[name_of("rigid")] = object(section, keys_in(section.keys, space_));
        definitions_[name_of(section.name)] = body(section);
      } else {
        definitions_[name_of(section.name)] = object(section, keys_in(section.keys, space_));
      }
    }
  }

 private:
  std::string name_of(const std::string& section) const {
    return model::to_string(space_) + "_" + section;
  }
  Json reference(const std::string& section) const {
    return Json::Object{{"$ref", "#/definitions/" + name_of(section)}};
  }

  static Json number(model::Sign sign) {
    Json schema = Json::Object{{"type", Json::texts({"number", "string"})}};
    if (sign == model::Sign::positive) schema["exclusiveMinimum"] = 0;
    if (sign == model::Sign::non_negative) schema["minimum"] = 0;
    return schema;
  }

  static Json list(Json item, int count) {
    return Json::Object{
        {"type", "array"}, {"items", std::move(item)}, {"minItems", count}, {"maxItems", count}};
  }

  static Json any_of(Json::Array schemas) {
    if (schemas.size() == 1) return std::move(schemas.front());
    return Json::Object{{"anyOf", std::move(schemas)}};
  }

  int dimensions() const { return space_ == Space::planar ? 2 : 3; }

  /// Names with values; a map that is still empty is no mistake.
  static Json named(Json value, const char* pattern) {
    return Json::Object{{"type", Json::texts({"object", "null"})},
                        {"propertyNames", Json::Object{{"pattern", pattern}}},
                        {"additionalProperties", std::move(value)}};
  }

  /// Bodies in a floating frame have other keys than beams in space.
  Json flexible() const {
    if (space_ == Space::planar) return reference("flexible");
    return Json::Object{{"if", is("formulation", "floating", true)},
                        {"then", reference("floating_body")},
                        {"else", reference("flexible")}};
  }

  /// The map itself, or the value of the key that may stand for it.
  Json::Array section_forms(const Key& key) const {
    const Section& section = find_section(key.section);
    Json::Array forms{key.name == "flexible" ? flexible() : reference(key.section)};
    for (const Key& inner : keys_in(section.keys, space_)) {
      if (inner.name == section.shorthand) forms.push_back(value(inner));
    }
    return forms;
  }

  Json named_sections(const Key& key) const {
    return named(any_of(section_forms(key)), name_pattern);
  }

  Json numbers(const Key& key) const {
    Json::Array forms;
    if (key.counts.empty()) {
      return any_of({Json::Object{{"type", "array"}, {"items", number(key.sign)}, {"minItems", 1}},
                     number(key.sign)});
    }
    for (const int count : key.counts) forms.push_back(list(number(key.sign), count));
    return any_of(std::move(forms));
  }

  Json direction() const {
    const std::vector<std::string> axes =
        space_ == Space::planar ? std::vector<std::string>{"x", "y", "-x", "-y"}
                                : std::vector<std::string>{"x", "y", "z", "-x", "-y", "-z"};
    return any_of(
        {list(number(model::Sign::any), dimensions()), Json::Object{{"enum", Json::texts(axes)}}});
  }

  static Json one_or_more(const Json& item) {
    return any_of({item, Json::Object{{"type", "array"}, {"items", item}}});
  }

  static Json word(const Key& key) {
    return key.choices.empty() ? Json(Json::Object{{"type", "string"}})
                               : Json(Json::Object{{"enum", Json::texts(key.choices)}});
  }

  static Json changes() {
    return Json::Object{{"type", "object"},
                        {"propertyNames", Json::Object{{"pattern", frame_pattern}}}};
  }

  static Json frame() { return Json::Object{{"type", "string"}, {"pattern", frame_pattern}}; }

  Json form(Form form, const Key& key) const {
    switch (form) {
      case Form::version:
        return Json::Object{{"const", 1}};
      case Form::text:
        return Json::Object{{"type", Json::texts({"string", "number"})}};
      case Form::choice:
        return word(key);
      case Form::choices:
        return one_or_more(word(key));
      case Form::flag:
        return Json::Object{{"type", "boolean"}};
      case Form::number:
        return number(key.sign);
      case Form::numbers:
        return numbers(key);
      case Form::vector:
        return list(number(model::Sign::any), dimensions());
      case Form::direction:
        return direction();
      case Form::matrix:
        return list(list(number(model::Sign::any), 3), 3);
      case Form::name:
        return frame();
      case Form::name_pair:
        return list(frame(), key.counts.empty() ? 2 : key.counts.front());
      case Form::names:
        return one_or_more(Json::Object{{"type", "string"}});
      case Form::quantities:
        return named(number(model::Sign::any), parameter_pattern);
      case Form::formula:
        return number(model::Sign::any);
      case Form::quantity:
        return Json::Object{{"type", "string"}};
      case Form::quantity_list:
        return Json::Object{{"type", "array"}, {"items", Json::Object{{"type", "string"}}}};
      case Form::formula_list:
        return Json::Object{{"type", "array"}, {"items", number(model::Sign::any)}};
      case Form::points:
        return Json::Object{
            {"type", "array"}, {"items", list(number(model::Sign::any), 2)}, {"minItems", 2}};
      case Form::defaults:
        return named(Json::Object{{"type", Json::texts({"number", "string", "null"})}},
                     parameter_pattern);
      case Form::files:
        return one_or_more(Json::Object{{"type", "string"}});
      case Form::ports:
        return named(frame(), name_pattern);
      case Form::changes:
        return changes();
      case Form::section:
        return any_of(section_forms(key));
      case Form::sections:
        return Json::Object{
            {"type", "array"}, {"items", any_of(section_forms(key))}, {"minItems", 1}};
      case Form::named:
        break;
    }
    return named_sections(key);
  }

  static std::string described(const Key& key) {
    std::string text = key.description;
    const std::string unit = unit_of(key);
    if (!unit.empty()) text += fmt::format("; {} or with a unit", unit);
    if (!key.fallback.empty()) text += fmt::format(" (default: {})", key.fallback);
    return text;
  }

  Json value(const Key& key) const {
    Json::Array forms;
    for (const Form each : key.forms) forms.push_back(form(each, key));
    // A description beside $ref is ignored by draft 7, but not inside allOf.
    Json schema = Json::Object{{"description", described(key)}};
    Json alternatives = any_of(std::move(forms));
    schema["allOf"] = Json::Array{std::move(alternatives)};
    return schema;
  }

  Json object(const Section& section, const std::vector<Key>& keys) const {
    Json schema = Json::Object{{"type", "object"}, {"description", section.description}};
    Json properties;
    std::vector<std::string> required;
    for (const Key& key : keys) {
      properties[key.name] = value(key);
      if (key.required) required.push_back(key.name);
    }
    schema["properties"] = std::move(properties);
    schema["additionalProperties"] = false;
    if (!required.empty()) schema["required"] = Json::texts(required);
    if (!section.alternatives.empty()) {
      Json::Array groups;
      for (const auto& group : section.alternatives) {
        groups.push_back(Json::Object{{"required", Json::texts(group)}});
      }
      schema["oneOf"] = std::move(groups);
    }
    return schema;
  }

  /// A point mass has other keys than a rigid body, which needs a shape or mass and inertia.
  Json body(const Section& section) const {
    Json::Array beside_shape;
    for (const char* name : {"mass", "center", "inertia", "inertia_about"}) {
      beside_shape.push_back(Json::Object{{"required", Json::texts({name})}});
    }
    const Json from_shape = Json::Object{{"required", Json::texts({"shape"})},
                                         {"not", any_of(std::move(beside_shape))}};
    const Json given = Json::Object{{"required", Json::texts({"mass", "inertia"})},
                                    {"not", Json::Object{{"required", Json::texts({"shape"})}}}};
    const Json mass = any_of({from_shape, given});
    return Json::Object{{"type", "object"},
                        {"description", section.description},
                        {"if", is("kind", "point", true)},
                        {"then", reference("point")},
                        {"else", Json::Object{{"allOf", Json::Array{reference("rigid"), mass}}}}};
  }

  /// The condition that a key has this value; `given`: and is not left out.
  static Json is(const std::string& key, const std::string& text, bool given) {
    Json condition =
        Json::Object{{"properties", Json::Object{{key, Json::Object{{"const", text}}}}}};
    if (given) condition["required"] = Json::texts({key});
    return condition;
  }

  /// One of the names, each with its summary.
  Json one_of(const std::vector<Kind>& kinds) const {
    Json::Array names;
    for (const Kind& kind : kinds) {
      if (find_kind(kinds, space_, kind.name) != &kind) continue;
      names.push_back(Json::Object{{"const", kind.name}, {"description", kind.summary}});
    }
    return Json::Object{{"oneOf", std::move(names)}};
  }

  Json items(const Section& section, const std::vector<Kind>& kinds) const {
    Json schema = Json::Object{{"type", "object"},
                               {"description", section.description},
                               {"properties", Json::Object{{"type", one_of(kinds)}}},
                               {"required", Json::texts({"type"})}};
    schema["allOf"] = by_kind(section, kinds, "type", {});
    return schema;
  }

  Json simulation(const Section& section) const {
    Json schema =
        Json::Object{{"type", "object"},
                     {"description", section.description},
                     {"properties", Json::Object{{"integrator", one_of(vocabulary_.integrators)},
                                                 {"solver", one_of(vocabulary_.solvers)}}}};
    schema["properties"]["method"] = any_of({one_of(vocabulary_.integrators), reference("method")});
    schema["allOf"] = by_kind(section, vocabulary_.integrators, "integrator",
                              model::SimulationSettings{}.integrator);
    return schema;
  }

  /// An integrator with its settings; the key that names it may hold the first of them.
  Json method(const Section& section) const {
    Json::Array forms;
    for (const Kind& kind : vocabulary_.integrators) {
      std::vector<Key> keys = keys_of(section, kind, space_);
      for (Key& key : keys) {
        if (key.name != "name") continue;
        key.choices = {kind.name};
        key.required = true;
      }
      forms.push_back(object(section, keys));
      if (kind.fields.empty()) continue;
      keys.erase(keys.begin());  // name
      keys.front().name = kind.name;
      keys.front().required = true;
      forms.push_back(object(section, keys));
    }
    return any_of(std::move(forms));
  }

  /// For each kind: if the key names it (or is missing and `fallback` is the kind), its keys.
  Json::Array by_kind(const Section& section,
                      const std::vector<Kind>& kinds,
                      const std::string& key,
                      const std::string& fallback) const {
    Json::Array cases;
    for (const Kind& kind : kinds) {
      if (find_kind(kinds, space_, kind.name) != &kind) continue;
      Section of_kind = section;
      of_kind.description = kind.summary;
      cases.push_back(Json::Object{{"if", is(key, kind.name, kind.name != fallback)},
                                   {"then", object(of_kind, keys_of(section, kind, space_))}});
    }
    return cases;
  }

  Space space_;
  const Vocabulary& vocabulary_;
  Json& definitions_;
};

}  // namespace

std::string json_schema(const Vocabulary& vocabulary) {
  Json schema = Json::Object{{"$schema", "http://json-schema.org/draft-07/schema#"},
                             {"$id", "trammel-1.schema.json"},
                             {"title", "Trammel model file, version 1"},
                             {"type", "object"},
                             {"required", Json::texts({"trammel", "space"})}};
  // A file with assemblies only is there to be included.
  Json::Array contents;
  for (const char* key : {"bodies", "flexible", "instances", "include", "assemblies"}) {
    contents.push_back(Json::Object{{"required", Json::texts({key})}});
  }
  schema["anyOf"] = std::move(contents);
  schema["properties"]["trammel"] = Json::Object{{"const", 1}};
  schema["properties"]["space"] = Json::Object{{"enum", Json::texts({"planar", "spatial"})}};
  schema["if"]["properties"]["space"] = Json::Object{{"const", "planar"}};
  schema["then"] = Json::Object{{"$ref", "#/definitions/planar_model"}};
  schema["else"] = Json::Object{{"$ref", "#/definitions/spatial_model"}};
  Json definitions;
  for (const Space space : {Space::planar, Space::spatial}) {
    SpaceSchema(space, vocabulary, definitions).write();
  }
  schema["definitions"] = std::move(definitions);
  return schema.written();
}

}  // namespace trammel::io
