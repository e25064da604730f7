// trammel plot: a quick picture of channels.
#include "trammel/results/plot.h"

#include <filesystem>

#include "commands/commands.h"
#include "messages.h"
#include "output_argument.h"
#include "printing.h"
#include "report_text.h"
#include <fmt/format.h>

#include "trammel/core/printable.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct PlotOptions {
  std::string results;
  std::vector<std::string> channels;
  std::string x = "time";
  std::string title;
  std::string output;
  bool force = false;
};

int run_plot(const PlotOptions& options) {
  const std::string output =
      options.output.empty() ? default_output(options.results, ".svg") : options.output;
  results::check_output_path(output, results::picture_kind(output), options.force,
                             {options.results});
  std::vector<std::string> channels = options.channels;
  if (channels.empty()) {
    channels = interesting_channels(results::inspect(options.results).channels);
  }
  std::vector<std::string> needed = channels;
  if (options.x != "time") needed.push_back(options.x);
  core::Diagnostics warnings;
  const results::Table table = results::read(options.results, needed, &warnings);
  print(warnings.list());
  const results::PlotOptions settings{
      .title = options.title.empty() ? table.info.model_name : options.title,
      .overwrite = options.force};
  results::write_plot(output, table, channels, options.x, settings);
  print_output("wrote {}: {} over {}\n", core::printable(output),
               core::printable(fmt::format("{}", fmt::join(channels, ", "))),
               core::printable(options.x));
  return exit_ok;
}

void add_picture_options(Interface& interface, CLI::App* command, PlotOptions& options) {
  CLI::Option* output = command->add_option(
      "-o,--output", options.output, "picture to write: .svg or .png (default: RESULTS.svg)");
  output->type_name("FILE");
  interface.completions[output] = files({"svg", "png"});
  command->add_option("--title", options.title, "title (default: the name of the model)")
      ->type_name("TEXT");
  command->add_flag("-f,--force", options.force, "replace the picture if it exists");
}

}  // namespace

void add_plot(Interface& interface) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "plot",
      "Draw channels over time or over each other, as SVG or PNG.\n"
      "Channels with the same unit share a pair of axes. Without names it draws the joint "
      "coordinates.",
      "trammel plot pendulum.h5                                  # a first look\n"
      "trammel plot pendulum.h5 'rod.velocity.*' energy.kinetic -o speed.png\n"
      "trammel plot four_bar.h5 coupler.position.y --x coupler.position.x   # the path of a point");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results file (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  CLI::Option* channels = command->add_option("CHANNEL", options->channels,
                                              "names or patterns, e.g. 'crank.position.*'");
  interface.completions[channels] = channel_names();
  CLI::Option* x =
      command->add_option("-x,--x", options->x, "channel along the x axis (default: time)");
  x->type_name("CHANNEL");
  interface.completions[x] = channel_names();
  add_picture_options(interface, command, *options);
  set_action(interface, command, options, run_plot);
}

}  // namespace trammel::cli
