#include "trammel/formulation/recursive_dynamics.h"

#include <Eigen/LU>

#include "trammel/formulation/recursion_algebra.h"

namespace trammel::formulation {
namespace {

using system::Vector;
using namespace recursion;  // NOLINT(google-build-using-namespace): its algebra

}  // namespace

template <class S>
RecursiveDynamics<S>::RecursiveDynamics(std::shared_ptr<const HingeTree<S>> tree,
                                        std::shared_ptr<const model::Mechanism<S>> mechanism)
    : tree_(std::move(tree)), mechanism_(std::move(mechanism)) {
  int blocks = 0;
  std::vector<int> children(tree_->joints.size(), 0);
  for (const TreeJoint<S>& joint : tree_->joints) {
    Fixed fixed;
    fixed.before_R = joint.elementary.before.rotation();
    fixed.before_p = joint.elementary.before.p;
    fixed.parent = joint.parent;
    fixed.q = joint.q;
    fixed.v = joint.v;
    fixed.prescribed = joint.prescribed;
    const ElementaryKind kind = joint.elementary.kind;
    if (kind == ElementaryKind::ball || kind == ElementaryKind::form) fixed.block = blocks++;
    fixed.size = joint.elementary.velocities();
    fixed.form = joint.elementary.form.get();
    if (fixed.form != nullptr) {
      fixed.form_place = static_cast<int>(forms_.size());
      forms_.emplace_back();
    }
    if (kind == ElementaryKind::slide) fixed.slide = joint.elementary.sign;
    if (kind == ElementaryKind::screw) fixed.slide = joint.elementary.sign * joint.elementary.lead;
    if (kind == ElementaryKind::turn || kind == ElementaryKind::screw)
      fixed.turn = joint.elementary.sign;
    if (joint.parent >= 0) ++children[static_cast<std::size_t>(joint.parent)];
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
  for (const Fixed& fixed : fixed_) {
    if (fixed.block < 0) continue;
    Block block;
    block.s.setZero(S::freedoms, fixed.size);
    block.U = block.s;
    block.inverse_D.setZero(fixed.size, fixed.size);
    block.e.setZero(fixed.size);
    blocks_.push_back(block);
  }
  branches_.resize(static_cast<std::size_t>(branches));
  loads_.assign(fixed_.size(), Twist<S>::Zero());
  a_.assign(fixed_.size(), Twist<S>::Zero());
}

// All bodies that an elementary joint carries, as one.
template <class S>
void RecursiveDynamics<S>::carry_bodies() {
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& carried = tree_->nodes[i];
    if (carried.joint < 0) continue;
    Fixed& fixed = fixed_[static_cast<std::size_t>(carried.joint)];
    const double mass = fixed.mass + mechanism_->nodes[i].mass;
    fixed.centre = (fixed.mass * fixed.centre + mechanism_->nodes[i].mass * carried.place.p) / mass;
    fixed.mass = mass;
  }
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& carried = tree_->nodes[i];
    if (carried.joint < 0) continue;
    Fixed& fixed = fixed_[static_cast<std::size_t>(carried.joint)];
    const model::Node<S>& node = mechanism_->nodes[i];
    fixed.inertia += rotated(carried.place.rotation(), inertia_of(node)) +
                     point_inertia(node.mass, Point(carried.place.p - fixed.centre));
  }
}

template <class S>
void RecursiveDynamics<S>::place_form(const Fixed& fixed,
                                      const double* q,
                                      const Rotation& R,
                                      Moving& moving) {
  FormPlace& form = forms_[static_cast<std::size_t>(fixed.form_place)];
  form.axes = R;
  fixed.form->differentiate(q, form.at);
  moving.R = R * form.at.X.rotation();
  moving.d += R * form.at.X.p;
}

template <>
void RecursiveDynamics<Planar>::place(const Fixed& fixed,
                                      const double* q,
                                      const Rotation& R_parent,
                                      Moving& moving) {
  const Eigen::Matrix2d R = R_parent * fixed.before_R;
  moving.d = R_parent * fixed.before_p;
  if (fixed.form != nullptr) {
    place_form(fixed, q, R, moving);
    return;
  }
  moving.R = fixed.turn == 0.0 ? R : turned(R, fixed.turn * *q);
  if (fixed.slide != 0.0) moving.d += fixed.slide * *q * R.col(0);
}

template <>
void RecursiveDynamics<Spatial>::place(const Fixed& fixed,
                                       const double* q,
                                       const Rotation& R_parent,
                                       Moving& moving) {
  const Eigen::Matrix3d R = R_parent * fixed.before_R;
  moving.d = R_parent * fixed.before_p;
  if (fixed.form != nullptr) {
    place_form(fixed, q, R, moving);
    return;
  }
  if (fixed.block >= 0) {
    moving.R = R * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    return;
  }
  moving.R = fixed.turn == 0.0 ? R : turned(R, fixed.turn * *q);
  if (fixed.slide != 0.0) moving.d += fixed.slide * *q * R.col(2);
}

