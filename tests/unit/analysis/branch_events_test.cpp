// registry: integrators
// Conditions on the motion, through every integrator of the registry: a step ends where they
// change, and those that change without end are let go and told.
#include "trammel/analysis/branch_events.h"

#include <algorithm>
#include <cmath>

#include "recorded_run.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

using model::Description;

/// A mass of 1 kg on a rail, with 1 m/s from x = 0 on.
Description pushed(const std::string& force) {
  Description d;
  d.space = model::Space::planar;
  model::Body body;
  body.name = "m";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  body.velocity = {1, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "m", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_force("actuator", "kick", {},
              {{"coordinate", std::string("rail.displacement")}, {"formula", force}});
  d.simulation.until = 1.0;
  d.simulation.step = 10e-3;
  d.simulation.output_step = 0.1;
  return d;
}

class Conditions : public ::testing::TestWithParam<std::string> {
 protected:
  RecordedRun run_all(Description d) const {
    d.simulation.integrator = GetParam();
    return recorded_run(d);
  }
};

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : integrators::integrator_kinds()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators,
                         Conditions,
                         ::testing::ValuesIn(all_kinds()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Loads are constant on both sides, so that what is left is the round-off of steps and the place of
// the change, to 1e-8 of a step; methods that choose their steps add their tolerance of 1e-6.
TEST_P(Conditions, AreMetWhereTheyChange) {
  for (const double place : {0.5, 0.5004, 0.5049, 0.50999}) {
    for (const char* coordinates : {"absolute", "relative"}) {
      SCOPED_TRACE(fmt::format("{} {}", place, coordinates));
      Description d = pushed(fmt::format("if(rail.displacement > {} m, 10 N, 0 N)", place));
      d.simulation.coordinates = coordinates;
      const RecordedRun result = run_all(d);
      const double t = 1.0 - place;
      EXPECT_NEAR(result.last("rail.displacement"), 1.0 + 5.0 * t * t, 1e-6);
      EXPECT_NEAR(result.last("rail.displacement_rate"), 1.0 + 10.0 * t, 1e-6);
      EXPECT_EQ(result.report.statistics.at("condition_changes"), 1.0);
    }
  }
}

// There and back: v^2/2 - W(x) is constant, W the work of the force along x.
TEST_P(Conditions, OnVelocitiesAndWholeNumbersKeepTheEnergy) {
  const RecordedRun stairs = run_all(pushed("1 N * floor(rail.displacement/(0.1 m))"));
  const double x = stairs.last("rail.displacement");
  const double v = stairs.last("rail.displacement_rate");
  const double k = std::floor(x / 0.1);
  const double work = 0.1 * 0.5 * k * (k - 1.0) + k * (x - 0.1 * k);
  EXPECT_NEAR(0.5 * v * v, 0.5 + work, 1e-5 * work);
  // Braked by 2 N down to 0.5 m/s at t = 0.25 s, then by 0.1 N.
  const RecordedRun brake = run_all(pushed("if(rail.displacement_rate > 0.5 m/s, -2 N, -0.1 N)"));
  EXPECT_NEAR(brake.last("rail.displacement_rate"), 0.5 - 0.075, 1e-6);
}

// A condition on the motion and one on time in one formula; the later one depends on the first.
TEST_P(Conditions, AndJumpsInTimeGoTogether) {
  const RecordedRun result =
      run_all(pushed("if(rail.displacement > 0.3007 m and time < 0.7003 s, 10 N, 0 N)"));
  EXPECT_NEAR(result.last("rail.displacement_rate"), 1.0 + 10.0 * (0.7003 - 0.3007), 1e-6);
}

/// A mass of 1 kg that falls from x = 0 onto a stop at -0.5 m, and is pushed up by 30 N below -0.4.
struct Falling {
  double x = 0.0;
  double v = 0.0;
  bool pushed = false;

  Falling after(double h) const {
    const auto a = [this](double place, double rate) {
      const double depth = -0.5 - place;
      const double stop = depth * 1e4 - 30.0 * rate * std::min(1.0, depth / 1e-4);
      return (pushed ? 30.0 : 0.0) - 9.81 + (depth > 0.0 ? std::max(0.0, stop) : 0.0);
    };
    const double a1 = a(x, v);
    const double v2 = v + 0.5 * h * a1;
    const double a2 = a(x + 0.5 * h * v, v2);
    const double v3 = v + 0.5 * h * a2;
    const double a3 = a(x + 0.5 * h * v2, v3);
    const double v4 = v + h * a3;
    const double a4 = a(x + h * v3, v4);
    return {x + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4),
            v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4), pushed};
  }
  // To where the push begins or ends, and on from there.
  void advance(double h) {
    Falling next = after(h);
    if ((next.x < -0.4) != pushed) {
      double low = 0.0;
      double high = h;
      while (high - low > 1e-9 * h) {
        const double middle = 0.5 * (low + high);
        ((after(middle).x < -0.4) == pushed ? low : high) = middle;
      }
      next = after(high);
      next.pushed = !pushed;
      next = next.after(h - high);
    }
    *this = next;
  }
};

