#include "trammel/io/section_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_suggested = 64;

std::string quoted_names(const std::vector<std::string>& names, std::string_view between) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}'{}'", text.empty() ? std::string_view{} : between, name);
  }
  return text;
}

bool has_key(const std::vector<Key>& keys, std::string_view name) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

}  // namespace

SectionReader::SectionReader(Reader& reader,
                             const Node& node,
                             const Path& path,
                             const Section& section)
    : reader_(reader),
      node_(resolved(node)),
      path_(path),
      section_(section),
      keys_(reader.keys(section)) {
  check_map();
}

SectionReader::SectionReader(
    Reader& reader, const Node& node, const Path& path, const Section& section, const Kind& kind)
    : reader_(reader),
      node_(resolved(node)),
      path_(path),
      section_(section),
      keys_(reader.keys(section, kind)) {
  check_map();
}

void SectionReader::check_map() {
  is_map_ = node_.kind == NodeKind::map;
  if (!is_map_ && node_.kind != NodeKind::null) {
    reader_.error(node_, path_,
                  fmt::format("{} is given where keys with values belong", shown(node_)),
                  fmt::format("write e.g. {{{}: ...}}", keys_.front().name));
    return;
  }
  check_entries();
  check_required();
  check_alternatives();
}

void SectionReader::check_entries() {
  for (const Entry& entry : node_.entries) {
    if (!has_key(keys_, entry.key)) report_unknown(entry);
  }
}

void SectionReader::report_unknown(const Entry& entry) {
  const Path path{&path_, entry.key};
  const auto elsewhere = std::find_if(section_.keys.begin(), section_.keys.end(),
                                      [&](const Key& key) { return key.name == entry.key; });
  std::vector<std::string> known;
  for (const Key& key : keys_) known.push_back(key.name);
  const std::string name = entry.key.substr(0, longest_suggested);
  if (section_.name == "point" && has_key(find_section("body").keys, name)) {
    reader_.error_at_key(node_, entry, path, fmt::format("a point mass has no '{}'", name),
                         core::suggestion("", known));
    return;
  }
  if (elsewhere != section_.keys.end() && elsewhere->space) {
    reader_.error_at_key(
        node_, entry, path,
        fmt::format("'{}' exists in {} models only", name, model::to_string(*elsewhere->space)),
        core::suggestion("", known));
    return;
  }
  reader_.error_at_key(node_, entry, path, fmt::format("unknown key '{}'", name),
                       core::suggestion(name, known));
}

void SectionReader::check_required() {
  for (const Key& key : keys_) {
    if (!key.required || has(key.name)) continue;
    const std::string unit = unit_of(key);
    reader_.error(node_, Path{&path_, key.name}, fmt::format("'{}' is missing", key.name),
                  fmt::format("add it: {}{}", key.description,
                              unit.empty() ? std::string{} : fmt::format(", {}", unit)));
  }
}

void SectionReader::check_alternatives() {
  if (section_.alternatives.empty()) return;
  std::vector<const std::vector<std::string>*> given;
  std::vector<std::string> leaders;
  for (const std::vector<std::string>& group : section_.alternatives) {
    if (!has_key(keys_, group.front())) continue;  // of the other space
    leaders.push_back(group.front());
    if (std::any_of(group.begin(), group.end(), [&](const std::string& n) { return has(n); })) {
      given.push_back(&group);
    }
  }
  if (given.empty()) {
    // A misspelt key has been reported; that it is missing as well would say the same twice.
    const bool all_known =
        std::all_of(node_.entries.begin(), node_.entries.end(),
                    [&](const Entry& entry) { return has_key(keys_, entry.key); });
    if (all_known) {
      reader_.error(node_, path_, fmt::format("none of {} is given", quoted_names(leaders, ", ")),
                    "give one of them");
    }
  } else if (given.size() > 1) {
    reader_.error(
        node_, path_,
        fmt::format("'{}' and '{}' exclude each other", given[0]->front(), given[1]->front()),
        "keep one of them");
  } else {
    const std::vector<std::string>& group = *given.front();
    if (std::all_of(group.begin(), group.end(), [&](const std::string& n) { return has(n); })) {
      alternative_ = group.front();
      return;
    }
    reader_.error(node_, path_, fmt::format("{} belong together", quoted_names(group, " and ")),
                  "give both");
  }
}

const Node* SectionReader::find(std::string_view name) const {
  const Entry* entry = is_map_ ? node_.find(name) : nullptr;
  return entry == nullptr ? nullptr : entry->value;
}

const Key& SectionReader::key(std::string_view name) const {
  return find_key(keys_, name);
}

std::optional<double> SectionReader::number(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.number(*node, Path{&path_, name}, key(name));
}

std::optional<std::vector<double>> SectionReader::numbers(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.numbers(*node, Path{&path_, name}, key(name));
}

std::optional<Eigen::Vector3d> SectionReader::vector(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.vector(*node, Path{&path_, name}, key(name));
}

std::optional<Eigen::Vector3d> SectionReader::direction(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.direction(*node, Path{&path_, name}, key(name));
}

std::optional<Eigen::Matrix3d> SectionReader::matrix(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.matrix(*node, Path{&path_, name}, key(name));
}

std::optional<std::string> SectionReader::text(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.text(*node, Path{&path_, name});
}

std::optional<std::vector<std::string>> SectionReader::texts(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.texts(*node, Path{&path_, name});
}

std::optional<std::string> SectionReader::choice(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.choice(*node, Path{&path_, name}, key(name).choices);
}

std::optional<std::vector<std::string>> SectionReader::choices(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return reader_.choices(*node, Path{&path_, name}, key(name).choices);
}

std::optional<model::Value> SectionReader::value(std::string_view name) {
  const auto as_value = [](auto&& optional) -> std::optional<model::Value> {
    if (!optional) return std::nullopt;
    return model::Value(*optional);
  };
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  switch (key(name).forms.front()) {
    case Form::number:
      return as_value(number(name));
    case Form::vector:
      return as_value(vector(name));
    case Form::direction:
      return as_value(direction(name));
    case Form::flag:
      return as_value(reader_.flag(*node, Path{&path_, name}));
    case Form::numbers:
      return as_value(numbers(name));
    case Form::formula:
    case Form::quantity:
      return as_value(text(name));
    case Form::quantity_list:
    case Form::formula_list:
      return as_value(texts(name));
    default:
      return as_value(choice(name));
  }
}

}  // namespace trammel::io
