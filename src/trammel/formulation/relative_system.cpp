#include "trammel/formulation/relative_system.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/formulation/relative_facts.h"
#include "trammel/math/rotation.h"
#include "trammel/system/open_row.h"

namespace trammel::formulation {

using system::Vector;

namespace {

Eigen::Quaterniond quaternion(const Vector& q, int first) {
  return {q[first], q[first + 1], q[first + 2], q[first + 3]};
}

}  // namespace

// ---- the constant part

template <class S>
void RelativeSystem<S>::number_rows(Constant& constant) {
  const model::Mechanism<S>& m = *constant.mechanism;
  std::vector<bool> of_tree(static_cast<std::size_t>(m.sizes.multipliers()), false);
  for (const TreeHinge<S>& hinge : constant.tree->hinges) {
    if (hinge.joint < 0) continue;
    const model::MechanismJoint<S>& joint = m.joints[static_cast<std::size_t>(hinge.joint)];
    std::fill_n(of_tree.begin() + joint.first_row, joint.rows, true);
  }
  for (const PrescribedJoint& joint : constant.tree->prescribed) {
    const int row = m.relations[static_cast<std::size_t>(joint.relation)].row;
    of_tree[static_cast<std::size_t>(row)] = true;
  }
  constant.sizes = {
      .q = constant.tree->coordinates, .v = constant.tree->velocities, .z = m.sizes.z};
  for (int row = 0; row < m.sizes.multipliers(); ++row) {
    if (of_tree[static_cast<std::size_t>(row)]) {
      constant.row_of.push_back(-1);
      continue;
    }
    constant.row_of.push_back(static_cast<int>(constant.absolute_row.size()));
    constant.absolute_row.push_back(row);
    (row < m.sizes.holonomic ? constant.sizes.holonomic : constant.sizes.nonholonomic) += 1;
  }
}

template <class S>
void RelativeSystem<S>::set_scale(Constant& constant) {
  constant.displacement_scale.setOnes(constant.sizes.v);
  constant.is_length.assign(static_cast<std::size_t>(constant.sizes.v), false);
  for (const TreeJoint<S>& joint : constant.tree->joints) {
    for (int i = 0; i < joint.velocities; ++i) {
      const bool length =
          joint.elementary.kind == ElementaryKind::slide ||
          (joint.elementary.kind == ElementaryKind::form && joint.elementary.form->is_length(i));
      if (length) constant.displacement_scale[joint.v + i] = constant.mechanism->size;
      constant.is_length[static_cast<std::size_t>(joint.v + i)] = length;
    }
  }
}

// Coordinates hinge by hinge; rates from v_abs = S v, body by body from the ground outwards.
template <class S>
void RelativeSystem<S>::extract(const Constant& constant,
                                TreeMotion<S>& motion,
                                const system::State& absolute,
                                system::State& state) {
  const model::Mechanism<S>& m = *constant.mechanism;
  const HingeTree<S>& tree = *constant.tree;
  tree.coordinates_of(m, absolute.q, state.q);
  state.t = absolute.t;
  state.z = absolute.z;
  state.v.setZero(constant.sizes.v);
  motion.set_time(state.t);
  motion.set_positions(state.q);
  for (const TreeHinge<S>& hinge : tree.hinges) {
    const auto set_velocities = [&] {
      for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
        motion.set_velocity(hinge.first_joint + static_cast<int>(k), state.v);
      }
    };
    set_velocities();
    const int columns = hinge.velocities;
    if (columns == 0) continue;
    const model::Node<S>& node = m.nodes[static_cast<std::size_t>(hinge.node)];
    const TwistMatrix<S> E = motion.node_map(hinge.node);
    const int last = tree.nodes[static_cast<std::size_t>(hinge.node)].joint;
    Eigen::Matrix<double, S::freedoms, Eigen::Dynamic> J(S::freedoms, columns);
    for (int i = 0; i < columns; ++i) J.col(i) = E * motion.s(hinge.v + i);
    Twist<S> rest = -E * motion.V(last);
    rest.head(node.freedoms) += absolute.v.segment(node.v, node.freedoms);
    state.v.segment(hinge.v, columns) = J.colPivHouseholderQr().solve(rest);
    set_velocities();
  }
}

