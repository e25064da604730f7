#include "comparison_page.h"
#include "comparison_text.h"
#include "computation.h"
#include "parts.h"
#include <pybind11/stl.h>

#include "trammel/analysis/comparison/compare.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

namespace comparison = analysis::comparison;
using comparison::Comparison;

py::dict row_to_python(const comparison::Row& row) {
  const comparison::RunResult& run = row.result;
  py::dict line;
  line["method"] = row.candidate.method;
  line["index"] = row.candidate.index;
  line["stabilisation"] = row.candidate.stabilisation;
  line["step"] = run.step;
  line["verdict"] = comparison::to_string(run.verdict);
  line["reason"] = run.reason;
  line["reached"] = run.reached;
  line["steps"] = run.steps;
  line["position_error"] = run.error.position;
  line["velocity_error"] = run.error.velocity;
  line["acceleration_error"] = run.error.acceleration;
  line["reaction_error"] = run.error.reaction;
  line["position_order"] = row.order.position;
  line["velocity_order"] = row.order.velocity;
  line["acceleration_order"] = row.order.acceleration;
  line["reaction_order"] = row.order.reaction;
  line["position_residual"] = run.position_residual;
  line["velocity_residual"] = run.velocity_residual;
  line["acceleration_residual"] = run.acceleration_residual;
  line["energy_change"] = run.energy_change;
  line["energy_drift"] = run.energy_drift;
  line["iterations_per_step"] = run.iterations_per_step;
  line["factorisations_per_step"] = run.factorisations_per_step;
  line["time"] = run.time;
  return line;
}

py::dict comparison_to_python(const Comparison& found) {
  py::list rows;
  for (const comparison::Row& row : found.rows) rows.append(row_to_python(row));
  py::list left_out;
  for (const comparison::LeftOut& each : found.left_out) {
    left_out.append(py::make_tuple(each.group, each.reason));
  }
  py::dict result;
  result["rows"] = rows;
  result["left_out"] = left_out;
  result["reference"] = found.reference;
  result["trusted_until"] = found.trusted_until;
  result["findings"] = cli::findings(found);
  result["ending"] = found.ending;
  result["threads"] = found.threads;
  result["wall_time"] = found.wall_time;
  return result;
}

py::tuple compare(const ModelHandle& model,
                  const py::list& functions,
                  const comparison::Axes& axes,
                  double drift,
                  int threads,
                  double time_limit,
                  bool main_thread) {
  Computation computation(model, functions, main_thread);
  auto found = std::make_shared<Comparison>();
  comparison::CompareOptions options;
  options.axes = axes;
  options.limits.drift = drift;
  // Functions remember their last call and are run by one interpreter: they stay on one thread.
  options.threads = functions.empty() ? threads : 1;
  options.stop = &computation.state().stop();
  options.time_limit = time_limit;
  computation.run([&](const model::Description& description, model::ModelSystem&) {
    *found = comparison::compare(description, options);
  });
  return py::make_tuple(found, computation.ending());
}

void write_page(const Comparison& found,
                const std::string& path,
                const std::string& model_name,
                const std::string& command,
                bool overwrite) {
  report::write_page(path, cli::comparison_page(model_name, command, found), overwrite);
}

}  // namespace

void bind_comparison(py::module_& module) {
  py::class_<comparison::Axes>(module, "Axes")
      .def(py::init<>())
      .def_readwrite("methods", &comparison::Axes::methods)
      .def_readwrite("radii", &comparison::Axes::radii)
      .def_readwrite("indices", &comparison::Axes::indices)
      .def_readwrite("stabilisations", &comparison::Axes::stabilisations)
      .def_readwrite("steps", &comparison::Axes::steps)
      .def_readwrite("tolerances", &comparison::Axes::tolerances)
      .def(
          "set",
          [](comparison::Axes& self, const std::string& setting) {
            self.settings.insert(comparison::parse_setting(setting));
          },
          py::arg("setting"));
  py::class_<Comparison, std::shared_ptr<Comparison>>(module, "ComparisonHandle")
      .def("contents", [](const Comparison& self) { return comparison_to_python(self); })
      .def("report", &write_page, py::arg("path"), py::arg("model_name"), py::arg("command"),
           py::arg("overwrite"), py::call_guard<py::gil_scoped_release>());
  module.def("compare", &compare, py::arg("model"), py::arg("functions"), py::arg("axes"),
             py::arg("drift"), py::arg("threads"), py::arg("time_limit"), py::arg("main_thread"));
}

}  // namespace trammel::python
