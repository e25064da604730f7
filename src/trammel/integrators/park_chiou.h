// The midpoint procedure for large rotations with staggered penalty constraints [ParkChiou1987]:
// translations, rotations of nodes and constraint forces advance in modules of their own.
//
// One step of size h = 2 d from t_k:
//
//     translations   x'_{k+1/2} = x'_{k-1/2} + h x''_k,   x_{k+1} = x_k + h x'_{k+1/2}        (6.4)
//                    or the midpoint rule, within the passes
//     rotations      e and e' of the middle by the midpoint rule (euler_parameters.h), w from them,
//                    node by node, with w and w' of the pass before                          (5.7)
//     multipliers    (eps I + d G M^-1 G^T) lambda = d (G M^-1 f + gamma) + eps lambda_k      (6.6)
//                    at the middle; w' of the middle follows; passes until w stays
//     the end        e_{k+1} = 2 e_{k+1/2} - e_k, likewise e' (6.5), with |e| = 1, e . e' = 0
//
// All constraints enter by the rates of their velocities, so that positions are not fed back: they
// drift by O(h^2) and the slip eps lambda. A single pass is of first order, two and more of second.
//
// Systems whose freedoms are not numbers and Euler parameters (relative coordinates with ball
// joints) are refused.
#pragma once

#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/integrators/euler_parameters.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/park_chiou_options.h"
#include "trammel/system/freedom_parts.h"

namespace trammel::integrators {

class ParkChiou final : public Integrator {
 public:
  /// Throws InputError where rotations are not Euler parameters.
  ParkChiou(system::MechanicalSystem& system, ParkChiouOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;

 private:
  bool explicit_translations() const {
    return options_.translations == TranslationRule::central_difference;
  }
  template <class Visit>
  void for_numbers(const Visit& visit) const;

  // Translations.
  void begin_translations(double h);
  void translate_to_middle();
  void translate_to_end(system::State& end);
  // Rotations, node by node.
  void begin_rotations();
  bool rotate_to_middle(bool first);
  bool rotate_to_end(system::State& end);
  // Constraint forces.
  bool solve_middle();
  bool solve_end(system::Motion& end);

  Failure pass(bool first);
  double change() const;
  Failure iterate(int& passes);

  constraint_handling::IndependentRows rows_left_;
  system::MechanicalSystem& system_;
  ParkChiouOptions options_;
  system::Sizes sizes_;
  std::vector<system::FreedomPart> parts_;
  constraint_handling::PenaltyStabilisation middle_forces_;
  constraint_handling::PenaltyStabilisation end_forces_;

  system::Motion now_;     ///< t_k
  system::Motion middle_;  ///< t_k + d
  system::Motion end_;
  double h_ = 0.0;
  double time_carry_ = 0.0;
  system::Vector half_velocity_;  ///< of numbers, at t_k - d
  system::Vector next_half_velocity_;
  std::vector<EulerParameters> rate_;         ///< e' of each rotation at t_k
  std::vector<EulerParameters> middle_rate_;  ///< and in the middle
  system::Vector last_velocity_;
  system::Vector gamma_;
  system::Vector x_;
  system::Vector rates_;
  Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace trammel::integrators
