#include "trammel/analysis/part_observables.h"

#include <utility>

#include "trammel/analysis/unilateral_model.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/observables.h"

namespace trammel::analysis {

model::ObservableChoice observables_of(model::ModelSystem& system,
                                       const model::PartFilter& wanted) {
  formulation::RelativeModel* relative = relative_model(system);
  system::MechanicalSystem* at = relative != nullptr ? &relative->absolute() : &system;
  for (; at != nullptr; at = at->behind()) {
    if (const auto* planar = dynamic_cast<model::MechanismSystem<model::Planar>*>(at)) {
      return model::observable_quantities(planar->mechanism(), wanted);
    }
    if (const auto* spatial = dynamic_cast<model::MechanismSystem<model::Spatial>*>(at)) {
      return model::observable_quantities(spatial->mechanism(), wanted);
    }
  }
  // A system of another kind tells everything.
  model::ObservableChoice all;
  for (model::Quantity& quantity : system.observables()) {
    all.chosen.push_back({all.total++, std::move(quantity)});
  }
  return all;
}

}  // namespace trammel::analysis
