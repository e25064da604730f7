// The program `trammel`: from the words of the command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace trammel::cli {

/// Exit codes: 0 all well, 1 the run failed, 2 the input (or the command line) was wrong.
int run_application(std::vector<std::string> arguments);

}  // namespace trammel::cli
