#include "trammel/formulation/recursive_dynamics.h"

#include <cmath>

#include <Eigen/LU>

#include "trammel/math/rotation.h"

namespace trammel::formulation {
namespace {

using system::Vector;

// ---- what differs between plane and space

Eigen::Matrix2d turned(const Eigen::Matrix2d& R, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Eigen::Matrix2d result;
  result.col(0) = c * R.col(0) + s * R.col(1);
  result.col(1) = c * R.col(1) - s * R.col(0);
  return result;
}
Eigen::Matrix3d turned(const Eigen::Matrix3d& R, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Eigen::Matrix3d result;
  result.col(0) = c * R.col(0) + s * R.col(1);
  result.col(1) = c * R.col(1) - s * R.col(0);
  result.col(2) = R.col(2);
  return result;
}

Eigen::Vector2d slide_axis(const Eigen::Matrix2d& R) {
  return R.col(0);
}
Eigen::Vector3d slide_axis(const Eigen::Matrix3d& R) {
  return R.col(2);
}
Eigen::Matrix<double, 1, 1> turn_axis(const Eigen::Matrix2d& /*R*/) {
  return Eigen::Matrix<double, 1, 1>(1.0);
}
Eigen::Vector3d turn_axis(const Eigen::Matrix3d& R) {
  return R.col(2);
}

using Spin1 = Eigen::Matrix<double, 1, 1>;

Eigen::Vector2d cross_spin(const Spin1& w, const Eigen::Vector2d& r) {
  return w[0] * model::perpendicular(r);
}
Eigen::Vector3d cross_spin(const Eigen::Vector3d& w, const Eigen::Vector3d& r) {
  return w.cross(r);
}
Spin1 cross_spins(const Spin1& /*a*/, const Spin1& /*b*/) {
  return Spin1(0.0);
}
Eigen::Vector3d cross_spins(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a.cross(b);
}
Spin1 moment(const Eigen::Vector2d& r, const Eigen::Vector2d& F) {
  return Spin1(r.x() * F.y() - r.y() * F.x());
}
Eigen::Vector3d moment(const Eigen::Vector3d& r, const Eigen::Vector3d& F) {
  return r.cross(F);
}

Spin1 rotated(const Eigen::Matrix2d& /*R*/, const Spin1& J) {
  return J;
}
Eigen::Matrix3d rotated(const Eigen::Matrix3d& R, const Eigen::Matrix3d& J) {
  return R * J * R.transpose();
}
Spin1 turned_back(const Eigen::Matrix2d& /*R*/, const Spin1& w) {
  return w;
}
Eigen::Vector3d turned_back(const Eigen::Matrix3d& R, const Eigen::Vector3d& w) {
  return R * w;
}

// m (|r|^2 - r r^T): a point mass about the reference point.
Spin1 point_inertia(double m, const Eigen::Vector2d& r) {
  return Spin1(m * r.squaredNorm());
}
Eigen::Matrix3d point_inertia(double m, const Eigen::Vector3d& r) {
  Eigen::Matrix3d J = -m * r * r.transpose();
  J.diagonal().array() += m * r.squaredNorm();
  return J;
}

// -m skew(r): how an angular acceleration moves the centre.
Eigen::Vector2d coupling(double m, const Eigen::Vector2d& r) {
  return m * model::perpendicular(r);
}
Eigen::Matrix3d coupling(double m, const Eigen::Vector3d& r) {
  return math::skew(-m * r);
}

// X^T I X and X^T p for the shift by d.
void shift(const Eigen::Vector3d& d, TwistMatrix<Spatial>& I) {
  const Eigen::Matrix3d D = math::skew(d);
  const Eigen::Matrix3d B = I.topRightCorner<3, 3>();
  const Eigen::Matrix3d moved = B - I.topLeftCorner<3, 3>() * D;
  I.bottomRightCorner<3, 3>() += D * moved - B.transpose() * D;
  I.topRightCorner<3, 3>() = moved;
  I.bottomLeftCorner<3, 3>() = moved.transpose();
}
void shift(const Eigen::Vector2d& d, TwistMatrix<Planar>& I) {
  const Eigen::Vector2d x = model::perpendicular(d);  // the column of X
  const Eigen::Vector2d B = I.topRightCorner<2, 1>();
  const Eigen::Vector2d moved = B + I.topLeftCorner<2, 2>() * x;
  I(2, 2) += x.dot(moved) + x.dot(B);
  I.topRightCorner<2, 1>() = moved;
  I.bottomLeftCorner<1, 2>() = moved.transpose();
}

template <class S>
void shift_load(const typename S::Point& d, Twist<S>& p) {
  p.template tail<S::rotations>() += moment(d, typename S::Point(p.template head<S::dimension>()));
}

template <class S>
Twist<S> shifted(const Twist<S>& a, const typename S::Point& d) {
  Twist<S> result = a;
  result.template head<S::dimension>() +=
      cross_spin(Eigen::Matrix<double, S::rotations, 1>(a.template tail<S::rotations>()), d);
  return result;
}

Spin1 inertia_of(const model::Node<Planar>& node) {
  return Spin1(node.freedoms == Planar::freedoms ? node.inertia : 0.0);
}
Eigen::Matrix3d inertia_of(const model::Node<Spatial>& node) {
  return node.freedoms == Spatial::freedoms ? node.inertia : Eigen::Matrix3d::Zero();
}

}  // namespace

template <class S>
RecursiveDynamics<S>::RecursiveDynamics(std::shared_ptr<const HingeTree<S>> tree,
                                        std::shared_ptr<const model::Mechanism<S>> mechanism)
    : tree_(std::move(tree)), mechanism_(std::move(mechanism)) {
  int balls = 0;
  std::vector<int> children(tree_->steps.size(), 0);
  for (const TreeStep<S>& step : tree_->steps) {
    Fixed fixed;
    fixed.before_R = step.step.before.rotation();
    fixed.before_p = step.step.before.p;
    fixed.parent = step.parent;
    fixed.q = step.q;
    fixed.v = step.v;
    fixed.prescribed = step.prescribed;
    const StepKind kind = step.step.kind;
    if (kind == StepKind::ball) fixed.ball = balls++;
    if (kind == StepKind::slide) fixed.slide = step.step.sign;
    if (kind == StepKind::screw) fixed.slide = step.step.sign * step.step.lead;
    if (kind == StepKind::turn || kind == StepKind::screw) fixed.turn = step.step.sign;
    if (step.parent >= 0) ++children[static_cast<std::size_t>(step.parent)];
    fixed_.push_back(fixed);
  }
  int branches = 0;
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    // The child numbered next hands its sum on directly; others need a place to leave it.
    const bool next = k + 1 < fixed_.size() && fixed_[k + 1].parent == static_cast<int>(k);
    if (children[k] > (next ? 1 : 0)) fixed_[k].branch = branches++;
  }
  carry_bodies();
  moving_.resize(fixed_.size());
  balls_.resize(static_cast<std::size_t>(balls));
  branches_.resize(static_cast<std::size_t>(branches));
  loads_.assign(fixed_.size(), Twist<S>::Zero());
  a_.assign(fixed_.size(), Twist<S>::Zero());
}

