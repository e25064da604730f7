// What a person wants to know about a model, its assembly and its simulation, as text.
//
// Reports are tables of two columns: what, and what about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/simulate.h"
#include "trammel/model/description.h"
#include "trammel/report/run_notes.h"
#include "trammel/results/channel.h"

namespace trammel::cli {

using Report = std::vector<std::pair<std::string, std::string>>;

/// On standard output, wrapped to the width of the terminal. An empty first column continues.
void print(const Report& report);

/// "1 body", "3 bodies"
std::string count_text(std::size_t count, const std::string& one, const std::string& many);

/// Bodies, joints and forces by kind.
Report contents_report(const model::Description& description);

/// Degrees of freedom; redundant constraints and reactions that are not unique, by name.
Report mobility_report(const analysis::Mobility& mobility);

/// How far the described values were moved, and what is left of the errors.
Report assembly_report(const analysis::Assembly& assembly);

/// On standard error, when stated initial values could not be kept.
void warn_of_moves(const analysis::Assembly& assembly);

/// The method of a simulation, and why it was chosen where nobody named it.
Report method_report(const analysis::MethodChoice& choice);

/// Method, cost, constraint errors, energy and what happened on the way.
Report simulation_report(const analysis::SimulationReport& report, double wall_time);

/// What the examination of a run found, for its report and its results file: the doubts, with the
/// notes after them among the warnings.
report::RunNotes examination_notes(const analysis::SimulationReport& report);

/// A few channels worth a first look: joint coordinates, else positions, else what there is.
std::vector<std::string> interesting_channels(const std::vector<results::Channel>& channels);

}  // namespace trammel::cli
