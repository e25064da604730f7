// One of three angles that turn frame a into frame b, of any of the twelve sequences
// (math/euler_angles.h): R_ab = R_i(t1) R_j(t2) R_k(t3).
//
// With the axis l that completes i, j (and k, if it is another one) and e = +1 if i, j, l follow
// each other as x, y, z do, else -1, entries of R_ab are
//
//     i, j, k different (l = k)     R_ik = e sin t2,  R_jk = -e sin t1 cos t2,  R_kk = cos t1 cos
//     t2,
//                                   R_ij = -e cos t2 sin t3,  R_ii = cos t2 cos t3
//     k = i                         R_ii = cos t2,    R_ji = sin t1 sin t2,  R_li = -e cos t1 sin
//     t2,
//                                   R_ij = sin t2 sin t3,  R_il = e sin t2 cos t3
//
// with "xyz" the Bryant angles [Sol1983, eq. 2.2.18, corrected] and "zxz" the Euler angles of the
// source. Where cos t2 (k = i: sin t2) is zero the first and the third turn have the same axis:
// only their sum or difference is determined, and rates are without bound.
#pragma once

#include "trammel/math/euler_angles.h"
#include "trammel/model/coordinate.h"
#include "trammel/model/direction_cosine.h"

namespace trammel::model {

class EulerCoordinate final : public Coordinate<Spatial> {
 public:
  /// `number` is 0, 1 or 2.
  EulerCoordinate(const NodeFrame<Spatial>& a,
                  const NodeFrame<Spatial>& b,
                  math::EulerSequence sequence,
                  int number);
  double value(const Kinematics& a, const Kinematics& b) const override;
  double rate(const Kinematics& a, const Kinematics& b) const override;
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<Spatial>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<Spatial>& H) const override;
  bool wraps() const override { return number_ != 1; }
  double stated(const Kinematics& a,
                const Kinematics& b,
                const Turn<Spatial>& turn_a,
                const Turn<Spatial>& turn_b) const override;

  math::EulerSequence sequence() const { return sequence_; }
  int number() const { return number_; }
  /// Of the second angle from the nearest value at which the angles are singular, rad.
  double distance_from_singularity(const Kinematics& a, const Kinematics& b) const;
  /// The second angle is between these, rad, and singular at both.
  static std::pair<double, double> range_of_second(math::EulerSequence sequence);

 private:
  /// An entry of R_ab up to its sign.
  struct Entry {
    int row = 0;
    int column = 0;
    double sign = 1.0;
  };
  double entry(const Entry& which, const Kinematics& a, const Kinematics& b) const;
  DirectionCosine cosine(const Entry& which,
                         const Kinematics& a,
                         const Kinematics& b,
                         bool second) const;

  Eigen::Matrix3d axes_a_;
  Eigen::Matrix3d axes_b_;
  Eigen::Vector3d turn_a_;
  Eigen::Vector3d turn_b_;
  math::EulerSequence sequence_;
  int number_;
  /// Of the first and third angle: tangents of them. Of the second its sine (proper: its cosine).
  Entry sine_;
  Entry cosine_;
  Entry second_;
};

/// The names of all sequences, for fields.
std::vector<std::string> euler_sequence_names();

}  // namespace trammel::model
