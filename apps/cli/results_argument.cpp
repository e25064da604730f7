#include "results_argument.h"

#include <ctime>
#include <filesystem>
#include <new>
#include <sstream>

#include "build_information.h"
#include "equation_notes.h"
#include "messages.h"
#include "printing.h"
#include "report_argument.h"
#include "summary_text.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/printable.h"
#include "trammel/io/presentation.h"
#include "trammel/report/display_units.h"
#include "trammel/report/drawn_part.h"
#include "trammel/report/page.h"
#include "trammel/report/thinned_run.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

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

}  // namespace

void add_results_options(Interface& interface,
                         CLI::App* command,
                         ResultsArgument& argument,
                         const std::string& ending) {
  CLI::Option* output = command->add_option(
      "-o,--output", argument.output,
      fmt::format("results file, .h5 or .csv (default: MODEL{} in this folder)", ending));
  output->type_name("FILE")->group("Output");
  interface.completions[output] = results_files();
  command
      ->add_option("-c,--channels", argument.channels,
                   "record only these, separated by commas, e.g. 'crank.*,energy.*'")
      ->type_name("NAMES")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group("Output");
  command
      ->add_flag("-f,--force", argument.force, "replace the results and the report if they exist")
      ->group("Output");
  command
      ->add_flag("--no-report", argument.no_report,
                 "write no report (default: RESULTS.html beside the results)")
      ->group("Output");
  command->add_flag("-q,--quiet", argument.quiet, "print nothing but warnings and errors")
      ->group("Output");
}

void add_time_options(Interface& /*interface*/, CLI::App* command, ModelArgument& model) {
  const auto add = [&](const char* names, const char* option, const char* key,
                       const char* meaning) {
    model.shortcuts.push_back({option, key, ""});
    command->add_option(names, model.shortcuts.back().value, meaning)
        ->type_name("TIME")
        ->group("Time");
  };
  add("-u,--until", "--until", "simulation.until", "end of the motion, e.g. '10 s'");
  add("--step", "--step", "simulation.step", "step of the analysis, e.g. '0.5 ms'");
  add("--output-step", "--output-step", "simulation.output_step",
      "interval of the results, e.g. '10 ms'");
}

OutputSink open_results(const ResultsArgument& argument,
                        const io::ModelFile& file,
                        const std::string& ending,
                        const std::vector<std::string>& more_inputs) {
  const std::string output =
      argument.output.empty() ? default_output(file.path, ending) : argument.output;
  std::vector<std::filesystem::path> inputs = inputs_of(file);
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  check_results_path(output, argument.force, inputs);
  if (!argument.no_report) {
    results::check_output_path(report_beside(output), results::FileKind::html, argument.force,
                               inputs);
  }
  return {output, argument.force, RecordEnd::when_concluded, inputs};
}

results::RunInformation run_information(const std::string& command,
                                        const ModelArgument& model,
                                        const io::ModelFile& file,
                                        const std::string& results,
                                        const std::vector<std::string>& channels) {
  results::RunInformation info;
  info.model_name = file.description.name;
  info.model_text = recorded_text(file);
  report::add_scene(file.description, channels, info);
  info.software = fmt::format("trammel {}", build_information().version);
  info.started = now();
  info.more["model_file"] = model.path;
  std::vector<std::string> values = model.assignments;
  for (const ModelArgument::Shortcut& shortcut : model.shortcuts) {
    if (!shortcut.value.empty()) values.push_back(shortcut.key + "=" + shortcut.value);
  }
  if (!values.empty()) info.more["set"] = fmt::format("{}", fmt::join(values, "\n"));
  std::vector<std::string> sources;
  for (const io::SourceFile& each : file.sources) sources.push_back(each.path);
  if (!sources.empty()) info.more["files"] = fmt::format("{}", fmt::join(sources, "\n"));
  const io::Presentation presentation = io::presentation_of(file);
  report::note_list(info, report::noted_units, presentation.units);
  report::note_list(info, report::noted_plots, presentation.plots);
  note_equations(info, file.description);
  note_folder(info, results, ".");
  info.more["command"] = reproduction_command(command, model.path, values);
  if (!model.tolerance.empty()) info.more["command"] += " --tolerance " + model.tolerance;
  if (model.allow_outside) info.more["command"] += " --allow-outside";
  return info;
}

