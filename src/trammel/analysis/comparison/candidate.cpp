#include "trammel/analysis/comparison/candidate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/output_grid.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/gssss_options.h"
#include "trammel/integrators/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis::comparison {
namespace {

using integrators::Family;

// A member with its name for people and its settings for a model file.
struct Member {
  std::string name;
  std::string integrator;
  model::Values values;
  bool of_family = true;  ///< the GSSSS family
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

double parse_number(const std::string& text) {
  const std::string word = trimmed(text);
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(value)) {
    throw core::InputError(fmt::format("'{}' is no number", text), "write e.g. 0.8 or 1/1/0");
  }
  return value;
}

Member family_member(Family family, const std::vector<double>& rho) {
  const integrators::SpectralRadii radii = rho.size() == 3
                                               ? integrators::SpectralRadii{rho[0], rho[1], rho[2]}
                                               : integrators::SpectralRadii{rho[0], rho[0], rho[0]};
  integrators::gssss_parameters(family, radii);  // throws with the nearest member
  return {integrators::to_string(family, radii),
          "gssss",
          {{"family", std::string(family == Family::U0 ? "U0" : "V0")},
           {"rho", std::vector<double>{radii.minimum, radii.maximum, radii.spurious}}}};
}

Member named_member(const integrators::GssssMember& member, const std::vector<double>& rho) {
  if (!member.takes_radius) return {member.name, member.name, {}};
  if (rho.size() != 1) {
    throw core::InputError(fmt::format("{} takes one spectral radius, not three", member.name),
                           "write e.g. --rho 0.8, or take a family: --methods U0 --rho 1/1/0");
  }
  radii_of(member, rho[0]);  // throws when out of range
  return {fmt::format("{} {:g}", member.name, rho[0]), member.name, {{"spectral_radius", rho[0]}}};
}

// "V0(1, 1, 0)" to its family and radii; false when the text has another form.
bool parse_member(const std::string& text, Family& family, std::vector<double>& rho) {
  if (text.size() < 2 || (text.compare(0, 2, "U0") != 0 && text.compare(0, 2, "V0") != 0)) {
    return false;
  }
  family = text[0] == 'U' ? Family::U0 : Family::V0;
  const std::string rest = trimmed(text.substr(2));
  rho.clear();
  if (rest.empty()) return true;
  if (rest.front() != '(' || rest.back() != ')') return false;
  for (const std::string& part : split_list(rest.substr(1, rest.size() - 2))) {
    rho.push_back(parse_number(part));
  }
  return rho.size() == 3;
}

std::vector<std::string> known_methods() {
  std::vector<std::string> known{"U0", "V0", auto_method_name};
  for (const auto& kind : integrators::integrator_kinds()) known.push_back(kind.name);
  return known;
}

// Of all integrators, each once.
std::vector<std::string> known_stabilisations() {
  std::vector<std::string> known;
  for (const auto& kind : integrators::integrator_kinds()) {
    for (const auto& setting : kind.settings) {
      if (setting.name != "stabilisation") continue;
      for (const std::string& choice : setting.choices) {
        if (std::find(known.begin(), known.end(), choice) == known.end()) known.push_back(choice);
      }
    }
  }
  return known;
}

// An integrator outside the family, once for each tolerance where it chooses its own steps.
void add_other(const std::string& name,
               const std::vector<double>& tolerances,
               std::vector<Member>& members) {
  model::SimulationSettings settings;
  settings.integrator = name;
  if (!chooses_steps(settings)) {
    members.push_back({name, name, {}, false});
    return;
  }
  for (const double tolerance : tolerances) {
    members.push_back({fmt::format("{}, tolerance {:g}", name, tolerance),
                       name,
                       {{"relative_tolerance", tolerance}, {"absolute_tolerance", tolerance}},
                       false});
  }
}

void add_members(const std::string& method, const Axes& axes, std::vector<Member>& members) {
  if (method == auto_method_name) return;  // chooses by the model: add_chosen()
  const std::vector<std::vector<double>>& radii = axes.radii;
  Family family = Family::U0;
  std::vector<double> rho;
  if (parse_member(method, family, rho)) {
    if (!rho.empty()) {
      members.push_back(family_member(family, rho));
    } else if (radii.empty()) {
      members.push_back(family_member(family, {1.0, 1.0, 0.0}));
    }
    for (const auto& each : radii) {
      if (rho.empty()) members.push_back(family_member(family, each));
    }
    return;
  }
  const integrators::GssssMember* member = integrators::find_gssss_member(method);
  if (method == "gssss") {
    throw core::InputError(fmt::format("'{}' stands for many methods", method),
                           "name those to compare: U0, V0, or e.g. hht, bdf, dormand-prince");
  }
  if (member == nullptr && integrators::find_integrator_kind(method) != nullptr) {
    add_other(method, axes.tolerances, members);
    return;
  }
  if (member == nullptr) {
    throw core::InputError(fmt::format("unknown method '{}'", method),
                           core::suggestion(method, known_methods()));
  }
  const double fallback = member->name == "generalized-alpha" ? 0.6 : 0.8;
  if (!member->takes_radius || radii.empty()) {
    members.push_back(named_member(*member, {fallback}));
    return;
  }
  for (const auto& each : radii) members.push_back(named_member(*member, each));
}

// One axis with its mistakes collected.
void collect(core::Diagnostics& mistakes,
             const std::string& axis,
             const std::function<void()>& read) {
  try {
    read();
  } catch (const core::InputError& error) {
    for (core::Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.path = axis;
      mistakes.add(std::move(diagnostic));
    }
  }
}

struct Treatment {
  int index = 3;
  std::string stabilisation;
};

// The stabilisations that were asked for, as far as the integrator has them; else its own first.
std::vector<Treatment> treatments_of_other(const std::string& integrator, const Axes& axes) {
  std::vector<Treatment> list;
  std::vector<std::string> choices;
  for (const auto& setting : integrators::find_integrator_kind(integrator)->settings) {
    if (setting.name == "stabilisation") choices = setting.choices;
  }
  for (const std::string& wanted : axes.stabilisations) {
    if (wanted == "none" && axes.stabilisations.size() > 1) continue;
    if (std::find(choices.begin(), choices.end(), wanted) != choices.end()) {
      list.push_back({1, wanted});
    }
  }
  if (list.empty()) list.push_back({1, choices.empty() ? "none" : choices.front()});
  return list;
}

// Baumgarte and GGL have an index of their own: one treatment for all that were asked for.
std::vector<Treatment> treatments(const Member& member, const Axes& axes) {
  if (!member.of_family) return treatments_of_other(member.integrator, axes);
  std::vector<Treatment> list;
  const auto add = [&](int index, const std::string& stabilisation) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const Treatment& t) {
      return t.index == index && t.stabilisation == stabilisation;
    });
    if (!known) list.push_back({index, stabilisation});
  };
  for (const std::string& stabilisation : axes.stabilisations) {
    for (const int index : axes.indices) {
      add(stabilisation == "baumgarte" ? 1 : (stabilisation == "ggl" ? 2 : index), stabilisation);
    }
  }
  return list;
}

