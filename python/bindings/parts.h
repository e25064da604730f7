// The parts of the module trammel._core, one function and one file each. A further analysis is one
// more of them: a file that binds it, and a line here and in module.cpp.
#pragma once

#include <pybind11/pybind11.h>

namespace trammel::python {

/// Reading, writing and checking models; the words of the model file.
void bind_model(pybind11::module_& module);
/// Tables of channels over time.
void bind_results(pybind11::module_& module);
/// Assembly and simulation.
void bind_simulation(pybind11::module_& module);
/// Simulations taken step by step, and what is inside of them.
void bind_stepping(pybind11::module_& module);
/// Kinematics, degrees of freedom, inverse dynamics, statics and modes.
void bind_analyses(pybind11::module_& module);
/// Many methods against a reference.
void bind_comparison(pybind11::module_& module);
/// Equations of motion as formulas.
void bind_equations(pybind11::module_& module);
/// Integrators written in Python.
void bind_integrators(pybind11::module_& module);
/// Models that run while they are looked at.
void bind_view(pybind11::module_& module);

}  // namespace trammel::python
