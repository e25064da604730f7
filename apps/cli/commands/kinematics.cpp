// trammel kinematics: the motion that joints and drives determine, without loads.
#include "all_assemblies.h"
#include "analysis_text.h"
#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "progress_display.h"
#include "results_argument.h"
#include "terminal.h"

namespace trammel::cli {
namespace {

struct KinematicsOptions {
  ModelArgument model;
  ResultsArgument results;
  bool keep_drives = false;
  bool all_assemblies = false;
  int starts = 2000;
};

int run_kinematics(const KinematicsOptions& options) {
  if (options.all_assemblies) {
    return run_all_assemblies(options.model, options.results, options.starts);
  }
  TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  check_steps(file);
  OutputSink sink = open_results(options.results, file, ".kinematics.h5");
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information =
      run_information("kinematics", options.model, file, sink.path(), options.results.channels);
  settings.information.method = "kinematics";
  settings.channels = options.results.channels;
  settings.stop = &catch_stop_signals();
  settings.time_limit = options.model.time_limit_seconds();
  ProgressDisplay display(error_is_terminal(), terminal_width());
  if (!options.results.quiet) {
    settings.progress = [&](const analysis::Progress& progress) { display.update(progress); };
  }
  analysis::SwitchedDrives switched(file.description);
  const analysis::KinematicsReport report =
      analysis::kinematics(*system, file.description.simulation, drive_names(file.description),
                           settings, options.keep_drives ? nullptr : &switched);
  limit.end();
  std::vector<std::string> notes;
  for (const analysis::SingularPosition& position : report.singular) {
    notes.push_back(to_string(position));
  }
  for (const analysis::DriveSwitch& change : report.switches) notes.push_back(to_string(change));
  const Report facts = joined({contents_report(file.description), assembly_report(report.assembly),
                               kinematics_report(report)});
  const int code = finish_results(options.results, file, sink, facts, notes);
  if (report.outcome == results::Outcome::completed) return code;
  print_error(report.message, report.remedy);
  return exit_failed;
}

}  // namespace

void add_kinematics(Interface& interface) {
  auto options = std::make_shared<KinematicsOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "kinematics",
      "Follow the motion that joints and drives determine: positions, velocities, accelerations.\n"
      "Loads play no part in the motion. Too few drives: tells how many freedoms are left and what "
      "to drive. Dead centres (unsuitable inputs) and change points (the mechanism can branch) are "
      "told apart. Beyond a dead centre the motion goes on with another input, and the report says "
      "which.",
      "trammel kinematics slider_crank.yaml            # writes slider_crank.kinematics.h5\n"
      "trammel kinematics four_bar.yaml -u '2 s' -o path.csv -c '*.angle'\n"
      "trammel kinematics four_bar.yaml --all-assemblies   # both ways in which it closes");
  add_model_argument(interface, command, options->model);
  add_coordinates_option(interface, command, options->model);
  add_time_options(interface, command, options->model);
  add_results_options(interface, command, options->results, ".kinematics.h5");
  command->add_flag("--keep-drives", options->keep_drives,
                    "End at a dead centre instead of prescribing another coordinate");
  CLI::Option* all = command->add_flag(
      "--all-assemblies", options->all_assemblies,
      "Look for every way in which the mechanism closes at the start, and write one row for each "
      "(to MODEL.assemblies.h5)");
  command
      ->add_option("--starts", options->starts,
                   "With --all-assemblies: from how many random places at most")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->needs(all);
  set_action(interface, command, options, run_kinematics);
}

}  // namespace trammel::cli
