// The models of examples/beams against theory, published digits, and another way to the answer.
#include <array>
#include <cmath>
#include <numbers>

#include "unit/analysis/full_vocabulary.h"
#include "unit/analysis/recorded_run.h"
#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/statics.h"
#include "trammel/io/model_file.h"

namespace trammel::analysis::beam_examples_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Overrides = io::Overrides;

model::Description example(const std::string& name, const Overrides& overrides = {}) {
  return io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/" + name + ".yaml",
                             full_vocabulary(), {.overrides = overrides})
      .description;
}

Vector3d position_of(model::ModelSystem& system,
                     const system::Motion& motion,
                     const std::string& body) {
  std::vector<double> values(system.observables().size());
  system.accept(motion.state);
  system.observe(motion, values.data());
  Vector3d p = Vector3d::Constant(NAN);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (system.observables()[i].name == body + ".position." + "xyz"[k]) p[k] = values[i];
    }
  }
  return p;
}

Vector3d tip_at_rest(const model::Description& description, const std::string& tip = "beam.tip") {
  const auto system = model::compile(description);
  const StaticsReport rest = statics(*system);
  return position_of(*system, rest.motion, tip);
}

Overrides with_elements(int elements) {
  return {{"elements", std::to_string(elements)}};
}

// A rod as a boundary value problem, by shooting --------------------------------------------------
//
//     r' = R (e_x + n_b/C_N)   R' = R skew(kappa_0 + m_b/C_M)   m' = n x r'   n = load,  m(L) = 0
//
// in the length of the unloaded line, by Runge and Kutta's method; the unknown moment at the clamp
// by Newton's with differences, while the load rises.

struct Rod {
  double length = 1.0;
  Vector3d force = Vector3d::Ones();
  Vector3d moment = Vector3d::Ones();
  Vector3d curvature = Vector3d::Zero();
  Quaterniond start = Quaterniond::Identity();
  Vector3d load = Vector3d::Zero();
};

using RodState = Eigen::Matrix<double, 10, 1>;

RodState slope(const Rod& rod, const Vector3d& n, const RodState& y) {
  const Quaterniond e = Quaterniond(y[3], y[4], y[5], y[6]).normalized();
  const Matrix3d R = e.toRotationMatrix();
  const Vector3d m = y.tail<3>();
  const Vector3d kappa = rod.curvature + (R.transpose() * m).cwiseQuotient(rod.moment);
  const Vector3d way =
      R * (Vector3d::UnitX() + (R.transpose() * n).cwiseQuotient(rod.force)).eval();
  const Quaterniond turn = e * Quaterniond(0.0, 0.5 * kappa.x(), 0.5 * kappa.y(), 0.5 * kappa.z());
  RodState d;
  d << way, turn.w(), turn.x(), turn.y(), turn.z(), n.cross(way);
  return d;
}

