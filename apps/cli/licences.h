// The notices of everything that the program, its reports and the Python package contain.
#pragma once

#include <string>

namespace trammel::cli {

std::string licences();

}  // namespace trammel::cli
