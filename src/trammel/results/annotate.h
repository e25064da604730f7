// Texts added to a results file after the run has ended.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace trammel::results {

/// Adds to RunInformation::more of a finished file, HDF5 or CSV; texts that were there under the
/// same names are replaced. Everything else stays as it is. InputError when it is no results file;
/// RunError when it cannot be written.
void annotate(const std::filesystem::path& path, const std::map<std::string, std::string>& texts);

}  // namespace trammel::results
