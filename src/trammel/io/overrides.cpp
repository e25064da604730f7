#include "trammel/io/overrides.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/keys.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_override_name = 400;

std::vector<std::string> keys_of_map(const Node& map) {
  std::vector<std::string> keys;
  for (const Entry& entry : map.entries) keys.push_back(entry.key);
  return keys;
}

Entry* find_entry(Node& map, std::string_view key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

void remove_entry(Node& map, std::string_view key) {
  std::erase_if(map.entries, [&](const Entry& entry) { return entry.key == key; });
}

class Override {
 public:
  Override(Tree& tree, core::Diagnostics& diagnostics, const std::string& name, std::string source)
      : tree_(tree), diagnostics_(diagnostics), name_(name), source_(std::move(source)) {}

  void apply(Node* value) {
    std::string path = name_;
    if (name_.substr(0, name_.find('.')) == "include") {
      fail("files are included before values are set", "write 'include' into the model file");
      return;
    }
    if (name_.find('.') == std::string::npos) {
      const Entry* parameters = tree_.root->find("parameters");
      const bool is_parameter = parameters != nullptr && resolved(*parameters->value).find(name_);
      if (is_parameter) {
        path = "parameters." + name_;
      } else if (!is_top_level_key(name_)) {
        fail_name(parameters);
        return;
      }
    }
    set(path, value);
  }

 private:
  static bool is_top_level_key(std::string_view name) {
    const std::vector<Key>& keys = find_section("model").keys;
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  }

  void fail(std::string message, std::string remedy) {
    diagnostics_.add(
        {core::Severity::error, {}, std::move(message), std::move(remedy), source_, 0, 0});
  }

  void fail_name(const Entry* parameters) {
    std::vector<std::string> known;
    if (parameters != nullptr) known = keys_of_map(resolved(*parameters->value));
    for (const Key& key : find_section("model").keys) known.push_back(key.name);
    fail(fmt::format("there is no parameter '{}'", name_), core::suggestion(name_, known));
  }

  /// The map below `map`, copied first if aliases share it.
  Node* step_into(Node& map, const std::string& key, bool may_be_new) {
    Entry* entry = find_entry(map, key);
    if (entry == nullptr && may_be_new) {
      Node* fresh = &tree_.nodes.emplace_back();
      fresh->source = static_cast<int>(tree_.sources.size()) - 1;
      map.entries.push_back({key, {}, false, fresh});
      entry = &map.entries.back();
    }
    if (entry == nullptr) {
      fail(fmt::format("there is no '{}' on the way of '{}'", key, name_),
           core::suggestion(key, keys_of_map(map)));
      return nullptr;
    }
    if (entry->value->kind == NodeKind::alias || !entry->value->anchor.empty()) {
      entry->value = &tree_.nodes.emplace_back(resolved(*entry->value));
      entry->value->anchor.clear();
    }
    Node* next = entry->value;
    if (next->kind == NodeKind::null) next->kind = NodeKind::map;
    if (next->kind == NodeKind::map) return next;
    fail(fmt::format("'{}' on the way of '{}' is no map", key, name_), "name a key of a map");
    return nullptr;
  }

  void set(const std::string& path, Node* value) {
    Node* map = tree_.root;
    std::size_t start = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
      const std::string key = path.substr(start, dot - start);
      map = step_into(*map, key, start == 0 && is_top_level_key(key));
      if (map == nullptr) return;
      start = dot + 1;
    }
    const std::string key = path.substr(start);
    // Two words for one thing: the one that is set replaces the other.
    if (path == "simulation.integrator") remove_entry(*map, "method");
    if (path == "simulation.method") remove_entry(*map, "integrator");
    if (Entry* entry = find_entry(*map, key)) {
      entry->value = value;
    } else {
      map->entries.push_back({key, {}, false, value});
    }
  }

  Tree& tree_;
  core::Diagnostics& diagnostics_;
  const std::string& name_;
  std::string source_;
};

// Settings of a method that another one replaces would be lost without a word.
void check_method_settings(const Overrides& overrides, core::Diagnostics& diagnostics) {
  const std::string method = "simulation.method.";
  const auto replaced = std::find_if(overrides.begin(), overrides.end(), [](const auto& given) {
    return given.first == "simulation.integrator";
  });
  if (replaced == overrides.end()) return;
  for (const auto& [name, text] : overrides) {
    if (!name.starts_with(method)) continue;
    diagnostics.add({core::Severity::error,
                     {},
                     fmt::format("has no effect: the method {} replaces the one that it belongs to",
                                 replaced->second),
                     fmt::format("give both in one: --set 'simulation.method={{name: {}, {}: {}}}'",
                                 replaced->second, name.substr(method.size()), text),
                     fmt::format("--set {}={}", name, text),
                     0,
                     0});
  }
}

}  // namespace

void apply_overrides(const Overrides& overrides, Tree& tree, core::Diagnostics& diagnostics) {
  check_method_settings(overrides, diagnostics);
  for (const auto& [name, text] : overrides) {
    const std::string source =
        fmt::format("--set {}={}", name, text).substr(0, longest_override_name);
    try {
      if (name.size() > longest_override_name) throw core::InputError("the name is too long");
      Node* value = parse_into(tree, text, source, diagnostics);
      tree.sources.back().is_file = false;
      if (value == nullptr) throw core::InputError("there is no value", "write name=value");
      Override(tree, diagnostics, name, source).apply(value);
    } catch (const core::InputError& mistakes) {
      for (core::Diagnostic mistake : mistakes.diagnostics()) {
        mistake.file = source;
        mistake.line = 0;
        diagnostics.add(std::move(mistake));
      }
    }
  }
}

}  // namespace trammel::io
