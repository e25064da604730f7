// Flexible pendulums of [Huang2014, section 4.2] over the grid of elements, formulations,
// algorithms and indices: what flexible_examples_test.cpp leaves open.
#include "unit/analysis/full_vocabulary.h"
#include "unit/analysis/recorded_run.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::analysis::pendulum_grid_test {
namespace {

constexpr const char* algorithms[] = {"newmark", "mpr-mpa", "mpr-epa"};
constexpr const char* formulations[] = {"inertial", "ancf", "floating"};
constexpr const char* elements[] = {"bar", "euler_bernoulli", "timoshenko"};

model::Description pendulum(const std::string& name,
                            const std::string& formulation,
                            const std::string& element,
                            io::Overrides list) {
  for (const std::string& body : name == "pendulum" ? std::vector<std::string>{"beam"}
                                                    : std::vector<std::string>{"one", "two"}) {
    list.emplace_back("flexible." + body + ".formulation", formulation);
    list.emplace_back("flexible." + body + ".element", element);
    if (formulation == "inertial" && element != "bar") {
      list.emplace_back("flexible." + body + ".mass", "constant");
    }
  }
  return io::read_model_file(
             std::string(TRAMMEL_SOURCE_DIR) + "/examples/flexible/" + name + ".yaml",
             full_vocabulary(), {.overrides = list})
      .description;
}

RecordedRun run_by(model::Description d, const std::string& algorithm, model::Values values) {
  d.simulation.integrator = algorithm;
  d.simulation.integrator_values = std::move(values);
  return recorded_run(d);
}

// Timoshenko's beam by three algorithms and indices at 1 ms, beside an eighth of the step.
TEST(PendulumGrid, ShearedPendulumsSwingAlikeByThreeAlgorithmsAndIndices) {
  for (const char* formulation : formulations) {
    const io::Overrides half{{"simulation.until", "0.5"}, {"simulation.output_step", "0.5"}};
    const model::Description d = pendulum("pendulum", formulation, "timoshenko", half);
    model::Description finer = d;
    finer.simulation.step = 1.25e-4;
    const RecordedRun exact = run_by(finer, "mpr-mpa", {{"index", 3.0}});
    for (const char* algorithm : algorithms) {
      for (const double index : {3.0, 2.0, 1.0}) {
        const RecordedRun run = run_by(d, algorithm, {{"index", index}});
        for (const char* axis : {"beam.tip.position.x", "beam.tip.position.y"}) {
          // The second order at 1 ms: that of Euler and Bernoulli's floating beam, 2.5e-5, is the
          // largest.
          EXPECT_NEAR(run.last(axis), exact.last(axis), 5e-5)
              << formulation << " " << algorithm << " " << index;
        }
      }
    }
  }
}

// All of the grid over the 5 s of the source: no run fails, and energy changes by what
// examples/flexible/tables.md tells, 1.2e-1 J for beams in the floating frame, which leave its
// range, and less for all others.
TEST(PendulumGrid, SinglePendulumsKeepTheirEnergyForFiveSeconds) {
  for (const char* formulation : formulations) {
    for (const char* element : elements) {
      const model::Description d =
          pendulum("pendulum", formulation, element, {{"simulation.output_step", "10 ms"}});
      const bool bar = element == std::string("bar");
      const double most = bar                                      ? 7e-4
                          : formulation == std::string("inertial") ? 2.5e-3
                          : formulation == std::string("ancf")     ? 9e-2
                                                                   : 1.5e-1;
      for (const char* algorithm : algorithms) {
        for (const double index : {3.0, 2.0, 1.0}) {
          const RecordedRun run = run_by(d, algorithm, {{"index", index}});
          EXPECT_LT(std::abs(run.report.traffic.largest_lack), most)
              << formulation << " " << element << " " << algorithm << " " << index;
        }
      }
    }
  }
}

// Tips of the double pendulum at 0.5 s as another program has them: stabilised equations have the
// same motion. Projection takes away what drifts at index 1, Baumgarte's terms hold it small.
TEST(PendulumGrid, StabilisedDoublePendulumsSwingAsOthersDo) {
  struct Tip {
    const char* formulation;
    const char* element;
    double x;
    double y;
  };
  const std::vector<Tip> tips{{"inertial", "bar", 3.37853980, -1.22395651},
                              {"floating", "bar", 3.37853980, -1.22395651},
                              {"ancf", "bar", 3.37041087, -1.23043004},
                              {"inertial", "euler_bernoulli", 3.41959817, -1.22802386},
                              {"ancf", "euler_bernoulli", 3.37752031, -1.20985247},
                              {"floating", "euler_bernoulli", 3.42579036, -1.20667036},
                              {"inertial", "timoshenko", 3.40451470, -1.22524983},
                              {"ancf", "timoshenko", 3.37800071, -1.20938445},
                              {"floating", "timoshenko", 3.43687520, -1.20802724}};
  for (const Tip& tip : tips) {
    const model::Description d = pendulum("double_pendulum", tip.formulation, tip.element,
                                          {{"simulation.until", "0.5"},
                                           {"simulation.output_step", "0.5"},
                                           {"materials.soft.poissons_ratio", "0.298076923076923"}});
    for (const char* algorithm : algorithms) {
      for (const std::string stabilisation : {"baumgarte", "projection"}) {
        const RecordedRun run =
            run_by(d, algorithm, {{"index", 1.0}, {"stabilisation", stabilisation}});
        EXPECT_NEAR(run.last("two.tip.position.x"), tip.x, 5e-5)
            << tip.formulation << tip.element << algorithm << stabilisation;
        EXPECT_NEAR(run.last("two.tip.position.y"), tip.y, 5e-5)
            << tip.formulation << tip.element << algorithm << stabilisation;
        EXPECT_LT(run.report.largest_position_error, stabilisation == "projection" ? 1e-9 : 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::pendulum_grid_test
