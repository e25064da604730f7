#include "trammel/results/hdf5/skeleton.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/hdf5/handle.h"

namespace trammel::results::hdf5 {
namespace {

/// Everything here happens in memory, so that a failure means lack of memory or a strange library.
template <typename Status>
Status checked(Status status, const char* what) {
  if (status < 0) {
    throw core::RunError(fmt::format("HDF5: cannot make the {} of a results file", what),
                         "check that memory is left and that names are not empty");
  }
  return status;
}

Handle scalar_space() {
  return {H5Screate(H5S_SCALAR), H5Sclose};
}

/// Text of fixed room.
void add_fixed_text(hid_t object, const char* name, std::string text, std::size_t bytes) {
  text.resize(bytes, '\0');
  const Handle type = string_type(bytes);
  const Handle space = scalar_space();
  const Handle attribute(
      checked(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "attributes"),
      H5Aclose);
  checked(H5Awrite(attribute.get(), type.get(), text.data()), "attributes");
}

/// An attribute has at most 64 KiB.
void add_text(hid_t object, const char* name, std::string text) {
  text.resize(whole_characters(text, longest_attribute));
  const std::size_t bytes = std::max<std::size_t>(1, text.size());
  add_fixed_text(object, name, std::move(text), bytes);
}

/// Zeros for numbers that are written in place.
void add_words(hid_t object, const char* name, std::size_t count) {
  const hsize_t length = count;
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  const Handle attribute(
      checked(H5Acreate2(object, name, H5T_STD_U64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "attributes"),
      H5Aclose);
  const std::vector<std::uint64_t> zeros(count);
  checked(H5Awrite(attribute.get(), H5T_NATIVE_UINT64, zeros.data()), "attributes");
}

void add_number_attribute(hid_t object, const char* name, int number) {
  const Handle space = scalar_space();
  const Handle attribute(
      checked(H5Acreate2(object, name, H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "attributes"),
      H5Aclose);
  checked(H5Awrite(attribute.get(), H5T_NATIVE_INT, &number), "attributes");
}

/// An empty dataset that grows along its first dimension.
Handle add_growing(hid_t file,
                   const char* name,
                   hid_t type,
                   const std::vector<hsize_t>& extent,
                   const std::vector<hsize_t>& chunk) {
  std::vector<hsize_t> limit = extent;
  for (hsize_t& length : limit) length = length == 0 ? H5S_UNLIMITED : length;
  const int rank = static_cast<int>(extent.size());
  const Handle space(checked(H5Screate_simple(rank, extent.data(), limit.data()), name), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_chunk(properties.get(), rank, chunk.data()), name);
  return {
      checked(H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
              name),
      H5Dclose};
}

Handle statistic_type() {
  const Handle name = string_type(statistic_name_bytes);
  Handle type(H5Tcreate(H5T_COMPOUND, statistic_bytes), H5Tclose);
  checked(H5Tinsert(type.get(), "name", 0, name.get()), "statistics");
  checked(H5Tinsert(type.get(), "value", statistic_name_bytes, H5T_IEEE_F64LE), "statistics");
  return type;
}

void add_channel_texts(hid_t group,
                       const char* name,
                       const std::vector<Channel>& channels,
                       std::string Channel::*member) {
  std::size_t longest = 1;
  for (const Channel& channel : channels) longest = std::max(longest, (channel.*member).size());
  std::string padded(longest * channels.size(), '\0');
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& text = channels[i].*member;
    std::copy(text.begin(), text.end(), padded.begin() + static_cast<std::ptrdiff_t>(longest * i));
  }
  const hsize_t count = channels.size();
  const Handle type = string_type(longest);
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle dataset(checked(H5Dcreate2(group, name, type.get(), space.get(), H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT),
                               "channels"),
                       H5Dclose);
  if (count > 0) {
    checked(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
            "channels");
  }
}

void add_channels(hid_t file, const std::vector<Channel>& channels) {
  const Handle group(
      checked(H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "channels"),
      H5Gclose);
  add_channel_texts(group.get(), "name", channels, &Channel::name);
  add_channel_texts(group.get(), "unit", channels, &Channel::unit);
  add_channel_texts(group.get(), "frame", channels, &Channel::frame);
  add_channel_texts(group.get(), "description", channels, &Channel::description);
}

void add_text_dataset(hid_t parent, const char* name, std::string text) {
  text.resize(std::max<std::size_t>(1, text.size()), '\0');
  const Handle type = string_type(text.size());
  const Handle space = scalar_space();
  const Handle dataset(checked(H5Dcreate2(parent, name, type.get(), space.get(), H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT),
                               name),
                       H5Dclose);
  checked(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), name);
}

void add_information(hid_t file, const RunInformation& info) {
  add_text(file, "model_name", info.model_name);
  add_text(file, "method", info.method);
  add_text(file, "software", info.software);
  add_text(file, "started", info.started);
  const Handle group(checked(H5Gcreate2(file, "information", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             "information"),
                     H5Gclose);
  for (const auto& [key, text] : info.more) {
    if (text.size() > longest_attribute) {
      add_text_dataset(group.get(), key.c_str(), text);
    } else {
      add_text(group.get(), key.c_str(), text);
    }
  }

  add_text_dataset(file, "model", info.model_text);
  if (!info.scene.empty()) add_text_dataset(file, "scene", info.scene);
}

std::vector<char> image_of(hid_t file) {
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "image");
  const ssize_t size = checked(H5Fget_file_image(file, nullptr, 0), "image");
  std::vector<char> image(static_cast<std::size_t>(size));
  checked(H5Fget_file_image(file, image.data(), image.size()), "image");
  return image;
}

/// In a file, a reference to an object is the address of its header.
std::uint64_t header_address(hid_t file, const char* path) {
  hobj_ref_t reference = 0;
  checked(H5Rcreate(&reference, file, path, H5R_OBJECT, -1), path);
  return reference;
}

/// The image, with a manifest that describes it.
Skeleton with_manifest(hid_t file) {
  Skeleton skeleton{image_of(file), {}};
  const std::vector<char>& image = skeleton.image;
  check_superblock(image);
  const std::uint64_t root = header_address(file, "/");
  const std::uint64_t time = header_address(file, "time");
  const AttributeField place = find_attribute(image, time, "manifest");
  Manifest& manifest = skeleton.manifest;
  manifest.skeleton_bytes = image.size();
  manifest.skeleton_checksum = checksum(0, image.data(), image.size());
  manifest.state = find_attribute(image, time, "state").address;
  manifest.time = find_dataset_fields(image, time);
  manifest.values = find_dataset_fields(image, header_address(file, "values"));
  manifest.statistics = find_dataset_fields(image, header_address(file, "statistics"));
  manifest.notes = find_dataset_fields(image, header_address(file, "notes"));
  manifest.outcome = find_attribute(image, root, "outcome");
  manifest.message = find_attribute(image, root, "message");
  const std::uint64_t last = std::max({manifest.state, manifest.time.extent, manifest.values.extent,
                                       place.address + Manifest::bytes});
  if (last + RunState::bytes > page_bytes || place.address % 8 != 0) {
    throw core::RunError("HDF5: the library does not put the first datasets into the first page",
                         "use HDF5 1.8 to 1.14, or write the results as CSV");
  }
  const auto encoded = encode(manifest);
  std::copy(encoded.begin(), encoded.end(),
            skeleton.image.begin() + static_cast<std::ptrdiff_t>(place.address));
  const auto state = encode(RunState{});
  std::copy(state.begin(), state.end(),
            skeleton.image.begin() + static_cast<std::ptrdiff_t>(manifest.state));
  return skeleton;
}

}  // namespace

std::size_t whole_characters(std::string_view text, std::size_t bytes) {
  std::size_t length = std::min(text.size(), bytes);
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (length > 0 && continues(length)) --length;
  return length;
}

ChunkShape choose_chunk_shape(std::size_t channel_count, std::size_t rows) {
  constexpr std::size_t target_doubles = 8192;
  constexpr std::size_t side_by_side = 512;
  constexpr std::size_t most_blocks = 16;
  const std::size_t blocks_of = (channel_count + most_blocks - 1) / most_blocks;
  const std::size_t columns =
      channel_count <= side_by_side ? channel_count : std::max(side_by_side, blocks_of);
  ChunkShape shape{rows, std::max<std::size_t>(1, columns)};
  if (rows == 0) {
    const std::size_t fitting = std::max<std::size_t>(1, target_doubles / shape.columns);
    shape.rows = std::min<std::size_t>(1024, std::bit_floor(fitting));
  }
  return shape;
}

Skeleton make_skeleton(const std::vector<Channel>& channels,
                       const RunInformation& info,
                       ChunkShape chunk) {
  const Silence silence;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  checked(H5Pset_fapl_core(access.get(), 1 << 16, false), "image");
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "image");
  const Handle file(
      checked(H5Fcreate(image_name, H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "image"), H5Fclose);

  // The growing datasets come first: their headers then lie together in the first page of the file,
  // which lets one write extend both and record the new state.
  {
    const Handle time = add_growing(file.get(), "time", H5T_IEEE_F64LE, {0}, {chunk.rows});
    add_words(time.get(), "state", RunState::words);
    add_words(time.get(), "manifest", Manifest::words);
    const Handle values = add_growing(file.get(), "values", H5T_IEEE_F64LE, {0, channels.size()},
                                      {chunk.rows, chunk.columns});
    const Handle type = statistic_type();
    add_growing(file.get(), "statistics", type.get(), {0}, {statistics_per_chunk});
    add_growing(file.get(), "notes", H5T_STD_U8LE, {0}, {notes_per_chunk});
    add_text(time.get(), "unit", "s");
  }
  add_text(file.get(), "format", format_name);
  add_number_attribute(file.get(), "format_version", format_version);
  add_fixed_text(file.get(), "outcome", std::string(to_string(Outcome::running)), outcome_bytes);
  add_fixed_text(file.get(), "message", {}, message_bytes);
  add_channels(file.get(), channels);
  add_information(file.get(), info);
  return with_manifest(file.get());
}

}  // namespace trammel::results::hdf5
