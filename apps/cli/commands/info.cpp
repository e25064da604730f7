// trammel info: about a model, a results file, or the program itself.
#include <filesystem>
#include <fstream>

#include "body_text.h"
#include "commands/commands.h"
#include "connection_text.h"
#include "equation_notes.h"
#include "messages.h"
#include "model_argument.h"
#include "output_argument.h"
#include "printing.h"
#include "program_information.h"
#include "report_text.h"
#include "summary_text.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/analysis/method.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/printable.h"
#include "trammel/report/display_units.h"
#include "trammel/report/run_notes.h"
#include "trammel/results/reader.h"
#include "trammel/topology/picture.h"

namespace trammel::cli {
namespace {

constexpr std::size_t most_channel_rows = 60;

struct InfoOptions {
  std::string file;
  std::vector<std::string> channels;
  bool names = false;
  bool topology = false;
  bool dot = false;
  bool svg = false;
  bool allow_outside = false;
  std::string time_limit;
};

bool is_results_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5" || ending == ".csv") return true;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream stream(path, std::ios::binary);
  std::string start(8, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == "\x89HDF\r\n\x1a\n" || start.rfind("time,", 0) == 0;
}

void print_channels(const std::vector<results::Channel>& channels, bool all) {
  const std::size_t shown = all ? channels.size() : std::min(channels.size(), most_channel_rows);
  std::size_t name_width = 0;
  std::size_t unit_width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    name_width = std::max(name_width, channels[i].name.size());
    unit_width = std::max(unit_width, channels[i].unit.size());
  }
  print_output("\n{}\n", output_style().bold("Channels"));
  for (std::size_t i = 0; i < shown; ++i) {
    const results::Channel& channel = channels[i];
    const std::string frame = channel.frame.empty() ? "" : fmt::format(" ({})", channel.frame);
    print_output(
        "{}\n", core::printable(fmt::format("  {:<{}}  {:<{}}  {}{}", channel.name, name_width,
                                            channel.unit, unit_width, channel.description, frame)));
  }
  if (shown < channels.size()) {
    print_output(
        "  ... and {} more; choose with --channels, e.g. --channels '{}*'\n",
        channels.size() - shown,
        core::printable(channels.back().name.substr(0, channels.back().name.find('.') + 1)));
  }
}

Report results_report(const std::string& path, const results::Contents& contents) {
  std::error_code error;
  Report report{
      {"file", fmt::format("{} ({})", path, size_text(std::filesystem::file_size(path, error)))},
      {"model", contents.info.model_name},
      {"method", contents.info.method},
      {"written by", fmt::format("{}, {}", contents.info.software, contents.info.started)},
      {"outcome", std::string(results::to_string(contents.outcome)) +
                      (contents.message.empty() ? "" : ": " + contents.message)},
      {"times", fmt::format("{}, from {:.6g} s to {:.6g} s", contents.rows, contents.first_time,
                            contents.last_time)},
      {"channels", fmt::format("{}", contents.channels.size())},
  };
  if (contents.outcome == results::Outcome::running) {
    report[4].second += " (still, or it was killed)";
  }
  for (const auto& [key, value] : report::shown_information(contents.info)) {
    if (is_equation_note(key)) continue;
    std::string text = value;
    if (key == "set" || key == "files" || key == report::noted_units ||
        key == report::noted_plots) {  // one in each line
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
        text.replace(at, 1, ", ");
      }
    }
    report.emplace_back(key, text);
  }
  std::string numbers;
  for (const auto& [key, value] : contents.statistics) {
    numbers += fmt::format("{}{} {:.6g}", numbers.empty() ? "" : ", ", key, value);
  }
  if (!numbers.empty()) report.emplace_back("statistics", numbers);
  return report;
}

int results_info(const InfoOptions& options) {
  core::Diagnostics warnings;
  const results::Contents contents = results::inspect(options.file, &warnings);
  print(warnings.list());
  std::vector<results::Channel> channels = contents.channels;
  if (!options.channels.empty()) {
    channels.clear();
    for (const std::size_t index : results::select(contents.channels, options.channels)) {
      channels.push_back(contents.channels[index]);
    }
  }
  if (options.names) {
    for (const results::Channel& channel : channels) {
      print_output("{}\n", core::printable(channel.name));
    }
    return exit_ok;
  }
  print(results_report(options.file, contents));
  if (options.channels.empty()) {
    print_glance(options.file);
  } else {
    results::Table table = results::read(options.file, options.channels);
    add_magnitudes(table);
    print_output("\n{}\n", output_style().bold("Numbers"));
    for (const std::string& line : summary_lines(table)) {
      print_output("  {}\n", core::printable(line));
    }
  }
  print_channels(channels, !options.channels.empty());
  return exit_ok;
}

