// Absolute coordinates: bodies with joints as constraints, planar or spatial, as a mechanical
// system. What is asked for goes to the evaluator; what only some systems can do are parts.
#pragma once

#include <array>

#include "trammel/model/assembly/evaluator.h"
#include "trammel/model/assembly/mechanism_facts.h"
#include "trammel/model/assembly/system_parts.h"

namespace trammel::model {

template <class S>
class MechanismSystem final : public ModelSystem {
 public:
  explicit MechanismSystem(std::shared_ptr<const Mechanism<S>> mechanism);
  ~MechanismSystem() override = default;
  MechanismSystem(const MechanismSystem& other);
  MechanismSystem(MechanismSystem&&) = delete;
  MechanismSystem& operator=(const MechanismSystem&) = delete;
  MechanismSystem& operator=(MechanismSystem&&) = delete;
  std::unique_ptr<system::MechanicalSystem> clone() const override;

  system::Sizes sizes() const override { return mechanism().sizes; }
  std::shared_ptr<const system::KktPattern> pattern() const override {
    return evaluator_.groups()->pattern();
  }
  const system::Vector& displacement_scale() const override {
    return mechanism().displacement_scale;
  }
  void retract(const system::Vector& q,
               const system::Vector& x,
               system::Vector& q_moved) const override;
  void logarithm(const system::Vector& from,
                 const system::Vector& to,
                 system::Vector& x) const override;
  void inverse_tangent(const system::Vector& x,
                       const system::Vector& delta,
                       system::Vector& dx) const override;
  double fastest_turn(const system::State& state) override;

  void residual(const system::Motion& motion,
                system::Vector& r,
                system::Vector& constraint) override;
  void tangent(const system::Motion& motion,
               const system::Weights& weights,
               const system::Vector* step,
               system::KktMatrix& tangent) override;
  void forces(const system::State& state, system::Vector& f) override;
  void position_constraint(const system::State& state, system::Vector& g) override;
  void velocity_constraint(const system::State& state, system::Vector& g_dot) override;
  void acceleration_bias(const system::State& state, system::Vector& gamma) override;
  system::Energy energy(const system::State& state) override;
  system::Power power(const system::Motion& motion) override;

  std::span<system::Capability* const> capabilities() override { return capabilities_; }
  system::FirstOrderStates* first_order_states() override;
  system::DiscreteGradients* discrete_gradients() override { return &balance_; }
  system::ConstraintDependentForces* constraint_dependent_forces() override;

  const ModelFacts& facts() const override { return facts_; }
  std::size_t memory_bytes() const override;
  void observe(const system::Motion& motion, double* values) override;
  void accept(const system::State& state) override { evaluator_.nodes().accept(state); }
  void restart_angles() override { evaluator_.nodes().restart_angles(); }
  std::vector<double>& counted_angles() override { return evaluator_.nodes().counted_angles(); }

  Evaluator<S>& evaluator() { return evaluator_; }
  const Mechanism<S>& mechanism() const { return evaluator_.mechanism(); }

 private:
  Evaluator<S> evaluator_;
  MechanismFacts<S> facts_;
  StateRates<S> rates_;
  StepBalance<S> balance_;
  JointReactions<S> reactions_;
  FormulaSwitches<S> switches_;
  FormulaBranches<S> branches_;
  PoseMeasure<S> measure_;
  StickingFriction<S> friction_;
  Workers<S> workers_;
  MatrixProducts<S> products_;
  ConnectionRanks<S> ranks_;
  UserNames<S> names_;
  Freedoms<S> freedoms_;
  std::array<system::Capability*, 10> capabilities_;
};

}  // namespace trammel::model
