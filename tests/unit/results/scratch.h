// What the tests of results share: a folder that disappears, and a run whose numbers are known.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/scratch_folder.h"

#include "trammel/results/sink.h"

namespace trammel::results::testing {

using support::ScratchFolder;

/// A number that tells its row and column, uses all bits of the mantissa and, being made of
/// correctly rounded operations only, is the same for every compiler.
inline double sample(std::size_t row, std::size_t column) {
  return static_cast<double>(row * 7919 % 100003) / 7.0 + static_cast<double>(column) / 3.0;
}

inline double sample_time(std::size_t row) {
  return 0.1 * static_cast<double>(row);
}

inline std::vector<double> sample_row(std::size_t row, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = sample(row, i);
  return values;
}

inline std::vector<Channel> sample_channels(std::size_t count) {
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < count; ++i) {
    channels.push_back({"body" + std::to_string(i) + ".position.x", "m", "world",
                        "position of body " + std::to_string(i)});
  }
  return channels;
}

inline RunInformation sample_information() {
  return {"slider crank",
          "model:\n  name: \"crank, rod\"\n  comment: 30° \\ #1\n",
          "generalized-alpha",
          "trammel 0.1.0",
          "2024-02-29T12:00:00Z",
          {{"step", "0.001"}, {"remark", "two\nlines, \"quoted\""}},
          R"({"bodies":[{"name":"crank, \u003crod"}]})"};
}

inline void append_samples(Sink& sink, std::size_t first, std::size_t last, std::size_t columns) {
  for (std::size_t row = first; row < last; ++row) {
    const std::vector<double> values = sample_row(row, columns);
    sink.append(sample_time(row), values.data());
  }
}

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The message of the exception of this type that `action` throws; empty when it throws none.
template <typename Error, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace trammel::results::testing
