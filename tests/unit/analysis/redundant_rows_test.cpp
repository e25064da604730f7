// registry: integrators
// Models with redundant constraints move as their twins without, whatever the integrator, the
// treatment of constraints, the linear solver and the coordinates.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "support/redundant_twins.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/load_balance.h"
#include "trammel/analysis/unique_reactions.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/march.h"
#include "trammel/io/model_file.h"
#include "trammel/io/vocabulary.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::analysis::redundant_rows_test {
namespace {

using integrators::Settings;

struct Way {
  const integrators::IntegratorKind* kind = nullptr;
  Settings settings;
  std::string solver = "auto";
  bool relative = false;

  std::string text() const {
    std::string all = kind->name + ", " + solver + (relative ? ", relative" : ", absolute");
    for (const auto& [name, value] : settings) {
      all += ", " + name + " ";
      if (const auto* word = std::get_if<std::string>(&value)) all += *word;
      if (const auto* number = std::get_if<double>(&value)) all += std::to_string(*number);
    }
    return all;
  }
};

const std::vector<Settings> treatments{
    {{"index", 3.0}},
    {{"index", 2.0}},
    {{"index", 1.0}},
    {{"stabilisation", "baumgarte"}},
    {{"stabilisation", "ggl"}},
    {{"index", 3.0}, {"stabilisation", "projection"}},
    {{"index", 2.0}, {"stabilisation", "projection"}},
    {{"index", 1.0}, {"stabilisation", "projection"}},
};

// All kinds with all their treatments of constraints.
std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    const auto has = [&](const char* name) {
      return std::any_of(kind.settings.begin(), kind.settings.end(),
                         [&](const integrators::Setting& s) { return s.name == name; });
    };
    std::vector<Settings> list;
    if (has("index")) {
      list = treatments;
      for (Settings& settings : list) settings["newton_tolerance"] = 1e-11;
    } else if (has("relative_tolerance")) {
      list = {{{"relative_tolerance", 1e-10}, {"absolute_tolerance", 1e-10}}};
    } else {
      list = {{}};
    }
    for (Settings& settings : list) ways.push_back({&kind, settings, "auto", false});
  }
  return ways;
}

struct Ending {
  support::Observation seen;
  double drift = 0.0;  ///< largest of positions and velocities on the way, over their scales
  long steps = 0;
};

double largest(const system::Vector& x) {
  return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>();
}

// Null where the way does not go with the model.
std::unique_ptr<Ending> ending(const model::Description& description,
                               const Way& way,
                               double duration,
                               double h) {
  std::unique_ptr<model::ModelSystem> system;
  if (way.relative) {
    system = formulation::compile_relative(description);
  } else {
    system = model::compile(description);
  }
  const Assembly assembly = assemble(*system);
  std::unique_ptr<integrators::Integrator> integrator;
  try {
    integrator = way.kind->make(*system, way.settings, way.solver);
  } catch (const core::InputError&) {
    return nullptr;
  }
  integrator->start(assembly.motion);
  integrators::March march(*integrator);
  auto result = std::make_unique<Ending>();
  system::Vector rows;
  const auto after_step = [&] {
    system->accept(integrator->motion().state);
    system->position_constraint(integrator->motion().state, rows);
    result->drift = std::max(result->drift, largest(rows));
    return true;
  };
  const auto report = march.advance(h, std::lround(duration / h), after_step);
  EXPECT_TRUE(report.ok) << way.text() << " failed at " << report.time
                         << " s: " << integrators::to_string(report.failure);
  result->seen = support::observe(*system, integrator->motion());
  result->steps = integrator->statistics().steps;
  return result;
}

// Positions and velocities of bodies, and the sizes of what differs.
double difference(const model::Description& description, const Ending& a, const Ending& b) {
  double most = 0.0;
  for (const model::Body& body : description.bodies) {
    const support::BodyMotion one = support::body_motion(a.seen, body.name);
    const support::BodyMotion two = support::body_motion(b.seen, body.name);
    most = std::max({most, (one.p - two.p).norm(), (one.R - two.R).norm(), (one.v - two.v).norm(),
                     (one.w - two.w).norm() / std::max(1.0, one.w.norm())});
  }
  return most;
}

class RedundantRows : public ::testing::TestWithParam<std::size_t> {
 protected:
  support::Twins twins_ = support::redundant_twins()[GetParam()];

