#include "trammel/integrators/gssss_settings.h"

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> evaluations{"level", "end"};
const std::vector<std::string> stabilisations{"none", "baumgarte", "projection", "ggl"};
const std::vector<std::string> projected{"all", "positions", "velocities",
                                         "positions-and-velocities"};
const std::vector<std::string> conservations{"symplectic", "energy"};
const std::vector<std::string> forms{"extrapolated", "a", "v", "d"};
const std::vector<std::string> newtons{"modified", "source"};
const std::vector<std::string> metrics{"scales", "source"};
const std::vector<std::string> starts{"plain", "balanced"};

Idle projection_steps_without_effect(const ChosenSettings& chosen) {
  if (chosen.word("stabilisation") != "projection") {
    return {"stabilisation: " + chosen.word("stabilisation"), "stabilisation: projection"};
  }
  if (chosen.word("projected_levels") == "velocities") {
    return {"projected_levels: velocities", "projected_levels: all"};
  }
  const double index = chosen.number("index");
  if (index == 1.0 || index == 2.0) return {};
  return {"index: 3, where positions satisfy their constraints already", "index: 2"};
}

// What each stabilisation can be told.
std::vector<Setting> stabilisation_settings(const GssssOptions& o) {
  return {
      {"baumgarte_alpha",
       "damping of constraint errors in units of the step, above 0 to 1",
       o.baumgarte_alpha,
       {},
       {},
       idle_unless("stabilisation", {"baumgarte"})},
      {"baumgarte_beta",
       "stiffness of constraint errors in units of the step, above 0 to 1",
       o.baumgarte_beta,
       {},
       {},
       idle_unless("stabilisation", {"baumgarte"})},
      {"projected_levels",
       "levels that stabilisation by projection takes",
       projected[0],
       projected,
       {},
       idle_unless("stabilisation", {"projection"})},
      {"projection_steps",
       "most Newton steps of a projection of positions",
       static_cast<double>(o.projection_steps),
       {},
       {},
       projection_steps_without_effect},
      {"multiplier_metric",
       "how multipliers fit projected accelerations: scales, or source for D = 1 in metres and "
       "radians",
       metrics[0],
       metrics,
       {},
       idle_unless("stabilisation", {"projection"})},
  };
}

}  // namespace

Idle start_without_effect(const GssssOptions& options) {
  if (balances_start(options)) return {};
  if (index_of(options) != 3) return {fmt::format("index: {}", index_of(options)), "index: 3"};
  if (options.stabilisation != Stabilisation::none) {
    return {"a stabilisation, which leaves no oscillation", "stabilisation: none"};
  }
  if (options.conservation == Conservation::energy) {
    return {"conservation: energy", "conservation: symplectic"};
  }
  return {to_string(options.family, options.radii) + ", which damps the oscillation itself",
          "a member whose largest spectral radius is 1"};
}

std::vector<Setting> gssss_settings(Evaluation evaluation) {
  const GssssOptions o;
  std::vector<Setting> list{
      {"index", "3: constraints in positions, 2: velocities, 1: accelerations; 0: by stabilisation",
       0.0},
      {"stabilisation", "what keeps the constraint levels that the index leaves out",
       stabilisations[0], stabilisations},
      {"evaluation", "equations of motion at the level t_n + W1 h or at the end of the step",
       evaluations[static_cast<std::size_t>(evaluation)], evaluations},
      {"conservation", "symplectic: energy bounded; energy: exact, by discrete gradients",
       conservations[0], conservations},
  };
  for (Setting& setting : stabilisation_settings(o)) list.push_back(std::move(setting));
  const std::vector<Setting> newton{
      {"form", "Newton starts from extrapolated, or from unchanged a, v or displacement", forms[0],
       forms},
      {"start", "balanced: first steps at index 3 leave no oscillation in a and lambda", starts[1],
       starts},
      {"newton_tolerance", "error of a step relative to h^2 times acceleration",
       o.newton_tolerance},
      {"newton",
       "modified: factors kept while they converge; source: a new tangent for every correction, "
       "until the residuals are below newton_tolerance",
       newtons[0], newtons},
      {"most_iterations", "after which a step fails", static_cast<double>(o.most_iterations)},
      {"resolution", "largest deviation of a step from its extrapolation, rad or model sizes",
       o.resolution},
      {"tolerance",
       "the method chooses its steps, each with an error below its share of it; 0: steps of the "
       "size `step`",
       0.0},
      {"first_step",
       "size of the first step, with a tolerance; 0: by the method",
       0.0,
       {},
       core::dimension::time},
      {"largest_step",
       "longest step allowed, with a tolerance; 0: no limit",
       0.0,
       {},
       core::dimension::time},
  };
  list.insert(list.end(), newton.begin(), newton.end());
  return list;
}

std::optional<AdaptiveOptions> step_control(const Settings& settings) {
  double tolerance = 0.0;
  double first_step = 0.0;
  double largest_step = 0.0;
  const SettingReader read(settings);
  read.number("tolerance", tolerance);
  read.number("first_step", first_step);
  read.number("largest_step", largest_step);
  if (tolerance == 0.0) {
    if (first_step == 0.0 && largest_step == 0.0) return std::nullopt;
    throw core::InputError(
        fmt::format("{} is given to a method that takes steps of one size",
                    largest_step != 0.0 ? "largest_step" : "first_step"),
        "give a tolerance, so that the method chooses its steps, or leave it out");
  }
  constexpr double least = 1e-13;
  if (!(tolerance >= least && tolerance < 1.0)) {
    throw core::InputError(fmt::format("tolerance is {:g}", tolerance),
                           "give a number from 1e-13 to below 1, e.g. 1e-4, or 0 for fixed steps");
  }
  AdaptiveOptions options;
  apply({{"relative_tolerance", tolerance},
         {"absolute_tolerance", tolerance},
         {"first_step", first_step},
         {"largest_step", largest_step}},
        options);
  return options;
}

void apply(const Settings& settings, GssssOptions& options) {
  const SettingReader apply(settings);
  apply.whole("index", options.index);
  apply.word("stabilisation", stabilisations, options.stabilisation);
  apply.word("evaluation", evaluations, options.evaluation);
  apply.word("conservation", conservations, options.conservation);
  apply.number("baumgarte_alpha", options.baumgarte_alpha);
  apply.number("baumgarte_beta", options.baumgarte_beta);
  apply.word("projected_levels", projected, options.projected_levels);
  apply.whole("projection_steps", options.projection_steps);
  apply.word("form", forms, options.form);
  apply.word("start", starts, options.balanced_start);
  apply.number("newton_tolerance", options.newton_tolerance);
  apply.word("newton", newtons, options.newton);
  apply.whole("most_iterations", options.most_iterations);
  apply.word("multiplier_metric", metrics, options.multiplier_metric);
  apply.number("resolution", options.resolution);
}

}  // namespace trammel::integrators
