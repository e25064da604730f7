// Checksums of a results file, so that damage is told instead of being shown as numbers.
//
// HDF5 of the oldest format has no checksums, and its library may crash on a damaged file. So the
// file carries three kinds of its own (CRC-32 of IEEE 802.3), in places that mean nothing to other
// readers of HDF5:
//
//   manifest  attribute of `time`, written once: the length and the checksum of the skeleton (the
//             file as it was before the first row), and where in it the numbers stand that change
//   state     attribute of `time`, written by each commit in one write together with the extents:
//             how many rows there are, how the run ended, and the checksum of all that
//   seals     two behind every chunk: how many of its rows are sealed, and the checksum of these
//
// A reader finds the manifest by its first word within the first page of the file, puts the
// changing numbers back to what they were and compares: only then does the HDF5 library see the
// skeleton, in memory. Everything else is read without it. A chunk has two seals because its last
// rows come one flush after the other: a flush writes the seal that the last commit did not count
// on, so that whatever interrupts it leaves a valid one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trammel/results/hdf5/file_format.h"

namespace trammel::results::hdf5 {

/// What changes in a file must lie in its first page, where one write cannot be torn apart.
inline constexpr std::size_t page_bytes = 4096;

/// Goes on from `before`, the checksum of what came before these bytes.
std::uint32_t checksum(std::uint32_t before, const void* bytes, std::size_t count);

/// Where the parts of a file are that change after its beginning.
struct Manifest {
  static constexpr std::size_t words = 17;
  static constexpr std::size_t bytes = words * 8;

  std::uint64_t skeleton_bytes = 0;
  std::uint64_t skeleton_checksum = 0;
  std::uint64_t state = 0;  ///< address of the state
  DatasetFields time;
  DatasetFields values;
  DatasetFields statistics;
  DatasetFields notes;
  AttributeField outcome;
  AttributeField message;
};

/// How far the run has come.
struct RunState {
  static constexpr std::size_t words = 7;
  static constexpr std::size_t bytes = words * 8;

  std::uint64_t rows = 0;
  std::uint64_t outcome = 0;  ///< as a number; what follows counts only when it is not `running`
  std::uint64_t statistics = 0;
  std::uint64_t notes = 0;    ///< bytes
  std::uint64_t message = 0;  ///< bytes
  std::uint64_t message_checksum = 0;
};

std::array<char, Manifest::bytes> encode(const Manifest& manifest);
std::array<char, RunState::bytes> encode(const RunState& state);
/// Nothing when the checksum does not agree.
std::optional<RunState> decode_state(std::span<const char, RunState::bytes> bytes);
/// Looks for a manifest in the first page of a file; nothing when there is none that is intact.
std::optional<Manifest> find_manifest(std::span<const char> page);
/// Whether there is one, intact or not.
bool has_manifest(std::span<const char> page);

/// Puts everything that changes back to what it was when the run began, and the manifest and the
/// state to zero. False when the manifest names places outside of the image.
bool restore(std::vector<char>& image, const Manifest& manifest, std::uint64_t manifest_address);
std::uint64_t manifest_address(std::span<const char> page);

/// The two seals behind a chunk.
inline constexpr std::size_t seal_bytes = 8;
inline constexpr std::size_t seals_bytes = 2 * seal_bytes;

struct Seal {
  std::uint32_t rows = 0;
  std::uint32_t checksum = 0;
};

std::array<char, seal_bytes> encode(const Seal& seal);
Seal decode_seal(const char* bytes);

/// Where the checksum of a chunk begins: with the file, the dataset (by the place of its index) and
/// the number of the chunk, so that chunks cannot change places.
std::uint32_t seal_seed(std::uint64_t skeleton_checksum,
                        std::uint64_t index_root_field,
                        std::uint64_t chunk_number);

}  // namespace trammel::results::hdf5
