// What can be chosen about a GSSSS method, and which choices go together.
#pragma once

#include <string>

#include "trammel/integrators/gssss_parameters.h"
#include "trammel/system/mechanical_system.h"

namespace trammel::integrators {

/// Where the equations of motion are satisfied.
enum class Evaluation {
  level,  ///< at t_n + W1 h, with everything in them [Huang2014, sec. 2.1.3]
  end     ///< at t_{n+1}; the algorithmic acceleration averages true ones [Arnold & Bruls 2007]
};

/// What keeps the constraint levels that the index leaves out.
enum class Stabilisation {
  none,
  baumgarte,   ///< g'' + 2 alpha g' + beta g = 0 in the place of g'' = 0
  projection,  ///< mass-orthogonal projection after every step
  ggl          ///< Gear, Gupta, Leimkuhler: positions and velocities, with multipliers for each
};

/// Which levels a projection takes. Accelerations bring the multipliers along.
enum class ProjectedLevels { all, positions, velocities, positions_and_velocities };

/// What the step keeps of a conservative system.
enum class Conservation {
  symplectic,  ///< forces at the displacement of the level; energy bounded
  energy       ///< forces by discrete gradients; energy exact
};

/// The quantity whose change is Newton's unknown and starts from zero.
enum class NewtonForm {
  extrapolated,  ///< accelerations go on as they did over the last step
  acceleration,  ///< a_{n+1} = a_n
  velocity,      ///< v_{n+1} = v_n
  displacement   ///< u_{n+1} = u_n
};

/// How a step's equations are solved.
enum class NewtonIteration {
  modified,  ///< factors kept while they converge, until corrections are small
  source     ///< a new tangent for every correction, until |(R1, R2)| < newton_tolerance with
             ///< R1 in N and R2 the constraint rows over their chi of the a-form [Huang2014, 4.1]
};

/// The norm in which multipliers fit accelerations that a projection changed.
enum class MultiplierMetric {
  scales,  ///< (G D^2 G^T)^-1 G D^2 (f - M a), D the displacement scales: independent of units
  source   ///< D = 1 [Huang2014, eq. 4.38]
};

struct GssssOptions {
  Family family = Family::U0;
  SpectralRadii radii{0.6, 0.6, 0.6};
  Evaluation evaluation = Evaluation::level;
  int index = 0;  ///< 3, 2 or 1; 0: 3, or what the stabilisation needs
  Stabilisation stabilisation = Stabilisation::none;
  double baumgarte_alpha = 1.0;  ///< alpha* in (0, 1]: alpha = alpha*/(l5 h)
  double baumgarte_beta = 1.0;   ///< beta* in (0, 1]: beta = beta*/(l3 h^2)
  ProjectedLevels projected_levels = ProjectedLevels::all;
  MultiplierMetric multiplier_metric = MultiplierMetric::scales;
  int projection_steps = 10;  ///< most Newton steps for positions; one is enough for real time
  Conservation conservation = Conservation::symplectic;
  NewtonForm form = NewtonForm::extrapolated;
  /// At index 3 members with a root of modulus 1 keep, as an oscillation of order h^2 in the
  /// velocity (h in a and lambda), the velocity error that one step makes. True: every first step
  /// begins with that error, so that nothing oscillates. Not where energy is kept exactly.
  bool balanced_start = true;

  NewtonIteration newton = NewtonIteration::modified;
  /// Newton's tolerance: error of a step's displacement relative to h^2 times acceleration.
  double newton_tolerance = 1e-8;
  int most_iterations = 20;  ///< after which a step fails
  /// A step is rejected when its displacement differs by more than this (in rad or model sizes)
  /// from the one extrapolated from the last two steps: the motion is not resolved. Zero: never.
  double resolution = 0.1;
  /// Linear solver by name; "auto" takes block-ldlt and switches to klu where it converges slowly.
  std::string solver = "auto";
};

/// Throws InputError with every choice that is out of range, or does not go with the others or
/// with this system: the reason and the nearest choice that does.
void check(const GssssOptions& options, system::MechanicalSystem& system);

/// Does a balanced start change anything? The velocity error of index 3 has to oscillate without
/// damping, and nobody else to remove it.
bool balances_start(const GssssOptions& options);

/// 3, 2 or 1.
int index_of(const GssssOptions& options);
bool projects_accelerations(const GssssOptions& options);

/// R = position g/(l3 h^2) + velocity g'/(l5 h) + acceleration g'' is what a constraint row asks to
/// vanish at t_{n+1}. Nonholonomic rows have no position part.
struct RowWeights {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

RowWeights holonomic_weights(const GssssOptions& options);
RowWeights nonholonomic_weights(const GssssOptions& options);

}  // namespace trammel::integrators
