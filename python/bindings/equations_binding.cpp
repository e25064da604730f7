#include "errors.h"
#include "model_handle.h"
#include "parts.h"
#include <pybind11/stl.h>

#include "trammel/symbolic/equation_text.h"

namespace trammel::python {
namespace py = pybind11;

void bind_equations(py::module_& module) {
  module.def(
      "equations",
      [](const ModelHandle& model, std::size_t width) {
        const symbolic::Equations equations = symbolic::equations_of_motion(model.description);
        std::vector<std::string> coordinates;
        for (const symbolic::Coordinate& each : equations.coordinates) {
          coordinates.push_back(each.name);
        }
        return py::make_tuple(coordinates, symbolic::as_text(equations, width),
                              symbolic::as_latex(equations));
      },
      py::arg("model"), py::arg("width"));
}

}  // namespace trammel::python
