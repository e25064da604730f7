// Bands of certified runs against true errors, and what is claimed of chaotic and failing ones.
#include "trammel/analysis/certificate.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "accuracy_problems.h"
#include <gtest/gtest.h>

#include "trammel/analysis/error_bands.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::certificate_test {
namespace {

struct Certified {
  SimulationReport report;
  Certificate certificate;
  results::Table table;
};

constexpr int rows = 40;

Certified certified(const model::Description& description,
                    model::SimulationSettings settings,
                    double until) {
  settings.until = until;
  settings.output_step = until / rows;
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  Certified result;
  result.report = simulate_certified(*system, settings, options, result.certificate);
  result.table = sink.take();
  return result;
}

results::Table plain(const model::Description& description,
                     model::SimulationSettings settings,
                     double until) {
  settings.until = until;
  settings.output_step = until / rows;
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  EXPECT_EQ(simulate(*system, settings, options).outcome, results::Outcome::completed);
  return sink.take();
}

// Four links that were let go with a swing, long enough for any error to be magnified beyond use.
AccuracyProblem chaotic(const std::string& name, int links, double speed) {
  model::Description description = support::chain(links, model::Space::planar);
  for (model::Body& body : description.bodies) body.angular_velocity.z() = speed;
  return {name, std::move(description), 12.0, 2e-3, 1e-6};
}

std::vector<AccuracyProblem> certified_problems() {
  std::vector<AccuracyProblem> all = smooth_problems();
  all.push_back(chaotic("chaotic_double_pendulum", 2, 3.0));
  all.push_back(chaotic("chaotic_chain", 4, 5.0));
  return all;
}

struct Count {
  std::size_t outside = 0;
  std::size_t all = 0;
  double share() const { return static_cast<double>(outside) / static_cast<double>(all); }
};

// Channels whose band does not contain the true error at some time at which anything is claimed.
Count outside_of(const Certified& run, const results::Table& truth, const results::Table& nearly) {
  Count count;
  for (const ChannelClaim& claim : run.certificate.channels) {
    const auto values = run.table.column(claim.name);
    const auto bands = run.table.column(claim.name + ".band");
    const auto exact = truth.column(claim.name);
    const auto less_exact = nearly.column(claim.name);
    double floor = 1e-9 * claim.scale;  // how well the truth is known
    bool inside = true;
    for (std::size_t i = 0; i < values.size() && bands[i] < 0.1 * claim.scale; ++i) {
      floor = std::max(floor, std::abs(exact[i] - less_exact[i]));
      inside = inside && std::abs(values[i] - exact[i]) <= bands[i] + floor;
    }
    ++count.all;
    if (!inside) ++count.outside;
  }
  return count;
}

// Five of a hundred channels may be outside, over all problems; of a single one, which may be
// chaotic, no more than a fifth.
TEST(Certificates, ContainTheTrueErrors) {
  std::map<std::string, Count> total;
  for (const AccuracyProblem& problem : certified_problems()) {
    const auto exact = [&](double tolerance) {
      return plain(problem.description, settings_of("dormand-prince", 1e-3, tolerance),
                   problem.until);
    };
    const results::Table truth = exact(1e-12);
    const results::Table nearly = exact(1e-11);
    for (const char* method : {"generalized-alpha", "rk4", "dormand-prince", "adams", "bdf"}) {
      const Certified run = certified(
          problem.description, settings_of(method, problem.step, problem.tolerance), problem.until);
      ASSERT_EQ(run.report.outcome, results::Outcome::completed) << run.report.message;
      ASSERT_EQ(run.table.rows(), truth.rows()) << method;
      const Count count = outside_of(run, truth, nearly);
      EXPECT_LE(count.share(), 0.2)
          << problem.name << " by " << method << ": " << to_string(run.certificate);
      total[method].outside += count.outside;
      total[method].all += count.all;
    }
  }
  for (const auto& [method, count] : total) {
    RecordProperty(method, std::to_string(count.outside) + " of " + std::to_string(count.all));
    EXPECT_LE(count.share(), 0.05) << method;
  }
}

// Pieces between switches that are shorter than half a step, and masses that meet stops.
std::vector<AccuracyProblem> problems_with_switches() {
  return {
      {"struck_pendulum", described(R"yaml(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], frames: {end: [-0.5, 0, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm.end], axis: y}
forces:
  blow: {type: actuator, coordinate: pin.angle, formula: "-2e3 N m*pulse(time, 0.1003 s, 0.10064 s)"}
)yaml"),
       0.5, 1e-3, 1e-6},
      {"stops", described(R"yaml(
trammel: 1
space: planar
bodies:
  block: {mass: 2 kg, inertia: 0.01 kg m^2, velocity: [1, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  stops: {type: coordinate_stop, coordinate: rail.displacement, lower: -0.1, upper: 0.13,
          stiffness: 2e4, damping: 50}
)yaml"),
       1.5, 5e-4, 1e-6},
  };
}

// The same share as above. Before the finer run halved pieces too, work and dissipation of the blow
// had bands of round-off, and were wrong by 1e-4 of themselves.
TEST(Certificates, SeeErrorsOfPiecesThatAllStepsHaveInCommon) {
  for (const AccuracyProblem& problem : problems_with_switches()) {
    const auto exact = [&](double tolerance) {
      return plain(problem.description, settings_of("dormand-prince", 1e-3, tolerance),
                   problem.until);
    };
    const results::Table truth = exact(1e-12);
    const results::Table nearly = exact(1e-11);
    for (const char* method : {"generalized-alpha", "newmark", "hht", "rk4", "state-space-newmark",
                               "park-chiou", "staggered", "dormand-prince", "adams", "bdf"}) {
      const Certified run = certified(
          problem.description, settings_of(method, problem.step, problem.tolerance), problem.until);
      ASSERT_EQ(run.report.outcome, results::Outcome::completed)
          << method << " " << problem.name << " " << run.report.message;
      const Count count = outside_of(run, truth, nearly);
      EXPECT_LE(count.share(), 0.05) << problem.name << " by " << method;
    }
  }
}

// A certificate that claims nothing would be no use.
TEST(CertifiedRuns, ClaimWhatTheMethodGives) {
  const AccuracyProblem pendulum = accuracy_problems().front();
  const Certified coarse =
      certified(pendulum.description, settings_of("generalized-alpha", 5e-3, 0.0), 2.0);
  const Certified fine =
      certified(pendulum.description, settings_of("generalized-alpha", 5e-4, 0.0), 2.0);
  const Certified sharp =
      certified(pendulum.description, settings_of("dormand-prince", 1e-3, 1e-10), 2.0);
  EXPECT_GE(coarse.certificate.digits, 1);
  EXPECT_EQ(fine.certificate.digits, coarse.certificate.digits + 2);  // ten times the step, order 2
  EXPECT_GE(sharp.certificate.digits, 7);
  EXPECT_EQ(fine.certificate.until, 2.0);
  EXPECT_EQ(fine.certificate.nothing, 2.0);
}

TEST(CertifiedRuns, SayFromWhenOnNothingCanBeClaimed) {
  const AccuracyProblem chain = chaotic("chain", 4, 5.0);
  const Certified run =
      certified(chain.description, settings_of("generalized-alpha", 2e-3, 0.0), chain.until);
  EXPECT_GT(run.certificate.nothing, 0.5);
  EXPECT_LT(run.certificate.nothing, chain.until);
  EXPECT_LE(run.certificate.until, run.certificate.nothing);
  EXPECT_NE(to_string(run.certificate).find("nothing can be claimed"), std::string::npos);
  // More accuracy buys more time.
  const Certified sharp =
      certified(chain.description, settings_of("dormand-prince", 1e-3, 1e-11), chain.until);
  EXPECT_GT(sharp.certificate.nothing, run.certificate.nothing);
}

TEST(CertifiedRuns, LeaveTheRunAsItIs) {
  const AccuracyProblem problem{"servo", support::geared_servo(), 0.5, 1e-3, 1e-6};
  for (const char* integrator : {"generalized-alpha", "adams"}) {
    const model::SimulationSettings settings = settings_of(integrator, 1e-3, 1e-6);
    const Certified with = certified(problem.description, settings, problem.until);
    const results::Table without = plain(problem.description, settings, problem.until);
    for (std::size_t i = 0; i < without.channels.size(); ++i) {
      EXPECT_EQ(with.table.columns[i], without.columns[i]) << without.channels[i].name;
    }
  }
}

// Every step is a row, of an odd number: the coarser run has every other one.
TEST(CertifiedRuns, TakeOutputAtEveryStep) {
  model::SimulationSettings settings = settings_of("generalized-alpha", 5e-3, 0.0);
  settings.until = 0.505;
  const auto system = model::compile(support::pendulum());
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  Certificate certificate;
  simulate_certified(*system, settings, options, certificate);
  EXPECT_EQ(sink.table().rows(), 102U);
  EXPECT_GE(certificate.digits, 1);
  EXPECT_LT(certificate.digits, 9);
  EXPECT_EQ(certificate.until, 0.505);
}

TEST(CertifiedRuns, SayWhyNothingIsClaimed) {
  const Certified run =
      certified(support::pendulum(), settings_of("dormand-prince", 1e-3, 2e-13), 1.0);
  EXPECT_EQ(run.report.outcome, results::Outcome::completed);
  EXPECT_EQ(run.certificate.nothing, 0.0);
  EXPECT_FALSE(run.certificate.trouble.empty());
}

TEST(CertifiedRuns, StopWhenTheyAreTold) {
  const auto system = model::compile(support::chain(6, model::Space::planar));
  model::SimulationSettings settings = settings_of("generalized-alpha", 1e-4, 0.0);
  settings.until = 1e4;
  std::atomic<bool> stop{false};
  SimulationOptions options;
  options.stop = &stop;
  options.progress = [&](const Progress& progress) { stop = progress.time > 0.01; };
  Certificate certificate;
  const SimulationReport report = simulate_certified(*system, settings, options, certificate);
  EXPECT_EQ(report.outcome, results::Outcome::stopped);
}

// Errors of a known order, without any motion: e = 2^p of the finer run.
TEST(ErrorBands, ExtrapolateRegularErrors) {
  RowQueue coarse;
  RowQueue fine;
  results::MemorySink sink;
  ErrorBands bands(&sink, coarse, fine, {4.0, 4.0}, nullptr);
  const std::vector<results::Channel> channels = {{"a.x", "m", "", ""}, {"b", "m", "", ""}};
  for (RowQueue* queue : {&coarse, &fine}) queue->begin(channels, {});
  bands.begin(channels, {});
  const double error = 1e-4;
  for (int i = 0; i <= 10; ++i) {
    const double t = 0.1 * i;
    const auto row = [&](double e) { return std::vector<double>{std::cos(t) + e * t, 3.0}; };
    coarse.append(t, row(4.0 * error).data());
    fine.append(t, row(0.25 * error).data());
    bands.append(t, row(error).data());
  }
  bands.finish(results::Outcome::completed, "", {});
  const std::span<const double> band = sink.table().column("a.x.band");
  EXPECT_NEAR(band.back(), 1.5 * error, 1e-9);
  EXPECT_NEAR(band[5], 1.5 * 0.5 * error, 1e-9);
  EXPECT_LT(sink.table().column("b.band").back(), 1e-13);
  EXPECT_EQ(bands.certificate().digits, 3);
  EXPECT_EQ(bands.certificate().weakest, "a.x");
}

}  // namespace
}  // namespace trammel::analysis::certificate_test
