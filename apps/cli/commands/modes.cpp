// trammel modes: linearise, eigenvalues, mode shapes to look at, state-space matrices.
#include <filesystem>

#include "analysis_text.h"
#include "commands/commands.h"
#include "interruption.h"
#include "linear_request.h"
#include "messages.h"
#include "results_argument.h"
#include <fmt/format.h>

#include "trammel/analysis/state_space_file.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

struct ModesOptions {
  ModelArgument model;
  ResultsArgument results;
  LinearRequest linear;
  std::string matrices;
};

// The model compiled with another value of a parameter.
std::unique_ptr<model::ModelSystem> compile_with(const ModelArgument& model,
                                                 const std::string& parameter,
                                                 const std::string& value) {
  ModelArgument changed = model;
  changed.assignments.push_back(fmt::format("{}={}", parameter, value));
  return compile_with_drive_rows(load(changed));
}

int run_modes(const ModesOptions& options) {
  constexpr double seconds_per_mode = 2.0;
  const double seconds = options.model.time_limit_seconds();
  TimeLimit limit(seconds);
  const io::ModelFile file = load(options.model);
  OutputSink sink = open_results(options.results, file, ".modes.h5");
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  if (!options.matrices.empty()) {
    results::check_output_path(options.matrices, results::FileKind::matrices, options.results.force,
                               inputs_of(file));
  }
  const std::unique_ptr<model::ModelSystem> system = compile_with_drive_rows(file);
  Report base;
  LinearRequest request = options.linear;
  request.end.time_limit = seconds;
  const system::Motion motion = base_motion(request, *system, base);
  const analysis::LinearOptions linear = linear_options(
      request, file.description, [&](const std::string& name, const std::string& value) {
        return compile_with(options.model, name, value);
      });
  const analysis::Modes modes =
      analysis::modes(analysis::linearise(*system, motion, linear), system->displacement_scale());
  limit.end();
  catch_stop_signals();
  if (!options.matrices.empty()) {
    analysis::write_state_space(options.matrices, modes.linear, options.results.force);
  }
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information = run_information("modes", options.model, file, sink.path());
  settings.information.method =
      fmt::format("mode shapes in pseudo-time, {:g} s each", seconds_per_mode);
  settings.channels = options.results.channels;
  analysis::animate(*system, motion, modes, seconds_per_mode, settings);
  const std::vector<std::string> notes = doubts(modes.linear);
  for (const std::string& note : notes) print_warning(note);
  return finish_results(options.results, file, sink,
                        joined({contents_report(file.description), base, modes_report(modes)}),
                        notes);
}

void add_lists(CLI::App* command, ModesOptions& options) {
  const auto add = [&](const char* name, std::vector<std::string>& list, const char* meaning) {
    command->add_option(name, list, meaning)
        ->type_name("NAMES")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->group("Linear model");
  };
  add("--coordinates", options.linear.coordinates,
      "independent coordinates wanted first, e.g. 'lean,steer.angle'; the rest is chosen");
  add("--inputs", options.linear.inputs,
      "parameters that formulas of loads read, or coordinates with a load along each");
  add("--outputs", options.linear.outputs,
      "channels, patterns allowed (default: the model's sensors)");
}

}  // namespace

void add_modes(Interface& interface) {
  auto options = std::make_shared<ModesOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "modes",
      "Linearise about rest or a steady motion: eigenvalues, frequencies, damping, mode shapes.\n"
      "The shapes are written as results in pseudo-time, two seconds each, for the report and the "
      "viewer; the matrices A, B, C, D as JSON on request.",
      "trammel modes chain.yaml                        # about its equilibrium\n"
      "trammel modes bicycle.yaml --about start --coordinates lean,steer.angle\n"
      "trammel modes arm.yaml --inputs torque --outputs tip -m arm.json");
  add_model_argument(interface, command, options->model);
  const std::vector<std::string> choices{"equilibrium", "nearest", "start"};
  CLI::Option* about =
      command->add_option("--about", options->linear.about,
                          "equilibrium (stable, found from the start), nearest (stable or not), or "
                          "the start as it moves");
  about->type_name("STATE")->group("Linear model")->check(CLI::IsMember(choices));
  interface.completions[about] = words(choices);
  add_lists(command, *options);
  CLI::Option* matrices = command->add_option("-m,--matrices", options->matrices,
                                              "write A, B, C, D with all names to this file");
  matrices->type_name("FILE.json")->group("Linear model");
  interface.completions[matrices] = files({"json"});
  add_results_options(interface, command, options->results, ".modes.h5");
  set_action(interface, command, options, run_modes);
}

}  // namespace trammel::cli
