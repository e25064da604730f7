// The comparison on problems whose answers are known.
#include "trammel/analysis/comparison/compare.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include "unit/analysis/analysis_models.h"
#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/comparison/parallel.h"
#include "trammel/analysis/method_study.h"
#include "trammel/analysis/model_march.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::comparison {
namespace {

TEST(InParallel, DoesEachPieceOnceAndThrowsOn) {
  std::vector<std::atomic<int>> done(50);
  in_parallel(50, 4, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
  for (const auto& count : done) EXPECT_EQ(count.load(), 1);
  EXPECT_THROW(in_parallel(10, 2,
                           [](int i) {
                             if (i == 3) throw core::RunError("three", "");
                           }),
               core::RunError);
  in_parallel(0, 2, [](int) { FAIL(); });
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Where the system gives no more threads, those that are there do all the work.
TEST(InParallel, DoesWithTheThreadsThatThereAre) {
  const auto with_little_memory = [] {
    std::ifstream pages("/proc/self/statm");
    rlim_t size = 0;
    pages >> size;
    // Room for the stacks of two threads or three.
    const rlim_t limit = size * 4096 + (rlim_t{24} << 20U);
    const rlimit little{limit, limit};
    if (setrlimit(RLIMIT_AS, &little) != 0) std::exit(2);
    std::atomic<int> done{0};
    in_parallel(200, 64, [&](int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    });
    std::exit(done == 200 ? 0 : 1);
  };
  EXPECT_EXIT(with_little_memory(), testing::ExitedWithCode(0), "");
}
#endif

TEST(Sampling, LiesOnTheGridOfEveryStep) {
  const Sampling s = choose_sampling({4e-3, 2e-3, 1e-3}, 1.0);
  EXPECT_NEAR(s.interval * static_cast<double>(s.count), 1.0, 1e-12);
  for (const double h : {4e-3, 2e-3, 1e-3}) EXPECT_NEAR(s.fitted(h), h, 1e-12);
  // A step that does not divide the run is shortened a little, and never lengthened.
  for (const double h : {0.3, 3.0624e-3, 7e-4}) {
    const double fitted = choose_sampling({h}, 1.0).fitted(h);
    EXPECT_LE(fitted, h * (1.0 + 1e-9));
    EXPECT_GT(fitted, 0.8 * h);
  }
}

// The reference against a Runge-Kutta solution that shares no code with it; the estimate must not
// be far too small.
TEST(Reference, ConvergesToTheSolutionAndKnowsItsError) {
  for (const model::Description& d : {hinged_rod(), support::bricard()}) {
    const double until = 0.5;
    const Sampling sampling{until / 50.0, 50};
    model::Description description = d;
    description.simulation.until = until;
    const Reference reference = make_reference(description, sampling, {.step = 5e-3});
    ASSERT_EQ(reference.samples.size(), 50u) << d.name << " " << reference.obstacle;
    const auto system = model::compile(description);
    const Assembly assembly = assemble(*system);
    const system::Motion exact =
        support::reference_motion(*system, assembly.motion.state, until, 2000);
    Sample other{exact.state, exact.a, {}};
    ReactionForces forces(*system);
    forces(exact, other.reaction);
    const Deviation error =
        deviation(*system, reference.samples.back(), other).relative_to(reference.scale);
    EXPECT_LT(error.position, reference.estimate.position + 1e-10) << d.name;
    EXPECT_LT(error.velocity, 3.0 * reference.estimate.velocity + 1e-9) << d.name;
    EXPECT_LT(error.acceleration, 3.0 * reference.estimate.acceleration + 1e-8) << d.name;
    EXPECT_LT(error.reaction, 3.0 * reference.estimate.reaction + 1e-8) << d.name;
    EXPECT_LT(reference.estimate.position, 1e-6) << d.name;
    EXPECT_EQ(reference.trusted_until, until);
  }
}

// Where a load jumps between two steps, the error has no expansion in powers of the step: what the
// corrections leave is not seen in the last of them.
TEST(Reference, KnowsItsErrorWhereLoadsJumpBetweenSteps) {
  model::Description description = described(R"yaml(
trammel: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, position: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  sp: {type: coordinate_spring, coordinate: rail.displacement, stiffness: 100, damping: 3}
  push: {type: actuator, coordinate: rail.displacement,
         formula: "5 N*pulse(time, 0.5 s, 1.5 s)"}
simulation: {until: 3 s}
)yaml");
  model::SimulationSettings exactly = description.simulation;
  exactly.integrator = "dormand-prince";
  exactly.integrator_values = {{"relative_tolerance", 1e-12}, {"absolute_tolerance", 1e-12}};
  const auto system = model::compile(description);
  for (const double step : {4e-3, 3.7e-3, 3.3e-3, 2.9e-3}) {
    const Sampling sampling = choose_sampling({step}, 3.0);
    const Reference reference = make_reference(description, sampling, {.step = step});
    ASSERT_EQ(reference.samples.size(), static_cast<std::size_t>(sampling.count));
    ModelMarch march(*system);
    march.set_method(exactly);
    Assembly assembly = assemble(march.system());
    march.start(assembly.motion);
    Deviation error;
    for (const Sample& sample : reference.samples) {
      ASSERT_TRUE(march.advance(sampling.interval, 1, [] { return true; }).ok);
      const system::Motion& exact = march.integrator().motion();
      error.include(deviation(*system, sample, {exact.state, exact.a, sample.reaction}));
    }
    EXPECT_LT(error.position, reference.estimate.position + 1e-12) << step;
  }
}

TEST(Reference, IsNotTrustedWhereMotionsPartExponentially) {
  // 40 s of three bars on hinges: no step of double precision holds that long.
  model::Description d = support::chain(3, model::Space::planar);
  d.simulation.until = 40.0;
  const Reference reference =
      make_reference(d, {0.2, 200}, {.step = 0.02, .least_runs = 3, .most_runs = 4});
  EXPECT_LT(reference.trusted_until, 39.0);
  EXPECT_GT(reference.trusted_until, 0.5);
  EXPECT_LT(reference.estimate.position, 1e-3);
}

Comparison rod_comparison(int threads) {
  CompareOptions options;
  options.axes = {.methods = {"mpr-mpa", "generalized-alpha"},
                  .indices = {3, 2},
                  .stabilisations = {"none", "projection"},
                  .steps = {0.01, 0.005}};
  options.threads = threads;
  return compare(hinged_rod(), options);
}

TEST(Compare, FindsOrderTwoAndTheResidualsThatAMethodPromises) {
  const Comparison c = rod_comparison(2);
  ASSERT_EQ(c.rows.size(), 16u);
  for (const Row& row : c.rows) {
    const RunResult& r = row.result;
    EXPECT_EQ(r.verdict, Verdict::stable) << row.candidate.name() << ": " << r.reason;
    EXPECT_EQ(r.steps, std::lround(1.0 / r.step));
    if (row.candidate.stabilisation == "projection") {
      EXPECT_LT(r.position_residual, 1e-12);
      EXPECT_LT(r.velocity_residual, 1e-11);
      EXPECT_LT(r.acceleration_residual, 1e-9);
    } else if (row.candidate.index == 2) {
      EXPECT_LT(r.velocity_residual, 1e-6);
      EXPECT_GT(r.position_residual, 1e-9);
    }
    if (r.step > 0.006) {
      EXPECT_TRUE(std::isnan(row.order.position));
      continue;
    }
    EXPECT_NEAR(row.order.position, 2.0, 0.2) << row.candidate.name();
    EXPECT_NEAR(row.order.velocity, 2.0, 0.2) << row.candidate.name();
    EXPECT_NEAR(row.order.acceleration, 2.0, 0.3) << row.candidate.name();
    EXPECT_NEAR(row.order.reaction, 2.0, 0.3) << row.candidate.name();
  }
}

TEST(Compare, GivesTheSameNumbersOnAnyNumberOfThreads) {
  const Comparison one = rod_comparison(1);
  const Comparison three = rod_comparison(3);
  ASSERT_EQ(one.rows.size(), three.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].result.error.position, three.rows[i].result.error.position);
    EXPECT_EQ(one.rows[i].result.energy_history, three.rows[i].result.energy_history);
  }
}

TEST(Compare, DoesNotRepeatWhatWasKeptAndStopsWhenAsked) {
  CompareOptions options;
  options.axes = {
      .methods = {"mpr-mpa"}, .indices = {3}, .stabilisations = {"none"}, .steps = {0.02, 0.01}};
  int finished = 0;
  options.finished = [&](const Row& row) {
    ++finished;
    options.kept[row.key] = row;
  };
  compare(hinged_rod(), options);
  EXPECT_EQ(finished, 2);
  const Comparison again = compare(hinged_rod(), options);
  EXPECT_EQ(finished, 2);
  for (const Row& row : again.rows) EXPECT_TRUE(row.kept);
  EXPECT_NEAR(again.rows[1].order.position, 2.0, 0.2);

  const std::atomic<bool> stop{true};
  options.stop = &stop;
  options.kept.clear();
  const Comparison stopped = compare(hinged_rod(), options);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_TRUE(stopped.rows.empty());
}

// Multipliers of redundant constraints are not unique; generalised reactions are.
TEST(Compare, MeasuresReactionsOfRedundantConstraints) {
  model::Description d = support::bricard();
  d.simulation.until = 0.4;
  CompareOptions options;
  options.axes = {
      .methods = {"mpr-mpa"}, .indices = {2}, .stabilisations = {"none"}, .steps = {8e-3, 4e-3}};
  const Comparison c = compare(d, options);
  EXPECT_NEAR(c.rows[1].order.position, 2.0, 0.3);
  EXPECT_NEAR(c.rows[1].order.reaction, 2.0, 0.4);
}

// Methods that choose their own steps are measured against the same reference.
TEST(Compare, TighterTolerancesAreMoreAccurate) {
  CompareOptions options;
  options.axes.methods = {"dormand-prince", "adams", "bdf", "rk4"};
  options.axes.steps = {2e-3};
  options.axes.tolerances = {1e-4, 1e-7};
  model::Description rod = hinged_rod();
  rod.simulation.until = 0.5;
  const Comparison found = compare(rod, options);
  ASSERT_EQ(found.rows.size(), 7u);
  for (std::size_t i = 0; i < 6; i += 2) {
    const Row& loose = found.rows[i];
    const Row& tight = found.rows[i + 1];
    EXPECT_EQ(tight.result.verdict, Verdict::stable) << tight.candidate.name();
    EXPECT_LT(tight.result.error.position, 0.1 * loose.result.error.position)
        << tight.candidate.name();
    EXPECT_LT(tight.result.error.position, 1e-4) << tight.candidate.name();
    EXPECT_GT(tight.result.steps, loose.result.steps) << tight.candidate.name();
    EXPECT_TRUE(std::isnan(tight.order.position));
  }
  EXPECT_LT(found.rows[6].result.error.position, 1e-6);
}

// ---- what happens on the way: jumps, friction that sticks, contacts

/// A mass of 1 kg on a rail, and where it is at 0.5 s.
struct Happening {
  model::Description description;
  Eigen::Vector2d end;
};

model::Description on_rail(const Eigen::Vector3d& axis, const Eigen::Vector3d& velocity) {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -10, 0};
  model::Body block;
  block.name = "block";
  block.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  block.velocity = velocity;
  d.add_body(block);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", axis}});
  d.simulation.until = 0.5;
  return d;
}