RodState shot(const Rod& rod, const Vector3d& n, const Vector3d& m) {
  constexpr int steps = 400;
  const double h = rod.length / steps;
  RodState y;
  y << Vector3d::Zero(), rod.start.w(), rod.start.x(), rod.start.y(), rod.start.z(), m;
  for (int i = 0; i < steps; ++i) {
    const RodState k1 = slope(rod, n, y);
    const RodState k2 = slope(rod, n, y + 0.5 * h * k1);
    const RodState k3 = slope(rod, n, y + 0.5 * h * k2);
    const RodState k4 = slope(rod, n, y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

Vector3d tip_of(const Rod& rod) {
  constexpr int load_steps = 20;
  Vector3d m = Vector3d::Zero();
  for (int step = 1; step <= load_steps; ++step) {
    const Vector3d n = rod.load * step / load_steps;
    for (int iteration = 0; iteration < 20; ++iteration) {
      const Vector3d end = shot(rod, n, m).tail<3>();
      const double size = 1e-6 * (1.0 + m.norm());
      Matrix3d J;
      for (int k = 0; k < 3; ++k) {
        J.col(k) = (shot(rod, n, m + size * Vector3d::Unit(k)).tail<3>() -
                    shot(rod, n, m - size * Vector3d::Unit(k)).tail<3>()) /
                   (2.0 * size);
      }
      const Vector3d change = J.partialPivLu().solve(end);
      m -= change;
      if (change.norm() < 1e-11 * (1.0 + m.norm())) break;
    }
  }
  const RodState end = shot(rod, rod.load, m);
  EXPECT_LT(end.tail<3>().norm(), 1e-8 * (1.0 + m.norm()));
  return end.head<3>();
}

// Statics
// -------------------------------------------------------------------------------------------

// 2 pi E I/L bends the beam to a full circle; its polygon closes with any number of elements. A
// couple whose axis goes with the tip has no potential, and the circle is not stable.
TEST(BeamExamples, EndMomentRollsTheBeamUp) {
  for (const int elements : {4, 12}) {
    const auto system = model::compile(example("beams/roll_up", with_elements(elements)));
    const StaticsReport rest = statics(*system, {.nearest = true});
    EXPECT_LT(position_of(*system, rest.motion, "beam.tip").norm(), 1e-8) << elements;
  }
}

// P L^2/(E I) = 10, the same digits as flexible_examples_test.cpp has; stretch is 1e-7 of it, shear
// of the strip below.
TEST(BeamExamples, CantileverRestsOnTheElastica) {
  const double roll = std::numbers::pi / 6.0;
  const double down = -0.8106090248802971;
  const Vector3d exact(0.44500440224624765, down * std::cos(roll), down * std::sin(roll));
  const auto error = [&](int elements) {
    return (tip_at_rest(example("beams/cantilever", with_elements(elements))) - exact).norm();
  };
  const double coarse = error(8);
  const double fine = error(16);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
}

Rod bend(double load) {
  Rod rod{.length = 25.0 * std::numbers::pi,
          .force = {1e7, 5e6, 5e6},
          .moment = Vector3d::Constant(1e7 / 12.0),
          .curvature = {0.0, 0.0, -0.01},
          .load = {0.0, 0.0, load}};
  Matrix3d start;
  start << Vector3d::UnitY(), -Vector3d::UnitX(), Vector3d::UnitZ();
  rod.start = Quaterniond(start);
  return rod;
}

// Published tips at 600: 15.9, 47.2, 53.4 (Bathe and Bolourchi 1979) and 15.79, 47.23, 53.37 (Simo
// and Vu-Quoc 1986), both with eight elements, so within the errors of these.
TEST(BeamExamples, BendOf45DegreesAgreesWithPublishedTips) {
  const Vector3d exact = tip_of(bend(600.0));
  EXPECT_LT((exact - Vector3d(15.9, 47.2, 53.4)).norm(), 0.25);
  EXPECT_LT((exact - Vector3d(15.79, 47.23, 53.37)).norm(), 0.2);
  const auto error = [&](int elements) {
    return (tip_at_rest(example("beams/bend", with_elements(elements))) - exact).norm();
  };
  const double coarse = error(8);
  const double fine = error(16);
  EXPECT_LT(fine, 0.02);  // of a length of 78.5
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
}

TEST(BeamExamples, PrincetonBeamIsWithinAThousandthOfAnotherSolution) {
  const double E = 71.7e9;
  const double G = E / 2.62;
  const double b = 3.2024e-3;
  const double h = 12.377e-3;
  double sum = 0.0;
  for (int n = 1; n < 200; n += 2) {
    sum += std::tanh(n * std::numbers::pi * h / (2.0 * b)) / std::pow(n, 5);
  }
  const double J =
      h * b * b * b / 3.0 * (1.0 - 192.0 * b / (std::pow(std::numbers::pi, 5) * h) * sum);
  for (const double load : {4.448, 8.896, 13.345}) {
    for (int degrees = 0; degrees <= 90; degrees += 15) {
      const double angle = degrees * std::numbers::pi / 180.0;
      const Rod rod{.length = 0.508,
                    .force = {E * b * h, 5.0 / 6.0 * G * b * h, 5.0 / 6.0 * G * b * h},
                    .moment = {G * J, E * h * b * b * b / 12.0, E * b * h * h * h / 12.0},
                    .load = {0.0, load * std::cos(angle), load * std::sin(angle)}};
      const Vector3d exact = tip_of(rod) - Vector3d(0.508, 0.0, 0.0);
      const Vector3d ours =
          tip_at_rest(example("beams/princeton", {{"load", fmt::format("{} N", load)},
                                                  {"angle", fmt::format("{} deg", degrees)}})) -
          Vector3d(0.508, 0.0, 0.0);
      EXPECT_LT((ours - exact).norm(), 1e-3 * exact.norm()) << load << " N, " << degrees << " deg";
    }
  }
}

// P = 4.0126 sqrt(E I_y G J)/L^2; bending before it buckles makes it larger by the factor
// 1/sqrt((1 - E I_y/E I_z) (1 - G J/E I_z)), here 1.5e-4.
TEST(BeamExamples, ThinCantileversBuckleAtPrandtlsLoad) {
  const auto softest = [](double factor, int elements) {
    const auto system =
        model::compile(example("beams/lateral_buckling", {{"factor", fmt::format("{}", factor)},
                                                          {"sideways", "0"},
                                                          {"elements", std::to_string(elements)}}));
    return statics(*system, {.nearest = true}).stability.stiffness[0];
  };
  // Where the softest stiffness is zero, on the line through two loads near it.
  const auto critical = [&](int elements) {
    const double below = softest(0.995, elements);
    const double above = softest(1.005, elements);
    return 0.995 + 0.01 * below / (below - above);
  };
  const double ten = critical(10);
  const double twenty = critical(20);
  EXPECT_NEAR(twenty, 1.0, 2e-3);
  // Extrapolated by their second order; the line and the digits of 4.0126 leave some 1e-5.
  EXPECT_NEAR(twenty + (twenty - ten) / 3.0, 1.00015, 5e-5);
}

// After 5 s nothing acts: the centre of mass moves with 50 N s/10 kg, and angular momentum stays.
TEST(BeamExamples, FlyingSpaghettiKeepsItsMomentum) {
  const model::Description description = example("beams/spaghetti");
  const RecordedRun run = recorded_run(description);
  const int elements = 10;
  const auto name = [&](int k) {
    return k == 0          ? std::string("noodle.start")
           : k == elements ? std::string("noodle.tip")
                           : fmt::format("noodle.node_{}", k);
  };
  const auto vector_at = [&](const std::string& channel, std::size_t row) {
    Vector3d v;
    for (int k = 0; k < 3; ++k) v[k] = run.table.column(channel + "." + "xyz"[k])[row];
    return v;
  };
  const auto momenta = [&](std::size_t row) {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (int k = 0; k <= elements; ++k) {
      const Vector3d r = vector_at(name(k) + ".position", row);
      const double mass = k == 0 || k == elements ? 0.5 : 1.0;
      const Vector3d p = mass * vector_at(name(k) + ".velocity", row);
      const auto e = [&](int i) {
        return run.table.column(fmt::format("{}.orientation.e{}", name(k), i))[row];
      };
      const Quaterniond R(e(0), e(1), e(2), e(3));
      const Vector3d J = mass * Vector3d(20.0, 10.0, 10.0);
      const Vector3d w = vector_at(name(k) + ".angular_velocity", row);
      sum.head<3>() += p;
      sum.tail<3>() += r.cross(p) + R * Vector3d(J.cwiseProduct(w));
    }
    return sum;
  };
  const auto time = run.table.column("time");
  std::size_t free = 0;
  while (time[free] < 5.05) ++free;
  const auto start = momenta(free);
  EXPECT_LT((start.head<3>() - Vector3d(50.0, 0.0, 0.0)).norm(), 1e-6);
  for (std::size_t row = free; row < time.size(); ++row) {
    EXPECT_LT((momenta(row).head<3>() - start.head<3>()).norm(), 1e-8) << time[row];
    // Of the integrator, whose angular momentum has its second order: 1.1e-4, and 2.6e-5 at half
    // the step.
    EXPECT_LT((momenta(row).tail<3>() - start.tail<3>()).norm(), 3e-4 * start.tail<3>().norm())
        << time[row];
  }
}

// Its tip goes where it is told. The motion is slow against the first period of the arms, 4 s:
// torques of the joints are those of rigid arms (chiou_examples_test.cpp) within 2 percent of the
// largest.
TEST(BeamExamples, FlexibleCraneFollowsItsTip) {
  const RecordedRun run = recorded_run(example("chiou/crane_flexible"));
  const RecordedRun rigid = recorded_run(example("chiou/crane"));
  EXPECT_NEAR(run.last("arm3.tip.position.x"), 14.0, 1e-4);
  EXPECT_NEAR(run.last("arm3.tip.position.y"), 22.0, 1e-4);
  EXPECT_NEAR(run.last("arm3.tip.position.z"), 4.0, 1e-4);
  for (std::size_t i = 0; i < 7; ++i) {
    for (const char* torque : {"torque0", "torque1", "torque2", "torque3"}) {
      EXPECT_NEAR(run.table.column(torque)[30 * i], rigid.table.column(torque)[i], 0.02 * 14.7)
          << torque << " at " << 30 * i << " s";
    }
  }
}

// Beams joined to the ground, to each other, and to a rigid body between two nodes; with viscosity.
constexpr const char* joined = R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
sections:
  rope: {stiffness: {axial: 2e3, shear: [1e3, 1e3], torsion: 5, bending: [5, 8], mass: 1, inertia: [2e-2, 1e-2, 1e-2]}}
flexible:
  beam: {elements: 4, section: rope, tip: [1, 0, 0], frames: {middle: 0.4}, viscosity: 1 ms}
  other: {elements: 3, section: rope, start: [1, 0, 0], tip: [1, 1, 0]}
bodies:
  load: {mass: 0.5 kg, inertia: [0.01, 0.02, 0.03], position: [0.4, 0, 0]}
joints:
  pin: {type: universal, between: [ground, beam.start], axis: y, axis_b: z}
  hinge: {type: revolute, between: [beam.tip, other.start], axis: z, at: [1, 0, 0]}
  saddle: {type: spherical, between: [beam.middle, load]}
simulation: {until: 0.2 s, step: 0.5 ms, output_step: 0.2 s}
)";

// 1e-6 m: the second order of the methods with fixed step, of motions of 0.2 m.
TEST(BeamExamples, EveryMethodMovesThemAlike) {
  for (const char* mass : {"lumped", "consistent"}) {
    const auto tip = [&](const std::string& method) {
      const model::Description description =
          io::read_model_text(
              joined, "joined", full_vocabulary(),
              {.overrides = {{"flexible.beam.mass", mass}, {"simulation.method", method}}})
              .description;
      const RecordedRun run = recorded_run(description);
      return Vector3d(run.last("other.tip.position.x"), run.last("other.tip.position.y"),
                      run.last("other.tip.position.z"));
    };
    const Vector3d reference = tip("dormand-prince");
    EXPECT_LT(reference.z(), -0.18);
    for (const char* method : {"gssss", "rk4", "adams", "bdf", "staggered", "single-grid",
                               "park-chiou", "central-difference", "state-space-newmark"}) {
      EXPECT_LT((tip(method) - reference).norm(), 1e-6) << method << ", " << mass;
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::beam_examples_test
