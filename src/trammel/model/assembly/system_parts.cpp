#include "trammel/model/assembly/system_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "trammel/model/connections/kinematic_connection.h"
#include "trammel/model/node_state.h"

namespace trammel::model {

using system::Vector;

// ---- first-order states

template <class S>
StateRates<S>::StateRates(Evaluator<S>& evaluator) : evaluator_(evaluator) {
  for (const NamedConnection<S>& named : evaluator.mechanism().connections) {
    for (const int state : named.connection->states()) {
      const bool known =
          std::find(moving_states_.begin(), moving_states_.end(), state) != moving_states_.end();
      if (!known) moving_states_.push_back(state);
    }
    for (int i = 0; i < named.connection->place_states(); ++i) {
      moving_states_.push_back(named.connection->first_place_state() + i);
    }
  }
}

template <class S>
void StateRates<S>::rates(const system::State& state, Vector& rates) {
  NodeMotion<S>& nodes = evaluator_.nodes();
  nodes.rates(nodes.moving(state), rates);
}

template <class S>
void StateRates<S>::rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) {
  const Mechanism<S>& m = evaluator_.mechanism();
  const Instant<S> now = evaluator_.nodes().moving(state);
  const Place<S> place = now.place();
  tangent.setZero(m.sizes.z, m.sizes.z);
  for (std::size_t i = 0; i < m.states.size(); ++i) {
    const Formula<S>& rate = m.states[i].rate;
    rate.gradient(place, now.work);
    for (std::size_t j = 0; j < rate.inputs().size(); ++j) {
      const Measure<S>& input = rate.inputs()[j];
      if (input.kind != Measure<S>::Kind::state) continue;
      tangent(static_cast<Eigen::Index>(i), input.index) += now.work.gradient[j];
    }
  }
  if (!moving_states_.empty()) difference_rates(state, tangent);
}

template <class S>
void StateRates<S>::difference_rates(const system::State& state, Eigen::MatrixXd& tangent) {
  probe_ = state;
  for (const int j : moving_states_) {
    const double step = 1e-6 * std::max(1.0, std::abs(state.z[j]));
    probe_.z[j] = state.z[j] + step;
    rates(probe_, above_);
    probe_.z[j] = state.z[j] - step;
    rates(probe_, below_);
    probe_.z[j] = state.z[j];
    tangent.col(j) = (above_ - below_) / (2.0 * step);
  }
}

// ---- energy balance, reactions

template <class S>
std::string StepBalance<S>::obstacle() const {
  const Mechanism<S>& m = evaluator_.mechanism();
  for (const CarriedNode<S>& carried : m.carried) {
    // In the plane condense_between() balances the work of what acts on it; a mass that depends on
    // the motion has no balance.
    const Node<S>& node = m.nodes[static_cast<std::size_t>(carried.node)];
    if (S::space == Space::planar && node.mass == 0.0) continue;
    return "'" + node.name + "' is carried by others, which has no discrete gradient";
  }
  for (const ElementGroup<S>* group : evaluator_.groups()->all) {
    std::string obstacle = group->obstacle();
    if (!obstacle.empty()) return obstacle;
  }
  return {};
}

template <class S>
JointReactions<S>::JointReactions(Evaluator<S>& evaluator) : evaluator_(evaluator) {
  const Mechanism<S>& m = evaluator.mechanism();
  has_loads_ = !m.joint_frictions.empty() ||
               std::any_of(m.laws.begin(), m.laws.end(), [](const NamedLaw<S>& named) {
                 return named.law.depends_on_reactions();
               });
}

template <class S>
void JointReactions<S>::reaction_weights(const system::State& state, Vector& weights) {
  weights.setZero(evaluator_.mechanism().sizes.multipliers());
  evaluator_.groups()->joints.set_reaction_weights(evaluator_.nodes().at(state), weights);
}

// ---- functions of time

