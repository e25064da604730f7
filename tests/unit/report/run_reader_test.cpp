#include "trammel/report/run_reader.h"

#include "support/scratch_folder.h"
#include <gtest/gtest.h>

#include "trammel/results/hdf5_sink.h"

namespace trammel::report {
namespace {

TEST(ReadRun, TakesOnlyWhatWillBeShownOfFilesBeyondTheMemory) {
  const support::ScratchFolder folder;
  const auto path = folder / "run.h5";
  results::Hdf5Sink sink(path);
  sink.begin({{"a.position.x", "m", "", ""},
              {"a.acceleration.x", "m/s^2", "", ""},
              {"energy.total", "J", "", ""}},
             {});
  const double row[] = {1.0, 2.0, 3.0};
  for (int i = 0; i < 1000; ++i) sink.append(1e-3 * i, row);
  sink.finish(results::Outcome::completed, "", {});

  const ReadRun all = read_run(path);
  EXPECT_EQ(all.table.channels.size(), 3u);
  EXPECT_EQ(all.left_out, 0u);
  // 2000 numbers: 1000 for the pose, and for plots two channels of 500 samples.
  const ReadRun part = read_run(path, nullptr, {.memory = 1000, .budget = 2000 * sizeof(float)});
  ASSERT_EQ(part.table.channels.size(), 2u);
  EXPECT_EQ(part.left_out, 1u);
  EXPECT_EQ(part.table.channels[0].name, "a.position.x");
  EXPECT_EQ(part.table.channels[1].name, "energy.total");
}

}  // namespace
}  // namespace trammel::report
