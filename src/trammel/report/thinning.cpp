#include "trammel/report/thinning.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace trammel::report {
namespace {

constexpr std::size_t fewest_samples = 500;  ///< a plot with less is no plot
constexpr std::size_t most_frames = 20'000;

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// What people look at first has the lowest number.
int rank(std::string_view name) {
  static constexpr std::array run_wide{"energy.", "error.", "solver."};
  for (const std::string_view prefix : run_wide) {
    if (name.substr(0, prefix.size()) == prefix) return 0;
  }
  if (contains(name, "acceleration")) return 5;
  if (contains(name, ".reaction.joint_")) return 6;
  if (contains(name, ".reaction.")) return 4;
  if (contains(name, "velocity") || contains(name, "_rate")) return 3;
  return is_pose(name) ? 2 : 1;
}

}  // namespace

std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t most) {
  const std::size_t count = std::min(rows, most);
  std::vector<std::size_t> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = count < 2 ? 0 : i * (rows - 1) / (count - 1);
  return list;
}

bool is_pose(std::string_view name) {
  const auto ends_with = [&](std::string_view ending) {
    return name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending;
  };
  static constexpr std::array endings{".position.x",     ".position.y",     ".position.z",
                                      ".orientation.e0", ".orientation.e1", ".orientation.e2",
                                      ".orientation.e3", ".angle"};
  return std::any_of(endings.begin(), endings.end(), ends_with);
}

ThinningPlan plan_thinning(const std::vector<results::Channel>& channels,
                           std::size_t rows,
                           std::size_t budget) {
  ThinningPlan plan;
  plan.channels.resize(channels.size());
  std::iota(plan.channels.begin(), plan.channels.end(), std::size_t{0});
  plan.samples = rows;
  if (rows * channels.size() <= budget || rows == 0) return plan;

  plan.whole = false;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (is_pose(channels[i].name)) plan.poses.push_back(i);
  }
  const std::size_t half = budget / 2;
  const std::size_t frames = half / std::max<std::size_t>(1, plan.poses.size());
  plan.frames = spread_rows(rows, std::clamp<std::size_t>(frames, 2, std::min(rows, most_frames)));

  const std::size_t rest = budget - std::min(half, plan.poses.size() * plan.frames.size());
  const std::size_t least = std::min(rows, fewest_samples);
  const std::size_t kept = std::clamp<std::size_t>(rest / least, 1, channels.size());
  std::stable_sort(plan.channels.begin(), plan.channels.end(), [&](std::size_t a, std::size_t b) {
    return rank(channels[a].name) < rank(channels[b].name);
  });
  plan.channels.resize(kept);
  std::sort(plan.channels.begin(), plan.channels.end());
  plan.samples = std::min(rows, std::max(least, rest / kept) / 2 * 2);
  return plan;
}

std::size_t interval_first_row(std::size_t rows, std::size_t k, std::size_t count) {
  return k * rows / count;
}

}  // namespace trammel::report