template <class S>
system::TimeSwitch FormulaSwitches<S>::next_switch(double t, double h, int highest) {
  system::TimeSwitch first;
  const double from = std::max(t, evaluator_.mechanism().first_time);
  for (const TimedFormula& formula : evaluator_.mechanism().timed) {
    const double end = std::min(t + h, (1.0 + system::TimeSwitch::round_off) * first.last);
    first = system::first_of(first, formula.next(from, end, h, highest, work_));
  }
  return first;
}

template <class S>
void FormulaSwitches<S>::hold_before(const system::TimeSwitch& next) {
  held_ = next;
  const bool never = std::isinf(next.time);
  evaluator_.nodes().hold_clock(never ? next.time : std::nextafter(next.time, -INFINITY));
}

// ---- conditions on the motion

template <class S>
template <class Visit>
void FormulaBranches<S>::visit(const system::Motion& motion, Visit&& visit) {
  const Instant<S> now = evaluator_.nodes().moving(motion);
  const Place<S> place = now.loaded_place();
  for (const BranchedFormula<S>& branched : evaluator_.mechanism().branched) {
    branched.formula.value(place, now.work);
    const double* registers = now.work.program.take(0).data();
    for (std::size_t i = 0; i < branched.branches.size(); ++i) {
      visit(branched.branches[i], branched.first + static_cast<int>(i), registers);
    }
  }
}

template <class S>
void FormulaBranches<S>::branch_distances(const system::Motion& motion,
                                          Vector& distances,
                                          Vector& magnitudes) {
  distances.resize(branch_count());
  magnitudes.resize(branch_count());
  visit(motion, [&](const expression::Branch& branch, int i, const double* registers) {
    const double side = evaluator_.nodes().history().branches[static_cast<std::size_t>(i)];
    const bool held = side != expression::let_go;
    distances[i] = held ? branch.distance(side, registers) : INFINITY;
    magnitudes[i] = branch.magnitude(registers);
  });
}

template <class S>
void FormulaBranches<S>::asked_branches(const system::Motion& motion, Vector& branches) {
  branches.resize(branch_count());
  visit(motion, [&](const expression::Branch& branch, int i, const double* registers) {
    branches[i] = registers[branch.raw];
  });
}

// ---- friction

template <class S>
void StickingFriction<S>::set_slip(const StickRow& row, Slip slip, const system::State& state) {
  const double x =
      evaluator_.groups()->frictions.coordinate(row.number, evaluator_.nodes().at(state));
  evaluator_.nodes().set_friction(row.number, {slip, x});
}

template <class S>
SlipPlace StickingFriction<S>::slip_at(const StickRow& row, const system::Motion& motion) {
  return evaluator_.groups()->frictions.slip_at(row.number, evaluator_.nodes().at(motion));
}

// ---- positions

// A body's joints are within the model's size of it, or of what it is joined to.
template <class S>
void PoseMeasure<S>::magnitudes(const system::State& state, Vector& m) {
  const Mechanism<S>& mechanism = evaluator_.mechanism();
  m.setOnes(mechanism.sizes.v);
  for (const FreedomBlock& block : mechanism.freedoms.all()) {
    const double distance =
        state.q.segment(block.q, block.translations).template lpNorm<Eigen::Infinity>();
    m.segment(block.v, block.translations).setConstant(distance + mechanism.size);
    // Numbers may stand for places in the world, as those of absolute nodal coordinates do.
    const int before = block.translations + block.rotations;
    m.segment(block.v + before, block.numbers) =
        state.q.segment(block.q + before, block.numbers).cwiseAbs().cwiseMax(1.0);
  }
}

// ---- connections

