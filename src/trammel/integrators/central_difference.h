// Central differences on one grid, with velocities half a step late: the conventional scheme, kept
// to show why it takes two grids [Chiou1990, sec. 5.5.2, (7.4.12), (7.4.13)].
//
//     v_{n+1/2} = v_{n-1/2} + h a_n,    q_{n+1} = q_n moved by h v_{n+1/2}
//     M a_n + G^T lambda_n = f(q_n, v_{n-1/2}),    lambda by penalty constraint stabilisation
//
// The rows ask G v_n + g_t = 0 of the velocity that the step leads to, or, as published, G a_n =
// -gamma(q_n, v_{n-1/2}), whose bias lags behind as well.
//
// Where forces depend on velocities it is of first order, and for a body that turns freely unstable
// whatever the step: perturbations grow by sqrt(1 + h^2 w^2) a step (5.5.2.37). Where nothing
// depends on velocities it is the method of Verlet, of second order and stable for h w <= 2.
// Velocities are given as v_n = v_{n-1/2} + h/2 a_n.
#pragma once

#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/staggered.h"

namespace trammel::integrators {

/// What the rows of the constraints ask for.
enum class LaggedRows { velocity, acceleration };

struct CentralDifferenceOptions {
  LaggedRows rows = LaggedRows::velocity;
  double epsilon = 0.0;  ///< of the penalty; 0: chosen for each row
  std::string solver = "auto";
};

std::vector<Setting> central_difference_settings();

/// Puts settings over the options. Throws InputError when one is wrong or out of range.
void apply(const Settings& settings, CentralDifferenceOptions& options);

class CentralDifference final : public Integrator {
 public:
  CentralDifference(system::MechanicalSystem& system, const CentralDifferenceOptions& options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;

 private:
  bool find_accelerations();

  constraint_handling::IndependentRows rows_left_;
  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  std::span<const system::FreedomPart> parts_;
  bool lagged_rows_;  ///< rows of accelerations
  constraint_handling::PenaltyStabilisation reactions_;
  system::Motion now_;
  system::Motion next_;
  double h_ = 0.0;
  double time_carry_ = 0.0;
  system::Vector half_velocity_;  ///< v_{n-1/2}
  system::Vector next_half_velocity_;
  system::Vector x_;
  system::Vector gamma_;
  system::Vector rates_;
  Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace trammel::integrators
