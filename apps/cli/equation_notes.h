// Equations of motion for the report of a run, where they are few enough to be read.
#pragma once

#include "trammel/model/description.h"
#include "trammel/results/sink.h"

namespace trammel::cli {

/// Notes `equations` (MathML, one a line), `equations_latex` and `equations_coordinates` (name and
/// unit, one a line) for models with few coordinates; nothing for others.
void note_equations(results::RunInformation& info, const model::Description& description);

/// Whether a note is for the report alone.
bool is_equation_note(std::string_view name);

}  // namespace trammel::cli
