#include "trammel/report/display_units.h"

#include <numbers>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::report::display_units_test {
namespace {

std::vector<results::Channel> channels() {
  return {
      {"pin.angle", "rad", "", ""},   {"pin.rate", "rad/s", "", ""}, {"x", "m", "", ""},
      {"strut.tension", "N", "", ""}, {"motor.load", "N m", "", ""}, {"energy.total", "J", "", ""},
      {"contact.closed", "", "", ""}};
}

TEST(DisplayUnits, StandForAllChannelsOfTheirDimension) {
  const DisplayUnits units = display_units(channels(), {"deg", "mm", "kN", "rpm"});
  EXPECT_EQ(units.at("rad").unit, "deg");
  EXPECT_NEAR(units.at("rad").factor, 180.0 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(units.at("rad/s").factor, 30.0 / std::numbers::pi, 1e-12);
  EXPECT_DOUBLE_EQ(units.at("m").factor, 1000.0);
  EXPECT_DOUBLE_EQ(units.at("N").factor, 1e-3);
  EXPECT_FALSE(units.contains("N m"));
}

TEST(DisplayUnits, KeepTorqueAndEnergyApart) {
  const DisplayUnits torque = display_units(channels(), {"kN m"});
  EXPECT_TRUE(torque.contains("N m"));
  EXPECT_FALSE(torque.contains("J"));
  const DisplayUnits energy = display_units(channels(), {"kJ"});
  EXPECT_TRUE(energy.contains("J"));
  EXPECT_FALSE(energy.contains("N m"));
}

TEST(DisplayUnits, ConvertATable) {
  results::Table table;
  table.channels = {{"pin.angle", "rad", "", ""}, {"ratio", "", "", ""}};
  table.time = {0.0, 1.0};
  table.columns = {{0.0, std::numbers::pi}, {1.0, 2.0}};
  show_in(display_units(table.channels, {"deg"}), table);
  EXPECT_EQ(table.channels[0].unit, "deg");
  EXPECT_NEAR(table.columns[0][1], 180.0, 1e-12);
  EXPECT_EQ(table.columns[1][1], 2.0);
}

TEST(DisplayUnits, TellAllThatIsNoUnit) {
  try {
    display_units(channels(), {"degre", "mm", "2"});
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

TEST(DisplayUnits, AreNotedWithTheRun) {
  results::RunInformation info;
  note_list(info, noted_units, {"deg", "kN m"});
  EXPECT_EQ(noted_list(info, noted_units), (std::vector<std::string>{"deg", "kN m"}));
  EXPECT_TRUE(noted_list(info, noted_plots).empty());
}

}  // namespace
}  // namespace trammel::report::display_units_test
