// trammel statics: where the model can rest, what its joints carry there, and whether it stays.
#include "analysis_text.h"
#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "results_argument.h"

#include "trammel/analysis/recorder.h"

namespace trammel::cli {
namespace {

struct StaticsOptions {
  ModelArgument model;
  ResultsArgument results;
  std::string method = "auto";
  bool nearest = false;
  bool path = false;
  bool branch = false;
  double path_step = 0.02;
};

/// Rows stand at the length of the path; the time of the loads is a channel.
analysis::LoadPath record_path(const StaticsOptions& options,
                               const io::ModelFile& file,
                               double seconds,
                               model::ModelSystem& system,
                               analysis::SimulationOptions settings,
                               TimeLimit& limit) {
  const analysis::LoadPath path =
      analysis::follow_load(system, {.until = file.description.simulation.until,
                                     .step = options.path_step,
                                     .branch = options.branch,
                                     .end = {.time_limit = seconds}});
  limit.end();
  settings.further = {{"path.time", "s", "", "time of the loads"},
                      {"path.softest", "1/s^2", "", "lowest omega^2 of small motions"},
                      {"path.growing", "", "", "shapes that grow away"}};
  catch_stop_signals();
  analysis::Recorder recorder(system, settings);
  for (const analysis::PathPoint& point : path.points) {
    recorder.place_rows(point.length);
    recorder.step(point.motion);
    recorder.record(point.motion, {}, 0.0,
                    {point.motion.state.t, point.least, static_cast<double>(point.growing)});
  }
  return path;
}

int run_statics(const StaticsOptions& options) {
  const double seconds = options.model.time_limit_seconds();
  TimeLimit limit(seconds);
  const io::ModelFile file = load(options.model);
  OutputSink sink = open_results(options.results, file, ".statics.h5");
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information =
      run_information("statics", options.model, file, sink.path(), options.results.channels);
  settings.information.method = options.path ? "load path" : "static equilibrium";
  settings.channels = options.results.channels;
  if (options.path) {
    const analysis::LoadPath path = record_path(options, file, seconds, *system, settings, limit);
    sink.finish(results::Outcome::completed, "", {});
    return finish_results(options.results, file, sink,
                          joined({contents_report(file.description),
                                  mobility_report(path.assembly.mobility), load_path_report(path)}),
                          {});
  }
  const analysis::StaticsReport report = analysis::statics(
      *system, {static_method(options.method), options.nearest, {.time_limit = seconds}});
  limit.end();
  catch_stop_signals();
  analysis::Recorder recorder(*system, settings);
  recorder.step(report.motion);
  recorder.record(report.motion, {}, 0.0);
  sink.finish(results::Outcome::completed, "", {});
  return finish_results(options.results, file, sink,
                        joined({contents_report(file.description),
                                mobility_report(report.assembly.mobility), statics_report(report)}),
                        {});
}

}  // namespace

void add_statics(Interface& interface) {
  auto options = std::make_shared<StaticsOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "statics",
      "Find a position of rest, with all reactions, and whether it is stable.\n"
      "Newton's method from the described start; where it fails, the loads are applied in steps, "
      "and at last the model is let go and its motion damped. From an unstable position it is "
      "pushed on to a stable one.",
      "trammel statics suspension.yaml                 # writes suspension.statics.h5\n"
      "trammel statics toggle.yaml --nearest           # also where it does not stay\n"
      "trammel statics truss.yaml --path --until 2     # as loads grow with time, past "
      "snap-through");
  add_model_argument(interface, command, options->model);
  add_coordinates_option(interface, command, options->model);
  const std::vector<std::string> choices{"auto", "newton", "load-stepping", "relaxation"};
  CLI::Option* method = command->add_option("-m,--method", options->method,
                                            "auto, newton, load-stepping or relaxation");
  method->type_name("NAME")->group("Method")->check(CLI::IsMember(choices));
  interface.completions[method] = words(choices);
  command
      ->add_flag("--nearest", options->nearest, "stop at the first position of rest, stable or not")
      ->group("Method");
  CLI::Option* path = command->add_flag(
      "--path", options->path,
      "follow the positions of rest while loads and drives change with time, through limit points");
  path->group("Path");
  options->model.shortcuts.push_back({"--until", "simulation.until", ""});
  command
      ->add_option("-u,--until", options->model.shortcuts.back().value,
                   "time at which the path ends, e.g. '10 s'")
      ->type_name("TIME")
      ->needs(path)
      ->group("Path");
  command->add_option("--path-step", options->path_step, "first length along the path (0.02)")
      ->type_name("LENGTH")
      ->check(CLI::PositiveNumber)
      ->needs(path)
      ->group("Path");
  command
      ->add_flag("--branch", options->branch,
                 "leave the path at the first bifurcation, along the shape that has no stiffness")
      ->needs(path)
      ->group("Path");
  add_results_options(interface, command, options->results, ".statics.h5");
  set_action(interface, command, options, run_statics);
}

}  // namespace trammel::cli
