// trammel modes: linearise, eigenvalues, mode shapes to look at, state-space matrices.
#include <algorithm>
#include <filesystem>

#include "analysis_text.h"
#include "commands/commands.h"
#include "messages.h"
#include "results_argument.h"
#include <fmt/format.h>

#include "trammel/analysis/state_space_file.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

struct Options {
  ModelArgument model;
  ResultsArgument results;
  std::string about = "equilibrium";
  std::vector<std::string> coordinates;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string matrices;
};

system::Motion base_motion(const Options& options, model::ModelSystem& system, Report& facts) {
  if (options.about == "start") {
    const analysis::Assembly assembly = analysis::assemble(system);
    facts = assembly_report(assembly);
    return assembly.motion;
  }
  const analysis::StaticsReport rest = analysis::statics(system);
  facts = statics_report(rest);
  return rest.motion;
}

// A name without a dot is a parameter or a sensor.
void check_input(const std::string& name, const model::Description& description) {
  if (name.find('.') != std::string::npos) return;
  std::vector<std::string> known;
  for (const auto& [parameter, quantity] : description.parameters) known.push_back(parameter);
  for (const model::Item& sensor : description.sensors) known.push_back(sensor.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw core::InputError(fmt::format("'{}' is no parameter of this model, and no sensor", name),
                         core::suggestion(name, known));
}

// A parameter of the model, or a coordinate with a load along it.
void add_input(const std::string& name,
               const Options& options,
               const io::ModelFile& file,
               analysis::LinearOptions& linear) {
  check_input(name, file.description);
  const auto parameter = file.description.parameters.find(name);
  if (parameter == file.description.parameters.end()) {
    linear.loads.push_back(name);
    return;
  }
  const std::string unit = core::si_unit(parameter->second.dimension);
  const auto with = [&options, name, unit](double value) {
    ModelArgument changed = options.model;
    changed.assignments.push_back(fmt::format("{}={:.17g} {}", name, value, unit));
    return compile_absolute(load(changed));
  };
  linear.parameters.push_back({{name, unit}, parameter->second.value, with});
}

analysis::LinearOptions linear_options(const Options& options, const io::ModelFile& file) {
  analysis::LinearOptions linear;
  linear.coordinates = options.coordinates;
  for (const std::string& input : options.inputs) add_input(input, options, file, linear);
  linear.outputs = options.outputs;
  if (linear.outputs.empty()) {
    for (const model::Item& sensor : file.description.sensors)
      linear.outputs.push_back(sensor.name);
  }
  return linear;
}

std::vector<std::string> doubts(const analysis::Linearisation& linear) {
  std::vector<std::string> notes;
  constexpr double steady = 1e-6;
  if (linear.unsteadiness > steady) {
    notes.push_back(fmt::format(
        "the motion is not steady (coordinates accelerate by {:.2g} of their scale per s^2): "
        "eigenvalues hold for an instant only",
        linear.unsteadiness));
  }
  if (linear.drift > steady) {
    notes.push_back(fmt::format(
        "the matrices change along the motion (by {:.2g}): choose --coordinates in which it is "
        "steady",
        linear.drift));
  }
  return notes;
}

int run(const Options& options) {
  const io::ModelFile file = load(options.model);
  OutputSink sink = open_results(options.results, options.model, ".modes.h5");
  if (!options.matrices.empty()) {
    results::check_output_path(options.matrices, options.results.force);
  }
  const std::unique_ptr<model::ModelSystem> system = compile_absolute(file);
  Report base;
  const system::Motion motion = base_motion(options, *system, base);
  const analysis::Modes modes =
      analysis::modes(analysis::linearise(*system, motion, linear_options(options, file)),
                      system->displacement_scale());
  if (!options.matrices.empty()) {
    analysis::write_state_space(options.matrices, modes.linear, options.results.force);
  }
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information = run_information("modes", options.model, file);
  settings.information.method = "mode shapes in pseudo-time, 2 s each";
  settings.channels = options.results.channels;
  constexpr double seconds_per_mode = 2.0;
  analysis::animate(*system, motion, modes, seconds_per_mode, settings);
  const std::vector<std::string> notes = doubts(modes.linear);
  for (const std::string& note : notes) print_warning(note);
  return finish_results(options.results, file, sink,
                        joined({contents_report(file.description), base, modes_report(modes)}),
                        notes);
}

void add_lists(CLI::App* command, Options& options) {
  const auto add = [&](const char* name, std::vector<std::string>& list, const char* meaning) {
    command->add_option(name, list, meaning)
        ->type_name("NAMES")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->group("Linear model");
  };
  add("--coordinates", options.coordinates,
      "independent coordinates wanted first, e.g. 'lean,steer.angle'; the rest is chosen");
  add("--inputs", options.inputs,
      "parameters that formulas of loads read, or coordinates with a load along each");
  add("--outputs", options.outputs, "channels, patterns allowed (default: the model's sensors)");
}

}  // namespace

void add_modes(Interface& interface) {
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      interface, "Analyse", "modes",
      "Linearise about rest or a steady motion: eigenvalues, frequencies, damping, mode shapes.\n"
      "The shapes are written as results in pseudo-time, two seconds each, for the report and the "
      "viewer; the matrices A, B, C, D as JSON on request.",
      "trammel modes chain.yaml                        # about its equilibrium\n"
      "trammel modes bicycle.yaml --about start --coordinates lean,steer.angle\n"
      "trammel modes arm.yaml --inputs torque --outputs tip -m arm.json");
  add_model_argument(interface, command, options->model);
  const std::vector<std::string> choices{"equilibrium", "start"};
  CLI::Option* about = command->add_option(
      "--about", options->about, "equilibrium (found from the start), or the start as it moves");
  about->type_name("STATE")->group("Linear model")->check(CLI::IsMember(choices));
  interface.completions[about] = words(choices);
  add_lists(command, *options);
  CLI::Option* matrices = command->add_option("-m,--matrices", options->matrices,
                                              "write A, B, C, D with all names to this file");
  matrices->type_name("FILE.json")->group("Linear model");
  interface.completions[matrices] = files({"json"});
  add_results_options(interface, command, options->results, ".modes.h5");
  set_action(interface, command, options, run);
}

}  // namespace trammel::cli
