// Assembly: one loop over all elements for each question about a mechanism.
//
// The mechanism and its element groups are constant and shared. What belongs to one user of them is
// here: the history, the clock, the motion of all nodes and scratch memory. Copies are independent
// of each other and may work at the same time. Nothing but accept() and what decides about friction
// changes what later evaluations see.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "trammel/model/assembly/element_groups.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::model {

template <class S>
class Evaluator {
 public:
  using Vector = system::Vector;

  explicit Evaluator(std::shared_ptr<const ElementGroups<S>> groups);
  ~Evaluator() = default;
  Evaluator(const Evaluator& other);
  Evaluator(Evaluator&&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  Evaluator& operator=(Evaluator&&) = delete;

  const Mechanism<S>& mechanism() const { return *groups_->mechanism; }
  const std::shared_ptr<const ElementGroups<S>>& groups() const { return groups_; }
  /// Of the system's equations.
  const std::shared_ptr<const system::KktPattern>& pattern() const {
    return groups_->condensed ? groups_->condensed->pattern : mechanism().pattern;
  }
  /// 0: as many as the machine has.
  void set_threads(int threads);
  int threads() const { return team_.threads(); }
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

  void residual(const system::Motion& motion, Vector& r, Vector& rows);
  void forces(const system::State& state, Vector& f);
  void tangent(const system::Motion& motion,
               const system::Weights& weights,
               const Vector* step,
               system::KktMatrix& tangent);
  void positions(const system::State& state, Vector& g);
  void velocities(const system::State& state, Vector& g_dot);
  void biases(const system::State& state, Vector& gamma);
  void constraint_dependent_forces(const system::Motion& motion, Vector& h);
  void mass_product(const system::State& state, const Vector& x, Vector& y);
  void jacobian_product(const system::State& state, const Vector& x, Vector& rows);
  void transposed_product(const system::State& state, const Vector& lambda, Vector& r);
  bool lumped_mass(const system::State& state, Vector& m);
  void residual_between(const system::State& from,
                        const system::Motion& middle,
                        const system::State& to,
                        const Vector& x,
                        Vector& r);
  system::Energy energy(const system::State& state);
  system::Power power(const system::Motion& motion);
  /// Of the first-order states.
  void rates(const system::State& state, Vector& rates);

 private:
  using Kinematics = typename S::Kinematics;

  Instant<S> instant(const system::State& state, std::size_t thread = 0);
  Instant<S> instant(const system::Motion& motion, std::size_t thread = 0);
  void read(const system::State& state, std::vector<Kinematics>& kinematics);
  void read_chunk(const system::State& state, const Division::Chunk& chunk);
  /// Chunk by chunk: begin(chunk), then add(group, instant, part) for all that lies in it; then
  /// what lies across. `make(thread)` makes the instants.
  template <class Begin, class Make, class Add>
  void assemble(const system::State& state, Begin&& begin, Make&& make, Add&& add);
  /// The same for a vector over the velocities, which begins at zero: add(group, instant, part,
  /// vector); condensed where nodes are carried.
  template <class Make, class Add>
  void add_up(const system::State& state, Vector& sum, Make&& make, Add&& add);
  /// With the motion of all nodes at hand: x of the system for all nodes.
  const Vector& of_nodes(const Vector& x) { return condensation_ ? condensation_->expanded(x) : x; }
  void add_tangents(const system::Motion& motion,
                    const system::Weights& weights,
                    const Vector* step,
                    system::KktMatrix& tangent);
  void tangent_of_carried(const system::Motion& motion,
                          const system::Weights& weights,
                          const Vector* step,
                          system::KktMatrix& tangent);
  void set_rates(const Instant<S>& now, Vector& rates) const;
  void find_open_rows();

  std::shared_ptr<const ElementGroups<S>> groups_;
  History history_;
  std::vector<int> open_rows_;
  double last_time_ = std::numeric_limits<double>::infinity();
  std::vector<Kinematics> kinematics_;  ///< of all nodes, then of all internal ones
  /// Per node, when a tangent is asked for at a step; empty where no force depends on velocity.
  std::vector<typename Instant<S>::NodeMatrix> inverse_tangent_;
  std::vector<FormulaWorkspace<S>> work_;  ///< per thread
  std::vector<ElementScratch> scratch_;    ///< per thread
  std::vector<ConnectionMemory<S>> memories_;
  std::unique_ptr<Condensation<S>> condensation_;  ///< where nodes are carried
  StepEnds<S> ends_;
  Vector state_rates_;
  Vector products_;  ///< scratch, where nodes are carried
  Vector row_products_;
  WorkerTeam team_;
};

}  // namespace trammel::model
