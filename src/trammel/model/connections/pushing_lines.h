// Joints that guide a point: found from where the point goes, or from the lines along which their
// row pushes.
//
// A single row that pushes along a line (n, m), m the moment about b's centre, pushes through
// c = p + n x m. Lines that all pass through one point of b, and all through one point of a, are
// those of a rod; lines of one direction in a, through one point of b, those of a point on a plane
// (in the plane: of a pin in a slot).
#pragma once

#include "trammel/model/connections/known_hinge.h"
#include "trammel/model/connections/motion_samples.h"

namespace trammel::model {

/// A candidate that leaves all freedoms but one; without a kind where there is none.
KnownHinge<Planar> single_row(const std::vector<MotionSample<Planar>>& samples);
KnownHinge<Spatial> single_row(const std::vector<MotionSample<Spatial>>& samples);
/// All turns about a point that is guided on a line or a circle.
KnownHinge<Spatial> guided_point(const std::vector<MotionSample<Spatial>>& samples);

}  // namespace trammel::model
