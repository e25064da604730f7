#include "trammel/io/model_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trammel/expression/callables.h"
#include "trammel/expression/units.h"
#include "trammel/io/body_reader.h"
#include "trammel/io/item_reader.h"
#include "trammel/io/parameters.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"
#include "trammel/io/text_file.h"
#include "trammel/model/kinds.h"

namespace trammel::io {
namespace {

/// Reads the sections of a file one after the other into a description.
class ModelReader {
 public:
  ModelReader(const Tree& tree, const Vocabulary& vocabulary, core::Diagnostics& diagnostics)
      : root_(resolved(*tree.root)), vocabulary_(vocabulary), reader_(tree, diagnostics) {}

  /// Nothing when the file is so wrong that a check of its content would only confuse.
  std::optional<model::Description> read() {
    if (root_.kind != NodeKind::map) {
      reader_.error(root_, top_, fmt::format("the file holds {}", shown(root_)),
                    "a model file starts with 'trammel: 1', 'space: planar' and 'bodies:'");
      return std::nullopt;
    }
    if (!read_version() || !read_space()) return std::nullopt;
    SectionReader section(reader_, root_, top_, find_section("model"));
    read_parameters();
    description_.name = section.text("name").value_or("");
    section.text("description");
    description_.gravity = section.vector("gravity").value_or(Eigen::Vector3d::Zero());
    read_ground();
    read_bodies();
    read_items_of("joints", "joint", vocabulary_.joints, description_.joints);
    read_items_of("forces", "force", vocabulary_.forces, description_.forces);
    if (const Node* node = section.find("simulation")) {
      description_.simulation =
          read_simulation(reader_, *node, Path{&top_, "simulation"}, vocabulary_);
    }
    return std::move(description_);
  }

 private:
  const Node* find(std::string_view key) const {
    const Entry* entry = root_.find(key);
    return entry == nullptr ? nullptr : entry->value;
  }

  bool read_version() {
    const Node* node = find("trammel");
    const Path path{&top_, "trammel"};
    if (node == nullptr) return true;  // Reported with the other required keys.
    if (resolved(*node).text == "1") return true;
    reader_.error(*node, path, fmt::format("{} is not a version of the format", shown(*node)),
                  "write 'trammel: 1', or get a newer Trammel");
    return false;
  }

  bool read_space() {
    const Node* node = find("space");
    const Path path{&top_, "space"};
    if (node == nullptr) {
      reader_.error(root_, path, "'space' is missing", "write 'space: planar' or 'space: spatial'");
      return false;
    }
    const auto space = reader_.choice(*node, path, {"planar", "spatial"});
    if (!space) return false;
    description_.space = *space == "planar" ? model::Space::planar : model::Space::spatial;
    reader_.set_space(description_.space);
    return true;
  }

  bool check_parameter_name(const Node& map, const Entry& entry, const Path& path) {
    if (!reader_.check_name(map, entry, path)) return false;
    const std::string& name = entry.key;
    const auto refuse = [&](const std::string& why) {
      reader_.error_at_key(map, entry, path, why, "choose another name, e.g. " + name + "_1");
      return false;
    };
    if (!is_identifier(name)) {
      return refuse(fmt::format("'{}' cannot be used in expressions", name));
    }
    if (const expression::Unit* unit = expression::find_unit(name)) {
      return refuse(fmt::format("'{}' is a unit ({})", name, unit->meaning));
    }
    const auto& functions = expression::reserved_names();
    if (std::find(functions.begin(), functions.end(), name) != functions.end()) {
      return refuse(fmt::format("'{}' is a function or constant", name));
    }
    return true;
  }

