#include "trammel/io/assembly_library.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/instance_override.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_shown_assembly = 64;
constexpr std::array naming_sections{"bodies", "flexible",  "joints",
                                     "forces", "instances", "ports"};

const Node* map_section(const Node& map, std::string_view name) {
  const Entry* entry = map.find(name);
  if (entry == nullptr) return nullptr;
  const Node& section = resolved(*entry->value);
  return section.kind == NodeKind::map ? &section : nullptr;
}

}  // namespace

AssemblyLibrary::AssemblyLibrary(Tree& tree, Reader& reader, const Node* assemblies)
    : tree_(tree), reader_(reader), assemblies_(assemblies) {
  if (assemblies == nullptr) return;
  for (const Entry& entry : assemblies->entries) entries_.emplace(entry.key, &entry);
}

const AssemblyDefinition* AssemblyLibrary::find(const Node& name, const Path& path) {
  const std::optional<std::string> text = reader_.text(name, path);
  if (!text) return nullptr;
  const auto known = definitions_.find(*text);
  if (known != definitions_.end()) return known->second;
  const auto entry = entries_.find(*text);
  if (entry != entries_.end()) return define(*entry->second);
  std::vector<std::string> names;
  for (const auto& each : entries_) names.emplace_back(each.first);
  std::sort(names.begin(), names.end());
  reader_.error(name, path, fmt::format("there is no sub-assembly {}", shown(name)),
                names.empty() ? "define it under 'assemblies', or include its file"
                              : core::suggestion(text->substr(0, longest_shown_assembly), names));
  return nullptr;
}

const AssemblyDefinition* AssemblyLibrary::define(const Entry& entry) {
  const Path top;
  const Path assemblies{&top, "assemblies"};
  const Path path{&assemblies, entry.key};
  const Node& map = resolved(*entry.value);
  const AssemblyDefinition* definition = nullptr;
  if (reader_.check_name(*assemblies_, entry, path)) {
    SectionReader section(reader_, map, path, find_section("assembly"));
    section.text("description");
    if (const Node* ports = section.find("ports")) {
      is_named_map(reader_, *ports, Path{&path, "ports"}, "foot: shin.end");
    }
    if (map.kind == NodeKind::map) {
      check_names(map, path);
      definition = add(entry.key, map);
    }
  }
  definitions_.emplace(entry.key, definition);
  return definition;
}

const AssemblyDefinition* AssemblyLibrary::add(std::string name, const Node& map) {
  AssemblyDefinition& definition = *owned_.emplace_back(std::make_unique<AssemblyDefinition>());
  definition.name = std::move(name);
  definition.map = &map;
  for (const char* section : {"bodies", "flexible"}) {
    const Node* bodies = map_section(map, section);
    if (bodies == nullptr) continue;
    for (const Entry& entry : bodies->entries) definition.bodies.insert(entry.key);
  }
  if (const Node* ports = map_section(map, "ports")) {
    const Path top;
    const Path path{&top, "assemblies"};
    const Path of_assembly{&path, definition.name};
    const Path of_ports{&of_assembly, "ports"};
    for (const Entry& entry : ports->entries) {
      const Path of_port{&of_ports, entry.key};
      const Node& frame = resolved(*entry.value);
      if (!reader_.check_name(*ports, entry, of_port)) continue;
      if (reader_.frame_name(frame, of_port)) definition.ports.emplace(entry.key, &frame);
    }
  }
  return &definition;
}

const AssemblyDefinition* AssemblyLibrary::changed(const AssemblyDefinition& definition,
                                                   const Node& changes,
                                                   const Path& path) {
  const Node& map = resolved(changes);
  if (!is_named_map(reader_, changes, path, "bodies.shin.mass: 3 kg")) return &definition;
  const auto [found, fresh] = variants_.try_emplace({&definition, &map}, &definition);
  if (!fresh) return found->second;
  const Node* copy = with_overrides(
      tree_, *definition.map, map,
      [&](const Entry& change, const std::string& message, const std::string& remedy) {
        reader_.error_at_key(map, change, Path{&path, change.key}, message, remedy);
      });
  found->second = add(definition.name, *copy);
  return found->second;
}

std::vector<const AssemblyDefinition*> AssemblyLibrary::unused() {
  std::vector<const AssemblyDefinition*> list;
  if (assemblies_ == nullptr) return list;
  for (const Entry& entry : assemblies_->entries) {
    if (definitions_.contains(entry.key)) continue;
    if (const AssemblyDefinition* definition = define(entry)) list.push_back(definition);
  }
  return list;
}

std::string AssemblyLibrary::place_of(const Node& map, const Entry& entry) const {
  const int source = entry.source >= 0 ? entry.source : map.source;
  return fmt::format("{}:{}", tree_.sources[static_cast<std::size_t>(source)].name,
                     entry.key_mark.line);
}

void AssemblyLibrary::check_names(const Node& map, const Path& path) {
  struct First {
    const Node* section;
    const Entry* entry;
    std::string_view name;
  };
  std::unordered_map<std::string_view, First> names;
  for (const std::string_view name : naming_sections) {
    const Node* section = map_section(map, name);
    if (section == nullptr) continue;
    const Path section_path{&path, name};
    // Clashes of bodies, joints and forces are told when the whole model is checked.
    const bool new_here = name == "instances" || name == "ports";
    for (const Entry& entry : section->entries) {
      const auto [found, fresh] = names.try_emplace(entry.key, First{section, &entry, name});
      const bool reserved = entry.key == "ground" || entry.key == "previous";
      if (!new_here || (fresh && !reserved)) continue;
      clashes_.insert(&entry);
      reader_.error_at_key(
          *section, entry, Path{&section_path, entry.key},
          reserved ? fmt::format("'{}' has a meaning of its own", entry.key)
                   : fmt::format("the name '{}' is used twice",
                                 entry.key.substr(0, longest_shown_assembly)),
          reserved
              ? std::string("choose another name")
              : fmt::format("it is also in '{}', at {}; rename one of them", found->second.name,
                            place_of(*found->second.section, *found->second.entry)));
    }
  }
}

bool AssemblyLibrary::check_copy_names(const Node& map, const Entry& instance, std::size_t copies) {
  const std::string begin = instance.key + "_";
  bool unique = true;
  for (const std::string_view name : naming_sections) {
    const Node* section = map_section(map, name);
    if (section == nullptr) continue;
    for (const Entry& entry : section->entries) {
      if (entry.key.rfind(begin, 0) != 0) continue;
      std::size_t number = 0;
      const char* first = entry.key.data() + begin.size();
      const char* end = entry.key.data() + entry.key.size();
      const auto [last, error] = std::from_chars(first, end, number);
      if (error != std::errc{} || last != end || *first == '0' || number > copies) continue;
      unique = false;
      const Path top;
      const Path section_path{&top, name};
      reader_.error_at_key(
          *section, entry, Path{&section_path, entry.key},
          fmt::format("the name '{}' is used twice", entry.key.substr(0, longest_shown_assembly)),
          fmt::format("it is also that of a copy of '{}', at {}; rename one of them", instance.key,
                      place_of(*map_section(map, "instances"), instance)));
    }
  }
  return unique;
}

}  // namespace trammel::io