// Columns and rates of a form, seen at the frame behind it; with V = sum s_i v_i and the part of V'
// that has no v', p'' = V'_O + w' x p + w x p'.
template <class S>
void RecursiveDynamics<S>::set_form_rates(
    const Fixed& fixed, const Vector& v, Spin& turn_rate, Point& slide_rate, Twist<S>& curvature) {
  Block& block = blocks_[static_cast<std::size_t>(fixed.block)];
  const FormPlace& form = forms_[static_cast<std::size_t>(fixed.form_place)];
  const Point& p = form.at.X.p;
  const auto in_world = [&](const Twist<S>& s) {
    Twist<S> seen;
    seen << form.axes * s.template head<S::dimension>(),
        turned_back(form.axes, Spin(s.template tail<S::rotations>()));
    return seen;
  };
  Twist<S> V = Twist<S>::Zero();
  Twist<S> rate = Twist<S>::Zero();
  for (int i = 0; i < fixed.size; ++i) {
    Twist<S> s = form.at.first[static_cast<std::size_t>(i)];
    V += s * v[fixed.v + i];
    s.template head<S::dimension>() += turn_velocity(s, p);
    block.s.col(i) = in_world(s);
    for (int j = 0; j < fixed.size; ++j) {
      rate += v[fixed.v + i] * v[fixed.v + j] *
              form.at.second[static_cast<std::size_t>(i * S::freedoms + j)];
    }
  }
  const Point velocity = V.template head<S::dimension>() + turn_velocity(V, p);
  rate.template head<S::dimension>() += turn_velocity(rate, p) + turn_velocity(V, velocity);
  V.template head<S::dimension>() = velocity;
  V = in_world(V);
  slide_rate = V.template head<S::dimension>();
  turn_rate = V.template tail<S::rotations>();
  curvature = in_world(rate);
}

// Columns and rates of a ball, which turns with the columns of R, or of a form.
template <class S>
void RecursiveDynamics<S>::set_block_rates(const Fixed& fixed,
                                           const Vector& v,
                                           Moving& moving,
                                           Spin& turn_rate,
                                           Point& slide_rate,
                                           Twist<S>& curvature) {
  if (fixed.form != nullptr) {
    set_form_rates(fixed, v, turn_rate, slide_rate, curvature);
  } else if constexpr (S::space == model::Space::spatial) {
    blocks_[static_cast<std::size_t>(fixed.block)].s.template bottomRows<3>() = moving.R;
    turn_rate = moving.R * v.template segment<3>(fixed.v);
  }
}

// Angular velocity, and the acceleration that the elementary joint has without v'.
template <class S>
void RecursiveDynamics<S>::set_step_rates(const Fixed& fixed,
                                          const Spin& w_parent,
                                          const Vector& v,
                                          Moving& moving) {
  Spin turn_rate = Spin::Zero();
  Point slide_rate = Point::Zero();
  Twist<S> curvature = Twist<S>::Zero();
  if (fixed.block >= 0) {
    set_block_rates(fixed, v, moving, turn_rate, slide_rate, curvature);
  } else {
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
  if (fixed.form != nullptr) moving.bias += curvature;
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
    if (carried.joint < 0) continue;
    const auto k = static_cast<std::size_t>(carried.joint);
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

// Inertia and bias load of the bodies of an elementary joint, about its reference point.
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

// Takes the elementary joint's own coordinates out of the articulated body.
template <class S>
void RecursiveDynamics<S>::eliminate(const Fixed& fixed,
                                     Moving& moving,
                                     const Vector* tau,
                                     Articulated& own) {
  if (fixed.prescribed >= 0) {
    own.p.noalias() += own.I * moving.bias;
    return;
  }
  if (fixed.block >= 0) {
    Block& block = blocks_[static_cast<std::size_t>(fixed.block)];
    block.U.noalias() = own.I * block.s;
    const Square D = block.s.transpose() * block.U;
    block.inverse_D = D.inverse();
    block.e.noalias() = -block.s.transpose() * own.p;
    if (tau != nullptr) block.e += tau->segment(fixed.v, fixed.size);
    const Columns scaled = block.U * block.inverse_D;
    own.I.noalias() -= scaled * block.U.transpose();
    own.p.noalias() += own.I * moving.bias + scaled * block.e;
    return;
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
  if (fixed.block >= 0) {
    Block& block = blocks_[static_cast<std::size_t>(fixed.block)];
    block.e.noalias() = tau.segment(fixed.v, fixed.size) - block.s.transpose() * p;
    const Column rate = block.inverse_D * block.e;
    p.noalias() += block.U * rate;
    return;
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
  Articulated carry;  // what the elementary joint with the next number hands on
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
    if (fixed.block >= 0) {
      const Block& block = blocks_[static_cast<std::size_t>(fixed.block)];
      const Column rest = block.e - block.U.transpose() * own;
      const Column rate = block.inverse_D * rest;
      a.segment(fixed.v, fixed.size) = rate;
      own.noalias() += block.s * rate;
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
         blocks_.capacity() * sizeof(Block) + forms_.capacity() * sizeof(FormPlace) +
         branches_.capacity() * sizeof(Articulated) +
         (loads_.capacity() + a_.capacity()) * sizeof(Twist<S>);
}

template class RecursiveDynamics<Planar>;
template class RecursiveDynamics<Spatial>;

}  // namespace trammel::formulation
