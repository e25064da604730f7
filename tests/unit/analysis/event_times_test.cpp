// Times of events to 1e-9 s, by every method that keeps a tolerance of high order: a mass that
// bounces, a stop in a slider-crank, contact lost in a cam drive. Exact times come from closed
// forms, roots of them, and a quadrature of the balance of energy.
#include <cmath>

#include "analysis_models.h"
#include "root.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis::event_times_test {
namespace {

constexpr double precision = 1e-9;  // s
constexpr double gravity = 9.81;

class EventTimes : public ::testing::TestWithParam<std::string> {
 protected:
  SimulationReport run(const std::string& text,
                       double until,
                       const SimulationOptions& options = {},
                       double tolerance = 1e-11) const {
    model::Description description = described(text);
    description.simulation.integrator = GetParam();
    description.simulation.integrator_values.clear();
    description.simulation.until = until;
    description.simulation.output_step = until;
    set_tolerance(description.simulation, tolerance);
    const auto system = formulation::compile_model(description).system;
    return simulate(*system, description.simulation, options);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods,
                         EventTimes,
                         ::testing::Values("dormand-prince", "adams", "bdf", "radau"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A mass of 1 kg falls from 0.5 m onto a spring of 1000 N/m that pushes and does not pull, and
// bounces without loss: it meets the spring after sqrt(2 h/g), and leaves it when
// y = -(g/w^2)(1 - cos w t) - (v/w) sin w t is zero again.
TEST_P(EventTimes, OfAMassThatBounces) {
  std::vector<double> times;
  SimulationOptions options;
  options.visit = [&](const system::Motion& motion) { times.push_back(motion.state.t); };
  const SimulationReport report = run(R"yaml(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  ball: {kind: point, mass: 1 kg, position: [0, 0.5 m]}
forces:
  floor:
    {type: actuator, coordinate: ball.position.y,
     formula: "if(ball.position.y < 0 m, -1000 N/m*ball.position.y, 0 N)"}
)yaml",
                                      1.6, options);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  const double w = std::sqrt(1000.0);
  const double fall = std::sqrt(2.0 * 0.5 / gravity);
  const double speed = gravity * fall;
  const auto depth = [&](double t) {
    return gravity / (w * w) * (1.0 - std::cos(w * t)) + speed / w * std::sin(w * t);
  };
  const double contact = root(depth, 0.5 * M_PI / w, 1.7 * M_PI / w);
  // A step ends at every event: none of those that the tolerance chooses would be so near.
  double event = fall;
  for (int i = 0; event < 1.6; ++i) {
    double nearest = 1.0;
    for (const double t : times) nearest = std::min(nearest, std::abs(t - event));
    EXPECT_LT(nearest, precision) << "event " << i << " at " << event;
    event += i % 2 == 0 ? contact : 2.0 * fall;
  }
}

// The slider-crank of the examples, turning freely; the slider meets a stop on its way back. With
// T = J(theta) theta'^2/2 and the energy E the time is the integral of sqrt(J/(2 (E - V))).
TEST_P(EventTimes, OfAStopInASliderCrank) {
  constexpr double r = 0.15;
  constexpr double l = 0.45;
  constexpr double m_crank = 0.5;
  constexpr double m_rod = 1.0;
  constexpr double m_slider = 0.7;
  constexpr double start = M_PI / 4.0;
  const auto slider = [](double theta) {
    return r * std::cos(theta) + std::sqrt(l * l - std::pow(r * std::sin(theta), 2));
  };
  const auto inertia = [](double theta) {
    const double s = r / l * std::sin(theta);
    const double c = std::sqrt(1.0 - s * s);
    const double lean = r / l * std::cos(theta) / c;  // its rate over theta'
    const double vx = -r * std::sin(theta) - 0.5 * l * s * lean;
    const double vy = 0.5 * r * std::cos(theta);
    const double x = -r * std::sin(theta) - l * s * lean;
    return m_crank * r * r / 3.0 + m_rod * (vx * vx + vy * vy) +
           m_rod * l * l / 12.0 * lean * lean + m_slider * x * x;
  };
  const auto potential = [](double theta) {
    return gravity * 0.5 * r * (m_crank + m_rod) * std::sin(theta);
  };
  const double energy = 0.5 * inertia(start) * 100.0 + potential(start);
  const double end = root([&](double theta) { return slider(theta) - 0.35; }, start, M_PI);
  const auto slowness = [&](double theta) {
    return std::sqrt(inertia(theta) / (2.0 * (energy - potential(theta))));
  };
  // Simpson's rule: an error of 1e-16 with so many intervals.
  constexpr int intervals = 4000;
  const double h = (end - start) / intervals;
  double exact = slowness(start) + slowness(end);
  for (int i = 1; i < intervals; ++i) exact += (i % 2 == 1 ? 4.0 : 2.0) * slowness(start + i * h);
  exact *= h / 3.0;

  const std::string text = R"yaml(
trammel: 1
space: planar
gravity: [0, -9.81]
parameters:
  start: 45 deg
  lean: asin(150/450*sin(start))
bodies:
  crank:
    {shape: {rod: {length: 0.15 m, mass: 0.5 kg}}, angle: start, angular_velocity: 10 rad/s,
     position: [0.075 m*cos(start), 0.075 m*sin(start)], fixed: [angle, angular_velocity],
     frames: {left: [-0.075, 0], right: [0.075, 0]}}
  rod:
    {shape: {rod: {length: 0.45 m, mass: 1 kg}}, angle: -lean,
     position: [0.15 m*cos(start) + 0.225 m*cos(lean), 0.225 m*sin(lean)],
     frames: {left: [-0.225, 0], right: [0.225, 0]}}
  slider:
    {mass: 0.7 kg, inertia: 1e-3, position: [0.15 m*cos(start) + 0.45 m*cos(lean), 0]}
joints:
  main: {type: revolute, between: [ground, crank.left]}
  pin: {type: revolute, between: [crank.right, rod.left]}
  wrist: {type: revolute, between: [rod.right, slider]}
  guide: {type: prismatic, between: [ground, slider], axis: x}
couplings:
  stop: {type: equation, equation: "slider.position.x - 0.35 m", unilateral: true, starts_open: true}
simulation: {coordinates: )yaml";
  for (const char* coordinates : {"absolute}", "relative}"}) {
    SCOPED_TRACE(coordinates);
    const SimulationReport report = run(text + coordinates, 0.4);
    ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
    ASSERT_GE(report.events.size(), 1U);
    EXPECT_EQ(report.events[0].what, "closes");
    EXPECT_NEAR(report.events[0].time, exact, precision);
  }
}

// A roller on an eccentric circle that turns evenly, pressed by its weight alone: it leaves where
// the cam falls faster than g, flies, and lands.
TEST_P(EventTimes, OfContactLostInACamDrive) {
  constexpr double w = 40.0;
  constexpr double e = 0.01;
  constexpr double reach = 0.06;
  const auto phase = [](double t) { return -M_PI / 3.0 + w * t; };
  struct Height {
    double value, rate, acceleration;
  };
  const auto height = [&](double t) {
    const double c = std::cos(phase(t));
    const double s = std::sin(phase(t));
    const double root = std::sqrt(reach * reach - e * e * c * c);
    const double slope = e * e * s * c / root;
    const double bend = (e * e * (c * c - s * s) - slope * slope) / root;
    return Height{e * s + root, w * (e * c + slope), w * w * (-e * s + bend)};
  };
  const double leaves = root([&](double t) { return height(t).acceleration + gravity; }, 0.0, 0.05);
  const Height off = height(leaves);
  const auto gap = [&](double t) {
    const double s = t - leaves;
    return off.value + off.rate * s - 0.5 * gravity * s * s - height(t).value;
  };
  const double lands = root(gap, leaves + 0.02, leaves + 0.12);
  const SimulationReport report = run(R"yaml(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  cam: {mass: 2 kg, inertia: 0.1}
  follower: {mass: 2 kg, inertia: 0.1, position: [0, 0.06]}
joints:
  shaft: {type: revolute, between: [ground, cam]}
  guide: {type: prismatic, between: [ground, follower], axis: y}
  contact:
    {type: cam_roller, between: [cam, follower], circles_x: [0.01], circles_y: [0],
     circle_radii: [0.05], roller_radius: 0.01, unilateral: true}
drives:
  motor: {type: position, coordinate: shaft.angle, motion: "-60 deg + 40 rad/s*time"}
)yaml",
                                      0.15);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  ASSERT_GE(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].what, "opens");
  EXPECT_NEAR(report.events[0].time, leaves, precision);
  EXPECT_EQ(report.events[1].what, "closes");
  EXPECT_NEAR(report.events[1].time, lands, precision);
}

}  // namespace
}  // namespace trammel::analysis::event_times_test
