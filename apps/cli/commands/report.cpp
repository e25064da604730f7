// trammel report: the report of results that exist already.
#include <filesystem>

#include "commands/commands.h"
#include "messages.h"
#include "output_argument.h"
#include "printing.h"
#include "report_argument.h"
#include <fmt/format.h>

#include "trammel/core/printable.h"
#include "trammel/report/page.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

struct ReportOptions {
  std::string results;
  std::string output;
  bool force = false;
};

int run_report(const ReportOptions& options) {
  const std::string output =
      options.output.empty() ? report_beside(options.results) : options.output;
  results::check_output_path(output, results::FileKind::html, options.force, {options.results});
  core::Diagnostics warnings;
  const report::ThinnedRun run = read_with_scene(options.results, &warnings);
  print(warnings.list());
  report::RunNotes notes = report::notes_of(run.info);
  for (const core::Diagnostic& warning : warnings.list()) {
    notes.warnings.push_back(core::to_string(warning));
  }
  report::write_report(output, run, notes, options.force);
  print_output("wrote {} ({}); open it in a browser\n", core::printable(output),
               file_size_text(output));
  return exit_ok;
}

}  // namespace

void add_report(Interface& interface) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "report",
      "Make the report of a results file: one HTML file with animation, plots and all numbers.\n"
      "It opens in any browser, without a network, and can be sent to others. trammel run makes "
      "one by itself.",
      "trammel report pendulum.h5                # writes pendulum.html\n"
      "trammel report pendulum.h5 -o talk.html");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results file (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  CLI::Option* output = command->add_option("-o,--output", options->output,
                                            "report to write (default: RESULTS.html)");
  output->type_name("FILE");
  interface.completions[output] = files({"html"});
  command->add_flag("-f,--force", options->force, "replace the report if it exists");
  set_action(interface, command, options, run_report);
}

}  // namespace trammel::cli