template <class S>
std::shared_ptr<const typename RelativeSystem<S>::Constant> RelativeSystem<S>::make_constant(
    const model::Description& description,
    std::shared_ptr<const model::Mechanism<S>> mechanism,
    topology::Tree tree,
    HingeDrives drives) {
  auto constant = std::make_shared<Constant>(std::move(tree));
  constant->mechanism = std::move(mechanism);
  constant->tree = std::make_shared<const HingeTree<S>>(
      build_hinge_tree(description, *constant->mechanism, constant->topology, drives));
  number_rows(*constant);
  set_scale(*constant);
  constant->reactions = TreeReactions<S>(*constant->mechanism, *constant->tree);
  TreeMotion<S> motion(constant->tree, constant->mechanism);
  extract(*constant, motion, constant->mechanism->described, constant->described);
  constant->facts = std::make_unique<const Facts>(*constant);
  return constant;
}

template <class S>
RelativeSystem<S>::RelativeSystem(const model::Description& description,
                                  std::shared_ptr<const model::Mechanism<S>> mechanism,
                                  topology::Tree tree,
                                  HingeDrives drives)
    : constant_(make_constant(description, mechanism, std::move(tree), drives)),
      absolute_(mechanism),
      passed_on_{system::capability<system::TimeSwitches>(absolute_),
                 system::capability<system::Threads>(absolute_)},
      motion_(constant_->tree, mechanism),
      K_q_(mechanism->pattern),
      K_v_(mechanism->pattern),
      recursion_(constant_->tree, mechanism) {
  absolute_motion_.state = mechanism->described;
  absolute_motion_.a.setZero(mechanism->sizes.v);
  absolute_motion_.lambda.setZero(mechanism->sizes.multipliers());
  zero_.setZero(constant_->sizes.v);
}

template <class S>
RelativeSystem<S>::RelativeSystem(const RelativeSystem& other)
    : RelativeModel(other),
      system::FirstOrderStates(other),
      system::PositionMeasure(other),
      system::ConstraintDependentForces(other),
      system::ReactionWeights(other),
      model::FrictionModes(other),
      system::StateBranches(other),
      model::ConnectionWatch(other),
      system::CoordinateNames(other),
      constant_(other.constant_),
      absolute_(other.absolute_),
      passed_on_{system::capability<system::TimeSwitches>(absolute_),
                 system::capability<system::Threads>(absolute_)},
      motion_(other.motion_),
      tangent_(other.tangent_),
      absolute_motion_(other.absolute_motion_),
      zero_(other.zero_),
      K_q_(other.K_q_),
      K_v_(other.K_v_),
      recursion_(other.recursion_) {}

template <class S>
std::shared_ptr<const RelativePattern> RelativeSystem<S>::relative_pattern() const {
  const Constant& constant = *constant_;
  std::call_once(constant.pattern_made, [&] {
    constant.pattern = std::make_shared<const RelativePattern>(build_relative_pattern(
        *constant.mechanism, *constant.tree, constant.row_of, constant.sizes.multipliers()));
  });
  return constant.pattern;
}

template <class S>
std::unique_ptr<system::MechanicalSystem> RelativeSystem<S>::clone() const {
  return std::make_unique<RelativeSystem<S>>(*this);
}

// Coordinates of hinges by those of their joints, where these are as many.
template <class S>
std::string RelativeSystem<S>::coordinate_name(int component) const {
  for (const TreeHinge<S>& hinge : constant_->tree->hinges) {
    const int place = component - hinge.v;
    if (place < 0 || place >= hinge.velocities) continue;
    const auto at = static_cast<std::size_t>(place);
    if (hinge.joint < 0) {
      const auto node = static_cast<std::size_t>(hinge.node);
      return constant_->mechanism->nodes[node].name + "." + std::to_string(place + 1);
    }
    const auto& joint = constant_->mechanism->joints[static_cast<std::size_t>(hinge.joint)];
    const bool named = static_cast<int>(joint.coordinates.size()) == hinge.velocities;
    return joint.name + "." +
           (named ? std::string(joint.coordinates[at].name) : std::to_string(place + 1));
  }
  return "coordinate " + std::to_string(component + 1);
}

