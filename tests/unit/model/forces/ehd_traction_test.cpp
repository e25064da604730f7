#include "trammel/model/forces/ehd_traction.h"

#include <cmath>

#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

// A roller of 12 mm on a cam that is a circle of 16 mm, both turning.
Description roller_on_circle() {
  Description d;
  d.space = Space::planar;
  Body cam;
  cam.name = "cam";
  cam.mass = {.mass = 1.0, .inertia = 2e-4 * Eigen::Matrix3d::Identity()};
  cam.angle = 0.4;
  cam.orientation = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ());
  cam.angular_velocity = {0, 0, -100.0};
  d.add_body(cam);
  Body roller = cam;
  roller.name = "roller";
  roller.position = {0.0, 28e-3, 0};
  roller.velocity = {0.2, 0, 0};
  roller.angular_velocity = {0, 0, 140.0};
  d.add_body(roller);
  d.add_joint("cam_roller", "contact", "cam", "roller",
              {{"circles_x", std::vector<double>{0.0}},
               {"circles_y", std::vector<double>{0.0}},
               {"circle_radii", std::vector<double>{16e-3}},
               {"roller_radius", 12e-3}});
  d.add_force("ehd_traction", "film", {},
              {{"coordinate", std::string("contact.contact_angle")},
               {"length", 14e-3},
               {"youngs_modulus", 210e9},
               {"poissons_ratio", 0.3},
               {"viscosity", 1.7e-2},
               {"pressure_viscosity", 1.85e-8},
               {"eyring_stress", 5e6}});
  return d;
}

system::Motion pressed(ModelSystem& system, double load) {
  system::Motion motion = support::at_rest(system, system.described_state());
  motion.lambda[0] = -load;
  return motion;
}

TEST(EhdTraction, IsTheLawOfItsPage) {
  const auto system = compile(roller_on_circle());
  const auto seen = support::observe(*system, pressed(*system, 300.0));
  // Surfaces at the contact, at the top of the cam: roller 0.2 + 0.012*140, cam 0.016*100, along x;
  // the contact moves with the centre, 0.2*16/28. Along the tangent (-1, 0).
  const double roller = -(0.2 + 12e-3 * 140.0);
  const double cam = -(16e-3 * 100.0);
  const double point = -0.2 * 16.0 / 28.0;
  const double slip = roller - cam;
  const double speed = 0.5 * (roller + cam) - point;
  EXPECT_NEAR(seen.at("contact.slip"), slip, 1e-12);
  EXPECT_NEAR(seen.at("film.film_speed"), -speed, 1e-12);  // of the contact past the oil
  EXPECT_NEAR(seen.at("contact.curvature"), 1.0 / 16e-3, 1e-10);
  EXPECT_NEAR(seen.at("contact.load"), 300.0, 1e-12);
  const double R = 1.0 / (1.0 / 12e-3 + 1.0 / 16e-3);
  const double E = 210e9 / 0.91;
  const double w = 300.0 / 14e-3;
  const double hertz = std::sqrt(w * E / (2.0 * M_PI * R));
  const double mean = 0.25 * M_PI * hertz;
  const double h = 2.65 * R * std::pow(1.7e-2 * std::abs(speed) / (E * R), 0.7) *
                   std::pow(1.85e-8 * E, 0.54) * std::pow(w / (E * R), -0.13);
  const double traction =
      300.0 * 5e6 / mean * std::asinh(1.7e-2 * std::exp(1.85e-8 * mean) * slip / (h * 5e6));
  EXPECT_NEAR(seen.at("film.hertz_stress"), hertz, 1e-9 * hertz);
  // The floor of u_m takes (1e-6/u_m)^2.
  EXPECT_NEAR(seen.at("film.film_thickness"), h, 1e-9 * h);
  EXPECT_NEAR(seen.at("film.traction"), -traction, 1e-9 * std::abs(traction));
}

// With sizes and constants of order one, for which the differences are made.
TEST(EhdTraction, TangentIsDerivativeUnderLoad) {
  Description d = roller_on_circle();
  d.bodies[1].position = {0.2, 1.4, 0};
  d.bodies[0].angular_velocity = {0, 0, -1.0};
  d.bodies[1].angular_velocity = {0, 0, 1.4};
  d.joints[0].values["circles_x"] = std::vector<double>{0.1};
  d.joints[0].values["circle_radii"] = std::vector<double>{0.9};
  d.joints[0].values["roller_radius"] = 0.5;
  d.forces[0].values = {{"coordinate", std::string("contact.contact_angle")},
                        {"length", 0.7},
                        {"youngs_modulus", 2.0},
                        {"poissons_ratio", 0.3},
                        {"viscosity", 0.5},
                        {"pressure_viscosity", 0.3},
                        {"eyring_stress", 0.7}};
  const auto system = compile(d);
  const system::Motion motion = pressed(*system, 1.5);
  for (const system::Weights& weights :
       {system::Weights{.position = 1.0}, system::Weights{.velocity = 1.0}}) {
    support::expect_tangent_is_derivative(*system, motion, weights, nullptr);
  }
}

TEST(EhdTraction, NothingActsWithoutLoad) {
  const auto system = compile(roller_on_circle());
  const auto seen = support::observe(*system, pressed(*system, -5.0));
  EXPECT_EQ(seen.at("film.traction"), 0.0);
  EXPECT_EQ(seen.at("film.hertz_stress"), 0.0);
}

TEST(EhdTraction, NeedsACamWithARoller) {
  Description d = roller_on_circle();
  d.joints[0].values["roller_radius"] = 0.0;
  EXPECT_THROW(compile(d), core::InputError);
}

}  // namespace
}  // namespace trammel::model
