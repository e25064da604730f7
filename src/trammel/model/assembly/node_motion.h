// The motion of all nodes of a mechanism, as element groups are asked about it.
//
// The mechanism and its element groups are constant and shared. What belongs to one user of them is
// here: the history, the clock, where the nodes stand and scratch memory, one set per thread.
// Copies are independent of each other. Nothing but accept() and what decides about friction and
// branches changes what later evaluations see.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "trammel/model/assembly/element_groups.h"

namespace trammel::model {

template <class S>
class NodeMotion {
 public:
  using Vector = system::Vector;
  using Kinematics = typename S::Kinematics;
  using NodeMatrix = typename Instant<S>::NodeMatrix;

  explicit NodeMotion(std::shared_ptr<const ElementGroups<S>> groups);
  ~NodeMotion() = default;
  NodeMotion(const NodeMotion& other);
  NodeMotion(NodeMotion&&) = delete;
  NodeMotion& operator=(const NodeMotion&) = delete;
  NodeMotion& operator=(NodeMotion&&) = delete;

  const Mechanism<S>& mechanism() const { return *groups_->mechanism; }
  const std::shared_ptr<const ElementGroups<S>>& groups() const { return groups_; }
  void set_threads(std::size_t threads);
  std::size_t memory_bytes() const;

  const History& history() const { return history_; }
  /// Goes on from a state: counts turns of angles, keeps the poses of internal nodes.
  void accept(const system::State& state);
  /// No formula is evaluated later than this, s.
  void hold_clock(double last) { last_time_ = last; }
  double clock(double t) const { return std::min(std::max(t, mechanism().first_time), last_time_); }
  /// On which branch of a condition on the motion formulas are evaluated.
  void hold_branch(int branch, double side) {
    history_.branches[static_cast<std::size_t>(branch)] = side;
  }
  /// Counts turns from the described state again.
  void restart_angles();
  std::vector<double>& counted_angles() { return history_.turns; }
  /// How a friction acts from now on.
  void set_friction(std::size_t number, const History::Friction& friction);
  /// Rows of frictions that do not stick.
  const std::vector<int>& open_rows() const { return open_rows_; }

  /// The motion of all nodes at a state, until the next question.
  Instant<S> at(const system::State& state);
  Instant<S> at(const system::Motion& motion);
  /// With internal nodes where they balance, and their velocities.
  Instant<S> moving(const system::State& state);
  Instant<S> moving(const system::Motion& motion);
  /// Of the first-order states, with the nodes where moving() put them.
  void rates(const Instant<S>& now, Vector& rates) const;

  // For whoever divides the work: nodes are read before instants of them are made.
  void read(const system::State& state,
            std::vector<Kinematics>& kinematics,
            CarriedNodes which = CarriedNodes::all);
  void read_chunk(const system::State& state, const Division::Chunk& chunk);
  /// Without carried nodes that only results show.
  void read_loaded(const system::State& state) { read(state, kinematics_, CarriedNodes::loaded); }
  Instant<S> instant(const system::State& state, std::size_t thread = 0);
  Instant<S> instant(const system::Motion& motion, std::size_t thread = 0);
  const std::vector<Kinematics>& kinematics() const { return kinematics_; }
  /// Per node, when a tangent is asked for at a step; empty where no force depends on velocity.
  std::vector<NodeMatrix>& inverse_tangent() { return inverse_tangent_; }
  /// Null where no node is carried.
  Condensation<S>* condensation() { return condensation_.get(); }

 private:
  void find_open_rows();
  void continue_angles(std::vector<Kinematics>& kinematics, CarriedNodes which) const;

  std::shared_ptr<const ElementGroups<S>> groups_;
  History history_;
  std::vector<int> open_rows_;
  double last_time_ = std::numeric_limits<double>::infinity();
  std::vector<Kinematics> kinematics_;  ///< of all nodes, then of all internal ones
  std::vector<NodeMatrix> inverse_tangent_;
  std::vector<FormulaWorkspace<S>> work_;  ///< per thread
  std::vector<ElementScratch> scratch_;    ///< per thread
  std::vector<ConnectionMemory<S>> memories_;
  std::unique_ptr<Condensation<S>> condensation_;
};

}  // namespace trammel::model
