// Linearisation and modes against closed forms and the benchmark bicycle.
#include "trammel/analysis/modes.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/central_difference.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

struct Linearised {
  std::unique_ptr<model::ModelSystem> system;
  Assembly assembly;
  Linearisation linear;

  Eigen::Index state(const std::string& name) const {
    for (std::size_t i = 0; i < linear.states.size(); ++i) {
      if (linear.states[i].name == name) return static_cast<Eigen::Index>(i);
    }
    ADD_FAILURE() << "no state " << name;
    return 0;
  }
  double A(const std::string& row, const std::string& column) const {
    return linear.A(state(row), state(column));
  }
  Modes eigen() const { return modes(linear, system->displacement_scale()); }
};

Linearised about_start(const model::Description& description, const LinearOptions& options = {}) {
  Linearised result;
  result.system = model::compile(description);
  result.assembly = assemble(*result.system);
  result.linear = linearise(*result.system, result.assembly.motion, options);
  return result;
}

// The benchmark bicycle [Meijaard2007, table 1], z up: products of inertia change their sign.
std::string bicycle(double speed) {
  return R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
parameters: {v: )" +
         std::to_string(speed) + R"( m/s}
bodies:
  rear_wheel:
    mass: 2 kg
    inertia: [0.0603, 0.12, 0.0603]
    position: [0, 0, 0.3]
    velocity: [v, 0, 0]
    angular_velocity: [0, v/(0.3 m)*1 rad, 0]
  rear_frame:
    mass: 85 kg
    inertia: [9.2, 11, 2.8, 0, -2.4, 0]
    position: [0.3, 0, 0.9]
    velocity: [v, 0, 0]
  front_frame:
    mass: 4 kg
    inertia: [0.05892, 0.06, 0.00708, 0, 0.00756, 0]
    position: [0.9, 0, 0.7]
    velocity: [v, 0, 0]
  front_wheel:
    mass: 3 kg
    inertia: [0.1405, 0.28, 0.1405]
    position: [1.02, 0, 0.35]
    velocity: [v, 0, 0]
    angular_velocity: [0, v/(0.35 m)*1 rad, 0]
joints:
  rear_axle: {type: revolute, between: [rear_frame, rear_wheel], at: [0, 0, 0.3], axis: y}
  steer: {type: revolute, between: [rear_frame, front_frame], at: [1.1, 0, 0], axis: [sin(18 deg), 0, -cos(18 deg)]}
  front_axle: {type: revolute, between: [front_frame, front_wheel], at: [1.02, 0, 0.35], axis: y}
  rear_contact: {type: rolling_disc, between: [ground, rear_wheel], axle: y, radius: 0.3 m}
  front_contact: {type: rolling_disc, between: [ground, front_wheel], axle: y, radius: 0.35 m}
sensors:
  lean: {type: angle, between: [ground, rear_frame], axis: x}
)";
}

// M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, q = (lean, steer): rows of A(v), with the matrices of
// [Meijaard2007, eq. 5.3, 5.4].
TEST(Bicycle, HasThePublishedRows) {
  Eigen::Matrix2d M;
  Eigen::Matrix2d C1;
  Eigen::Matrix2d K0;
  Eigen::Matrix2d K2;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0.0, 76.59734589573222, 0.0, 2.65431523794604;
  C1 << 0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  for (const double v : {0.0, 3.0, 5.0, 8.0}) {
    SCOPED_TRACE(v);
    const Linearised bike =
        about_start(described(bicycle(v)), {.coordinates = {"lean", "steer.angle"}});
    EXPECT_EQ(bike.linear.coordinates, 7);
    EXPECT_EQ(bike.linear.rates, 3);
    const Eigen::Matrix2d by_position = -M.inverse() * (9.81 * K0 + v * v * K2);
    const Eigen::Matrix2d by_rate = -M.inverse() * C1 * v;
    const char* coordinates[] = {"lean", "steer.angle"};
    const char* rates[] = {"lean_rate", "steer.angle_rate"};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        // Published to 14 digits; 1e-9 of the largest entries (about 100) is asked for.
        EXPECT_NEAR(bike.A(rates[i], coordinates[j]), by_position(i, j), 1e-9) << i << j;
        EXPECT_NEAR(bike.A(rates[i], rates[j]), by_rate(i, j), 1e-9) << i << j;
      }
    }
    EXPECT_LT(bike.linear.unsteadiness, 1e-9);
  }
}

