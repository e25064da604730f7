// Results in memory: a table of channels over time, stored column by column.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/results/channel.h"
#include "trammel/results/sink.h"

namespace trammel::results {

/// Where results come from and how the run ended.
struct RunRecord {
  RunInformation info;
  Outcome outcome = Outcome::running;
  std::string message;
  std::map<std::string, double> statistics;
};

/// `crank.*` matches every name that begins with `crank.`; `*` stands for any text (dots too), `?`
/// for one character.
bool matches(std::string_view pattern, std::string_view name);

/// Whether names that begin with `beginning` can match it.
bool may_match(std::string_view pattern, std::string_view beginning);

/// The channels meant by names and patterns, in the order asked for, each once. Everything that
/// matches nothing is told in one InputError, with the nearest known name.
std::vector<std::size_t> select(const std::vector<Channel>& channels,
                                const std::vector<std::string>& patterns);

struct Table : RunRecord {
  std::vector<Channel> channels;
  std::vector<double> time;                  ///< s
  std::vector<std::vector<double>> columns;  ///< one per channel, each as long as `time`

  std::size_t rows() const { return time.size(); }
  bool contains(std::string_view name) const;
  /// Index of a channel; InputError with the nearest known name when there is none.
  std::size_t find(std::string_view name) const;
  std::vector<std::size_t> select(const std::vector<std::string>& patterns) const {
    return results::select(channels, patterns);
  }
  std::span<const double> column(std::size_t index) const { return columns.at(index); }
  /// Column by name; "time" is the time itself.
  std::span<const double> column(std::string_view name) const;
};

/// Sends a whole table through a sink: begin, every row, finish.
void write(const Table& table, Sink& sink);

}  // namespace trammel::results