std::string write_report_beside(const ResultsArgument& argument,
                                OutputSink& sink,
                                const io::ModelFile& file,
                                const Report& facts,
                                const report::RunNotes& notes) {
  report::RunNotes all = notes;
  all.warnings.clear();
  for (const core::Diagnostic& warning : file.warnings) {
    all.warnings.push_back(core::to_string(warning));
  }
  all.warnings.insert(all.warnings.end(), notes.warnings.begin(), notes.warnings.end());
  all.facts.insert(all.facts.end(), facts.begin(), facts.end());
  sink.annotate(report::as_information(all));
  sink.conclude();
  if (argument.no_report) return {};
  const std::string path = report_beside(sink.path());
  try {
    const report::ThinnedRun run = report::read_thinned(sink.path());
    report::write_report(path, run, report::notes_of(run.info), argument.force);
    return path;
  } catch (const core::RunError& error) {
    print_warning(fmt::format("no report: {}; {}", error.what(), error.remedy()));
  } catch (const std::bad_alloc&) {
    print_warning(
        fmt::format("no report: there is not enough memory; when there is, make it by: "
                    "trammel report {}",
                    shell_word(sink.path())));
  } catch (const std::exception& error) {
    print_warning(fmt::format("no report: {}", error.what()));
  }
  return {};
}

void print_results(const OutputSink& sink, const std::string& report) {
  try {
    print_glance(sink.path());
  } catch (const std::exception& error) {
    print_warning(
        fmt::format("the results are written, but could not be read again: {}", error.what()));
  }
  print_output("\nresults: {} ({} channels at {} times, {})\n", core::printable(sink.path()),
               sink.channels().size(), sink.rows(), file_size_text(sink.path()));
  if (!report.empty()) {
    print_output("report:  {} ({}; open it in a browser)\n", core::printable(report),
                 file_size_text(report));
  }
  const auto interesting = interesting_channels(sink.channels());
  if (!interesting.empty()) {
    print_output("next:    trammel plot {} {}\n", core::printable(sink.path()),
                 core::printable(interesting.front()));
  }
  print_output("         trammel info {}\n", core::printable(sink.path()));
}

void print_remains(OutputSink& sink) {
  if (!sink.begun()) return;
  try {
    sink.conclude();
  } catch (const results::FileMoved& error) {
    print_error(error.what(), error.remedy());
  } catch (const core::RunError&) {
    // The trouble that brought us here has been told.
  }
  if (sink.moved()) return;
  try {
    const results::Contents contents = results::inspect(sink.path());
    print_message(
        "trammel: '{0}' is readable and holds {1} times until t = {2:.6g} s; look at it "
        "with: trammel info {0}\n",
        core::printable(sink.path()), contents.rows, contents.last_time);
  } catch (const core::InputError& error) {
    print(error.diagnostics());
  }
}

int finish_results(const ResultsArgument& argument,
                   const io::ModelFile& file,
                   OutputSink& sink,
                   const Report& facts,
                   const std::vector<std::string>& notes) {
  if (!argument.quiet) print(facts);
  std::vector<std::string> warnings = notes;
  if (!sink.undefined().empty()) {
    warnings.push_back(fmt::format("numbers: {}", sink.undefined()));
    print_warning(warnings.back(), "mend the formula where it divides by zero or leaves its range");
  }
  const std::string report =
      write_report_beside(argument, sink, file, facts, {.warnings = warnings});
  if (!argument.quiet) print_results(sink, report);
  return exit_ok;
}

}  // namespace trammel::cli