// [Meijaard2007, table 2], v = 5 m/s.
TEST(Bicycle, HasThePublishedEigenvalues) {
  const Linearised bike =
      about_start(described(bicycle(5.0)), {.coordinates = {"lean", "steer.angle"}});
  const Modes result = bike.eigen();
  const std::complex<double> published[] = {
      {-0.32286642900409, 0.0}, {-14.07838969279822, 0.0}, {-0.77534188219585, 4.46486771378823}};
  for (const std::complex<double>& expected : published) {
    double nearest = INFINITY;
    for (const Mode& mode : result.modes) {
      nearest = std::min(nearest, std::abs(mode.eigenvalue - expected));
    }
    EXPECT_LT(nearest, 1e-8) << expected;
  }
  EXPECT_EQ(result.unstable, 0);  // between 4.3 and 6.0 m/s the bicycle balances itself
}

// Hanging point masses on equal massless rods: omega^2 = x g / l with x the zeros of the Laguerre
// polynomial L_5. All stiffness is curvature of the constraints.
model::Description hanging_chain(model::Space space) {
  model::Description d;
  d.space = space;
  const Eigen::Vector3d down =
      space == model::Space::planar ? Eigen::Vector3d(0, -1, 0) : Eigen::Vector3d(0, 0, -1);
  d.gravity = 9.81 * down;
  for (int i = 0; i < 5; ++i) {
    model::Body body;
    body.name = "m" + std::to_string(i);
    body.kind = model::BodyKind::point;
    body.mass.mass = 0.7;
    body.position = 0.4 * (i + 1) * down;
    d.add_body(body);
    d.add_joint("distance", "rod" + std::to_string(i),
                i == 0 ? "ground" : "m" + std::to_string(i - 1), body.name, {{"length", 0.4}});
  }
  return d;
}

TEST(Chain, HasLaguerreFrequencies) {
  const double zeros[] = {0.263560319718141, 1.413403059106517, 3.596425771040722,
                          7.085810005858837, 12.640800844275783};
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    const Linearised chain = about_start(hanging_chain(space));
    const Modes result = chain.eigen();
    const std::size_t copies = space == model::Space::planar ? 1 : 2;  // both planes
    ASSERT_EQ(result.modes.size(), 5 * copies);
    for (std::size_t i = 0; i < result.modes.size(); ++i) {
      const double omega = std::sqrt(zeros[i / copies] * 9.81 / 0.4);
      EXPECT_NEAR(result.modes[i].eigenvalue.imag(), omega, 1e-10 * omega);
      EXPECT_NEAR(result.modes[i].damping_ratio, 0.0, 1e-10);
    }
  }
}

// A four-bar with a spring along its diagonal, derived with the crank angle alone: potential V and
// effective inertia J from the closed form of the loop.
struct OneCoordinate {
  double k = 300.0;
  double free_length = 0.9;

