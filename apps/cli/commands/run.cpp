// trammel run: assemble, simulate, write the results, and say how well it went.
#include <chrono>
#include <string>

#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "model_argument.h"
#include "progress_display.h"
#include "report_text.h"
#include "results_argument.h"
#include "terminal.h"
#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/analysis/certificate.h"
#include "trammel/analysis/start.h"
#include "trammel/io/presentation.h"

namespace trammel::cli {
namespace {

struct RunOptions {
  ModelArgument model;
  ResultsArgument results;
  bool estimate = false;
  bool no_estimate = false;
  bool strict = false;
  bool certify = false;
};

analysis::SimulationReport simulate(const RunOptions& options,
                                    const io::ModelFile& file,
                                    model::ModelSystem& system,
                                    OutputSink& sink) {
  ProgressDisplay display(error_is_terminal(), terminal_width());
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information =
      run_information("run", options.model, file, sink.path(), options.results.channels);
  settings.channels = options.results.channels;
  settings.stop = &catch_stop_signals();
  settings.time_limit = options.model.time_limit_seconds();
  using analysis::SecondRun;
  // Whoever is strict wants the accuracy examined.
  settings.second_run = options.no_estimate                  ? SecondRun::never
                        : options.estimate || options.strict ? SecondRun::always
                                                             : SecondRun::when_cheap;
  if (!options.results.quiet) {
    settings.progress = [&](const analysis::Progress& progress) { display.update(progress); };
  }
  if (options.certify) {
    if (io::starts_at_rest(file)) {
      throw core::InputError("certified runs start as described, not in equilibrium",
                             "leave out --certify, or write start: described");
    }
    analysis::Certificate certificate;
    return analysis::simulate_certified(system, file.description.simulation, settings, certificate);
  }
  return analysis::simulate(
      system, file.description.simulation, settings,
      io::starts_at_rest(file) ? analysis::Start::equilibrium : analysis::Start::described);
}

Report facts(const io::ModelFile& file,
             const analysis::SimulationReport& report,
             double wall_time) {
  Report all;
  for (const Report& part :
       {contents_report(file.description), mobility_report(report.assembly.mobility),
        assembly_report(report.assembly), simulation_report(report, wall_time)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

int finish(const RunOptions& options,
           const analysis::SimulationReport& report,
           OutputSink& sink,
           const std::string& report_path) {
  if (report.outcome == results::Outcome::completed) {
    for (const analysis::Doubt& doubt : report.doubts) {
      print_warning(fmt::format("{}: {}", doubt.number, doubt.message), doubt.remedy);
    }
    if (!options.results.quiet) print_results(sink, report_path);
    return options.strict && !report.doubts.empty() ? exit_doubtful : exit_ok;
  }
  if (report.outcome == results::Outcome::stopped) {
    print_warning(report.message);
  } else {
    print_error(report.message, report.remedy);
  }
  print_remains(sink);
  return exit_failed;
}

int run_model(const RunOptions& options) {
  TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  OutputSink sink = open_results(options.results, file, ".h5");
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  const formulation::CompiledModel compiled = compile(file);
  check_method(file, *compiled.system);
  const auto start = std::chrono::steady_clock::now();
  try {
    analysis::SimulationReport report = simulate(options, file, *compiled.system, sink);
    limit.end();
    if (!compiled.reason.empty()) {
      report.notes.push_back(
          fmt::format("{} coordinates were chosen: {}", compiled.coordinates, compiled.reason));
    }
    const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
    const Report all = facts(file, report, wall_time.count());
    if (!options.results.quiet) print(all);
    warn_of_moves(report.assembly);
    const std::string report_path =
        write_report_beside(options.results, sink, file, all, examination_notes(report));
    return finish(options, report, sink, report_path);
  } catch (const core::RunError& error) {
    print_error(error.what(), error.remedy());
    sink.fail(error.what());
  }
  print_remains(sink);
  return exit_failed;
}

void add_shortcut(Interface& interface,
                  CLI::App* command,
                  ModelArgument::Shortcut& shortcut,
                  const std::string& names,
                  const std::string& type,
                  const std::string& description,
                  std::vector<std::string> choices = {}) {
  CLI::Option* option = command->add_option(names, shortcut.value, description);
  option->type_name(type)->group("Simulation");
  if (!choices.empty()) interface.completions[option] = words(std::move(choices));
}

void add_simulation_options(Interface& interface, CLI::App* command, ModelArgument& model) {
  model.shortcuts = {{"--until", "simulation.until", ""},
                     {"--step", "simulation.step", ""},
                     {"--output-step", "simulation.output_step", ""},
                     {"--method", "simulation.integrator", ""},
                     {"--solver", "simulation.solver", ""},
                     {"--threads", "simulation.threads", ""}};
  const io::Vocabulary vocabulary = full_vocabulary();
  auto& list = model.shortcuts;
  add_shortcut(interface, command, list[0], "-u,--until", "TIME",
               "end of the simulation, e.g. '10 s'");
  add_shortcut(interface, command, list[1], "--step", "TIME",
               "step of the integrator, e.g. '0.5 ms'");
  add_shortcut(interface, command, list[2], "--output-step", "TIME",
               "interval of the results, e.g. '10 ms'");
  add_shortcut(interface, command, list[3], "-m,--method,--integrator", "NAME",
               "integrator (see: trammel list integrators)", names(vocabulary.integrators));
  add_shortcut(interface, command, list[4], "--solver", "NAME",
               "linear solver (see: trammel list solvers)", names(vocabulary.solvers));
  add_shortcut(interface, command, list[5], "--threads", "NUMBER",
               "threads that evaluate a large model; 0: all. Results do not depend on it");
  command
      ->add_option("--tolerance", model.tolerance,
                   "relative and absolute tolerance of a method that chooses its own steps, e.g. "
                   "1e-6")
      ->type_name("NUMBER")
      ->group("Simulation");
  add_coordinates_option(interface, command, model);
}

}  // namespace

void add_run(Interface& interface) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = add_command(
      interface, "Simulate", "run",
      "Simulate a model; write its results and a report to open in a browser.\n"
      "The results can be read at any moment: Ctrl-C ends a run early and keeps what there is.",
      "trammel run pendulum.yaml                        # writes pendulum.h5 and pendulum.html\n"
      "trammel run pendulum.yaml -s length='2 m' -u '20 s' -o long.h5\n"
      "trammel run pendulum.yaml -o rod.csv -c 'rod.*'  # one body, as CSV");
  add_model_argument(interface, command, options->model);
  add_simulation_options(interface, command, options->model);
  add_results_options(interface, command, options->results, ".h5");
  CLI::Option* estimate = command->add_flag(
      "--estimate", options->estimate, "estimate the error by a second run, however long it takes");
  command
      ->add_flag("--no-estimate", options->no_estimate,
                 "make no second run, not even where it is cheap")
      ->excludes(estimate)
      ->group("Trust");
  estimate->group("Trust");
  command
      ->add_flag("--strict", options->strict,
                 "exit code 3 when the results are there but doubtful; makes the second run of "
                 "--estimate")
      ->group("Trust");
  command
      ->add_flag("--certify", options->certify,
                 "run coarser and finer besides: an error band (NAME.band) and a number of "
                 "trustworthy digits for every channel")
      ->group("Trust");
  set_action(interface, command, options, run_model);
}

}  // namespace trammel::cli
