// Times at which formulas jump or have kinks: where they are, of which order, and that every
// evaluation before them is on the old side and every later one on the new.
#include "trammel/expression/switches.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/expression/compile.h"

namespace trammel::expression {
namespace {

std::shared_ptr<const Table> table(const std::string& name,
                                   std::vector<double> x,
                                   std::vector<double> y,
                                   Interpolation interpolation,
                                   Extrapolation extrapolation) {
  TableOptions options;
  options.interpolation = interpolation;
  options.extrapolation = extrapolation;
  return std::make_shared<Table>(name, std::move(x), std::move(y), options);
}

Scope scope() {
  Scope names;
  names.add_input("x", core::dimension::length);
  names.add_input("time", core::dimension::time);
  names.add_table(table("peak", {0, 5, 5.01, 5.02, 10}, {0, 0, 1000, 0, 0}, Interpolation::linear,
                        Extrapolation::hold));
  names.add_table(
      table("saw", {0, 1, 3}, {0, 1, 0}, Interpolation::linear, Extrapolation::periodic));
  names.add_table(
      table("spline", {0, 1, 2, 3}, {0, 1, 0, 1}, Interpolation::spline, Extrapolation::hold));
  names.add_function(std::make_shared<UserFunction>(
      "user", 1, [](UserFunction::Arguments x) { return x[0] > 0.5 ? 1.0 : 0.0; }));
  return names;
}

/// All switches in (from, to].
std::vector<Switch> switches_of(const std::string& text, double from, double to) {
  const Program program = compile(text, scope());
  const Switches switches(program, "time");
  Workspace workspace;
  std::vector<Switch> found;
  while (found.size() < 1000) {
    const Switch next = switches.next(from, to, workspace);
    if (!(next.x <= to)) break;
    EXPECT_GT(next.x, from) << text;
    found.push_back(next);
    from = next.last;
  }
  return found;
}

struct Case {
  std::string text;
  std::vector<double> times;
  int order = 0;
};

// Places that follow from the text; between 0 and 10 s.
const std::vector<Case> cases{
    {"pulse(time, 5 s, 5.01 s)", {5.0, 5.01}, 0},
    {"if(time > 2 s, 1, 0)", {2.0}, 0},
    {"if(time >= 2 s and time < 3 s, 1, 0)", {2.0, 3.0}, 0},
    {"if(3 s - 2*time < 1 s, 1, 0)", {1.0}, 0},
    {"if(mod(time, 2 s) < 0.5 s, 1, 0)", {0.5, 2.0, 2.5, 4.0, 4.5, 6.0, 6.5, 8.0, 8.5, 10.0}, 0},
    {"floor(time / (4 s))", {4.0, 8.0}, 0},
    {"ceil(time / (4 s))", {0.0, 4.0, 8.0}, 0},
    {"sign(time - 3 s)", {3.0, 3.0}, 0},
    {"ramp(time, 0.5 s, 0, 1 s, 1)", {0.5, 1.0}, 1},
    {"abs(time - 7 s) / (1 s)", {7.0}, 1},
    {"max(time, 6 s) / (1 s)", {6.0}, 1},
    {"clamp(time, 2 s, 3 s) / (1 s)", {2.0, 3.0}, 1},
    {"abs(sin(1 rad/s * time))", {M_PI, 2 * M_PI, 3 * M_PI}, 1},
    {"haversine(time, 1 s, 0, 2 s, 1)", {1.0, 2.0}, 2},
    {"step5(time, 1 s, 0, 2 s, 1)", {1.0, 2.0}, 3},
    {"table(peak, time)", {5.0, 5.01, 5.02}, 1},
    {"table(saw, time)", {1.0, 3.0, 4.0, 6.0, 7.0, 9.0, 10.0}, 1},
    {"table(saw, 5 s - time)", {1.0, 2.0, 4.0, 5.0, 7.0, 8.0}, 1},
    {"x / (1 m) * pulse(time, 1 s, 2 s)", {1.0, 2.0}, 0},
};

TEST(Switches, StandWhereTheTextSays) {
  for (const Case& example : cases) {
    const std::vector<Switch> found = switches_of(example.text, 0.0, 10.0);
    ASSERT_EQ(found.size(), example.times.size()) << example.text;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].x, example.times[i], 4e-15 * (1.0 + example.times[i])) << example.text;
      EXPECT_EQ(found[i].order, example.order) << example.text << " at " << found[i].x;
    }
  }
}