  struct Place {
    Eigen::Vector2d tip;    // of the crank
    Eigen::Vector2d joint;  // of coupler and rocker
    double coupler = 0.0;   // angles
    double rocker = 0.0;
  };
  static Place at(double crank) {
    Place place;
    place.tip = 0.4 * Eigen::Vector2d(std::cos(crank), std::sin(crank));
    const Eigen::Vector2d ground(1.0, 0.0);
    const Eigen::Vector2d d = ground - place.tip;
    const double along = (d.squaredNorm() + 0.9 * 0.9 - 0.7 * 0.7) / (2.0 * d.norm());
    const Eigen::Vector2d unit = d.normalized();
    place.joint = place.tip + along * unit +
                  std::sqrt(0.81 - along * along) * Eigen::Vector2d(-unit.y(), unit.x());
    const Eigen::Vector2d c = place.joint - place.tip;
    const Eigen::Vector2d r = place.joint - ground;
    place.coupler = std::atan2(c.y(), c.x());
    place.rocker = std::atan2(r.y(), r.x());
    return place;
  }
  double potential(double crank) const {
    const Place p = at(crank);
    const double stretch = p.joint.norm() - free_length;  // from the crank's pivot
    return 9.81 * (1.0 * 0.5 * p.tip.y() + 2.0 * 0.5 * (p.tip.y() + p.joint.y()) +
                   1.5 * 0.5 * p.joint.y()) +
           0.5 * k * stretch * stretch;
  }
  double slope(double crank) const {
    return central_difference(
        [&](double s) { return Eigen::Matrix<double, 1, 1>(potential(crank + s)); }, 0.01)[0];
  }
  double stiffness(double crank) const {
    return central_difference(
        [&](double s) { return Eigen::Matrix<double, 1, 1>(slope(crank + s)); }, 0.01)[0];
  }
  static double inertia(double crank) {
    const Eigen::Vector4d rate = central_difference(
        [&](double s) {
          const Place p = at(crank + s);
          const Eigen::Vector2d centre = 0.5 * (p.tip + p.joint);
          return Eigen::Vector4d(centre.x(), centre.y(), p.coupler, p.rocker);
        },
        0.01);
    return 1.0 * 0.16 / 3.0 + 2.0 * rate.head<2>().squaredNorm() +
           2.0 * 0.81 / 12.0 * rate[2] * rate[2] + 1.5 * 0.49 / 3.0 * rate[3] * rate[3];
  }
};

TEST(FourBar, WithDiagonalSpringMatchesOneCoordinate) {
  const OneCoordinate derived;
  double crank = 1.2;
  for (int i = 0; i < 50; ++i) crank -= derived.slope(crank) / derived.stiffness(crank);
  ASSERT_NEAR(derived.slope(crank), 0.0, 1e-9);
  ASSERT_GT(derived.stiffness(crank), 1.0);
  const OneCoordinate::Place place = OneCoordinate::at(crank);
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  d.ground_frames.push_back({"right", {1.0, 0.0, 0.0}});
  const auto bar = [&](const char* name, double length, double mass, double angle,
                       const Eigen::Vector2d& start) {
    model::Body body;
    body.name = name;
    body.mass.mass = mass;
    body.mass.inertia = mass * length * length / 12.0 * Eigen::Matrix3d::Identity();
    body.angle = angle;
    body.orientation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
    body.position << start + 0.5 * length * Eigen::Vector2d(std::cos(angle), std::sin(angle)), 0.0;
    body.frames = {{"start", {-0.5 * length, 0.0, 0.0}}, {"end", {0.5 * length, 0.0, 0.0}}};
    d.add_body(body);
  };
  bar("crank", 0.4, 1.0, crank, {0.0, 0.0});
  bar("coupler", 0.9, 2.0, place.coupler, place.tip);
  bar("rocker", 0.7, 1.5, place.rocker, {1.0, 0.0});
  d.add_joint("revolute", "a", "ground", "crank.start");
  d.add_joint("revolute", "b", "crank.end", "coupler.start");
  d.add_joint("revolute", "c", "coupler.end", "rocker.end");
  d.add_joint("revolute", "d", "ground.right", "rocker.start");
  d.add_force("spring", "diagonal", {"ground", "rocker.end"},
              {{"stiffness", derived.k}, {"length", derived.free_length}});
  const Linearised four_bar = about_start(d, {.coordinates = {"a.angle"}});
  ASSERT_EQ(four_bar.linear.states.size(), 2u);
  const double expected = derived.stiffness(crank) / derived.inertia(crank);
  // The reference differentiates twice numerically: 1e-9 is left of its digits.
  EXPECT_NEAR(four_bar.A("a.angle_rate", "a.angle"), -expected, 1e-8 * expected);
  EXPECT_NEAR(four_bar.A("a.angle_rate", "a.angle_rate"), 0.0, 1e-8);
  EXPECT_NEAR(four_bar.A("a.angle", "a.angle_rate"), 1.0, 1e-12);
}

