#include "analysis_text.h"
#include "computation.h"
#include "linear_request.h"
#include "parts.h"
#include "vocabulary.h"
#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "trammel/analysis/recorded_motion.h"
#include "trammel/analysis/recorder.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

// ---- driven motions

py::list positions_to_python(const std::vector<analysis::SingularPosition>& positions) {
  py::list list;
  for (const analysis::SingularPosition& each : positions) {
    const bool change_point = each.kind == analysis::SingularKind::change_point;
    list.append(py::make_tuple(each.time, change_point ? "change point" : "dead centre",
                               each.freedoms, each.rows, each.inputs, to_string(each)));
  }
  return list;
}

py::tuple kinematics(const ModelHandle& model, const py::list& functions, const Request& request) {
  Computation computation(model, functions, request.main_thread);
  Recording recording(computation, request);
  analysis::KinematicsReport report;
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    report = analysis::kinematics(system, description.simulation, cli::drive_names(description),
                                  recording.options("kinematics"));
    std::vector<std::string> notes;
    for (const analysis::SingularPosition& each : report.singular) notes.push_back(to_string(each));
    recording.tell(
        cli::joined({cli::contents_report(model.description), cli::assembly_report(report.assembly),
                     cli::kinematics_report(report)}),
        notes);
    if (report.outcome == results::Outcome::failed) {
      computation.fail(report.message, report.remedy);
    }
  });
  return py::make_tuple(recording.take(), positions_to_python(report.singular),
                        computation.ending());
}

py::dict report_to_python(const analysis::InverseReport& report) {
  py::dict loads;
  for (const analysis::DriveLoad& each : report.loads) {
    loads[py::str(each.name)] =
        py::make_tuple(each.unit, each.smallest, each.largest, each.mean_square, each.peak_power);
  }
  py::dict result;
  result["loads"] = loads;
  result["singular"] = positions_to_python(report.singular);
  result["freedoms"] = report.freedoms;
  result["actuators"] = report.actuators;
  result["over_actuated"] = report.over_actuated();
  result["missing"] = report.missing_coordinates;
  result["largest_missing"] = report.largest_missing;
  result["not_unique"] = report.not_unique;
  return result;
}

// `motion` is null for that of the drives.
py::tuple inverse(const ModelHandle& model,
                  const py::list& functions,
                  const ResultsHandle* motion,
                  const std::vector<std::string>& actuators,
                  bool least_squares,
                  const Request& request) {
  Computation computation(model, functions, request.main_thread);
  Recording recording(computation, request);
  analysis::InverseReport report;
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    analysis::InverseOptions wanted;
    wanted.drives = cli::drive_names(description);
    wanted.actuators = actuators;
    wanted.least_squares = least_squares;
    const analysis::SimulationOptions options = recording.options("inverse dynamics");
    report = motion == nullptr
                 ? analysis::inverse_of_drives(system, description.simulation, wanted, options)
                 : analysis::inverse_of_motion(
                       system, analysis::recorded_motion(description, system, motion->table),
                       wanted, options);
    recording.tell(
        cli::joined({cli::contents_report(model.description), cli::inverse_report(report)}),
        std::vector<std::string>{});
    if (report.outcome == results::Outcome::failed) {
      computation.fail(report.message, report.remedy);
    }
  });
  return py::make_tuple(recording.take(), report_to_python(report), computation.ending());
}

// ---- degrees of freedom

const char* name_of(analysis::PathKind kind) {
  if (kind == analysis::PathKind::kinematics) return "kinematics";
  return kind == analysis::PathKind::simulation ? "simulation" : "start";
}

py::dict path_to_python(const analysis::MobilityPath& path) {
  py::list changes;
  for (const analysis::MobilityChange& each : path.changes) {
    changes.append(py::make_tuple(each.time, each.before, each.there, each.passing));
  }
  py::dict result;
  result["freedoms"] = path.drives.freedoms;
  result["drives"] = path.drives.drives;
  result["remaining"] = path.drives.remaining;
  result["dependent"] = path.drives.dependent;
  result["proposals"] = path.drives.proposals;
  result["redundant"] = row_texts(path.assembly.mobility.redundant);
  result["not_unique"] = row_texts(path.assembly.mobility.not_unique);
  result["loads_not_unique"] = path.assembly.mobility.loads_not_unique;
  result["along"] = name_of(path.path);
  result["until"] = path.until;
  result["changes"] = changes;
  result["least_singular_value"] = path.least_singular_value;
  result["least_time"] = path.least_time;
  result["end"] = path.end;
  return result;
}

