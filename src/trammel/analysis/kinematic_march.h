// The motion that the constraints alone determine, step by step [Sol1983, sec. 8.3]:
//
//     KSP/0  g(t, q) = 0                 Newton from an extrapolation in time
//     KSP/1  G v + g_t = 0               (nonholonomic rows: A v + a = 0)
//     KSP/2  G a + gamma = 0
//
// Where the holonomic rows do not determine q (nonholonomic rows, drives of velocities), q is
// integrated from the velocities by Runge-Kutta of order 4 and corrected to g = 0.
//
// Newton may land on the mirrored assembly: a step is refused when the correction is not small
// against the extrapolation, or when the orientation of the Jacobian changes without the motion
// being smooth. In a singular position freedoms that the constraints do not determine go on as
// extrapolated.
#pragma once

#include "trammel/analysis/dense_matrices.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/constraint_handling/mass_orthogonal_projection.h"
#include "trammel/model/model_system.h"
#include "trammel/system/time_switches.h"

namespace trammel::analysis {

/// The sign of the determinant of independent constraint rows: it changes where the mechanism
/// passes a singular position or jumps to a mirrored assembly.
class Orientation {
 public:
  Orientation() = default;
  /// Chooses rows at a regular position. Too large systems (dense matrices) are not followed.
  Orientation(system::MechanicalSystem& system, const system::State& state);
  /// +1 or -1; +1 when not followed.
  int sign(system::MechanicalSystem& system, const system::State& state) const;

 private:
  std::vector<int> rows_;
};

class KinematicMarch {
 public:
  KinematicMarch(model::ModelSystem& system, bool positions_determined);

  /// From a consistent motion.
  void start(const system::Motion& motion);
  /// One step; false leaves the motion as it was.
  bool step(double h);
  /// Over h in steps that are halved where they fail, at most `most_halvings` times; false when
  /// even the smallest fails, at the last position that could be reached.
  bool advance(double h);

  const system::Motion& motion() const { return motion_; }
  int sign() const { return sign_; }
  long steps() const { return steps_; }
  long iterations() const { return iterations_; }
  /// Whether the last step changed the orientation.
  bool turned() const { return turned_; }

  static constexpr int most_halvings = 24;

 private:
  bool predict(double h, system::State& state, Vector& x);
  bool runge_kutta(double h, Vector& x);
  bool follow(double h, const system::State& state, const Vector& x, system::Motion& next);
  /// A part of at most h that ends where functions of time jump; they are held before it.
  double part_to_switch(double h);
  /// Beyond the switch that the last step ended at, if it did.
  bool cross(double slack);

  model::ModelSystem& system_;
  system::TimeSwitches* switches_;  ///< null: functions of time are smooth
  bool positions_determined_;
  constraint_handling::ConsistentStart closure_;
  constraint_handling::MassOrthogonalProjection projection_;
  Orientation orientation_;
  system::Motion motion_;
  Vector last_a_;
  double last_h_ = 0.0;
  int sign_ = 1;
  bool turned_ = false;
  double time_carry_ = 0.0;  ///< what rounding added to the ends of steps
  long steps_ = 0;
  long iterations_ = 0;
};

}  // namespace trammel::analysis
