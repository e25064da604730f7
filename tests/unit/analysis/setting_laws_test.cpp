// registry: integrators
// Laws of settings, for every integrator of the registry: what is given has an effect or is
// refused, and what is advised exists.
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "accuracy_problems.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/simulate.h"
#include "trammel/analysis/verdict.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::setting_laws_test {
namespace {

using integrators::integrator_kinds;
using integrators::IntegratorKind;
using integrators::Setting;

// --- every setting has an effect, or is refused

struct Trial {
  model::Description description;
  double step;
  long steps;
};

// A mass on a stiff spring with a damper, on a rail: steps of 5 ms are 3.5 times 1/w.
model::Description stiff_mass() {
  return described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  m: {mass: 1 kg, inertia: 0.01, position: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, m]}
forces:
  k: {type: coordinate_spring, coordinate: rail.displacement, stiffness: 5e5, damping: 20}
)");
}

const std::vector<Trial>& trials() {
  static const std::vector<Trial> list = {
      {support::slider_crank(), 2e-3, 30},
      {support::spatial_slider_crank(), 2e-3, 30},
      {rolling_disc(), 5e-3, 30},
      {support::slider_crank(), 2e-2, 40},
      {stiff_mass(), 5e-3, 20},
      {support::slider_crank(), 8e-2, 8},
      {support::bricard(), 1e-2, 40},
  };
  return list;
}

constexpr const char* refused = "refused";

// All that a run shows but how long it took.
std::string shown(const Trial& trial, const IntegratorKind& kind, const model::Values& values) {
  model::SimulationSettings settings;
  settings.integrator = kind.name;
  settings.integrator_values = values;
  settings.step = trial.step;
  settings.until = trial.step * static_cast<double>(trial.steps);
  try {
    const auto system = model::compile(trial.description);
    const SimulationReport report = simulate(*system, settings);
    std::string text = report.message;
    const system::Motion& end = report.final_motion;
    for (const system::Vector* v : {&end.state.q, &end.state.v, &end.a, &end.lambda}) {
      for (const double x : *v) text += fmt::format(" {}", x);
    }
    for (const auto& [name, value] : report.statistics) {
      if (name == "wall_time" || name == "memory_bytes") continue;
      text += fmt::format(" {} {}", name, value);
    }
    for (const std::string& note : report.notes) text += note;
    return text;
  } catch (const core::InputError&) {
    return refused;
  }
}

// Values that differ, the fallback first.
std::vector<model::Value> alternatives(const Setting& setting) {
  static const std::map<std::string, std::vector<double>> special = {
      {"index", {0, 1, 2, 3}},
      {"passes", {50, 1, 2}},
      {"projection_steps", {10, 1}},
      {"most_iterations", {30, 1, 2}},
      {"resynchronise", {-1, 0, 1, 10}},
      {"spectral_radius", {0.6, 1, 0.8}},
      {"beta", {0.25, 0.4}},
      {"gamma", {0.5, 0.7}},
      {"most_order", {5, 1, 2}},
      {"repartition_above", {3, 1.01, 0}},
      {"resolution", {0.1, 1e-4, 0}},
      {"newton_tolerance", {1e-10, 1e-4}},
      {"pass_tolerance", {1e-10, 1e-3}},
      {"epsilon", {0, 1e-4, 1e-2}},
  };
  std::vector<model::Value> list;
  if (!setting.choices.empty()) {
    for (const std::string& choice : setting.choices) list.emplace_back(choice);
    return list;
  }
  if (const auto found = special.find(setting.name); found != special.end()) {
    for (const double x : found->second) list.emplace_back(x);
  } else if (const double* fallback = std::get_if<double>(&setting.fallback)) {
    for (const double x : {*fallback, *fallback == 0.0 ? 1e-3 : 0.3 * *fallback}) {
      list.emplace_back(x);
    }
  } else if (std::holds_alternative<std::vector<double>>(setting.fallback)) {
    list.emplace_back(std::vector<double>{1.0, 1.0, 0.0});
    list.emplace_back(std::vector<double>{0.5, 0.5, 0.5});
  }
  return list;
}