  void read_parameters() {
    const Node* node = find("parameters");
    const Path path{&top_, "parameters"};
    if (node == nullptr || !is_named_map(reader_, *node, path, "crank_length: 150 mm")) return;
    const Node& map = resolved(*node);
    std::vector<ParameterDefinition> definitions;
    std::vector<const Node*> values;
    for (const Entry& entry : map.entries) {
      const Path entry_path{&path, entry.key};
      const Node& value = resolved(*entry.value);
      if (!check_parameter_name(map, entry, entry_path)) continue;
      if (value.kind != NodeKind::scalar) {
        reader_.error(value, entry_path,
                      fmt::format("{} is given where a number belongs", shown(value)),
                      "give a number, one with a unit, or an expression");
      }
      definitions.push_back({entry.key, value.text, value.kind == NodeKind::scalar});
      values.push_back(&value);
    }
    std::vector<ParameterError> errors;
    Quantities quantities = evaluate_parameters(definitions, errors);
    for (const ParameterError& mistake : errors) {
      reader_.error(*values[mistake.definition], Path{&path, definitions[mistake.definition].name},
                    mistake.error);
    }
    reader_.set_parameters(std::move(quantities));
  }

  void read_ground() {
    const Node* node = find("ground");
    if (node == nullptr) return;
    const Path path{&top_, "ground"};
    const SectionReader section(reader_, *node, path, find_section("ground"));
    if (const Node* frames = section.find("frames")) {
      description_.ground_frames = read_frames(reader_, *frames, Path{&path, "frames"});
    }
  }

  void read_bodies() {
    const Node* node = find("bodies");
    const Path path{&top_, "bodies"};
    if (node == nullptr || !is_named_map(reader_, *node, path, "crank: {mass: 1 kg, ...}")) return;
    const Node& map = resolved(*node);
    description_.bodies.reserve(map.entries.size());
    for (const Entry& entry : map.entries) {
      const Path body_path{&path, entry.key};
      if (!reader_.check_name(map, entry, body_path)) continue;
      description_.bodies.push_back(read_body(reader_, entry.key, *entry.value, body_path));
    }
  }

  void read_items_of(std::string_view key,
                     std::string_view section,
                     const std::vector<Kind>& kinds,
                     std::vector<model::Item>& items) {
    const Node* node = find(key);
    if (node == nullptr) return;
    items = read_items(reader_, *node, Path{&top_, key}, find_section(section), kinds);
  }

