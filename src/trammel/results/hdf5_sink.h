// Streams results into an HDF5 file that can be read at any moment, during the run and after
// whatever ended it: a clean finish, Ctrl-C, kill -9 or a full disk.
//
// How. The HDF5 library makes the beginning of the file in memory (channels, information, empty
// datasets). From then on the sink itself extends the datasets on disk, by the published file
// format, in an order in which every single write leaves a valid file behind:
//
//   1. the rows, in room beyond the present extent of the datasets, and their seal (hdf5/seal.h);
//   2. when a chunk is full: more room, the new end of the file, the chunk's entry in the index
//      (hdf5/chunk_index.h);
//   3. the new extent of `time` and `values` and the state of the run, all in one write within one
//      page of the file.
//
// At the end statistics, notes and message go into room that was taken when the file was made (more
// when they need it), and the last commit says how the run ended. A finished file is never opened
// for writing again.
//
// Linux does not cut a write within a page short when a process is killed, so the state on disk is
// always that of the last flush, and plain readers (h5py, h5dump, MATLAB) open it: there is no
// lock, no "file is open" flag and nothing to repair. A loss of power may lose what the operating
// system had not yet put on the disk; finish() waits for that before it records the end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "trammel/results/sink.h"

namespace trammel::results {

struct Hdf5Options {
  bool overwrite = false;          ///< replace an existing file, once the new one has been created
  std::size_t rows_per_chunk = 0;  ///< 0: chosen so that a chunk has about 64 KiB
  double flush_interval = 1.0;     ///< s; besides, a full chunk is always flushed
};

class Hdf5Sink : public Sink {
 public:
  /// InputError when the file exists and may not be overwritten, or cannot be created there.
  explicit Hdf5Sink(std::filesystem::path path, Hdf5Options options = {});
  ~Hdf5Sink() override;
  Hdf5Sink(const Hdf5Sink&) = delete;
  Hdf5Sink& operator=(const Hdf5Sink&) = delete;

  void begin(const std::vector<Channel>& channels, const RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override;
  void annotate(const std::map<std::string, std::string>& texts) override;
  void finish(Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

 private:
  class Writer;
  std::filesystem::path path_;
  Hdf5Options options_;
  std::unique_ptr<Writer> writer_;
  std::map<std::string, std::string> notes_;
};

}  // namespace trammel::results
