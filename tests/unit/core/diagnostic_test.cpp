#include "trammel/core/diagnostic.h"

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

TEST(Diagnostic, TellsPlaceThingMistakeAndRemedy) {
  const Diagnostic d{Severity::error,
                     "joints.pin.axis",
                     "axis has length 0",
                     "give a direction, e.g. [0, 0, 1]",
                     "crank.yaml",
                     12,
                     7};
  EXPECT_EQ(to_string(d),
            "crank.yaml:12:7: error: joints.pin.axis: axis has length 0; give a direction, e.g. "
            "[0, 0, 1]");
}

TEST(Diagnostic, LeavesOutWhatIsNotKnown) {
  Diagnostic d;
  d.severity = Severity::warning;
  d.message = "nothing moves";
  EXPECT_EQ(to_string(d), "warning: nothing moves");
  d.file = "crank.yaml";
  EXPECT_EQ(to_string(d), "crank.yaml: warning: nothing moves");
}

TEST(Diagnostics, ThrowEverythingAtOnce) {
  Diagnostics diagnostics;
  diagnostics.warning("bodies.free", "no joint touches this body");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  diagnostics.error("bodies.crank.mass", "mass is -1 kg", "give a mass above zero");
  diagnostics.error("joints.pin", "unknown type 'screw'");
  ASSERT_TRUE(diagnostics.has_errors());
  try {
    diagnostics.throw_if_errors();
    FAIL() << "must throw";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U);
    EXPECT_STREQ(error.what(),
                 "warning: bodies.free: no joint touches this body\n"
                 "error: bodies.crank.mass: mass is -1 kg; give a mass above zero\n"
                 "error: joints.pin: unknown type 'screw'");
  }
}

TEST(InputError, CanBeASingleMistake) {
  const InputError error("unknown solver 'lu'", "known: klu");
  ASSERT_EQ(error.diagnostics().size(), 1U);
  EXPECT_EQ(error.diagnostics()[0].remedy, "known: klu");
  EXPECT_STREQ(error.what(), "error: unknown solver 'lu'; known: klu");
}

TEST(RunError, KeepsTheRemedyApart) {
  const RunError error("no convergence at t = 0.3 s", "use a smaller step");
  EXPECT_STREQ(error.what(), "no convergence at t = 0.3 s");
  EXPECT_EQ(error.remedy(), "use a smaller step");
}

}  // namespace
}  // namespace trammel::core