// All bodies that a step carries, as one.
template <class S>
void RecursiveDynamics<S>::carry_bodies() {
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& carried = tree_->nodes[i];
    if (carried.step < 0) continue;
    Fixed& fixed = fixed_[static_cast<std::size_t>(carried.step)];
    const double mass = fixed.mass + mechanism_->nodes[i].mass;
    fixed.centre = (fixed.mass * fixed.centre + mechanism_->nodes[i].mass * carried.place.p) / mass;
    fixed.mass = mass;
  }
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& carried = tree_->nodes[i];
    if (carried.step < 0) continue;
    Fixed& fixed = fixed_[static_cast<std::size_t>(carried.step)];
    const model::Node<S>& node = mechanism_->nodes[i];
    fixed.inertia += rotated(carried.place.rotation(), inertia_of(node)) +
                     point_inertia(node.mass, Point(carried.place.p - fixed.centre));
  }
}

template <>
void RecursiveDynamics<Planar>::place(const Fixed& fixed,
                                      const double* q,
                                      const Rotation& R_parent,
                                      Moving& moving) {
  const Eigen::Matrix2d R = R_parent * fixed.before_R;
  moving.R = fixed.turn == 0.0 ? R : turned(R, fixed.turn * *q);
  moving.d = R_parent * fixed.before_p;
  if (fixed.slide != 0.0) moving.d += fixed.slide * *q * R.col(0);
}

