#include "trammel/analysis/comparison/store.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "support/scratch_folder.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis::comparison {
namespace {

class Store : public testing::Test {
 protected:
  static Row row(const std::string& key, double error) {
    Row r;
    r.key = key;
    r.candidate.method = "V0(1, 1, 0)";  // commas inside of a field
    r.candidate.index = 2;
    r.candidate.stabilisation = "projection";
    r.result.step = 1e-3;
    r.result.verdict = Verdict::oscillates;
    r.result.reason = "because";
    r.result.error.position = error;
    r.result.energy_history = {1.0, -2.5e-7, 3.0};
    return r;
  }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  support::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.csv";
};

TEST_F(Store, KeepsRunsOfTheSameModel) {
  {
    RunStore store(path_, "model-a");
    EXPECT_TRUE(store.runs().empty());
    store.add(row("one", 0.25));
    store.add(row("two", 0.5));
  }
  const RunStore again(path_, "model-a");
  ASSERT_EQ(again.runs().size(), 2u);
  const Row& kept = again.runs().at("one");
  EXPECT_EQ(kept.candidate.method, "V0(1, 1, 0)");
  EXPECT_EQ(kept.candidate.index, 2);
  EXPECT_EQ(kept.result.verdict, Verdict::oscillates);
  EXPECT_EQ(kept.result.error.position, 0.25);
  EXPECT_TRUE(std::isnan(kept.result.error.velocity));
  EXPECT_EQ(kept.result.energy_history, (std::vector<double>{1.0, -2.5e-7, 3.0}));
  EXPECT_TRUE(RunStore(path_, "model-b").runs().empty());
}

TEST_F(Store, DropsLinesThatAreCutOffAndThoseOfAnotherModel) {
  {
    RunStore store(path_, "model-a");
    store.add(row("one", 0.25));
    store.add(row("two", 0.5));
  }
  const std::string whole = text();
  std::ofstream(path_, std::ios::binary) << whole.substr(0, whole.size() - 20);
  {
    RunStore store(path_, "model-a");
    EXPECT_EQ(store.runs().size(), 1u);
    store.add(row("three", 0.125));
  }
  EXPECT_EQ(RunStore(path_, "model-a").runs().size(), 2u);
  {
    RunStore other(path_, "model-b");
    other.add(row("four", 1.0));
  }
  EXPECT_EQ(RunStore(path_, "model-b").runs().size(), 1u);
  EXPECT_TRUE(RunStore(path_, "model-a").runs().empty());
}

TEST_F(Store, WritesRowsInTheirOrderAndKeepsTheOthers) {
  {
    RunStore store(path_, "model-a");
    store.add(row("other", 1.0));
    Row first = row("z", 0.5);
    first.order.position = 2.0;
    store.write({first, row("a", 0.25)});
    // Nobody else writes meanwhile.
    EXPECT_THROW(RunStore(path_, "model-a"), core::InputError);
  }
  const std::string written = text();
  EXPECT_LT(written.find(",z\n"), written.find(",a\n"));
  EXPECT_EQ(RunStore(path_, "model-a").runs().size(), 3u);
  EXPECT_EQ(RunStore(path_, "model-a").runs().at("z").order.position, 2.0);
}

TEST_F(Store, KeepsWhatOthersHaveFinishedSinceItWasRead) {
  RunStore early(path_, "model-a");
  {
    RunStore late(path_, "model-a");
    late.add(row("late", 0.5));
    late.write({row("late", 0.5)});
    late.close();
  }
  early.add(row("early", 0.25));
  early.write({row("early", 0.25)});
  early.close();
  const RunStore both(path_, "model-a");
  EXPECT_EQ(both.runs().count("early"), 1U);
  EXPECT_EQ(both.runs().count("late"), 1U);
}

TEST_F(Store, LeavesForeignFilesAlone) {
  std::ofstream(path_, std::ios::binary) << "time,x\n0,1\n";
  EXPECT_THROW(RunStore(path_, "model-a"), core::InputError);
  EXPECT_EQ(text(), "time,x\n0,1\n");
}

// Everything that a run depends on is in its key, to the last digit.
TEST(RunKey, TellsRunsApartByEverySetting) {
  const auto key = [](const auto& change) {
    Candidate candidate;
    candidate.settings.integrator = "hht";
    candidate.settings.integrator_values = {{"spectral_radius", 0.8},
                                            {"start", std::string("plain")}};
    candidate.step = 1e-3;
    Sampling sampling{0.01, 100};
    Limits limits;
    change(candidate, sampling, limits);
    return run_key(candidate, sampling, limits);
  };
  using C = Candidate&;
  using S = Sampling&;
  using L = Limits&;
  std::set<std::string> keys{
      key([](C, S, L) {}),
      key([](C c, S, L) { c.settings.integrator = "newmark"; }),
      key([](C c, S, L) { c.settings.integrator_values["spectral_radius"] = 0.8 + 1e-15; }),
      key([](C c, S, L) { c.settings.integrator_values["start"] = std::string("exact"); }),
      key([](C c, S, L) {
        c.settings.integrator_values["rho"] = std::vector<double>{1.0, 1.0};
      }),
      key([](C c, S, L) {
        c.settings.integrator_values["rho"] = std::vector<double>{1.0, 1.0 - 1e-15};
      }),
      key([](C c, S, L) { c.settings.solver = "klu"; }),
      key([](C c, S, L) { c.settings.coordinates = "relative"; }),
      key([](C c, S, L) { c.step = 1e-3 + 1e-18; }),
      key([](C, S s, L) { s.interval += 1e-17; }),
      key([](C, S s, L) { s.count = 101; }),
      key([](C, S, L l) { l.drift *= 1.0 + 1e-15; })};
  EXPECT_EQ(keys.size(), 12u);
}

}  // namespace
}  // namespace trammel::analysis::comparison
