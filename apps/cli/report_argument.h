// Reports that commands write: where they go and what they say about their origin.
#pragma once

#include <string>
#include <vector>

namespace trammel::cli {

/// "out/crank.html" for "out/crank.h5".
std::string report_beside(const std::string& results);

/// The command that makes the same run again, quoted for a shell. `assignments` are those of --set.
std::string reproduction_command(const std::string& model,
                                 const std::vector<std::string>& assignments);

}  // namespace trammel::cli
