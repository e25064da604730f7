#include "trammel/integrators/gssss_settings.h"

#include <cmath>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> evaluations{"level", "end"};
const std::vector<std::string> stabilisations{"none", "baumgarte", "projection", "ggl"};
const std::vector<std::string> projected{"all", "positions", "velocities",
                                         "positions-and-velocities"};
const std::vector<std::string> conservations{"symplectic", "energy"};
const std::vector<std::string> forms{"extrapolated", "a", "v", "d"};
const std::vector<std::string> starts{"plain", "balanced"};

// Reads settings of known types into options.
class Applier {
 public:
  explicit Applier(const Settings& settings) : settings_(settings) {}

  void number(const std::string& name, double& value) const {
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const double* given = std::get_if<double>(&found->second);
    if (given == nullptr) throw core::InputError(name + " is not a number", "give a number");
    value = *given;
  }

  void whole(const std::string& name, int& value) const {
    double given = value;
    number(name, given);
    if (given != std::round(given) || std::abs(given) > 1e6) {
      throw core::InputError(fmt::format("{} is {:g}", name, given), "give a whole number");
    }
    value = static_cast<int>(given);
  }

  /// The place of the word among the choices becomes the enumerator.
  template <class Enum>
  void word(const std::string& name, const std::vector<std::string>& choices, Enum& value) const {
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const std::string* given = std::get_if<std::string>(&found->second);
    if (given == nullptr) {
      throw core::InputError(name + " is not a word", core::suggestion("", choices));
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] != *given) continue;
      value = static_cast<Enum>(i);
      return;
    }
    throw core::InputError(fmt::format("{} '{}' is unknown", name, *given),
                           core::suggestion(*given, choices));
  }

 private:
  const Settings& settings_;
};

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
  const Applier apply(settings);
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