py::tuple dof(const ModelHandle& model,
              const py::list& functions,
              const std::string& along,
              double time_limit,
              bool main_thread) {
  Computation computation(model, functions, main_thread);
  analysis::MobilityPath path;
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    analysis::SimulationOptions options;
    options.stop = &computation.state().stop();
    options.time_limit = time_limit;
    path = analysis::mobility_along(system, description.simulation, cli::drive_names(description),
                                    cli::path_kind(along, description, system), options);
  });
  py::dict result = path_to_python(path);
  result["facts"] =
      cli::joined({cli::contents_report(model.description), cli::mobility_path_report(path)});
  return py::make_tuple(result, computation.ending());
}

// ---- rest

const char* name_of(analysis::Stability stability) {
  if (stability == analysis::Stability::stable) return "stable";
  return stability == analysis::Stability::neutral ? "neutral" : "unstable";
}

const char* name_of(analysis::StaticMethod method) {
  if (method == analysis::StaticMethod::newton) return "newton";
  return method == analysis::StaticMethod::load_stepping ? "load-stepping" : "relaxation";
}

py::tuple statics(const ModelHandle& model,
                  const py::list& functions,
                  const std::string& method,
                  bool nearest,
                  const Request& request) {
  Computation computation(model, functions, request.main_thread);
  Recording recording(computation, request);
  analysis::StaticsReport report;
  computation.run([&](const model::Description&, model::ModelSystem& system) {
    const analysis::EarlyEnd end{.stop = &computation.state().stop(),
                                 .time_limit = request.time_limit};
    report = analysis::statics(system, {cli::static_method(method), nearest, end});
    const analysis::SimulationOptions options = recording.options("static equilibrium");
    analysis::Recorder recorder(system, options);
    recorder.step(report.motion);
    recorder.record(report.motion, {}, 0.0);
    options.sink->finish(results::Outcome::completed, "", {});
    recording.tell(
        cli::joined({cli::contents_report(model.description),
                     cli::mobility_report(report.assembly.mobility), cli::statics_report(report)}),
        std::vector<std::string>{});
  });
  py::dict result;
  result["method"] = name_of(report.method);
  result["iterations"] = report.iterations;
  result["residual"] = report.residual;
  result["moved"] = report.moved;
  result["stability"] = name_of(report.stability.verdict);
  result["stiffness"] = report.stability.stiffness;
  result["softest"] = report.stability.softest;
  result["left_along"] = report.left_along;
  return py::make_tuple(recording.take(), result, computation.ending());
}

// ---- modes

/// Kept by Python, to be animated: coordinates are those of the model, however often it is
/// compiled.
struct ModesHandle {
  system::Motion motion;
  analysis::Modes modes;
  cli::Report facts;
  std::vector<std::string> notes;
};

py::tuple modes(const ModelHandle& model,
                const py::list& functions,
                cli::LinearRequest request,
                double time_limit,
                bool main_thread) {
  Computation computation(model, functions, main_thread);
  auto handle = std::make_shared<ModesHandle>();
  const auto compile_with = [&](const std::string& parameter, const std::string& value) {
    const ModelHandle changed = io::read_model_text(
        model.text, model.path, cli::full_vocabulary(),
        io::ReadOptions{.overrides = {{parameter, value}}, .allow_outside = model.allow_outside});
    return compile(changed, described(changed, computation.functions()),
                   formulation::HingeDrives::rows);
  };
  computation.run([&](const model::Description& description, model::ModelSystem& system) {
    request.end = {.stop = &computation.state().stop(), .time_limit = time_limit};
    cli::Report base;
    handle->motion = cli::base_motion(request, system, base);
    const auto options = cli::linear_options(request, description, compile_with);
    handle->modes = analysis::modes(analysis::linearise(system, handle->motion, options),
                                    system.displacement_scale());
    handle->facts = cli::joined(
        {cli::contents_report(model.description), base, cli::modes_report(handle->modes)});
    handle->notes = cli::doubts(handle->modes.linear);
  });
  return py::make_tuple(handle, computation.ending());
}

