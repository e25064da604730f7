#include <chrono>
#include <optional>

#include "build_information.h"
#include "interruption.h"
#include "model_handle.h"
#include "output_argument.h"
#include "parts.h"
#include "report_argument.h"
#include "report_text.h"
#include "results_handle.h"
#include "run_sink.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "trammel/analysis/simulate.h"
#include "trammel/report/scene_json.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

using Clock = std::chrono::steady_clock;
using Error = std::pair<std::string, std::string>;  ///< what, and what to try

/// What a computation brought, besides its numbers.
struct Ending {
  std::optional<Error> error;
  bool stopped = false;  ///< on demand
};

/// A signal that stopped it is handled here: once Python code runs again, it would raise before
/// anybody had the results.
py::dict to_python(const Ending& ending, const CallbackState& state) {
  py::dict dict;
  dict["error"] = ending.error;
  dict["callback"] = state.failure();
  dict["interrupt"] = py::none();
  if (ending.stopped && PyErr_CheckSignals() != 0) dict["interrupt"] = taken_error();
  return dict;
}

/// Runs `work` without the GIL. A RunError is its ending; an InputError is thrown, unless Python
/// code raised before, of which it is then a consequence.
template <class Work>
Ending compute(CallbackState& state, bool main_thread, const Work& work) {
  Ending ending;
  std::atomic<bool>& stop = state.stop();
  const py::gil_scoped_release release;
  std::optional<Interruption> interruption;
  if (main_thread) interruption.emplace(stop);
  try {
    work(ending);
  } catch (const core::RunError& error) {
    ending.error = {error.what(), error.remedy()};
  } catch (const core::InputError&) {
    if (!state.failed()) throw;
  }
  ending.stopped = stop;
  return ending;
}

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

struct Request {
  std::vector<std::string> channels;
  std::string output;
  bool overwrite = false;
  bool main_thread = true;
  std::string text;  ///< of the model, for the record
  std::string started;
  std::map<std::string, std::string> more;
};

report::RunNotes notes_of(const ModelHandle& model,
                          const analysis::SimulationReport& report,
                          double wall_time) {
  report::RunNotes notes;
  for (const core::Diagnostic& each : model.warnings) {
    notes.warnings.push_back(core::to_string(each));
  }
  notes.warnings.insert(notes.warnings.end(), report.notes.begin(), report.notes.end());
  for (const cli::Report& part :
       {cli::contents_report(model.description), cli::mobility_report(report.assembly.mobility),
        cli::assembly_report(report.assembly), cli::simulation_report(report, wall_time)}) {
    notes.facts.insert(notes.facts.end(), part.begin(), part.end());
  }
  return notes;
}

analysis::SimulationOptions options_of(const ModelHandle& model,
                                       const Request& request,
                                       results::Sink& sink,
                                       CallbackState& state) {
  analysis::SimulationOptions options;
  options.sink = &sink;
  options.channels = request.channels;
  options.stop = &state.stop();
  options.information = {.model_name = model.description.name,
                         .model_text = request.text,
                         .software = fmt::format("trammel {}", cli::build_information().version),
                         .started = request.started,
                         .more = request.more,
                         .scene = report::scene_json(model.description)};
  return options;
}

py::tuple simulate(const ModelHandle& model,
                   const py::list& python_functions,
                   const py::object& progress,
                   const py::object& callback,
                   const Request& request) {
  CallbackState state;
  const FunctionSet functions(python_functions, state);
  std::unique_ptr<results::Sink> file;
  if (!request.output.empty()) {
    file = std::make_unique<cli::OutputSink>(request.output, request.overwrite);
  }
  RunSink sink(std::move(file), callback, state);
  ProgressCall call(progress, state);
  auto handle = std::make_shared<ResultsHandle>();
  const Ending ending = compute(state, request.main_thread, [&](Ending& end) {
    const auto start = Clock::now();
    const model::Description description = described(model, functions);
    const std::unique_ptr<model::ModelSystem> system = compile(model, description);
    analysis::SimulationOptions options = options_of(model, request, sink, state);
    if (!progress.is_none()) options.progress = std::ref(call);
    const auto report = analysis::simulate(*system, description.simulation, options);
    const std::chrono::duration<double> wall_time = Clock::now() - start;
    handle->notes = notes_of(model, report, wall_time.count());
    if (report.outcome == results::Outcome::failed) end.error = {report.message, report.remedy};
  });
  handle->table = sink.take();
  return py::make_tuple(handle, to_python(ending, state));
}

// Degrees of freedom, rank and the values of all channels in the assembled configuration.
py::tuple assemble(const ModelHandle& model, const py::list& python_functions, bool main_thread) {
  CallbackState state;
  const FunctionSet functions(python_functions, state);
  analysis::Assembly assembly;
  std::vector<model::Quantity> channels;
  std::vector<double> values;
  const Ending ending = compute(state, main_thread, [&](Ending&) {
    const std::unique_ptr<model::ModelSystem> system = compile(model, described(model, functions));
    assembly = analysis::assemble(*system);
    channels = system->observables();
    values.resize(channels.size());
    system->track_angles(assembly.motion.state);
    system->observe(assembly.motion, values.data());
  });
  py::dict named;
  for (std::size_t i = 0; i < channels.size(); ++i) named[py::str(channels[i].name)] = values[i];
  const auto names = [](const std::vector<model::RowName>& rows) {
    std::vector<std::string> list;
    for (const model::RowName& row : rows) list.push_back(row.joint + ": " + row.label);
    return list;
  };
  py::dict result;
  result["freedoms"] = assembly.mobility.freedoms();
  result["redundant"] = names(assembly.mobility.redundant);
  result["not_unique"] = names(assembly.mobility.not_unique);
  result["largest_move"] = assembly.largest_move;
  result["values"] = named;
  cli::Report facts = cli::contents_report(model.description);
  for (const cli::Report& part :
       {cli::mobility_report(assembly.mobility), cli::assembly_report(assembly)}) {
    facts.insert(facts.end(), part.begin(), part.end());
  }
  result["facts"] = facts;
  return py::make_tuple(result, to_python(ending, state));
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Sample, std::shared_ptr<Sample>>(module, "Sample")
      .def_readonly("time", &Sample::time)
      .def("__getitem__", &Sample::value)
      .def("channels", [](const Sample& sample) {
        std::vector<std::string> names;
        for (const results::Channel& each : sample.channels) names.push_back(each.name);
        return names;
      });
  py::class_<Request>(module, "Request")
      .def(py::init<>())
      .def_readwrite("channels", &Request::channels)
      .def_readwrite("output", &Request::output)
      .def_readwrite("overwrite", &Request::overwrite)
      .def_readwrite("main_thread", &Request::main_thread)
      .def_readwrite("text", &Request::text)
      .def_readwrite("started", &Request::started)
      .def_readwrite("more", &Request::more);
  module.def("simulate", &simulate, py::arg("model"), py::arg("functions"), py::arg("progress"),
             py::arg("callback"), py::arg("request"));
  module.def(
      "command",
      [](const std::string& path, const std::vector<std::string>& assignments) {
        return cli::reproduction_command("run", path, assignments);
      },
      py::arg("path"), py::arg("assignments"));
  module.def("assemble", &assemble, py::arg("model"), py::arg("functions"), py::arg("main_thread"));
}

}  // namespace trammel::python
