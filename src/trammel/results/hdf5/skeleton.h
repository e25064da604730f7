// The parts of a results file that are known when a run begins, as a complete HDF5 file in memory:
// channels, information about the run, and the empty extendible datasets that the run will fill.
// docs/results.md describes the layout for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trammel/results/channel.h"
#include "trammel/results/hdf5/chunk_index.h"
#include "trammel/results/hdf5/seal.h"
#include "trammel/results/sink.h"

namespace trammel::results::hdf5 {

inline constexpr int format_version = 2;
inline constexpr char format_name[] = "trammel results";
inline constexpr std::size_t outcome_bytes = 16;
inline constexpr std::size_t message_bytes = 2048;
inline constexpr std::size_t statistic_name_bytes = 96;
inline constexpr std::size_t statistic_bytes = statistic_name_bytes + sizeof(double);
inline constexpr std::size_t statistics_per_chunk = 64;
inline constexpr std::size_t notes_per_chunk = 8192;     ///< bytes
inline constexpr std::size_t longest_attribute = 32768;  ///< bytes; longer texts are datasets

/// Size of one chunk of the dataset `values`; `time` is cut into the same rows.
struct ChunkShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Chunks of about 64 KiB: up to 512 channels side by side, wider tables in at most 16 blocks, so
/// that a few channels can be read without touching all the others. `rows` 0: choose.
ChunkShape choose_chunk_shape(std::size_t channel_count, std::size_t rows);

/// How what is written at the end is cut into chunks.
inline ChunkGrid statistics_grid() {
  return {1, statistic_bytes, statistics_per_chunk, 1, 1};
}
inline ChunkGrid notes_grid() {
  return {1, 1, notes_per_chunk, 1, 1};
}

/// The largest length up to `bytes` at which UTF-8 text is not cut within a character.
std::size_t whole_characters(std::string_view text, std::size_t bytes);

/// A file as bytes, manifest and state (hdf5/seal.h) among them.
struct Skeleton {
  std::vector<char> image;
  Manifest manifest;
};

/// Written in the oldest HDF5 format (superblock 0), which every reader knows and
/// which has no "file is open" flags that a killed process would leave behind. Texts have a fixed
/// length each: those of variable length lie in a heap of their own, which the HDF5 library reads
/// without looking.
Skeleton make_skeleton(const std::vector<Channel>& channels,
                       const RunInformation& info,
                       ChunkShape chunk);

}  // namespace trammel::results::hdf5
