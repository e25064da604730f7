// The part of a force law that acts on one side only: ropes, bump stops.
//
//     tension:  e+ = e for e > s/2,  0 for e < -s/2,  s (y^3 - y^4/2), y = e/s + 1/2, in between
//     compression:  the mirror image
// s is the smoothing width; s = 0 leaves a kink. An elastic law E(e) with the potential U(e)
// becomes E(e+) ramp'(e) with the potential U(e+). A damper acts in the share ramp'(e).
#pragma once

namespace trammel::model {

enum class ActsIn { both, tension, compression };

/// Value, slope and curvature of the ramp.
struct Ramp {
  double value = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};

inline Ramp positive_ramp(double x, double s) {
  if (x <= -0.5 * s) return {};
  if (x >= 0.5 * s) return {x, 1.0, 0.0};
  const double y = x / s + 0.5;
  return {s * y * y * y * (1.0 - 0.5 * y), y * y * (3.0 - 2.0 * y), 6.0 * y * (1.0 - y) / s};
}

inline Ramp ramp(ActsIn side, double e, double s) {
  if (side == ActsIn::both) return {e, 1.0, 0.0};
  if (side == ActsIn::tension) return positive_ramp(e, s);
  const Ramp mirrored = positive_ramp(-e, s);
  return {-mirrored.value, mirrored.slope, -mirrored.curvature};
}

}  // namespace trammel::model