Axes with_fallbacks(Axes axes, double step) {
  if (axes.methods.empty()) axes.methods = {"newmark", "mpr-mpa", "generalized-alpha"};
  if (axes.indices.empty()) axes.indices = {3, 2, 1};
  if (axes.stabilisations.empty()) axes.stabilisations = {"none", "projection"};
  if (axes.steps.empty()) axes.steps = {4.0 * step, 2.0 * step, step};
  if (axes.tolerances.empty()) axes.tolerances = {1e-4, 1e-6, 1e-8};
  std::sort(axes.tolerances.rbegin(), axes.tolerances.rend());
  std::sort(axes.steps.rbegin(), axes.steps.rend());
  axes.steps.erase(std::unique(axes.steps.begin(), axes.steps.end()), axes.steps.end());
  return axes;
}

std::vector<Member> checked_members(const Axes& axes, double until) {
  core::Diagnostics mistakes;
  std::vector<Member> members;
  for (const std::string& method : axes.methods) {
    collect(mistakes, "--methods", [&] { add_members(method, axes, members); });
  }
  for (const int index : axes.indices) {
    if (index >= 1 && index <= 3) continue;
    mistakes.error("--index", fmt::format("index is {}", index), "give 3, 2 or 1");
  }
  const std::vector<std::string> known = known_stabilisations();
  for (const std::string& word : axes.stabilisations) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    mistakes.error("--stabilisation", fmt::format("'{}' is unknown", word),
                   core::suggestion(word, known));
  }
  if (const std::string end = unusable_end(until); !end.empty()) {
    mistakes.error("simulation.until", end, "give its unit: 1 ms");
  }
  for (const double step : axes.steps) {
    if (step > 0.0 && step <= until) {
      const std::string steps = too_many_steps(until, step);
      if (!steps.empty()) mistakes.error("--step", steps, "give longer steps or an earlier end");
      continue;
    }
    mistakes.error("--step", fmt::format("a step of {:g} s does not fit into {:g} s", step, until),
                   "give steps above zero and not longer than the run");
  }
  mistakes.throw_if_errors();
  const auto same = [](const Member& a, const Member& b) { return a.name == b.name; };
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto later = members.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    members.erase(
        std::remove_if(later, members.end(), [&](const Member& m) { return same(m, members[i]); }),
        members.end());
  }
  return members;
}

Candidate candidate_of(const Member& member,
                       const Treatment& treatment,
                       const model::Values& further,
                       const model::SimulationSettings& base) {
  Candidate candidate{member.name, treatment.index, treatment.stabilisation, 0.0, false, base};
  candidate.settings.integrator = member.integrator;
  candidate.settings.integrator_values = member.values;
  auto& values = candidate.settings.integrator_values;
  // Methods in independent coordinates have nothing to stabilise.
  if (setting_of(member.integrator, "stabilisation") != nullptr) {
    values["stabilisation"] = treatment.stabilisation;
  }
  if (member.of_family) {
    values["index"] = static_cast<double>(treatment.index);
    // The step is what is compared: none is rejected for being long.
    values["resolution"] = 0.0;
  }
  for (const auto& [name, value] : further) values[name] = value;
  drop_idle(candidate.settings, further);
  candidate.own_steps = chooses_steps(candidate.settings);
  return candidate;
}

