// The equations of rest in the displacements that the constraints allow; see statics.h.
//
// First-order states rest where s(q, v, z) = 0. Combinations w of them that s leaves free at rest,
//     w^T [ds/dq, ds/dz] = 0,
// keep what they had and change with the way alone, w^T dz = w^T ds/dv dx: oil that is trapped in a
// cylinder gets the pressure of its volume (and holds the load), a charge stays where it is. The
// way is integrated by Runge-Kutta steps between the positions that are passed.
//
// A steady motion: drives go on with the velocities and accelerations they prescribe. Of all
// velocities that fit, v(q, t) is the one of least kinetic energy; a = dv/dt along it. The loads
// that rest is sought under are then those of r(q, v, a).
#pragma once

#include <cstddef>
#include <vector>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class Equilibrium {
 public:
  /// Starts at this state, which is brought to rest, or to the steady motion of its drives.
  Equilibrium(model::ModelSystem& system, const system::State& state, bool steady = false);

  /// Everything that belongs to the present position; call after it was changed.
  void update();
  /// N^T (r - held), the out-of-balance loads along the freedoms.
  Vector out_of_balance() const;
  /// Largest of them over the loads of the start, or of g over the model's size, or of s.
  double error() const;
  /// Whether all these are below the tolerance, or no more than round-off.
  bool rests(double tolerance) const;
  /// One Newton step, no longer than `longest` of the displacement scale; its size. NaN: no step.
  double newton_step(double longest);
  /// Moves the position by x and brings it back to the constraints; false when that fails.
  bool move(const Vector& x);
  void add_to_states(const Vector& change) { motion_.state.z += change; }

  /// Holds this share of the out-of-balance load of the present position.
  void hold_present();
  void release_to(double share) { share_ = share; }

  const system::Motion& motion() const { return motion_; }

  /// A place on the way from the start.
  struct Mark {
    system::Motion motion;
    std::size_t passed = 0;  ///< entries of the trail
  };
  Mark mark() const { return {motion_, trail_.size()}; }
  /// Returns the way it came, so that whole turns of angles are counted back; then update().
  void return_to(const Mark& mark);
  const Matrix& freedoms() const { return N_; }
  Matrix reduced_mass() const { return N_.transpose() * M_ * N_; }
  /// With first-order states in equilibrium.
  Matrix reduced_stiffness() const;
  const Vector& state_rates() const { return s_; }

 private:
  void moved();
  void find_round_off();
  /// Sets v and a of a motion to those of the drives, where they move.
  void set_steady(system::Motion& motion);
  /// ds/dq, ds/dv, ds/dz and what follows from them.
  void update_states();
  /// Free combinations of states follow the way x from a position.
  void carry_states(const Vector& q, const Vector& x);
  /// dz = states_by_position N eta, for states that stay at rest.
  Matrix states_by_freedoms() const;

  model::ModelSystem& system_;
  system::Motion motion_;
  std::vector<system::State> trail_;  ///< states passed, close enough to count turns
  Matrix M_;
  Matrix K_;
  Matrix G_;
  Matrix N_;
  Matrix F_;    ///< df/dz
  Matrix S_q_;  ///< ds/dq
  Matrix S_z_;
  Matrix S_v_;
  Vector state_size_;  ///< by which states are made comparable
  Matrix
      held_states_;  ///< U: combinations that s determines, orthonormal columns, of scaled states
  Matrix free_states_;  ///< W: the others
  Vector r_;
  Vector g_;
  Vector s_;
  Vector load_round_off_;  ///< of out_of_balance()
  Vector row_round_off_;
  Vector rate_round_off_;
  Vector held_;
  double share_ = 0.0;
  bool steady_ = false;
  double load_ = 1.0;  ///< size of the loads, over the displacement scale
};

}  // namespace trammel::analysis
