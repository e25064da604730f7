// Joint coordinates: what a joint allows, as numbers a person reads (angles, displacements).
#pragma once

#include <memory>

#include "trammel/model/force.h"
#include "trammel/model/point_pair.h"
#include "trammel/model/relative_angle.h"

namespace trammel::model {

template <class S>
class Coordinate {
 public:
  using Kinematics = typename S::Kinematics;

  virtual ~Coordinate() = default;
  virtual double value(const Kinematics& a, const Kinematics& b) const = 0;
  virtual double rate(const Kinematics& a, const Kinematics& b) const = 0;
  /// True when the value is known only up to whole turns and must be tracked.
  virtual bool wraps() const { return false; }
};

/// The angle between the frames about z.
template <class S>
class AngleCoordinate final : public Coordinate<S> {
 public:
  using Kinematics = typename S::Kinematics;
  explicit AngleCoordinate(RelativeAngle<S> angle) : angle_(std::move(angle)) {}
  double value(const Kinematics& a, const Kinematics& b) const override {
    return angle_.value(a, b);
  }
  double rate(const Kinematics& a, const Kinematics& b) const override { return angle_.rate(a, b); }
  bool wraps() const override { return S::space == Space::spatial; }

 private:
  RelativeAngle<S> angle_;
};

/// The displacement of b's point along a direction fixed in a: s_a . (p_b - p_a).
template <class S>
class DisplacementCoordinate final : public Coordinate<S> {
 public:
  using Kinematics = typename S::Kinematics;
  DisplacementCoordinate(PointPair<S> points, typename S::Point direction_a)
      : points_(std::move(points)), n_(std::move(direction_a)) {}
  double value(const Kinematics& a, const Kinematics& b) const override;
  double rate(const Kinematics& a, const Kinematics& b) const override;

 private:
  PointPair<S> points_;
  typename S::Point n_;
};

/// The distance between the two points.
template <class S>
class DistanceCoordinate final : public Coordinate<S> {
 public:
  using Kinematics = typename S::Kinematics;
  explicit DistanceCoordinate(PointPair<S> points) : points_(std::move(points)) {}
  double value(const Kinematics& a, const Kinematics& b) const override {
    return points_.distance(a, b).norm();
  }
  double rate(const Kinematics& a, const Kinematics& b) const override {
    const typename S::Point d = points_.distance(a, b);
    return d.dot(points_.rate(a, b)) / d.norm();
  }

 private:
  PointPair<S> points_;
};

/// A coordinate written for the nodes in the opposite order.
class ReversedCoordinate final : public Coordinate<Spatial> {
 public:
  explicit ReversedCoordinate(std::unique_ptr<Coordinate<Spatial>> coordinate)
      : coordinate_(std::move(coordinate)) {}
  double value(const Kinematics& a, const Kinematics& b) const override {
    return coordinate_->value(b, a);
  }
  double rate(const Kinematics& a, const Kinematics& b) const override {
    return coordinate_->rate(b, a);
  }
  bool wraps() const override { return coordinate_->wraps(); }

 private:
  std::unique_ptr<Coordinate<Spatial>> coordinate_;
};

/// Number 0, 1 or 2 of the Bryant angles that turn frame a into frame b; singular when the second
/// is a right angle.
class BryantCoordinate final : public Coordinate<Spatial> {
 public:
  BryantCoordinate(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b, int number)
      : axes_a_(a.axes), axes_b_(b.axes), number_(number) {}
  double value(const Kinematics& a, const Kinematics& b) const override;
  double rate(const Kinematics& a, const Kinematics& b) const override;
  bool wraps() const override { return number_ != 1; }

 private:
  Eigen::Vector3d angles(const Kinematics& a, const Kinematics& b) const;

  Eigen::Matrix3d axes_a_;
  Eigen::Matrix3d axes_b_;
  int number_;
};

}  // namespace trammel::model
