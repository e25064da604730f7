// Which channels and rows of a long run go into a pack.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "trammel/results/channel.h"

namespace trammel::report {

/// Whether a channel moves a body in the animation: "crank.position.x", "rod.orientation.e0".
bool is_pose(std::string_view name);

/// At most `most` of so many rows, evenly spaced, the first and the last among them.
std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t most);

struct ThinningPlan {
  bool whole = true;                  ///< all rows of all channels
  std::vector<std::size_t> channels;  ///< chosen for plots, in their own order
  std::size_t samples = 0;            ///< rows of the plots
  std::vector<std::size_t> poses;     ///< chosen for the animation (empty when whole)
  std::vector<std::size_t> frames;    ///< their rows
};

/// A long column is shown by `samples` (even) values: of each of samples/2 intervals the lowest and
/// the highest one, in the order in which they come.
///
/// Spends `budget` numbers on channels of `rows` values: at most half of them on poses, the rest on
/// plots.
ThinningPlan plan_thinning(const std::vector<results::Channel>& channels,
                           std::size_t rows,
                           std::size_t budget);

/// First row of interval `k` of `count`, into which so many rows are divided.
std::size_t interval_first_row(std::size_t rows, std::size_t k, std::size_t count);

}  // namespace trammel::report
