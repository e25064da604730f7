#include "trammel/results/hdf5/hdf5_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/hdf5/skeleton.h"

namespace trammel::results::hdf5 {
namespace {

std::string until_zero(const char* text, std::size_t bytes) {
  return {text, std::find(text, text + bytes, '\0')};
}

/// Text of either kind from an attribute or scalar dataset; `read` fills a buffer of a given type.
template <typename Read>
std::string read_text(const Handle& type, Read read, bool& good) {
  good = type && H5Tget_class(type.get()) == H5T_STRING;
  if (!good) return {};
  if (H5Tis_variable_str(type.get()) > 0) {
    const Handle memory = string_type(0);
    char* text = nullptr;
    good = read(memory.get(), static_cast<void*>(&text)) >= 0;
    std::string result = good && text != nullptr ? text : "";
    H5free_memory(text);
    return result;
  }
  const std::size_t bytes = H5Tget_size(type.get());
  std::string buffer(bytes, '\0');
  good = read(type.get(), static_cast<void*>(buffer.data())) >= 0;
  return until_zero(buffer.data(), bytes);
}

bool is_single(hid_t space) {
  return H5Sget_simple_extent_npoints(space) == 1;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::filesystem::path path) : path_(std::move(path)) {
  file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  read_all();
}

Hdf5Reader::Hdf5Reader(std::filesystem::path path, std::vector<char>& image)
    : path_(std::move(path)), sealed_(true) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), 1 << 16, false);
  H5Pset_file_image(access.get(), image.data(), image.size());
  file_ = Handle(H5Fopen(image_name, H5F_ACC_RDONLY, access.get()), H5Fclose);
  read_all();
}

void Hdf5Reader::read_all() {
  if (!file_) damaged("the HDF5 library cannot open it");
  check_format();
  values_ = open_dataset(file_.get(), "values");
  read_record();
  read_channels();
  read_extent();
}

void Hdf5Reader::damaged(const std::string& what) const {
  throw core::InputError(
      fmt::format("results file '{}' is damaged or incomplete: {}", path_.string(), what),
      "copy it again from its source, or repeat the run");
}

void Hdf5Reader::check_format() const {
  const bool ours = H5Aexists(file_.get(), "format") > 0 &&
                    read_text_attribute(file_.get(), "format") == format_name;
  if (!ours) {
    throw core::InputError(
        fmt::format("'{}' is an HDF5 file, but not one with Trammel results", path_.string()),
        "give a file written by 'trammel run'");
  }
  int version = 0;
  const Handle attribute(H5Aopen(file_.get(), "format_version", H5P_DEFAULT), H5Aclose);
  const Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
  if (!space || !is_single(space.get()) || H5Aread(attribute.get(), H5T_NATIVE_INT, &version) < 0 ||
      version < 1) {
    damaged("it does not tell its format version");
  }
  if (version > format_version) {
    throw core::InputError(
        fmt::format("results file '{}' has format version {}, this program reads "
                    "up to {}",
                    path_.string(), version, format_version),
        "use the version of Trammel that wrote it, or a later one");
  }
  if (version >= 2 && !sealed_) damaged("its checksums are missing");
}

std::string Hdf5Reader::read_text_attribute(hid_t object, const char* name) const {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
  if (!space || !is_single(space.get())) damaged(fmt::format("attribute '{}' is missing", name));
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  bool good = false;
  std::string text = read_text(
      type, [&](hid_t memory, void* buffer) { return H5Aread(attribute.get(), memory, buffer); },
      good);
  if (!good) damaged(fmt::format("attribute '{}' cannot be read", name));
  return text;
}

Handle Hdf5Reader::open_dataset(hid_t parent, const char* name) const {
  Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose);
  if (!dataset) damaged(fmt::format("dataset '{}' is missing", name));
  return dataset;
}

