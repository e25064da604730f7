#include "trammel/io/parts_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/free_memory.h"
#include "trammel/io/body_reader.h"
#include "trammel/io/item_reader.h"
#include "trammel/io/moved_values.h"
#include "trammel/io/parameter_reader.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/scoped_formula.h"

namespace trammel::io {
namespace {

const Node* section_of(const Node& map, std::string_view name) {
  const Entry* entry = map.find(name);
  return entry == nullptr ? nullptr : entry->value;
}

std::size_t size_of(const Node& map, std::string_view name) {
  const Node* section = section_of(map, name);
  return section == nullptr ? 0 : resolved(*section).entries.size();
}

const Node* assemblies_of(Reader& reader, const Node& root) {
  const Node* node = section_of(root, "assemblies");
  const Path top;
  if (node == nullptr ||
      !is_named_map(reader, *node, Path{&top, "assemblies"}, "link: {bodies: ...}")) {
    return nullptr;
  }
  return &resolved(*node);
}

}  // namespace

PartsReader::PartsReader(Tree& tree,
                         const Node& root,
                         Reader& reader,
                         const Vocabulary& vocabulary,
                         const Quantities& parameters)
    : reader_(reader),
      vocabulary_(vocabulary),
      parameters_(parameters),
      root_(root),
      library_(tree, reader, assemblies_of(reader, root)) {}

void PartsReader::read(model::Description& description, PartPlaces& places) {
  description_ = &description;
  places_ = &places;
  Scope scope;
  reader_.set_parameters(parameters_);
  flexible_parts_ = read_flexible_parts(reader_, root_, top_);
  if (size_of(root_, "instances") > 0) library_.check_names(root_, top_);
  read_scope(scope, root_, top_, parameters_);
  read_unused();
}

void PartsReader::read_scope(Scope& scope,
                             const Node& map,
                             const Path& base,
                             const Quantities& parameters) {
  reader_.set_parameters(parameters);
  read_ground(scope, map, base);
  read_bodies(scope, map, base);
  read_flexible_bodies(scope, map, base);
  const Node* instances = section_of(map, "instances");
  const bool has_instances =
      instances != nullptr &&
      is_named_map(reader_, *instances, Path{&base, "instances"}, "left: {assembly: leg}");
  if (has_instances) {
    for (const Entry& entry : resolved(*instances).entries) expand(scope, map, entry, parameters);
    reader_.set_parameters(parameters);
    reader_.set_reading_copies(!scope.prefix.empty());
  }
  if (scope.definition != nullptr) check_ports(scope);
  read_all_items(scope, scope, map, base,
                 [&](std::string_view reference) { return resolve(scope, reference); });
  if (!has_instances) return;
  for (const Entry& entry : resolved(*instances).entries) {
    add_items_of_copies(scope, entry, parameters);
  }
  reader_.set_parameters(parameters);
  reader_.set_reading_copies(!scope.prefix.empty());
}

void PartsReader::count(std::size_t parts, const Scope& scope, const Node& node, const Path& path) {
  const std::size_t before = parts_;
  parts_ += parts;
  check_memory(before, scope, node, path);
  if (parts_ <= most_parts && parts * scope.copies <= most_parts) return;
  reader_.error(node, path, fmt::format("the instances make more than {} parts", most_parts),
                "repeat less; parts are bodies, joints, forces and copies");
  throw TooManyMistakes{};
}

/// Looks now and then: no model may take what the rest of the machine lives on.
void PartsReader::check_memory(std::size_t parts_before,
                               const Scope& scope,
                               const Node& node,
                               const Path& path) {
  constexpr std::size_t interval = 1 << 16;
  constexpr std::size_t reserve = 200'000'000;  // bytes
  if (parts_ / interval == parts_before / interval) return;
  const std::optional<std::size_t> left = core::free_memory();
  if (!left || *left > reserve) return;
  reader_.error(node, path,
                fmt::format("the memory is used up by {} parts of the instances, the last in '{}'",
                            parts_, scope.prefix.substr(0, scope.prefix.size() - 1)),
                "repeat less, or take a machine with more memory; parts are bodies, joints, forces "
                "and copies");
  throw TooManyMistakes{};
}

void PartsReader::read_ground(const Scope& scope, const Node& map, const Path& base) {
  const Node* node = section_of(map, "ground");
  if (node == nullptr) return;
  const Path path{&base, "ground"};
  const SectionReader section(reader_, *node, path, find_section("ground"));
  const Node* frames = section.find("frames");
  if (frames == nullptr) return;
  const Path frames_path{&path, "frames"};
  for (model::Frame& frame : read_frames(reader_, *frames, frames_path)) {
    if (!scope.prefix.empty() && frame.name == "ground") {
      reader_.error(*frames, Path{&frames_path, frame.name},
                    "'ground' is the origin of the sub-assembly", "choose another name");
    }
    frame.name.insert(0, scope.prefix);
    move(scope.transform, frame);
    description_->ground_frames.push_back(std::move(frame));
  }
}

void PartsReader::read_bodies(const Scope& scope, const Node& map, const Path& base) {
  const Node* node = section_of(map, "bodies");
  const Path path{&base, "bodies"};
  if (node == nullptr || !is_named_map(reader_, *node, path, "crank: {mass: 1 kg, ...}")) return;
  const Node& bodies = resolved(*node);
  for (const Entry& entry : bodies.entries) {
    const std::string name = scope.prefix + entry.key;
    const Path body_path{&path, name};
    if (!reader_.check_name(bodies, entry, body_path)) continue;
    note_place("bodies", scope, entry);
    model::Body body = read_body(reader_, name, *entry.value, body_path);
    const std::string problem = move(scope.transform, reader_.space(), body);
    if (!problem.empty()) {
      reader_.error(*resolved(*entry.value).find("fixed")->value, Path{&body_path, "fixed"},
                    problem, "fix the whole position or velocity, or turn by quarters");
    }
    body_index_.emplace(name, description_->bodies.size());
    description_->bodies.push_back(std::move(body));
  }
}

void PartsReader::note_place(std::string_view section, const Scope& scope, const Entry& entry) {
  if (scope.prefix.empty()) return;
  places_->emplace(fmt::format("{}.{}{}", section, scope.prefix, entry.key),
                   PartPlace{entry.value, entry.key_mark});
}

void PartsReader::read_all_items(const Scope& names,
                                 const Scope& home,
                                 const Node& map,
                                 const Path& base,
                                 const Resolver& resolver) {
  const auto read = [&](std::string_view section, std::string_view table,
                        const std::vector<Kind>& kinds, std::vector<model::Item>& list) {
    const Node* node = section_of(map, section);
    if (node == nullptr) return;
    read_items(reader_, *node, Path{&base, section}, names.prefix, find_section(table), kinds,
               [&](model::Item item, const Kind& kind, const Entry& entry, const Path& path) {
                 note_place(section, names, entry);
                 set_names(kind, names.prefix, item.values);
                 take_item(std::move(item), home, kind, table, entry, path, resolver, list);
               });
  };
  model::Description& d = *description_;
  read("joints", "joint", vocabulary_.joints, d.joints);
  read("forces", "force", vocabulary_.forces, d.forces);
  read("couplings", "coupling", vocabulary_.couplings, d.couplings);
  read("drives", "drive", vocabulary_.drives, d.drives);
  read("sensors", "sensor", vocabulary_.sensors, d.sensors);
  read_states(names, map, base);
  read_connections(names, home, map, base, resolver);
}

/// Names of measured quantities, alone and in formulas, become those of the whole model.
void PartsReader::set_names(const Kind& kind, const std::string& prefix, model::Values& values) {
  if (prefix.empty()) return;
  for (const model::Field& field : kind.fields) {
    const auto found = values.find(field.name);
    if (found == values.end()) continue;
    if (field.kind == model::FieldKind::formula) {
      auto& text = std::get<std::string>(found->second);
      text = scoped_formula(text, prefix, reader_.parameters(), field.variables);
    } else if (field.kind == model::FieldKind::formulas) {
      for (auto& text : std::get<std::vector<std::string>>(found->second)) {
        text = scoped_formula(text, prefix, reader_.parameters(), field.variables);
      }
    } else if (field.kind == model::FieldKind::quantity) {
      std::get<std::string>(found->second).insert(0, prefix);
    } else if (field.kind == model::FieldKind::quantities) {
      for (auto& name : std::get<std::vector<std::string>>(found->second)) name.insert(0, prefix);
    }
  }
}

void PartsReader::read_states(const Scope& names, const Node& map, const Path& base) {
  const Node* node = section_of(map, "states");
  const Path path{&base, "states"};
  if (node == nullptr || !is_named_map(reader_, *node, path, "integral: {rate: pin.angle}")) return;
  const Node& states = resolved(*node);
  for (const Entry& entry : states.entries) {
    const std::string name = names.prefix + entry.key;
    const Path state_path{&path, name};
    if (!reader_.check_formula_name(states, entry, state_path)) continue;
    note_place("states", names, entry);
    SectionReader section(reader_, *entry.value, state_path, find_section("state"));
    const auto rate = section.text("rate");
    const auto initial = section.number("initial");
    if (!rate) continue;
    description_->add_state({.name = name,
                             .rate = scoped_formula(*rate, names.prefix, reader_.parameters()),
                             .initial = initial.value_or(0.0)});
  }
}

bool PartsReader::resolve_attachments(model::Item& item,
                                      const Entry& entry,
                                      const Path& path,
                                      const Resolver& resolver,
                                      const std::vector<model::InternalNode>& nodes) {
  const Node& map = resolved(*entry.value);
  const std::string_view key = map.find("on") != nullptr ? "on" : "between";
  for (std::string& attachment : item.attachments) {
    const bool internal =
        std::any_of(nodes.begin(), nodes.end(),
                    [&](const model::InternalNode& node) { return node.name == attachment; });
    if (internal) continue;
    Resolution resolution = resolver(attachment);
    if (!resolution.message.empty()) {
      reader_.error(*map.find(key)->value, Path{&path, key}, std::move(resolution.message),
                    std::move(resolution.remedy));
    }
    if (resolution.name.empty()) return false;
    if (resolution.origin != nullptr) add_origin(*resolution.origin);
    attachment = std::move(resolution.name);
  }
  return true;
}

void PartsReader::take_item(model::Item item,
                            const Scope& home,
                            const Kind& kind,
                            std::string_view table,
                            const Entry& entry,
                            const Path& path,
                            const Resolver& resolver,
                            std::vector<model::Item>& list) {
  const Node& map = resolved(*entry.value);
  if (!resolve_attachments(item, entry, path, resolver, {})) return;
  const Transform& transform = home.transform;
  if (item.at && transform.is_shift()) {
    item.at = transform.point(*item.at);
  } else if (item.at) {
    for (std::string& attachment : item.attachments) {
      attachment = frame_at(item, attachment, transform);
    }
    item.at.reset();
  }
  // What is told by formulas alone needs no turning.
  const bool has_vectors = table == "joint" || table == "force";
  const std::string problem = has_vectors || transform.is_mirrored()
                                  ? move_values(transform, kind, table, item.values)
                                  : std::string();
  if (!problem.empty()) {
    reader_.error(*map.find("type")->value, Path{&path, "type"}, problem,
                  "describe this side without 'mirror'");
  }
  list.push_back(std::move(item));
}

/// The point `at` as a frame of its own, since axes of the world are not those of a turned
/// instance. Its name cannot be that of a frame in a file.
std::string PartsReader::frame_at(const model::Item& item,
                                  const std::string& attachment,
                                  const Transform& transform) {
  const auto is_body = [&](std::string_view name) {
    return body_index_.contains(std::string(name));
  };
  const std::string_view owner = model::split_attachment(attachment, is_body).body;
  model::Frame frame{"@" + item.name, transform.point(*item.at), transform.turn,
                     transform.stated_turn};
  if (owner == "ground") {
    std::string name = "ground." + frame.name;
    if (origins_.insert(frame.name).second) description_->ground_frames.push_back(std::move(frame));
    return name;
  }
  const auto found = body_index_.find(std::string(owner));
  if (found == body_index_.end()) return attachment;
  model::Body& body = description_->bodies[found->second];
  const Eigen::Quaterniond to_body = body.orientation.conjugate();
  frame.position = to_body * (frame.position - body.position);
  frame.rotation = to_body * frame.rotation;
  frame.stated_turn = to_body * frame.stated_turn - model::stated_turn(body, description_->space);
  // A dot in it would end the name of the body.
  std::replace(frame.name.begin(), frame.name.end(), '.', '/');
  std::string name = fmt::format("{}.{}", owner, frame.name);
  body.frames.push_back(std::move(frame));
  return name;
}

void PartsReader::add_origin(const Scope& scope) {
  const std::string name = scope.prefix + "ground";
  if (!origins_.insert(name).second) return;
  description_->ground_frames.push_back(
      {name, scope.transform.shift, scope.transform.turn, scope.transform.stated_turn});
}

void PartsReader::read_unused() {
  model::Description scratch;
  scratch.space = reader_.space();
  PartPlaces no_places;
  description_ = &scratch;
  places_ = &no_places;
  for (const AssemblyDefinition* definition : library_.unused()) {
    body_index_.clear();
    const Path assemblies{&top_, "assemblies"};
    const Path path{&assemblies, definition->name};
    Quantities values = parameters_;
    if (const Node* node = section_of(*definition->map, "parameters")) {
      values = read_parameters(reader_, *node, Path{&path, "parameters"}, parameters_, {}, true);
    }
    Scope scope;
    scope.definition = definition;
    open_ = {definition->name};
    read_scope(scope, *definition->map, path, values);
  }
}

}  // namespace trammel::io
