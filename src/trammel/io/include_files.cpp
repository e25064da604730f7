#include "trammel/io/include_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/io/text_check.h"

namespace trammel::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1000;
constexpr std::size_t deepest_include = 32;
constexpr std::array merged_sections{"parameters", "bodies",     "joints",    "forces",
                                     "couplings",  "drives",     "sensors",   "states",
                                     "tables",     "assemblies", "instances", "connections",
                                     "flexible",   "materials",  "sections"};
constexpr std::array own_keys{"trammel", "space", "name", "description", "include", "ground"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

// A message quotes what it is about; lines of a file that is something else are nobody's business.
bool looks_like_a_model(std::string_view text) {
  const auto begins = [](std::string_view line, std::string_view key) {
    if (!line.empty() && (line.front() == '"' || line.front() == '\'')) line.remove_prefix(1);
    if (line.substr(0, key.size()) != key) return false;
    const std::size_t next = line.find_first_not_of(" \t\"'", key.size());
    return next != std::string_view::npos && line[next] == ':';
  };
  const auto any_key = [](const auto& test) {
    constexpr std::array others{"trammel", "space", "include",    "ground", "gravity",
                                "tree",    "start", "simulation", "report"};
    return std::any_of(merged_sections.begin(), merged_sections.end(), test) ||
           std::any_of(others.begin(), others.end(), test);
  };
  const std::size_t first = std::min(text.find_first_not_of(" \n"), text.size());
  if (text.substr(first, 1) == "{") {  // JSON
    return any_key([&](const char* key) {
      return text.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
    });
  }
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (any_key([&](const char* key) { return begins(line, key); })) return true;
    start = end + 1;
  }
  return false;
}

namespace {

class Includer {
 public:
  Includer(Tree& tree, SourceFiles& sources, core::Diagnostics& diagnostics)
      : tree_(tree), sources_(sources), diagnostics_(diagnostics) {
    open_.emplace_back(identity(tree.sources.front().name), tree.sources.front().name);
    read_.insert(open_.front().first);
  }

  void include_from(Node& root) {
    const Entry* entry = root.find("include");
    if (entry == nullptr) return;
    const Node& list = resolved(*entry->value);
    if (list.kind != NodeKind::sequence) {
      include(list);
      return;
    }
    for (const Entry& file : list.entries) include(resolved(*file.value));
  }

  std::vector<IncludedFile> files;

 private:
  /// The same for every way of writing a path.
  static std::string identity(const std::string& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : canonical.string();
  }

  void error(
      int source, const Mark& mark, std::string path, std::string message, std::string remedy) {
    const Source& from = tree_.sources[static_cast<std::size_t>(source)];
    diagnostics_.add({core::Severity::error, std::move(path), std::move(message), std::move(remedy),
                      from.name, from.is_file ? mark.line : 0, from.is_file ? mark.column : 0});
  }
  void error(const Node& node, std::string message, std::string remedy) {
    error(node.source, node.mark, "include", std::move(message), std::move(remedy));
  }

  void include(const Node& name) {
    if (name.kind != NodeKind::scalar || name.text.empty()) {
      error(name, "this is not the name of a file", "write e.g. include: [parts/wheel.yaml]");
      return;
    }
    const fs::path folder = fs::path(open_.back().second).parent_path();
    const std::string path = (folder / name.text).lexically_normal().string();
    const std::string id = identity(path);
    if (is_cyclic(name, id, path) || !read_.insert(id).second) return;
    if (read_.size() > most_files || open_.size() > deepest_include) {
      error(name, "too many files are included", "put parts that belong together into one file");
      return;
    }
    if (std::optional<std::string> text = content(name, path)) {
      open_.emplace_back(id, path);
      add(std::move(*text), path);
      open_.pop_back();
    }
  }

  bool is_cyclic(const Node& name, const std::string& id, const std::string& path) {
    const auto found = std::find_if(open_.begin(), open_.end(),
                                    [&](const auto& each) { return each.first == id; });
    if (found == open_.end()) return false;
    std::string chain;
    for (auto each = found; each != open_.end(); ++each) chain += each->second + " -> ";
    error(name, fmt::format("files include each other: {}{}", chain, path),
          "remove one of these includes");
    return true;
  }

  std::optional<std::string> content(const Node& name, const std::string& path) {
    try {
      std::string text = normalised_lines(sources_.read_text(path));
      if (looks_like_a_model(text)) return text;
      error(name, fmt::format("'{}' is no part of a model", path),
            "name a file with sections such as 'bodies:' or 'assemblies:'");
      return std::nullopt;
    } catch (const core::InputError& mistakes) {
      for (const core::Diagnostic& each : mistakes.diagnostics()) {
        error(name, each.message, each.remedy);
      }
      return std::nullopt;
    }
  }

