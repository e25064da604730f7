#include "trammel/analysis/unique_reactions.h"

#include "trammel/constraint_handling/rank.h"
#include "trammel/formulation/relative_system.h"

namespace trammel::analysis {
namespace {

model::ModelSystem& absolute_model(model::ModelSystem& system) {
  formulation::RelativeModel* relative = relative_model(system);
  return relative == nullptr ? system : relative->absolute();
}

}  // namespace

std::unique_ptr<UniqueReactions> UniqueReactions::where_needed(model::ModelSystem& system,
                                                               const system::State& state) {
  model::ModelSystem& absolute = absolute_model(system);
  if (!constraint_handling::rows_may_depend(*absolute.pattern())) return nullptr;
  // Rows that open and close may become redundant at any event.
  if (dynamic_cast<UnilateralModel*>(&system) == nullptr) {
    system::State place = state;
    if (formulation::RelativeModel* relative = relative_model(system)) {
      const system::Sizes sizes = system.sizes();
      place = relative
                  ->to_absolute({state, system::Vector::Zero(sizes.v),
                                 system::Vector::Zero(sizes.multipliers())})
                  .state;
    }
    if (constraint_handling::constraint_rank(absolute, place).not_unique.empty()) return nullptr;
  }
  return std::unique_ptr<UniqueReactions>(new UniqueReactions(system));
}

UniqueReactions::UniqueReactions(model::ModelSystem& system)
    : relative_(relative_model(system)),
      events_(dynamic_cast<UnilateralModel*>(&system)),
      absolute_(absolute_model(system)),
      unilateral_rows_(absolute_.unilateral_rows()),
      least_(absolute_) {}

void UniqueReactions::observe(const system::Motion& motion, double* values) {
  motion_ = relative_ == nullptr ? motion : relative_->to_absolute(motion);
  open_.clear();
  for (std::size_t i = 0; events_ != nullptr && i < events_->rows(); ++i) {
    if (!events_->closed(i)) open_.push_back(unilateral_rows_[i].row);
  }
  least_(motion_.state, motion_.lambda, open_);
  absolute_.observe(motion_, values);
}

}  // namespace trammel::analysis
