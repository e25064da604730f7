#include "output_argument.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"

namespace trammel::cli {
namespace {

std::unique_ptr<results::Sink> make_sink(const std::string& path, bool force) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") {
    return std::make_unique<results::Hdf5Sink>(path, results::Hdf5Options{.overwrite = force});
  }
  if (ending == ".csv") {
    return std::make_unique<results::CsvSink>(path, results::CsvOptions{.overwrite = force});
  }
  throw core::InputError(fmt::format("'{}' is no name for results", path),
                         "end it in .h5 (HDF5) or .csv");
}

}  // namespace

std::string default_output(const std::string& input, const std::string& ending) {
  const std::string stem = std::filesystem::path(input).stem().string();
  return (stem.empty() ? "results" : stem) + ending;
}

OutputSink::OutputSink(std::string path, bool force)
    : path_(std::move(path)), sink_(make_sink(path_, force)) {}

void OutputSink::begin(const std::vector<results::Channel>& channels,
                       const results::RunInformation& info) {
  sink_->begin(channels, info);
  begun_ = true;
  channels_ = channels;
}

void OutputSink::append(double time, const double* values) {
  sink_->append(time, values);
  ++rows_;
}

void OutputSink::finish(results::Outcome outcome,
                        const std::string& message,
                        const std::map<std::string, double>& statistics) {
  sink_->finish(outcome, message, statistics);
}

std::string size_text(std::uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return fmt::format("{} bytes", bytes);
  if (size < 1e6) return fmt::format("{:.3g} kB", size / 1e3);
  if (size < 1e9) return fmt::format("{:.3g} MB", size / 1e6);
  return fmt::format("{:.3g} GB", size / 1e9);
}

}  // namespace trammel::cli
