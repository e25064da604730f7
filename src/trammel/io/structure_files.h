// Structures from files that programs of finite elements write:
//
//   matrices    Matrix Market (.mtx): `matrix coordinate` or `matrix array`, `real` or `integer`,
//               `general` or `symmetric`
//   nodes       a table: a name and x, y, z in each line, separated by commas, semicolons, tabs or
//               blanks; a first line of titles, and lines that begin with #, are left out
//   freedoms    what each row of the matrices is: node and direction in each line, `7.2` or `7 2`;
//               1, 2, 3 are along x, y, z, and 4, 5, 6 about them (as CalculiX writes .dof)
//
// Each is read strictly: core::InputError with file and line at the first thing that is wrong.
#pragma once

#include <string>
#include <string_view>

#include "trammel/model/flexible/structure.h"

namespace trammel::io {

inline constexpr std::size_t largest_structure_file = 400'000'000;  ///< bytes

/// `file` is the name for messages.
model::SparseSquare read_matrix_market(std::string_view text, const std::string& file);

std::vector<model::StructureNode> read_node_table(std::string_view text, const std::string& file);

/// Of nodes that are known.
std::vector<model::StructureFreedom> read_freedom_table(
    std::string_view text, const std::string& file, const std::vector<model::StructureNode>& nodes);

/// Three or six of each node, in the order of the nodes, as many as `rows`. Of another number of
/// rows: three of each.
std::vector<model::StructureFreedom> freedoms_in_order(std::size_t nodes, Eigen::Index rows);

/// From units of the file into SI units; forces are those of seconds and these units.
void scale_structure(double length_unit, double mass_unit, model::Structure& structure);

}  // namespace trammel::io
