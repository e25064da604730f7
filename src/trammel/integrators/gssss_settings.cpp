#include "trammel/integrators/gssss_settings.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> evaluations{"level", "end"};
const std::vector<std::string> stabilisations{"none", "baumgarte", "projection", "ggl"};
const std::vector<std::string> projected{"all", "positions", "velocities",
                                         "positions-and-velocities"};
const std::vector<std::string> conservations{"symplectic", "energy"};
const std::vector<std::string> forms{"extrapolated", "a", "v", "d"};
const std::vector<std::string> starts{"plain", "balanced"};

}  // namespace

std::vector<Setting> gssss_settings(Evaluation evaluation) {
  const GssssOptions o;
  return {
      {"index", "3: constraints in positions, 2: velocities, 1: accelerations; 0: by stabilisation",
       0.0},
      {"stabilisation", "what keeps the constraint levels that the index leaves out",
       stabilisations[0], stabilisations},
      {"evaluation", "equations of motion at the level t_n + W1 h or at the end of the step",
       evaluations[static_cast<std::size_t>(evaluation)], evaluations},
      {"conservation", "symplectic: energy bounded; energy: exact, by discrete gradients",
       conservations[0], conservations},
      {"baumgarte_alpha", "damping of constraint errors in units of the step, above 0 to 1",
       o.baumgarte_alpha},
      {"baumgarte_beta", "stiffness of constraint errors in units of the step, above 0 to 1",
       o.baumgarte_beta},
      {"projected_levels", "levels that stabilisation by projection takes", projected[0],
       projected},
      {"projection_steps", "most Newton steps of a projection of positions",
       static_cast<double>(o.projection_steps)},
      {"form", "Newton starts from extrapolated, or from unchanged a, v or displacement", forms[0],
       forms},
      {"start", "balanced: first steps at index 3 leave no oscillation in a and lambda", starts[1],
       starts},
      {"newton_tolerance", "error of a step relative to h^2 times acceleration",
       o.newton_tolerance},
      {"resolution", "largest deviation of a step from its extrapolation, rad or model sizes",
       o.resolution},
  };
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
  apply.number("resolution", options.resolution);
}

}  // namespace trammel::integrators
