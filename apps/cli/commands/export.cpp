// trammel export: results to CSV, or a part of them to a smaller file.
#include <filesystem>
#include <iostream>

#include "commands/commands.h"
#include "messages.h"
#include "output_argument.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct Options {
  std::string results;
  std::vector<std::string> channels;
  std::string output;
  bool force = false;
};

int run(const Options& options) {
  core::Diagnostics warnings;
  if (options.output == "-") {
    results::CsvSink sink(std::cout);
    results::write(results::read(options.results, options.channels, &warnings), sink);
    print(warnings.list());
    return exit_ok;
  }
  const std::string output =
      options.output.empty() ? default_output(options.results, ".csv") : options.output;
  std::error_code error;
  if (std::filesystem::equivalent(output, options.results, error)) {
    throw core::InputError(fmt::format("'{}' cannot be written into itself", output),
                           "give another file by --output");
  }
  OutputSink sink(output, options.force);
  const results::Table table = results::read(options.results, options.channels, &warnings);
  print(warnings.list());
  results::write(table, sink);
  fmt::print("wrote {}: {} channels at {} times\n", output, table.channels.size(), table.rows());
  return exit_ok;
}

}  // namespace

void add_export(Interface& interface) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(interface, "Look at results", "export",
                  "Write results as CSV, all channels or some.\n"
                  "With an output name that ends in .h5 it makes a smaller HDF5 file.",
                  "trammel export pendulum.h5                          # writes pendulum.csv\n"
                  "trammel export pendulum.h5 -c 'rod.*' -o rod.csv    # one body only\n"
                  "trammel export pendulum.h5 -c pin.angle -o -        # to standard output");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results file (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  CLI::Option* channels =
      command->add_option("-c,--channels", options->channels,
                          "names or patterns, separated by commas, e.g. 'crank.*,energy.*'");
  channels->type_name("NAMES")->allow_extra_args(false)->delimiter(',');
  interface.completions[channels] = channel_names();
  CLI::Option* output = command->add_option("-o,--output", options->output,
                                            "file to write: .csv or .h5, '-' for standard output");
  output->type_name("FILE");
  interface.completions[output] = files({"csv", "h5"});
  command->add_flag("-f,--force", options->force, "replace the output file if it exists");
  set_action(interface, command, options, run);
}

}  // namespace trammel::cli
