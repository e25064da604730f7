#include "trammel/model/assembly/node_motion.h"

#include "trammel/model/node_state.h"
#include "trammel/model/wrapping_angles.h"

namespace trammel::model {
namespace {

template <class S>
bool has_velocity_forces(const Mechanism<S>& m) {
  return std::any_of(m.forces.begin(), m.forces.end(),
                     [](const auto& named) { return named.force->depends_on_velocity(); }) ||
         std::any_of(m.laws.begin(), m.laws.end(),
                     [](const auto& named) { return named.law.depends_on_velocity(); }) ||
         std::any_of(m.connections.begin(), m.connections.end(),
                     [](const auto& named) { return named.connection->flows(); }) ||
         !m.joint_frictions.empty() || !m.elements.empty();
}

template <class S>
int largest_local_size(const Mechanism<S>& m) {
  int largest = 0;
  for (const auto& named : m.relations) largest = std::max(largest, named.relation.local_size());
  for (const auto& named : m.laws) largest = std::max(largest, named.law.local_size());
  for (const auto& named : m.connections) {
    largest = std::max(largest, named.connection->workspace_size());
  }
  return largest;
}

template <class S>
int largest_footing(const Mechanism<S>& m) {
  int largest = 0;
  for (const auto& named : m.elements) largest = std::max(largest, named.footing.size());
  return largest;
}

// Questions about one place come one after the other: a rotation that is known stays.
void read_on(const system::State& state, const Node<Planar>& node, Planar::Kinematics& k) {
  if (node.is_carried()) return;
  if (node.freedoms == Planar::freedoms && state.q[node.q + 2] == k.angle) {
    k.p = state.q.segment<2>(node.q);
  } else {
    read_position(state.q, node, k);
  }
  read_velocity(state.v, node, k);
}
void read_on(const system::State& state, const Node<Spatial>& node, Spatial::Kinematics& k) {
  read_state(state, node, k);
}

}  // namespace

template <class S>
NodeMotion<S>::NodeMotion(std::shared_ptr<const ElementGroups<S>> groups)
    : groups_(std::move(groups)) {
  const Mechanism<S>& m = mechanism();
  kinematics_.resize(m.nodes.size() + m.internal_nodes.size());
  if (has_velocity_forces(m)) inverse_tangent_.assign(m.nodes.size(), NodeMatrix::Identity());
  if (groups_->condensed) condensation_ = std::make_unique<Condensation<S>>(groups_->condensed);
  for (const auto& named : m.connections) memories_.push_back(named.connection->memory());
  history_.branches.assign(static_cast<std::size_t>(m.branch_count), expression::let_go);
  history_.frictions.resize(m.joint_frictions.size());
  find_open_rows();
  set_threads(1);
  restart_angles();
}

template <class S>
NodeMotion<S>::NodeMotion(const NodeMotion& other)
    : groups_(other.groups_),
      history_(other.history_),
      open_rows_(other.open_rows_),
      last_time_(other.last_time_),
      kinematics_(other.kinematics_),
      inverse_tangent_(other.inverse_tangent_),
      work_(other.work_),
      scratch_(other.scratch_),
      memories_(other.memories_),
      condensation_(other.condensation_ ? std::make_unique<Condensation<S>>(*other.condensation_)
                                        : nullptr) {}

template <class S>
void NodeMotion<S>::set_threads(std::size_t threads) {
  work_.resize(threads);
  for (FormulaWorkspace<S>& work : work_) work.reserve(largest_local_size(mechanism()));
  scratch_.resize(threads);
  for (ElementScratch& scratch : scratch_) scratch.reserve(largest_footing(mechanism()));
}

template <class S>
std::size_t NodeMotion<S>::memory_bytes() const {
  return kinematics_.capacity() * sizeof(Kinematics) +
         inverse_tangent_.capacity() * sizeof(NodeMatrix) +
         history_.turns.capacity() * sizeof(double);
}

template <class S>
void NodeMotion<S>::find_open_rows() {
  open_rows_.clear();
  for (std::size_t i = 0; i < history_.frictions.size(); ++i) {
    const int row = mechanism().joint_frictions[i].row;
    if (row >= 0 && history_.frictions[i].slip != Slip::sticking) open_rows_.push_back(row);
  }
}

template <class S>
void NodeMotion<S>::set_friction(std::size_t number, const History::Friction& friction) {
  history_.frictions[number] = friction;
  find_open_rows();
}

template <class S>
Instant<S> NodeMotion<S>::instant(const system::State& state, std::size_t thread) {
  Instant<S> now{kinematics_, history_, work_[thread]};
  now.t = state.t;
  now.clock = clock(state.t);
  now.q = &state.q;
  now.v = &state.v;
  now.z = &state.z;
  now.memories = &memories_;
  now.scratch = &scratch_[thread];
  return now;
}

template <class S>
Instant<S> NodeMotion<S>::instant(const system::Motion& motion, std::size_t thread) {
  Instant<S> now = instant(motion.state, thread);
  now.a = condensation_ ? &condensation_->accelerations(motion.a) : &motion.a;
  now.lambda = &motion.lambda;
  return now;
}

template <class S>
void NodeMotion<S>::read(const system::State& state,
                         std::vector<Kinematics>& kinematics,
                         CarriedNodes which) {
  const std::vector<Node<S>>& nodes = mechanism().nodes;
  for (std::size_t i = 1; i < nodes.size(); ++i) read_state(state, nodes[i], kinematics[i]);
  if (!condensation_) return;
  condensation_->carry(state, kinematics, which);
  continue_angles(kinematics, which);
}

// The angle of a carried node is found from its freedoms, which may not tell whole turns.
template <class S>
void NodeMotion<S>::continue_angles(std::vector<Kinematics>& kinematics, CarriedNodes which) const {
  if constexpr (S::space == Space::planar) {
    if (history_.carried_angles.empty()) return;
    for (std::size_t i = 0; i < mechanism().carried.size(); ++i) {
      if (which == CarriedNodes::loaded && !groups_->condensed->loaded[i]) continue;
      double& angle = kinematics[static_cast<std::size_t>(mechanism().carried[i].node)].angle;
      angle = nearest_turn(angle, history_.carried_angles[i]);
    }
  }
}

template <class S>
void NodeMotion<S>::read_chunk(const system::State& state, const Division::Chunk& chunk) {
  for (int i = chunk.first_node; i < chunk.last_node; ++i) {
    const auto index = static_cast<std::size_t>(i);
    read_on(state, mechanism().nodes[index], kinematics_[index]);
  }
}

template <class S>
Instant<S> NodeMotion<S>::at(const system::State& state) {
  read(state, kinematics_);
  return instant(state);
}

template <class S>
Instant<S> NodeMotion<S>::at(const system::Motion& motion) {
  read(motion.state, kinematics_);
  return instant(motion);
}

template <class S>
Instant<S> NodeMotion<S>::moving(const system::State& state) {
  Instant<S> now = at(state);
  groups_->connections.settle_moving(now);
  return now;
}

template <class S>
Instant<S> NodeMotion<S>::moving(const system::Motion& motion) {
  Instant<S> now = at(motion);
  groups_->connections.settle_moving(now);
  return now;
}

template <class S>
void NodeMotion<S>::accept(const system::State& state) {
  read(state, kinematics_, CarriedNodes::loaded_and_poses);
  const Instant<S> now = instant(state);
  groups_->connections.accept(now);
  std::size_t number = 0;
  for_wrapping_angles(mechanism(), [&](const Coordinate<S>& coordinate, int a, int b) {
    double& last = history_.turns[number++];
    last = nearest_turn(coordinate.value(now.at(a), now.at(b)), last);
  });
  if constexpr (S::space == Space::planar) {
    history_.carried_angles.resize(mechanism().carried.size());
    for (std::size_t i = 0; i < mechanism().carried.size(); ++i) {
      history_.carried_angles[i] = now.at(mechanism().carried[i].node).angle;
    }
  }
}

template <class S>
void NodeMotion<S>::restart_angles() {
  history_.turns = mechanism().described_turns;
  history_.carried_angles.clear();
  accept(mechanism().described);
}

template <class S>
void NodeMotion<S>::rates(const Instant<S>& now, Vector& rates) const {
  const Place<S> place = now.place();
  const auto& states = mechanism().states;
  rates.resize(mechanism().sizes.z);
  for (std::size_t i = 0; i < states.size(); ++i) {
    rates[static_cast<Eigen::Index>(i)] = states[i].rate.value(place, now.work);
  }
  groups_->connections.set_place_rates(now, rates);
}

template class NodeMotion<Planar>;
template class NodeMotion<Spatial>;

}  // namespace trammel::model
