// The report: one HTML file that needs nothing but a browser.
#pragma once

#include <filesystem>
#include <string>

#include "trammel/report/pack.h"

namespace trammel::report {

/// The page with everything in it. Its content security policy forbids any connection. Without a
/// viewer in this build, the page says so, tells how to build it, and shows the run's data as text.
std::string page(const std::string& title, const Pack& pack);

/// The page for `trammel view`: without data, which it gets from the server it came from.
std::string served_page(const std::string& title);

/// Writes the report of a run. An existing file is refused unless `overwrite`; InputError
/// then, RunError when the report cannot be written.
void write_report(const std::filesystem::path& path,
                  const ThinnedRun& run,
                  const RunNotes& notes = {},
                  bool overwrite = false);
void write_report(const std::filesystem::path& path,
                  const results::Table& table,
                  const RunNotes& notes = {},
                  bool overwrite = false);

}  // namespace trammel::report
