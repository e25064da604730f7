// What is observed of a motion whose reactions are not unique: that with the least ones
// (constraint_handling/least_reactions.h), the same in absolute and in relative coordinates. In the
// latter the multipliers of all joints are recovered first.
#pragma once

#include "trammel/analysis/unilateral_model.h"
#include "trammel/constraint_handling/least_reactions.h"

namespace trammel::analysis {

class UniqueReactions {
 public:
  /// Null where the reactions of a state, and of all that follow, are unique.
  static std::unique_ptr<UniqueReactions> where_needed(model::ModelSystem& system,
                                                       const system::State& state);

  /// One number per observable.
  void observe(const system::Motion& motion, double* values);

 private:
  explicit UniqueReactions(model::ModelSystem& system);

  formulation::RelativeModel* relative_;
  UnilateralModel* events_;
  model::ModelSystem& absolute_;  ///< whose rows are those of all joints
  std::vector<model::UnilateralRow> unilateral_rows_;
  std::vector<int> open_;
  constraint_handling::LeastReactions least_;
  system::Motion motion_;
};

}  // namespace trammel::analysis
