#include "output_argument.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

results::FileKind results_kind_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return results::FileKind::hdf5;
  if (ending == ".csv") return results::FileKind::csv;
  throw core::InputError(fmt::format("'{}' is no name for results", path),
                         "end it in .h5 (HDF5) or .csv");
}

std::unique_ptr<results::Sink> make_sink(const std::string& path,
                                         bool force,
                                         const std::vector<std::filesystem::path>& inputs) {
  check_results_path(path, force, inputs);
  if (results_kind_of(path) == results::FileKind::hdf5) {
    return std::make_unique<results::Hdf5Sink>(path, results::Hdf5Options{.overwrite = force});
  }
  return std::make_unique<results::CsvSink>(path, results::CsvOptions{.overwrite = force});
}

}  // namespace

std::string default_output(const std::string& input, const std::string& ending) {
  const std::string stem = std::filesystem::path(input).stem().string();
  return (stem.empty() ? "results" : stem) + ending;
}

void check_results_path(const std::string& path,
                        bool force,
                        const std::vector<std::filesystem::path>& inputs) {
  results::check_output_path(path, results_kind_of(path), force, inputs);
}

OutputSink::OutputSink(std::string path,
                       bool force,
                       RecordEnd end,
                       const std::vector<std::filesystem::path>& inputs)
    : path_(std::move(path)), sink_(make_sink(path_, force, inputs)), end_(end) {}

OutputSink::~OutputSink() {
  // After an exception how the run ended is worth keeping; a second error has no one to hear it.
  try {
    if (!sink_) return;  // moved away
    fail("an error ended the run");
    conclude();
  } catch (const std::exception&) {
    waiting_.reset();
  }
}

void OutputSink::begin(const std::vector<results::Channel>& channels,
                       const results::RunInformation& info) {
  const Lock lock(*mutex_);
  sink_->begin(channels, info);
  *begun_ = true;
  channels_ = channels;
}

void OutputSink::append(double time, const double* values) {
  const Lock lock(*mutex_);
  try {
    sink_->append(time, values);
  } catch (const core::RunError& error) {
    fail(error.what());
    throw;
  }
  ++rows_;
  if (!undefined_.empty()) return;
  const auto strange = std::find_if(values, values + channels_.size(),
                                    [](double value) { return !std::isfinite(value); });
  if (strange == values + channels_.size()) return;
  undefined_ = fmt::format("'{}' is not finite at t = {:.6g} s",
                           channels_[static_cast<std::size_t>(strange - values)].name, time);
}

void OutputSink::annotate(const std::map<std::string, std::string>& texts) {
  const Lock lock(*mutex_);
  sink_->annotate(texts);
}

void OutputSink::flush() {
  const Lock lock(*mutex_);
  try {
    sink_->flush();
  } catch (const core::RunError& error) {
    fail(error.what());
    throw;
  }
}

void OutputSink::fail(const std::string& reason) {
  const Lock lock(*mutex_);
  if (!*begun_ || ended_ || waiting_) return;
  waiting_ = std::make_unique<Ending>(Ending{results::Outcome::failed, reason, {}});
}

void OutputSink::finish(results::Outcome outcome,
                        const std::string& message,
                        const std::map<std::string, double>& statistics) {
  const Lock lock(*mutex_);
  waiting_ = std::make_unique<Ending>(Ending{outcome, message, statistics});
  if (end_ == RecordEnd::when_finished) {
    conclude();
    return;
  }
  // What was computed is safe before anything else is done with it.
  try {
    sink_->flush();
  } catch (const core::RunError&) {
    return;  // conclude() tries again, and tells it
  }
}

void OutputSink::conclude() {
  const Lock lock(*mutex_);
  const std::unique_ptr<Ending> ending = std::move(waiting_);
  if (!ending) return;
  ended_ = true;
  try {
    sink_->finish(ending->outcome, ending->message, ending->statistics);
  } catch (const results::FileMoved&) {
    moved_ = true;
    throw;
  }
}

std::string OutputSink::abandon(const std::string& reason) {
  // A write that hangs must not keep the program from its end.
  constexpr std::chrono::seconds patience{2};
  if (!mutex_->try_lock_for(patience)) {
    return *begun_ ? fmt::format("'{}' holds what was written before", path_)
                   : std::string("nothing was written");
  }
  // Never unlocked: what is computed now comes too late.
  if (!*begun_) return "nothing was written";
  if (!ended_) {
    waiting_ = std::make_unique<Ending>(Ending{results::Outcome::stopped, reason, {}});
    conclude();
  }
  return fmt::format("'{}' is readable and holds {} times", path_, rows_);
}

std::string size_text(std::uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return fmt::format("{} bytes", bytes);
  if (size < 1e6) return fmt::format("{:.3g} kB", size / 1e3);
  if (size < 1e9) return fmt::format("{:.3g} MB", size / 1e6);
  return fmt::format("{:.3g} GB", size / 1e9);
}

std::string file_size_text(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? "gone" : size_text(bytes);
}

}  // namespace trammel::cli
