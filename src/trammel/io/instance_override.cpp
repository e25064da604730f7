#include "trammel/io/instance_override.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::io {
namespace {

constexpr std::array overridable_sections{"bodies", "joints",    "forces",  "couplings",
                                          "drives", "sensors",   "states",  "ground",
                                          "ports",  "instances", "flexible"};
constexpr std::size_t longest_shown_override = 64;

bool is_section(std::string_view name) {
  return std::find(overridable_sections.begin(), overridable_sections.end(), name) !=
         overridable_sections.end();
}

std::vector<std::string> steps_of_path(std::string_view path) {
  std::vector<std::string> steps;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    steps.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  steps.emplace_back(path);
  return steps;
}

std::string clipped_override(std::string_view text) {
  return std::string(text.substr(0, longest_shown_override));
}

std::vector<std::string> first_keys_of(const Node& map) {
  constexpr std::size_t most = 2000;
  std::vector<std::string> keys;
  for (const Entry& entry : map.entries) {
    if (keys.size() < most) keys.push_back(entry.key);
  }
  return keys;
}

class Change {
 public:
  Change(Tree& tree, Node& assembly, const Node& changes, const Entry& change)
      : tree_(tree),
        assembly_(assembly),
        change_(change),
        source_(change.source >= 0 ? change.source : changes.source),
        steps_(steps_of_path(change.key)) {}

  /// Throws core::InputError without place.
  void apply() {
    if (steps_.size() < 2 || !is_section(steps_[0])) {
      throw core::InputError(fmt::format("'{}' is no path to a value of the sub-assembly",
                                         clipped_override(change_.key)),
                             steps_[0] == "parameters"
                                 ? "give parameters under 'parameters' of the instance"
                                 : "begin with bodies, joints, forces, couplings, drives, "
                                   "sensors, states, ground, ports or "
                                   "instances");
    }
    Node* map = &assembly_;
    for (std::size_t k = 0; k + 1 < steps_.size(); ++k) {
      if (k == 2 && steps_[0] == "instances" && belongs_inside(*map)) {
        pass_on(*map);
        return;
      }
      map = step(*map, k);
    }
    Entry* entry = find(*map, steps_.back());
    if (entry != nullptr && resolved(*change_.value).kind == NodeKind::null) {
      map->entries.erase(map->entries.begin() + (entry - map->entries.data()));
      return;
    }
    if (entry != nullptr) {
      entry->value = change_.value;
      return;
    }
    // A key may be new, the name of a thing may not.
    const std::string& parent = steps_[steps_.size() - 2];
    const bool named = steps_.size() == 2 ? steps_[0] != "ground" : parent == "frames";
    if (named || map->kind != NodeKind::map) throw missing(*map, steps_.back());
    map->entries.push_back(
        {steps_.back(), change_.key_mark, change_.key_quoted, change_.value, source_});
  }

 private:
  static Entry* find(Node& node, const std::string& step) {
    if (node.kind == NodeKind::sequence) {
      const bool number =
          !step.empty() && step.size() < 9 &&
          std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
      const std::size_t index = number ? std::stoul(step) : 0;
      return index >= 1 && index <= node.entries.size() ? &node.entries[index - 1] : nullptr;
    }
    const auto found = std::find_if(node.entries.begin(), node.entries.end(),
                                    [&](const Entry& entry) { return entry.key == step; });
    return found == node.entries.end() ? nullptr : &*found;
  }

  core::InputError missing(const Node& map, const std::string& step) const {
    return core::InputError(fmt::format("there is no '{}' on the way of '{}'",
                                        clipped_override(step), clipped_override(change_.key)),
                            core::suggestion(clipped_override(step), first_keys_of(map)));
  }

  Node* step(Node& node, std::size_t k) {
    Entry* entry = find(node, steps_[k]);
    if (entry == nullptr && k == 2 && steps_[0] == "instances" &&
        (steps_[k] == "parameters" || steps_[k] == "place")) {
      // An instance may have been content with the defaults.
      Node* fresh = &tree_.nodes.emplace_back();
      fresh->kind = NodeKind::map;
      fresh->source = source_;
      fresh->mark = change_.value->mark;
      node.entries.push_back({steps_[k], change_.key_mark, false, fresh, source_});
      return fresh;
    }
    if (entry == nullptr) throw missing(node, steps_[k]);
    Node* copy = &tree_.nodes.emplace_back(resolved(*entry->value));
    copy->anchor.clear();
    if (!copy->is_collection()) {
      throw core::InputError(
          fmt::format("'{}' on the way of '{}' is no map", clipped_override(steps_[k]),
                      clipped_override(change_.key)),
          "name a key of a map");
    }
    entry->value = copy;
    return copy;
  }

  /// The path goes on in the sub-assembly of an inner instance.
  bool belongs_inside(Node& instance) {
    if (!is_section(steps_[2])) return false;
    Entry* own = find(instance, steps_[2]);
    return own == nullptr || steps_.size() < 4 || resolved(*own->value).find(steps_[3]) == nullptr;
  }

  void pass_on(Node& instance) {
    Entry* entry = find(instance, "override");
    Node* inner = &tree_.nodes.emplace_back();
    if (entry == nullptr) {
      inner->source = source_;
      inner->mark = change_.value->mark;
      instance.entries.push_back({"override", change_.key_mark, false, inner, source_});
    } else {
      *inner = resolved(*entry->value);
      inner->anchor.clear();
      entry->value = inner;
    }
    if (inner->kind == NodeKind::null) inner->kind = NodeKind::map;
    std::string path = steps_[2];
    for (std::size_t k = 3; k < steps_.size(); ++k) path += "." + steps_[k];
    if (Entry* same = find(*inner, path)) {
      same->value = change_.value;
    } else {
      inner->entries.push_back(
          {path, change_.key_mark, change_.key_quoted, change_.value, source_});
    }
  }

  Tree& tree_;
  Node& assembly_;
  const Entry& change_;
  int source_;
  std::vector<std::string> steps_;
};

}  // namespace

const Node* with_overrides(Tree& tree,
                           const Node& assembly,
                           const Node& changes,
                           const OverrideError& report) {
  Node* copy = &tree.nodes.emplace_back(resolved(assembly));
  copy->anchor.clear();
  for (const Entry& change : changes.entries) {
    try {
      Change(tree, *copy, changes, change).apply();
    } catch (const core::InputError& mistakes) {
      for (const core::Diagnostic& each : mistakes.diagnostics()) {
        report(change, each.message, each.remedy);
      }
    }
  }
  return copy;
}

}  // namespace trammel::io