// A sleeping top with transverse moment A about the pivot, axial moment C and spin n: with
// zeta = x + i y,  A zeta'' - i C n zeta' - m g h zeta = 0. Body axes turn, coordinates do not.
TEST(Top, SleepingHasPrecessionAndNutation) {
  const double n = 40.0;
  const Linearised top = about_start(described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  top: {mass: 2 kg, inertia: [0.03, 0.03, 0.05], position: [0, 0, 0.2], angular_velocity: [0, 0, 40]}
joints:
  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}
)"),
                                     {.coordinates = {"top.position.x", "top.position.y"}});
  const double transverse = 0.03 + 2.0 * 0.04;
  const double axial = 0.05;
  const double weight = 2.0 * 9.81 * 0.2;
  EXPECT_NEAR(top.A("top.velocity.x", "top.position.x"), weight / transverse, 1e-9);
  EXPECT_NEAR(top.A("top.velocity.x", "top.velocity.y"), -axial * n / transverse, 1e-9);
  EXPECT_NEAR(top.A("top.velocity.y", "top.velocity.x"), axial * n / transverse, 1e-9);
  EXPECT_NEAR(top.A("top.velocity.x", "top.velocity.x"), 0.0, 1e-9);
}

// m x'' = -k x - c x' + z + push,  z' = (u - z)/T: state space with a memory, a parameter and a
// load.
// A damping ratio of -1e-7 is far above what round-off makes of the frequency of one mass.
TEST(Modes, ThatGrowByALittleAreSeen) {
  const auto oscillator = [](const char* rate) {
    return about_start(described(std::string(R"(
trammel: 1
space: planar
bodies:
  m: {mass: 1 kg, inertia: 0.01}
joints:
  rail: {type: prismatic, between: [ground, m]}
forces:
  k: {type: actuator, coordinate: rail.displacement,
      formula: -100*rail.displacement + )") +
                                 rate + "*rail.displacement_rate}\n"))
        .eigen();
  };
  EXPECT_EQ(oscillator("2e-6").unstable, 1);
  EXPECT_NEAR(oscillator("2e-6").modes.front().damping_ratio, -1e-7, 1e-10);
  EXPECT_EQ(oscillator("0").unstable, 0);
  EXPECT_FALSE(oscillator("0").modes.front().damped());
  EXPECT_EQ(oscillator("-2e-6").unstable, 0);
  EXPECT_TRUE(oscillator("-2e-6").modes.front().damped());
}

TEST(StateSpace, OfADrivenBlockIsTheOneOnPaper) {
  const model::Description d = described(R"(
trammel: 1
space: planar
parameters: {u: 0}
bodies:
  block: {mass: 2 kg, inertia: 0.1}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
states:
  valve: {rate: (u - valve)/0.25}
forces:
  spring: {type: actuator, coordinate: rail.displacement, formula: -50*rail.displacement - 3*rail.displacement_rate}
  cylinder: {type: actuator, coordinate: rail.displacement, formula: 8*valve + 5*u}
)");
  LinearOptions options;
  options.loads = {"rail.displacement"};
  options.outputs = {"rail.displacement", "block.acceleration.x"};
  options.parameters.push_back({{"u", ""}, 0.0, [&](double value) {
                                  model::Description changed = d;
                                  changed.parameters["u"].value = value;
                                  return model::compile(changed);
                                }});
  const Linearised block = about_start(d, options);
  ASSERT_EQ(block.linear.states.size(), 3u);
  EXPECT_EQ(block.linear.states[2].name, "valve");
  Matrix A(3, 3);
  Matrix B(3, 2);
  Matrix C(2, 3);
  Matrix D(2, 2);
  A << 0, 1, 0, -25, -1.5, 4, 0, 0, -4;
  B << 0, 0, 0.5, 2.5, 0, 4;
  C << 1, 0, 0, -25, -1.5, 4;
  D << 0, 0, 0.5, 2.5;
  // Central differences of linear functions: round-off over the step of 5e-3.
  EXPECT_LT((block.linear.A - A).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((block.linear.B - B).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((block.linear.C - C).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((block.linear.D - D).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(StateSpace, RefusesCoordinatesThatAreNoChoice) {
  const model::Description d = hanging_chain(model::Space::planar);
  EXPECT_THROW(about_start(d, {.coordinates = {"m0.position.y"}}), core::InputError);
  EXPECT_THROW(about_start(d, {.coordinates = {"m0.position.x", "m0.position.x"}}),
               core::InputError);
  EXPECT_THROW(about_start(d, {.coordinates = {"m9.position.x"}}), core::InputError);
}

TEST(Animation, ShowsEveryModeOnTheConstraints) {
  const Linearised chain = about_start(hanging_chain(model::Space::planar));
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  animate(*chain.system, chain.assembly.motion, chain.eigen(), 2.0, options);
  const results::Table table = sink.take();
  EXPECT_EQ(table.column("mode.number").back(), 5.0);
  EXPECT_NEAR(table.time.back(), 10.0, 1e-12);
  double position_error = 0.0;
  double travel = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    position_error = std::max(position_error, table.column("error.position")[i]);
    travel = std::max(travel, std::abs(table.column("m4.position.x")[i]));
  }
  EXPECT_LT(position_error, 1e-10);
  EXPECT_GT(travel, 0.05);
}

// Two bodies on bushings, 100 m apart, or 10 um: 1 rad is far less, or more, than the model's size.
// All their freedoms are there all the same: turns, which have no names, among them.
TEST(Modes, LackNoFreedomHoweverLargeTheModelIs) {
  for (const double place : {1e-5, 0.5, 50.0, 1e4}) {
    const std::string at = "at: [" + std::to_string(place) + ", 0, 0]";
    const std::string opposite = "at: [" + std::to_string(-place) + ", 0, 0]";
    const std::string stiffness = "stiffness: [1, 4, 9], rotational_stiffness: [16, 50, 90]}\n";
    const model::Description d = described(
        "trammel: 1\nspace: spatial\nbodies:\n"
        "  a: {mass: 1, inertia: [1, 2, 2.5], position: [" +
        std::to_string(place) +
        ", 0, 0]}\n"
        "  b: {mass: 1, inertia: [1, 2, 2.5], position: [" +
        std::to_string(-place) +
        ", 0, 0]}\n"
        "forces:\n  k: {type: bushing, between: [ground, a], " +
        at + ", " + stiffness + "  l: {type: bushing, between: [ground, b], " + opposite + ", " +
        stiffness);
    const Linearised model = about_start(d);
    const Modes found = model.eigen();
    ASSERT_EQ(found.modes.size(), 12U) << place;
    for (std::size_t i = 0; i < found.modes.size(); ++i) {
      const double exact = std::floor(0.5 * static_cast<double>(i)) + 1.0;
      // Differences of rates are good to 1e-10; at 1e4 m positions to 2e-12 m.
      EXPECT_NEAR(found.modes[i].eigenvalue.imag(), exact, 1e-7) << place << ", mode " << i;
    }
    EXPECT_EQ(found.unstable, 0) << place;
  }
}

// What nothing holds has the eigenvalue zero; round-off in its place neither grows nor decays.
TEST(Modes, OfWhatNothingHoldsDoNotGrow) {
  const Linearised ball = about_start(described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  ball: {shape: {sphere: {radius: 0.3, mass: 4 kg}}, position: [3, 0, 0.3]}
joints:
  roll: {type: rolling_sphere, between: [ground, ball], radius: 0.3, normal: z}
)"));
  const Modes found = ball.eigen();
  ASSERT_FALSE(found.modes.empty());
  for (const Mode& mode : found.modes) EXPECT_TRUE(mode.zero) << mode.eigenvalue;
  EXPECT_EQ(found.unstable, 0);
}

}  // namespace
}  // namespace trammel::analysis