/// 100 N for 10 ms, at no time of a grid: 1 m/s afterwards.
Happening pushed_block() {
  model::Description d = on_rail({1, 0, 0}, {0, 0, 0});
  d.add_force("actuator", "push", {},
              {{"coordinate", std::string("rail.displacement")},
               {"formula", std::string("100 N * pulse(time, 0.2031 s, 0.2131 s)")}});
  return {d, {0.5 * 0.01 + 0.5 - 0.2131, 0.0}};
}

/// At rest after 0.2 s.
Happening stopping_block() {
  model::Description d = on_rail({1, 0, 0}, {1, 0, 0});
  d.add_force("joint_friction", "rubbing", {},
              {{"coordinate", std::string("rail.displacement")},
               {"friction", 0.5},
               {"stick", std::string("event")}});
  return {d, {0.1, 0.0}};
}

/// On a table that falls away with 20 m/s^2 from 0.1031 s on.
Happening falling_block() {
  model::Description d = on_rail({0, 1, 0}, {0, 0, 0});
  d.add_coupling(
      "equation", "table",
      {{"equation", std::string("rail.displacement + 10 m/s^2 * max(time - 0.1031 s, 0 s)^2")},
       {"unilateral", true}});
  return {d, {0.0, -0.5 * 10.0 * std::pow(0.5 - 0.1031, 2)}};
}

TEST(Compare, MeetsWhatHappensOnTheWay) {
  for (const Happening& each : {pushed_block(), stopping_block(), falling_block()}) {
    const Reference reference = make_reference(each.description, {0.01, 50}, {.step = 2e-3});
    ASSERT_EQ(reference.samples.size(), 50u) << reference.obstacle;
    EXPECT_LT((reference.samples.back().state.q.head<2>() - each.end).norm(), 1e-6);

    CompareOptions options;
    options.axes.methods = {"generalized-alpha", "mpr-mpa", "dormand-prince"};
    options.axes.steps = {2e-3};
    options.axes.tolerances = {1e-7};
    const Comparison found = compare(each.description, options);
    for (const Row& row : found.rows) {
      EXPECT_NE(row.result.verdict, Verdict::fails) << row.candidate.name();
      EXPECT_LT(row.result.error.position, 1e-4) << row.candidate.name();
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::comparison
