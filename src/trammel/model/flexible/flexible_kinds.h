// Formulations of bodies that bend: how a FlexibleBody becomes freedoms, elements and frames.
//
// A new formulation is one file pair that returns its FlexibleKind, and one line in
// flexible_kinds.cpp. Its builder adds to the description
//
//     bodies        nodes that have a pose of their own, of no mass: the elements bring it
//     amplitudes    further freedoms, such as slopes and deformations
//     elements      BlockElements over both (block_element.h)
//     bodies with a carrier: nodes and frames whose pose follows from the others
//
// so that every node is a body by the name of node_name(), and every frame of the body one of its
// own. From then on joints, forces, drives, sensors, results and pictures know them as bodies, and
// the laws of tests/support/flexible_laws.h apply.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"

namespace trammel::model {

/// A place in a chain of elements: between node `element` and the next, at xi.
struct MeshPlace {
  int element = 0;
  double xi = 0.0;
};

struct FlexibleKind {
  std::string name;
  Space space = Space::planar;
  std::string summary;                ///< one line
  std::vector<std::string> elements;  ///< that it has
  /// `body` has passed check().
  void (*build)(const FlexibleBody& body, Description& description) = nullptr;
  // Of formulations in the plane:
  /// A frame at a place of the centre line, and what it stands on.
  Carrier (*carrier)(const FlexibleBody& body, const MeshPlace& place) = nullptr;
  /// Kelvin and Voigt's damping of element k, on its footing.
  std::shared_ptr<const BlockElement<Planar>> (*damping)(const FlexibleBody& body, int k) = nullptr;
};

const std::vector<FlexibleKind>& flexible_kinds();
/// Null when there is none.
const FlexibleKind* find_flexible_kind(Space space, std::string_view name);
/// Of all formulations of a space, each once.
std::vector<std::string> flexible_formulations(Space space);
std::vector<std::string> flexible_elements(Space space);

/// Of the frame number k by which a line is drawn between nodes.
std::string drawn_name(int k);
bool is_drawn_name(std::string_view name);

/// Everything that is wrong with it, with paths such as "flexible.beam.elements".
void check(const FlexibleBody& body, Space space, core::Diagnostics& diagnostics);

/// Adds the body and all it is made of. Throws InputError when something is wrong with it.
void add_flexible_body(FlexibleBody body, Description& description);

}  // namespace trammel::model
