// Reports that commands write: where they go and what they say about their origin.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/report/thinned_run.h"
#include "trammel/results/sink.h"

namespace trammel::cli {

/// "out/crank.html" for "out/crank.h5".
std::string report_beside(const std::string& results);

/// Names of files in results are relative to the folder in which their run was made. This notes
/// where `folder` is, seen from the folder of the file `results`, unless they are the same.
void note_folder(results::RunInformation& info,
                 const std::string& results,
                 const std::filesystem::path& folder);
/// That folder, as noted in the file `results`.
std::filesystem::path noted_folder(const results::RunInformation& info, const std::string& results);

/// The results, and the files of the model they were computed from as far as they tell: none of
/// these is to be written over.
std::vector<std::filesystem::path> inputs_behind(const std::string& results);

/// A word of a command line, in quotes where a shell needs them.
std::string shell_word(const std::string& text);

/// The command ("run", "modes") that makes the same results again, quoted for a shell.
/// `assignments` are those of --set.
std::string reproduction_command(const std::string& command,
                                 const std::string& model,
                                 const std::vector<std::string>& assignments);

/// Adds what there is to draw to what was read from `path`. Files written before results held a
/// scene get it from their model text; when that cannot be read any more, they stay without.
void add_scene(results::RunInformation& info,
               const std::filesystem::path& path,
               core::Diagnostics* warnings = nullptr);

/// Results as far as they can be shown, with what there is to draw.
report::ThinnedRun read_with_scene(const std::filesystem::path& path,
                                   core::Diagnostics* warnings = nullptr,
                                   std::size_t budget = report::report_budget);

}  // namespace trammel::cli
