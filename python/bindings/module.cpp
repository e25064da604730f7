// The module trammel._core: plain functions and data. What people use is made of them in Python.
#include "build_information.h"
#include "errors.h"
#include "parts.h"
#include "program_information.h"
#include <pybind11/stl.h>

#include "trammel/report/viewer_bundle.h"

// NOLINTNEXTLINE: the macro is pybind11's way to define a module.
PYBIND11_MODULE(_core, module) {
  using namespace trammel;
  python::translate_errors();
  module.attr("version") = cli::build_information().version;
  module.def(
      "features",
      [] {
        auto facts = cli::program_report();
        facts.emplace_back("viewer", report::viewer_bundle().empty() ? "missing" : "built in");
        return facts;
      },
      "What this build consists of, as pairs of a heading and a text.");
  python::bind_model(module);
  python::bind_results(module);
  python::bind_simulation(module);
  python::bind_stepping(module);
  python::bind_analyses(module);
  python::bind_comparison(module);
  python::bind_equations(module);
  python::bind_integrators(module);
  python::bind_view(module);
}