template <class S>
std::vector<ConnectionWatch::Rank> ConnectionRanks<S>::ranks(const system::State& state) {
  const Mechanism<S>& mechanism = evaluator_.mechanism();
  std::vector<Rank> list;
  if (mechanism.kinematic_connections.empty()) return list;
  const std::vector<typename S::Kinematics> nodes = kinematics_at(mechanism, state);
  for (const NamedKinematicConnection<S>& named : mechanism.kinematic_connections) {
    const RelativeMotion<S> motion(nodes[static_cast<std::size_t>(named.connection->node_a())],
                                   nodes[static_cast<std::size_t>(named.connection->node_b())]);
    Rank rank{named.name, 1.0};
    named.connection->at_place(motion, state.t, [&](const auto& place) {
      rank.share = named.connection->rank_share(place);
    });
    list.push_back(std::move(rank));
  }
  return list;
}

// ---- translations and rotations

template <class S>
Freedoms<S>::Freedoms(const Evaluator<S>& evaluator) {
  for (const FreedomBlock& block : evaluator.mechanism().freedoms.all()) {
    if (block.manifold == Manifold::vector) {
      add_numbers(block.q, block.v, block.velocities());
      continue;
    }
    add_numbers(block.q, block.v, block.translations);
    const int count = block.translations;
    parts_.push_back({block.q + count, block.v + count, block.rotations, true});
  }
}

template <class S>
void Freedoms<S>::add_numbers(int q, int v, int count) {
  if (count == 0) return;
  if (!parts_.empty() && !parts_.back().rotation) {
    parts_.back().count += count;
  } else {
    parts_.push_back({q, v, count, false});
  }
}

// ---- products

template <class S>
std::string MatrixProducts<S>::mass_obstacle() const {
  const Mechanism<S>& m = evaluator_.mechanism();
  if (!m.carried.empty()) {
    const auto first = static_cast<std::size_t>(m.carried.front().node);
    return "'" + m.nodes[first].name + "' is carried by others, whose freedoms it couples";
  }
  for (const ElementGroup<S>* group : evaluator_.groups()->all) {
    std::string obstacle = group->mass_obstacle();
    if (!obstacle.empty()) return obstacle;
  }
  if (!m.amplitudes.empty()) return "'" + m.amplitudes.front().name + "' has no mass";
  return {};
}

// ---- names

template <class S>
std::string UserNames<S>::coordinate_name(int component) const {
  const std::array<const char*, 3> axes{"x", "y", "z"};
  for (const Node<S>& node : mechanism_.nodes) {
    const int place = component - node.v;
    if (node.is_carried() || place < 0 || place >= node.freedoms) continue;
    if (place < S::dimension)
      return node.name + ".position." + axes[static_cast<std::size_t>(place)];
    if constexpr (S::space == Space::planar) {
      return node.name + ".angle";
    } else {
      return node.name + ".rotation." + axes[static_cast<std::size_t>(place - S::dimension)];
    }
  }
  return "amplitude " + std::to_string(component + 1);
}

template <class S>
std::string UserNames<S>::constraint_name(int row) const {
  const RowName name = facts_.row_names()[static_cast<std::size_t>(row)];
  return name.label.empty() ? name.joint : name.joint + ", " + name.label;
}

template class StateRates<Planar>;
template class StateRates<Spatial>;
template class StepBalance<Planar>;
template class StepBalance<Spatial>;
template class JointReactions<Planar>;
template class JointReactions<Spatial>;
template class FormulaSwitches<Planar>;
template class FormulaSwitches<Spatial>;
template class FormulaBranches<Planar>;
template class FormulaBranches<Spatial>;
template class StickingFriction<Planar>;
template class StickingFriction<Spatial>;
template class PoseMeasure<Planar>;
template class ConnectionRanks<Planar>;
template class PoseMeasure<Spatial>;
template class ConnectionRanks<Spatial>;
template class UserNames<Planar>;
template class UserNames<Spatial>;
template class Freedoms<Planar>;
template class Freedoms<Spatial>;
template class MatrixProducts<Planar>;
template class MatrixProducts<Spatial>;

}  // namespace trammel::model
