// What can be recorded of some parts of a model. Of large models it takes gigabytes to name
// everything.
#pragma once

#include "trammel/model/model_system.h"
#include "trammel/model/quantity_list.h"

namespace trammel::analysis {

/// Those of the wanted parts among system.observables().
model::ObservableChoice observables_of(model::ModelSystem& system, const model::PartFilter& wanted);

}  // namespace trammel::analysis