template <class S>
std::string RelativeSystem<S>::constraint_name(int row) const {
  const model::RowName name = constant_->facts->row_names()[static_cast<std::size_t>(row)];
  return name.label.empty() ? name.joint : name.joint + ", " + name.label;
}

// ---- the manifold: vectors, and unit quaternions at balls

template <class S>
void RelativeSystem<S>::retract(const Vector& q, const Vector& x, Vector& q_moved) const {
  q_moved.resize(q.size());
  for (const TreeJoint<S>& joint : constant_->tree->joints) {
    if (joint.velocities == 0) continue;
    if (joint.elementary.kind != ElementaryKind::ball) {
      for (int i = 0; i < joint.velocities; ++i)
        q_moved[joint.q + i] = q[joint.q + i] + x[joint.v + i];
      continue;
    }
    const Eigen::Quaterniond turned =
        quaternion(q, joint.q) * math::exponential(x.segment<3>(joint.v));
    // First-order renormalisation: round-off is all there is to remove.
    const double factor = 1.5 - 0.5 * turned.squaredNorm();
    q_moved[joint.q] = factor * turned.w();
    q_moved.segment<3>(joint.q + 1) = factor * turned.vec();
  }
}

template <class S>
void RelativeSystem<S>::logarithm(const Vector& from, const Vector& to, Vector& x) const {
  x.resize(constant_->sizes.v);
  for (const TreeJoint<S>& joint : constant_->tree->joints) {
    if (joint.velocities == 0) continue;
    if (joint.elementary.kind != ElementaryKind::ball) {
      for (int i = 0; i < joint.velocities; ++i)
        x[joint.v + i] = to[joint.q + i] - from[joint.q + i];
    } else {
      x.segment<3>(joint.v) =
          math::logarithm(quaternion(from, joint.q).conjugate() * quaternion(to, joint.q));
    }
  }
}

template <class S>
void RelativeSystem<S>::inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const {
  dx = delta;
  for (const TreeJoint<S>& joint : constant_->tree->joints) {
    if (joint.elementary.kind != ElementaryKind::ball) continue;
    dx.segment<3>(joint.v) =
        math::inverse_tangent_operator(x.segment<3>(joint.v)) * delta.segment<3>(joint.v);
  }
}

// ---- equations of motion

template <class S>
void RelativeSystem<S>::set_state(const system::State& state) {
  absolute_motion_.state.t = state.t;
  absolute_motion_.state.z = state.z;
  const double clock = absolute_.evaluator().nodes().clock(state.t);
  const bool same_place = known_.t == clock && known_.q == state.q;
  if (same_place && known_.v == state.v) return;
  if (!same_place) {
    motion_.set_time(clock);
    motion_.set_positions(state.q);
    motion_.write_positions(absolute_motion_.state.q);
  }
  motion_.set_velocities(state.v);
  motion_.write_velocities(absolute_motion_.state.v);
  known_.t = clock;
  known_.q = state.q;
  known_.v = state.v;
}

// Loops are closed by differences of absolute positions, however small the hinge coordinates are.
template <class S>
void RelativeSystem<S>::magnitudes(const system::State& state, Vector& m) {
  set_state(state);
  system::position_measure(absolute_)->magnitudes(absolute_motion_.state, r_);
  const double farthest = r_.size() > 0 ? r_.maxCoeff() : 0.0;
  m = std::max(1.0, farthest / absolute_.size()) * constant_->displacement_scale;
}

template <class S>
void RelativeSystem<S>::set_motion(const system::Motion& motion) {
  set_state(motion.state);
  motion_.set_accelerations(motion.state.v, motion.a);
  motion_.write_accelerations(absolute_motion_.a);
  absolute_motion_.lambda.setZero();
  for (std::size_t i = 0; i < constant_->absolute_row.size(); ++i) {
    absolute_motion_.lambda[constant_->absolute_row[i]] =
        motion.lambda[static_cast<Eigen::Index>(i)];
  }
}

