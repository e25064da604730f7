#include "help.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "terminal.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

using TermAndMeaning = std::pair<std::string, std::string>;

constexpr std::size_t widest_term = 26;

std::size_t line_width() {
  return std::min(terminal_width(), widest_line);
}

// Two columns: terms and what they mean. A long term has a line of its own.
std::string table(const std::vector<TermAndMeaning>& rows, std::size_t narrowest = 0) {
  std::size_t width = narrowest;
  for (const TermAndMeaning& row : rows) width = std::max(width, row.first.size());
  width = std::min(width, widest_term);
  const std::size_t indent = width + 4;
  std::string out;
  for (const auto& [term, meaning] : rows) {
    const bool alone = term.size() > width;
    out += fmt::format("  {:<{}}", term, width);
    out += alone ? "\n" + std::string(indent, ' ') : "  ";
    out += wrap_text(meaning, line_width(), indent) + "\n";
  }
  return out;
}

std::string heading(const std::string& title) {
  return "\n" + output_style().bold(title) + "\n";
}

// "-o, --output FILE", with room for the short name so that long names stand below each other.
std::string term(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string out = option.get_snames().empty() ? "    " : "-" + option.get_snames().front() + ", ";
  for (const std::string& name : option.get_lnames()) {
    if (&name != &option.get_lnames().front()) out += ", ";
    out += "--" + name;
  }
  if (option.get_items_expected_max() > 0) out += " " + option.get_type_name();
  return out;
}

std::vector<TermAndMeaning> rows(const std::vector<const CLI::Option*>& options) {
  std::vector<TermAndMeaning> list;
  list.reserve(options.size());
  for (const CLI::Option* option : options) {
    list.emplace_back(term(*option), option->get_description());
  }
  return list;
}

std::string usage(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  std::string out = parent == nullptr ? app.get_name() : parent->get_name() + " " + app.get_name();
  if (!app.get_subcommands({}).empty()) return out + " COMMAND [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = option->get_name(true);
    if (option->get_expected_max() > 1) name += "...";
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  return out + " [OPTIONS]";
}

std::string option_groups(const CLI::App& app) {
  std::string out;
  const auto arguments =
      app.get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (!arguments.empty()) out += heading("Arguments") + table(rows(arguments));
  // CLI11 lists the help option first; people look for it last.
  std::vector<std::string> groups = app.get_groups();
  if (!groups.empty()) std::rotate(groups.begin(), groups.begin() + 1, groups.end());
  for (const std::string& group : groups) {
    const auto options = app.get_options([&](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!options.empty()) out += heading(group) + table(rows(options));
  }
  return out;
}

std::string commands(const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (std::find(groups.begin(), groups.end(), command->get_group()) == groups.end()) {
      groups.push_back(command->get_group());
    }
  }
  std::size_t width = 0;
  for (const CLI::App* command : app.get_subcommands({})) {
    width = std::max(width, command->get_name().size());
  }
  std::string out;
  for (const std::string& group : groups) {
    std::vector<TermAndMeaning> list;
    for (const CLI::App* command : app.get_subcommands({})) {
      if (command->get_group() != group) continue;
      const std::string& description = command->get_description();
      list.emplace_back(command->get_name(), description.substr(0, description.find('\n')));
    }
    out += heading(group) + table(list, width);
  }
  return out;
}

// Examples are lines "command   # what it does"; the remarks are faint.
std::string examples(const std::string& text) {
  std::string out = heading("Examples");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t remark = line.find("  #");
    out += "  " + line.substr(0, remark);
    if (remark != std::string::npos) out += output_style().faint(line.substr(remark));
    out += "\n";
  }
  return out;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app,
                                     std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  std::string out = wrap_text(app->get_description(), line_width(), 0) + "\n";
  out += heading("Usage") + "  " + usage(*app) + "\n";
  out += commands(*app);
  out += option_groups(*app);
  if (!app->get_footer().empty()) out += examples(app->get_footer());
  return out;
}

}  // namespace trammel::cli
