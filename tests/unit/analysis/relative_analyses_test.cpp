// Analyses give the same answers in absolute and in relative coordinates.
#include <algorithm>
#include <complex>

#include "analysis_models.h"
#include "coordinate_views.h"

#include "trammel/analysis/inverse.h"
#include "trammel/analysis/mobility_path.h"
#include "trammel/analysis/modes.h"
#include "trammel/analysis/recorded_motion.h"
#include "trammel/analysis/statics.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

// A description in both coordinates, drives as rows.
struct Views {
  explicit Views(model::Description d)
      : description(std::move(d)),
        absolute(model::compile(description)),
        relative(formulation::compile_relative(description, formulation::HingeDrives::rows)) {}

  model::Description description;
  std::unique_ptr<model::ModelSystem> absolute;
  std::unique_ptr<formulation::RelativeModel> relative;
};

std::vector<double> row_of(const model::ModelSystem& system,
                           const results::Table& table,
                           std::size_t row) {
  std::vector<double> values;
  for (const model::Quantity& quantity : system.observables()) {
    values.push_back(table.column(quantity.name)[row]);
  }
  return values;
}

void expect_same_rows(const Views& views,
                      const results::Table& relative,
                      const results::Table& absolute,
                      const std::set<std::string>& open,
                      double tolerance) {
  ASSERT_EQ(relative.rows(), absolute.rows());
  ASSERT_GE(relative.rows(), 2U);
  for (const std::size_t row : {std::size_t{0}, relative.rows() / 2, relative.rows() - 1}) {
    SCOPED_TRACE(row);
    expect_same(*views.absolute, row_of(*views.absolute, relative, row),
                row_of(*views.absolute, absolute, row), open, tolerance);
  }
}

class RelativeAnalyses : public testing::TestWithParam<std::string> {};

TEST_P(RelativeAnalyses, CountTheSameFreedoms) {
  const Views views(example(GetParam()));
  const auto count = [&](model::ModelSystem& system) {
    return mobility_along(system, views.description.simulation, drive_names(views.description),
                          PathKind::none);
  };
  const MobilityPath here = count(*views.absolute);
  const MobilityPath there = count(*views.relative);
  EXPECT_EQ(there.assembly.mobility.freedoms(), here.assembly.mobility.freedoms());
  EXPECT_EQ(there.drives.freedoms, here.drives.freedoms);
  EXPECT_EQ(there.drives.remaining, here.drives.remaining);
  EXPECT_EQ(there.drives.positions_determined, here.drives.positions_determined);
  EXPECT_EQ(there.drives.proposals.size(), here.drives.proposals.size());
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         RelativeAnalyses,
                         testing::ValuesIn(example_names()),
                         [](const auto& info) { return info.param; });

// Mechanisms whose drives determine their motion.
class RelativeMotions : public testing::TestWithParam<std::string> {
 protected:
  // A few output steps show all that a whole turn shows.
  static Views views() {
    model::Description d = example(GetParam());
    const double interval = d.simulation.output_step > 0.0 ? d.simulation.output_step : 0.01;
    d.simulation.output_step = interval;
    d.simulation.until = 4.0 * interval;
    return Views(d);
  }
};

TEST_P(RelativeMotions, HaveTheSameKinematics) {
  const Views views = RelativeMotions::views();
  const auto follow = [&](model::ModelSystem& system) {
    results::MemorySink sink;
    SimulationOptions options;
    options.sink = &sink;
    const KinematicsReport report =
        kinematics(system, views.description.simulation, drive_names(views.description), options);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
    return sink.take();
  };
  const std::set<std::string> open = open_joints(assemble(*views.absolute).mobility);
  expect_same_rows(views, follow(*views.relative), follow(*views.absolute), open, 1e-9);
}