template <>
void RecursiveDynamics<Spatial>::place(const Fixed& fixed,
                                       const double* q,
                                       const Rotation& R_parent,
                                       Moving& moving) {
  const Eigen::Matrix3d R = R_parent * fixed.before_R;
  moving.d = R_parent * fixed.before_p;
  if (fixed.ball >= 0) {
    moving.R = R * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    Ball& ball = balls_[static_cast<std::size_t>(fixed.ball)];
    ball.s.topRows<3>().setZero();
    ball.s.bottomRows<3>() = moving.R;
    return;
  }
  moving.R = fixed.turn == 0.0 ? R : turned(R, fixed.turn * *q);
  if (fixed.slide != 0.0) moving.d += fixed.slide * *q * R.col(2);
}

// Angular velocity, and the acceleration that the step has without v'.
template <class S>
void RecursiveDynamics<S>::set_step_rates(const Fixed& fixed,
                                          const Spin& w_parent,
                                          const Vector& v,
                                          Moving& moving) {
  Spin turn_rate;
  Point slide_rate = Point::Zero();
  if constexpr (S::space == model::Space::spatial) {
    if (fixed.ball >= 0) turn_rate = moving.R * v.template segment<3>(fixed.v);
  }
  if (fixed.ball < 0) {
    const Spin axis = fixed.turn * turn_axis(moving.R);
    moving.s.template tail<S::rotations>() = axis;
    moving.s.template head<S::dimension>().setZero();
    const double rate = fixed.prescribed < 0 ? v[fixed.v] : (*prescribed_)[fixed.prescribed].rate;
    turn_rate = axis * rate;
    if (fixed.slide != 0.0) {
      const Point way = fixed.slide * slide_axis(moving.R);
      moving.s.template head<S::dimension>() = way;
      slide_rate = way * rate;
    }
  }
  moving.w = w_parent + turn_rate;
  moving.bias.template head<S::dimension>() =
      cross_spin(w_parent, Point(cross_spin(w_parent, moving.d) + 2.0 * slide_rate));
  moving.bias.template tail<S::rotations>() = cross_spins(w_parent, turn_rate);
  if (fixed.prescribed >= 0) {
    moving.bias += moving.s * (*prescribed_)[fixed.prescribed].acceleration;
  }
}

template <class S>
void RecursiveDynamics<S>::outwards(const Vector& q, const Vector& v) {
  const Rotation ground = Rotation::Identity();
  const Spin rest = Spin::Zero();
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    const Fixed& fixed = fixed_[k];
    const bool on_ground = fixed.parent < 0;
    const Moving& parent = moving_[on_ground ? 0 : static_cast<std::size_t>(fixed.parent)];
    const double* value =
        fixed.prescribed < 0 ? q.data() + fixed.q : &(*prescribed_)[fixed.prescribed].q;
    place(fixed, value, on_ground ? ground : parent.R, moving_[k]);
    set_step_rates(fixed, on_ground ? rest : parent.w, v, moving_[k]);
  }
}

