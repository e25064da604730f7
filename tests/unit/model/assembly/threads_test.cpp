// The work on elements divided among threads: every piece once, and the same bits for any number.
#include "trammel/system/threads.h"

#include <atomic>
#include <cstring>
#include <thread>

#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/model/assembly/division.h"
#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::model {
namespace {

using system::Vector;

TEST(WorkerTeam, DoesEveryPieceOnceInEveryRound) {
  for (const int threads : {1, 2, 5}) {
    WorkerTeam team(threads);
    EXPECT_LE(team.threads(), threads);
    std::vector<std::atomic<int>> done(37);
    for (int round = 1; round <= 200; ++round) {
      team.run(37, [&](int thread, int piece) {
        EXPECT_LT(thread, threads);
        ++done[static_cast<std::size_t>(piece)];
      });
      for (const auto& count : done) ASSERT_EQ(count.load(), round);
    }
    team.run(0, [](int, int) { FAIL(); });
  }
}

TEST(Division, PutsEveryElementIntoOnePart) {
  constexpr int nodes = 2 * Division::nodes_per_chunk + 100;
  std::vector<int> velocities;
  for (int i = 0; i <= nodes; ++i) velocities.push_back(6 * i);
  Division division(velocities);
  ASSERT_EQ(division.chunks().size(), 3U);
  EXPECT_EQ(division.chunks()[2].last_node, nodes + 1);
  EXPECT_EQ(division.chunks()[2].last_velocity, 6 * nodes);
  // A chain on the ground: element i joins nodes i and i + 1.
  division.add_group(nodes, [](std::size_t i) {
    return std::vector<int>{static_cast<int>(i), static_cast<int>(i) + 1};
  });
  std::vector<int> seen(nodes, 0);
  const Division::Parts& parts = division.groups().front();
  for (const std::vector<Part>& chunk : parts.inside) {
    EXPECT_LE(chunk.size(), 1U);
    for (const Part& part : chunk) {
      for (std::size_t i = part.first; i < part.last; ++i) ++seen[i];
    }
  }
  ASSERT_EQ(parts.across.size(), 2U);
  EXPECT_EQ(parts.across[0].first, static_cast<std::size_t>(Division::nodes_per_chunk));
  for (const Part& part : parts.across) {
    for (std::size_t i = part.first; i < part.last; ++i) ++seen[i];
  }
  for (const int count : seen) EXPECT_EQ(count, 1);
}

/// A chain over several chunks, with springs, dampers, formulas and friction among neighbours and
/// over long ways.
Description busy_chain(Space space) {
  constexpr int n = 2 * Division::nodes_per_chunk + 57;
  Description d = support::chain(n, space);
  const auto body = [&](int i) { return d.bodies[static_cast<std::size_t>(i)].name; };
  for (int i = 3; i + 400 < n; i += 97) {
    d.add_force("spring", "spring" + std::to_string(i), {body(i), body(i + (i % 2 == 0 ? 2 : 400))},
                {{"stiffness", 50.0}, {"damping", 0.3}});
  }
  for (int i = 5; i + 500 < n; i += 301) {
    const std::string a = body(i) + ".position.x";
    const std::string b = body(i + 500) + ".velocity.x";
    d.add_force("actuator", "law" + std::to_string(i), {},
                {{"coordinate", a}, {"formula", "-3 N s/m * " + b + " + 1 N * sin(2 rad/s*time)"}});
  }
  return d;
}

bool same_bits(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), static_cast<std::size_t>(a.size()));
}

/// Everything that is assembled, at some motion.
struct Answers {
  Vector r;
  Vector rows;
  Vector f;
  Vector g;
  Vector g_dot;
  Vector gamma;
  std::vector<double> tangent;

  bool operator==(const Answers& other) const {
    return same_bits(r, other.r) && same_bits(rows, other.rows) && same_bits(f, other.f) &&
           same_bits(g, other.g) && same_bits(g_dot, other.g_dot) &&
           same_bits(gamma, other.gamma) && tangent.size() == other.tangent.size() &&
           same_bits(tangent.data(), other.tangent.data(), tangent.size());
  }
};

Answers answers_of(ModelSystem& system) {
  const system::Sizes sizes = system.sizes();
  system::Motion motion{system.described_state(), Vector(sizes.v), Vector(sizes.multipliers())};
  motion.state.t = 0.3;
  Vector x(sizes.v);
  for (int i = 0; i < sizes.v; ++i) {
    x[i] = 0.01 * std::sin(1.0 + i);
    motion.state.v[i] = std::cos(0.7 * i);
    motion.a[i] = std::sin(0.3 * i);
  }
  for (int i = 0; i < sizes.multipliers(); ++i) motion.lambda[i] = std::sin(2.0 + 0.9 * i);
  system.retract(motion.state.q, x, motion.state.q);
  Answers found;
  system.residual(motion, found.r, found.rows);
  system.forces(motion.state, found.f);
  system.position_constraint(motion.state, found.g);
  system.velocity_constraint(motion.state, found.g_dot);
  system.acceleration_bias(motion.state, found.gamma);
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, {.position = 1.0, .velocity = 30.0, .acceleration = 900.0}, &x, matrix);
  found.tangent = matrix.values;
  return found;
}

class Threads : public testing::TestWithParam<Space> {};

TEST_P(Threads, GiveTheSameBitsForAnyNumber) {
  const auto system = compile(busy_chain(GetParam()));
  const Answers one = answers_of(*system);
  for (const int threads : {2, 3, 7, 1}) {
    system::set_threads(*system, threads);
    EXPECT_TRUE(answers_of(*system) == one) << threads;
  }
}

TEST_P(Threads, EvaluateOneCompiledModelAtOnce) {
  const auto system = compile(busy_chain(GetParam()));
  const Answers expected = answers_of(*system);
  std::vector<Answers> found(3);
  std::vector<std::thread> team;
  for (Answers& each : found) {
    team.emplace_back([&system, &each] {
      const auto clone = system->clone();
      for (int i = 0; i < 3; ++i) each = answers_of(dynamic_cast<ModelSystem&>(*clone));
    });
  }
  for (std::thread& thread : team) thread.join();
  for (const Answers& each : found) EXPECT_TRUE(each == expected);
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Threads,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace trammel::model
