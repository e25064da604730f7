#include "completion/command_tree.h"

namespace trammel::cli {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

CommandEntry entry_of(const Interface& interface, const CLI::App& app) {
  CommandEntry entry{app.get_name(), first_line(app.get_description()), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    const bool many = option->get_expected_max() > 1;
    const Completion& completion = interface.completion(option);
    if (option->get_positional()) {
      entry.arguments.push_back({option->get_name(true), many, completion});
    } else {
      entry.options.push_back({option->get_snames(), option->get_lnames(),
                               first_line(option->get_description()),
                               option->get_items_expected_max() > 0, many, completion});
    }
  }
  return entry;
}

}  // namespace

std::vector<std::string> OptionEntry::words() const {
  std::vector<std::string> list;
  for (const std::string& name : short_names) list.push_back("-" + name);
  for (const std::string& name : long_names) list.push_back("--" + name);
  return list;
}

std::vector<CommandEntry> command_tree(const Interface& interface) {
  std::vector<CommandEntry> tree{entry_of(interface, interface.app)};
  for (const CLI::App* command : interface.app.get_subcommands({})) {
    tree.push_back(entry_of(interface, *command));
  }
  return tree;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

}  // namespace trammel::cli