// The least of two lines, or the greatest, is straight up to where they meet and straight behind
// it: where exactly they meet is a kink, and the change that follows is found all the same.
TEST(Switches, BehindTheCornerOfTwoLinesAreFound) {
  for (int i = 0; i < 200; ++i) {
    const double begin = 0.1 + 0.0437 * i;
    const double end = begin + 0.002 + 1e-4 * i;
    for (const char* condition : {"min(time - {0:.17g} s, {1:.17g} s - time) > 0 s",
                                  "min({1:.17g} s - time, time - {0:.17g} s) > 0 s",
                                  "max({0:.17g} s - time, time - {1:.17g} s) < 0 s",
                                  "max(time - {1:.17g} s, {0:.17g} s - time) < 0 s"}) {
      const std::string text =
          fmt::format(fmt::runtime(fmt::format("if({}, 1, 0)", condition)), begin, end);
      std::vector<double> jumps;
      for (const Switch& found : switches_of(text, 0.0, 10.0)) {
        if (found.order == 0) jumps.push_back(found.x);
      }
      ASSERT_EQ(jumps.size(), 2U) << text;
      EXPECT_NEAR(jumps[0], begin, 1e-14 * (1.0 + begin)) << text;
      EXPECT_NEAR(jumps[1], end, 1e-14 * (1.0 + end)) << text;
    }
  }
}

// Arguments that are no lines, over ranges that hold many changes: not one is stepped over.
TEST(Switches, OfCurvesAreAllFound) {
  const std::vector<Switch> pulses = switches_of("if(sin(100 rad/s*time) > 0.99, 1, 0)", 0.0, 10.0);
  ASSERT_EQ(pulses.size(), 318U);
  const double half = std::acos(0.99);
  for (std::size_t i = 0; i < pulses.size(); ++i) {
    const double centre = 0.5 * M_PI + 2.0 * M_PI * static_cast<double>(i / 2);
    EXPECT_NEAR(pulses[i].x, 0.01 * (centre + (i % 2 == 0 ? -half : half)), 1e-14) << i;
  }
  for (const double until : {1.0, 100.0, 1e4}) {
    const std::vector<Switch> well =
        switches_of("if((time - 0.503 s)^2 < 1e-6 s^2, 1, 0)", 0.0, until);
    ASSERT_EQ(well.size(), 2U) << until;
    EXPECT_NEAR(well[0].x, 0.502, 1e-13);
    EXPECT_NEAR(well[1].x, 0.504, 1e-13);
  }
  // A beat that reaches the threshold once, a damped one, a power, a spline inside of another
  // function, whole numbers of a curve.
  EXPECT_EQ(switches_of("if(sin(40 rad/s*time)*sin(0.5 rad/s*time) > 0.9995, 1, 0)", 0, 6).size(),
            2U);
  EXPECT_EQ(switches_of("if(exp(-time/(1 s))*cos(20 rad/s*time) > 0.7, 1, 0)", 0.0, 10.0).size(),
            3U);
  EXPECT_EQ(switches_of("if((time/(1 s) - 3)^3 > 1e-3, 1, 0)", 0.0, 10.0).size(), 1U);
  EXPECT_EQ(switches_of("if(sqrt(time/(1 s)) > 2, 1, 0)", 0.0, 10.0).size(), 1U);
  EXPECT_EQ(switches_of("floor(3*sin(1 rad/s*time))", 0.0, 6.28).size(), 11U);
}

