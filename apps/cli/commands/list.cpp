// trammel list: everything a model file may name, each with one line.
#include <algorithm>
#include <functional>

#include "commands/commands.h"
#include "printing.h"
#include "terminal.h"
#include "usage_errors.h"
#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/core/json_string.h"
#include "trammel/expression/units.h"
#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/kinds.h"
#include "trammel/model/other_words.h"

namespace trammel::cli {
namespace {

struct ListOptions {
  std::string what;
  bool json = false;
};

const std::vector<std::string>& topics() {
  static const std::vector<std::string> list{"joints",      "forces",  "flexible",
                                             "couplings",   "drives",  "sensors",
                                             "integrators", "solvers", "units"};
  return list;
}

/// Formulations of bodies that bend, with the elements that they have.
std::vector<io::Kind> formulations() {
  std::vector<io::Kind> kinds;
  for (const model::FlexibleKind& kind : model::flexible_kinds()) {
    kinds.push_back(
        {.name = kind.name,
         .summary = fmt::format("{}; elements {}", kind.summary, fmt::join(kind.elements, ", ")),
         .space = kind.space});
  }
  return kinds;
}

std::vector<io::Kind> kinds_of(const std::string& topic) {
  if (topic == "flexible") return formulations();
  const io::Vocabulary vocabulary = full_vocabulary();
  if (topic == "joints") return vocabulary.joints;
  if (topic == "forces") return vocabulary.forces;
  if (topic == "couplings") return vocabulary.couplings;
  if (topic == "drives") return vocabulary.drives;
  if (topic == "sensors") return vocabulary.sensors;
  if (topic == "integrators") return vocabulary.integrators;
  return vocabulary.solvers;
}

struct Line {
  std::string name;
  std::string space;
  std::string summary;
  std::string also = {};  ///< what others call it
};

/// Other words for kinds of joints, forces and integrators; a sensor may share their name.
std::vector<std::string> other_words(const std::string& kind, const std::string& topic) {
  if (topic != "joints" && topic != "forces" && topic != "integrators") return {};
  return model::other_words(kind);
}

/// "; also: pin, hinge"
std::string also_text(const std::string& kind, const std::string& topic) {
  const std::vector<std::string> words = other_words(kind, topic);
  return words.empty() ? "" : fmt::format("; also: {}", fmt::join(words, ", "));
}

// A kind that is the same in the plane and in space takes one line.
std::vector<Line> lines_of(const std::vector<io::Kind>& kinds, const std::string& topic) {
  std::vector<Line> lines;
  for (const io::Kind& kind : kinds) {
    const std::string space = kind.space ? model::to_string(*kind.space) : "";
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const Line& line) {
      return line.name == kind.name && line.summary == kind.summary;
    });
    if (same == lines.end()) {
      lines.push_back({kind.name, space, kind.summary, also_text(kind.name, topic)});
    } else {
      same->space += ", " + space;
    }
  }
  return lines;
}

std::string value_text(const expression::Unit& unit) {
  const std::string si = core::si_unit(unit.dimension);
  return fmt::format("{:.9g}{}{}", unit.size, si.empty() ? "" : " ", si);
}

std::vector<Line> unit_lines() {
  std::vector<Line> lines;
  for (const expression::Unit& unit : expression::units()) {
    lines.push_back({std::string(unit.name), value_text(unit), std::string(unit.meaning)});
  }
  return lines;
}

void print_topic(const std::string& topic) {
  const std::vector<Line> lines =
      topic == "units" ? unit_lines() : lines_of(kinds_of(topic), topic);
  std::size_t name_width = 0;
  std::size_t space_width = 0;
  for (const Line& line : lines) {
    name_width = std::max(name_width, line.name.size());
    space_width = std::max(space_width, line.space.size());
  }
  std::string title = topic;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  print_output("{}\n", output_style().bold(title));
  for (const Line& line : lines) {
    const std::string space =
        space_width == 0 ? "" : fmt::format("{:<{}}  ", line.space, space_width);
    print_output("  {:<{}}  {}{}{}\n", line.name, name_width, space, line.summary,
                 output_style().faint(line.also));
  }
}

