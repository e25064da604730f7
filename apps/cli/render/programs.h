// Other programs that a command makes use of: where they are, and running them.
#pragma once

#include <string>
#include <vector>

namespace trammel::cli {

/// The path of the first of these that the folders of PATH contain; empty when there is none.
std::string find_program(const std::vector<std::string>& names);

/// Runs a program to its end, without input and output. False when it did not end with 0.
bool run_program(const std::vector<std::string>& words);

}  // namespace trammel::cli