std::string text_of(const model::Values& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += name;
    if (const auto* number = std::get_if<double>(&value)) text += fmt::format(" {:g}", *number);
    if (const auto* word = std::get_if<std::string>(&value)) text += " " + *word;
    text += ", ";
  }
  return text;
}

// Nothing but defaults, and one other setting that may make others idle.
std::vector<model::Values> backgrounds(const IntegratorKind& kind) {
  static const std::set<std::string> numbers = {"index", "passes", "spectral_radius"};
  std::vector<model::Values> list{{}};
  for (const Setting& setting : kind.settings) {
    if (setting.choices.empty() && numbers.count(setting.name) == 0) continue;
    for (const model::Value& value : alternatives(setting)) {
      list.push_back({{setting.name, value}});
    }
  }
  return list;
}

// One of whose values some are refused is determined by the others, and may be stated.
bool has_effect(const IntegratorKind& kind, const model::Values& background, const Setting& one) {
  for (const Trial& trial : trials()) {
    std::set<std::string> seen;
    for (const model::Value& value : alternatives(one)) {
      model::Values values = background;
      values[one.name] = value;
      const std::string what = shown(trial, kind, values);
      if (what == refused) return true;
      seen.insert(what);
      if (seen.size() > 1) return true;
    }
  }
  return false;
}

