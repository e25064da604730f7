#include "trammel/analysis/comparison/store.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv/csv_text.h"
#include "trammel/results/csv/line_reader.h"

namespace trammel::analysis::comparison {
namespace {

double number(const std::string& text) {
  return text.empty() ? unknown : std::strtod(text.c_str(), nullptr);
}

std::string text_of(double value, int digits = 6) {
  return std::isnan(value) ? "" : fmt::format("{:.{}g}", value, digits);
}

/// A column: how it is written and read.
struct Column {
  std::string name;
  std::function<std::string(const Row&)> write;
  std::function<void(Row&, const std::string&)> read;
};

// `value` gives the number of a Row&, and of a const Row&.
template <class Value>
Column number_column(const std::string& name, const Value& value) {
  return {name, [value](const Row& row) { return text_of(value(row)); },
          [value](Row& row, const std::string& text) { value(row) = number(text); }};
}

template <class Value>
Column text_column(const std::string& name, const Value& value) {
  return {name, [value](const Row& row) { return value(row); },
          [value](Row& row, const std::string& text) { value(row) = text; }};
}

template <class Of>
void add_deviation(std::vector<Column>& list, const std::string& ending, const Of& of) {
  list.push_back(number_column(
      "position" + ending, [of](auto& r) -> auto& { return of(r).position; }));
  list.push_back(number_column(
      "velocity" + ending, [of](auto& r) -> auto& { return of(r).velocity; }));
  list.push_back(number_column(
      "acceleration" + ending, [of](auto& r) -> auto& { return of(r).acceleration; }));
  list.push_back(number_column(
      "reaction" + ending, [of](auto& r) -> auto& { return of(r).reaction; }));
}

Column history_column() {
  return {"energy_history_J",
          [](const Row& row) {
            return fmt::format("{:.4g}", fmt::join(row.result.energy_history, " "));
          },
          [](Row& row, const std::string& text) {
            std::istringstream words(text);
            for (std::string word; words >> word;)
              row.result.energy_history.push_back(number(word));
          }};
}

std::vector<Column> make_columns() {
  std::vector<Column> list;
  const auto result = [&](const std::string& name, double RunResult::*member) {
    list.push_back(number_column(
        name, [member](auto& r) -> auto& { return r.result.*member; }));
  };
  list.push_back(text_column(
      "method", [](auto& r) -> auto& { return r.candidate.method; }));
  list.push_back({"index", [](const Row& r) { return std::to_string(r.candidate.index); },
                  [](Row& r, const std::string& t) { r.candidate.index = std::atoi(t.c_str()); }});
  list.push_back(text_column(
      "stabilisation", [](auto& r) -> auto& { return r.candidate.stabilisation; }));
  result("step_s", &RunResult::step);
  list.push_back({"verdict", [](const Row& r) { return to_string(r.result.verdict); },
                  [](Row& r, const std::string& t) { r.result.verdict = verdict_from_string(t); }});
  list.push_back(text_column(
      "reason", [](auto& r) -> auto& { return r.result.reason; }));
  result("reached_s", &RunResult::reached);
  add_deviation(
      list, "_error", [](auto& r) -> auto& { return r.result.error; });
  add_deviation(
      list, "_order", [](auto& r) -> auto& { return r.order; });
  result("position_residual", &RunResult::position_residual);
  result("velocity_residual", &RunResult::velocity_residual);
  result("acceleration_residual", &RunResult::acceleration_residual);
  result("energy_change_J", &RunResult::energy_change);
  result("energy_drift_W", &RunResult::energy_drift);
  list.push_back({"steps", [](const Row& r) { return std::to_string(r.result.steps); },
                  [](Row& r, const std::string& t) { r.result.steps = std::atol(t.c_str()); }});
  result("iterations_per_step", &RunResult::iterations_per_step);
  result("factorisations_per_step", &RunResult::factorisations_per_step);
  result("time_s", &RunResult::time);
  result("saw_tooth_acceleration", &RunResult::saw_tooth_acceleration);
  result("saw_tooth_reaction", &RunResult::saw_tooth_reaction);
  list.push_back(text_column(
      "reference", [](auto& r) -> auto& { return r.reference; }));
  list.push_back(history_column());
  return list;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> list = make_columns();
  return list;
}

std::string header() {
  std::vector<std::string> names = store_columns();
  names.insert(names.end(), {"model", "run"});
  return results::csv::join(names) + "\n";
}

}  // namespace

std::vector<std::string> store_columns() {
  std::vector<std::string> names;
  for (const Column& column : columns()) names.push_back(column.name);
  return names;
}

RunStore::RunStore(std::filesystem::path path, std::string model)
    : path_(std::move(path)), model_(std::move(model)) {
  read();
  // Of our kind; nobody else may be writing it.
  results::check_output_path(path_, results::FileKind::comparison, true);
}

void RunStore::read() {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return;
  results::csv::LineReader file(path_);
  if (!file.next() || file.line() + "\n" != header()) {
    throw core::InputError(
        fmt::format("'{}' is no file of finished runs (of this version)", path_.string()),
        "move it away, or choose another name with --output");
  }
  const std::size_t count = columns().size();
  while (file.next()) {
    const std::vector<std::string> fields = results::csv::split(file.line());
    // The last line may be cut off: its writer was killed.
    if (fields.size() != count + 2 || !file.is_whole() || fields[count] != model_) {
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < count; ++i) columns()[i].read(row, fields[i]);
    row.candidate.step = row.result.step;
    row.key = fields[count + 1];
    runs_.emplace(fields[count + 1], std::move(row));
  }
}

std::string RunStore::line(const Row& row) const {
  std::vector<std::string> fields;
  for (const Column& column : columns()) fields.push_back(column.write(row));
  fields.push_back(model_);
  fields.push_back(row.key);
  return results::csv::join(fields) + "\n";
}

void RunStore::add(const Row& row) {
  if (!file_) write({});
  const std::string text = line(row);
  try {
    file_->write_at(end_, text.data(), text.size());
  } catch (const core::RunError&) {
    file_->resize(end_);  // whole lines only
    throw;
  }
  end_ += text.size();
  runs_[row.key] = row;
}

std::string RunStore::contents(const std::vector<Row>& rows) const {
  std::string text = header();
  KeptRuns others = runs_;
  for (const Row& row : rows) {
    text += line(row);
    others.erase(row.key);
  }
  for (const auto& entry : others) text += line(entry.second);
  return text;
}

void RunStore::write(const std::vector<Row>& rows) {
  // The old file goes first, and with it the mark that it is being written.
  if (file_) file_->close();
  file_.reset();
  auto file = std::make_unique<results::OutputFile>(path_, results::FileKind::comparison, true);
  file->open();
  const auto fill = [&] {
    const std::string all = contents(rows);
    file->write_at(0, all.data(), all.size());
    file->sync();
    end_ = all.size();
  };
  fill();
  // Others may have finished runs since the file was read: theirs are kept, too.
  file->publish([&] {
    const std::size_t known = runs_.size();
    read();
    if (runs_.size() > known) fill();
  });
  file_ = std::move(file);
}

void RunStore::close() {
  if (file_) file_->close();
  file_.reset();
}

}  // namespace trammel::analysis::comparison
