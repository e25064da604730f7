// Errors of the library as Python exceptions of trammel.errors, with the same texts.
#pragma once

#include <vector>

#include <pybind11/pybind11.h>

#include "trammel/core/diagnostic.h"

namespace trammel::python {

/// core::InputError becomes trammel.InputError and core::RunError trammel.RunError.
void translate_errors();

/// A list of trammel.Diagnostic.
pybind11::list to_python(const std::vector<core::Diagnostic>& diagnostics);

}  // namespace trammel::python