class SettingLaws : public ::testing::TestWithParam<std::string> {
 protected:
  const IntegratorKind& kind() const { return *integrators::find_integrator_kind(GetParam()); }
};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const IntegratorKind& kind : integrator_kinds()) names.push_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Integrators,
                         SettingLaws,
                         ::testing::ValuesIn(all_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(SettingLaws, WhatIsGivenHasAnEffectOrIsRefused) {
  for (const model::Values& background : backgrounds(kind())) {
    if (shown(trials().front(), kind(), background) == refused) continue;
    for (const Setting& setting : kind().settings) {
      // Names of coordinates: state_space_laws_test.cpp. Of one word there is no other.
      if (alternatives(setting).size() < 2 || background.count(setting.name) > 0) continue;
      EXPECT_TRUE(has_effect(kind(), background, setting))
          << setting.name << " changes nothing with " << text_of(background);
    }
  }
}

// --- every remedy exists

// Words of the registry that a text uses as settings, and the kind has not.
std::string foreign_settings(const IntegratorKind& kind, const std::string& text) {
  std::map<std::string, std::vector<std::string>> own;
  for (const Setting& setting : kind.settings) own[setting.name] = setting.choices;
  std::string foreign;
  for (const IntegratorKind& each : integrator_kinds()) {
    for (const Setting& setting : each.settings) {
      const bool plain_word =
          setting.name.find('_') == std::string::npos && setting.name != "epsilon";
      const std::regex use("\\b" + setting.name + (plain_word ? ": ?([a-z0-9-]+)" : "\\b"));
      for (std::sregex_iterator at(text.begin(), text.end(), use), end; at != end; ++at) {
        const auto found = own.find(setting.name);
        const bool word = plain_word && found != own.end() && !found->second.empty();
        const std::string given = plain_word ? (*at)[1].str() : "";
        const bool known = found != own.end() &&
                           (!word || std::find(found->second.begin(), found->second.end(), given) !=
                                         found->second.end());
        if (!known) foreign += at->str() + "; ";
      }
    }
  }
  return foreign;
}

TEST(ForeignSettings, AreFound) {
  const IntegratorKind& kind = *integrators::find_integrator_kind("single-grid");
  EXPECT_NE(foreign_settings(kind, "try a smaller spectral_radius"), "");
  EXPECT_NE(foreign_settings(kind, "try stabilisation: ggl"), "");
  EXPECT_NE(foreign_settings(kind, "take index: 3"), "");
  EXPECT_EQ(foreign_settings(kind, "take stabilisation: baumgarte-implicit, a smaller epsilon"),
            "");
}

TEST_P(SettingLaws, WhatIsAdvisedExists) {
  model::SimulationSettings settings;
  settings.integrator = kind().name;
  const auto system = model::compile(support::slider_crank());
  const bool adaptive = make_integrator(*system, settings)->adaptive();
  const std::string after = after_failure(settings, adaptive);
  EXPECT_EQ(foreign_settings(kind(), after), "") << after;
  // Everything is to be doubted about this one.
  Evidence evidence;
  evidence.integrator = kind().name;
  evidence.adaptive = adaptive;
  evidence.step = 1e-3;
  evidence.exchanged = evidence.lack = evidence.speed = evidence.size = 1.0;
  evidence.position_error = evidence.velocity_error = evidence.mispredicted = 1.0;
  const std::vector<Doubt> doubts = judge(evidence);
  EXPECT_EQ(doubts.size(), 4U);
  for (const Doubt& doubt : doubts) {
    EXPECT_EQ(foreign_settings(kind(), doubt.message), "") << doubt.message;
    EXPECT_EQ(foreign_settings(kind(), doubt.remedy), "") << doubt.remedy;
  }
}

// --- one by one

SimulationReport run_of(const std::string& integrator, const model::Values& values, double step) {
  const auto system = model::compile(support::slider_crank());
  model::SimulationSettings settings;
  settings.integrator = integrator;
  settings.integrator_values = values;
  settings.step = step;
  settings.until = 100.0 * step;
  return simulate(*system, settings);
}

std::string refusal_of(const std::string& integrator, const model::Values& values) {
  try {
    run_of(integrator, values, 1e-3);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, WithoutEffectAreRefusedWithTheReason) {
  const std::string word =
      refusal_of("state-space-newmark", {{"rule", std::string("backward-euler")}, {"beta", 0.3}});
  EXPECT_NE(word.find("beta of state-space-newmark has no effect with rule: backward-euler"),
            std::string::npos)
      << word;
  const std::string number = refusal_of("single-grid", {{"passes", 1.0}, {"pass_tolerance", 1e-6}});
  EXPECT_NE(number.find("pass_tolerance of single-grid has no effect with passes: 1"),
            std::string::npos)
      << number;
}

// Newmark's rule with gamma below one half multiplies every oscillation by more than one.
TEST(Settings, NewmarkRulesThatGrowAreRefused) {
  EXPECT_NE(refusal_of("state-space-newmark", {{"gamma", 0.1}}).find("gamma is 0.1"),
            std::string::npos);
  EXPECT_EQ(refusal_of("state-space-newmark", {{"gamma", 0.5}}), "");
  // Linear acceleration: stable up to a step of sqrt(12)/2 pi = 0.55 of a period.
  const SimulationReport linear = run_of("state-space-newmark", {{"beta", 1.0 / 6.0}}, 1e-3);
  bool told = false;
  for (const std::string& note : linear.notes) {
    told = told || note.find("at most 0.55 of the shortest period") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST(Settings, BaumgarteOfTheLastPassSaysWhyItFails) {
  const SimulationReport report =
      run_of("single-grid", {{"stabilisation", std::string("baumgarte")}}, 1e-3);
  EXPECT_EQ(report.outcome, results::Outcome::failed);
  EXPECT_NE(report.message.find("multiplies errors by 1.5 in every pass"), std::string::npos)
      << report.message;
  EXPECT_NE(report.remedy.find("at most 5e+02 1/s, or take stabilisation: baumgarte-implicit"),
            std::string::npos)
      << report.remedy;
}

TEST(Settings, IndependentCoordinatesOfADrivenMechanismAreNone) {
  const auto system = model::compile(described(four_bar("a.angle", "1 rad/s*time + 90 deg")));
  model::SimulationSettings settings;
  settings.integrator = "state-space-newmark";
  settings.integrator_values = {{"independent", std::vector<std::string>{"crank.angle"}}};
  try {
    simulate(*system, settings);
    FAIL();
  } catch (const core::InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("name none"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace trammel::analysis::setting_laws_test
