// The results of one run, packed for the viewer: a header in JSON and the numbers as bytes.
//
// Numbers are little-endian: times as float64, channels as float32 of the distance from a base
// value of the channel, value = base + number. So the resolution is 1e-7 of the range of a channel,
// not of its magnitude: a drift of 1e-8 on top of 1 J stays visible.
//
// Small runs are packed whole. Beyond the budget the samples are thinned out: each interval of time
// keeps the lowest and the highest value of every channel (no peak is lost), poses for the
// animation are taken at evenly spaced rows, and channels that few people look at first
// (accelerations, reactions in joint axes) are left out before the others. The header says so.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/report/run_notes.h"
#include "trammel/report/thinned_run.h"
#include "trammel/results/table.h"

namespace trammel::report {

struct PackOptions {
  std::size_t budget = report_budget;  ///< bytes for all numbers
};

struct Pack {
  std::string header;            ///< JSON, safe inside a <script> element
  std::vector<std::byte> bytes;  ///< what the header's offsets point into
};

Pack make_pack(const ThinnedRun& run, const RunNotes& notes = {});
Pack make_pack(const results::Table& table,
               const RunNotes& notes = {},
               const PackOptions& options = {});

}  // namespace trammel::report
