// The crane of examples/chiou in its plane with arms that bend [Chiou1990, section 7.6].
#include "unit/analysis/full_vocabulary.h"
#include "unit/analysis/recorded_run.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::analysis::planar_crane_test {
namespace {

RecordedRun crane(const std::string& name, const io::Overrides& overrides = {}) {
  return recorded_run(
      io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/chiou/" + name + ".yaml",
                          full_vocabulary(), {.overrides = overrides})
          .description);
}

// Its tip goes where the drives of velocities take it, as that of rigid arms does. The motion is
// slow against the first period of the arms: torques of the pins are those of rigid arms within
// half a percent of the largest, 13.5 N m, in every formulation.
TEST(PlanarCrane, FlexibleArmsNeedTheTorquesOfRigidOnesInEveryFormulation) {
  const RecordedRun rigid = crane("crane_planar");
  for (const std::string formulation : {"inertial", "ancf", "floating"}) {
    io::Overrides list;
    for (const char* arm : {"arm1", "arm2", "arm3"}) {
      list.emplace_back(std::string("flexible.") + arm + ".formulation", formulation);
    }
    const RecordedRun run = crane("crane_planar_flexible", list);
    EXPECT_NEAR(run.last("arm3.tip.position.x"), std::hypot(24.0, 14.0) - 10.0, 1e-6);
    EXPECT_NEAR(run.last("arm3.tip.position.y"), 22.0, 1e-6);
    for (std::size_t i = 0; i < 7; ++i) {
      for (const char* torque : {"torque1", "torque2", "torque3"}) {
        EXPECT_NEAR(run.table.column(torque)[30 * i], rigid.table.column(torque)[i], 0.07)
            << torque << " at " << 30 * i << " s, " << formulation;
      }
    }
  }
}

// A thousand times softer, the arms swing: torques leave those of rigid arms by ten times as much
// and more, while the tip is held to its way.
TEST(PlanarCrane, SoftArmsSwingWhileTheTipKeepsItsWay) {
  const RecordedRun rigid = crane("crane_planar");
  const RecordedRun run = crane("crane_planar_flexible", {{"soft", "1000"}});
  double most = 0.0;
  for (std::size_t i = 0; i < 7; ++i) {
    most = std::max(
        most, std::abs(run.table.column("torque1")[30 * i] - rigid.table.column("torque1")[i]));
  }
  EXPECT_GT(most, 0.7);
  EXPECT_NEAR(run.last("arm3.tip.position.y"), 22.0, 1e-6);
}

}  // namespace
}  // namespace trammel::analysis::planar_crane_test
