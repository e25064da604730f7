// Relative motion of two nodes as numbers a person reads: angles, displacements, distances.
//
// A direction is a rate linear in the velocities of both nodes, u = J(q) v; a coordinate is a
// direction that has a position, J = grad c. Joints report them, drives prescribe them, couplings
// relate them, actuators work along them, expressions read them. Second derivatives on a manifold
// are not symmetric: column j of `derivative` is the derivative of J along freedom j.
#pragma once

#include <memory>

#include "trammel/model/constraint.h"
#include "trammel/model/force.h"
#include "trammel/model/point_pair.h"
#include "trammel/model/relative_angle.h"

namespace trammel::model {

template <class S>
class Direction {
 public:
  using Kinematics = typename S::Kinematics;

  virtual ~Direction() = default;
  virtual double rate(const Kinematics& a, const Kinematics& b) const = 0;
  virtual void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const = 0;
  virtual void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const = 0;
};

template <class S>
class Coordinate : public Direction<S> {
 public:
  using Kinematics = typename S::Kinematics;

  virtual double value(const Kinematics& a, const Kinematics& b) const = 0;
  /// The value, and its gradient; for those that find both by the same work.
  virtual double linearise(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const {
    this->jacobian(a, b, J);
    return value(a, b);
  }
  /// True when the value is known only up to whole turns and must be tracked.
  virtual bool wraps() const { return false; }
  /// About where the value of one that wraps begins: what the turns by which both nodes were stated
  /// and those of the frames on them add up to. Zero for directions of points, which have none.
  virtual double stated(const Kinematics& /*a*/,
                        const Kinematics& /*b*/,
                        const Turn<S>& /*turn_a*/,
                        const Turn<S>& /*turn_b*/) const {
    return 0.0;
  }
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
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override {
    J = angle_.gradient(a, b);
  }
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override {
    H = angle_.derivatives(a, b).hessian;
  }
  bool wraps() const override { return S::space == Space::spatial; }
  double stated(const Kinematics& a,
                const Kinematics& b,
                const Turn<S>& turn_a,
                const Turn<S>& turn_b) const override {
    if constexpr (S::space == Space::planar) return angle_.value(a, b);
    if constexpr (S::space == Space::spatial) return angle_.stated(a, b, turn_a, turn_b);
  }

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
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override;

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
  double rate(const Kinematics& a, const Kinematics& b) const override;
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override;

 private:
  PointPair<S> points_;
};

/// A coordinate written for the nodes in the opposite order.
template <class S>
class ReversedCoordinate final : public Coordinate<S> {
 public:
  using Kinematics = typename S::Kinematics;
  explicit ReversedCoordinate(std::unique_ptr<Coordinate<S>> coordinate)
      : coordinate_(std::move(coordinate)) {}
  double value(const Kinematics& a, const Kinematics& b) const override {
    return coordinate_->value(b, a);
  }
  double rate(const Kinematics& a, const Kinematics& b) const override {
    return coordinate_->rate(b, a);
  }
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override;
  bool wraps() const override { return coordinate_->wraps(); }
  double stated(const Kinematics& a,
                const Kinematics& b,
                const Turn<S>& turn_a,
                const Turn<S>& turn_b) const override {
    return coordinate_->stated(b, a, turn_b, turn_a);
  }

 private:
  std::unique_ptr<Coordinate<S>> coordinate_;
};

/// The angular velocity of b relative to a, along a direction fixed in a: s_a . (w_b - w_a). In
/// space it is no coordinate's rate.
class RotationDirection final : public Direction<Spatial> {
 public:
  explicit RotationDirection(const Eigen::Vector3d& direction_a) : n_(direction_a) {}
  double rate(const Kinematics& a, const Kinematics& b) const override;
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<Spatial>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<Spatial>& H) const override;

 private:
  Eigen::Vector3d n_;
};

/// Velocities of both nodes, one after the other.
template <class S>
PairVector<S> pair_velocity(const typename S::Kinematics& a, const typename S::Kinematics& b) {
  PairVector<S> v;
  v << a.v, a.w, b.v, b.w;
  return v;
}

}  // namespace trammel::model