void print_items(const std::string& title, const std::vector<model::Item>& items) {
  if (items.empty()) return;
  print_output("\n{}\n", output_style().bold(title));
  std::size_t shown = 0;
  for (const model::Item& item : items) {
    if (++shown > most_channel_rows) break;
    print_output("  {:<16}  {} {} {}\n", item.name, item.type,
                 item.attachments.size() == 1 ? "on" : "between",
                 fmt::join(item.attachments, " and "));
  }
  if (items.size() > most_channel_rows)
    print_output("  ... and {} more\n", items.size() - most_channel_rows);
}

// The spanning tree that relative coordinates use, as text or as a picture on standard output.
int topology_info(const InfoOptions& options, const model::Description& description) {
  const topology::Tree tree = formulation::topology_of(description);
  if (options.dot) {
    print_output("{}", topology::to_dot(tree));
  } else if (options.svg) {
    print_output("{}", topology::to_svg(tree));
  } else {
    const formulation::Choice choice = formulation::choose_coordinates(description, tree);
    print_output("{}\ncoordinates: auto would take {}: {}\n", topology::to_text(tree),
                 choice.relative ? "relative" : "absolute", choice.reason);
    const std::vector<std::string> prescribed = formulation::prescribed_by_drives(description);
    if (!prescribed.empty()) {
      print_output("prescribed hinges: their coordinates leave the unknowns; by {}\n",
                   fmt::join(prescribed, ", "));
    }
  }
  return exit_ok;
}

int model_info(const InfoOptions& options) {
  ModelArgument argument;
  argument.path = options.file;
  argument.allow_outside = options.allow_outside;
  const io::ModelFile file = load(argument);
  const model::Description& description = file.description;
  if (options.topology || options.dot || options.svg) return topology_info(options, description);
  print(contents_report(description));
  const model::SimulationSettings& simulation = description.simulation;
  const bool own_steps = analysis::chooses_steps(simulation);
  const std::string steps =
      own_steps ? "steps of its own" : fmt::format("steps of {:.6g} s", simulation.step);
  const std::string output_step =
      simulation.output_step > 0.0 || own_steps
          ? fmt::format("results every {:.6g} s",
                        simulation.output_step > 0.0 ? simulation.output_step : simulation.step)
          : "results at every step";
  print(Report{{"gravity", vector_text(description.gravity, description.space) + " m/s^2"},
               {"simulation", fmt::format("until {:.6g} s by {} with {}, {}", simulation.until,
                                          simulation.integrator, steps, output_step)}});
  print_bodies(description, most_channel_rows);
  print_items("Joints", description.joints);
  print_items("Forces", description.forces);
  if (!description.connections.empty()) {
    print_output("\n{}\n", output_style().bold("Connections"));
    print(connection_report(model::connection_summaries(description)));
  }
  return exit_ok;
}

int run_info(const InfoOptions& options) {
  const TimeLimit limit(time_limit_seconds(options.time_limit));
  if (options.file.empty()) {
    print(program_report());
    return exit_ok;
  }
  return is_results_file(options.file) ? results_info(options) : model_info(options);
}

}  // namespace

void add_info(Interface& interface) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "info", "Tell about a model, a results file or this program.",
      "trammel info pendulum.yaml\n"
      "trammel info pendulum.h5                     # outcome, times, channels\n"
      "trammel info pendulum.h5 -c 'pin.*' --names  # names only, for scripts\n"
      "trammel info crane.yaml --topology           # tree, cut joints, loops, matrices\n"
      "trammel info crane.yaml --svg > crane.svg    # the tree as a picture\n"
      "trammel info                                 # version, compiler, libraries");
  CLI::Option* file = command->add_option("FILE", options->file, "model or results file");
  interface.completions[file] = files({"yaml", "yml", "json", "h5", "csv"});
  CLI::Option* channels =
      command->add_option("-c,--channels", options->channels,
                          "show only these channels, separated by commas, e.g. 'crank.*'");
  channels->type_name("NAMES")->allow_extra_args(false)->delimiter(',');
  interface.completions[channels] = channel_names();
  command->add_flag("--names", options->names, "print nothing but names of channels");
  command->add_flag("--topology", options->topology,
                    "spanning tree of a model: branches, cut joints, loops, matrices");
  command->add_flag("--dot", options->dot, "the tree as a GraphViz file");
  command->add_flag("--svg", options->svg, "the tree as an SVG picture");
  command->add_flag("--allow-outside", options->allow_outside,
                    "let the model read files that are not below its folder");
  add_time_limit(command, options->time_limit);
  set_action(interface, command, options, run_info);
}

}  // namespace trammel::cli
