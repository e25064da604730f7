// The parts of a results file that are known when a run begins, as a complete HDF5 file in memory:
// channels, information about the run, and the empty extendible datasets that the run will fill.
// docs/results.md describes the layout for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trammel/results/channel.h"
#include "trammel/results/sink.h"

namespace trammel::results::hdf5 {

inline constexpr int format_version = 1;
inline constexpr char format_name[] = "trammel results";
inline constexpr std::size_t outcome_bytes = 16;
inline constexpr std::size_t message_bytes = 2048;
inline constexpr std::size_t statistic_name_bytes = 96;
inline constexpr std::size_t statistic_bytes = statistic_name_bytes + sizeof(double);
inline constexpr std::size_t statistics_per_chunk = 64;

/// Size of one chunk of the dataset `values`; `time` is cut into the same rows.
struct ChunkShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Chunks of about 64 KiB: up to 512 channels side by side, wider tables in at most 16 blocks, so
/// that a few channels can be read without touching all the others. `rows` 0: choose.
ChunkShape choose_chunk_shape(std::size_t channel_count, std::size_t rows);

/// A file as bytes, and the addresses of the object headers in it.
struct Skeleton {
  std::vector<char> image;
  std::uint64_t root = 0;
  std::uint64_t time = 0;
  std::uint64_t values = 0;
  std::uint64_t statistics = 0;
};

/// Written in the oldest HDF5 format (superblock 0), which every reader knows and
/// which has neither checksums nor "file is open" flags that a killed process would leave behind.
Skeleton make_skeleton(const std::vector<Channel>& channels,
                       const RunInformation& info,
                       ChunkShape chunk);

}  // namespace trammel::results::hdf5
