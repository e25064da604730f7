#include "completion/command_tree.h"
#include "completion/scripts.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

constexpr const char* bash_head =
    R"script(# Completion of trammel for bash, written by: trammel completion bash

# Files with one of the endings 'a|b', and folders.
_trammel_files() {
  local entry
  compopt -o filenames 2> /dev/null
  while IFS= read -r entry; do
    if [[ -d $entry || $entry =~ \.($1)$ ]]; then COMPREPLY+=("$entry"); fi
  done < <(compgen -f -- "$cur")
}

_trammel_words() {
  local entry
  while IFS= read -r entry; do COMPREPLY+=("$entry"); done < <(compgen -W "$1" -- "$cur")
}

# The channels of the results file on the command line.
_trammel_channels() {
  _trammel_words "$("${COMP_WORDS[0]}" info "${file/#\~/$HOME}" --names 2> /dev/null)"
}

# Finds the command, its first argument and how many arguments stand before the cursor. $1 holds
# the options that take a value, as command:option.
_trammel_look_around() {
  local i word skip=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((skip)); then
      skip=0
    elif [[ $word == -* ]]; then
      if [[ " $1 " == *" $command:$word "* ]]; then skip=1; fi
    elif [[ -z $command ]]; then
      command=$word
    else
      if ((position == 0)); then file=$word; fi
      position=$((position + 1))
    fi
  done
}

)script";

std::string bash_offer(const Completion& completion) {
  switch (completion.kind) {
    case Completion::Kind::file:
      return fmt::format("_trammel_files '{}'", fmt::join(completion.words, "|"));
    case Completion::Kind::words:
      return fmt::format("_trammel_words '{}'", fmt::join(completion.words, " "));
    case Completion::Kind::channels:
      return "_trammel_channels";
    case Completion::Kind::nothing:
      break;
  }
  return ":";
}

std::string option_words(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", fmt::join(option.words(), " "));
  }
  return text;
}

// "run:-o run:--output ...": options whose next word is their value.
std::string valued_options(const std::vector<CommandEntry>& tree) {
  std::string text;
  for (const CommandEntry& command : tree) {
    for (const OptionEntry& option : command.options) {
      if (!option.takes_value) continue;
      for (const std::string& word : option.words()) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", command.name, word);
      }
    }
  }
  return text;
}

std::string bash_branch(const CommandEntry& command) {
  std::string values;
  for (const OptionEntry& option : command.options) {
    if (!option.takes_value) continue;
    values += fmt::format("        {}) {}; return ;;\n", fmt::join(option.words(), " | "),
                          bash_offer(option.completion));
  }
  std::string arguments;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const ArgumentEntry& argument = command.arguments[i];
    arguments += fmt::format("        {}) {} ;;\n", argument.may_repeat ? "*" : std::to_string(i),
                             bash_offer(argument.completion));
  }
  return fmt::format("    {})\n", command.name) +
         (values.empty() ? "" : fmt::format("      case $previous in\n{}      esac\n", values)) +
         fmt::format(
             "      if [[ $cur == -* ]]; then\n        _trammel_words '{}'\n        return\n"
             "      fi\n",
             option_words(command)) +
         (arguments.empty() ? ""
                            : fmt::format("      case $position in\n{}      esac\n", arguments)) +
         "      ;;\n";
}

}  // namespace

std::string bash_script(const Interface& interface) {
  const std::vector<CommandEntry> tree = command_tree(interface);
  std::string commands = "help";
  std::string branches;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    commands += " " + tree[i].name;
    branches += bash_branch(tree[i]);
  }
  return std::string(bash_head) +
         fmt::format(
             "_trammel() {{\n"
             "  local cur=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
             "  local command= file= position=0\n"
             "  COMPREPLY=()\n"
             "  _trammel_look_around '{}'\n"
             "  case $command in\n"
             "    '') _trammel_words '{} {}' ;;\n"
             "    help) _trammel_words '{}' ;;\n"
             "{}"
             "  esac\n"
             "}}\n\n"
             "complete -F _trammel trammel\n",
             valued_options(tree), commands, option_words(tree.front()), commands, branches);
}

}  // namespace trammel::cli
