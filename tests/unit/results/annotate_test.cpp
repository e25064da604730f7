#include "trammel/results/annotate.h"

#include "scratch.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/reader.h"

namespace trammel::results {
namespace {

template <class SinkType>
void write_samples(const std::filesystem::path& path, std::size_t rows) {
  SinkType sink(path);
  sink.begin(testing::sample_channels(5), testing::sample_information());
  testing::append_samples(sink, 0, rows, 5);
  sink.finish(Outcome::completed, "done", {{"steps", 3.0}});
}

TEST(Annotate, AddsTextsAndKeepsTheRest) {
  const testing::ScratchFolder folder;
  write_samples<Hdf5Sink>(folder / "a.h5", 3000);
  write_samples<CsvSink>(folder / "a.csv", 3000);
  for (const char* name : {"a.h5", "a.csv"}) {
    const Table before = read(folder / name);
    annotate(folder / name, {{"what", "first"}, {"remark", "another one"}});
    annotate(folder / name, {{"what", std::string(20000, 'x') + "\n\"end\""}});
    const Table after = read(folder / name);
    EXPECT_EQ(after.info.more.at("what"), std::string(20000, 'x') + "\n\"end\"") << name;
    EXPECT_EQ(after.info.more.at("remark"), "another one") << name;
    EXPECT_EQ(after.info.more.at("step"), "0.001") << name;
    EXPECT_EQ(after.columns, before.columns) << name;
    EXPECT_EQ(after.time, before.time) << name;
    EXPECT_EQ(after.outcome, Outcome::completed) << name;
    EXPECT_EQ(after.statistics, before.statistics) << name;
    EXPECT_EQ(after.info.scene, before.info.scene) << name;
  }
}

TEST(Annotate, RefusesOtherFiles) {
  const testing::ScratchFolder folder;
  EXPECT_THROW(annotate(folder / "none.h5", {{"a", "b"}}), core::InputError);
  testing::put(folder / "bad.h5", "\x89HDF\r\n\x1a\n and nothing else");
  EXPECT_THROW(annotate(folder / "bad.h5", {{"a", "b"}}), core::RunError);
}

}  // namespace
}  // namespace trammel::results