std::string reason_of(const core::InputError& error) {
  return error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
}

// As given, or the integrator's fallback.
template <class Type>
Type chosen_setting(const model::SimulationSettings& settings, const char* name, Type otherwise) {
  const auto given = settings.integrator_values.find(name);
  if (given != settings.integrator_values.end()) {
    const auto* value = std::get_if<Type>(&given->second);
    return value != nullptr ? *value : otherwise;
  }
  for (const auto& setting : integrators::find_integrator_kind(settings.integrator)->settings) {
    if (setting.name != name) continue;
    if (const auto* value = std::get_if<Type>(&setting.fallback)) return *value;
  }
  return otherwise;
}

// What `auto` takes for the model, which may differ from step to step, with index and stabilisation
// of its own: "auto (mpr-mpa)".
void add_chosen(const Axes& axes,
                const model::SimulationSettings& base,
                model::ModelSystem& system,
                Candidates& candidates) {
  if (std::find(axes.methods.begin(), axes.methods.end(), auto_method_name) == axes.methods.end()) {
    return;
  }
  const Assembly assembly = assemble(system);
  model::SimulationSettings wanted = base;
  if (wanted.integrator != auto_method_name) wanted.integrator_values.clear();
  wanted.integrator = auto_method_name;
  model::Values further = axes.settings;
  if (const auto goal = further.extract("goal")) wanted.integrator_values["goal"] = goal.mapped();
  for (const double step : axes.steps) {
    wanted.step = step;
    Candidate candidate;
    candidate.step = step;
    candidate.settings = choose_method(system, assembly, wanted).settings;
    model::SimulationSettings& settings = candidate.settings;
    for (const auto& [name, value] : further) settings.integrator_values[name] = value;
    drop_idle(settings, further);
    candidate.method = fmt::format("{} ({})", auto_method_name, settings.integrator);
    candidate.own_steps = chooses_steps(settings);
    candidate.stabilisation = chosen_setting(settings, "stabilisation", std::string("none"));
    candidate.index = static_cast<int>(chosen_setting(settings, "index", 1.0));
    if (candidate.index == 0) {  // by stabilisation
      const std::string& by = candidate.stabilisation;
      candidate.index = by == "baumgarte" ? 1 : (by == "ggl" ? 2 : 3);
    }
    if (integrators::find_gssss_member(settings.integrator) != nullptr) {
      settings.integrator_values["resolution"] = 0.0;
    }
    try {
      make_integrator(system, settings);
      candidates.list.push_back(candidate);
    } catch (const core::InputError& error) {
      candidates.left_out.push_back({candidate.name(), reason_of(error)});
    }
  }
}

}  // namespace

std::string Candidate::group() const {
  return fmt::format("{}, index {}, {}", method, index, stabilisation);
}

std::string Candidate::name() const {
  return own_steps ? group() : fmt::format("{}, step {:g} s", group(), step);
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

std::vector<double> parse_radii(const std::string& text) {
  std::vector<double> radii;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('/', begin);
    radii.push_back(parse_number(text.substr(begin, end - begin)));
  }
  if (radii.size() == 1 || radii.size() == 3) return radii;
  throw core::InputError(fmt::format("'{}' has {} numbers", text, radii.size()),
                         "give one, e.g. 0.8, or three, e.g. 1/1/0");
}

std::pair<std::string, model::Value> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw core::InputError(fmt::format("'{}' is no setting", text),
                           "write name=value, e.g. start=plain");
  }
  const std::string name = trimmed(text.substr(0, equals));
  const std::string value = trimmed(text.substr(equals + 1));
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (!value.empty() && *end == '\0') return {name, number};
  return {name, value};
}

Candidates expand(const Axes& axes, const model::Description& description) {
  const model::SimulationSettings& base = description.simulation;
  const Axes complete = with_fallbacks(axes, base.step);
  const std::vector<Member> members = checked_members(complete, base.until);
  const std::unique_ptr<model::ModelSystem> system = model::compile(description);
  Candidates candidates;
  for (const Member& member : members) {
    for (const Treatment& treatment : treatments(member, complete)) {
      Candidate candidate = candidate_of(member, treatment, complete.settings, base);
      try {
        make_integrator(*system, candidate.settings);
      } catch (const core::InputError& error) {
        candidates.left_out.push_back({candidate.group(), reason_of(error)});
        continue;
      }
      for (const double step : complete.steps) {
        candidate.step = step;
        candidate.settings.step = step;
        candidates.list.push_back(candidate);
        if (candidate.own_steps) break;
      }
    }
  }
  add_chosen(complete, base, *system, candidates);
  if (candidates.list.empty()) {
    throw core::InputError(
        fmt::format("no combination is left to compare: {}", candidates.left_out.front().reason),
        "choose another index, stabilisation or method");
  }
  return candidates;
}

}  // namespace trammel::analysis::comparison
