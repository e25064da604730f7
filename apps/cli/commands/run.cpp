// trammel run: assemble, simulate, write the results, and say how well it went.
#include <chrono>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <string>

#include "build_information.h"
#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "model_argument.h"
#include "output_argument.h"
#include "progress_display.h"
#include "report_argument.h"
#include "report_text.h"
#include "terminal.h"
#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/analysis/simulate.h"
#include "trammel/report/page.h"
#include "trammel/report/run_reader.h"
#include "trammel/report/scene_json.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct Options {
  ModelArgument model;
  std::string output;
  std::vector<std::string> channels;
  bool force = false;
  bool quiet = false;
  bool no_report = false;
};

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// The model file, followed by the files it includes as comments, so that nothing is lost.
std::string recorded_text(const io::ModelFile& file) {
  std::string text = file.text;
  for (const io::IncludedFile& each : file.included) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += fmt::format("\n# included file: {}\n", each.path);
    std::istringstream lines(each.text);
    for (std::string line; std::getline(lines, line);) text += "# " + line + '\n';
  }
  return text;
}

results::RunInformation information(const Options& options, const io::ModelFile& file) {
  results::RunInformation info;
  info.model_name = file.description.name;
  info.model_text = recorded_text(file);
  info.scene = report::scene_json(file.description);
  info.software = fmt::format("trammel {}", build_information().version);
  info.started = now();
  info.more["model_file"] = options.model.path;
  std::vector<std::string> values = options.model.assignments;
  for (const ModelArgument::Shortcut& shortcut : options.model.shortcuts) {
    if (!shortcut.value.empty()) values.push_back(shortcut.key + "=" + shortcut.value);
  }
  if (!values.empty()) info.more["set"] = fmt::format("{}", fmt::join(values, "\n"));
  info.more["command"] = reproduction_command(options.model.path, values);
  return info;
}

// What there is to look at now, and how.
void print_results(const OutputSink& sink, const std::string& report) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(sink.path(), error);
  fmt::print("\nresults: {} ({} channels at {} times, {})\n", sink.path(), sink.channels().size(),
             sink.rows(), size_text(bytes));
  if (!report.empty()) {
    fmt::print("report:  {} ({}; open it in a browser)\n", report,
               size_text(std::filesystem::file_size(report, error)));
  }
  const auto interesting = interesting_channels(sink.channels());
  if (!interesting.empty()) {
    fmt::print("next:    trammel plot {} {}\n", sink.path(), interesting.front());
  }
  fmt::print("         trammel info {}\n", sink.path());
}

// Tells what is left of a run that did not reach its end.
void print_remains(const OutputSink& sink) {
  if (!sink.begun()) return;
  try {
    const results::Contents contents = results::inspect(sink.path());
    fmt::print(stderr,
               "trammel: '{0}' is readable and holds {1} times until t = {2:.6g} s; look at it "
               "with: trammel info {0}\n",
               sink.path(), contents.rows, contents.last_time);
  } catch (const core::InputError& error) {
    print(error.diagnostics());
  }
}

analysis::SimulationReport simulate(const Options& options,
                                    const io::ModelFile& file,
                                    model::ModelSystem& system,
                                    results::Sink& sink) {
  const Interruption interruption;
  ProgressDisplay display(error_is_terminal(), terminal_width());
  analysis::SimulationOptions settings;
  settings.sink = &sink;
  settings.information = information(options, file);
  settings.channels = options.channels;
  settings.stop = &interruption.requested();
  if (!options.quiet) {
    settings.progress = [&](const analysis::Progress& progress) { display.update(progress); };
  }
  return analysis::simulate(system, file.description.simulation, settings);
}

void print_report(const io::ModelFile& file,
                  const analysis::SimulationReport& report,
                  double wall_time) {
  print(contents_report(file.description));
  print(mobility_report(report.assembly.mobility));
  print(assembly_report(report.assembly));
  print(simulation_report(report, wall_time));
}

report::RunNotes notes_for_report(const io::ModelFile& file,
                                  const analysis::SimulationReport& report,
                                  double wall_time) {
  report::RunNotes notes;
  for (const core::Diagnostic& warning : file.warnings) {
    notes.warnings.push_back(core::to_string(warning));
  }
  for (const std::string& note : report.notes) notes.warnings.push_back(note);
  for (const Report& part :
       {contents_report(file.description), mobility_report(report.assembly.mobility),
        assembly_report(report.assembly), simulation_report(report, wall_time)}) {
    notes.facts.insert(notes.facts.end(), part.begin(), part.end());
  }
  return notes;
}

