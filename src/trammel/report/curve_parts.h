// What joints along curves look like: cams and other closed profiles as plates, wires, slots and
// rails as thin rods, and the roller or the face of a follower.
#pragma once

#include <array>
#include <vector>

#include "trammel/model/joint_symbol.h"
#include "trammel/report/body_parts.h"

namespace trammel::report {

/// A part that belongs to one of the ends of a joint.
struct EndPart {
  std::size_t end = 0;
  Part part;  ///< in the frame of the end's body
};

/// Whether the bodies of a joint with this symbol are led by curves, which it describes.
bool has_curves(model::JointSymbol symbol);

/// Per end, the largest radius of its profile, m; 0 where there is none.
std::array<double, 2> profile_radii(const model::Item& joint, model::JointSymbol symbol);

/// Empty for other joints. `ends` are those of the joint, `point` is the origin of the second end
/// in the frame of the first, as described; `shaped` says per end whether its body has shapes of
/// its own, on which a profile is drawn as a rim only.
std::vector<EndPart> curve_parts(const model::Item& joint,
                                 model::JointSymbol symbol,
                                 const std::vector<End>& ends,
                                 const Eigen::Vector3d& point,
                                 const std::vector<bool>& shaped,
                                 const Proportions& proportions);

}  // namespace trammel::report
