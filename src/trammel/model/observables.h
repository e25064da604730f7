// What a mechanism lets people see.
#pragma once

#include "trammel/model/mechanism.h"
#include "trammel/model/quantity_list.h"

namespace trammel::model {

/// What can be recorded of the wanted parts, numbered in the order of assembly/observation.h.
template <class S>
ObservableChoice observable_quantities(const Mechanism<S>& mechanism, const PartFilter& wanted);

/// Everything that can be recorded.
template <class S>
std::vector<Quantity> observable_quantities(const Mechanism<S>& mechanism) {
  return quantities_of(observable_quantities(mechanism, {}));
}

}  // namespace trammel::model
