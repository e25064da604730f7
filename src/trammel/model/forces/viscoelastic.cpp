#include "trammel/model/forces/viscoelastic.h"

#include "trammel/model/forces/formula_text.h"
#include "trammel/model/forces/prony.h"

namespace trammel::model {
namespace {

const std::vector<double>& list_of(const Values& values, const char* name) {
  static const std::vector<double> none;
  return has(values, name) ? numbers(values, name) : none;
}

void check_lengths(const Values& values, const char* first, const char* second) {
  const std::size_t a = list_of(values, first).size();
  const std::size_t b = list_of(values, second).size();
  if (a == b) return;
  throw core::InputError(fmt::format("'{}' has {} numbers, '{}' has {}", first, a, second, b),
                         "give as many of both");
}

PronyFit fitted(const Values& values) {
  check_lengths(values, "relaxation_times", "relaxation_values");
  const std::vector<double>& times = numbers(values, "relaxation_times");
  if (times.size() < 3 || times.front() < 0.0) {
    throw core::InputError("the relaxation function has fewer than three points, or one before 0",
                           "give points of k(t) at increasing times from 0 on");
  }
  if (has(values, "branch_stiffness") || number(values, "stiffness") != 0.0) {
    throw core::InputError("both a Prony series and points of the relaxation function are given",
                           "keep 'stiffness' and its branches, or 'relaxation_times' and "
                           "'relaxation_values'");
  }
  PronyFit fit = fit_prony(times, numbers(values, "relaxation_values"));
  const double most = number(values, "fit_tolerance");
  if (fit.error > most) {
    throw core::InputError(
        fmt::format("the Prony series misses the relaxation function by {:.3g} of its value",
                    fit.error),
        fmt::format("a relaxation function falls ever more slowly; smooth the points, or raise "
                    "'fit_tolerance' ({:g})",
                    most));
  }
  return fit;
}

PronyFit relaxing_material(const Values& values) {
  if (has(values, "relaxation_values") || has(values, "relaxation_times")) return fitted(values);
  check_lengths(values, "branch_stiffness", "branch_times");
  PronyFit given;
  given.series = {number(values, "stiffness"), list_of(values, "branch_stiffness"),
                  list_of(values, "branch_times")};
  if (given.series.stiffness == 0.0 && given.series.times.empty()) {
    throw core::InputError("no stiffness is given",
                           "give 'stiffness', branches, or points of the relaxation function");
  }
  return given;
}

// One Maxwell element: its state, its tension k_i (e - y_i) and its energy.
struct Branch {
  StateVariable state;
  std::string tension;
  std::string energy;
};

Branch branch(const Item& item,
              const Prony& series,
              std::size_t i,
              const std::string& e,
              const std::string& rate) {
  const double k = series.stiffnesses[i];
  const std::string fading = digits(1.0 / series.times[i]);
  const bool loads = text(item.values, "form") == "loads";
  Branch b;
  b.state.name = fmt::format("{}.{}_{}", item.name, loads ? "branch_load" : "branch_strain", i + 1);
  const std::string z = fmt::format("(1*{})", b.state.name);
  if (loads) {
    b.state.rate = fmt::format("{}*{} - {}*{}", digits(k), rate, fading, z);
    b.tension = z;
    b.energy = fmt::format("{}*{}^2", digits(0.5 / k), z);
  } else {
    b.state.rate = fmt::format("({} - {})*{}", e, z, fading);
    b.tension = fmt::format("{}*({} - {})", digits(k), e, z);
    b.energy = fmt::format("{}*({} - {})^2", digits(0.5 * k), e, z);
  }
  return b;
}

LawSet laws_along(const Item& item, const std::string& coordinate) {
  const Values& values = item.values;
  const PronyFit fit = relaxing_material(values);
  const std::string e = difference(coordinate, number(values, "reference"));
  const std::string rate = rate_of(coordinate);
  const bool loads = text(values, "form") == "loads";
  const double start = number(values, "initial_strain");
  std::string tension = fmt::format("{}*{}", digits(fit.series.stiffness), e);
  std::string energy = fmt::format("{}*{}^2", digits(0.5 * fit.series.stiffness), e);
  LawSet set;
  for (std::size_t i = 0; i < fit.series.times.size(); ++i) {
    Branch part = branch(item, fit.series, i, e, rate);
    part.state.initial = loads ? number(values, "initial_load") : start;
    tension += " + " + part.tension;
    energy += " + " + part.energy;
    set.states.push_back(std::move(part.state));
  }
  set.laws.push_back({.along = coordinate,
                      .formula = fmt::format("-({})", tension),
                      .quantity = "load",
                      .dissipates = true,
                      .potential = energy});
  if (has(values, "relaxation_values")) {
    set.outputs.push_back({.name = item.name + ".fit_error", .formula = digits(fit.error)});
  }
  return set;
}

LawSet coordinate_laws(const Item& item, const Description& /*description*/) {
  return laws_along(item, text(item.values, "coordinate"));
}

std::string length_of(const Item& item) {
  return item.name + ".length";
}

LawSet viscoelastic_spring_laws(const Item& item, const Description& /*description*/) {
  return laws_along(item, length_of(item));
}

std::vector<Item> length_sensor(const Item& item) {
  return {Item{.name = length_of(item), .type = "distance", .attachments = item.attachments}};
}

std::vector<Field> viscoelastic_fields(const char* reference) {
  const auto optional_list = [](const char* name, const char* description, bool increasing) {
    return Field{.name = name,
                 .kind = FieldKind::numbers,
                 .description = description,
                 .sign = increasing ? Sign::non_negative : Sign::positive,
                 .optional = true,
                 .increasing = increasing};
  };
  return {
      number_field("stiffness", "k_inf that is left after a long time, SI units", 0.0,
                   Sign::non_negative),
      optional_list("branch_stiffness", "k_i of the Maxwell elements, SI units", false),
      optional_list("branch_times", "tau_i of the Maxwell elements, s", false),
      optional_list("relaxation_times", "times of points of k(t), s; instead of k and tau", true),
      optional_list("relaxation_values", "k(t) at these times, SI units", false),
      number_field("fit_tolerance", "largest relative error of the fit to the points", 0.05,
                   Sign::positive),
      number_field("reference", reference, 0.0, Sign::any),
      Field{.name = "form",
            .kind = FieldKind::choice,
            .description = "what the states are: strains y_i or loads f_i of the branches",
            .fallback = std::string("strains"),
            .choices = {"strains", "loads"}},
      number_field("initial_strain", "y_i at the start (form strains)", 0.0, Sign::any),
      number_field("initial_load", "f_i at the start (form loads)", 0.0, Sign::any)};
}

}  // namespace

ForceKind viscoelastic_spring(Space space) {
  return {.name = "viscoelastic_spring",
          .space = space,
          .summary = "spring with memory between two points: Maxwell branches, relaxation function",
          .fields = viscoelastic_fields("length of the unloaded spring, m"),
          .mirroring = mirrored_by_fields(),
          .laws = viscoelastic_spring_laws,
          .sensors = length_sensor};
}

ForceKind coordinate_viscoelastic(Space space) {
  std::vector<Field> list = viscoelastic_fields("coordinate of the unloaded spring, SI units");
  list.insert(list.begin(), coordinate_field());
  return {.name = "coordinate_viscoelastic",
          .space = space,
          .summary = "spring with memory along a coordinate: Maxwell branches, relaxation function",
          .fields = std::move(list),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = coordinate_laws};
}

}  // namespace trammel::model
