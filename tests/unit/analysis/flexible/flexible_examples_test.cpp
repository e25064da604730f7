// The models of examples/flexible against theory and against each other, with measured orders.
#include <array>
#include <cmath>
#include <numbers>

#include "unit/analysis/full_vocabulary.h"
#include "unit/analysis/recorded_run.h"
#include <gtest/gtest.h>

#include "trammel/analysis/modes.h"
#include "trammel/analysis/statics.h"
#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"

namespace trammel::analysis::flexible_examples_test {
namespace {

using Overrides = io::Overrides;

model::Description example(const std::string& name, const Overrides& overrides = {}) {
  return io::read_model_file(
             std::string(TRAMMEL_SOURCE_DIR) + "/examples/flexible/" + name + ".yaml",
             full_vocabulary(), {.overrides = overrides})
      .description;
}

Overrides mesh(const std::string& formulation, int elements, const std::string& element = "") {
  Overrides list{{"flexible.beam.formulation", formulation},
                 {"elements", std::to_string(elements)}};
  if (!element.empty()) list.emplace_back("flexible.beam.element", element);
  return list;
}

struct Pose {
  double x = 0.0;
  double y = 0.0;
  double angle = 0.0;
};

double value_of(model::ModelSystem& system, const system::Motion& motion, const std::string& name) {
  std::vector<double> values(system.observables().size());
  system.accept(motion.state);
  system.observe(motion, values.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (system.observables()[i].name == name) return values[i];
  }
  ADD_FAILURE() << "no channel " << name;
  return NAN;
}

Pose tip_at_rest(const model::Description& description) {
  const auto system = model::compile(description);
  const StaticsReport rest = statics(*system);
  const auto value = [&](const std::string& name) {
    return value_of(*system, rest.motion, "beam.tip." + name);
  };
  return {value("position.x"), value("position.y"), value("angle")};
}

// theta'' = alpha cos theta, theta(0) = 0, theta'(1) = 0 with alpha = P L^2/(E I) = 10, integrated
// by another program to 1e-13; the same as the digits of the tables of [Mattiasson1981].
constexpr Pose elastica{0.44500440224624765, -0.8106090248802971, -1.4302855388038638};

double cantilever_error(const std::string& formulation, int elements) {
  const Pose tip = tip_at_rest(example("cantilever", mesh(formulation, elements)));
  return std::hypot(tip.x - elastica.x, tip.y - elastica.y);
}

// The strain against the chord is linear within an element: second order. Absolute nodal
// coordinates lock as long as an element bends by more than its thickness; then they converge
// faster.
TEST(FlexibleExamples, CantileverRestsOnTheElastica) {
  const double coarse = cantilever_error("inertial", 4);
  const double fine = cantilever_error("inertial", 8);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  const double sixteen = cantilever_error("ancf", 16);
  const double most = cantilever_error("ancf", 32);
  EXPECT_LT(most, 1e-4);
  EXPECT_GT(std::log2(sixteen / most), 3.0);
}

// 2 pi E I/L bends the strip to a full circle; its polygon closes with any number of elements.
TEST(FlexibleExamples, EndMomentRollsTheStripUp) {
  for (const int elements : {4, 24}) {
    const Pose tip = tip_at_rest(example("roll_up", mesh("inertial", elements)));
    EXPECT_LT(std::hypot(tip.x, tip.y), 1e-9) << elements;
    EXPECT_NEAR(tip.angle, 2.0 * std::numbers::pi, 1e-9) << elements;
  }
  // A quarter of it, in absolute nodal coordinates: to a quarter circle.
  Overrides quarter = mesh("ancf", 16);
  quarter.emplace_back("turns", "0.25");
  const Pose tip = tip_at_rest(example("roll_up", quarter));
  EXPECT_NEAR(tip.x, 2.0 / std::numbers::pi, 1e-5);
  EXPECT_NEAR(tip.y, 2.0 / std::numbers::pi, 1e-5);
}

std::vector<double> frequencies(const model::Description& description) {
  const auto system = model::compile(description);
  const StaticsReport rest = statics(*system);
  const Modes found = modes(linearise(*system, rest.motion, {}), system->displacement_scale());
  std::vector<double> list;
  for (const Mode& mode : found.modes) list.push_back(std::abs(mode.eigenvalue.imag()));
  return list;
}

// cos(b) cosh(b) = -1, omega = b^2 sqrt(E I/(rho A L^4)); cubic functions are of fourth order.
TEST(FlexibleExamples, FrequenciesOfACantilever) {
  constexpr std::array roots{1.8751040687119611, 4.694091132974174, 7.854757438237613};
  const double mass = 7850.0 * (0.4 / 7.0) * 1e-3;
  for (const std::string formulation : {"inertial", "ancf", "floating"}) {
    const std::vector<double> four = frequencies(example("beam_modes", mesh(formulation, 4)));
    const std::vector<double> eight = frequencies(example("beam_modes", mesh(formulation, 8)));
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const double exact = roots[k] * roots[k] / std::sqrt(mass);
      const double error = eight[k] / exact - 1.0;
      EXPECT_GT(error, 0.0) << formulation << k;  // functions that are too stiff
      EXPECT_LT(error, 1e-3) << formulation << k;
      EXPECT_NEAR(std::log2((four[k] / exact - 1.0) / error), 4.0, 0.4) << formulation << k;
    }
  }
}

// Tips of the other two, largest distance from that of the first along an axis.
TEST(FlexibleExamples, ThreeFormulationsSwingAlike) {
  const RecordedRun run = recorded_run(example("three_ways"));
  const auto difference = [&](const std::string& body) {
    double most = 0.0;
    for (const char* axis : {"x", "y"}) {
      const std::string channel = std::string(".tip.position.") + axis;
      for (std::size_t i = 0; i < run.table.rows(); ++i) {
        most = std::max(most, std::abs(run.table.column(body + channel)[i] -
                                       run.table.column("inertial" + channel)[i]));
      }
    }
    return most;
  };
  // Four elements of second order; the linear strain of a beam that bends by 2 % of its length.
  EXPECT_LT(difference("ancf"), 3e-5);
  EXPECT_LT(difference("floating"), 1e-3);
}

// Steady rotation stretches the arm: E A u'' + rho A w^2 (x + u) = 0, so that its length is
// tan(k L)/k with k^2 = rho A w^2/(E A). What is left of the spin-up shortens it a little.
TEST(FlexibleExamples, SpunUpArmIsStretchedByItsRotation) {
  const double k = 6.0 * std::sqrt(1.2 / 2.8e7);
  std::vector<double> lags;
  for (const std::string formulation : {"ancf", "inertial"}) {
    const RecordedRun run =
        recorded_run(example("spin_up", {{"flexible.arm.formulation", formulation}}));
    double sum = 0.0;
    double lag = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < run.table.rows(); ++i) {
      lag = std::min(lag, run.table.column("tip.position.y")[i]);
      if (run.table.time[i] < 16.0) continue;
      sum += run.table.column("tip.position.x")[i];
      ++count;
    }
    const double stretch = std::tan(k * 10.0) / k - 10.0;  // 0.514 mm
    EXPECT_NEAR(sum / count - 10.0, stretch, 3e-3 * stretch) << formulation;
    lags.push_back(lag);
  }
  EXPECT_LT(lags[0], -0.5);
  EXPECT_NEAR(lags[0], lags[1], 5e-3);  // eight elements
}

