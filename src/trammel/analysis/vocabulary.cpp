#include "trammel/analysis/vocabulary.h"

#include "trammel/analysis/auto_method.h"
#include "trammel/integrators/kinds.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::analysis {
namespace {

model::Field field_of(const integrators::Setting& setting) {
  model::Field field{.name = setting.name,
                     .dimension = setting.dimension,
                     .description = setting.description,
                     .choices = setting.choices};
  if (std::holds_alternative<std::string>(setting.fallback)) {
    field.kind = model::FieldKind::choice;
  } else if (std::holds_alternative<std::vector<double>>(setting.fallback)) {
    field.kind = model::FieldKind::numbers;
  } else if (std::holds_alternative<std::vector<std::string>>(setting.fallback)) {
    field.kind = model::FieldKind::quantities;
  }
  std::visit([&](const auto& value) { field.fallback = value; }, setting.fallback);
  return field;
}

}  // namespace

std::vector<MethodKind> integrator_kinds() {
  std::vector<MethodKind> kinds;
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    MethodKind method{kind.name, kind.summary, {}};
    for (const integrators::Setting& setting : kind.settings) {
      method.fields.push_back(field_of(setting));
    }
    kinds.push_back(std::move(method));
  }
  kinds.push_back({auto_method_name,
                   "a method chosen for the model, by a tolerance or for a step, and said why",
                   {{.name = "goal",
                     .kind = model::FieldKind::choice,
                     .description = "what is wanted most",
                     .fallback = goal_names().front(),
                     .choices = goal_names()},
                    {.name = "tolerance",
                     .description = "a method that chooses its steps by it; 0: one for the step",
                     .fallback = 0.0}}});
  return kinds;
}

std::vector<MethodKind> solver_kinds() {
  std::vector<MethodKind> kinds{
      {"auto", "block-ldlt, and klu with the full tangent where that converges slowly", {}}};
  for (const linear::SolverKind& kind : linear::solver_kinds()) {
    kinds.push_back({kind.name, kind.summary, {}});
  }
  return kinds;
}

}  // namespace trammel::analysis
