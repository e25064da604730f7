// trammel statics: positions at which the model can rest, and whether it stays there.
//
//     r(q, v = 0, a = 0, lambda, z) = G^T lambda - f = 0,   g(q) = 0,   s(q, z) = 0
// Oil that a closed valve traps keeps its mass: see equilibrium.h.
//
// Newton's method in the displacements that the constraints allow: with N a basis of G N = 0,
//     N^T K N eta = -N^T (r + K x_g),   x = x_g + N eta,   G x_g = -g,   K = dr/dq.
// K contains the curvature of the constraints, d(G^T lambda)/dq. Freedoms without stiffness stay
// where they are. Along nonholonomic rows the model moves as it can roll: A x = 0.
//
// Where Newton fails, the out-of-balance load of the start is held and released in steps (load
// stepping); where that fails too, the model is let go and its motion is stopped whenever its
// kinetic energy begins to fall (dynamic relaxation with kinetic damping), and Newton finishes.
//
// Newton finds unstable equilibria as well (stability.h). From such a one the model is pushed a
// little along all shapes that grow, to the side of the start, and relaxed, until it rests stably;
// where it does not come to rest, the unstable equilibrium is the answer.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/dense_matrices.h"
#include "trammel/analysis/stability.h"
#include "trammel/analysis/watch.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

enum class StaticMethod { automatic, newton, load_stepping, relaxation };

struct StaticsOptions {
  StaticMethod method = StaticMethod::automatic;
  bool nearest = false;  ///< take an unstable equilibrium too
  EarlyEnd end = {};     ///< RunError when it is reached
  bool steady = false;   ///< drives go on moving, and the rest with them (equilibrium.h)
};

struct StaticsReport {
  system::Motion motion;  ///< at rest, with the multipliers of the equilibrium
  Assembly assembly;
  StaticMethod method = StaticMethod::newton;  ///< that found it
  int iterations = 0;                          ///< of Newton
  int load_steps = 0;
  long relaxation_steps = 0;
  double residual = 0.0;  ///< largest out-of-balance load along a freedom, relative to the loads
  double moved = 0.0;     ///< largest displacement from the assembled start, m or rad
  StabilityReport stability;
  int pushes = 0;          ///< to leave unstable equilibria
  std::string left_along;  ///< the coordinate along which the first was left; empty if none was
};

/// From the assembled start at time 0. RunError when no equilibrium is found, naming what does not
/// come to rest, or when time is up.
StaticsReport statics(model::ModelSystem& system, const StaticsOptions& options = {});

}  // namespace trammel::analysis
