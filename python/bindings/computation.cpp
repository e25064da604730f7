#include "computation.h"

#include "build_information.h"
#include "equation_notes.h"
#include "interruption.h"
#include "output_argument.h"
#include "results_file.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "trammel/io/presentation.h"
#include "trammel/report/display_units.h"
#include "trammel/report/drawn_part.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

std::unique_ptr<results::Sink> file_of(const Request& request) {
  if (request.output.empty()) return nullptr;
  return std::make_unique<cli::OutputSink>(request.output, request.overwrite);
}

}  // namespace

Computation::Computation(const ModelHandle& model,
                         const py::list& functions,
                         bool main_thread,
                         formulation::HingeDrives drives)
    : model_(model), functions_(functions, state_), main_thread_(main_thread), drives_(drives) {}

void Computation::run(const Work& work) {
  std::atomic<bool>& stop = state_.stop();
  const py::gil_scoped_release release;
  std::optional<Interruption> interruption;
  if (main_thread_) interruption.emplace(stop);
  try {
    const model::Description description = described(model_, functions_);
    const std::unique_ptr<model::ModelSystem> system = compile(model_, description, drives_);
    work(description, *system);
  } catch (const core::RunError& error) {
    fail(error.what(), error.remedy());
  } catch (const core::InputError& mistakes) {
    if (!state_.failed()) {
      std::vector<core::Diagnostic> located = mistakes.diagnostics();
      for (core::Diagnostic& diagnostic : located) model_.locate(diagnostic);
      throw core::InputError(std::move(located));
    }
  }
  stopped_ = stop;
}

py::dict Computation::ending() const {
  py::dict dict;
  dict["error"] = error_;
  dict["callback"] = state_.failure();
  dict["interrupt"] = py::none();
  if (stopped_ && PyErr_CheckSignals() != 0) dict["interrupt"] = taken_error();
  return dict;
}

std::vector<std::string> row_texts(const std::vector<model::RowName>& rows) {
  std::vector<std::string> list;
  for (const model::RowName& row : rows) list.push_back(row.joint + ": " + row.label);
  return list;
}

Recording::Recording(Computation& computation, const Request& request, const py::object& callback)
    : computation_(computation),
      request_(request),
      sink_(file_of(request), callback, computation.state()) {}

analysis::SimulationOptions Recording::options(const std::string& method) {
  const model::Description& description = computation_.model().description;
  analysis::SimulationOptions options;
  options.sink = &sink_;
  options.channels = request_.channels;
  options.stop = &computation_.state().stop();
  options.time_limit = request_.time_limit;
  options.information = {.model_name = description.name,
                         .model_text = request_.text,
                         .method = method,
                         .software = fmt::format("trammel {}", cli::build_information().version),
                         .started = request_.started,
                         .more = request_.more};
  report::add_scene(description, request_.channels, options.information);
  const io::Presentation presentation = io::presentation_of(computation_.model());
  report::note_list(options.information, report::noted_units, presentation.units);
  report::note_list(options.information, report::noted_plots, presentation.plots);
  cli::note_equations(options.information, description);
  return options;
}

void Recording::tell(const cli::Report& facts, const report::RunNotes& notes) {
  handle_->notes = notes;
  std::vector<std::string>& warnings = handle_->notes.warnings;
  warnings.clear();
  for (const core::Diagnostic& each : computation_.model().warnings) {
    warnings.push_back(core::to_string(each));
  }
  warnings.insert(warnings.end(), notes.warnings.begin(), notes.warnings.end());
  handle_->notes.facts = facts;
  sink_.annotate(report::as_information(handle_->notes));
  sink_.conclude();
}

std::shared_ptr<ResultsHandle> Recording::take() {
  handle_->table = sink_.take();
  return handle_;
}

}  // namespace trammel::python
