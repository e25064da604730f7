// Euler angles of all twelve sequences: three turns about axes that move with the body.
//
// R_WB (3x3) maps body components to world components, x_W = R_WB x_B. A sequence "ijk" with angles
// theta = (t1, t2, t3) in rad turns about body axis i, then about the new axis j, then about the
// newest axis k (intrinsic):
//
//   R_WB = R_i(t1) R_j(t2) R_k(t3),    R_z(t) = [c -s 0; s c 0; 0 0 1] and so on.
//
// "zxz" are the Euler angles 3-1-3 [Sol1983, sec. 2.2; Chiou1990, sec. 2.4], "xyz" the Bryant
// (Cardan) angles [Sol1983, eq. 2.2.18]. Both sources print transposed or reordered matrices in
// places; the product above is what is meant. [Chiou1990] works with the transpose of R_WB
// throughout.
//
// Proper sequences (i = k, "zxz") are singular at sin(t2) = 0, the others ("xyz") at cos(t2) = 0:
// there only the sum or the difference of t1 and t3 is determined.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Geometry>

namespace trammel::math {

enum class Axis { x = 0, y = 1, z = 2 };

/// The unit vector along an axis.
Eigen::Vector3d unit_vector(Axis axis);

/// The turn by `angle` (rad) about one axis.
Eigen::Matrix3d elementary_rotation(Axis axis, double angle);

/// The axes of three successive turns; neighbours differ, so there are twelve of them.
class EulerSequence {
 public:
  static constexpr EulerSequence euler_zxz() { return {Axis::z, Axis::x, Axis::z}; }
  static constexpr EulerSequence bryant_xyz() { return {Axis::x, Axis::y, Axis::z}; }

  /// From three lower-case letters, "zyx". Throws core::InputError for anything but the twelve
  /// names.
  static EulerSequence parse(std::string_view name);
  /// All twelve, the six with three different axes first.
  static const std::array<EulerSequence, 12>& all();

  Axis axis(int turn) const { return axes_[static_cast<std::size_t>(turn)]; }
  /// First and last axis are the same, as in "zxz".
  bool is_proper() const { return axes_[0] == axes_[2]; }
  std::string name() const;

  bool operator==(const EulerSequence&) const = default;

 private:
  constexpr EulerSequence(Axis first, Axis second, Axis third) : axes_{first, second, third} {}

  std::array<Axis, 3> axes_;
};

Eigen::Quaterniond quaternion_from_angles(EulerSequence sequence, const Eigen::Vector3d& angles);
Eigen::Matrix3d matrix_from_angles(EulerSequence sequence, const Eigen::Vector3d& angles);

/// Angles with t1, t3 in (-pi, pi] and t2 in [0, pi] (proper) or [-pi/2, pi/2]. They reproduce the
/// rotation to rounding everywhere; in a singular position t3 = 0 is chosen.
Eigen::Vector3d angles_from_quaternion(EulerSequence sequence, const Eigen::Quaterniond& q_WB);
/// The same from a matrix; throws core::InputError if it is not a rotation.
Eigen::Vector3d angles_from_matrix(EulerSequence sequence, const Eigen::Matrix3d& R_WB);

/// E with w_WB_B = E(theta) theta', the angular velocity in body components (rad/s). Its columns
/// are the three turning axes seen from the body; |det E| = |sin(t2)| (proper) or |cos(t2)|.
Eigen::Matrix3d angle_rate_matrix(EulerSequence sequence, const Eigen::Vector3d& angles);

/// The vectors w_j of [Sol1983, eq. 2.2.7] as columns: skew(w_j) = (dR/dt_j) R^T, so that the
/// angular velocity in world components is w_WB_W = sum w_j t_j'.
Eigen::Matrix3d rotation_vectors(EulerSequence sequence, const Eigen::Vector3d& angles);

/// Their derivatives: column j of matrix i is dw_j/dt_i [Sol1983, eq. 2.2.12], which is w_i x w_j
/// for i < j and zero otherwise.
std::array<Eigen::Matrix3d, 3> rotation_vector_derivatives(EulerSequence sequence,
                                                           const Eigen::Vector3d& angles);

/// w_WB_W' = sum w_j t_j'' + sum dw_j/dt_i t_i' t_j' [Sol1983, eq. 2.2.14], world components.
Eigen::Vector3d angular_acceleration_from_rates(EulerSequence sequence,
                                                const Eigen::Vector3d& angles,
                                                const Eigen::Vector3d& rates,
                                                const Eigen::Vector3d& second_rates);

/// How far the angles are from their singularity: |det E|, from 0 (singular) to 1.
double distance_from_singularity(EulerSequence sequence, const Eigen::Vector3d& angles);

Eigen::Vector3d angular_velocity_from_rates(EulerSequence sequence,
                                            const Eigen::Vector3d& angles,
                                            const Eigen::Vector3d& rates);

/// The inverse, or nothing where distance_from_singularity < 1e-9: there the rates of most motions
/// would be infinite. Choose another sequence or Euler parameters.
std::optional<Eigen::Vector3d> rates_from_angular_velocity(EulerSequence sequence,
                                                           const Eigen::Vector3d& angles,
                                                           const Eigen::Vector3d& w_WB_B);

}  // namespace trammel::math
