// registry: integrators
// Every treatment of constraints of [Chiou1990] moves every kind of model like a method of another
// family: sixteen models, open and closed, redundant, nonholonomic and rheonomic, with errors of
// second order against dormand-prince.
#include <cmath>
#include <functional>

#include "full_vocabulary.h"
#include "support/mechanisms.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::constraint_treatments_test {
namespace {

struct Treatment {
  const char* name;
  const char* integrator;
  model::Values values = {};
  const char* coordinates = "absolute";
};

const std::vector<Treatment> treatments{
    {"staggered", "staggered"},
    {"staggered_acceleration", "staggered", {{"nonholonomic", std::string("acceleration")}}},
    {"natural_partitioning", "staggered", {}, "relative"},
    {"park_chiou", "park-chiou"},
    {"penalty", "single-grid"},
    {"penalty_position", "single-grid", {{"stabilisation", std::string("penalty-position")}}},
    {"baumgarte", "single-grid", {{"stabilisation", std::string("baumgarte")}}},
    {"baumgarte_implicit", "single-grid", {{"stabilisation", std::string("baumgarte-implicit")}}},
    {"direct", "single-grid", {{"stabilisation", std::string("none")}}},
    {"midpoint", "single-grid", {{"rule", std::string("midpoint")}}},
};

model::Description example(const std::string& name) {
  return io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/" + name + ".yaml",
                             full_vocabulary())
      .description;
}

struct Model {
  const char* name;
  std::function<model::Description()> describe;
  double until = 0.2;
  double step = 1e-3;
};

const std::vector<Model> models{
    {"pendulum", support::pendulum},
    {"slider_crank", support::slider_crank},
    {"four_bars", [] { return support::four_bars(2); }},
    {"planar_chain", [] { return support::chain(4, model::Space::planar); }},
    {"chain", [] { return support::chain(4, model::Space::spatial); }},
    {"asymmetric_top", support::asymmetric_top},
    {"heavy_top", support::heavy_top, 0.02, 1e-4},
    {"bricard", support::bricard},
    {"spatial_slider_crank", support::spatial_slider_crank},
    {"geared_servo", support::geared_servo},
    {"rolling_disc", [] { return example("rolling_disc/rolling_disc"); }},
    {"inclined_skate", [] { return example("inclined_skate/inclined_skate"); }},
    {"linkage", [] { return example("chiou/four_bar"); }, 2.0, 1e-2},
    {"three_rods", [] { return example("chiou/three_rods"); }},
    {"ball", [] { return example("chiou/bowling_ball"); }, 1.0, 1e-2},
    {"crane", [] { return example("chiou/crane"); }, 20.0, 0.5},
};

// Positions and orientations of all bodies.
system::Vector places(const model::Description& d) {
  const auto system = formulation::compile_model(d).system;
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  for (const model::Quantity& quantity : system->observables()) {
    const bool place = quantity.name.find(".position.") != std::string::npos ||
                       quantity.name.find(".orientation.") != std::string::npos;
    if (place) options.channels.push_back(quantity.name);
  }
  const SimulationReport report = simulate(*system, d.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  const results::Table table = sink.take();
  system::Vector last(static_cast<Eigen::Index>(options.channels.size()));
  for (std::size_t i = 0; i < options.channels.size(); ++i) {
    last[static_cast<Eigen::Index>(i)] = table.column(options.channels[i]).back();
  }
  return last;
}

class ConstraintTreatments : public testing::TestWithParam<Model> {};

INSTANTIATE_TEST_SUITE_P(Models,
                         ConstraintTreatments,
                         testing::ValuesIn(models),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(ConstraintTreatments, AllMoveItAlikeAndWithSecondOrder) {
  model::Description d = GetParam().describe();
  d.simulation.until = GetParam().until;
  d.simulation.output_step = GetParam().until;
  const auto run = [&](const Treatment& treatment, double step) {
    d.simulation.integrator = treatment.integrator;
    d.simulation.integrator_values = treatment.values;
    // Passes with explicit feedback converge for rates below 0.8/h.
    if (std::string(treatment.name) == "baumgarte") {
      d.simulation.integrator_values["baumgarte_alpha"] = 0.4 / GetParam().step;
      d.simulation.integrator_values["baumgarte_beta"] = 0.4 / GetParam().step;
    }
    d.simulation.coordinates = treatment.coordinates;
    d.simulation.step = step;
    return places(d);
  };
  const system::Vector exact = run(
      {"exact", "dormand-prince", {{"relative_tolerance", 1e-11}, {"absolute_tolerance", 1e-11}}},
      GetParam().step);
  const double size = std::max(1.0, exact.lpNorm<Eigen::Infinity>());
  for (const Treatment& treatment : treatments) {
    SCOPED_TRACE(treatment.name);
    const double coarse =
        (run(treatment, GetParam().step) - exact).lpNorm<Eigen::Infinity>() / size;
    const double fine =
        (run(treatment, 0.5 * GetParam().step) - exact).lpNorm<Eigen::Infinity>() / size;
    // 1e-8: the tolerances of passes, the penalty's share, and what the reference leaves.
    EXPECT_LT(fine, 0.3 * coarse + 1e-8) << coarse;
    EXPECT_LT(fine, 2e-3);
  }
}

}  // namespace
}  // namespace trammel::analysis::constraint_treatments_test
