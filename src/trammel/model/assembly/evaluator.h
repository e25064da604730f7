// Assembly: one loop over all elements for each question about a mechanism.
//
// Copies are independent of each other and may work at the same time (node_motion.h).
#pragma once

#include <memory>

#include "trammel/model/assembly/node_motion.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::model {

template <class S>
class Evaluator {
 public:
  using Vector = system::Vector;

  explicit Evaluator(std::shared_ptr<const ElementGroups<S>> groups) : nodes_(std::move(groups)) {}
  ~Evaluator() = default;
  Evaluator(const Evaluator& other);
  Evaluator(Evaluator&&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  Evaluator& operator=(Evaluator&&) = delete;

  const Mechanism<S>& mechanism() const { return nodes_.mechanism(); }
  const std::shared_ptr<const ElementGroups<S>>& groups() const { return nodes_.groups(); }
  NodeMotion<S>& nodes() { return nodes_; }
  const NodeMotion<S>& nodes() const { return nodes_; }
  /// 0: as many as the machine has.
  void set_threads(int threads);
  int threads() const { return team_.threads(); }

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

 private:
  /// Chunk by chunk: begin(chunk), then add(group, instant, part) for all that lies in it; then
  /// what lies across. `make(thread)` makes the instants.
  template <class Begin, class Make, class Add>
  void assemble(const system::State& state, Begin&& begin, Make&& make, Add&& add);
  /// The same for a vector over the velocities, which begins at zero: add(group, instant, part,
  /// vector); condensed where nodes are carried.
  template <class Make, class Add>
  void add_up(const system::State& state, Vector& sum, Make&& make, Add&& add);
  /// With the motion of all nodes at hand: x of the system for all nodes.
  const Vector& of_nodes(const Vector& x) {
    Condensation<S>* const condensation = nodes_.condensation();
    return condensation != nullptr ? condensation->expanded(x) : x;
  }
  void add_tangents(const system::Motion& motion,
                    const system::Weights& weights,
                    const Vector* step,
                    system::KktMatrix& tangent);
  void tangent_of_carried(const system::Motion& motion,
                          const system::Weights& weights,
                          const Vector* step,
                          system::KktMatrix& tangent);
  void find_inverse_tangents(const Vector& step);

  NodeMotion<S> nodes_;
  StepEnds<S> ends_;
  Vector state_rates_;
  Vector products_;  ///< scratch, where nodes are carried
  Vector row_products_;
  Vector displacements_;  ///< of all nodes over a step
  WorkerTeam team_;
};

}  // namespace trammel::model