// The report is a courtesy: when it cannot be written, the results are there all the same.
std::string write_report(const Options& options,
                         const std::string& results,
                         report::RunNotes notes) {
  if (options.no_report) return {};
  const std::string path = report_beside(results);
  try {
    const report::ReadRun run = report::read_run(results);
    notes.left_out = run.left_out;
    report::write_report(path, run.table, notes, options.force);
    return path;
  } catch (const core::RunError& error) {
    print_warning(fmt::format("no report: {}; {}", error.what(), error.remedy()));
  } catch (const core::InputError& error) {
    print_warning(fmt::format("no report: {}", error.what()));
  }
  return {};
}

int finish(const Options& options,
           const io::ModelFile& file,
           const analysis::SimulationReport& report,
           const OutputSink& sink,
           const std::string& report_path) {
  if (report.outcome == results::Outcome::completed) {
    if (!options.quiet) print_results(sink, report_path);
    return exit_ok;
  }
  if (report.outcome == results::Outcome::stopped) {
    print_warning(fmt::format("stopped at t = {:.6g} s of {:.6g} s", report.final_motion.state.t,
                              file.description.simulation.until));
  } else {
    print_error(report.message, report.remedy);
  }
  print_remains(sink);
  return exit_failed;
}

int run(const Options& options) {
  const io::ModelFile file = load(options.model);
  const std::string output =
      options.output.empty() ? default_output(options.model.path, ".h5") : options.output;
  OutputSink sink(output, options.force);
  if (!options.no_report) results::check_output_path(report_beside(output), options.force);
  const formulation::CompiledModel compiled = compile(file);
  const auto start = std::chrono::steady_clock::now();
  try {
    analysis::SimulationReport report = simulate(options, file, *compiled.system, sink);
    if (!compiled.reason.empty()) {
      report.notes.push_back(
          fmt::format("{} coordinates were chosen: {}", compiled.coordinates, compiled.reason));
    }
    const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
    if (!options.quiet) print_report(file, report, wall_time.count());
    const std::string report_path =
        write_report(options, output, notes_for_report(file, report, wall_time.count()));
    return finish(options, file, report, sink, report_path);
  } catch (const core::RunError& error) {
    print_error(error.what(), error.remedy());
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
                     {"--coordinates", "simulation.coordinates", ""}};
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
  std::vector<std::string> coordinates;
  for (const auto& kind : formulation::coordinates_kinds()) coordinates.emplace_back(kind.name);
  add_shortcut(interface, command, list[5], "--coordinates", "NAME",
               "absolute, relative or auto (by the topology)", std::move(coordinates));
}

void add_output_options(Interface& interface, CLI::App* command, Options& options) {
  CLI::Option* output =
      command->add_option("-o,--output", options.output,
                          "results file, .h5 or .csv (default: MODEL.h5 in this folder)");
  output->type_name("FILE")->group("Output");
  interface.completions[output] = results_files();
  command
      ->add_option("-c,--channels", options.channels,
                   "record only these, separated by commas, e.g. 'crank.*,energy.*'")
      ->type_name("NAMES")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group("Output");
  command->add_flag("-f,--force", options.force, "replace the results and the report if they exist")
      ->group("Output");
  command
      ->add_flag("--no-report", options.no_report,
                 "write no report (default: RESULTS.html beside the results)")
      ->group("Output");
  command->add_flag("-q,--quiet", options.quiet, "print nothing but warnings and errors")
      ->group("Output");
}

}  // namespace

void add_run(Interface& interface) {
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(
      interface, "Simulate", "run",
      "Simulate a model; write its results and a report to open in a browser.\n"
      "The results can be read at any moment: Ctrl-C ends a run early and keeps what there is.",
      "trammel run pendulum.yaml                        # writes pendulum.h5 and pendulum.html\n"
      "trammel run pendulum.yaml -s length='2 m' -u '20 s' -o long.h5\n"
      "trammel run pendulum.yaml -o rod.csv -c 'rod.*'  # one body, as CSV");
  add_model_argument(interface, command, options->model);
  add_simulation_options(interface, command, options->model);
  add_output_options(interface, command, *options);
  set_action(interface, command, options, run);
}

}  // namespace trammel::cli
