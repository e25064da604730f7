#include "trammel/integrators/integrator.h"

#include "hand_written_systems.h"
#include <gtest/gtest.h>

namespace trammel::integrators {
namespace {

/// Has as much memory as it is told.
class Sized final : public Integrator {
 public:
  void start(const system::Motion& /*motion*/) override { moved = settle_memory(); }
  StepReport step(double /*h*/) override { return {}; }
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return motion_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override { return bytes; }

  std::size_t bytes = 0;
  bool moved = false;

 private:
  testing::FunctionSystem system_{{.mass = system::Vector::Ones(1)}};
  system::Motion motion_;
  Statistics statistics_;
  std::vector<std::string> notes_;
};

// The walk through the process's memory takes about a second per gigabyte, and events restart an
// integrator up to 60 times each.
TEST(Integrators, MoveTheirMemoryOnceAndAgainWhenItHasGrown) {
  constexpr std::size_t megabyte = 1U << 20U;
  Sized integrator;
  const auto restart = [&](std::size_t bytes) {
    integrator.bytes = bytes;
    integrator.start({});
    return integrator.moved;
  };
  EXPECT_FALSE(restart(megabyte));
  EXPECT_TRUE(restart(100 * megabyte));
  EXPECT_FALSE(restart(100 * megabyte));
  EXPECT_FALSE(restart(110 * megabyte));  // the first factors
  EXPECT_TRUE(restart(300 * megabyte));
  EXPECT_FALSE(restart(300 * megabyte));
}

// Whatever a failure is, it is told in words.
TEST(Integrators, EveryFailureHasItsText) {
  for (int i = 0; i <= static_cast<int>(Failure::no_successor); ++i) {
    EXPECT_FALSE(to_string(static_cast<Failure>(i)).empty()) << i;
  }
}

}  // namespace
}  // namespace trammel::integrators
