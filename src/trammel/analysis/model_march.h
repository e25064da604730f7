// A model on its way: its method, its events and the times at which its functions jump.
//
// Whatever integrates a model goes through this, so that no analysis forgets one of them: contacts
// and frictions that stick (unilateral_model.h), conditions on the motion (branch_events.h),
// strikes of drives (model_crossing.h), turns of angles that are counted from step to step.
#pragma once

#include <functional>
#include <memory>

#include "trammel/analysis/branch_events.h"
#include "trammel/analysis/model_crossing.h"
#include "trammel/analysis/unilateral_model.h"
#include "trammel/integrators/march.h"
#include "trammel/model/description.h"

namespace trammel::analysis {

class Recorder;

class ModelMarch {
 public:
  /// The model must outlive this one.
  explicit ModelMarch(model::ModelSystem& model);

  /// The model with its events.
  model::ModelSystem& system() { return system_; }
  /// Null when every constraint always holds and every friction is smooth.
  UnilateralModel* unilateral() { return unilateral_.get(); }
  /// Null when every function of time is smooth.
  ModelCrossing* crossing() { return crossing_.get(); }

  /// Null when formulas have no conditions on the motion.
  BranchEvents* branches() { return branches_.get(); }

  /// To be called once. A step that fails is halved so often.
  void set_method(const model::SimulationSettings& settings, int most_halvings = 20);
  /// See March::set_division().
  void set_division(int steps) { march_->set_division(steps); }
  /// See March::set_division_of_parts().
  void set_division_of_parts(int steps) { march_->set_division_of_parts(steps); }
  integrators::Integrator& integrator() { return *integrator_; }
  const integrators::Integrator& integrator() const { return *integrator_; }

  /// Opens what pulls, sticks what rests (which may change the motion), and begins there.
  void start(system::Motion& motion);
  /// See March::advance().
  integrators::MarchReport advance(double h,
                                   long steps,
                                   const std::function<bool()>& after_step = {});

  /// Tells the recorder of the energy that impacts took since the last call.
  void account_impacts(Recorder& recorder);

 private:
  std::unique_ptr<UnilateralModel> unilateral_;
  model::ModelSystem& system_;
  std::unique_ptr<BranchEvents> branches_;
  std::unique_ptr<ModelCrossing> crossing_;
  std::unique_ptr<integrators::Integrator> integrator_;
  std::unique_ptr<integrators::March> march_;
  system::Power accounted_;  ///< J, of impacts and jumps that the recorder has heard of
};

}  // namespace trammel::analysis
