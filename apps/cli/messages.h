// Errors and warnings on standard error, each with its context and remedy.
#pragma once

#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"

namespace trammel::cli {

/// Prints each as "file:line:column: error: path: message; remedy", followed by the line of the
/// file with a caret where it is known. At most fifty are shown; the rest is counted.
void print(const std::vector<core::Diagnostic>& diagnostics);

/// "trammel: error: message; remedy"
void print_error(const std::string& message, const std::string& remedy = {});
void print_warning(const std::string& message, const std::string& remedy = {});

}  // namespace trammel::cli
