// What a person should know about a run besides its numbers: warnings, and what happened.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trammel/results/sink.h"

namespace trammel::report {

struct RunNotes {
  std::vector<std::string> warnings;
  bool judged = false;              ///< was the run examined?
  std::vector<std::string> doubts;  ///< what that found; they stand among the warnings, too
  std::vector<std::pair<std::string, std::string>> facts;  ///< heading and text
  std::size_t left_out = 0;  ///< channels of the results file that are not in the table
};

/// Warnings and facts as texts for Sink::annotate, so that every later report tells them too.
std::map<std::string, std::string> as_information(const RunNotes& notes);

/// Those that stand in the information of a results file; none in files without.
RunNotes notes_of(const results::RunInformation& info);

/// The rest of the information: what is worth a line as it stands.
std::vector<std::pair<std::string, std::string>> shown_information(
    const results::RunInformation& info);

}  // namespace trammel::report