  void add(std::string text, const std::string& path) {
    Node* parsed = parse_into(tree_, text, path, diagnostics_);
    const int source = static_cast<int>(tree_.sources.size()) - 1;
    files.push_back({path, std::move(text)});
    if (parsed == nullptr) return;
    Node& root = *parsed;
    if (root.kind != NodeKind::map) {
      error(source, root.mark, {}, "an included file holds keys with values",
            "write e.g. 'assemblies:'");
      return;
    }
    include_from(root);
    for (const Entry& entry : root.entries) take(entry, source);
  }

  void take(const Entry& entry, int source) {
    if (entry.key == "space" || entry.key == "trammel") {
      check_same(entry, source);
    } else if (contains(merged_sections, entry.key)) {
      merge(*own_map(*tree_.root, entry, source), *entry.value, entry.key, source);
    } else if (entry.key == "ground") {
      merge_ground(entry, source);
    } else if (!contains(own_keys, entry.key)) {
      std::vector<std::string> known(merged_sections.begin(), merged_sections.end());
      for (const char* key : own_keys) known.emplace_back(key);
      const bool of_the_model = entry.key == "gravity" || entry.key == "tree" ||
                                entry.key == "simulation" || entry.key == "start" ||
                                entry.key == "report";
      error(source, entry.key_mark, entry.key.substr(0, 64),
            of_the_model ? fmt::format("'{}' cannot be included", entry.key)
                         : fmt::format("unknown key '{}'", entry.key.substr(0, 64)),
            of_the_model ? "write it into the model file itself"
                         : core::suggestion(entry.key.substr(0, 64), known));
    }
  }

  void check_same(const Entry& entry, int source) {
    const Entry* own = tree_.root->find(entry.key);
    const Node& value = resolved(*entry.value);
    if (own == nullptr || resolved(*own->value).text == value.text) return;
    error(source, value.mark, entry.key,
          fmt::format("'{}' is '{}' here, but '{}' in the file that includes this one", entry.key,
                      value.text.substr(0, 60), resolved(*own->value).text.substr(0, 60)),
          "include files of the same kind");
  }

  void merge_ground(const Entry& ground, int source) {
    const Node& map = resolved(*ground.value);
    Node* own = own_map(*tree_.root, ground, source);
    for (const Entry& entry : map.entries) {
      if (entry.key == "frames") {
        merge(*own_map(*own, entry, source), *entry.value, "ground.frames", source);
      } else {
        error(source, entry.key_mark, "ground." + entry.key.substr(0, 64),
              fmt::format("unknown key '{}'", entry.key.substr(0, 64)), "known: frames");
      }
    }
  }

  /// The map under the key of `entry`: made when there is none, copied when aliases share it.
  Node* own_map(Node& parent, const Entry& entry, int source) {
    const auto found = std::find_if(parent.entries.begin(), parent.entries.end(),
                                    [&](const Entry& each) { return each.key == entry.key; });
    if (found == parent.entries.end()) {
      Node* fresh = &tree_.nodes.emplace_back();
      fresh->kind = NodeKind::map;
      fresh->source = source;
      fresh->mark = entry.value->mark;
      parent.entries.push_back({entry.key, entry.key_mark, entry.key_quoted, fresh, source});
      return fresh;
    }
    if (found->value->kind == NodeKind::alias || !found->value->anchor.empty()) {
      found->value = &tree_.nodes.emplace_back(resolved(*found->value));
      found->value->anchor.clear();
    }
    if (found->value->kind == NodeKind::null) found->value->kind = NodeKind::map;
    return found->value;
  }

  void merge(Node& own, const Node& added, const std::string& section, int source) {
    const Node& map = resolved(added);
    if (map.kind == NodeKind::null) return;
    if (map.kind != NodeKind::map || own.kind != NodeKind::map) {
      error(source, map.mark, section, "names with values belong here", "write name: value");
      return;
    }
    // Room first: the names below must not move.
    own.entries.reserve(own.entries.size() + map.entries.size());
    std::unordered_map<std::string_view, const Entry*> names;
    for (const Entry& entry : own.entries) names.emplace(entry.key, &entry);
    for (Entry entry : map.entries) {
      const auto clash = names.find(entry.key);
      if (clash != names.end()) {
        const Entry& first = *clash->second;
        const int from = first.source >= 0 ? first.source : own.source;
        error(source, entry.key_mark, section + "." + entry.key.substr(0, 64),
              "this name is given twice",
              fmt::format("the first one is in {}:{}; rename or remove one",
                          tree_.sources[static_cast<std::size_t>(from)].name, first.key_mark.line));
        continue;
      }
      if (entry.source < 0) entry.source = source;
      own.entries.push_back(std::move(entry));
    }
  }

  Tree& tree_;
  SourceFiles& sources_;
  core::Diagnostics& diagnostics_;
  std::vector<std::pair<std::string, std::string>> open_;  ///< identity and path, the file first
  std::set<std::string> read_;
};

}  // namespace

std::vector<IncludedFile> add_included_files(Tree& tree,
                                             SourceFiles& files,
                                             core::Diagnostics& diagnostics) {
  Includer includer(tree, files, diagnostics);
  includer.include_from(*tree.root);
  return std::move(includer.files);
}

}  // namespace trammel::io
