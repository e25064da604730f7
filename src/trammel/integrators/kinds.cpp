#include "trammel/integrators/kinds.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/adams.h"
#include "trammel/integrators/adaptive_gssss.h"
#include "trammel/integrators/bdf.h"
#include "trammel/integrators/central_difference.h"
#include "trammel/integrators/gssss.h"
#include "trammel/integrators/gssss_settings.h"
#include "trammel/integrators/own_kinds.h"
#include "trammel/integrators/park_chiou.h"
#include "trammel/integrators/radau.h"
#include "trammel/integrators/runge_kutta.h"
#include "trammel/integrators/single_grid.h"
#include "trammel/integrators/staggered.h"
#include "trammel/integrators/state_space_explicit.h"
#include "trammel/integrators/state_space_newmark.h"

namespace trammel::integrators {
namespace {

void check_names(const IntegratorKind& kind, const Settings& settings) {
  std::vector<std::string> known;
  for (const Setting& setting : kind.settings) known.push_back(setting.name);
  for (const auto& entry : settings) {
    if (std::find(known.begin(), known.end(), entry.first) != known.end()) continue;
    throw core::InputError(fmt::format("{} has no setting '{}'", kind.name, entry.first),
                           core::suggestion(entry.first, known));
  }
}

// Words have to be among the choices of this kind.
void check_words(const IntegratorKind& kind, const Settings& settings) {
  for (const Setting& setting : kind.settings) {
    const auto given = settings.find(setting.name);
    if (given == settings.end() || setting.choices.empty()) continue;
    const std::string* word = std::get_if<std::string>(&given->second);
    const auto& choices = setting.choices;
    if (word == nullptr || std::find(choices.begin(), choices.end(), *word) != choices.end()) {
      continue;
    }
    throw core::InputError(fmt::format("{} has no {} '{}'", kind.name, setting.name, *word),
                           core::suggestion(*word, choices));
  }
}

// What was given and changes nothing was meant to change something.
void check_effects(const IntegratorKind& kind, const Settings& settings) {
  core::Diagnostics mistakes;
  for (const auto& [name, idle] : idle_settings(kind, settings)) {
    mistakes.error("", fmt::format("{} of {} has no effect with {}", name, kind.name, idle.because),
                   fmt::format("leave it out, or take {}", idle.wants));
  }
  mistakes.throw_if_errors();
}

template <class T>
T value(const IntegratorKind& kind, const Settings& settings, const std::string& name) {
  for (const Setting& setting : kind.settings) {
    if (setting.name != name) continue;
    const auto found = settings.find(name);
    const SettingValue& given = found == settings.end() ? setting.fallback : found->second;
    if (const T* typed = std::get_if<T>(&given)) return *typed;
  }
  throw core::InputError(fmt::format("{} of {} has the wrong type", name, kind.name),
                         fmt::format("see: trammel list {}", kind.name));
}

// A kind whose options follow from its settings; all settings of the family come with it.
IntegratorKind gssss_kind(
    std::string name,
    std::string summary,
    std::vector<Setting> own,
    Evaluation evaluation,
    std::function<void(const IntegratorKind&, const Settings&, GssssOptions&)> choose) {
  IntegratorKind kind{std::move(name), std::move(summary), std::move(own), nullptr};
  for (Setting& setting : gssss_settings(evaluation)) kind.settings.push_back(std::move(setting));
  const IntegratorKind bare = kind;
  const auto start = std::find_if(kind.settings.begin(), kind.settings.end(),
                                  [](const Setting& each) { return each.name == "start"; });
  start->idle = [bare, evaluation, choose](const ChosenSettings& chosen) -> Idle {
    GssssOptions options;
    options.evaluation = evaluation;
    choose(bare, chosen.given(), options);
    apply(chosen.given(), options);
    return start_without_effect(options);
  };
  const IntegratorKind plain = kind;
  kind.make = [plain, evaluation, choose = std::move(choose)](
                  system::MechanicalSystem& system, const Settings& settings,
                  const std::string& solver) -> std::unique_ptr<Integrator> {
    check_names(plain, settings);
    GssssOptions options;
    options.evaluation = evaluation;
    choose(plain, settings, options);
    apply(settings, options);
    check_effects(plain, settings);
    options.solver = solver;
    if (const std::optional<AdaptiveOptions> control = step_control(settings)) {
      // What Newton's iteration leaves must not add up to the error of the steps.
      constexpr double part = 1e-3;
      if (settings.find("newton_tolerance") == settings.end()) {
        options.newton_tolerance =
            std::min(options.newton_tolerance, part * control->relative_tolerance);
      }
      return std::make_unique<AdaptiveGssss>(system, options, *control);
    }
    return std::make_unique<Gssss>(system, options);
  };
  return kind;
}

IntegratorKind whole_family() {
  const std::vector<std::string> families{"U0", "V0"};
  return gssss_kind(
      "gssss", "any member of the GSSSS family, by its three spectral radii",
      {{"family", "zero-order overshoot in displacement (U0) or velocity (V0)", families[1],
        families},
       {"rho", "spectral radii at infinite frequency: [rho_min, rho_max, rho_s]",
        std::vector<double>{1.0, 1.0, 0.0}}},
      Evaluation::level,
      [families](const IntegratorKind& kind, const Settings& settings, GssssOptions& options) {
        const auto family = value<std::string>(kind, settings, "family");
        if (std::find(families.begin(), families.end(), family) == families.end()) {
          throw core::InputError(fmt::format("family '{}' is unknown", family),
                                 core::suggestion(family, families));
        }
        const auto rho = value<std::vector<double>>(kind, settings, "rho");
        if (rho.size() != 3) {
          throw core::InputError(fmt::format("rho has {} numbers", rho.size()),
                                 "give three, [rho_min, rho_max, rho_s], e.g. [1, 1, 0]");
        }
        options.family = family == families[0] ? Family::U0 : Family::V0;
        options.radii = {rho[0], rho[1], rho[2]};
      });
}

IntegratorKind named(const GssssMember& member) {
  const bool at_end = member.name == "generalized-alpha";
  std::vector<Setting> own;
  if (member.takes_radius) {
    own.push_back(
        {"spectral_radius",
         fmt::format("at infinite frequency, {:g} (most damping) to 1 (none)", member.least_radius),
         at_end ? 0.6 : 0.8});
  }
  return gssss_kind(
      member.name, member.summary, std::move(own), at_end ? Evaluation::end : Evaluation::level,
      [&member](const IntegratorKind& kind, const Settings& settings, GssssOptions& options) {
        const double rho =
            member.takes_radius ? value<double>(kind, settings, "spectral_radius") : 1.0;
        options.family = member.family;
        options.radii = radii_of(member, rho);
      });
}

// Settings of one kind, one after the other.
std::vector<Setting> joined(std::vector<Setting> first, const std::vector<Setting>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A kind whose integrator is built from AdaptiveOptions; `fallback` holds what its settings leave.
IntegratorKind adaptive_kind(
    std::string name,
    std::string summary,
    std::vector<Setting> settings,
    const AdaptiveOptions& fallback,
    std::function<std::unique_ptr<Integrator>(system::MechanicalSystem&, AdaptiveOptions)> build) {
  IntegratorKind kind{std::move(name), std::move(summary), std::move(settings), nullptr};
  const IntegratorKind plain = kind;
  kind.make = [plain, fallback, build = std::move(build)](
                  system::MechanicalSystem& system, const Settings& settings,
                  const std::string& solver) -> std::unique_ptr<Integrator> {
    check_names(plain, settings);
    check_words(plain, settings);
    AdaptiveOptions options = fallback;
    apply(settings, options);
    check_effects(plain, settings);
    options.solver = solver;
    return build(system, std::move(options));
  };
  return kind;
}

IntegratorKind dormand_prince_kind() {
  std::vector<Setting> settings = tolerance_settings();
  for (Setting& setting : settings) setting.idle = idle_unless("steps", {"adaptive"});
  settings.push_back(step_choice_setting());
  return adaptive_kind("dormand-prince", "explicit Runge-Kutta pair of orders 5 and 4, adaptive",
                       joined(std::move(settings), drift_settings(true)), {},
                       [](system::MechanicalSystem& system, AdaptiveOptions options) {
                         return std::make_unique<RungeKutta>(system, dormand_prince(),
                                                             std::move(options));
                       });
}

IntegratorKind classical_runge_kutta_kind() {
  AdaptiveOptions options;
  options.steps = StepChoice::fixed;
  return adaptive_kind(
      "rk4", "the classical explicit Runge-Kutta method of order 4, fixed steps",
      drift_settings(true), options, [](system::MechanicalSystem& system, AdaptiveOptions chosen) {
        return std::make_unique<RungeKutta>(system, classical_runge_kutta(), std::move(chosen));
      });
}

IntegratorKind adams_kind() {
  AdaptiveOptions options;
  options.most_order = Adams::highest_order;
  std::vector<Setting> settings = tolerance_settings();
  settings.push_back(order_setting(Adams::highest_order));
  return adaptive_kind("adams",
                       "explicit multistep method of variable order 1 to 12 and variable step",
                       joined(std::move(settings), drift_settings(true)), options,
                       [](system::MechanicalSystem& system, AdaptiveOptions chosen) {
                         return std::make_unique<Adams>(system, std::move(chosen));
                       });
}

IntegratorKind bdf_kind() {
  AdaptiveOptions options;
  options.most_order = Bdf::highest_order;
  std::vector<Setting> settings = tolerance_settings();
  settings.push_back(order_setting(Bdf::highest_order));
  return adaptive_kind("bdf",
                       "stiff implicit multistep method of variable order 1 to 5 and variable step",
                       joined(std::move(settings), drift_settings(false)), options,
                       [](system::MechanicalSystem& system, AdaptiveOptions chosen) {
                         return std::make_unique<Bdf>(system, std::move(chosen));
                       });
}

IntegratorKind radau_kind() {
  return adaptive_kind("radau",
                       "stiff implicit Runge-Kutta method of order 5 with three stages, adaptive",
                       joined(tolerance_settings(), drift_settings(false)), {},
                       [](system::MechanicalSystem& system, AdaptiveOptions chosen) {
                         return std::make_unique<Radau>(system, std::move(chosen));
                       });
}

// A kind whose method is built from options of its own.
template <class Method, class Options, class... Rule>
IntegratorKind kind_of(std::string name,
                       std::string summary,
                       std::vector<Setting> settings,
                       Rule... rule) {
  IntegratorKind kind{std::move(name), std::move(summary), std::move(settings), nullptr};
  const IntegratorKind plain = kind;
  kind.make = [plain, rule...](system::MechanicalSystem& system, const Settings& given,
                               const std::string& solver) -> std::unique_ptr<Integrator> {
    check_names(plain, given);
    check_words(plain, given);
    Options options;
    apply(given, options);
    check_effects(plain, given);
    options.solver = solver;
    return std::make_unique<Method>(system, std::move(options), rule...);
  };
  return kind;
}

void add_state_space_kinds(std::vector<IntegratorKind>& kinds) {
  kinds.push_back(kind_of<StateSpaceNewmark, StateSpaceOptions>(
      "state-space-newmark",
      "implicit Newmark rule on independent coordinates with the exact Jacobian, fixed steps",
      state_space_settings()));
  kinds.push_back(kind_of<StateSpaceExplicit, StateSpaceOptions>(
      "state-space-abm2",
      "explicit Adams-Bashforth-Moulton of order 2 on independent coordinates, fixed steps",
      partition_settings(), ExplicitRule::abm2));
  kinds.push_back(kind_of<StateSpaceExplicit, StateSpaceOptions>(
      "state-space-rk4", "explicit Runge-Kutta of order 4 on independent coordinates, fixed steps",
      partition_settings(), ExplicitRule::rk4));
}

void add_staggered_kinds(std::vector<IntegratorKind>& kinds) {
  kinds.push_back(kind_of<Staggered, StaggeredOptions>(
      "staggered", "two-stage staggered explicit-implicit method, fixed steps, no iteration",
      staggered_settings()));
  kinds.push_back(kind_of<ParkChiou, ParkChiouOptions>(
      "park-chiou", "midpoint rule for Euler parameters, central differences for translations",
      park_chiou_settings()));
  kinds.push_back(kind_of<CentralDifference, CentralDifferenceOptions>(
      "central-difference", "central differences with velocities half a step late, to compare",
      central_difference_settings()));
  kinds.push_back(kind_of<SingleGrid, SingleGridOptions>(
      "single-grid", "trapezoidal or midpoint rule by passes, with treatments to compare",
      single_grid_settings()));
}

// The default first, then the family and its other members, then methods with error control.
std::vector<IntegratorKind> all_kinds() {
  std::vector<IntegratorKind> kinds;
  for (const GssssMember& member : gssss_members()) kinds.push_back(named(member));
  kinds.push_back(whole_family());
  std::stable_partition(kinds.begin(), kinds.end(), [](const IntegratorKind& kind) {
    return kind.name == "generalized-alpha";
  });
  kinds.push_back(dormand_prince_kind());
  kinds.push_back(classical_runge_kutta_kind());
  kinds.push_back(adams_kind());
  kinds.push_back(bdf_kind());
  kinds.push_back(radau_kind());
  add_state_space_kinds(kinds);
  add_staggered_kinds(kinds);
  return kinds;
}

std::vector<IntegratorKind>& integrator_registry() {
  static std::vector<IntegratorKind> kinds = all_kinds();
  return kinds;
}

}  // namespace

const SettingValue* ChosenSettings::find(const std::string& name) const {
  const auto given = given_.find(name);
  if (given != given_.end()) return &given->second;
  for (const Setting& setting : settings_) {
    if (setting.name == name) return &setting.fallback;
  }
  return nullptr;
}

double ChosenSettings::number(const std::string& name) const {
  const SettingValue* value = find(name);
  const double* number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? 0.0 : *number;
}

std::string ChosenSettings::word(const std::string& name) const {
  const SettingValue* value = find(name);
  const std::string* word = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return word == nullptr ? std::string() : *word;
}

std::function<Idle(const ChosenSettings&)> idle_unless(std::string setting,
                                                       std::vector<std::string> words) {
  return [setting = std::move(setting), words = std::move(words)](const ChosenSettings& chosen) {
    const std::string word = chosen.word(setting);
    if (std::find(words.begin(), words.end(), word) != words.end()) return Idle{};
    return Idle{fmt::format("{}: {}", setting, word),
                fmt::format("{}: {}", setting, fmt::join(words, " or "))};
  };
}

std::function<Idle(const ChosenSettings&)> idle_unless_above(std::string setting, double number) {
  return [setting = std::move(setting), number](const ChosenSettings& chosen) {
    const double value = chosen.number(setting);
    if (value > number) return Idle{};
    return Idle{fmt::format("{}: {:g}", setting, value),
                fmt::format("{} above {:g}", setting, number)};
  };
}

std::map<std::string, Idle> idle_settings(const IntegratorKind& kind, const Settings& given) {
  const ChosenSettings chosen(kind.settings, given);
  std::map<std::string, Idle> found;
  for (const Setting& setting : kind.settings) {
    if (!setting.idle || given.find(setting.name) == given.end()) continue;
    Idle idle = setting.idle(chosen);
    if (!idle.because.empty()) found.emplace(setting.name, std::move(idle));
  }
  return found;
}

const std::vector<IntegratorKind>& integrator_kinds() {
  return integrator_registry();
}

void register_integrator_kind(IntegratorKind kind) {
  if (find_integrator_kind(kind.name) != nullptr) {
    throw core::InputError(fmt::format("there is an integrator '{}' already", kind.name),
                           "choose another name");
  }
  integrator_registry().push_back(std::move(kind));
}

const IntegratorKind* find_integrator_kind(std::string_view name) {
  for (const IntegratorKind& kind : integrator_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace trammel::integrators
