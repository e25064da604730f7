#include "trammel/analysis/stepper.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis::stepper_test {
namespace {

struct Case {
  const char* integrator;
  const char* coordinates;
};
constexpr std::array cases{Case{"generalized-alpha", "absolute"}, Case{"rk4", "absolute"},
                           Case{"rk4", "relative"}, Case{"dormand-prince", "relative"},
                           Case{"bdf", "absolute"}};

// A bar of 1 kg and 1 m that hangs on a pin at its end, with a torque u that is an input.
model::Description driven_bar(const Case& method) {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  model::Body bar;
  bar.name = "bar";
  bar.mass.mass = 1.0;
  bar.mass.inertia = Eigen::Matrix3d::Identity() / 12.0;
  bar.position = {0.0, -0.5, 0.0};
  bar.frames.push_back({.name = "end", .position = {0.0, 0.5, 0.0}});
  d.add_body(bar);
  d.add_joint("revolute", "pin", "ground", "bar.end");
  d.add_force("actuator", "motor", {},
              {{"coordinate", std::string("pin.angle")}, {"formula", std::string("u")}});
  d.states.push_back({.name = "u", .rate = "0"});
  d.simulation.integrator = method.integrator;
  d.simulation.coordinates = method.coordinates;
  d.simulation.step = 1e-3;
  return d;
}

std::unique_ptr<Stepper> start(const model::Description& description) {
  return std::make_unique<Stepper>(formulation::compile_model(description).system,
                                   description.simulation, inputs_of(description));
}

double channel(Stepper& sim, const std::string& name) {
  std::vector<double> values(sim.observables().size());
  sim.observe(values.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (sim.observables()[i].name == name) return values[i];
  }
  return std::nan("");
}

// The inertia about the pin.
constexpr double inertia = 1.0 / 3.0;

double energy_of(Stepper& sim) {
  const double angle = channel(sim, "pin.angle");
  const double rate = channel(sim, "pin.angle_rate");
  return 0.5 * inertia * rate * rate - 9.81 * 0.5 * std::cos(angle);
}

TEST(Stepper, GoesTheSameWayAsASimulation) {
  for (const Case& method : cases) {
    model::Description description = driven_bar(method);
    description.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
    description.simulation.until = 0.25;
    const std::unique_ptr<model::ModelSystem> system =
        formulation::compile_model(description).system;
    const SimulationReport run = simulate(*system, description.simulation, {});
    const std::unique_ptr<Stepper> sim = start(description);
    for (int i = 0; i < 100; ++i) sim->step();
    EXPECT_NEAR(sim->time(), 0.1, 1e-12);
    sim->step(100);
    sim->advance(0.25);
    EXPECT_NEAR(sim->time(), 0.25, 1e-12);
    // Fixed steps are the very same ones; others end where they are asked to.
    const double tolerance = std::string(method.integrator).find("rk4") == 0 ||
                                     std::string(method.integrator).find("gen") == 0
                                 ? 1e-13
                                 : 1e-5;
    EXPECT_LT((sim->motion().state.q - run.final_motion.state.q).lpNorm<Eigen::Infinity>(),
              tolerance)
        << method.integrator;
  }
}

// From rest, the torque turns the bar by u/J; what it brings in is u times the angle.
TEST(Stepper, ObeysItsInputs) {
  for (const Case& method : cases) {
    const std::unique_ptr<Stepper> sim = start(driven_bar(method));
    const int u = sim->input("u");
    EXPECT_EQ(sim->input_names(), std::vector<std::string>{"u"});
    const double rest = energy_of(*sim);
    sim->set_input(u, 0.7);
    EXPECT_EQ(sim->input_value(u), 0.7);
    EXPECT_NEAR(channel(*sim, "bar.angular_acceleration"), 0.7 / inertia, 1e-9)
        << method.integrator << ": at once, before any step";
    sim->step(200);
    const double angle = channel(*sim, "pin.angle");
    EXPECT_GT(angle, 0.03);
    // Second-order methods with steps of 1 ms: errors of 1e-6 of what was brought in.
    EXPECT_NEAR(energy_of(*sim) - rest, 0.7 * angle, 2e-6) << method.integrator;
    sim->set_input(u, -0.7);
    const double before = energy_of(*sim);
    sim->step(100);
    EXPECT_NEAR(energy_of(*sim) - before, -0.7 * (channel(*sim, "pin.angle") - angle), 2e-6)
        << method.integrator;
    EXPECT_THROW(sim->input("v"), core::InputError);
    EXPECT_THROW(sim->set_input(u, std::nan("")), core::InputError);
  }
}

TEST(Stepper, GoesBackAndGoesOnInTheSameWay) {
  for (const Case& method : cases) {
    const std::unique_ptr<Stepper> sim = start(driven_bar(method));
    sim->set_input(0, 3.0);
    sim->step(400);
    const Stepper::Saved saved = sim->save();
    EXPECT_GT(std::abs(channel(*sim, "pin.angle")), 0.5);
    sim->restore(saved);
    sim->step(300);
    const system::Motion first = sim->motion();
    sim->set_input(0, -1.0);
    sim->step(50);
    sim->restore(saved);
    EXPECT_EQ(sim->time(), saved.motion.state.t);
    EXPECT_EQ(sim->input_value(0), 3.0) << "inputs are part of the state";
    const std::unique_ptr<Stepper> other = sim->clone();
    sim->step(300);
    EXPECT_EQ(sim->motion().state.q, first.state.q) << method.integrator << ": bit by bit";
    EXPECT_EQ(sim->motion().state.v, first.state.v);
    EXPECT_EQ(other->time(), saved.motion.state.t) << "a copy stands alone";
    other->step(300);
    EXPECT_EQ(other->motion().state.q, first.state.q);
    sim->reset();
    EXPECT_EQ(sim->time(), 0.0);
    EXPECT_EQ(sim->input_value(0), 0.0);
    EXPECT_NEAR(channel(*sim, "pin.angle"), 0.0, 1e-14);
  }
}

// Turns are counted across a restored state.
TEST(Stepper, CountsTurns) {
  model::Description description = driven_bar(cases[1]);
  description.gravity.setZero();
  description.bodies[0].angular_velocity = {0.0, 0.0, 10.0};
  description.bodies[0].velocity = {5.0, 0.0, 0.0};
  const std::unique_ptr<Stepper> sim = start(description);
  sim->advance(2.0);
  EXPECT_NEAR(channel(*sim, "pin.angle"), 20.0, 1e-9);
  const Stepper::Saved saved = sim->save();
  sim->advance(4.0);
  sim->restore(saved);
  sim->advance(2.5);
  EXPECT_NEAR(channel(*sim, "pin.angle"), 25.0, 1e-9);
}

TEST(Stepper, TakesStatesThatFitTogether) {
  const std::unique_ptr<Stepper> sim = start(driven_bar(cases[0]));
  system::State state = sim->motion().state;
  // Turned by 0.3 rad about its centre, which leaves the pin open; assembly closes it.
  state.q[2] += 0.3;
  state.v.setZero();
  sim->set_state(state);
  system::Vector g;
  sim->system().position_constraint(sim->motion().state, g);
  EXPECT_LT(g.lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_GT(channel(*sim, "pin.angle"), 0.05);
  state.q.conservativeResize(2);
  EXPECT_THROW(sim->set_state(state), core::InputError);
  EXPECT_THROW(sim->advance(-1.0), core::InputError);
}

TEST(Stepper, KnowsWhichStatesAreInputs) {
  model::Description description = driven_bar(cases[0]);
  description.states.push_back({.name = "filtered", .rate = "10*(pin.angle - filtered*1)"});
  EXPECT_EQ(inputs_of(description), std::vector<std::string>{"u"});
  EXPECT_THROW(
      Stepper(formulation::compile_model(description).system, description.simulation, {"torque"}),
      core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::stepper_test