template <class S>
void RelativeSystem<S>::pick_rows(const Vector& absolute, Vector& rows) const {
  rows.resize(constant_->sizes.multipliers());
  for (std::size_t i = 0; i < constant_->absolute_row.size(); ++i) {
    rows[static_cast<Eigen::Index>(i)] = absolute[constant_->absolute_row[i]];
  }
}

template <class S>
void RelativeSystem<S>::residual(const system::Motion& motion, Vector& r, Vector& constraint) {
  set_motion(motion);
  absolute_.residual(absolute_motion_, r_, rows_);
  motion_.pull_back(r_, r);
  pick_rows(rows_, constraint);
}

template <class S>
void RelativeSystem<S>::tangent(const system::Motion& motion,
                                const system::Weights& weights,
                                const Vector* step,
                                system::KktMatrix& tangent) {
  std::fill(tangent.values.begin(), tangent.values.end(), 0.0);
  set_motion(motion);
  motion_.set_second_derivatives();
  if (weights.position == 0.0 && weights.velocity == 0.0) {
    set_jacobian();
  } else {
    absolute_.residual(absolute_motion_, r_, rows_);
    motion_.sum_wrenches(r_);
    absolute_.tangent(absolute_motion_, {.position = 1.0}, nullptr, K_q_);
    absolute_.tangent(absolute_motion_, {.velocity = 1.0}, nullptr, K_v_);
  }
  if (!tangent_) tangent_.emplace(constant_->mechanism, relative_pattern());
  tangent_->assemble_rows(motion_, K_q_, size(), tangent);
  tangent_->assemble(motion_, {absolute_motion_, r_, K_q_, K_v_}, weights, step, tangent);
  for (const int absolute_row : absolute_.evaluator().nodes().open_rows()) {
    system::open_row(constant_->row_of[static_cast<std::size_t>(absolute_row)], tangent);
  }
}

template <class S>
void RelativeSystem<S>::set_jacobian() {
  absolute_.tangent(absolute_motion_, {}, nullptr, K_q_);
}

// S^T (f_abs - M S' v): what is missing of r without accelerations and multipliers.
template <class S>
void RelativeSystem<S>::forces(const system::State& state, Vector& f) {
  set_state(state);
  motion_.set_accelerations(state.v, zero_);
  motion_.write_accelerations(absolute_motion_.a);
  absolute_.forces(absolute_motion_.state, r_);
  const model::Mechanism<S>& m = *constant_->mechanism;
  for (const model::Node<S>& node : m.nodes) {
    if (node.freedoms == 0) continue;
    r_.segment<S::dimension>(node.v) -=
        node.mass * absolute_motion_.a.segment<S::dimension>(node.v);
    if (node.freedoms < S::freedoms) continue;
    const int first = node.v + S::dimension;
    r_.segment<S::rotations>(first) -=
        node.inertia * absolute_motion_.a.segment<S::rotations>(first);
  }
  motion_.pull_back(r_, f);
}

template <class S>
void RelativeSystem<S>::position_constraint(const system::State& state, Vector& g) {
  set_state(state);
  absolute_.position_constraint(absolute_motion_.state, rows_);
  pick_rows(rows_, g);
}

template <class S>
void RelativeSystem<S>::velocity_constraint(const system::State& state, Vector& g_dot) {
  set_state(state);
  absolute_.velocity_constraint(absolute_motion_.state, rows_);
  pick_rows(rows_, g_dot);
}

template <class S>
void RelativeSystem<S>::acceleration_bias(const system::State& state, Vector& gamma) {
  set_state(state);
  motion_.set_accelerations(state.v, zero_);
  motion_.write_accelerations(absolute_motion_.a);
  absolute_.acceleration_bias(absolute_motion_.state, rows_);
  pick_rows(rows_, gamma);
  set_jacobian();
  add_row_accelerations(gamma);
}

