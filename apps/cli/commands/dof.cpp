// trammel dof: how many freedoms there are, where that changes, and which rows are redundant.
#include "analysis_text.h"
#include "commands/commands.h"
#include "model_argument.h"
#include "results_argument.h"

namespace trammel::cli {
namespace {

struct Options {
  ModelArgument model;
  std::string along = "auto";
};

int run(const Options& options) {
  const io::ModelFile file = load(options.model);
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  const analysis::PathKind kind = path_kind(options.along, file.description, *system);
  const analysis::MobilityPath path = analysis::mobility_along(*system, file.description.simulation,
                                                               drive_names(file.description), kind);
  print(joined({contents_report(file.description), mobility_path_report(path)}));
  return exit_ok;
}

}  // namespace

void add_dof(Interface& interface) {
  auto options = std::make_shared<Options>();
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
  set_action(interface, command, options, run);
}

}  // namespace trammel::cli
