#include "trammel/model/euler_coordinate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel::model {

EulerCoordinate::EulerCoordinate(const NodeFrame<Spatial>& a,
                                 const NodeFrame<Spatial>& b,
                                 math::EulerSequence sequence,
                                 int number)
    : axes_a_(a.axes),
      axes_b_(b.axes),
      turn_a_(a.turn),
      turn_b_(b.turn),
      sequence_(sequence),
      number_(number) {
  const int i = static_cast<int>(sequence.axis(0));
  const int j = static_cast<int>(sequence.axis(1));
  const int l = 3 - i - j;  // the axis that is neither
  const double e = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  if (sequence.is_proper()) {
    second_ = {i, i, 1.0};
    sine_ = number == 0 ? Entry{j, i, 1.0} : Entry{i, j, 1.0};
    cosine_ = number == 0 ? Entry{l, i, -e} : Entry{i, l, e};
  } else {
    second_ = {i, l, e};
    sine_ = number == 0 ? Entry{j, l, -e} : Entry{i, j, -e};
    cosine_ = number == 0 ? Entry{l, l, 1.0} : Entry{i, i, 1.0};
  }
}

double EulerCoordinate::entry(const Entry& which, const Kinematics& a, const Kinematics& b) const {
  return which.sign * (a.R * axes_a_.col(which.row)).dot(b.R * axes_b_.col(which.column));
}

DirectionCosine EulerCoordinate::cosine(const Entry& which,
                                        const Kinematics& a,
                                        const Kinematics& b,
                                        bool second) const {
  return {which.sign * axes_a_.col(which.row), axes_b_.col(which.column), a, b, second};
}

double EulerCoordinate::value(const Kinematics& a, const Kinematics& b) const {
  if (number_ != 1) return std::atan2(entry(sine_, a, b), entry(cosine_, a, b));
  const double second = std::clamp(entry(second_, a, b), -1.0, 1.0);
  return sequence_.is_proper() ? std::acos(second) : std::asin(second);
}

// The first turns about an axis of a, the last about one of b.
double EulerCoordinate::stated(const Kinematics& a,
                               const Kinematics& b,
                               const Turn<Spatial>& turn_a,
                               const Turn<Spatial>& turn_b) const {
  const auto axis = static_cast<int>(sequence_.axis(number_));
  const Eigen::Vector3d along = number_ == 0 ? Eigen::Vector3d(a.R * axes_a_.col(axis))
                                             : Eigen::Vector3d(b.R * axes_b_.col(axis));
  return along.dot(b.R * (turn_b + turn_b_) - a.R * (turn_a + turn_a_));
}

// w_ab in the axes of frame b is E times the rates.
double EulerCoordinate::rate(const Kinematics& a, const Kinematics& b) const {
  const Eigen::Matrix3d R = axes_a_.transpose() * a.R.transpose() * b.R * axes_b_;
  const Eigen::Vector3d w = axes_b_.transpose() * (b.w - b.R.transpose() * (a.R * a.w));
  const Eigen::Vector3d angles =
      math::angles_from_quaternion(sequence_, Eigen::Quaterniond(R).normalized());
  const Eigen::Matrix3d E = math::angle_rate_matrix(sequence_, angles);
  return (E.inverse() * w)[number_];
}

void EulerCoordinate::jacobian(const Kinematics& a,
                               const Kinematics& b,
                               PairVector<Spatial>& J) const {
  if (number_ != 1) {
    J = angle_gradient(cosine(sine_, a, b, false), cosine(cosine_, a, b, false));
    return;
  }
  const DirectionCosine c = cosine(second_, a, b, false);
  const double sign = sequence_.is_proper() ? -1.0 : 1.0;
  J = sign * c.gradient / std::sqrt(1.0 - c.value * c.value);
}

void EulerCoordinate::derivative(const Kinematics& a,
                                 const Kinematics& b,
                                 PairMatrix<Spatial>& H) const {
  if (number_ != 1) {
    H = angle_hessian(cosine(sine_, a, b, true), cosine(cosine_, a, b, true));
    return;
  }
  const DirectionCosine c = cosine(second_, a, b, true);
  const double sign = sequence_.is_proper() ? -1.0 : 1.0;
  const double other = std::sqrt(1.0 - c.value * c.value);
  H = sign *
      (c.hessian / other + c.value / (other * other * other) * c.gradient * c.gradient.transpose());
}

double EulerCoordinate::distance_from_singularity(const Kinematics& a, const Kinematics& b) const {
  const double second = std::clamp(entry(second_, a, b), -1.0, 1.0);
  return std::asin(std::sqrt(1.0 - second * second));
}

std::pair<double, double> EulerCoordinate::range_of_second(math::EulerSequence sequence) {
  constexpr double right = 0.5 * std::numbers::pi;
  return sequence.is_proper() ? std::pair(0.0, 2.0 * right) : std::pair(-right, right);
}

std::vector<std::string> euler_sequence_names() {
  std::vector<std::string> names;
  for (const math::EulerSequence& sequence : math::EulerSequence::all()) {
    names.push_back(sequence.name());
  }
  return names;
}

}  // namespace trammel::model
