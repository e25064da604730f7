#include "trammel/results/csv/csv_reader.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "trammel/results/csv/csv_text.h"
#include "trammel/results/csv/line_reader.h"

namespace trammel::results::csv {
namespace {

class CsvReader {
 public:
  CsvReader(const std::filesystem::path& path,
            const std::vector<std::string>& patterns,
            core::Diagnostics* warnings)
      : path_(path), patterns_(patterns), warnings_(warnings) {}

  Table read();

 private:
  [[noreturn]] void fail(std::string message, std::string remedy, int column) const;
  void warn(std::string message) const;
  void read_line(std::string_view line, bool whole);
  void read_heading(std::string_view line);
  void read_remark(std::string_view remark);
  void set_column_texts(const std::vector<std::string>& texts, std::string Channel::*member);
  void set_information(const std::string& name, const std::string& text);
  void choose();
  void read_row(std::string_view line);
  void add_time(double time);
  double number(std::string_view text, std::size_t column) const;

  const std::filesystem::path& path_;
  const std::vector<std::string>& patterns_;
  core::Diagnostics* warnings_;
  int line_number_ = 0;
  bool ours_ = false;
  bool chosen_known_ = false;
  std::vector<std::ptrdiff_t> place_;  ///< of each column in the table; -1: not wanted
  std::vector<Channel> all_;
  Table table_;
};

void CsvReader::fail(std::string message, std::string remedy, int column) const {
  throw core::InputError(std::vector<core::Diagnostic>{{core::Severity::error,
                                                        {},
                                                        std::move(message),
                                                        std::move(remedy),
                                                        path_.string(),
                                                        line_number_,
                                                        column}});
}

void CsvReader::warn(std::string message) const {
  if (warnings_ == nullptr) return;
  warnings_->add(
      {core::Severity::warning,
       {},
       std::move(message),
       "it was probably cut short when the run was killed; all lines before it were read",
       path_.string(),
       line_number_,
       1});
}

void CsvReader::read_heading(std::string_view line) {
  const std::vector<std::string> names = split(line);
  if (names.front() != "time" && names.front() != "time [s]") {
    fail(fmt::format("the first column is called '{}', not 'time'", names.front().substr(0, 40)),
         "give a results file, or a CSV file whose first line names its columns: time,...", 1);
  }
  for (std::size_t i = 1; i < names.size(); ++i) {
    // "crank.angle [rad]"
    const std::string& text = names[i];
    const std::size_t bracket = text.ends_with(']') ? text.find(" [") : std::string::npos;
    if (bracket == std::string::npos) {
      all_.push_back({text, {}, {}, {}});
    } else {
      all_.push_back(
          {text.substr(0, bracket), text.substr(bracket + 2, text.size() - bracket - 3), {}, {}});
    }
  }
}

void CsvReader::set_column_texts(const std::vector<std::string>& texts,
                                 std::string Channel::*member) {
  for (std::size_t i = 0; i < all_.size() && i + 1 < texts.size(); ++i)
    all_[i].*member = texts[i + 1];
}

void CsvReader::set_information(const std::string& name, const std::string& text) {
  if (name == "model_name") table_.info.model_name = text;
  if (name == "method") table_.info.method = text;
  if (name == "software") table_.info.software = text;
  if (name == "started") table_.info.started = text;
}

void CsvReader::read_remark(std::string_view remark) {
  const std::size_t colon = remark.find(": ");
  if (colon == std::string_view::npos) return;
  const std::string_view key = remark.substr(0, colon);
  const std::vector<std::string> fields = split(remark.substr(colon + 2));
  const std::string& first = fields.front();
  const std::string second = fields.size() > 1 ? fields[1] : std::string();
  if (key == "trammel results") ours_ = true;
  if (key == "units") set_column_texts(fields, &Channel::unit);
  if (key == "frames") set_column_texts(fields, &Channel::frame);
  if (key == "descriptions") set_column_texts(fields, &Channel::description);
  if (key == "info") set_information(first, second);
  if (key == "more") table_.info.more[first] = second;
  if (key == "model") table_.info.model_text = first;
  if (key == "scene") table_.info.scene = first;
  if (key == "outcome") table_.outcome = outcome_from_string(first);
  if (key == "message") table_.message = first;
  if (key == "statistic") table_.statistics[first] = number(second, 1);
}

void CsvReader::choose() {
  if (chosen_known_) return;
  chosen_known_ = true;
  std::vector<std::size_t> chosen(all_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (!patterns_.empty()) chosen = select(all_, patterns_);
  place_.assign(all_.size(), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    place_[chosen[i]] = static_cast<std::ptrdiff_t>(i);
    table_.channels.push_back(all_[chosen[i]]);
  }
  table_.columns.resize(chosen.size());
}

double CsvReader::number(std::string_view text, std::size_t column) const {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    fail(fmt::format("'{}' in column {} is no number", text.substr(0, 40), column),
         "correct or remove the line", static_cast<int>(column));
  }
  return value;
}

// Several rows may stand at one time, before and after a jump.
void CsvReader::add_time(double time) {
  if (!std::isfinite(time)) {
    fail(fmt::format("the time is {}", time), "correct or remove the line", 1);
  }
  if (!table_.time.empty() && time < table_.time.back()) {
    fail(fmt::format("the time goes back from {} s to {} s", table_.time.back(), time),
         "put the lines in the order of time, or remove this one", 1);
  }
  table_.time.push_back(time);
}

void CsvReader::read_row(std::string_view line) {
  choose();
  std::size_t column = 0;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = line.find(',', begin);
    const std::string_view text = line.substr(begin, comma - begin);
    if (column == 0) {
      add_time(number(text, 1));
    } else if (column <= place_.size() && place_[column - 1] >= 0) {
      table_.columns[static_cast<std::size_t>(place_[column - 1])].push_back(
          number(text, column + 1));
    }
    ++column;
    if (comma == std::string_view::npos) break;
    begin = comma + 1;
  }
  if (column != all_.size() + 1) {
    fail(fmt::format("the line has {} fields, the heading has {}", column, all_.size() + 1),
         "correct or remove the line", 1);
  }
}

void CsvReader::read_line(std::string_view line, bool whole) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line_number_ == 1) {
    read_heading(line);
  } else if (!whole && ours_) {
    warn("the last line does not end and was left out");
  } else if (!line.empty() && line[0] == '#') {
    read_remark(line.substr(line.size() > 1 && line[1] == ' ' ? 2 : 1));
  } else if (!line.empty()) {
    read_row(line);
  }
}

Table CsvReader::read() {
  for (LineReader file(path_); file.next();) {
    ++line_number_;
    read_line(file.line(), file.is_whole());
  }
  choose();
  return std::move(table_);
}

}  // namespace

Table read_csv(const std::filesystem::path& path,
               const std::vector<std::string>& patterns,
               core::Diagnostics* warnings) {
  return CsvReader(path, patterns, warnings).read();
}

}  // namespace trammel::results::csv
