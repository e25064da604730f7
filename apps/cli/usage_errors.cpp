#include "usage_errors.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::App* command : app.get_subcommands({})) list.push_back(command->get_name());
  return list;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) list.push_back("--" + name);
    for (const std::string& name : option->get_snames()) list.push_back("-" + name);
  }
  return list;
}

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : parent->get_name() + " " + command.get_name();
}

// The message of the parser as a sentence of ours: "--until: 1 required TIME missing".
std::string in_our_words(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

// "--about: strat not in {equilibrium,start}": the value with the nearest known one.
void refuse_value(const CLI::App& command, const std::string& message) {
  static const std::regex pattern(R"((-[^:]*): (.*) not in \{(.*)\})");
  std::smatch found;
  if (!std::regex_match(message, found, pattern)) return;
  std::vector<std::string> known;
  std::stringstream list(found.str(3));
  for (std::string word; std::getline(list, word, ',');) known.push_back(word);
  throw core::InputError(
      fmt::format("{}: '{}' is no value of {}", full_name(command), found.str(2), found.str(1)),
      core::suggestion(found.str(2), known));
}

}  // namespace

void check_command(const Interface& interface, const std::string& word) {
  const std::vector<std::string> known = command_names(interface.app);
  const bool is_command = std::find(known.begin(), known.end(), word) != known.end();
  if (is_command || (word.size() > 1 && word.front() == '-')) return;
  std::error_code error;
  const std::string remedy = std::filesystem::is_regular_file(word, error)
                                 ? fmt::format("to simulate that file: trammel run {}", word)
                                 : core::suggestion(word, known);
  throw core::InputError(fmt::format("'{}' is no command", word), remedy);
}

void throw_usage_error(const Interface& interface, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(interface.app);
  const std::string see = fmt::format("see: {} --help", full_name(command));
  core::Diagnostics diagnostics;
  for (const std::string& word : interface.app.remaining(true)) {
    const std::string name = word.substr(0, word.find('='));
    if (word.size() > 1 && word.front() == '-') {
      const std::string near = core::nearest_name(name, option_names(command));
      diagnostics.error("", fmt::format("{} has no option '{}'", full_name(command), name),
                        near.empty() ? see : fmt::format("did you mean '{}'?", near));
    } else {
      diagnostics.error("", fmt::format("{} has no use for '{}'", full_name(command), word), see);
    }
  }
  diagnostics.throw_if_errors();
  const std::string message = in_our_words(error.what());
  refuse_value(command, message);
  throw core::InputError(fmt::format("{}: {}", full_name(command), message), see);
}

void check_word(const std::string& what,
                const std::string& word,
                const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  throw core::InputError(fmt::format("there is no {} '{}'", what, word),
                         core::suggestion(word, known));
}

}  // namespace trammel::cli
