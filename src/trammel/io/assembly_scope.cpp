#include "trammel/io/assembly_scope.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_shown = 100;

/// The text before the first dot, and what follows it.
std::pair<std::string_view, std::string_view> split(std::string_view reference) {
  const std::size_t dot = reference.find('.');
  if (dot == std::string_view::npos) return {reference, {}};
  return {reference.substr(0, dot), reference.substr(dot + 1)};
}

Resolution refusal(std::string message, std::string remedy) {
  return {{}, std::move(message), std::move(remedy)};
}

/// "chain_12" as the copy 12 of `chain`; the group is null when there is no such group.
std::pair<const InstanceGroup*, std::size_t> find_copy(const Scope& scope, std::string_view name) {
  const std::size_t line = name.rfind('_');
  if (line == std::string_view::npos || line + 1 == name.size()) return {nullptr, 0};
  const std::string_view digits = name.substr(line + 1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc{} || end != digits.end() || digits.front() == '0') return {nullptr, 0};
  const auto group = scope.instances.find(name.substr(0, line));
  if (group == scope.instances.end() || !group->second->repeated) return {nullptr, 0};
  return {group->second.get(), number};
}

Resolution resolve_in_group(const InstanceGroup& group,
                            std::string_view name,
                            std::string_view rest) {
  if (group.copies.empty()) return refusal({}, {});
  if (!group.repeated) return resolve_port(group.copies.front(), rest);
  const auto [which, inner] = split(rest);
  if (which == "first") return resolve_port(group.copies.front(), inner);
  if (which == "last") return resolve_port(group.copies.back(), inner);
  return refusal(fmt::format("'{}' is repeated {} times", name, group.copies.size()),
                 fmt::format("name a copy: {0}_1, {0}_2 ..., {0}.first or {0}.last", name));
}

}  // namespace

Resolution resolve(const Scope& scope, std::string_view reference) {
  const auto [first, rest] = split(reference);
  if (first == "ground") {
    if (!rest.empty()) return {fmt::format("ground.{}{}", scope.prefix, rest), {}, {}};
    if (scope.transform.is_identity()) return {"ground", {}, {}};
    return {fmt::format("ground.{}ground", scope.prefix), {}, {}, &scope};
  }
  if (!scope.instances.empty()) {
    const auto group = scope.instances.find(first);
    if (group != scope.instances.end()) return resolve_in_group(*group->second, first, rest);
    if (const auto [copies, number] = find_copy(scope, first); copies != nullptr) {
      if (number <= copies->copies.size()) return resolve_port(copies->copies[number - 1], rest);
      return refusal(fmt::format("there is no '{}', only {} copies", first, copies->copies.size()),
                     "name one of them");
    }
  }
  return {scope.prefix + std::string(reference), {}, {}};
}

Resolution resolve_port(const Scope& scope, std::string_view reference) {
  const auto& ports = scope.definition->ports;
  if (reference.empty()) {
    std::vector<std::string> known;
    for (const auto& port : ports) known.emplace_back(port.first);
    for (const std::string_view body : scope.definition->bodies) known.emplace_back(body);
    std::sort(known.begin(), known.end());
    const std::string name = scope.prefix.substr(0, scope.prefix.size() - 1);
    return refusal(fmt::format("'{}' is an instance and no body", name.substr(0, longest_shown)),
                   "name a body, frame or port of it; " + core::suggestion("", known));
  }
  const auto port = ports.find(reference);
  return resolve(scope, port == ports.end() ? reference : std::string_view(port->second->text));
}

bool names_previous(std::string_view reference) {
  return split(reference).first == "previous";
}

Resolution resolve(const CopyPlace& place, std::string_view reference) {
  const auto [first, rest] = split(reference);
  if (first == "previous") {
    if (place.before != nullptr) return resolve_port(*place.before, rest);
    if (!place.start.empty()) return resolve(place.outer, place.start);
    return refusal("there is no copy before this one", "repeat the instance, or give 'start'");
  }
  const AssemblyDefinition& definition = *place.copy.definition;
  const bool own = definition.bodies.contains(first) || definition.ports.contains(reference) ||
                   place.copy.instances.find(first) != place.copy.instances.end() ||
                   find_copy(place.copy, first).first != nullptr;
  return own ? resolve_port(place.copy, reference) : resolve(place.outer, reference);
}

}  // namespace trammel::io
