// Multipliers where loads depend on them (ConstraintDependentForces).
//
// With known factors, one solution of M a + G^T y = f + s h(lambda), G a + gamma = 0 maps lambda to
// y = P_s(lambda); wanted is F(lambda) = P_1(lambda) - lambda = 0. In turn:
//
//     plain       lambda <- P(lambda), converges while friction is small
//     Newton      (I - P') d = F, lambda <- lambda + t d, with t halved until |F| falls. Products
//                 P' d are differences, and GMRES needs as many of them as there are loads that
//                 depend on reactions, since that is the rank of P'.
//     continued   the same with the share s of h, from s = 0 to 1. Where the solutions grow beyond
//                 all bounds or turn back on the way, the frictionless one has no successor:
//                 Painleve's paradox.
#pragma once

#include <functional>

#include <Eigen/Core>

#include "trammel/system/mechanical_system.h"

namespace trammel::system {

class ReactionIteration {
 public:
  /// image = P_share(lambda).
  using Map = std::function<void(const Vector& lambda, double share, Vector& image)>;

  struct Report {
    bool converged = false;
    int evaluations = 0;  ///< of P
    double share = 1.0;   ///< of the loads, up to which solutions were found
  };

  /// Begins at `lambda`, and leaves the solution there, or that of the largest share. Plain
  /// iterations do not allocate after the first call.
  Report solve(const Map& map, Vector& lambda);

 private:
  bool plain(Vector& lambda);
  bool newton(Vector& lambda);
  bool continued(Vector& lambda);
  /// F with the share of the loads; returns its size.
  double evaluate(const Vector& lambda, Vector& F);
  /// (I - P') d = F at lambda.
  void newton_step(const Vector& lambda, const Vector& F, Vector& d);
  /// (I - P') x.
  void product(const Vector& lambda, const Vector& F, const Vector& x, Vector& result);
  bool small(double size) const;

  const Map* map_ = nullptr;
  double share_ = 1.0;
  int evaluations_ = 0;
  double scale_ = 0.0;  ///< of the multipliers of the last evaluation
  Vector F_;
  Vector trial_;
  Vector F_trial_;
  Vector moved_;
  Vector d_;
};

}  // namespace trammel::system