py::tuple animate(const ModesHandle& handle,
                  const ModelHandle& model,
                  const py::list& functions,
                  double seconds,
                  const Request& request) {
  Computation computation(model, functions, request.main_thread);
  Recording recording(computation, request);
  computation.run([&](const model::Description&, model::ModelSystem& system) {
    analysis::animate(
        system, handle.motion, handle.modes, seconds,
        recording.options(fmt::format("mode shapes in pseudo-time, {:g} s each", seconds)));
    recording.tell(handle.facts, handle.notes);
  });
  return py::make_tuple(recording.take(), computation.ending());
}

using Names = std::vector<std::pair<std::string, std::string>>;  ///< and units

Names names_of(const std::vector<analysis::LinearName>& list) {
  Names names;
  for (const analysis::LinearName& each : list) names.emplace_back(each.name, each.unit);
  return names;
}

py::dict modes_to_python(const ModesHandle& handle) {
  const analysis::Modes& modes = handle.modes;
  const analysis::Linearisation& linear = modes.linear;
  const auto count = static_cast<Eigen::Index>(modes.modes.size());
  Eigen::VectorXcd eigenvalues(count);
  Eigen::VectorXd frequencies(count);
  Eigen::VectorXd damping_ratios(count);
  Eigen::MatrixXcd shapes(linear.A.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const analysis::Mode& mode = modes.modes[static_cast<std::size_t>(i)];
    eigenvalues[i] = mode.eigenvalue;
    frequencies[i] = mode.frequency;
    damping_ratios[i] = mode.damping_ratio;
    shapes.col(i) = mode.state;
  }
  py::dict result;
  result["eigenvalues"] = eigenvalues;
  result["frequencies"] = frequencies;
  result["damping_ratios"] = damping_ratios;
  result["shapes"] = shapes;
  result["A"] = linear.A;
  result["B"] = linear.B;
  result["C"] = linear.C;
  result["D"] = linear.D;
  result["states"] = names_of(linear.states);
  result["inputs"] = names_of(linear.inputs);
  result["outputs"] = names_of(linear.outputs);
  result["unstable"] = modes.unstable;
  result["facts"] = handle.facts;
  result["notes"] = handle.notes;
  return result;
}

void bind_modes(py::module_& module) {
  py::class_<ModesHandle, std::shared_ptr<ModesHandle>>(module, "ModesHandle")
      .def("contents", [](const ModesHandle& self) { return modes_to_python(self); });
  py::class_<cli::LinearRequest>(module, "LinearRequest")
      .def(py::init<>())
      .def_readwrite("about", &cli::LinearRequest::about)
      .def_readwrite("coordinates", &cli::LinearRequest::coordinates)
      .def_readwrite("inputs", &cli::LinearRequest::inputs)
      .def_readwrite("outputs", &cli::LinearRequest::outputs);
  module.def("modes", &modes, py::arg("model"), py::arg("functions"), py::arg("request"),
             py::arg("time_limit"), py::arg("main_thread"));
  module.def("animate", &animate, py::arg("modes"), py::arg("model"), py::arg("functions"),
             py::arg("seconds"), py::arg("request"));
}

}  // namespace

void bind_analyses(py::module_& module) {
  module.def("kinematics", &kinematics, py::arg("model"), py::arg("functions"), py::arg("request"));
  module.def("inverse", &inverse, py::arg("model"), py::arg("functions"), py::arg("motion"),
             py::arg("actuators"), py::arg("least_squares"), py::arg("request"));
  module.def("dof", &dof, py::arg("model"), py::arg("functions"), py::arg("along"),
             py::arg("time_limit"), py::arg("main_thread"));
  module.def("statics", &statics, py::arg("model"), py::arg("functions"), py::arg("method"),
             py::arg("nearest"), py::arg("request"));
  bind_modes(module);
}

}  // namespace trammel::python