// What the forces are besides m g and the gyroscopic moments, which body() has already.
template <class S>
void RecursiveDynamics<S>::set_loads(const Vector& absolute_f) {
  std::fill(loads_.begin(), loads_.end(), Twist<S>::Zero());
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& carried = tree_->nodes[i];
    if (carried.step < 0) continue;
    const auto k = static_cast<std::size_t>(carried.step);
    const model::Node<S>& node = mechanism_->nodes[i];
    const Point force =
        absolute_f.template segment<S::dimension>(node.v) - node.mass * mechanism_->gravity;
    const Point arm = moving_[k].R * carried.place.p;
    loads_[k].template head<S::dimension>() += force;
    loads_[k].template tail<S::rotations>() += moment(arm, force);
    if (node.freedoms < S::freedoms) continue;
    const Rotation R = moving_[k].R * carried.place.rotation();
    const Spin torque = absolute_f.template segment<S::rotations>(node.v + S::dimension);
    const SpinMatrix J = rotated(R, inertia_of(node));
    loads_[k].template tail<S::rotations>() +=
        turned_back(R, torque) + cross_spins(moving_[k].w, Spin(J * moving_[k].w));
  }
}

// Inertia and bias load of the bodies of a step, about its reference point.
template <class S>
typename RecursiveDynamics<S>::Articulated RecursiveDynamics<S>::body(const Fixed& fixed,
                                                                      const Moving& moving) const {
  Articulated own;
  const Point r = moving.R * fixed.centre;
  const SpinMatrix J = rotated(moving.R, fixed.inertia);
  own.I.setZero();
  own.I.diagonal().template head<S::dimension>().setConstant(fixed.mass);
  own.I.template topRightCorner<S::dimension, S::rotations>() = coupling(fixed.mass, r);
  own.I.template bottomLeftCorner<S::rotations, S::dimension>() =
      own.I.template topRightCorner<S::dimension, S::rotations>().transpose();
  own.I.template bottomRightCorner<S::rotations, S::rotations>() = J + point_inertia(fixed.mass, r);
  const Point force = fixed.mass * cross_spin(moving.w, Point(cross_spin(moving.w, r)));
  own.p.template head<S::dimension>() = force;
  own.p.template tail<S::rotations>() =
      moment(r, force) + cross_spins(moving.w, Spin(J * moving.w));
  return own;
}

// Takes the step's own coordinates out of the articulated body.
template <class S>
void RecursiveDynamics<S>::eliminate(const Fixed& fixed,
                                     Moving& moving,
                                     const Vector* tau,
                                     Articulated& own) {
  if (fixed.prescribed >= 0) {
    own.p.noalias() += own.I * moving.bias;
    return;
  }
  if constexpr (S::space == model::Space::spatial) {
    if (fixed.ball >= 0) {
      Ball& ball = balls_[static_cast<std::size_t>(fixed.ball)];
      ball.U.noalias() = own.I * ball.s;
      const Eigen::Matrix3d D = ball.s.transpose() * ball.U;
      ball.inverse_D = D.inverse();
      ball.e = -ball.s.transpose() * own.p;
      if (tau != nullptr) ball.e += tau->template segment<3>(fixed.v);
      const Columns scaled = ball.U * ball.inverse_D;
      own.I.noalias() -= scaled * ball.U.transpose();
      own.p.noalias() += own.I * moving.bias + scaled * ball.e;
      return;
    }
  }
  moving.U.noalias() = own.I * moving.s;
  moving.inverse_D = 1.0 / moving.s.dot(moving.U);
  moving.e = (tau == nullptr ? 0.0 : (*tau)[fixed.v]) - moving.s.dot(own.p);
  const Twist<S> scaled = moving.inverse_D * moving.U;
  own.I.noalias() -= scaled * moving.U.transpose();
  own.p.noalias() += own.I * moving.bias;
  own.p += scaled * moving.e;
}

// The same for loads alone, with the factors that are there.
template <class S>
void RecursiveDynamics<S>::eliminate_load(const Fixed& fixed,
                                          Moving& moving,
                                          const Vector& tau,
                                          Twist<S>& p) {
  if (fixed.prescribed >= 0) return;
  if constexpr (S::space == model::Space::spatial) {
    if (fixed.ball >= 0) {
      Ball& ball = balls_[static_cast<std::size_t>(fixed.ball)];
      ball.e = tau.template segment<3>(fixed.v) - ball.s.transpose() * p;
      p += ball.U * (ball.inverse_D * ball.e);
      return;
    }
  }
  moving.e = tau[fixed.v] - moving.s.dot(p);
  p += moving.U * (moving.inverse_D * moving.e);
}

