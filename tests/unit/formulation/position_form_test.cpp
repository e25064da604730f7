// Positions by polar, cylindrical and spherical coordinates.
#include "trammel/model/position_form.h"

#include <array>

#include "support/finite_differences.h"
#include "support/random_models.h"
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include "support/user_coordinates.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"

namespace trammel::formulation {
namespace {

using model::PositionForm;
using support::Random;
using system::Vector;

// The fields of a free joint with these coordinates.
model::Values position_values(model::Space space, const std::string& position) {
  if (position == "formulas") return support::user_coordinates(space);
  return {{"position", position}};
}

template <class S>
void expect_derivatives(const char* name) {
  SCOPED_TRACE(name);
  const auto form = PositionForm<S>::from(position_values(S::space, name));
  ASSERT_NE(form, nullptr);
  constexpr int n = S::dimension;
  Random random(41);
  const Vector u = Vector::Constant(n, 0.9) + random.values(n, 0.3);
  const Vector v = random.values(n);
  const auto moved = [&](int i, double s) { return Vector(u + s * Vector::Unit(n, i)); };
  // Differences of fourth order on functions of size one: round-off 1e-12.
  constexpr double tolerance = 1e-10;
  for (int i = 0; i < n; ++i) {
    const Vector first = support::first_derivative(
        [&](double s) { return Vector(form->position(moved(i, s).data())); });
    EXPECT_LE((first - form->first(u.data(), i)).norm(), tolerance);
    Vector quadratic = Vector::Zero(n);
    for (int j = 0; j < n; ++j) {
      const Vector second = support::first_derivative(
          [&](double s) { return Vector(form->first(moved(j, s).data(), i)); });
      EXPECT_LE((second - form->second(u.data(), i, j)).norm(), tolerance);
      const Vector third = support::first_derivative([&](double s) {
        const Vector at = u + s * v;
        return Vector(form->second(at.data(), i, j));
      });
      quadratic += third * v[j];
    }
    EXPECT_LE((quadratic - form->third(u.data(), i, v.data())).norm(), tolerance);
  }
  std::array<double, 3> found{};
  form->coordinates_of(form->position(u.data()), found.data());
  // Newton's method for formulas ends at the round-off of the position.
  for (int i = 0; i < n; ++i) EXPECT_NEAR(found[static_cast<std::size_t>(i)], u[i], 1e-13);
}

TEST(PositionForm, HasItsDerivativesAndItsInverse) {
  expect_derivatives<Planar>("polar");
  expect_derivatives<Spatial>("cylindrical");
  expect_derivatives<Spatial>("spherical");
  expect_derivatives<Planar>("formulas");
  expect_derivatives<Spatial>("formulas");
}

TEST(PositionForm, TellsItsSingularPlaces) {
  const auto spherical = PositionForm<Spatial>::find("spherical");
  const std::array<double, 3> equator{2.0, 0.3, 0.0};
  const std::array<double, 3> pole{2.0, 0.3, 1.5707963267948966};
  const std::array<double, 3> centre{0.0, 0.3, 0.0};
  EXPECT_NEAR(spherical->distance_from_singularity(equator.data(), 1.0), 1.0, 1e-14);
  EXPECT_NEAR(spherical->distance_from_singularity(pole.data(), 1.0), 0.0, 1e-14);
  EXPECT_NEAR(spherical->distance_from_singularity(centre.data(), 1.0), 0.0, 1e-14);
  const auto parabolic =
      PositionForm<Planar>::from(support::user_coordinates(model::Space::planar));
  const std::array<double, 2> focus{1e-9, 0.0};
  const std::array<double, 2> off{0.7, 0.2};
  EXPECT_LE(parabolic->distance_from_singularity(focus.data(), 1.0), 1e-14);
  EXPECT_GE(parabolic->distance_from_singularity(off.data(), 1.0), 0.1);
}

struct Case {
  model::Space space;
  const char* position;
};

// An arm on the ground, a body that is free against it, and a spring between both; the free joint
// stands in either direction.
model::Description tied_body(const Case& which, const char* position, bool swapped) {
  Random random(42);
  model::Description d;
  d.space = which.space;
  d.gravity = random.vector(which.space, 5.0);
  d.add_body(support::random_body("arm", which.space, random));
  d.add_body(support::random_body("flyer", which.space, random));
  d.bodies[0].position.setZero();
  d.bodies[1].position = {1.5, 0.8, which.space == model::Space::spatial ? 0.7 : 0.0};
  d.add_joint("revolute", "pin", "ground", "arm");
  d.add_joint("free", "flight", swapped ? "flyer" : "arm", swapped ? "arm" : "flyer",
              position_values(which.space, position));
  d.add_force("spring", "string", {"arm", "flyer"},
              {{"stiffness", 8.0}, {"damping", 0.3}, {"length", 1.0}});
  return d;
}

class FreeJoints : public testing::TestWithParam<Case> {};

TEST_P(FreeJoints, SatisfyTheContract) {
  for (const bool swapped : {false, true}) {
    const auto system = compile_relative(tied_body(GetParam(), GetParam().position, swapped));
    ASSERT_EQ(system->sizes().multipliers(), 0);
    Random random(43);
    system::Motion motion{system->described_state(), random.values(system->sizes().v), {}};
    motion.state.v = random.values(system->sizes().v);
    motion.lambda.resize(0);
    for (const system::Weights& weights :
         {system::Weights{1.0, 0.0, 0.0}, system::Weights{0.0, 1.0, 0.0},
          system::Weights{0.0, 0.0, 1.0}, system::Weights{0.4, 0.3, 2.0}}) {
      support::expect_tangent_is_derivative(*system, motion, weights, nullptr);
    }
    const Vector step = random.values(system->sizes().v, 0.5);
    support::expect_tangent_is_derivative(*system, motion, {0.5, 0.7, 1.3}, &step);
    support::expect_move_and_displacement_agree(*system, motion.state.q, random);
    support::expect_residual_is_sum_of_parts(*system, motion.state, random);
    support::expect_energy_balance(*system, motion.state);
    Vector a;
    Vector lambda;
    ASSERT_TRUE(system->accelerations(motion.state, a, lambda));
    Vector r;
    Vector g;
    motion.a = a;
    system->residual(motion, r, g);
    // The recursion solves the equations of the matrices.
    EXPECT_LE(r.lpNorm<Eigen::Infinity>(), 1e-10 * std::max(1.0, a.lpNorm<Eigen::Infinity>()));
  }
}

// Whatever the coordinates, it is the same motion: Runge-Kutta of order four with errors of 1e-11.
TEST_P(FreeJoints, MoveAsInCartesianCoordinates) {
  const auto flight = compile_relative(tied_body(GetParam(), GetParam().position, false));
  const auto plain = compile_relative(tied_body(GetParam(), "cartesian", false));
  const auto absolute = model::compile(tied_body(GetParam(), GetParam().position, false));
  const system::State start = plain->described_state();
  const system::State same =
      flight->from_absolute(plain->to_absolute(support::at_rest(*plain, start)).state);
  const system::Motion there = support::reference_motion(*flight, same, 0.5, 1000);
  const system::Motion here = support::reference_motion(*plain, start, 0.5, 1000);
  const system::Motion a = flight->to_absolute(there);
  const system::Motion b = plain->to_absolute(here);
  EXPECT_LE((a.state.q - b.state.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((a.state.v - b.state.v).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((a.a - b.a).lpNorm<Eigen::Infinity>(), 1e-8);
  // The channels of the joint are the coordinates that were solved for.
  flight->accept(there.state);
  const support::Observation seen = support::observe(*flight, there);
  const std::string position = GetParam().position;
  absolute->accept(a.state);
  const support::Observation same_seen = support::observe(*absolute, a);
  if (position == "formulas") {
    EXPECT_NEAR(seen.at("flight.u"), there.state.q[1], 1e-12);
    EXPECT_NEAR(seen.at("flight.v_rate"), there.state.v[2], 1e-11);
    EXPECT_NEAR(same_seen.at("flight.v"), seen.at("flight.v"), 1e-12);
    EXPECT_NEAR(same_seen.at("flight.u_rate"), seen.at("flight.u_rate"), 1e-11);
    return;
  }
  EXPECT_NEAR(seen.at("flight.radius"), there.state.q[1 + (position == "spherical" ? 0 : 1)],
              1e-12);
  EXPECT_NEAR(same_seen.at("flight.radius"), seen.at("flight.radius"), 1e-12);
  EXPECT_NEAR(same_seen.at("flight.azimuth_rate"), seen.at("flight.azimuth_rate"), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Positions,
                         FreeJoints,
                         testing::Values(Case{model::Space::planar, "polar"},
                                         Case{model::Space::spatial, "cylindrical"},
                                         Case{model::Space::spatial, "spherical"},
                                         Case{model::Space::planar, "formulas"},
                                         Case{model::Space::spatial, "formulas"}),
                         [](const auto& info) {
                           return model::to_string(info.param.space) + "_" + info.param.position;
                         });

// Whatever side of a line the motion passes on, formulas mean the branch of the guess.
TEST(UserPosition, InverseIsTheBranchOfTheGuess) {
  const model::UserPosition<Planar> right(support::user_coordinates(model::Space::planar));
  model::Values other = support::user_coordinates(model::Space::planar);
  other["guess"] = std::vector<double>{-1.5, -0.5};
  const model::UserPosition<Planar> left(other);
  const Eigen::Vector2d r(0.4, 2.0);
  Eigen::Vector2d u;
  Eigen::Vector2d w;
  ASSERT_TRUE(right.coordinates_of(r, u.data()));
  ASSERT_TRUE(left.coordinates_of(r, w.data()));
  EXPECT_LE((u + w).norm(), 1e-13);
  EXPECT_LE((right.position(u.data()) - r).norm(), 1e-14);
}

TEST(UserPosition, MistakesAreRefused) {
  const auto refused = [](const char* field, const model::Value& value, const std::string& part) {
    model::Description d = tied_body({model::Space::planar, "formulas"}, "formulas", false);
    d.joints[1].values[field] = value;
    try {
      model::compile(d);
      FAIL() << "not refused: " << part;
    } catch (const core::InputError& error) {
      const std::string text = core::to_string(error.diagnostics().front());
      EXPECT_NE(text.find("joints.flight"), std::string::npos) << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  };
  refused("x", std::string("1 m * (u - v"), "(u - v");
  refused("x", std::string("3 kg * u"), "kg");
  refused("x", std::string("1 m * q"), "'q'");
  refused("x", std::string("1 m * abs(u)"), "kinks");
  refused("guess", std::vector<double>{0.0, 0.0}, "singular");
  refused("guess", std::vector<double>{1.0}, "one for each");
  // Such x are all above 10 m.
  refused("x", std::string("10 m + 1 m * exp(u)"), "no coordinates");
  model::Description d = tied_body({model::Space::planar, "formulas"}, "formulas", false);
  d.joints[1].values.erase("y");
  EXPECT_THROW(model::compile(d), core::InputError);
}

TEST(FreeJoint, WithItsOriginInTheSingularPlaceIsNamed) {
  const Case which{model::Space::planar, "polar"};
  model::Description d = tied_body(which, "polar", false);
  d.bodies[1].position.setZero();
  const auto system = compile_relative(d);
  EXPECT_NE(system->singular_hinge(system->described_state()).what.find("'flight'"),
            std::string::npos);
  EXPECT_TRUE(compile_relative(tied_body(which, "polar", false))
                  ->singular_hinge(system->from_absolute(
                      model::compile(tied_body(which, "polar", false))->described_state()))
                  .what.empty());
}

}  // namespace
}  // namespace trammel::formulation
