#include "trammel/integrators/solver_choice.h"

#include <vector>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::integrators {

std::unique_ptr<linear::KktSolver> solver_by_name(const std::string& name) {
  auto solver = linear::make_solver(name == "auto" ? "block-ldlt" : name);
  if (solver) return solver;
  std::vector<std::string> known{"auto"};
  for (const auto& kind : linear::solver_kinds()) known.push_back(kind.name);
  throw core::InputError(fmt::format("unknown linear solver '{}'", name),
                         core::suggestion(name, known));
}

}  // namespace trammel::integrators
