// The numerical rank of the constraint Jacobian, with the rows that are redundant.
//
// The rank is the number of eigenvalues of the Schur complement S = G D^2 G^T, scaled to a unit
// diagonal, above the tolerance: by Sylvester's law, the positive pivots of LDL^T = S - tolerance
// I. That counts exactly and sparsely, where the pivots of S itself smear: a chain of loops near a
// singular position loses a rank with each loop, but of its pivots only one is small.
//
// Which rows are redundant the pivots of S tell: a row that depends on the rows before it leaves a
// pivot of round-off. (The pivots of the whole KKT matrix do not, since there multipliers may be
// eliminated before bodies.) D holds the displacement scales, so that metres and radians can be
// compared; masses would only spoil the condition.
#pragma once

#include <vector>

#include "trammel/system/mechanical_system.h"

namespace trammel::constraint_handling {

struct RankReport {
  int rows = 0;
  int rank = 0;
  std::vector<int> redundant;   ///< rows that follow from the other ones
  std::vector<int> not_unique;  ///< rows whose multipliers are not determined
  double smallest_kept = 1.0;   ///< scaled pivots either side of the decision
  double largest_dropped = 0.0;
};

/// Eigenvalues of S below this count as zero. Row lengths enter squared, so that directions as
/// close as 1e-5 rad to dependence count as dependent.
constexpr double rank_tolerance = 1e-10;

/// False where the pattern alone tells that rows cannot depend on each other: every block of rows
/// connects two blocks of velocities, or one with the ground, has fewer rows than these have
/// velocities, and none closes a loop. (In relative coordinates the velocities are those of hinges:
/// a joint that repeats a hinge has five rows for its one velocity, and all of them are zero.)
bool rows_may_depend(const system::KktPattern& pattern);

RankReport constraint_rank(system::MechanicalSystem& system, const system::State& state);

}  // namespace trammel::constraint_handling
