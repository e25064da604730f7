#include "trammel/results/csv_sink.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <ostream>
#include <utility>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv/csv_text.h"

namespace trammel::results {
namespace {

constexpr std::size_t buffer_limit = std::size_t{1} << 16U;
constexpr std::size_t tail_limit = std::size_t{1} << 20U;

void add_remark(std::string& text, const char* key, const std::vector<std::string>& fields) {
  text += "# ";
  text += key;
  text += ": ";
  text += csv::join(fields);
  text += '\n';
}

void append_number(std::string& text, double number) {
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), result.ptr);
}

std::vector<std::string> column_texts(std::string of_time,
                                      const std::vector<Channel>& channels,
                                      std::string Channel::*member) {
  std::vector<std::string> texts{std::move(of_time)};
  for (const Channel& channel : channels) texts.push_back(channel.*member);
  return texts;
}

std::string plain_heading(const std::vector<Channel>& channels) {
  std::vector<std::string> names{"time [s]"};
  for (const Channel& channel : channels) {
    names.push_back(channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]");
  }
  return csv::join(names) + '\n';
}

std::string heading(const std::vector<Channel>& channels, const RunInformation& info) {
  std::string text = csv::join(column_texts("time", channels, &Channel::name)) + '\n';
  add_remark(text, "trammel results", {"1"});
  add_remark(text, "units", column_texts("s", channels, &Channel::unit));
  add_remark(text, "frames", column_texts("", channels, &Channel::frame));
  add_remark(text, "descriptions", column_texts("", channels, &Channel::description));
  add_remark(text, "info", {"model_name", info.model_name});
  add_remark(text, "info", {"method", info.method});
  add_remark(text, "info", {"software", info.software});
  add_remark(text, "info", {"started", info.started});
  for (const auto& [key, value] : info.more) add_remark(text, "more", {key, value});
  if (!info.model_text.empty()) add_remark(text, "model", {info.model_text});
  if (!info.scene.empty()) add_remark(text, "scene", {info.scene});
  return text;
}

}  // namespace

CsvSink::CsvSink(std::filesystem::path path, CsvOptions options)
    : path_(std::move(path)), options_(options), clock_(options.flush_interval) {
  check_output_path(path_, FileKind::csv, options_.overwrite);
}

CsvSink::CsvSink(std::ostream& stream, CsvOptions options)
    : options_(options), stream_(&stream), clock_(options.flush_interval) {}

CsvSink::~CsvSink() {
  // Rows of a run that ended by an exception are worth keeping; a second error has no one to hear
  // it.
  try {
    CsvSink::flush();
  } catch (const std::exception&) {
    buffer_.clear();
  }
}

void CsvSink::begin(const std::vector<Channel>& channels, const RunInformation& info) {
  channel_count_ = channels.size();
  constexpr std::size_t longest_number = 26;
  buffer_.reserve(buffer_limit + longest_number * (channel_count_ + 1));
  buffer_ = options_.remarks ? heading(channels, info) : plain_heading(channels);
  if (stream_ == nullptr) {
    file_ = std::make_unique<OutputFile>(path_, FileKind::csv, options_.overwrite);
    file_->open();
  }
  flush();
  if (file_) file_->publish();
}

void CsvSink::append(double time, const double* values) {
  if (buffer_.size() >= buffer_limit) flush();
  append_number(buffer_, time);
  for (std::size_t i = 0; i < channel_count_; ++i) {
    buffer_ += ',';
    append_number(buffer_, values[i]);
  }
  buffer_ += '\n';
  if (buffer_.size() >= buffer_limit || clock_.due()) flush();
}

void CsvSink::flush() {
  clock_.restart();
  if (buffer_.empty()) return;
  if (stream_ != nullptr) {
    stream_->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size())).flush();
    if (!*stream_) {
      throw core::RunError("cannot write the results to the stream",
                           "check that its reader is still there and the disk has room");
    }
  } else if (file_) {
    try {
      file_->write_at(end_, buffer_.data(), buffer_.size());
    } catch (const core::RunError&) {
      keep_whole_lines();
      throw;
    }
  }
  end_ += buffer_.size();
  flushed_end_ = end_;
  buffer_.clear();
}

// After a write that came to no end: the lines that had room stay, the others wait.
void CsvSink::keep_whole_lines() {
  const std::uint64_t written = std::min(std::max(file_->size(), end_) - end_, buffer_.size());
  const std::size_t last = buffer_.rfind('\n', written - 1);
  const std::size_t whole = written == 0 || last == std::string::npos ? 0 : last + 1;
  file_->resize(end_ + whole);
  end_ += whole;
  buffer_.erase(0, whole);
}

// Rows of a write that came to no end give way to a line that says how the run ended, where there
// is no other room; rows that were flushed before do not.
void CsvSink::write_last_line(const std::string& line) {
  buffer_ = line;
  try {
    flush();
  } catch (const core::RunError&) {
    std::string tail(std::min<std::uint64_t>(end_ - flushed_end_, tail_limit), '\0');
    file_->read_at(end_ - tail.size(), tail.data(), tail.size());
    if (tail.size() < line.size() || tail.size() == tail_limit) throw;
    const std::size_t before = tail.substr(0, tail.size() - line.size()).rfind('\n');
    end_ -= tail.size() - (before == std::string::npos ? 0 : before + 1);
    file_->resize(end_);
    buffer_ = line;
    flush();
  }
}

void CsvSink::annotate(const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) notes_[name] = text;
}

std::string CsvSink::ending(Outcome outcome,
                            const std::string& message,
                            const std::map<std::string, double>& statistics) const {
  std::string text;
  if (!options_.remarks) return text;
  for (const auto& [name, note] : notes_) add_remark(text, "more", {name, note});
  for (const auto& [name, value] : statistics) {
    text += "# statistic: ";
    csv::append_field(text, name);
    text += ',';
    append_number(text, value);
    text += '\n';
  }
  add_remark(text, "message", {message});
  add_remark(text, "outcome", {std::string(to_string(outcome))});
  return text;
}

void CsvSink::record_failure() {
  std::string line;
  if (options_.remarks) add_remark(line, "outcome", {std::string(to_string(Outcome::failed))});
  try {
    if (file_) write_last_line(line);
    if (file_) file_->sync();
  } catch (const core::RunError&) {
    // The trouble that brought us here is told.
  }
  buffer_.clear();
}

void CsvSink::finish(Outcome outcome,
                     const std::string& message,
                     const std::map<std::string, double>& statistics) {
  // Closed in any case, whatever happens.
  std::unique_ptr<OutputFile> file;
  try {
    flush();
    buffer_ = ending(outcome, message, statistics);
    flush();
    if (file_) file_->sync();
    file = std::move(file_);
  } catch (const core::RunError&) {
    record_failure();
    file = std::move(file_);
    // That its name leads to another file is told before anything else.
    if (file) file->close();
    throw;
  }
  if (file) file->close();
}

}  // namespace trammel::results
