// The commands and options as plain data, the same for every shell.
#pragma once

#include <string>
#include <vector>

#include "interface.h"

namespace trammel::cli {

struct OptionEntry {
  std::vector<std::string> short_names;  ///< without '-'
  std::vector<std::string> long_names;   ///< without '--'
  std::string description;               ///< its first line
  bool takes_value = false;
  bool may_repeat = false;
  Completion completion;

  /// "-o", "--output"
  std::vector<std::string> words() const;
};

struct ArgumentEntry {
  std::string name;
  bool may_repeat = false;
  Completion completion;
};

struct CommandEntry {
  std::string name;
  std::string description;  ///< its first line
  std::vector<OptionEntry> options;
  std::vector<ArgumentEntry> arguments;
};

/// The program itself is the first entry, with the global options.
std::vector<CommandEntry> command_tree(const Interface& interface);

/// The text in single quotes, as all three shells read it.
std::string shell_quoted(const std::string& text);

}  // namespace trammel::cli
