// trammel plot: a quick picture of channels.
#include "trammel/results/plot.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "commands/commands.h"
#include "messages.h"
#include "output_argument.h"
#include "printing.h"
#include "report_text.h"
#include <fmt/format.h>

#include "trammel/core/printable.h"
#include "trammel/report/display_units.h"
#include "trammel/report/model_differences.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct PlotOptions {
  std::string results;
  std::vector<std::string> words;  ///< channels, and further results files
  std::string x = "time";
  std::string title;
  std::string output;
  std::vector<std::string> units;
  bool force = false;
};

bool names_a_file(const std::string& word) {
  const std::string ending = std::filesystem::path(word).extension().string();
  if (ending == ".h5" || ending == ".hdf5" || ending == ".csv") return true;
  std::error_code ignored;
  return std::filesystem::is_regular_file(word, ignored);
}

struct PlottedRuns {
  std::vector<std::string> files;
  std::vector<std::string> channels;
};

/// Files and channels may stand in any order.
PlottedRuns sorted(const PlotOptions& options) {
  PlottedRuns runs{.files = {options.results}, .channels = {}};
  for (const std::string& word : options.words) {
    (names_a_file(word) ? runs.files : runs.channels).push_back(word);
  }
  return runs;
}

/// "coarse" for "out/coarse.h5"; the whole path where that is not unique.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    const std::string stem = std::filesystem::path(file).stem().string();
    const auto same = std::count_if(files.begin(), files.end(), [&](const std::string& other) {
      return std::filesystem::path(other).stem().string() == stem;
    });
    labels.push_back(same > 1 ? file : stem);
  }
  return labels;
}

/// Those asked for, else those that the model names, else the coordinates of joints.
std::vector<std::string> channels_of(const PlottedRuns& runs) {
  if (!runs.channels.empty()) return runs.channels;
  const results::Contents contents = results::inspect(runs.files.front());
  const std::vector<std::string> named = report::noted_list(contents.info, report::noted_plots);
  return named.empty() ? interesting_channels(contents.channels) : named;
}

void print_differences(const std::vector<results::RunInformation>& models,
                       const std::vector<std::string>& labels) {
  const auto differences = report::model_differences(models);
  if (differences.empty()) {
    print_output("the models of these runs are the same\n");
    return;
  }
  std::vector<std::vector<std::string>> lines{{"differs"}};
  lines.front().insert(lines.front().end(), labels.begin(), labels.end());
  constexpr std::size_t longest = 40;
  for (const report::ModelDifference& difference : differences) {
    lines.push_back({difference.place});
    for (const std::string& value : difference.values) {
      lines.back().push_back(value.empty()            ? "-"
                             : value.size() > longest ? value.substr(0, longest - 3) + "..."
                                                      : value);
    }
  }
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += fmt::format("{:<{}}", line[i], i + 1 < line.size() ? widths[i] + 2 : 0);
    }
    print_output("{}\n", core::printable(text));
  }
}

/// The panels of all runs; those of the same unit become one, with the label of each run.
std::vector<results::Panel> joined_panels(const std::vector<results::Table>& tables,
                                          const std::vector<std::string>& labels,
                                          const std::vector<std::string>& channels,
                                          const std::string& x) {
  std::vector<results::Panel> all;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (results::Panel& panel : results::panels_of(tables[i], channels, x)) {
      for (results::Series& series : panel.series) {
        if (tables.size() > 1) series.label = fmt::format("{} ({})", series.label, labels[i]);
      }
      const auto place = std::find_if(all.begin(), all.end(), [&](const results::Panel& other) {
        return other.y_label == panel.y_label;
      });
      if (place == all.end()) {
        all.push_back(std::move(panel));
      } else {
        std::move(panel.series.begin(), panel.series.end(), std::back_inserter(place->series));
      }
    }
  }
  return all;
}

int run_plot(const PlotOptions& options) {
  const PlottedRuns runs = sorted(options);
  const std::string output =
      options.output.empty() ? default_output(runs.files.front(), ".svg") : options.output;
  results::check_output_path(output, results::picture_kind(output), options.force,
                             {runs.files.begin(), runs.files.end()});
  const std::vector<std::string> channels = channels_of(runs);
  std::vector<std::string> needed = channels;
  if (options.x != "time") needed.push_back(options.x);
  core::Diagnostics warnings;
  std::vector<results::Table> tables;
  std::vector<results::RunInformation> models;
  for (const std::string& file : runs.files) {
    tables.push_back(results::read(file, needed, &warnings));
    models.push_back(tables.back().info);
  }
  print(warnings.list());
  // All in the units of the first.
  const std::vector<std::string> units =
      options.units.empty() ? report::noted_list(models.front(), report::noted_units)
                            : options.units;
  for (results::Table& table : tables) {
    report::show_in(report::display_units(table.channels, units), table);
  }
  const results::PlotOptions settings{
      .title = options.title.empty() ? models.front().model_name : options.title,
      .x_label = results::axis_label(tables.front(), options.x),
      .overwrite = options.force};
  const std::vector<std::string> labels = labels_of(runs.files);
  if (tables.size() == 1) {
    results::write_plot(output, tables.front(), channels, options.x, settings);
  } else {
    results::write_plot(output, joined_panels(tables, labels, channels, options.x), settings);
  }
  print_output("wrote {}: {} over {}{}\n", core::printable(output),
               core::printable(fmt::format("{}", fmt::join(channels, ", "))),
               core::printable(options.x),
               tables.size() > 1 ? fmt::format(", {} runs", tables.size()) : std::string());
  if (tables.size() > 1) print_differences(models, labels);
  return exit_ok;
}

void add_picture_options(Interface& interface, CLI::App* command, PlotOptions& options) {
  CLI::Option* output = command->add_option(
      "-o,--output", options.output, "picture to write: .svg or .png (default: RESULTS.svg)");
  output->type_name("FILE");
  interface.completions[output] = files({"svg", "png"});
  command->add_option("--title", options.title, "title (default: the name of the model)")
      ->type_name("TEXT");
  command
      ->add_option("--units", options.units,
                   "display units, separated by commas, e.g. deg,mm,kN (default: those of the "
                   "model, else SI)")
      ->type_name("UNITS")
      ->allow_extra_args(false)
      ->delimiter(',');
  command->add_flag("-f,--force", options.force, "replace the picture if it exists");
}

}  // namespace

void add_plot(Interface& interface) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "plot",
      "Draw channels over time or over each other, as SVG or PNG.\n"
      "Channels with the same unit share a pair of axes. Without names it draws what the model "
      "names under report: plots:, else the joint coordinates. Several runs are drawn together, "
      "and what differs between their models is printed.",
      "trammel plot pendulum.h5                                  # a first look\n"
      "trammel plot pendulum.h5 'rod.velocity.*' energy.kinetic -o speed.png\n"
      "trammel plot soft.h5 stiff.h5 strut.tension --units kN    # two runs, and what differs\n"
      "trammel plot four_bar.h5 coupler.position.y --x coupler.position.x   # the path of a point");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results file (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  CLI::Option* channels = command->add_option(
      "CHANNEL", options->words,
      "names or patterns, e.g. 'crank.position.*'; further results files to draw with the first");
  interface.completions[channels] = channel_names();
  CLI::Option* x =
      command->add_option("-x,--x", options->x, "channel along the x axis (default: time)");
  x->type_name("CHANNEL");
  interface.completions[x] = channel_names();
  add_picture_options(interface, command, *options);
  set_action(interface, command, options, run_plot);
}

}  // namespace trammel::cli