TEST(Switches, ThatAreNeverReachedCostLittle) {
  const Program program = compile("if(sin(1e5 rad/s*time) > 1.001, 1, 0)", scope());
  const Switches switches(program, "time");
  Workspace workspace;
  EXPECT_TRUE(std::isinf(switches.next(0.0, 1e6, workspace).x));
}

// In exact arithmetic they are one; round-off puts them apart.
TEST(Switches, OfOnePlaceAreOne) {
  const std::vector<Switch> found =
      switches_of("pulse(time*3, 0.9 s, 9 s) + abs(time*7 - 2.1 s)/(1 s)", 0.0, 1.0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].order, 0);
  EXPECT_NEAR(found[0].x, 0.3, 1e-15);
  EXPECT_GE(found[0].last, found[0].x);
  EXPECT_NEAR(found[0].last, 0.3, 1e-15);
}

// Jumps only: the value at the place and at the number just below it.
TEST(Switches, EveryEvaluationIsOnItsOwnSide) {
  for (const double start : {0.1, 1.0 / 3.0, 2.7182818, 1e-9, 4321.1}) {
    const double width = 0.37 * start;
    const std::string text = fmt::format("pulse(time, {:.17g} s, {:.17g} s)", start, start + width);
    const Program program = compile(text, scope());
    const Switches switches(program, "time");
    Workspace workspace;
    const double up = switches.next(0.0, 1e9, workspace).x;
    const double down = switches.next(up, 1e9, workspace).x;
    const auto value = [&](double t) { return program.value({&t, 1}, workspace); };
    EXPECT_EQ(value(std::nextafter(up, 0.0)), 0.0);
    EXPECT_EQ(value(up), 1.0);
    EXPECT_EQ(value(std::nextafter(down, 0.0)), 1.0);
    EXPECT_EQ(value(down), 0.0);
    EXPECT_EQ(up, start);
    EXPECT_TRUE(std::isinf(switches.next(down, 1e9, workspace).x));
  }
}

TEST(Switches, AreOnlyThoseOfTimeAlone) {
  EXPECT_TRUE(switches_of("if(x > 1 m, 1, 0)", 0.0, 10.0).empty());
  EXPECT_TRUE(switches_of("if(x > 1 m/s * time, 1, 0)", 0.0, 10.0).empty());
  EXPECT_TRUE(switches_of("sin(1 rad/s * time)", 0.0, 10.0).empty());
  // What a function of the user's does is not known.
  EXPECT_TRUE(switches_of("abs(user(time))", 0.0, 10.0).empty());
}

TEST(Switches, OfTablesTellHowMuchTheirSlopeChanges) {
  const std::vector<Switch> peak = switches_of("3 * table(peak, time)", 0.0, 11.0);
  ASSERT_EQ(peak.size(), 4U);
  // From 0 to 1e5 per second, over a range of 1000; then to -1e5, and back.
  EXPECT_NEAR(peak[0].strength, 100.0, 1e-9);
  EXPECT_NEAR(peak[1].strength, 200.0, 1e-9);
  EXPECT_NEAR(peak[2].strength, 100.0, 1e-9);
  EXPECT_EQ(peak[3].strength, 0.0);
  const std::vector<Switch> spline = switches_of("table(spline, time)", 0.0, 10.0);
  ASSERT_EQ(spline.size(), 3U);
  EXPECT_EQ(spline[0].order, 3);
  EXPECT_EQ(spline[2].order, 1);  // held behind its end
}

TEST(Switches, AllocateNothing) {
  const Program program = compile("table(saw, time) * pulse(time, 1 s, 2 s)", scope());
  const Switches switches(program, "time");
  Workspace workspace;
  double t = 0.0;
  for (int i = 0; i < 10; ++i) t = switches.next(t, 100.0, workspace).x;
  const double* memory = workspace.take(1).data();
  for (int i = 0; i < 10; ++i) t = switches.next(t, 100.0, workspace).x;
  EXPECT_EQ(workspace.take(1).data(), memory);
}

}  // namespace
}  // namespace trammel::expression
