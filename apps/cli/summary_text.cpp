#include "summary_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "printing.h"
#include "report_text.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/printable.h"
#include "trammel/report/display_units.h"
#include "trammel/results/reader.h"
#include "trammel/results/summary.h"

namespace trammel::cli {
namespace {

constexpr std::string_view magnitude_ending = ".magnitude";
constexpr std::size_t most_channels = 8;
constexpr std::size_t most_joints = 8;
constexpr std::size_t most_numbers = 30'000'000;  // in the file: reading more takes its time

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/// "pin.reaction.force" of its last component in a list of channels; empty for others.
std::string vector_ending_at(const std::vector<results::Channel>& channels, std::size_t i) {
  const results::Channel& channel = channels[i];
  const bool last = ends_with(channel.name, ".y") || ends_with(channel.name, ".z");
  if (!last || (channel.unit != "N" && channel.unit != "N m")) return {};
  std::string stem = channel.name.substr(0, channel.name.size() - 2);
  if (i + 1 < channels.size() && channels[i + 1].name == stem + ".z") return {};
  return stem;
}

std::vector<std::size_t> components(const std::vector<results::Channel>& channels,
                                    const std::string& stem) {
  std::vector<std::size_t> places;
  for (const char* axis : {".x", ".y", ".z"}) {
    const auto found =
        std::find_if(channels.begin(), channels.end(),
                     [&](const results::Channel& each) { return each.name == stem + axis; });
    if (found != channels.end())
      places.push_back(static_cast<std::size_t>(found - channels.begin()));
  }
  return places;
}

/// Drives tell their load and their power.
bool is_drive_load(const std::vector<results::Channel>& channels, const std::string& name) {
  constexpr std::string_view ending = ".load";
  if (!ends_with(name, ending)) return false;
  const std::string power = name.substr(0, name.size() - ending.size()) + ".power";
  return std::any_of(channels.begin(), channels.end(),
                     [&](const results::Channel& each) { return each.name == power; });
}

/// What people look at first, without what joints carry.
std::vector<std::string> first_channels(const results::Contents& contents) {
  const std::vector<results::Channel>& channels = contents.channels;
  std::vector<std::string> names;
  try {
    const auto noted = report::noted_list(contents.info, report::noted_plots);
    if (!noted.empty()) {
      for (const std::size_t i : results::select(channels, noted))
        names.push_back(channels[i].name);
    }
  } catch (const core::InputError&) {
    // A channel that was not recorded: others tell enough.
  }
  if (names.empty()) {
    for (const results::Channel& each : channels) {
      if (each.description == "sensor" || is_drive_load(channels, each.name)) {
        names.push_back(each.name);
      }
    }
  }
  if (names.empty()) names = interesting_channels(channels);
  if (names.size() > most_channels) names.resize(most_channels);
  return names;
}

/// The table without channels that are not wanted, in the order asked for.
results::Table only(const results::Table& table, const std::vector<std::string>& names) {
  results::Table result;
  result.time = table.time;
  for (const std::string& name : names) {
    if (!table.contains(name)) continue;
    const std::size_t i = table.find(name);
    result.channels.push_back(table.channels[i]);
    result.columns.push_back(table.columns[i]);
  }
  return result;
}

}  // namespace

void add_magnitudes(results::Table& table) {
  results::Table with;
  for (std::size_t i = 0; i < table.channels.size(); ++i) {
    with.channels.push_back(table.channels[i]);
    with.columns.push_back(table.columns[i]);
    const std::string stem = vector_ending_at(table.channels, i);
    const std::vector<std::size_t> parts =
        stem.empty() ? std::vector<std::size_t>{} : components(table.channels, stem);
    if (parts.size() < 2 || table.contains(stem + std::string(magnitude_ending))) continue;
    std::vector<double> sizes(table.rows());
    for (std::size_t row = 0; row < sizes.size(); ++row) {
      double square = 0.0;
      for (const std::size_t part : parts) {
        square += table.columns[part][row] * table.columns[part][row];
      }
      sizes[row] = std::sqrt(square);
    }
    results::Channel channel = table.channels[i];
    channel.name = stem + std::string(magnitude_ending);
    channel.description = "magnitude of the vector";
    with.channels.push_back(std::move(channel));
    with.columns.push_back(std::move(sizes));
  }
  table.channels = std::move(with.channels);
  table.columns = std::move(with.columns);
}

std::vector<std::string> summary_lines(const results::Table& table) {
  const bool single = table.rows() == 1;  // an equilibrium
  std::vector<std::vector<std::string>> cells{{"channel", "unit"}};
  for (const char* heading : {"least", "at", "largest", "at", "mean", "rms", "last"}) {
    if (!single) cells.front().emplace_back(heading);
  }
  if (single) cells.front().emplace_back("value");
  for (std::size_t i = 0; i < table.channels.size(); ++i) {
    const results::Summary s = results::summary(table.time, table.column(i));
    cells.push_back({table.channels[i].name, table.channels[i].unit});
    const std::vector<double> numbers =
        single ? std::vector<double>{s.last}
               : std::vector<double>{s.least, s.least_time, s.largest, s.largest_time,
                                     s.mean,  s.rms,        s.last};
    for (const double number : numbers) {
      cells.back().push_back(fmt::format("{:.6g}", number + 0.0));  // -0 is 0
    }
  }
  std::vector<std::size_t> widths(cells.front().size(), 0);
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::vector<std::string> lines;
  for (const auto& line : cells) {
    // Names to the left, numbers to the right.
    std::string text = fmt::format("{:<{}}  {:<{}}", line[0], widths[0], line[1], widths[1]);
    for (std::size_t i = 2; i < line.size(); ++i) {
      text += fmt::format("  {:>{}}", line[i], widths[i]);
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<std::string> glance_lines(const std::string& path) {
  const results::Contents contents = results::inspect(path);
  if (contents.rows == 0 || contents.rows * contents.channels.size() > most_numbers) return {};
  std::vector<std::string> shown = first_channels(contents);
  std::vector<std::string> wanted = shown;
  std::size_t joints = 0;
  for (std::size_t i = 0; i < contents.channels.size() && joints < most_joints; ++i) {
    const std::string stem = vector_ending_at(contents.channels, i);
    if (!ends_with(stem, ".reaction.force")) continue;
    ++joints;
    shown.push_back(stem + std::string(magnitude_ending));
    for (const std::size_t part : components(contents.channels, stem)) {
      wanted.push_back(contents.channels[part].name);
    }
  }
  if (wanted.empty()) return {};
  results::Table table = results::read(path, wanted);
  add_magnitudes(table);
  report::show_in(
      report::display_units(table.channels, report::noted_list(contents.info, report::noted_units)),
      table);
  return summary_lines(only(table, shown));
}

void print_glance(const std::string& results) {
  const std::vector<std::string> lines = glance_lines(results);
  if (lines.empty()) return;
  print_output("\n{}\n", output_style().bold("Numbers"));
  for (const std::string& line : lines) print_output("  {}\n", core::printable(line));
}

}  // namespace trammel::cli
