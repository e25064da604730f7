// Writes results as CSV, which everything opens:
//
//   time,crank.position.x,crank.position.y        names, always the first line
//   # trammel results: 1                          then remarks, one per line:
//   # units: s,m,m                                  units, frames and descriptions of the columns
//   # frames: ,world,world
//   # descriptions: time,...
//   # info: method,generalized-alpha                where the numbers come from
//   0,1,0                                         one line per output time, shortest text that
//   0.01,0.9998,0.02                              reads back as exactly the same number
//   # outcome: completed                          remarks at the end: outcome, message, statistics
//
// Without remarks it is what spreadsheets and other programs want, names with units and numbers:
//
//   time [s],crank.position.x [m],crank.position.y [m]
//   0,1,0
//
// Lines are written whole; after a kill the last one may be cut short, and the reader leaves it
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "trammel/results/flush_clock.h"
#include "trammel/results/output_file.h"
#include "trammel/results/sink.h"

namespace trammel::results {

struct CsvOptions {
  bool overwrite = false;       ///< replace an existing file, once the new one has been created
  double flush_interval = 1.0;  ///< s; besides, every 64 KiB
  bool remarks = true;          ///< where the numbers come from and how the run ended
};

class CsvSink : public Sink {
 public:
  /// InputError when the file exists and may not be overwritten, or cannot be created there.
  explicit CsvSink(std::filesystem::path path, CsvOptions options = {});
  /// Writes to a stream instead (standard output); RunError when the stream fails.
  explicit CsvSink(std::ostream& stream, CsvOptions options = {});
  ~CsvSink() override;
  CsvSink(const CsvSink&) = delete;
  CsvSink& operator=(const CsvSink&) = delete;

  void begin(const std::vector<Channel>& channels, const RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override;
  void annotate(const std::map<std::string, std::string>& texts) override;
  void finish(Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

 private:
  /// The remarks at the end.
  std::string ending(Outcome outcome,
                     const std::string& message,
                     const std::map<std::string, double>& statistics) const;

  void keep_whole_lines();
  void write_last_line(const std::string& line);
  /// Says in the file that the run failed, if that can be written at all.
  void record_failure();

  std::filesystem::path path_;
  CsvOptions options_;
  std::ostream* stream_ = nullptr;
  std::unique_ptr<OutputFile> file_;
  FlushClock clock_;
  std::size_t channel_count_ = 0;
  std::string buffer_;
  std::map<std::string, std::string> notes_;
  std::uint64_t end_ = 0;          ///< of the whole lines on disk
  std::uint64_t flushed_end_ = 0;  ///< of those that a flush has promised to keep
};

}  // namespace trammel::results
