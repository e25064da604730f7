// Completion scripts of the shells, made from the tree of commands and options.
#pragma once

#include <string>

#include "interface.h"

namespace trammel::cli {

std::string bash_script(const Interface& interface);
std::string zsh_script(const Interface& interface);
std::string fish_script(const Interface& interface);

}  // namespace trammel::cli
