// A model of its own for another run.
#pragma once

#include <memory>

#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// Shares what is constant. The state of evaluation is that of `system` now.
inline std::unique_ptr<model::ModelSystem> copy_of(const model::ModelSystem& system) {
  std::unique_ptr<system::MechanicalSystem> copy = system.clone();
  // Clones are of the same kind.
  return std::unique_ptr<model::ModelSystem>(dynamic_cast<model::ModelSystem*>(copy.release()));
}

}  // namespace trammel::analysis