  const Node& root_;
  const Vocabulary& vocabulary_;
  Reader reader_;
  Path top_;
  model::Description description_;
};

/// One path is the other or lies in it: "bodies.crank" and "bodies.crank.mass".
bool related(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  if (a.substr(0, shorter) != b.substr(0, shorter)) return false;
  const std::string_view longer = a.size() > b.size() ? a : b;
  return longer.size() == shorter || longer[shorter] == '.';
}

/// Adds what the checks of the model found, except consequences of mistakes that are known. Errors
/// go first, since the list is limited: nobody reads thousands of messages.
void add_checks(const core::Diagnostics& checks, core::Diagnostics& diagnostics) {
  const std::vector<core::Diagnostic> known = diagnostics.list();
  for (const core::Severity severity : {core::Severity::error, core::Severity::warning}) {
    for (const core::Diagnostic& diagnostic : checks.list()) {
      if (diagnostics.list().size() >= most_mistakes) return;
      const bool told = std::any_of(known.begin(), known.end(), [&](const core::Diagnostic& other) {
        return related(other.path, diagnostic.path);
      });
      if (diagnostic.severity == severity && !told) diagnostics.add(diagnostic);
    }
  }
}

std::optional<model::Description> read_and_check(const Tree& tree,
                                                 const Vocabulary& vocabulary,
                                                 core::Diagnostics& diagnostics) {
  try {
    std::optional<model::Description> description =
        ModelReader(tree, vocabulary, diagnostics).read();
    if (!description) return std::nullopt;
    core::Diagnostics checks;
    model::check(*description, checks);
    add_checks(checks, diagnostics);
    return description;
  } catch (const TooManyMistakes&) {
    return std::nullopt;
  }
}

/// Says so when the list of mistakes is full.
void add_note_when_full(std::vector<core::Diagnostic>& list, const std::string& name) {
  if (list.size() < most_mistakes) return;
  const bool errors = std::any_of(list.begin(), list.end(), [](const core::Diagnostic& each) {
    return each.severity == core::Severity::error;
  });
  list.push_back({errors ? core::Severity::error : core::Severity::warning,
                  {},
                  fmt::format("there are {} messages or more", most_mistakes),
                  "mend these first; the others are not shown",
                  name,
                  0,
                  0});
}

Node* find_step(const Node& node, std::string_view step, const Entry*& entry) {
  const Node& here = resolved(node);
  entry = nullptr;
  if (here.kind == NodeKind::map) {
    entry = here.find(step);
  } else if (here.kind == NodeKind::sequence && !step.empty() && step.size() < 9 &&
             std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const std::size_t number = std::stoul(std::string(step));
    if (number >= 1 && number <= here.entries.size()) entry = &here.entries[number - 1];
  }
  return entry == nullptr ? nullptr : entry->value;
}

}  // namespace

void ModelFile::locate(core::Diagnostic& diagnostic) const {
  if (!diagnostic.file.empty() || !tree || tree->root == nullptr) return;
  diagnostic.file = tree->sources.front();
  const Node* node = tree->root;
  Mark mark = node->mark;
  int source = node->source;
  for (std::size_t start = 0; start <= diagnostic.path.size() && !diagnostic.path.empty();) {
    const std::size_t dot = std::min(diagnostic.path.find('.', start), diagnostic.path.size());
    const Entry* entry = nullptr;
    const Node* next =
        find_step(*node, std::string_view(diagnostic.path).substr(start, dot - start), entry);
    if (next == nullptr) break;
    // A value beside its key is shown itself; a block below its key is shown by the key.
    const bool beside = entry->key_mark.line == 0 || next->mark.line == entry->key_mark.line;
    mark = beside ? next->mark : entry->key_mark;
    source = next->source;
    node = next;
    start = dot + 1;
  }
  diagnostic.file = tree->sources[static_cast<std::size_t>(source)];
  if (source != 0) return;
  diagnostic.line = mark.line;
  diagnostic.column = mark.column;
}

ModelFile read_model_text(std::string text,
                          const std::string& name,
                          const Vocabulary& vocabulary,
                          const ReadOptions& options) {
  ModelFile file;
  file.path = name;
  file.text = text;
  core::Diagnostics diagnostics;
  auto tree = std::make_shared<Tree>(parse_tree(std::move(text), name, diagnostics));
  file.tree = tree;
  if (tree->root == nullptr) {
    throw core::InputError(
        {core::Diagnostic{core::Severity::error,
                          {},
                          "the file is empty",
                          "a model file starts with 'trammel: 1', 'space: planar' and 'bodies:'",
                          name,
                          0,
                          0}});
  }
  if (tree->root->kind == NodeKind::map) apply_overrides(options.overrides, *tree, diagnostics);
  std::optional<model::Description> description = read_and_check(*tree, vocabulary, diagnostics);
  std::vector<core::Diagnostic> found = diagnostics.list();
  for (core::Diagnostic& diagnostic : found) file.locate(diagnostic);
  // In the order of the text, as people mend it; those without a line come first.
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  add_note_when_full(found, name);
  if (diagnostics.has_errors()) throw core::InputError(std::move(found));
  file.warnings = std::move(found);
  file.description = std::move(*description);
  if (file.description.name.empty()) {
    file.description.name = std::filesystem::path(file.path).stem().string();
  }
  return file;
}

ModelFile read_model_file(const std::string& path,
                          const Vocabulary& vocabulary,
                          const ReadOptions& options) {
  return read_model_text(read_text_file(path), path, vocabulary, options);
}

}  // namespace trammel::io
