// What the analyses found, as tables of two columns.
#pragma once

#include <string>
#include <vector>

#include "report_text.h"

#include "trammel/analysis/inverse.h"
#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/load_path.h"
#include "trammel/analysis/mobility_path.h"
#include "trammel/analysis/modes.h"
#include "trammel/analysis/statics.h"

namespace trammel::cli {

std::vector<std::string> drive_names(const model::Description& description);

Report drive_report(const analysis::DriveCheck& check);
Report kinematics_report(const analysis::KinematicsReport& report);
Report mobility_path_report(const analysis::MobilityPath& path);
Report inverse_report(const analysis::InverseReport& report);
Report statics_report(const analysis::StaticsReport& report);
Report load_path_report(const analysis::LoadPath& path);
Report modes_report(const analysis::Modes& modes);

/// "newton", "load-stepping", "relaxation"; anything else is automatic.
analysis::StaticMethod static_method(const std::string& name);

/// "start", "kinematics", "simulation"; anything else is kinematics if the drives determine it.
analysis::PathKind path_kind(const std::string& along,
                             const model::Description& description,
                             model::ModelSystem& system);

/// One after the other.
Report joined(const std::vector<Report>& parts);

}  // namespace trammel::cli
