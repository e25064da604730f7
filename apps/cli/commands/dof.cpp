// trammel dof: how many freedoms there are, where that changes, and which rows are redundant.
#include "analysis_text.h"
#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "model_argument.h"
#include "progress_display.h"
#include "results_argument.h"
#include "terminal.h"

namespace trammel::cli {
namespace {

struct DofOptions {
  ModelArgument model;
  std::string along = "auto";
};

analysis::MobilityPath follow(const DofOptions& options,
                              const io::ModelFile& file,
                              model::ModelSystem& system,
                              analysis::PathKind kind) {
  ProgressDisplay display(error_is_terminal(), terminal_width());
  analysis::SimulationOptions settings;
  settings.stop = &catch_stop_signals();
  settings.time_limit = options.model.time_limit_seconds();
  settings.progress = [&](const analysis::Progress& progress) { display.update(progress); };
  return analysis::mobility_along(system, file.description.simulation,
                                  drive_names(file.description), kind, settings);
}

int run_dof(const DofOptions& options) {
  const TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  const analysis::PathKind kind = path_kind(options.along, file.description, *system);
  if (kind == analysis::PathKind::kinematics) check_steps(file);
  if (kind == analysis::PathKind::simulation) check_method(file, *system);
  const analysis::MobilityPath path = follow(options, file, *system, kind);
  print(joined({contents_report(file.description), mobility_path_report(path)}));
  if (!path.stopped) return exit_ok;
  print_warning(path.end);
  return exit_failed;
}

}  // namespace

void add_dof(Interface& interface) {
  auto options = std::make_shared<DofOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "dof",
      "Count the degrees of freedom by the rank of the constraints, at the start and on the way.\n"
      "Names redundant rows, says where the count changes, and what could be driven.",
      "trammel dof four_bar.yaml                      # along its motion\n"
      "trammel dof four_bar.yaml --along start        # only in the assembled position");
  add_model_argument(interface, command, options->model);
  add_coordinates_option(interface, command, options->model);
  add_time_options(interface, command, options->model);
  CLI::Option* along = command->add_option(
      "--along", options->along,
      "path: start (none), kinematics, simulation, or auto: kinematics if the drives determine it");
  const std::vector<std::string> choices{"auto", "start", "kinematics", "simulation"};
  along->type_name("PATH")->group("Path")->check(CLI::IsMember(choices));
  interface.completions[along] = words(choices);
  set_action(interface, command, options, run_dof);
}

}  // namespace trammel::cli