// The pendulums of [Huang2014, sec. 4.2] over its grid: elements, formulations, algorithms,
// indices.

struct Pendulum {
  std::string model;
  std::string formulation;
  std::string element;
  double x = 0.0;  ///< of the tip at 0.5 s, as another program says
  double y = 0.0;
};

model::Description pendulum_of(const Pendulum& pendulum) {
  Overrides list{{"simulation.until", "0.5"}, {"simulation.output_step", "0.5"}};
  const bool single = pendulum.model == "pendulum";
  for (const std::string& body :
       single ? std::vector<std::string>{"beam"} : std::vector<std::string>{"one", "two"}) {
    list.emplace_back("flexible." + body + ".formulation", pendulum.formulation);
    list.emplace_back("flexible." + body + ".element", pendulum.element);
    if (pendulum.formulation == "inertial" && pendulum.element != "bar") {
      list.emplace_back("flexible." + body + ".mass", "constant");
    }
  }
  // A shear parameter of 0.6, as in the reference.
  if (!single) list.emplace_back("materials.soft.poissons_ratio", "0.298076923076923");
  return example(pendulum.model, list);
}

TEST(FlexibleExamples, PendulumsSwingAlikeByThreeAlgorithmsAndIndices) {
  const std::vector<Pendulum> pendulums{
      {"pendulum", "inertial", "bar", 0.39379332, -1.28950018},
      {"pendulum", "floating", "bar", 0.39379332, -1.28950018},
      {"pendulum", "ancf", "bar", 0.37462751, -1.27701999},
      {"pendulum", "inertial", "euler_bernoulli", 0.53187783, -1.23609063},
      {"pendulum", "ancf", "euler_bernoulli", 0.32823528, -1.29084191},
      {"pendulum", "floating", "euler_bernoulli", 2.17159321, -1.86029088},
      {"double_pendulum", "inertial", "bar", 3.37853980, -1.22395651},
      {"double_pendulum", "floating", "bar", 3.37853980, -1.22395651},
      {"double_pendulum", "ancf", "bar", 3.37041087, -1.23043004},
      {"double_pendulum", "inertial", "euler_bernoulli", 3.41959817, -1.22802386},
      {"double_pendulum", "ancf", "euler_bernoulli", 3.37752031, -1.20985247},
      {"double_pendulum", "floating", "euler_bernoulli", 3.42579036, -1.20667036},
      {"double_pendulum", "inertial", "timoshenko", 3.40451470, -1.22524983},
      {"double_pendulum", "ancf", "timoshenko", 3.37800071, -1.20938445},
      {"double_pendulum", "floating", "timoshenko", 3.43687520, -1.20802724}};
  for (const Pendulum& pendulum : pendulums) {
    model::Description d = pendulum_of(pendulum);
    const std::string tip = pendulum.model == "pendulum" ? "beam.tip" : "two.tip";
    for (const char* method : {"newmark", "mpr-mpa", "mpr-epa"}) {
      for (const double index : {3.0, 2.0, 1.0}) {
        d.simulation.integrator = method;
        d.simulation.integrator_values = {{"index", index}};
        const RecordedRun run = recorded_run(d);
        // Twice the largest error of the second order at h = 1 ms, that of the floating beam.
        EXPECT_NEAR(run.last(tip + ".position.x"), pendulum.x, 5e-5)
            << pendulum.formulation << pendulum.element << method << index;
        EXPECT_NEAR(run.last(tip + ".position.y"), pendulum.y, 5e-5)
            << pendulum.formulation << pendulum.element << method << index;
      }
    }
  }
}