template <class S>
void RelativeSystem<S>::add_row_accelerations(Vector& rows) const {
  if (constant_->sizes.multipliers() == 0) return;
  const model::Mechanism<S>& m = *constant_->mechanism;
  const std::shared_ptr<const RelativePattern> pattern = relative_pattern();
  for (const RowPart& part : pattern->rows) {
    const int first = m.nodes[static_cast<std::size_t>(part.node)].v;
    for (int k = part.first; k < part.first + part.count; ++k) {
      const BlockEntry& entry = pattern->row_entries[static_cast<std::size_t>(k)];
      rows[part.row] += K_q_.values[static_cast<std::size_t>(entry.position)] *
                        absolute_motion_.a[first + entry.column];
    }
  }
}

// ---- what the absolute system answers

template <class S>
void RelativeSystem<S>::rates(const system::State& state, Vector& rates) {
  set_state(state);
  model::NodeMotion<S>& nodes = absolute_.evaluator().nodes();
  nodes.rates(nodes.moving(absolute_motion_.state), rates);
}

template <class S>
void RelativeSystem<S>::rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) {
  set_state(state);
  absolute_.first_order_states()->rate_tangent(absolute_motion_.state, tangent);
}

template <class S>
system::Energy RelativeSystem<S>::energy(const system::State& state) {
  set_state(state);
  return absolute_.energy(absolute_motion_.state);
}

// Tree joints do no work, whatever their multipliers; prescribed hinges bring in that of their
// drives.
template <class S>
system::Power RelativeSystem<S>::power(const system::Motion& motion) {
  if (constant_->tree->prescribed.empty()) {
    set_motion(motion);
  } else {
    to_absolute(motion);
  }
  return absolute_.power(absolute_motion_);
}

template <class S>
void RelativeSystem<S>::set_slip(const model::StickRow& row,
                                 model::Slip slip,
                                 const system::State& state) {
  set_state(state);
  model::friction_modes(absolute_).set_slip(row, slip, absolute_motion_.state);
}

template <class S>
model::SlipPlace RelativeSystem<S>::slip_at(const model::StickRow& row,
                                            const system::Motion& motion) {
  set_motion(motion);
  return model::friction_modes(absolute_).slip_at(row, absolute_motion_);
}

template <class S>
std::size_t RelativeSystem<S>::memory_bytes() const {
  return absolute_.memory_bytes() + constant_->tree->memory_bytes() +
         (tangent_ ? relative_pattern()->memory_bytes() + tangent_->memory_bytes() : 0) +
         motion_.memory_bytes() + recursion_.memory_bytes() +
         2 * K_q_.values.capacity() * sizeof(double);
}

template <class S>
void RelativeSystem<S>::observe(const system::Motion& motion, double* values) {
  absolute_.observe(to_absolute(motion), values);
}

template <class S>
void RelativeSystem<S>::accept(const system::State& state) {
  set_state(state);
  absolute_.accept(absolute_motion_.state);
}

template <class S>
double RelativeSystem<S>::fastest_turn(const system::State& state) {
  set_state(state);
  return absolute_.fastest_turn(absolute_motion_.state);
}

template <class S>
std::vector<std::string> RelativeSystem<S>::prescribed_by() const {
  std::vector<std::string> names;
  for (const PrescribedJoint& joint : constant_->tree->prescribed) {
    names.push_back(constant_->mechanism->relations[static_cast<std::size_t>(joint.relation)].name);
  }
  return names;
}

template <class S>
system::State RelativeSystem<S>::from_absolute(const system::State& absolute) {
  system::State state;
  known_.t = std::numeric_limits<double>::quiet_NaN();
  extract(*constant_, motion_, absolute, state);
  return state;
}

template <class S>
const system::Motion& RelativeSystem<S>::to_absolute(const system::Motion& motion) {
  set_motion(motion);
  absolute_.residual(absolute_motion_, r_, rows_);
  set_jacobian();
  constant_->reactions.recover(K_q_, r_, absolute_motion_.lambda);
  return absolute_motion_;
}

template class RelativeSystem<Planar>;
template class RelativeSystem<Spatial>;

}  // namespace trammel::formulation
