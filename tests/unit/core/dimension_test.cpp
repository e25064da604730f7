#include "trammel/core/dimension.h"

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

TEST(Dimension, MultipliesAndDivides) {
  EXPECT_EQ(dimension::length / dimension::time, dimension::velocity);
  EXPECT_EQ(dimension::mass * dimension::acceleration, dimension::force);
  EXPECT_EQ(dimension::force * dimension::length, dimension::torque);
  EXPECT_EQ(dimension::torque / dimension::angle, dimension::rotational_stiffness);
  EXPECT_EQ(dimension::force / dimension::velocity, dimension::damping);
  EXPECT_NE(dimension::angle, dimension::none);
}

TEST(Dimension, HasTheUnitPeopleWrite) {
  EXPECT_EQ(si_unit(dimension::none), "");
  EXPECT_EQ(si_unit(dimension::torque), "N m");
  EXPECT_EQ(si_unit(dimension::angular_velocity), "rad/s");
  EXPECT_EQ(si_unit(dimension::rotational_damping), "N m s/rad");
}

TEST(Dimension, UnusualOnesAreProductsOfPowers) {
  EXPECT_EQ(si_unit({3, 0, -1, 0}), "m^3/s");
  EXPECT_EQ(si_unit({4, 0, -1, 0}), "m^4 s^-1");
  EXPECT_EQ(si_unit(dimension::pressure), "Pa");
  EXPECT_EQ(si_unit({1, 1, 0, 0}), "kg m");
}

}  // namespace
}  // namespace trammel::core
