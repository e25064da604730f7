#include "completion/command_tree.h"
#include "completion/scripts.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

constexpr const char* zsh_head = R"script(#compdef trammel
# Completion of trammel for zsh, written by: trammel completion zsh

# The channels of the results file on the command line.
_trammel_channels() {
  local word
  for word in $words; do
    if [[ -f $word && $word == *.(h5|hdf5|csv) ]]; then
      compadd -- ${(f)"$(command trammel info $word --names 2> /dev/null)"}
      return
    fi
  done
}

)script";

// Inside of an argument description, ':' and brackets have a meaning.
std::string plain(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string zsh_offer(const Completion& completion) {
  switch (completion.kind) {
    case Completion::Kind::file:
      return fmt::format("_files -g \"*.({})\"", fmt::join(completion.words, "|"));
    case Completion::Kind::words:
      return fmt::format("({})", fmt::join(completion.words, " "));
    case Completion::Kind::channels:
      return "_trammel_channels";
    case Completion::Kind::nothing:
      break;
  }
  return " ";
}

// '(-o --output)'{-o,--output}'[description]:value:action'
std::string option_spec(const OptionEntry& option) {
  const std::vector<std::string> words = option.words();
  std::string text =
      option.may_repeat ? "'*'" : shell_quoted(fmt::format("({})", fmt::join(words, " ")));
  text += words.size() == 1 ? words.front() : fmt::format("{{{}}}", fmt::join(words, ","));
  std::string meaning = fmt::format("[{}]", plain(option.description));
  if (option.takes_value) meaning += fmt::format(":value:{}", zsh_offer(option.completion));
  return text + shell_quoted(meaning);
}

std::string argument_spec(const ArgumentEntry& argument, std::size_t number) {
  const std::string place = argument.may_repeat ? "*" : std::to_string(number + 1);
  return shell_quoted(
      fmt::format("{}:{}:{}", place, argument.name, zsh_offer(argument.completion)));
}

std::string zsh_branch(const CommandEntry& command) {
  std::string text = fmt::format("        {})\n          _arguments -s", command.name);
  for (const OptionEntry& option : command.options) {
    text += " \\\n            " + option_spec(option);
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    text += " \\\n            " + argument_spec(command.arguments[i], i);
  }
  return text + "\n          ;;\n";
}

}  // namespace

std::string zsh_script(const Interface& interface) {
  const std::vector<CommandEntry> tree = command_tree(interface);
  std::string commands;
  std::string branches;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    commands += "    " + shell_quoted(tree[i].name + ":" + plain(tree[i].description)) + "\n";
    branches += zsh_branch(tree[i]);
  }
  std::string options;
  for (const OptionEntry& option : tree.front().options) {
    options += "    " + option_spec(option) + " \\\n";
  }
  return std::string(zsh_head) +
         "_trammel() {\n  local context state line\n  local -a commands=(\n" + commands +
         "  )\n  _arguments -C \\\n" + options +
         "    '1:command:->command' \\\n    '*::argument:->argument'\n"
         "  case $state in\n"
         "    command) _describe command commands ;;\n"
         "    argument)\n      case $line[1] in\n" +
         branches +
         "      esac\n      ;;\n  esac\n}\n\n"
         "if [[ $funcstack[1] == _trammel ]]; then\n  _trammel \"$@\"\nelse\n"
         "  compdef _trammel trammel\nfi\n";
}

}  // namespace trammel::cli
