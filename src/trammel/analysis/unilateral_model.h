// A model with events. Its unilateral rows hold only while they press (model/contact_row.h): the
// state of each is closed or open, and it changes at events. Its frictions stick or slide
// (stick_slip.h).
//
//     closed   g = 0,        load = -side lambda     an event where the load falls below zero
//     open     lambda = 0,   gap = side g            an event where the gap falls below zero
//
// Open rows stay in the matrices as unknowns that are zero, so that sizes and sparsity never
// change. A row that opens changes nothing but the accelerations. One that closes is a plastic
// impact: of all velocities that the closed rows allow those nearest to the present ones in the
// mass metric,
//     M (v+ - v-) + G^T s = 0,    G v+ + g_t = 0,
// where closed unilateral rows whose impulse -side s would pull open instead. The kinetic energy of
// v+ - v- is lost; none of it comes back (no restitution). What else the kinetic energy changes by
// is the work of prescribed motions in the impact. Friction has no part in impacts: what sticks
// lets go, and sticks again where the impact leaves it at rest.
//
// Loads are watched as the integrator gives them; near an event as the positions and velocities
// give them, M a + G^T lambda = f, G a + gamma = 0, since those of a first step after a start may
// be rough.
//
// Tolerances: a load below -1e-8 of the largest force met, a gap below -1e-10 of the model's size.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/contact_event.h"
#include "trammel/analysis/stick_slip.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/integrators/event_source.h"
#include "trammel/model/model_system.h"
#include "trammel/system/reaction_weights.h"

namespace trammel::formulation {
class RelativeModel;
}

