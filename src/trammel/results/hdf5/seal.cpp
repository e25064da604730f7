#include "trammel/results/hdf5/seal.h"

#include <algorithm>
#include <string_view>

#include <zlib.h>

#include "trammel/results/hdf5/skeleton.h"

namespace trammel::results::hdf5 {
namespace {

constexpr std::uint64_t magic = 0x32'6C'65'6D'6D'61'72'54;  // "Trammel2"
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  for (int k = 7; k >= 0; --k) word = word << 8U | static_cast<unsigned char>(bytes[k]);
  return word;
}

/// Words one after the other, the last of them the checksum of those before.
template <std::size_t Count>
std::array<char, Count * 8> sealed_words(const std::array<std::uint64_t, Count - 1>& words) {
  std::array<char, Count * 8> bytes{};
  for (std::size_t i = 0; i < words.size(); ++i) store(&bytes[i * 8], words[i], 8);
  const std::size_t end = words.size() * 8;
  store(&bytes[end], checksum(0, bytes.data(), end), 8);
  return bytes;
}

bool is_intact(const char* bytes, std::size_t words) {
  const std::size_t end = (words - 1) * 8;
  return word_at(bytes + end) == checksum(0, bytes, end);
}

}  // namespace

std::uint32_t checksum(std::uint32_t before, const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(::crc32_z(before, static_cast<const Bytef*>(bytes), count));
}

std::array<char, Manifest::bytes> encode(const Manifest& m) {
  return sealed_words<Manifest::words>(
      {magic, m.skeleton_bytes, m.skeleton_checksum, m.state, m.time.extent, m.time.index_root,
       m.values.extent, m.values.index_root, m.statistics.extent, m.statistics.index_root,
       m.notes.extent, m.notes.index_root, m.outcome.address, m.outcome.bytes, m.message.address,
       m.message.bytes});
}

std::array<char, RunState::bytes> encode(const RunState& s) {
  return sealed_words<RunState::words>(
      {s.rows, s.outcome, s.statistics, s.notes, s.message, s.message_checksum});
}

std::optional<RunState> decode_state(std::span<const char, RunState::bytes> bytes) {
  if (!is_intact(bytes.data(), RunState::words)) return std::nullopt;
  const auto word = [&](std::size_t i) { return word_at(&bytes[i * 8]); };
  return RunState{word(0), word(1), word(2), word(3), word(4), word(5)};
}

std::uint64_t manifest_address(std::span<const char> page) {
  for (std::size_t at = 0; at + Manifest::bytes <= page.size(); at += 8) {
    if (word_at(&page[at]) == magic) return at;
  }
  return nowhere;
}

bool has_manifest(std::span<const char> page) {
  return manifest_address(page) != nowhere;
}

std::optional<Manifest> find_manifest(std::span<const char> page) {
  const std::uint64_t at = manifest_address(page);
  if (at == nowhere || !is_intact(&page[at], Manifest::words)) return std::nullopt;
  const auto word = [&](std::size_t i) { return word_at(&page[at + i * 8]); };
  return Manifest{word(1),
                  word(2),
                  word(3),
                  {word(4), word(5)},
                  {word(6), word(7)},
                  {word(8), word(9)},
                  {word(10), word(11)},
                  {word(12), word(13)},
                  {word(14), word(15)}};
}

bool restore(std::vector<char>& image, const Manifest& manifest, std::uint64_t manifest_address) {
  bool inside = true;
  const auto place = [&](std::uint64_t address, std::size_t bytes) -> char* {
    const bool fits = address <= image.size() && bytes <= image.size() - address;
    inside = inside && fits;
    return fits ? image.data() + address : nullptr;
  };
  const auto number = [&](std::uint64_t address, std::uint64_t value) {
    if (char* target = place(address, 8)) store(target, value, 8);
  };
  const auto text = [&](std::uint64_t address, std::size_t bytes, std::string_view value) {
    char* target = place(address, bytes);
    if (target == nullptr) return;
    std::fill_n(target, bytes, '\0');
    std::copy_n(value.begin(), std::min(bytes, value.size()), target);
  };
  number(end_of_file_field, image.size());
  for (const DatasetFields& dataset :
       {manifest.time, manifest.values, manifest.statistics, manifest.notes}) {
    number(dataset.extent, 0);
    number(dataset.index_root, undefined_address);
  }
  text(manifest.outcome.address, manifest.outcome.bytes, to_string(Outcome::running));
  text(manifest.message.address, manifest.message.bytes, {});
  text(manifest.state, RunState::bytes, {});
  text(manifest_address, Manifest::bytes, {});
  return inside;
}

std::array<char, seal_bytes> encode(const Seal& seal) {
  std::array<char, seal_bytes> bytes{};
  store(bytes.data(), seal.rows, 4);
  store(bytes.data() + 4, seal.checksum, 4);
  return bytes;
}

Seal decode_seal(const char* bytes) {
  const std::uint64_t word = word_at(bytes);
  return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)};
}

std::uint32_t seal_seed(std::uint64_t skeleton_checksum,
                        std::uint64_t index_root_field,
                        std::uint64_t chunk_number) {
  std::array<char, 24> bytes{};
  store(bytes.data(), skeleton_checksum, 8);
  store(bytes.data() + 8, index_root_field, 8);
  store(bytes.data() + 16, chunk_number, 8);
  return checksum(0, bytes.data(), bytes.size());
}

}  // namespace trammel::results::hdf5
