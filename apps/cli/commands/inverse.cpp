// trammel inverse: the loads behind a prescribed motion.
#include "analysis_text.h"
#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "progress_display.h"
#include "results_argument.h"
#include "terminal.h"

#include "trammel/analysis/recorded_motion.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct InverseOptions {
  ModelArgument model;
  ResultsArgument results;
  std::string motion;
  std::vector<std::string> actuators;
  bool least_squares = false;
};

analysis::InverseReport solve(const InverseOptions& options,
                              const io::ModelFile& file,
                              model::ModelSystem& system,
                              const analysis::SimulationOptions& settings) {
  analysis::InverseOptions wanted;
  wanted.drives = drive_names(file.description);
  wanted.actuators = options.actuators;
  wanted.least_squares = options.least_squares;
  if (options.motion.empty()) {
    return analysis::inverse_of_drives(system, file.description.simulation, wanted, settings);
  }
  const results::Table table = results::read(options.motion);
  return analysis::inverse_of_motion(
      system, analysis::recorded_motion(file.description, system, table), wanted, settings);
}

int run_inverse(const InverseOptions& options) {
  if (options.motion.empty() && (!options.actuators.empty() || options.least_squares)) {
    throw core::InputError("--actuate and --least-squares belong to a recorded motion",
                           "give one with --motion RESULTS, or add drives to the model");
  }
  TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  check_steps(file);
  OutputSink sink = open_results(options.results, file, ".inverse.h5", {options.motion});
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information =
      run_information("inverse", options.model, file, sink.path(), options.results.channels);
  settings.information.method = "inverse dynamics";
  settings.channels = options.results.channels;
  settings.stop = &catch_stop_signals();
  settings.time_limit = options.model.time_limit_seconds();
  ProgressDisplay display(error_is_terminal(), terminal_width());
  if (!options.results.quiet) {
    settings.progress = [&](const analysis::Progress& progress) { display.update(progress); };
  }
  const analysis::InverseReport report = solve(options, file, *system, settings);
  limit.end();
  const Report facts = joined({contents_report(file.description), inverse_report(report)});
  const int code = finish_results(options.results, file, sink, facts, {});
  if (report.outcome == results::Outcome::completed) return code;
  print_error(report.message, report.remedy);
  return exit_failed;
}

}  // namespace

void add_inverse(Interface& interface) {
  auto options = std::make_shared<InverseOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "inverse",
      "Find the drive loads and all reactions behind a prescribed motion.\n"
      "The motion is that of the model's drives, or a recorded one. Says plainly what is "
      "under-actuated, over-actuated or not unique.",
      "trammel inverse robot.yaml                      # loads of its drives\n"
      "trammel inverse arm.yaml --motion arm.h5 --actuate shoulder.angle,elbow.angle");
  add_model_argument(interface, command, options->model);
  add_coordinates_option(interface, command, options->model);
  add_time_options(interface, command, options->model);
  CLI::Option* motion = command->add_option(
      "--motion", options->motion, "results whose motion is taken, with all channels of bodies");
  motion->type_name("RESULTS")->group("Motion");
  interface.completions[motion] = results_files();
  command
      ->add_option("--actuate", options->actuators,
                   "coordinates with a load along each, separated by commas, e.g. 'pin.angle'")
      ->type_name("NAMES")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group("Motion");
  command
      ->add_flag("--least-squares", options->least_squares,
                 "where loads are missing, balance as well as possible instead of refusing")
      ->group("Motion");
  add_results_options(interface, command, options->results, ".inverse.h5");
  set_action(interface, command, options, run_inverse);
}

}  // namespace trammel::cli
