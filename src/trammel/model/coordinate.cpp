#include "trammel/model/coordinate.h"

#include <algorithm>
#include <cmath>

namespace trammel::model {

template <class S>
double DisplacementCoordinate<S>::value(const Kinematics& a, const Kinematics& b) const {
  return (a.R * n_).dot(points_.distance(a, b));
}

template <>
double DisplacementCoordinate<Spatial>::rate(const Kinematics& a, const Kinematics& b) const {
  return (a.R * n_).dot(points_.rate(a, b)) + (a.R * a.w.cross(n_)).dot(points_.distance(a, b));
}

template <>
double DisplacementCoordinate<Planar>::rate(const Kinematics& a, const Kinematics& b) const {
  const Eigen::Vector2d s = a.R * n_;
  return s.dot(points_.rate(a, b)) + a.w * perpendicular(s).dot(points_.distance(a, b));
}

template class DisplacementCoordinate<Planar>;
template class DisplacementCoordinate<Spatial>;

Eigen::Vector3d BryantCoordinate::angles(const Kinematics& a, const Kinematics& b) const {
  // R = Rx(phi1) Ry(phi2) Rz(phi3) [Sol1983, eq. 2.2.18, corrected].
  const Eigen::Matrix3d R = axes_a_.transpose() * a.R.transpose() * b.R * axes_b_;
  return {std::atan2(-R(1, 2), R(2, 2)), std::asin(std::clamp(R(0, 2), -1.0, 1.0)),
          std::atan2(-R(0, 1), R(0, 0))};
}

double BryantCoordinate::value(const Kinematics& a, const Kinematics& b) const {
  return angles(a, b)[number_];
}

double BryantCoordinate::rate(const Kinematics& a, const Kinematics& b) const {
  const Eigen::Vector3d phi = angles(a, b);
  const Eigen::Vector3d w =
      axes_a_.transpose() * (a.R.transpose() * (b.R * b.w) - a.w);  // in frame a's axes
  const double s1 = std::sin(phi[0]);
  const double c1 = std::cos(phi[0]);
  const double second = c1 * w[1] + s1 * w[2];
  const double third = (c1 * w[2] - s1 * w[1]) / std::cos(phi[1]);
  const double first = w[0] - std::sin(phi[1]) * third;
  return number_ == 0 ? first : (number_ == 1 ? second : third);
}

}  // namespace trammel::model
