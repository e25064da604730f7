#include "trammel/results/reader.h"

#include <random>

#include "scratch.h"
#include <gtest/gtest.h>
#include <hdf5.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"

namespace trammel::results {
namespace {

using namespace testing;

std::string complaint(const std::filesystem::path& path) {
  ::testing::internal::CaptureStderr();
  std::string message = message_of<core::InputError>([&] { read(path); });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "nobody but us reports errors";
  return message;
}

void write_run(const std::filesystem::path& path) {
  Hdf5Sink sink(path);
  sink.begin(sample_channels(6), sample_information());
  append_samples(sink, 0, 500, 6);
  sink.finish(Outcome::completed, "", {{"steps", 500.0}});
}

TEST(Reader, InspectsWithoutTheValues) {
  const ScratchFolder folder;
  write_run(folder / "run.h5");
  const Contents contents = inspect(folder / "run.h5");
  EXPECT_EQ(contents.rows, 500U);
  EXPECT_EQ(contents.first_time, 0.0);
  EXPECT_EQ(contents.last_time, sample_time(499));
  EXPECT_EQ(contents.channels, sample_channels(6));
  EXPECT_EQ(contents.info, sample_information());
}

TEST(Reader, FindsTheSameInHdf5AndCsvWhateverTheyAreCalled) {
  const ScratchFolder folder;
  write_run(folder / "run.results");
  const Table table = read(folder / "run.results");
  CsvSink csv(folder / "copy.results");
  write(table, csv);
  const Table copy = read(folder / "copy.results");
  EXPECT_EQ(copy.columns, table.columns);
  EXPECT_EQ(copy.time, table.time);
  EXPECT_EQ(copy.channels, table.channels);
  EXPECT_EQ(copy.info, table.info);
  EXPECT_EQ(copy.statistics, table.statistics);
  EXPECT_EQ(inspect(folder / "copy.results").rows, 500U);
}

TEST(Reader, ExplainsMissingAndForeignFiles) {
  const ScratchFolder folder;
  EXPECT_NE(complaint(folder / "absent.h5").find("does not exist"), std::string::npos);
  EXPECT_NE(complaint(folder.path()).find("no regular file"), std::string::npos);
  put(folder / "empty.h5", "");
  EXPECT_NE(complaint(folder / "empty.h5").find("it is empty"), std::string::npos);
  put(folder / "binary.h5", std::string("\x7f"
                                        "ELF\0\0\0",
                                        7));
  EXPECT_NE(complaint(folder / "binary.h5").find("neither HDF5 nor CSV"), std::string::npos);
  put(folder / "model.yaml", "bodies:\n  crank:\n");
  EXPECT_NE(complaint(folder / "model.yaml").find("not 'time'"), std::string::npos);

  const std::string other = (folder / "other.h5").string();
  H5Fclose(H5Fcreate(other.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_NE(complaint(other).find("not one with Trammel results"), std::string::npos);
}

TEST(Reader, ExplainsATruncatedFile) {
  const ScratchFolder folder;
  write_run(folder / "run.h5");
  const std::string all = contents_of(folder / "run.h5");
  std::mt19937 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t length = 8 + random() % (all.size() - 8);
    put(folder / "part.h5", all.substr(0, length));
    EXPECT_NE(complaint(folder / "part.h5").find("damaged or incomplete"), std::string::npos)
        << length << " of " << all.size() << " bytes";
  }
}

/// Of the first format, which others may change: it has no checksums.
const char* const early = TRAMMEL_SOURCE_DIR "/tests/data/results/early.h5";

TEST(Reader, RefusesAFileThatAnotherProgramHasChanged) {
  const ScratchFolder folder;
  write_run(folder / "run.h5");
  const std::string path = (folder / "run.h5").string();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  const int version = 1;
  H5Awrite(attribute, H5T_NATIVE_INT, &version);
  H5Aclose(attribute);
  H5Fclose(file);
  EXPECT_NE(complaint(path).find("changed by another program"), std::string::npos);
}

TEST(Reader, RefusesALaterFormat) {
  const ScratchFolder folder;
  std::filesystem::copy_file(early, folder / "run.h5");
  {
    const std::string path = (folder / "run.h5").string();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    const int version = 99;
    H5Awrite(attribute, H5T_NATIVE_INT, &version);
    H5Aclose(attribute);
    H5Fclose(file);
  }
  EXPECT_NE(complaint(folder / "run.h5").find("format version 99"), std::string::npos);
}

TEST(Reader, ExplainsPartsThatAreMissingOrDoNotFit) {
  const ScratchFolder folder;
  for (const char* part : {"time", "values", "model", "statistics", "information", "channels"}) {
    std::filesystem::copy_file(early, folder / "run.h5",
                               std::filesystem::copy_options::overwrite_existing);
    const std::string path = (folder / "run.h5").string();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, part, H5P_DEFAULT);
    H5Fclose(file);
    const std::string message = complaint(path);
    EXPECT_NE(message.find("damaged or incomplete"), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace trammel::results