// How the kind tells that it is mirrored; nothing where there is nothing to mirror.
std::string json_of_mirroring(const io::Kind& kind) {
  if (!kind.mirroring) return "";
  const model::Mirroring& mirroring = *kind.mirroring;
  std::string text = fmt::format(R"(, "mirrored": {})", mirroring.is_possible());
  if (!mirroring.unless().empty()) {
    text += fmt::format(R"(, "mirrored_without": {})", core::json_string(mirroring.unless()));
  } else if (!mirroring.is_possible()) {
    text += fmt::format(R"(, "not_mirrored_because": {})", core::json_string(mirroring.reason()));
  }
  return text;
}

// What a joint allows, and how it is drawn.
std::string json_of_joint(const model::JointKind& kind) {
  std::vector<std::string> chain;
  for (const model::ElementaryMotion& motion : kind.allows.chain()) {
    chain.push_back(core::json_string(model::to_string(motion)));
  }
  return fmt::format(
      R"(, "freedoms": {}, {}, "symbol": {})", kind.freedoms,
      kind.allows.is_chain()
          ? fmt::format(R"("allows": [{}])", fmt::join(chain, ", "))
          : fmt::format(R"("closes_loops_only": {})", core::json_string(kind.allows.no_chain())),
      core::json_string(model::to_string(kind.symbol)));
}

std::string json_of(const io::Kind& kind, const std::string& topic) {
  const std::string space =
      kind.space ? fmt::format(R"("space": {}, )", core::json_string(model::to_string(*kind.space)))
                 : "";
  std::string more = json_of_mirroring(kind);
  if (const std::vector<std::string> words = other_words(kind.name, topic); !words.empty()) {
    more += fmt::format(R"(, "also": ["{}"])", fmt::join(words, R"(", ")"));
  }
  if (topic == "joints") more += json_of_joint(*model::find_joint_kind(*kind.space, kind.name));
  return fmt::format(R"({{"name": {}, {}"summary": {}{}}})", core::json_string(kind.name), space,
                     core::json_string(kind.summary), more);
}

std::string json_of(const expression::Unit& unit) {
  return fmt::format(
      R"({{"name": {}, "size": {}, "si": {}, "summary": {}}})", core::json_string(unit.name),
      unit.size, core::json_string(core::si_unit(unit.dimension)), core::json_string(unit.meaning));
}

std::string json_topic(const std::string& topic) {
  std::vector<std::string> entries;
  if (topic == "units") {
    for (const expression::Unit& unit : expression::units()) entries.push_back(json_of(unit));
  } else {
    for (const io::Kind& kind : kinds_of(topic)) entries.push_back(json_of(kind, topic));
  }
  return fmt::format("  {}: [\n    {}\n  ]", core::json_string(topic),
                     fmt::join(entries, ",\n    "));
}

int run_list(const ListOptions& options) {
  std::vector<std::string> wanted = topics();
  if (options.what.empty()) {
    wanted.pop_back();  // units are no kinds, and many
  } else {
    check_word("list", options.what, topics());
    wanted = {options.what};
  }
  if (options.json) {
    std::vector<std::string> parts;
    parts.reserve(wanted.size());
    for (const std::string& topic : wanted) parts.push_back(json_topic(topic));
    print_output("{{\n{}\n}}\n", fmt::join(parts, ",\n"));
    return exit_ok;
  }
  for (const std::string& topic : wanted) {
    if (topic != wanted.front()) print_output("\n");
    print_topic(topic);
  }
  return exit_ok;
}

}  // namespace

void add_list(Interface& interface) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = add_command(
      interface, "Look things up", "list",
      "List every joint, force, formulation of flexible bodies, coupling, drive, sensor, "
      "integrator and solver, each with one line.",
      "trammel list                      # all of them\n"
      "trammel list joints\n"
      "trammel list units                # what may stand behind a number: mm, deg, rpm ...\n"
      "trammel list --json               # for other programs");
  CLI::Option* what =
      command->add_option("WHAT", options->what,
                          "joints, forces, flexible, couplings, drives, sensors, integrators, "
                          "solvers or units");
  interface.completions[what] = words(topics());
  command->add_flag("--json", options->json, "print JSON");
  set_action(interface, command, options, run_list);
}

}  // namespace trammel::cli