TEST_P(RelativeMotions, NeedTheSameLoads) {
  const Views views = RelativeMotions::views();
  const auto balance = [&](model::ModelSystem& system) {
    results::MemorySink sink;
    SimulationOptions options;
    options.sink = &sink;
    const InverseReport report = inverse_of_drives(
        system, views.description.simulation, {.drives = drive_names(views.description)}, options);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
    return sink.take();
  };
  const std::set<std::string> open = open_joints(assemble(*views.absolute).mobility);
  const results::Table motion = balance(*views.absolute);
  expect_same_rows(views, balance(*views.relative), motion, open, 1e-9);
  // The recorded motion, read back into hinge coordinates.
  const std::vector<system::Motion> read =
      recorded_motion(views.description, *views.relative, motion);
  ASSERT_EQ(read.size(), motion.rows());
  const system::Motion& last = views.relative->to_absolute(read.back());
  views.absolute->accept(last.state);
  std::vector<double> values = observed(*views.absolute, last);
  const std::vector<model::Quantity> names = views.absolute->observables();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name.find(".acceleration.") == std::string::npos) continue;
    const double expected = motion.column(names[i].name).back();
    // Least squares with the accelerations of all bodies.
    EXPECT_NEAR(values[i], expected, 1e-8 * std::max(1.0, std::abs(expected))) << names[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         RelativeMotions,
                         testing::Values("cam_follower",
                                         "delta_robot",
                                         "excavator",
                                         "hooke_drive_line",
                                         "oldham",
                                         "pantograph",
                                         "peaucellier",
                                         "quick_return",
                                         "scotch_yoke",
                                         "stewart_platform",
                                         "watt_sixbar",
                                         "windshield_wiper"),
                         [](const auto& info) { return info.param; });

// Those that are not zero. Zeros of coordinates that nothing depends on are defective, and errors
// of 1e-14 turn them into numbers of 1e-7.
std::vector<std::complex<double>> eigenvalues(model::ModelSystem& system,
                                              const system::Motion& motion) {
  std::vector<std::complex<double>> values;
  for (const Mode& mode : modes(linearise(system, motion, {}), system.displacement_scale()).modes) {
    if (std::abs(mode.eigenvalue) > 1e-4) values.push_back(mode.eigenvalue);
  }
  return values;
}

void expect_same_eigenvalues(const std::vector<std::complex<double>>& relative,
                             const std::vector<std::complex<double>>& absolute) {
  ASSERT_EQ(relative.size(), absolute.size());
  double largest = 0.0;
  for (const auto& value : absolute) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < absolute.size(); ++i) {
    EXPECT_LE(std::abs(relative[i] - absolute[i]), 1e-8 * largest)
        << relative[i] << " relative, " << absolute[i] << " absolute";
  }
}

// Models that rest somewhere, loops and first-order states among them.
class RelativeRests : public testing::TestWithParam<std::string> {};

TEST_P(RelativeRests, AreTheSame) {
  const Views views(example(GetParam()));
  const StaticsReport here = statics(*views.absolute);
  const StaticsReport there = statics(*views.relative);
  const std::set<std::string> open = open_joints(here.assembly.mobility);
  // Newton ends at 1e-10 of the loads; springs turn that into displacements.
  expect_same(*views.absolute, observed(*views.relative, there.motion),
              observed(*views.absolute, here.motion), open, 1e-8);
  EXPECT_EQ(there.stability.verdict, here.stability.verdict);
}

TEST_P(RelativeRests, HaveTheSameModes) {
  const Views views(example(GetParam()));
  expect_same_eigenvalues(eigenvalues(*views.relative, statics(*views.relative).motion),
                          eigenvalues(*views.absolute, statics(*views.absolute).motion));
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         RelativeRests,
                         testing::Values("chain10",
                                         "double_wishbone",
                                         "four_bar",
                                         "pendulum",
                                         "pendulum_with_torsion_spring",
                                         "pid_arm",
                                         "spatial_slider_crank",
                                         "spring_four_bar",
                                         "spring_mass_damper"),
                         [](const auto& info) { return info.param; });

// Linearised about a motion, with rows of rolling. It is not steady, so that the matrix depends on
// the independent coordinates: the same are asked for.
TEST(RelativeModes, OfARollingBicycle) {
  const Views views(example("bicycle"));
  const Linearisation absolute =
      linearise(*views.absolute, assemble(*views.absolute).motion, {{"lean", "steer.angle"}});
  LinearOptions same;
  for (int i = 0; i < absolute.coordinates; ++i) {
    same.coordinates.push_back(absolute.states[static_cast<std::size_t>(i)].name);
  }
  const Linearisation relative = linearise(*views.relative, assemble(*views.relative).motion, same);
  ASSERT_EQ(relative.states.size(), absolute.states.size());
  for (std::size_t i = 0; i < absolute.states.size(); ++i) {
    ASSERT_EQ(relative.states[i].name, absolute.states[i].name);
  }
  EXPECT_LE((relative.A - absolute.A).norm(), 1e-8 * absolute.A.norm());
}

}  // namespace
}  // namespace trammel::analysis
