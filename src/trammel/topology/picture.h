// A tree as text for people, as a GraphViz file, and as a picture.
//
// Branches are drawn solid, cut joints dashed; a free hinge that ties an isolated part is dotted.
#pragma once

#include <string>

#include "trammel/topology/tree.h"

namespace trammel::topology {

/// Branches with their coordinates, cut joints, loops by name, location column; the location and
/// tree matrices of systems of at most `most_matrix_bodies` bodies.
std::string to_text(const Tree& tree, int most_matrix_bodies = 12);
/// For the program `dot` of GraphViz.
std::string to_dot(const Tree& tree);
/// A drawing of its own: one row for each depth.
std::string to_svg(const Tree& tree);

}  // namespace trammel::topology