template <class S>
template <bool with_inertia>
void RecursiveDynamics<S>::inwards(const Vector* tau) {
  for (Articulated& branch : branches_) {
    branch.I.setZero();
    branch.p.setZero();
  }
  Articulated carry;  // what the step with the next number hands on
  bool carried = false;
  for (std::size_t k = fixed_.size(); k-- > 0;) {
    const Fixed& fixed = fixed_[k];
    Moving& moving = moving_[k];
    Articulated own;
    if constexpr (with_inertia) {
      own = body(fixed, moving);
      if (has_loads_) own.p -= loads_[k];
      if (carried) own.I += carry.I;
    } else {
      own.p.setZero();
    }
    if (carried) own.p += carry.p;
    if (fixed.branch >= 0) {
      const Articulated& branch = branches_[static_cast<std::size_t>(fixed.branch)];
      if constexpr (with_inertia) own.I += branch.I;
      own.p += branch.p;
    }
    if constexpr (with_inertia) {
      eliminate(fixed, moving, tau, own);
    } else {
      eliminate_load(fixed, moving, *tau, own.p);
    }
    carried = false;
    if (fixed.parent < 0) continue;
    if constexpr (with_inertia) shift(moving.d, own.I);
    shift_load<S>(moving.d, own.p);
    carried = fixed.parent == static_cast<int>(k) - 1;
    if (carried) {
      carry = own;
      continue;
    }
    const int slot = fixed_[static_cast<std::size_t>(fixed.parent)].branch;
    Articulated& branch = branches_[static_cast<std::size_t>(slot)];
    if constexpr (with_inertia) branch.I += own.I;
    branch.p += own.p;
  }
}

template <class S>
void RecursiveDynamics<S>::accelerate(bool with_bias, Vector& a) {
  a.resize(tree_->velocities);
  Twist<S> ground = Twist<S>::Zero();
  if (with_bias) ground.template head<S::dimension>() = -mechanism_->gravity;
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    const Fixed& fixed = fixed_[k];
    const Moving& moving = moving_[k];
    Twist<S> own = shifted<S>(
        fixed.parent < 0 ? ground : a_[static_cast<std::size_t>(fixed.parent)], moving.d);
    if (with_bias) own += moving.bias;
    if (fixed.prescribed >= 0) {
      a_[k] = own;
      continue;
    }
    if (fixed.ball >= 0) {
      const Ball& ball = balls_[static_cast<std::size_t>(fixed.ball)];
      const Eigen::Vector3d rate = ball.inverse_D * (ball.e - ball.U.transpose() * own);
      a.template segment<3>(fixed.v) = rate;
      own += ball.s * rate;
    } else {
      const double rate = moving.inverse_D * (moving.e - moving.U.dot(own));
      a[fixed.v] = rate;
      own += moving.s * rate;
    }
    a_[k] = own;
  }
}

template <class S>
void RecursiveDynamics<S>::accelerations(const Vector& q, const Vector& v, Vector& a) {
  has_loads_ = false;
  outwards(q, v);
  inwards<true>(nullptr);
  accelerate(true, a);
}

template <class S>
void RecursiveDynamics<S>::accelerations(const Vector& q,
                                         const Vector& v,
                                         const Vector& absolute_f,
                                         Vector& a) {
  has_loads_ = true;
  outwards(q, v);
  set_loads(absolute_f);
  inwards<true>(nullptr);
  accelerate(true, a);
}

template <class S>
void RecursiveDynamics<S>::solve(const Vector& tau, Vector& x) {
  inwards<false>(&tau);
  accelerate(false, x);
}

template <class S>
std::size_t RecursiveDynamics<S>::memory_bytes() const {
  return fixed_.capacity() * sizeof(Fixed) + moving_.capacity() * sizeof(Moving) +
         balls_.capacity() * sizeof(Ball) + branches_.capacity() * sizeof(Articulated) +
         (loads_.capacity() + a_.capacity()) * sizeof(Twist<S>);
}

template class RecursiveDynamics<Planar>;
template class RecursiveDynamics<Spatial>;

}  // namespace trammel::formulation
