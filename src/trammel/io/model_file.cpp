#include "trammel/io/model_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "trammel/expression/compile.h"
#include "trammel/expression/scanner.h"
#include "trammel/io/item_reader.h"
#include "trammel/io/parameter_reader.h"
#include "trammel/io/parts_reader.h"
#include "trammel/io/rest_check.h"
#include "trammel/io/section_reader.h"
#include "trammel/io/table_reader.h"
#include "trammel/io/text_file.h"
#include "trammel/io/tree_reader.h"
#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::io {
namespace {

/// Reads the sections of a file one after the other into a description.
class ModelReader {
 public:
  ModelReader(Tree& tree,
              const Vocabulary& vocabulary,
              SourceFiles& files,
              core::Diagnostics& diagnostics)
      : tree_(tree),
        root_(resolved(*tree.root)),
        vocabulary_(vocabulary),
        reader_(tree, diagnostics, files) {}

  /// Nothing when the file is so wrong that a check of its content would only confuse.
  std::optional<model::Description> read(PartPlaces& places) {
    if (root_.kind != NodeKind::map) {
      reader_.error(root_, top_, fmt::format("the file holds {}", shown(root_)),
                    "a model file starts with 'trammel: 1', 'space: planar' and 'bodies:'");
      return std::nullopt;
    }
    if (!read_version() || !read_space()) return std::nullopt;
    SectionReader section(reader_, root_, top_, find_section("model"));
    read_parameters_of_model();
    description_.name = section.text("name").value_or("");
    section.text("description");
    description_.gravity = section.vector("gravity").value_or(Eigen::Vector3d::Zero());
    if (find("bodies") == nullptr && find("flexible") == nullptr && find("instances") == nullptr &&
        !include_is_wrong()) {
      const Key& bodies = find_key(find_section("model").keys, "bodies");
      reader_.error(root_, Path{&top_, bodies.name}, "'bodies' is missing",
                    "add it: " + bodies.description);
    }
    PartsReader(tree_, root_, reader_, vocabulary_, parameters_).read(description_, places);
    reader_.set_parameters(parameters_);
    reader_.set_reading_copies(false);
    for (const auto& [name, quantity] : parameters_) {
      if (quantity) description_.parameters.emplace(name, *quantity);
    }
    if (const Node* node = section.find("tables")) {
      const auto folder = std::filesystem::path(tree_.sources.front().name).parent_path();
      description_.tables = read_tables(reader_, *node, Path{&top_, "tables"}, folder.string());
    }
    if (const Node* node = section.find("tree")) {
      description_.tree = read_tree(reader_, *node, Path{&top_, "tree"});
    }
    if (const Node* node = section.find("simulation")) {
      description_.simulation =
          read_simulation(reader_, *node, Path{&top_, "simulation"}, vocabulary_);
    } else {
      Node nothing;
      nothing.kind = NodeKind::map;
      description_.simulation =
          read_simulation(reader_, nothing, Path{&top_, "simulation"}, vocabulary_);
    }
    section.choice("start");
    if (const Node* node = section.find("report")) check_report(*node);
    return std::move(description_);
  }

  /// Units of settings against the coordinates of a model without mistakes.
  void check_coordinate_settings(const model::Description& description) {
    if (reader_.coordinate_settings().empty()) return;
    std::vector<model::Quantity> channels;
    try {
      channels = model::compile(description)->observables();
    } catch (const core::InputError&) {
      return;  // told by whoever compiles it; functions of Python are added before that
    }
    std::map<std::string_view, std::string_view> units;
    for (const model::Quantity& each : channels) units[each.name] = each.unit;
    for (const CoordinateSetting& setting : reader_.coordinate_settings()) {
      auto unit = units.find(setting.coordinate);
      if (unit == units.end()) unit = units.find(without_prefix(setting.coordinate, units));
      if (unit == units.end() || (unit->second != "m" && unit->second != "rad")) continue;
      core::Dimension wanted = unit->second == "m" ? setting.along_length : setting.along_angle;
      const expression::Quantity given{
          .value = 1.0, .dimension = setting.given, .any_angle = setting.any_angle};
      const std::string wanted_unit = core::si_unit(wanted);
      if (given.fits(wanted)) continue;
      wanted.angle = 0;  // N m s along an angle means N m s/rad
      if (unit->second == "rad" && given.fits(wanted)) continue;
      reader_.error(*setting.node, Path{nullptr, setting.path},
                    fmt::format("{} is in {}, but {} is in {}", shown(*setting.node),
                                core::si_unit(setting.given), setting.coordinate, unit->second),
                    fmt::format("give a value in {}, or a unit of the same kind", wanted_unit));
    }
  }

 private:
  /// Names outside of a sub-assembly are written without its prefix.
  static std::string_view without_prefix(
      const std::string& name, const std::map<std::string_view, std::string_view>& known) {
    std::string_view rest = name;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      rest = rest.substr(dot + 1);
      if (known.contains(rest)) break;
    }
    return rest;
  }

  // What presentation.h gives later.
  void check_report(const Node& node) {
    const Path path{&top_, "report"};
    SectionReader section(reader_, node, path, find_section("report"));
    section.texts("plots");
    for (const std::string& unit : section.texts("units").value_or(std::vector<std::string>{})) {
      try {
        expression::evaluate_unit(unit);
      } catch (const expression::ExpressionError& mistake) {
        reader_.error(*section.find("units"), Path{&path, "units"},
                      fmt::format("'{}': {}", expression::clipped(unit), mistake.message),
                      mistake.remedy);
      }
    }
  }

  const Node* find(std::string_view key) const {
    const Entry* entry = root_.find(key);
    return entry == nullptr ? nullptr : entry->value;
  }

