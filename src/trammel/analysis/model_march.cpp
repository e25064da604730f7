#include "trammel/analysis/model_march.h"

#include "trammel/analysis/method.h"
#include "trammel/analysis/recorder.h"
#include "trammel/system/threads.h"
#include "trammel/system/time_switches.h"

namespace trammel::analysis {
namespace {

std::unique_ptr<UnilateralModel> with_events(model::ModelSystem& model) {
  if (model.unilateral_rows().empty() && model.stick_rows().empty()) return nullptr;
  return std::make_unique<UnilateralModel>(model);
}

std::unique_ptr<BranchEvents> with_branches(model::ModelSystem& system,
                                            UnilateralModel* unilateral) {
  // A new start at a condition would let contacts go that press but little: with contacts and
  // frictions that stick, conditions are left to the steps.
  if (unilateral != nullptr || system::state_branches(system) == nullptr) return nullptr;
  return std::make_unique<BranchEvents>(system);
}

std::unique_ptr<ModelCrossing> with_switches(model::ModelSystem& system,
                                             UnilateralModel* unilateral) {
  if (system::time_switches(system) == nullptr) return nullptr;
  return std::make_unique<ModelCrossing>(system, unilateral);
}

}  // namespace

ModelMarch::ModelMarch(model::ModelSystem& model)
    : unilateral_(with_events(model)),
      system_(unilateral_ ? *unilateral_ : model),
      branches_(with_branches(system_, unilateral_.get())),
      crossing_(with_switches(system_, unilateral_.get())) {}

void ModelMarch::set_method(const model::SimulationSettings& settings, int most_halvings) {
  system::set_threads(system_, settings.threads);
  integrator_ = make_integrator(system_, settings);
  march_ = std::make_unique<integrators::March>(*integrator_, most_halvings);
  integrators::EventSource* events = unilateral_.get();
  if (branches_) events = branches_.get();
  march_->set_events(events);
  if (!crossing_) return;
  crossing_->set_events(events);
  march_->set_crossing(crossing_.get());
}

void ModelMarch::start(system::Motion& motion) {
  if (unilateral_) unilateral_->begin(motion);
  system_.accept(motion.state);
  if (branches_) branches_->begin(motion);
  integrator_->start(motion);
}

integrators::MarchReport ModelMarch::advance(double h,
                                             long steps,
                                             const std::function<bool()>& after_step) {
  const bool adaptive = integrator_->adaptive();
  if (branches_) branches_->set_step(adaptive ? h * static_cast<double>(steps) : h);
  return march_->advance(h, steps, [&] {
    system_.accept(integrator_->motion().state);
    if (branches_) branches_->follow(integrator_->motion());
    return !after_step || after_step();
  });
}

void ModelMarch::account_impacts(Recorder& recorder) {
  system::Power sum;
  if (unilateral_) {
    sum.dissipated += unilateral_->energy_lost();
    sum.drives += unilateral_->impact_work();
  }
  if (crossing_) {
    sum.dissipated += crossing_->energy_lost();
    sum.drives += crossing_->work();
    sum.loads += crossing_->load_work();
  }
  recorder.impact({.dissipated = sum.dissipated - accounted_.dissipated,
                   .loads = sum.loads - accounted_.loads,
                   .drives = sum.drives - accounted_.drives});
  accounted_ = sum;
}

}  // namespace trammel::analysis
