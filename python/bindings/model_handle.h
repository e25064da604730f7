// A model that was read and checked, as Python holds it.
#pragma once

#include <memory>

#include "callbacks.h"

#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"
#include "trammel/model/model_system.h"

namespace trammel::python {

/// Constant; every computation works on a copy of the description.
using ModelHandle = io::ModelFile;

/// The description with the functions of a Python model.
model::Description described(const ModelHandle& model, const FunctionSet& functions);

/// Compiles it. Mistakes that show up only now get their place in the file.
std::unique_ptr<model::ModelSystem> compile(const ModelHandle& model,
                                            const model::Description& description,
                                            formulation::HingeDrives drives);

}  // namespace trammel::python