std::vector<hsize_t> Hdf5Reader::extent(const Handle& dataset,
                                        const char* name,
                                        std::size_t rank) const {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  if (!space || H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(rank)) {
    damaged(fmt::format("dataset '{}' does not have {} dimension(s)", name, rank));
  }
  std::vector<hsize_t> lengths(rank);
  H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);

  // Nothing is compressed, so data cannot be larger than the file.
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  double bytes = type ? static_cast<double>(H5Tget_size(type.get())) : 0.0;
  for (const hsize_t length : lengths) bytes *= static_cast<double>(length);
  std::error_code ignored;
  if (bytes > static_cast<double>(std::filesystem::file_size(path_, ignored))) {
    damaged(fmt::format("dataset '{}' claims to be larger than the file", name));
  }
  return lengths;
}

void Hdf5Reader::read_record() {
  const hid_t root = file_.get();
  contents_.info.model_name = read_text_attribute(root, "model_name");
  contents_.info.method = read_text_attribute(root, "method");
  contents_.info.software = read_text_attribute(root, "software");
  contents_.info.started = read_text_attribute(root, "started");
  contents_.outcome = outcome_from_string(read_text_attribute(root, "outcome"));
  contents_.message = read_text_attribute(root, "message");
  contents_.info.model_text = read_text_dataset(root, "model");
  // Files written before there was a report have no scene.
  if (H5Lexists(root, "scene", H5P_DEFAULT) > 0) {
    contents_.info.scene = read_text_dataset(root, "scene");
  }
  read_information();
  read_statistics();
}

std::string Hdf5Reader::read_text_dataset(hid_t parent, const char* name) const {
  const Handle dataset = open_dataset(parent, name);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  bool good = is_single(space.get());
  std::string text;
  if (good) {
    text = read_text(
        type,
        [&](hid_t memory, void* buffer) {
          return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
        },
        good);
  }
  if (!good) damaged(fmt::format("the text '{}' cannot be read", name));
  return text;
}

void Hdf5Reader::read_information() {
  const Handle group(H5Gopen2(file_.get(), "information", H5P_DEFAULT), H5Gclose);
  if (!group) damaged("group 'information' is missing");
  std::vector<std::string> keys;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &keys) < 0) {
    damaged("group 'information' cannot be read");
  }
  for (const std::string& key : keys) {
    contents_.info.more[key] = read_text_attribute(group.get(), key.c_str());
  }
  // Long texts are no attributes.
  keys.clear();
  const auto collect_link = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_link, &keys) < 0) {
    damaged("group 'information' cannot be read");
  }
  for (const std::string& key : keys) {
    contents_.info.more[key] = read_text_dataset(group.get(), key.c_str());
  }
}

void Hdf5Reader::read_statistics() {
  const Handle statistics = open_dataset(file_.get(), "statistics");
  const std::size_t count = extent(statistics, "statistics", 1)[0];
  const Handle type(H5Dget_type(statistics.get()), H5Tclose);
  if (H5Tget_size(type.get()) != statistic_bytes) damaged("dataset 'statistics' has another type");
  std::vector<char> bytes(count * statistic_bytes);
  if (count > 0 &&
      H5Dread(statistics.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    damaged("dataset 'statistics' cannot be read");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const char* entry = &bytes[i * statistic_bytes];
    double value = 0.0;
    std::copy_n(entry + statistic_name_bytes, sizeof(double), reinterpret_cast<char*>(&value));
    contents_.statistics[until_zero(entry, statistic_name_bytes)] = value;
  }
}

std::vector<std::string> Hdf5Reader::read_texts(const char* name) const {
  const Handle dataset = open_dataset(file_.get(), name);
  const std::size_t count = extent(dataset, name, 1)[0];
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const bool fixed = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if (!fixed) damaged(fmt::format("dataset '{}' does not hold text of fixed length", name));
  const std::size_t bytes = H5Tget_size(type.get());
  std::vector<char> buffer(bytes * count);
  if (count > 0 &&
      H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()) < 0) {
    damaged(fmt::format("dataset '{}' cannot be read", name));
  }
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) texts.push_back(until_zero(&buffer[i * bytes], bytes));
  return texts;
}

