// Whether a model stays at an equilibrium: the eigenvalues omega^2 of N^T K N against N^T M N, with
// N a basis of the displacements that the constraints allow (statics.h). All positive: stable.
// Zero: neutral. Negative: its shape grows away (divergence). Complex pairs come from loads without
// a potential and grow without damping (flutter).
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/equilibrium.h"

namespace trammel::analysis {

enum class Stability { stable, neutral, unstable };

struct StabilityReport {
  Stability verdict = Stability::stable;
  Vector stiffness;  ///< real parts of omega^2, 1/s^2, ascending; negative ones push away
  Matrix diverging;  ///< displacements that grow, one column each, of largest component 1 (scaled)
  /// The coordinates that move most in the softest shape, by name.
  std::vector<std::string> softest;
};

StabilityReport judge_stability(model::ModelSystem& system, const Equilibrium& equilibrium);

}  // namespace trammel::analysis