// A flight without any error makes steps grow over the stop. One that passes over it unseen is
// wrong by 0.1 m; the kinks of the stop leave some 20 tolerances.
TEST_P(Conditions, BesideAStopKeepTheTolerance) {
  const auto& settings = integrators::find_integrator_kind(GetParam())->settings;
  const bool chooses = std::any_of(settings.begin(), settings.end(), [](const auto& setting) {
    return setting.name == "relative_tolerance";
  });
  if (!chooses) GTEST_SKIP() << "has no tolerance";
  Falling falling;
  for (int i = 0; i < 200'000; ++i) falling.advance(1e-5);
  Description d = pushed("if(rail.displacement < -0.4 m, 30 N, 0 N)");
  d.gravity = {-9.81, 0, 0};
  d.bodies.back().velocity.setZero();
  d.add_force("coordinate_stop", "stop", {},
              {{"coordinate", std::string("rail.displacement")},
               {"lower", -0.5},
               {"stiffness", 1e4},
               {"damping", 30.0}});
  d.simulation.until = 2.0;
  d.simulation.output_step = 0.05;
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 1e-8, 1e-9, 1e-10}) {
    SCOPED_TRACE(tolerance);
    d.simulation.integrator_values = {{"relative_tolerance", tolerance},
                                      {"absolute_tolerance", tolerance}};
    EXPECT_NEAR(run_all(d).last("rail.displacement"), falling.x, 5e-5 + 100.0 * tolerance);
  }
}

// sign(v) at rest asks for both directions at once. Without the location of changes implicit
// methods need very small steps there, so that a short time of rest must do.
TEST(BranchEvents, ThatChangeWithoutEndAreLetGo) {
  for (const char* integrator : {"generalized-alpha", "rk4", "dormand-prince"}) {
    SCOPED_TRACE(integrator);
    Description d = pushed("-2 N * sign(rail.displacement_rate)");
    d.simulation.integrator = integrator;
    d.simulation.until = 0.51;
    d.simulation.output_step = 10e-3;
    const RecordedRun result = recorded_run(d);
    // At rest from 0.5 s on; what is left is the chatter of steps of 10 ms.
    EXPECT_NEAR(result.last("rail.displacement"), 0.25, 1e-3);
    const auto& notes = result.report.notes;
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("a condition in the force 'kick' changes without end") != std::string::npos;
    }));
  }
}

TEST(BranchEvents, FormulasWithoutConditionsHaveNone) {
  for (const char* force : {"-1 N/m * rail.displacement", "1 N * pulse(time, 0.2 s, 0.4 s)",
                            "max(0 N, 10 N/m * rail.displacement)"}) {
    const auto system = formulation::compile_model(pushed(force)).system;
    EXPECT_EQ(system::state_branches(*system), nullptr) << force;
  }
}

// Whoever relies on the location is told where there is none.
TEST(BranchEvents, AreLeftToTheStepsBesideFrictionThatSticks) {
  Description d = pushed("if(rail.displacement > 0.5 m, 1 N, 0 N)");
  d.add_force("joint_friction", "rub", {},
              {{"coordinate", std::string("rail.displacement")},
               {"friction", 0.1},
               {"stick", std::string("event")}});
  const auto told = [](const RecordedRun& result) {
    const auto& notes = result.report.notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("conditions on the motion in formulas are not located") == 0;
    });
  };
  EXPECT_TRUE(told(recorded_run(d)));
  d.forces.pop_back();
  EXPECT_FALSE(told(recorded_run(d)));
}

}  // namespace
}  // namespace trammel::analysis