// A nearly rigid link in the floating frame carries one in absolute nodal coordinates; two uniform
// rigid rods have their tip at (-1.27984098, -3.18808239) after 1 s.
TEST(FlexibleExamples, FormulationsStandInOneModel) {
  const model::Description d = example("double_pendulum", {{"flexible.one.formulation", "floating"},
                                                           {"flexible.two.formulation", "ancf"},
                                                           {"modulus", "1e10"},
                                                           {"simulation.until", "1"}});
  const RecordedRun run = recorded_run(d);
  // What links of 10 GPa bend and stretch, and the step.
  EXPECT_NEAR(run.last("two.tip.position.x"), -1.27984098, 5e-4);
  EXPECT_NEAR(run.last("two.tip.position.y"), -3.18808239, 5e-4);
}

// Data of the flexible slider-crank of the IVP test set. There the rod has two shapes of bending
// and two of stretch, and the slider is at 0.1697373 m at 0.1 s; ours has six elements.
TEST(FlexibleExamples, SliderIsWhereTheFlexibleRodPutsIt) {
  for (const std::string formulation : {"ancf", "inertial"}) {
    const RecordedRun run =
        recorded_run(example("slider_crank", {{"flexible.rod.formulation", formulation}}));
    EXPECT_NEAR(run.last("slider.position.x"), 0.1697373, 1e-6) << formulation;
  }
}

TEST(FlexibleExamples, RelativeCoordinatesAreRefusedByName) {
  const model::Description d = example("pendulum", {{"simulation.coordinates", "relative"}});
  try {
    formulation::compile_model(d);
    FAIL() << "a flexible body has no relative coordinates";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'beam' is a flexible body"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace trammel::analysis::flexible_examples_test
