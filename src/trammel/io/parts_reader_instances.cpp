// The instances in a scope: what they are copies of, where, and with which parameters.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/parameter_reader.h"
#include "trammel/io/parts_reader.h"
#include "trammel/io/placement_reader.h"

namespace trammel::io {
namespace {

constexpr std::size_t deepest_instance = 32;
constexpr const char* number_of_copy = "i";

/// Values that stand in an instance but are read in the sub-assembly keep their own parameters.
class ForeignValues {
 public:
  ForeignValues(Reader& reader, const Quantities& parameters)
      : reader_(reader), parameters_(parameters) {}
  ForeignValues(const ForeignValues&) = delete;
  ForeignValues(ForeignValues&&) = delete;
  ForeignValues& operator=(const ForeignValues&) = delete;
  ForeignValues& operator=(ForeignValues&&) = delete;
  ~ForeignValues() {
    for (const Node* scalar : scalars_) reader_.forget(*scalar);
  }

  void add(const Node& node) {
    const Node& value = resolved(node);
    if (value.kind == NodeKind::scalar) {
      if (reader_.evaluate_with(value, parameters_)) scalars_.push_back(&value);
      return;
    }
    for (const Entry& entry : value.entries) add(*entry.value);
  }

 private:
  Reader& reader_;
  const Quantities& parameters_;
  std::vector<const Node*> scalars_;
};

Eigen::Vector3d signs_of(std::string_view mirror) {
  if (mirror == "x" || mirror == "xz") return {1, -1, 1};
  if (mirror == "y" || mirror == "yz") return {-1, 1, 1};
  if (mirror == "xy") return {1, 1, -1};
  return Eigen::Vector3d::Ones();
}

}  // namespace

/// An instance while its copies are made.
struct PartsReader::Instance {
  Scope& outer;
  std::string name;  ///< in the whole model
  SectionReader& section;
  const AssemblyDefinition& definition;
  InstanceGroup& group;
  std::size_t repeat = 1;
  Quantities parameters;  ///< of the place, with the number of the copy
};

void PartsReader::expand(Scope& outer,
                         const Node& map,
                         const Entry& entry,
                         const Quantities& parameters) {
  const std::string name = outer.prefix + entry.key;
  const Path instances{&top_, "instances"};
  const Path path{&instances, name};
  reader_.set_parameters(parameters);
  reader_.set_reading_copies(!outer.prefix.empty());
  // Even when nothing comes of it, so that references to it are not reported as unknown.
  InstanceGroup& group =
      *outer.instances.emplace(entry.key, std::make_unique<InstanceGroup>()).first->second;
  if (!reader_.check_name(resolved(*map.find("instances")->value), entry, path)) return;
  SectionReader section(reader_, *entry.value, path, find_section("instance"));
  const AssemblyDefinition* definition = read_definition(section);
  const std::optional<std::size_t> repeat = read_repeat(section, outer);
  group.repeated = section.has("repeat");
  if (definition == nullptr || !repeat || library_.has_clash(entry)) return;
  if (!may_open(*definition, section)) return;
  if (group.repeated && !library_.check_copy_names(map, entry, *repeat)) return;
  Instance instance{outer, name, section, *definition, group, *repeat, parameters};
  open_.push_back(definition->name);
  make_copies(instance);
  open_.pop_back();
}

const AssemblyDefinition* PartsReader::read_definition(SectionReader& section) {
  const Node* name = section.find("assembly");
  if (name == nullptr) return nullptr;
  const AssemblyDefinition* definition = library_.find(*name, Path{&section.path(), "assembly"});
  const Node* changes = section.find("override");
  if (definition == nullptr || changes == nullptr) return definition;
  return library_.changed(*definition, *changes, Path{&section.path(), "override"});
}

bool PartsReader::may_open(const AssemblyDefinition& definition, const SectionReader& section) {
  const Node& node = *section.find("assembly");
  const Path path{&section.path(), "assembly"};
  const auto found = std::find(open_.begin(), open_.end(), definition.name);
  if (found != open_.end()) {
    std::string chain;
    for (auto each = found; each != open_.end(); ++each) chain += *each + " -> ";
    reader_.error(node, path,
                  fmt::format("sub-assemblies contain each other: {}{}", chain, definition.name),
                  "remove one of these instances");
    return false;
  }
  if (open_.size() < deepest_instance) return true;
  reader_.error(node, path,
                fmt::format("instances are nested more than {} levels deep", deepest_instance),
                "use fewer levels");
  return false;
}

std::optional<std::size_t> PartsReader::read_repeat(SectionReader& section, const Scope& outer) {
  const Node* node = section.find("repeat");
  if (node == nullptr) return 1;
  const Path path{&section.path(), "repeat"};
  const std::optional<double> number = section.number("repeat");
  if (!number) return std::nullopt;
  if (*number != std::floor(*number)) {
    reader_.error(*node, path, fmt::format("{} is not a whole number", shown(*node)),
                  "give the number of copies");
    return std::nullopt;
  }
  if (*number * static_cast<double>(outer.copies) > static_cast<double>(most_parts)) {
    reader_.error(*node, path,
                  outer.copies == 1 ? fmt::format("{} are too many copies", shown(*node))
                                    : fmt::format("{} copies, {} times, are too many", shown(*node),
                                                  outer.copies),
                  fmt::format("a model has at most {} parts in instances", most_parts));
    return std::nullopt;
  }
  if (reader_.parameters().contains(number_of_copy)) {
    reader_.error(*node, path, "the parameter 'i' would be hidden by the number of the copy",
                  "rename the parameter");
  }
  return static_cast<std::size_t>(*number);
}

void PartsReader::make_copies(Instance& instance) {
  const Node& map = *instance.definition.map;
  std::size_t parts = 1;
  for (const char* section : {"bodies", "flexible", "joints", "forces"}) {
    const Entry* entry = map.find(section);
    if (entry != nullptr) parts += resolved(*entry->value).entries.size();
  }
  reader_.set_reading_copies(true);
  ForeignValues foreign(reader_, instance.parameters);
  if (const Node* changes = instance.section.find("override")) foreign.add(*changes);
  instance.group.copies.reserve(instance.repeat);
  for (std::size_t number = 1; number <= instance.repeat; ++number) {
    make_copy(instance, number);
    count(parts, instance.group.copies.back(), instance.section.node(), instance.section.path());
  }
}

void PartsReader::make_copy(Instance& instance, std::size_t number) {
  const AssemblyDefinition& definition = instance.definition;
  if (instance.group.repeated) {
    instance.parameters.insert_or_assign(
        number_of_copy, Quantity{.value = static_cast<double>(number), .dimension = {}});
  }
  reader_.set_parameters(instance.parameters);
  Scope& scope = instance.group.copies.emplace_back();
  scope.prefix =
      instance.group.repeated ? fmt::format("{}_{}.", instance.name, number) : instance.name + ".";
  scope.definition = &definition;
  scope.copies = instance.outer.copies * instance.repeat;
  scope.transform = instance.outer.transform * read_transform(instance.section);
  const Quantities given = read_given(instance);
  const Entry* own = definition.map->find("parameters");
  if (own == nullptr) {
    read_scope(scope, *definition.map, top_, parameters_);
    return;
  }
  const Path assemblies{&top_, "assemblies"};
  const Path assembly{&assemblies, definition.name};
  const Quantities values = read_parameters(reader_, *own->value, Path{&assembly, "parameters"},
                                            parameters_, given, true);
  read_scope(scope, *definition.map, top_, values);
}

Transform PartsReader::read_transform(SectionReader& section) {
  Transform transform;
  if (const Node* place = section.find("place")) {
    const Placement placement =
        read_placement(reader_, *place, Path{&section.path(), "place"}, find_section("place"));
    transform.shift = placement.position;
    transform.turn = placement.rotation;
    transform.stated_turn = placement.stated_turn;
  }
  transform.signs = signs_of(section.choice("mirror").value_or(""));
  return transform;
}

Quantities PartsReader::read_given(Instance& instance) {
  Quantities given;
  const Path path{&instance.section.path(), "parameters"};
  const Entry* own = instance.definition.map->find("parameters");
  const Node none;
  const Node& known = own == nullptr ? none : resolved(*own->value);
  const Node* node = instance.section.find("parameters");
  if (node != nullptr && is_named_map(reader_, *node, path, "length: 0.1 m")) {
    for (const Entry& entry : resolved(*node).entries) {
      const Path entry_path{&path, entry.key};
      if (known.find(entry.key) == nullptr) {
        std::vector<std::string> names;
        for (const Entry& each : known.entries) names.push_back(each.key);
        reader_.error_at_key(
            resolved(*node), entry, entry_path,
            fmt::format("'{}' has no parameter '{}'", instance.definition.name,
                        entry.key.substr(0, 64)),
            names.empty() ? "remove it" : core::suggestion(entry.key.substr(0, 64), names));
      } else if (resolved(*entry.value).kind != NodeKind::scalar) {
        reader_.error(*entry.value, entry_path,
                      fmt::format("{} is given where a number belongs", shown(*entry.value)),
                      "give a number, one with a unit, or an expression");
        given.emplace(entry.key, std::nullopt);
      } else {
        given.emplace(entry.key, reader_.quantity(*entry.value, entry_path));
      }
    }
  }
  for (const Entry& entry : known.entries) {
    if (resolved(*entry.value).kind != NodeKind::null || given.contains(entry.key)) continue;
    reader_.error(instance.section.node(), Path{&path, entry.key},
                  fmt::format("the parameter '{}' of '{}' is missing", entry.key.substr(0, 64),
                              instance.definition.name),
                  "give it under 'parameters'; it has no default");
  }
  return given;
}

void PartsReader::add_items_of_copies(Scope& outer,
                                      const Entry& entry,
                                      const Quantities& parameters) {
  const Node& map = resolved(*entry.value);
  const Path path{&top_, "instances"};
  const InstanceGroup& group = *outer.instances.find(entry.key)->second;
  std::string start;
  if (const Entry* given = map.find("start")) {
    const std::string name = outer.prefix + entry.key;
    const Path of_instance{&path, name};
    start = reader_.frame_name(*given->value, Path{&of_instance, "start"}).value_or("ground");
  }
  if (map.find("joints") == nullptr && map.find("forces") == nullptr) return;
  Quantities values = parameters;
  reader_.set_parameters(values);
  reader_.set_reading_copies(true);
  for (std::size_t k = 0; k < group.copies.size(); ++k) {
    if (group.repeated) {
      values.insert_or_assign(number_of_copy,
                              Quantity{.value = static_cast<double>(k + 1), .dimension = {}});
    }
    const CopyPlace place{outer, group.copies[k], k == 0 ? nullptr : &group.copies[k - 1], start};
    const bool may_skip = k == 0 && group.repeated && start.empty();
    read_all_items(group.copies[k], outer, map, top_, [&](std::string_view reference) {
      if (may_skip && names_previous(reference)) return Resolution{};
      return resolve(place, reference);
    });
  }
}

void PartsReader::check_ports(const Scope& scope) {
  const AssemblyDefinition& definition = *scope.definition;
  if (!ports_checked_.insert(&definition).second) return;
  const Path assemblies{&top_, "assemblies"};
  const Path assembly{&assemblies, definition.name};
  const Path ports{&assembly, "ports"};
  for (const auto& [name, node] : definition.ports) {
    const Resolution resolution = resolve(scope, node->text);
    const auto exists = [&](std::string_view body) {
      return body_index_.contains(std::string(body));
    };
    const std::string_view body = model::split_attachment(resolution.name, exists).body;
    if (resolution.message.empty() && (body == "ground" || body.empty() || exists(body))) continue;
    std::vector<std::string> known;
    for (const std::string_view each : definition.bodies) known.emplace_back(each);
    std::sort(known.begin(), known.end());
    const std::string first = node->text.substr(0, node->text.find('.'));
    reader_.error(*node, Path{&ports, name},
                  resolution.message.empty()
                      ? fmt::format("there is no body or instance '{}'", first.substr(0, 64))
                      : resolution.message,
                  resolution.message.empty() ? core::suggestion(first.substr(0, 64), known)
                                             : resolution.remedy);
  }
}

}  // namespace trammel::io
