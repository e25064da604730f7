// Where a run started from Python puts its rows: memory, perhaps a file, and perhaps a callback.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "callbacks.h"

#include "trammel/results/memory_sink.h"
#include "trammel/results/sink.h"

namespace trammel::python {

/// What all samples of a run share.
struct SampleChannels {
  std::map<std::string, std::size_t, std::less<>> places;
  std::vector<results::Channel> list;
};

/// One row, as callbacks see it: sample.time, sample["rod.angle"]. A sample that is kept stays as
/// it is; otherwise the next call uses it again.
struct Sample {
  double time = 0.0;
  std::vector<double> values;
  std::shared_ptr<const SampleChannels> channels;

  /// InputError with the nearest known name when there is none.
  double value(const std::string& name) const;
};

class RunSink : public results::Sink {
 public:
  /// `callback` may be None. Made and destroyed with the GIL; used without.
  RunSink(std::unique_ptr<results::Sink> file, pybind11::object callback, CallbackState& state);
  ~RunSink() override;
  RunSink(const RunSink&) = delete;
  RunSink& operator=(const RunSink&) = delete;
  RunSink(RunSink&&) = delete;
  RunSink& operator=(RunSink&&) = delete;

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override {}
  /// Texts for the end of the file.
  void annotate(const std::map<std::string, std::string>& texts) override;
  /// A callback that raised counts as a failure of the run, and is told as its reason. The file has
  /// its end from conclude(): nothing is written after that.
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  /// Records how the run ended. RunError when that cannot be written; all rows are there.
  void conclude();
  /// Also after a run that could not be finished. The file is closed.
  results::Table take();

 private:
  struct Ending {
    results::Outcome outcome;
    std::string message;
    std::map<std::string, double> statistics;
  };

  void call(double time, const double* values);
  /// Does something to the file, if there is one, while nobody else is at a file.
  template <class Work>
  void with_file(const Work& work);

  results::MemorySink memory_;
  std::unique_ptr<results::Sink> file_;
  pybind11::object callback_;
  CallbackState& state_;
  std::shared_ptr<const SampleChannels> channels_;  ///< null without a callback
  std::shared_ptr<Sample> sample_;
  pybind11::object python_sample_;
  bool finished_ = false;
  std::optional<Ending> waiting_;  ///< for the file
};

}  // namespace trammel::python
