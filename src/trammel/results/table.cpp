#include "trammel/results/table.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::results {
namespace {

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  names.reserve(channels.size());
  for (const Channel& channel : channels) names.push_back(channel.name);
  return names;
}

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?") != std::string_view::npos;
}

std::size_t index_of(const std::vector<Channel>& channels, std::string_view name) {
  const auto it = std::find_if(channels.begin(), channels.end(),
                               [name](const Channel& channel) { return channel.name == name; });
  return static_cast<std::size_t>(it - channels.begin());
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  // On a mismatch, let the last star swallow one character more.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t swallowed_up_to = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      swallowed_up_to = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++swallowed_up_to;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool may_match(std::string_view pattern, std::string_view beginning) {
  for (std::size_t i = 0; i < beginning.size(); ++i) {
    if (i == pattern.size()) return false;
    if (pattern[i] == '*') return true;  // swallows the rest of the beginning
    if (pattern[i] != '?' && pattern[i] != beginning[i]) return false;
  }
  return true;
}

std::vector<std::size_t> select(const std::vector<Channel>& channels,
                                const std::vector<std::string>& patterns) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < channels.size(); ++i) index.emplace(channels[i].name, i);

  core::Diagnostics mistakes;
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(channels.size(), false);
  const auto take = [&](std::size_t i) {
    if (!taken[i]) chosen.push_back(i);
    taken[i] = true;
  };
  for (const std::string& pattern : patterns) {
    if (const auto exact = index.find(pattern); exact != index.end()) {
      take(exact->second);
      continue;
    }
    bool any = false;
    for (std::size_t i = 0; is_pattern(pattern) && i < channels.size(); ++i) {
      if (!matches(pattern, channels[i].name)) continue;
      take(i);
      any = true;
    }
    if (!any) {
      mistakes.error("channels", fmt::format("no channel matches '{}'", pattern),
                     core::suggestion(pattern, names_of(channels)));
    }
  }
  mistakes.throw_if_errors();
  return chosen;
}

bool Table::contains(std::string_view name) const {
  return index_of(channels, name) < channels.size();
}

std::size_t Table::find(std::string_view name) const {
  const std::size_t index = index_of(channels, name);
  if (index < channels.size()) return index;
  throw core::InputError(fmt::format("there is no channel '{}'", name),
                         core::suggestion(name, names_of(channels)));
}

std::span<const double> Table::column(std::string_view name) const {
  if (name == "time" && !contains(name)) return time;
  return columns[find(name)];
}

void write(const Table& table, Sink& sink) {
  sink.begin(table.channels, table.info);
  std::vector<double> row(table.channels.size());
  for (std::size_t k = 0; k < table.rows(); ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = table.columns[i][k];
    sink.append(table.time[k], row.data());
  }
  sink.finish(table.outcome, table.message, table.statistics);
}

}  // namespace trammel::results
