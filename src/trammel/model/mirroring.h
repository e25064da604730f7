// How the items of a kind look in a mirror (io/transform.h: a mirrored copy of a sub-assembly).
//
// Values are given in the components of the frames that an item is attached to, which are mirrored
// with the bodies. A field tells what its value is: a polar vector (the axis of a slider, a force),
// an axial one (the axis of a hinge, a torque), or a number that changes its sign (an angle or
// torque about z in the plane). Axes of rotation are axial, so that the angle of a hinge has the
// same value in symmetric motions. The kind tells whether that is all.
#pragma once

#include <string>
#include <utility>

namespace trammel::model {

/// What becomes of the value of a field.
enum class Mirrored {
  same,    ///< it stays
  odd,     ///< a number that changes its sign
  polar,   ///< a vector that is mirrored
  axial,   ///< a vector that is mirrored and reversed
  matrix,  ///< over displacements and rotations, row by row
  hand,    ///< right or left
};

/// Has no default: every kind of joint, force, coupling and drive tells it.
class Mirroring {
 public:
  Mirroring(bool possible, std::string unless, std::string reason)
      : possible_(possible), unless_(std::move(unless)), reason_(std::move(reason)) {}

  bool is_possible() const { return possible_; }
  /// Items with a value of this field have no mirror image; empty: there is no such field.
  const std::string& unless() const { return unless_; }
  /// Why there is none.
  const std::string& reason() const { return reason_; }

 private:
  bool possible_;
  std::string unless_;
  std::string reason_;
};

/// The mirror image is an item of the same kind, with values as the fields tell.
inline Mirroring mirrored_by_fields() {
  return {true, {}, {}};
}

/// With an axis_b the zero angle depends on directions that are chosen for the user.
inline Mirroring mirrored_without_axis_b() {
  return {true, "axis_b", "its zero angle has no mirror image"};
}

/// `because` ends the sentence "cannot be mirrored: ...".
inline Mirroring not_mirrored(std::string because) {
  return {false, {}, std::move(because)};
}

/// A slider's displacement and a distance keep their value in the mirror, an angle in the plane
/// changes its sign, a position in the world becomes another function of the placement, a state is
/// whatever its own formula makes it: neither names nor dimensions tell which.
inline Mirroring not_mirrored_with_quantities() {
  return not_mirrored(
      "the mirror keeps some of the quantities that it may read or act along, reverses others and "
      "does neither with positions in the world, and its values do not tell which");
}

}  // namespace trammel::model
