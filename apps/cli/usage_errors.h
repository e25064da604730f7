// Mistakes on the command line itself, with "did you mean". All are InputErrors (exit code 2).
#pragma once

#include <string>

#include "interface.h"

namespace trammel::cli {

/// Throws when the first word is neither an option nor a command.
void check_command(const Interface& interface, const std::string& word);

/// Translates a complaint of the parser.
[[noreturn]] void throw_usage_error(const Interface& interface, const CLI::ParseError& error);

/// One of `known`, or an InputError that names the nearest. `what` is "list", "starter", ...
void check_word(const std::string& what,
                const std::string& word,
                const std::vector<std::string>& known);

}  // namespace trammel::cli
