// The choice of coordinates of a model: absolute, relative, or whichever suits its topology.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trammel/formulation/relative_system.h"

namespace trammel::formulation {

/// What a model file may say: "absolute", "relative", "auto".
struct CoordinatesKind {
  std::string_view name;
  std::string_view summary;
};
const std::vector<CoordinatesKind>& coordinates_kinds();

/// Which coordinates "auto" takes, and why.
struct Choice {
  bool relative = false;
  std::string reason;
};
Choice choose_coordinates(const model::Description& description, const topology::Tree& tree);

/// The spanning tree of a description; throws InputError when the description has mistakes.
topology::Tree topology_of(const model::Description& description);

/// Drives whose coordinate relative coordinates take out of the unknowns (prescribed_hinges.h).
std::vector<std::string> prescribed_by_drives(const model::Description& description);

struct CompiledModel {
  std::unique_ptr<model::ModelSystem> system;
  std::string coordinates;  ///< "absolute" or "relative"
  std::string reason;       ///< of an automatic choice; empty otherwise
};

/// Compiles a description in the coordinates that its simulation settings name. Throws InputError
/// for mistakes in the description and for an unknown name. Analyses that look at the rows of
/// drives keep them.
CompiledModel compile_model(model::Description description,
                            HingeDrives drives = HingeDrives::prescribed);
/// In relative coordinates, whatever the settings say.
std::unique_ptr<RelativeModel> compile_relative(model::Description description,
                                                HingeDrives drives = HingeDrives::prescribed);

}  // namespace trammel::formulation