void Hdf5Reader::read_channels() {
  std::vector<std::string> names = read_texts("channels/name");
  std::vector<std::string> units = read_texts("channels/unit");
  std::vector<std::string> frames = read_texts("channels/frame");
  std::vector<std::string> descriptions = read_texts("channels/description");
  const std::size_t count = names.size();
  if (units.size() != count || frames.size() != count || descriptions.size() != count) {
    damaged("the tables of channel names, units, frames and descriptions differ in length");
  }
  for (std::size_t i = 0; i < count; ++i) {
    contents_.channels.push_back({std::move(names[i]), std::move(units[i]), std::move(frames[i]),
                                  std::move(descriptions[i])});
  }
}

void Hdf5Reader::read_extent() {
  const std::vector<hsize_t> lengths = extent(values_, "values", 2);
  if (lengths[1] != contents_.channels.size()) {
    damaged(fmt::format("{} channels are named, but 'values' has {} columns",
                        contents_.channels.size(), lengths[1]));
  }
  const Handle properties(H5Dget_create_plist(values_.get()), H5Pclose);
  std::array<hsize_t, 2> chunk{1, 1};
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED) {
    H5Pget_chunk(properties.get(), 2, chunk.data());
  }
  chunk_rows_ = std::max<hsize_t>(1, chunk[0]);
  chunk_columns_ = std::max<hsize_t>(1, chunk[1]);
  contents_.rows =
      std::min<std::size_t>(lengths[0], extent(open_dataset(file_.get(), "time"), "time", 1)[0]);
  if (contents_.rows == 0) return;
  contents_.first_time = read_time(0, 1).front();
  contents_.last_time = read_time(contents_.rows - 1, 1).front();
}

std::vector<double> Hdf5Reader::read_time(std::size_t first, std::size_t rows) const {
  std::vector<double> time(rows);
  const Handle dataset = open_dataset(file_.get(), "time");
  const Handle in_file(H5Dget_space(dataset.get()), H5Sclose);
  const hsize_t start = first;
  const hsize_t count = rows;
  const Handle in_memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  if (rows > 0 && H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(),
                          H5P_DEFAULT, time.data()) < 0) {
    damaged("dataset 'time' cannot be read");
  }
  return time;
}

void Hdf5Reader::read_columns(std::size_t row,
                              std::size_t rows,
                              const std::vector<std::size_t>& chosen,
                              std::vector<std::vector<double>>& columns) const {
  const std::size_t all = contents_.channels.size();
  const Handle in_file(H5Dget_space(values_.get()), H5Sclose);
  for (std::size_t first = 0; first < all; first += chunk_columns_) {
    const std::size_t count = std::min(chunk_columns_, all - first);
    const auto is_here = [&](std::size_t i) { return i >= first && i < first + count; };
    if (std::none_of(chosen.begin(), chosen.end(), is_here)) continue;
    std::vector<double> buffer(rows * count);
    const std::array<hsize_t, 2> start{row, first};
    const std::array<hsize_t, 2> size{rows, count};
    const Handle in_memory(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    if (H5Dread(values_.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT,
                buffer.data()) < 0) {
      damaged(fmt::format("rows {} to {} cannot be read", row, row + rows - 1));
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!is_here(chosen[i])) continue;
      for (std::size_t k = 0; k < rows; ++k) {
        columns[i][k] = buffer[k * count + chosen[i] - first];
      }
    }
  }
}

void Hdf5Reader::read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const {
  // A few MB at a time, in whole chunks.
  constexpr std::size_t buffer_doubles = std::size_t{1} << 19U;
  const std::size_t width = std::max(chunk_columns_, chosen.size());
  const std::size_t chunks = std::max<std::size_t>(1, buffer_doubles / width / chunk_rows_);
  const std::size_t step = std::min(contents_.rows, chunks * chunk_rows_);
  std::vector<std::vector<double>> columns(chosen.size(), std::vector<double>(step));
  for (std::size_t row = 0; row < contents_.rows; row += step) {
    const std::size_t rows = std::min(step, contents_.rows - row);
    const std::vector<double> time = read_time(row, rows);
    read_columns(row, rows, chosen, columns);
    RowBlock block{row, time, {}};
    for (const std::vector<double>& column : columns)
      block.columns.emplace_back(column.data(), rows);
    visit(block);
  }
}

}  // namespace trammel::results::hdf5