namespace trammel::analysis {

class UnilateralModel final : public model::ModelSystem,
                              public system::ReactionWeights,
                              public integrators::EventSource {
 public:
  /// The system must outlive this one.
  explicit UnilateralModel(model::ModelSystem& system);
  explicit UnilateralModel(std::unique_ptr<model::ModelSystem> system);
  /// Gives the model back as it was: all rows hold, frictions are smoothed.
  ~UnilateralModel() override;
  UnilateralModel(const UnilateralModel&) = delete;
  UnilateralModel& operator=(const UnilateralModel&) = delete;
  UnilateralModel(UnilateralModel&&) = delete;
  UnilateralModel& operator=(UnilateralModel&&) = delete;

  // The model, with open rows left out.
  system::MechanicalSystem* behind() override { return &system_; }
  bool leaves_rows_out_behind() const override { return true; }
  std::unique_ptr<system::MechanicalSystem> clone() const override;
  system::Sizes sizes() const override { return system_.sizes(); }
  std::shared_ptr<const system::KktPattern> pattern() const override { return system_.pattern(); }
  const system::Vector& displacement_scale() const override { return system_.displacement_scale(); }
  void retract(const system::Vector& q,
               const system::Vector& x,
               system::Vector& q_moved) const override {
    system_.retract(q, x, q_moved);
  }
  void logarithm(const system::Vector& from,
                 const system::Vector& to,
                 system::Vector& x) const override {
    system_.logarithm(from, to, x);
  }
  void inverse_tangent(const system::Vector& x,
                       const system::Vector& delta,
                       system::Vector& dx) const override {
    system_.inverse_tangent(x, delta, dx);
  }
  void residual(const system::Motion& motion,
                system::Vector& r,
                system::Vector& constraint) override;
  void tangent(const system::Motion& motion,
               const system::Weights& weights,
               const system::Vector* step,
               system::KktMatrix& tangent) override;
  void forces(const system::State& state, system::Vector& f) override { system_.forces(state, f); }
  void position_constraint(const system::State& state, system::Vector& g) override;
  void velocity_constraint(const system::State& state, system::Vector& g_dot) override;
  void acceleration_bias(const system::State& state, system::Vector& gamma) override;
  system::FirstOrderStates* first_order_states() override { return system_.first_order_states(); }
  system::DiscreteGradients* discrete_gradients() override { return system_.discrete_gradients(); }
  system::ConstraintDependentForces* constraint_dependent_forces() override {
    return system_.constraint_dependent_forces();
  }
  void reaction_weights(const system::State& state, system::Vector& weights) override;
  bool reads_reactions() const override { return true; }
  system::Energy energy(const system::State& state) override { return system_.energy(state); }
  system::Power power(const system::Motion& motion) override { return system_.power(motion); }
  const model::ModelFacts& facts() const override { return system_.facts(); }
  std::size_t memory_bytes() const override { return system_.memory_bytes(); }
  void observe(const system::Motion& motion, double* values) override {
    system_.observe(motion, values);
  }
  void accept(const system::State& state) override { system_.accept(state); }
  void restart_angles() override { system_.restart_angles(); }
  std::vector<double>& counted_angles() override { return system_.counted_angles(); }
  double fastest_turn(const system::State& state) override { return system_.fastest_turn(state); }

  /// The model whose rows these are.
  model::ModelSystem& inner() { return system_; }

  // Events.
  double watch(const system::Motion& motion, bool exactly) override;
  void act(system::Motion& motion) override;
  bool stuck() const override { return !trouble_.empty(); }
  /// Why no motion goes on from the last event, in words; empty while one does.
  const std::string& trouble() const { return trouble_; }
  /// Opens what pulls at the start, and sticks what rests. Throws RunError when parts that start
  /// open overlap, and when no consistent state is found.
  void begin(system::Motion& motion);
  const std::vector<ContactEvent>& events() const { return events_; }
  std::size_t rows() const { return rows_.size(); }
  /// One for each of unilateral_rows().
  bool closed(std::size_t row) const { return rows_[row].closed; }
  const StickSlip& friction() const { return friction_; }
  /// Kinetic energy lost in all impacts so far, J.
  double energy_lost() const { return energy_lost_; }
  /// Work of prescribed motions in all impacts so far, J.
  double impact_work() const { return impact_work_; }

 private:
  struct Row {
    model::UnilateralRow row;
    bool closed = true;
    std::vector<int> jacobian;  ///< places of its entries of G among the values of the matrix
  };

  /// The watched function of a row over its tolerance, plus one.
  double function(const Row& row, const system::Vector& lambda) const;
  double least_function(const system::Vector& lambda) const;
  void take_gaps(const system::State& state);
  void leave_out(system::Vector& rows) const;
  /// Tells the forward dynamics behind which rows are open.
  void tell_open_rows() const;
  void note(const Row& row, double time);
  /// Plastic impact; opens rows that would pull.
  void impact(system::Motion& motion);
  /// Books the change of the velocities from v; the energy lost, J.
  double account(const system::Vector& v, const system::State& state);
  /// Accelerations; opens rows that would pull, and decides about friction.
  void settle(system::Motion& motion);
  bool open_pulling(system::Motion& motion);
  /// The row whose impulse pulls most in the solution at hand; null when all press.
  Row* most_pulling();
  /// Only the first reason counts.
  void give_up(double time, const std::string& why);

  std::unique_ptr<model::ModelSystem> owned_;
  model::ModelSystem& system_;
  std::vector<Row> rows_;
  constraint_handling::ConsistentStart start_;
  system::KktMatrix matrix_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  StickSlip friction_;
  system::Vector gaps_;
  system::Motion exact_;  ///< with accelerations and multipliers of its positions and velocities
  system::Vector right_side_;
  system::Vector solution_;
  double largest_force_ = 0.0;
  std::string trouble_;
  std::vector<ContactEvent> events_;
  double energy_lost_ = 0.0;
  double impact_work_ = 0.0;
};

/// The model in relative coordinates that a system is, or is with its events; else null.
formulation::RelativeModel* relative_model(model::ModelSystem& system);

}  // namespace trammel::analysis