  void expect_the_same(const Way& way, double h = 2e-3) {
    SCOPED_TRACE(twins_.name + " by " + way.text());
    const auto redundant = ending(twins_.redundant, way, twins_.duration, h);
    if (!redundant) return;
    const auto without = ending(twins_.without, way, twins_.duration, h);
    // Beside the constraints other rows of the same constraints have other directions: what they
    // drift by, and the error of the step, may be another one of the same size. In relative
    // coordinates the twins have other trees, too.
    const auto finer = ending(twins_.without, way, twins_.duration, 0.5 * h);
    const double drift = std::max(redundant->drift, without->drift);
    const double error = way.settings.contains("relative_tolerance")
                             ? 1e3 * std::get<double>(way.settings.at("relative_tolerance"))
                             : difference(twins_.redundant, *finer, *without);
    EXPECT_LT(difference(twins_.redundant, *redundant, *without),
              1e-8 + 30.0 * drift + (way.relative ? 10.0 : 2.0) * error);
    EXPECT_LT(redundant->drift, 10.0 * without->drift + 1e-9);
  }
};

INSTANTIATE_TEST_SUITE_P(Twins,
                         RedundantRows,
                         ::testing::Range<std::size_t>(0, support::redundant_twins().size()));

TEST_P(RedundantRows, AreRedundant) {
  const auto system = model::compile(twins_.redundant);
  const auto twin = model::compile(twins_.without);
  const Assembly assembly = assemble(*system);
  EXPECT_FALSE(assembly.mobility.redundant.empty());
  EXPECT_TRUE(assembly.mobility.loads_not_unique.empty());
  EXPECT_EQ(assembly.mobility.freedoms(), assemble(*twin).mobility.freedoms());
}

TEST_P(RedundantRows, LeaveTheMotionToTheOthersInEveryMethod) {
  // Every way with some of the twins, every twins with some of the ways.
  const std::vector<Way> ways = all_ways();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i % 4 == GetParam() % 4) expect_the_same(ways[i]);
  }
}

// A sample of the product with linear solvers and coordinates.
TEST_P(RedundantRows, LeaveTheMotionToTheOthersWithEverySolverAndCoordinates) {
  std::mt19937 random(static_cast<unsigned>(17 + GetParam()));
  const std::vector<Way> ways = all_ways();
  for (const linear::SolverKind& solver : linear::solver_kinds()) {
    for (const bool relative : {false, true}) {
      for (int sample = 0; sample < 3; ++sample) {
        Way way = ways[random() % ways.size()];
        way.solver = solver.name;
        way.relative = relative;
        expect_the_same(way);
      }
    }
  }
}

// Without stabilisation, at index 2 and 1, positions drift, and beside the constraints other rows
// of the same constraints have other directions: the twins differ. Not by more than some times what
// they drift by, which the run tells, and by a quarter of that at half the step.
TEST_P(RedundantRows, DifferByWhatTheyDriftWhereNothingHoldsThem) {
  const double h = 2e-3;
  for (const Way& way : all_ways()) {
    if (!way.settings.contains("index") || way.settings.contains("stabilisation")) continue;
    if (std::get<double>(way.settings.at("index")) == 3.0) continue;
    SCOPED_TRACE(twins_.name + " by " + way.text());
    const auto redundant = ending(twins_.redundant, way, twins_.duration, h);
    if (!redundant) continue;
    const auto without = ending(twins_.without, way, twins_.duration, h);
    const auto finer_redundant = ending(twins_.redundant, way, twins_.duration, 0.5 * h);
    const auto finer = ending(twins_.without, way, twins_.duration, 0.5 * h);
    const double coarse_difference = difference(twins_.redundant, *redundant, *without);
    const double fine_difference = difference(twins_.redundant, *finer_redundant, *finer);
    const double drift = std::max(redundant->drift, without->drift);
    const double fine_drift = std::max(finer_redundant->drift, finer->drift);
    EXPECT_LT(coarse_difference, 30.0 * drift + 1e-8);
    EXPECT_LT(fine_difference, 0.35 * coarse_difference + 1e-8) << "drift " << drift;
    EXPECT_LT(fine_drift, 0.35 * drift + 1e-9);
  }
}

// A row that is nothing but round-off holds the motion, and one that loses its length makes the
// equations singular: methods that choose their steps then take very many. The twins have other
// trees and other rows, and about the same steps.
TEST_P(RedundantRows, CostNoStepsInAnyCoordinates) {
  for (const Way& one : all_ways()) {
    if (!one.settings.contains("relative_tolerance")) continue;
    for (const bool relative : {false, true}) {
      // Its steps collapse where loops are closed in relative coordinates, with and without
      // redundant rows (docs/integrators/radau.md).
      if (relative && one.kind->name == "radau") continue;
      Way way = one;
      way.relative = relative;
      way.settings["relative_tolerance"] = 1e-8;
      way.settings["absolute_tolerance"] = 1e-8;
      SCOPED_TRACE(twins_.name + " by " + way.text());
      const auto redundant = ending(twins_.redundant, way, twins_.duration, twins_.duration);
      const auto without = ending(twins_.without, way, twins_.duration, twins_.duration);
      ASSERT_TRUE(redundant && without);
      EXPECT_LT(redundant->steps, 2 * without->steps + 50);
      EXPECT_LT(difference(twins_.redundant, *redundant, *without), 1e-5);
    }
  }
}

