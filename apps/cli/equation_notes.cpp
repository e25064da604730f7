#include "equation_notes.h"

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/symbolic/equation_text.h"

namespace trammel::cli {
namespace {

// What fits on a page.
constexpr std::size_t most_bodies = 6;
constexpr int most_coordinates = 4;
constexpr std::size_t most_terms = 80;
constexpr std::string_view prefix = "equations";

}  // namespace

void note_equations(results::RunInformation& info, const model::Description& description) {
  if (description.bodies.size() > most_bodies) return;
  try {
    const symbolic::Equations equations = symbolic::equations_of_motion(description);
    if (equations.size() == 0 || equations.size() > most_coordinates ||
        equations.terms() > most_terms) {
      return;
    }
    std::vector<std::string> coordinates;
    for (const symbolic::Coordinate& each : equations.coordinates) {
      coordinates.push_back(fmt::format("{} [{}]", each.name, each.unit));
    }
    info.more["equations"] = fmt::format("{}", fmt::join(symbolic::as_mathml(equations), "\n"));
    info.more["equations_latex"] = symbolic::as_latex(equations);
    info.more["equations_coordinates"] = fmt::format("{}", fmt::join(coordinates, "\n"));
  } catch (const core::InputError&) {
    // A model whose equations are not written: the report goes without.
  }
}

bool is_equation_note(std::string_view name) {
  return name.substr(0, prefix.size()) == prefix;
}

}  // namespace trammel::cli
