// trammel statics --path: the positions of rest as loads and drives change with time, through limit
// points and past buckling.
//
//     r(q, lambda, t) = G^T lambda - f = 0,   g(q, t) = 0        velocities and accelerations zero
//
// Time is the parameter of the load, as slow as one likes; on the way it may run backwards. A point
// of the path is found from the last one by a step of length s along the tangent (dx, dt) and
// Newton's method on the plane across it (pseudo-arc length [Keller 1977, Riks 1979]):
//
//     [ K    G^T  r_t ] [ x      ]     [ r             ]
//     [ G    0    g_t ] [ lambda ] = - [ g             ]
//     [ dx^T 0    dt  ] [ t      ]     [ across        ]
//
// with displacements over their scales and time over the time asked for, which is what lengths of
// the path are measured in. r_t and g_t are differences. Steps adapt to the iterations that Newton
// takes; models with first-order states and nonholonomic rows are refused.
//
// Where the number of shapes that grow (stability.h) changes, a critical point lies between two
// points of the path, and is found by bisection: a limit point where time turns back there, else a
// point of bifurcation, at which a perfect column buckles. There the path may be left along the
// shape that has lost its stiffness.
#pragma once

#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/dense_matrices.h"
#include "trammel/analysis/watch.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct LoadPathOptions {
  double until = 1.0;      ///< time, s; the path ends at minus that, too
  double step = 0.02;      ///< first length along the path; the largest is five times that
  int most_points = 2000;  ///< the path ends there
  bool branch = false;     ///< leave the path at the first bifurcation
  EarlyEnd end = {};       ///< RunError when it is reached
};

struct PathPoint {
  system::Motion motion;  ///< at rest; motion.state.t is the time of the loads
  double length = 0.0;    ///< of the path up to here
  double least = 0.0;     ///< lowest omega^2 of small motions, 1/s^2
  int growing = 0;        ///< shapes that grow away from it
};

enum class CriticalKind { limit, bifurcation };

struct CriticalPoint {
  CriticalKind kind = CriticalKind::limit;
  PathPoint at;
  Vector shape;  ///< that has no stiffness there, over the displacement scales
};

enum class PathEnd { reached, turned_back, too_many_points };

struct LoadPath {
  Assembly assembly;
  std::vector<PathPoint> points;  ///< the first at time 0
  std::vector<CriticalPoint> critical;
  PathEnd end = PathEnd::reached;
  int iterations = 0;
};

/// From the equilibrium at time 0, which is sought from the assembled start. RunError when there is
/// none, when the path is lost, or when time is up; InputError for models that have none.
LoadPath follow_load(model::ModelSystem& system, const LoadPathOptions& options);

}  // namespace trammel::analysis
