// Which kinds of joints have a hinge form, and how it is built. Kinds that are not in the list can
// only be chords.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/formulation/hinge.h"
#include "trammel/model/kinds.h"

namespace trammel::formulation {

/// A joint as the compiled model has it, with the values of its fields.
template <class S>
struct HingeInput {
  const model::Values& values;
  model::NodeFrame<S> a;  ///< with the joint's axis along z (planar: along x)
  model::NodeFrame<S> b;
  Pose<S> described;  ///< of node b in node a, in the described configuration
};

struct HingeKind {
  std::string_view joint;  ///< name of the joint kind
  model::Space space = model::Space::spatial;
  int coordinates = 0;  ///< Lagrange coordinates
  Hinge<Planar> (*build_planar)(const HingeInput<Planar>& input) = nullptr;
  Hinge<Spatial> (*build_spatial)(const HingeInput<Spatial>& input) = nullptr;
};

const std::vector<HingeKind>& hinge_kinds();
/// Null when joints of this kind have no hinge form.
const HingeKind* find_hinge_kind(model::Space space, std::string_view joint);

template <class S>
Hinge<S> build_hinge(const HingeKind& kind, const HingeInput<S>& input);

/// The hinge that lets a node go anywhere; point masses do not turn.
template <class S>
Hinge<S> free_hinge(bool rotates);

}  // namespace trammel::formulation
