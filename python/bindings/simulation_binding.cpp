#include <chrono>

#include "analysis_text.h"
#include "computation.h"
#include "errors.h"
#include "parts.h"
#include "report_argument.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "trammel/analysis/certificate.h"
#include "trammel/analysis/start.h"
#include "trammel/io/presentation.h"
#include "trammel/model/formula_warnings.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

using Clock = std::chrono::steady_clock;

/// Calls Python at most ten times a second.
class ProgressCall {
 public:
  ProgressCall(py::object callable, CallbackState& state)
      : callable_(std::move(callable)), state_(state) {}

  void operator()(const analysis::Progress& progress) {
    constexpr double interval = 0.1;  // s
    if (state_.failed() || progress.wall_time < next_) return;
    next_ = progress.wall_time + interval;
    const py::gil_scoped_acquire gil;
    try {
      callable_(progress.time, progress.until, progress.steps, progress.wall_time);
    } catch (py::error_already_set& error) {
      error.restore();
      state_.fail("progress",
                  fmt::format("progress({:.6g}, {:.6g}, ...)", progress.time, progress.until));
    }
  }

 private:
  py::object callable_;
  CallbackState& state_;
  double next_ = 0.0;
};

py::tuple simulate(const ModelHandle& model,
                   const py::list& functions,
                   const py::object& progress,
                   const py::object& callback,
                   const Request& request) {
  Computation computation(model, functions, request.main_thread,
                          formulation::HingeDrives::prescribed);
  Recording recording(computation, request, callback);
  ProgressCall call(progress, computation.state());
  const bool shown = !progress.is_none();
  const auto start = Clock::now();
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    analysis::SimulationOptions options = recording.options();
    if (shown) options.progress = std::ref(call);
    options.second_run = request.second_run;
    analysis::Certificate certificate;
    const auto report =
        request.certify
            ? analysis::simulate_certified(system, description.simulation, options, certificate)
            : analysis::simulate(system, description.simulation, options,
                                 io::starts_at_rest(model) ? analysis::Start::equilibrium
                                                           : analysis::Start::described);
    const std::chrono::duration<double> wall_time = Clock::now() - start;
    recording.tell(cli::joined({cli::contents_report(model.description),
                                cli::mobility_report(report.assembly.mobility),
                                cli::assembly_report(report.assembly),
                                cli::simulation_report(report, wall_time.count())}),
                   cli::examination_notes(report));
    if (report.outcome == results::Outcome::failed) {
      computation.fail(report.message, report.remedy);
    }
  });
  return py::make_tuple(recording.take(), computation.ending());
}

// Degrees of freedom, rank and the values of all channels in the assembled configuration.
py::tuple assemble(const ModelHandle& model, const py::list& functions, bool main_thread) {
  Computation computation(model, functions, main_thread);
  analysis::Assembly assembly;
  std::vector<model::Quantity> channels;
  std::vector<double> values;
  std::vector<core::Diagnostic> warnings;
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    warnings = model::formula_warnings(description);
    for (core::Diagnostic& warning : warnings) model.locate(warning);
    assembly = analysis::assemble(system);
    channels = system.observables();
    values.resize(channels.size());
    system.accept(assembly.motion.state);
    system.observe(assembly.motion, values.data());
  });
  py::dict named;
  for (std::size_t i = 0; i < channels.size(); ++i) named[py::str(channels[i].name)] = values[i];
  py::dict result;
  result["freedoms"] = assembly.mobility.freedoms();
  result["redundant"] = row_texts(assembly.mobility.redundant);
  result["not_unique"] = row_texts(assembly.mobility.not_unique);
  result["loads_not_unique"] = assembly.mobility.loads_not_unique;
  result["largest_move"] = assembly.largest_move;
  std::vector<std::string> moved;
  for (const analysis::MovedValue& value : assembly.moved) {
    if (value.stated) moved.push_back(to_string(value));
  }
  result["moved"] = moved;
  result["values"] = named;
  result["warnings"] = to_python(warnings);
  result["facts"] =
      cli::joined({cli::contents_report(model.description), cli::mobility_report(assembly.mobility),
                   cli::assembly_report(assembly)});
  return py::make_tuple(result, computation.ending());
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Sample, std::shared_ptr<Sample>>(module, "Sample")
      .def_readonly("time", &Sample::time)
      .def("__getitem__", &Sample::value)
      .def("channels", [](const Sample& sample) {
        std::vector<std::string> names;
        for (const results::Channel& each : sample.channels->list) names.push_back(each.name);
        return names;
      });
  py::enum_<analysis::SecondRun>(module, "SecondRun")
      .value("never", analysis::SecondRun::never)
      .value("when_cheap", analysis::SecondRun::when_cheap)
      .value("always", analysis::SecondRun::always);
  py::class_<Request>(module, "Request")
      .def(py::init<>())
      .def_readwrite("channels", &Request::channels)
      .def_readwrite("output", &Request::output)
      .def_readwrite("overwrite", &Request::overwrite)
      .def_readwrite("main_thread", &Request::main_thread)
      .def_readwrite("time_limit", &Request::time_limit)
      .def_readwrite("text", &Request::text)
      .def_readwrite("started", &Request::started)
      .def_readwrite("more", &Request::more)
      .def_readwrite("second_run", &Request::second_run)
      .def_readwrite("certify", &Request::certify);
  module.def("simulate", &simulate, py::arg("model"), py::arg("functions"), py::arg("progress"),
             py::arg("callback"), py::arg("request"));
  module.def("command", &cli::reproduction_command, py::arg("command"), py::arg("path"),
             py::arg("assignments"));
  module.def("assemble", &assemble, py::arg("model"), py::arg("functions"), py::arg("main_thread"));
}

}  // namespace trammel::python
