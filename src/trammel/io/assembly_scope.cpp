#include "trammel/io/assembly_scope.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_shown_reference = 100;

/// The text before the first dot, and what follows it.
std::pair<std::string_view, std::string_view> split_at_first_dot(std::string_view reference) {
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

/// Whether a sub-assembly has a body or instance of this name.
bool is_own(const Scope& scope, std::string_view name) {
  return scope.definition->bodies.contains(name) ||
         scope.instances.find(name) != scope.instances.end() ||
         find_copy(scope, name).first != nullptr;
}

/// What can be named from outside.
std::vector<std::string> names_of_scope(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& port : scope.definition->ports) names.emplace_back(port.first);
  for (const std::string_view body : scope.definition->bodies) names.emplace_back(body);
  for (const auto& instance : scope.instances) names.push_back(instance.first);
  std::sort(names.begin(), names.end());
  return names;
}

Resolution resolve_in_group(const InstanceGroup& group,
                            std::string_view name,
                            std::string_view rest) {
  if (group.copies.empty()) return refusal({}, {});
  if (!group.repeated) return resolve_port(group.copies.front(), rest);
  const auto [which, inner] = split_at_first_dot(rest);
  if (which == "first") return resolve_port(group.copies.front(), inner);
  if (which == "last") return resolve_port(group.copies.back(), inner);
  return refusal(fmt::format("'{}' is repeated {} times", name, group.copies.size()),
                 fmt::format("name a copy: {0}_1, {0}_2 ..., {0}.first or {0}.last", name));
}

}  // namespace

Resolution resolve(const Scope& scope, std::string_view reference) {
  const auto [first, rest] = split_at_first_dot(reference);
  if (first == "ground") {
    if (!rest.empty()) return {fmt::format("ground.{}{}", scope.prefix, rest), {}, {}};
    if (scope.transform.is_identity()) return {"ground", {}, {}};
    return {fmt::format("ground.{}ground", scope.prefix), {}, {}, &scope};
  }
  if (!scope.instances.empty()) {
    const auto group = scope.instances.find(first);
    if (group != scope.instances.end()) return resolve_in_group(*group->second, first, rest);
    if (const auto [copies, number] = find_copy(scope, first); copies != nullptr) {
      if (copies->copies.empty()) return refusal({}, {});
      if (number <= copies->copies.size()) return resolve_port(copies->copies[number - 1], rest);
      return refusal(fmt::format("there is no '{}', only {} copies", first, copies->copies.size()),
                     "name one of them");
    }
  }
  return {scope.prefix + std::string(reference), {}, {}};
}

Resolution resolve_port(const Scope& scope, std::string_view reference) {
  const auto port = scope.definition->ports.find(reference);
  if (port != scope.definition->ports.end()) return resolve(scope, port->second->text);
  const std::string_view first = split_at_first_dot(reference).first;
  if (is_own(scope, first) || first == "ground") return resolve(scope, reference);
  const std::string name = scope.prefix.substr(0, scope.prefix.size() - 1);
  if (reference.empty()) {
    return refusal(
        fmt::format("'{}' is an instance and no body", name.substr(0, longest_shown_reference)),
        "name a body, frame or port of it; " + core::suggestion("", names_of_scope(scope)));
  }
  return refusal(fmt::format("'{}' has no body, instance or port '{}'",
                             name.substr(0, longest_shown_reference),
                             first.substr(0, longest_shown_reference)),
                 core::suggestion(first.substr(0, longest_shown_reference), names_of_scope(scope)));
}

bool names_previous(std::string_view reference) {
  return split_at_first_dot(reference).first == "previous";
}

Resolution resolve(const CopyPlace& place, std::string_view reference) {
  const auto [first, rest] = split_at_first_dot(reference);
  if (first == "previous") {
    if (place.before != nullptr) return resolve_port(*place.before, rest);
    if (!place.start.empty()) return resolve(place.outer, place.start);
    return refusal("there is no copy before this one", "repeat the instance, or give 'start'");
  }
  const bool own = is_own(place.copy, first) || place.copy.definition->ports.contains(reference);
  return own ? resolve_port(place.copy, reference) : resolve(place.outer, reference);
}

}  // namespace trammel::io
