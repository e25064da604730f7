// Results files that a command writes: which format belongs to which name, and what was written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trammel/results/sink.h"

namespace trammel::cli {

/// "slider_crank.h5" in the current folder, for "models/slider_crank.yaml".
std::string default_output(const std::string& input, const std::string& ending);

/// A results file that knows what went into it: HDF5 for .h5 and .hdf5, CSV for .csv.
class OutputSink : public results::Sink {
 public:
  /// Throws InputError for other endings, and when the file exists and `force` is not given;
  /// nothing is touched then.
  OutputSink(std::string path, bool force);

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override { sink_->flush(); }
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  const std::string& path() const { return path_; }
  /// Whether the file was created; one that stood there before is no result of this run.
  bool begun() const { return begun_; }
  const std::vector<results::Channel>& channels() const { return channels_; }
  std::size_t rows() const { return rows_; }

 private:
  std::string path_;
  std::unique_ptr<results::Sink> sink_;
  bool begun_ = false;
  std::vector<results::Channel> channels_;
  std::size_t rows_ = 0;
};

/// "3.2 MB"
std::string size_text(std::uintmax_t bytes);

}  // namespace trammel::cli