  // The bodies may stand in a file that could not be read, which is told.
  bool include_is_wrong() const {
    const auto& list = reader_.diagnostics().list();
    return std::any_of(list.begin(), list.end(), [](const core::Diagnostic& each) {
      return each.severity == core::Severity::error && each.path == "include";
    });
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

  void read_parameters_of_model() {
    const Node* node = find("parameters");
    if (node == nullptr) return;
    parameters_ = read_parameters(reader_, *node, Path{&top_, "parameters"});
    reader_.set_parameters(parameters_);
  }

  Tree& tree_;
  const Node& root_;
  const Vocabulary& vocabulary_;
  Reader reader_;
  Quantities parameters_;
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

/// Adds what the checks of the model found, except consequences of mistakes that are known. Copies
/// of a sub-assembly share their places: a mistake is told for the first of them. Warnings wait
/// until there are no errors, since many of them are consequences.
void add_checks(const core::Diagnostics& checks,
                const ModelFile& file,
                core::Diagnostics& diagnostics) {
  std::vector<core::Diagnostic> known = diagnostics.list();
  std::erase_if(
      known, [](const core::Diagnostic& each) { return each.severity != core::Severity::error; });
  std::map<std::tuple<std::string, int, int>, std::string> told;  // path by place
  for (const core::Severity severity : {core::Severity::error, core::Severity::warning}) {
    if (severity == core::Severity::warning && diagnostics.has_errors()) return;
    for (core::Diagnostic diagnostic : checks.list()) {
      if (diagnostics.list().size() >= most_mistakes) return;
      // That there is no body at all may be due to an instance that could not be made.
      const bool empty = diagnostic.path == "bodies" && !known.empty();
      if (diagnostic.severity != severity || empty) continue;
      if (std::any_of(known.begin(), known.end(), [&](const core::Diagnostic& other) {
            return related(other.path, diagnostic.path);
          })) {
        continue;
      }
      file.locate(diagnostic);
      const auto [first, fresh] =
          told.try_emplace({diagnostic.file, diagnostic.line, diagnostic.column}, diagnostic.path);
      const bool copy =
          !fresh && first->second != diagnostic.path && file.is_in_instance(diagnostic.path);
      if (!copy) diagnostics.add(std::move(diagnostic));
    }
  }
}

std::optional<model::Description> read_and_check(Tree& tree,
                                                 const Vocabulary& vocabulary,
                                                 SourceFiles& files,
                                                 ModelFile& file,
                                                 core::Diagnostics& diagnostics) {
  try {
    auto places = std::make_shared<PartPlaces>();
    ModelReader reader(tree, vocabulary, files, diagnostics);
    std::optional<model::Description> description = reader.read(*places);
    file.places = places;
    if (!description) return std::nullopt;
    core::Diagnostics checks;
    model::check(*description, checks);
    add_checks(checks, file, diagnostics);
    if (diagnostics.has_errors()) {
      core::Diagnostics more;
      for (core::Diagnostic& mistake : mistakes_of_rest(*description, diagnostics.list())) {
        more.add(std::move(mistake));
      }
      add_checks(more, file, diagnostics);
    } else {
      reader.check_coordinate_settings(*description);
    }
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

std::size_t ModelFile::place_of(const std::string& path, const PartPlace*& place) const {
  place = nullptr;
  if (!places || places->empty()) return 0;
  for (std::size_t end = path.size(); end != std::string::npos && end > 0;
       end = path.rfind('.', end - 1)) {
    const auto found = places->find(path.substr(0, end));
    if (found == places->end()) continue;
    place = &found->second;
    return end;
  }
  return 0;
}

bool ModelFile::is_in_instance(const std::string& path) const {
  const PartPlace* place = nullptr;
  return place_of(path, place) > 0;
}

void ModelFile::locate(core::Diagnostic& diagnostic) const {
  if (!diagnostic.file.empty() || !tree || tree->root == nullptr) return;
  const Node* node = tree->root;
  Mark mark = node->mark;
  int source = node->source;
  // A value beside its key is shown itself; a block below its key is shown by the key.
  const auto go_to = [&](const Node* next, const Mark& key_mark) {
    const bool beside = key_mark.line == 0 || next->mark.line == key_mark.line;
    mark = beside ? next->mark : key_mark;
    source = next->source;
    node = next;
  };
  const std::string& path = diagnostic.path;
  const PartPlace* place = nullptr;
  std::size_t start = place_of(path, place);
  if (place != nullptr) {
    go_to(place->value, place->key_mark);
    ++start;
  }
  while (start <= path.size() && !path.empty()) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    const Entry* entry = nullptr;
    const Node* next = find_step(*node, std::string_view(path).substr(start, dot - start), entry);
    if (next == nullptr) break;
    go_to(next, entry->key_mark);
    start = dot + 1;
  }
  const Source& from = tree->sources[static_cast<std::size_t>(source)];
  diagnostic.file = from.name;
  if (!from.is_file) return;
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
  file.allow_outside = options.allow_outside;
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
  SourceFiles files(name, options.allow_outside);
  if (tree->root->kind == NodeKind::map) {
    file.included = add_included_files(*tree, files, diagnostics);
    apply_overrides(options.overrides, *tree, diagnostics);
  }
  std::optional<model::Description> description =
      read_and_check(*tree, vocabulary, files, file, diagnostics);
  file.sources = files.list();
  std::vector<core::Diagnostic> found = diagnostics.list();
  for (core::Diagnostic& diagnostic : found) file.locate(diagnostic);
  // In the order of the text, as people mend it; those without a line come first.
  // Included files follow.
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return std::tuple(a.file != name, a.line, a.column) <
           std::tuple(b.file != name, b.line, b.column);
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
