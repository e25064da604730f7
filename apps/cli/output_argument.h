// Results files that a command writes: which format belongs to which name, and what was written.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "trammel/results/sink.h"

namespace trammel::cli {

/// "slider_crank.h5" in the current folder, for "models/slider_crank.yaml".
std::string default_output(const std::string& input, const std::string& ending);

/// Throws InputError when no results can be written there: the ending is neither .h5, .hdf5 nor
/// .csv, or as results::check_output_path. `inputs` are never written over.
void check_results_path(const std::string& path,
                        bool force,
                        const std::vector<std::filesystem::path>& inputs);

/// When the end of a run is recorded: by finish(), or only by conclude(), with what is known then.
enum class RecordEnd { when_finished, when_concluded };

/// A results file that knows what went into it: HDF5 for .h5 and .hdf5, CSV for .csv.
class OutputSink : public results::Sink {
 public:
  /// Throws as check_results_path; nothing is touched then.
  OutputSink(std::string path,
             bool force,
             RecordEnd end = RecordEnd::when_finished,
             const std::vector<std::filesystem::path>& inputs = {});
  ~OutputSink() override;
  OutputSink(OutputSink&&) = default;
  OutputSink& operator=(OutputSink&&) = delete;
  OutputSink(const OutputSink&) = delete;
  OutputSink& operator=(const OutputSink&) = delete;

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override;
  void annotate(const std::map<std::string, std::string>& texts) override;
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  /// A run that began and cannot come to its end: recorded as failed by conclude().
  void fail(const std::string& reason);
  /// Records how the run ended, if that waits: nothing is written after this. RunError when it
  /// cannot be recorded; all rows are there nevertheless. FileMoved when they are not under path().
  void conclude();

  /// From another thread, just before the program ends while a run is still computed: records it
  /// as stopped for this reason, and lets nobody write any more. Tells what the file holds.
  std::string abandon(const std::string& reason);

  const std::string& path() const { return path_; }
  /// Whether the file was created; one that stood there before is no result of this run.
  bool begun() const { return *begun_; }
  /// Whether the path of the file turned out to lead elsewhere at the end.
  bool moved() const { return moved_; }
  const std::vector<results::Channel>& channels() const { return channels_; }
  std::size_t rows() const { return rows_; }
  /// The first number that was not finite: "'ratio' is not finite at t = 0 s"; empty for none.
  const std::string& undefined() const { return undefined_; }

 private:
  struct Ending {
    results::Outcome outcome;
    std::string message;
    std::map<std::string, double> statistics;
  };

  using Lock = std::lock_guard<std::recursive_timed_mutex>;

  /// Only abandon() comes from another thread.
  std::unique_ptr<std::recursive_timed_mutex> mutex_ =
      std::make_unique<std::recursive_timed_mutex>();
  std::string path_;
  std::unique_ptr<results::Sink> sink_;
  RecordEnd end_;
  std::unique_ptr<Ending> waiting_;
  bool ended_ = false;
  bool moved_ = false;
  /// Also read by abandon() when somebody else holds the mutex.
  std::unique_ptr<std::atomic<bool>> begun_ = std::make_unique<std::atomic<bool>>(false);
  std::vector<results::Channel> channels_;
  std::size_t rows_ = 0;
  std::string undefined_;
};

/// "3.2 MB"
std::string size_text(std::uintmax_t bytes);
/// The same of a file; "gone" when it is not there.
std::string file_size_text(const std::filesystem::path& path);

}  // namespace trammel::cli