// A shaft in two hinges, and what reads their loads.
std::string shaft(const std::string& more) {
  return R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  b: {mass: 10, inertia: [0.1, 0.2, 0.2], angular_velocity: [50, 0, 0],
      frames: {l: [0.5, 0, 0], r: [-0.5, 0, 0]}}
ground: {frames: {l: [0.5, 0, 0], r: [-0.5, 0, 0]}}
joints:
  l: {type: revolute, between: [ground.l, b.l], axis: x}
  r: {type: revolute, between: [ground.r, b.r], axis: x}
)" + more;
}

const std::string two_frictions = R"(
forces:
  fl: {type: joint_friction, coordinate: l.angle, friction: 0.2, radius: 10 mm}
  fr: {type: joint_friction, coordinate: r.angle, friction: 0.2, radius: 50 mm}
)";

model::Description described(const std::string& text) {
  return io::read_model_text(text, "shaft.yaml", io::model_vocabulary()).description;
}

TEST(SharedReactions, AreNamedWhereLoadsDependOnThem) {
  const auto plain = model::compile(described(shaft("")));
  EXPECT_TRUE(assemble(*plain).mobility.loads_not_unique.empty());
  const auto rubbing = model::compile(described(shaft(two_frictions)));
  EXPECT_EQ(assemble(*rubbing).mobility.loads_not_unique, (std::vector<std::string>{"fl", "fr"}));
}

// Each bearing carries half of 98.1 N, so that the shaft loses 0.2 (10 mm + 50 mm) 49.05 N of
// torque over 0.1 kg m^2.
TEST(SharedReactions, BrakeAShaftAlikeInEveryMethodSolverAndCoordinates) {
  const double until = 0.2;
  const double exact = 50.0 - 0.2 * 0.06 * 49.05 / 0.1 * until;
  std::mt19937 random(7);
  const std::vector<Way> every = all_ways();
  std::vector<Way> ways = every;
  for (const linear::SolverKind& solver : linear::solver_kinds()) {
    for (const bool relative : {false, true}) {
      for (int sample = 0; sample < 6; ++sample) {
        Way way = every[random() % every.size()];
        way.solver = solver.name;
        way.relative = relative;
        ways.push_back(way);
      }
    }
  }
  for (const Way& way : ways) {
    const auto end = ending(described(shaft(two_frictions)), way, until, 2e-3);
    if (!end) continue;
    // Euler parameters by the midpoint rule with their rates: w changes by (h w)^2/32 too little.
    const double share = way.kind->name == "park-chiou" ? std::pow(50.0 * 2e-3, 2) / 32.0 : 0.0;
    EXPECT_NEAR(end->seen.at("b.angular_velocity.x"), exact, 1e-6 + share * (50.0 - exact))
        << way.text();
  }
}

// Reactions of the shaft as they are recorded.
std::vector<double> recorded_loads(model::ModelSystem& system, const system::Motion& motion) {
  const auto reactions = UniqueReactions::where_needed(system, motion.state);
  EXPECT_NE(reactions, nullptr);
  const std::vector<model::Quantity> quantities = system.observables();
  std::vector<double> values(quantities.size());
  if (reactions) reactions->observe(motion, values.data());
  std::vector<double> loads;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].name == "l.reaction.force.z" || quantities[i].name == "r.reaction.force.z") {
      loads.push_back(values[i]);
    }
  }
  return loads;
}

TEST(SharedReactions, AreTheSameInAllCoordinatesAndAnalyses) {
  for (const std::string& more : {std::string(), two_frictions}) {
    const model::Description d = described(shaft(more));
    const auto absolute = model::compile(d);
    const auto relative = formulation::compile_relative(d);
    for (model::ModelSystem* system :
         {absolute.get(), static_cast<model::ModelSystem*>(relative.get())}) {
      system::Motion motion = assemble(*system).motion;
      std::vector<double> loads = recorded_loads(*system, motion);
      ASSERT_EQ(loads.size(), 2U);
      for (const double load : loads) EXPECT_NEAR(load, 49.05, 1e-6);
      // Inverse dynamics finds the loads of a motion.
      LoadBalance(*system, {}).solve(motion);
      loads = recorded_loads(*system, motion);
      for (const double load : loads) EXPECT_NEAR(load, 49.05, 1e-6);
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::redundant_rows_test
