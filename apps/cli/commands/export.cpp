// trammel export: results to CSV, a part of them to a smaller file, or the motion for other
// programs.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "commands/commands.h"
#include "interruption.h"
#include "messages.h"
#include "output_argument.h"
#include "printing.h"
#include "report_argument.h"
#include "summary_text.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/printable.h"
#include "trammel/report/display_units.h"
#include "trammel/report/glb.h"
#include "trammel/report/thinned_run.h"
#include "trammel/report/vtk.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace trammel::cli {
namespace {

struct ExportOptions {
  std::string results;
  std::string format;
  std::vector<std::string> channels;
  std::string output;
  std::size_t frames = 0;
  bool force = false;
  bool summary = false;
  bool remarks = false;
  std::vector<std::string> units;
};

/// "csv", "h5", "glb" or "vtk": as asked for, else by the ending of the output.
std::string format_of(const ExportOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (ending == ".glb") return "glb";
  if (ending == ".pvd") return "vtk";
  return ending == ".h5" || ending == ".hdf5" ? "h5" : "csv";
}

results::FileKind kind_of(const std::string& format) {
  if (format == "glb") return results::FileKind::glb;
  if (format == "vtk") return results::FileKind::vtk;
  return format == "h5" ? results::FileKind::hdf5 : results::FileKind::csv;
}

std::string output_of(const ExportOptions& options, const std::string& format) {
  const std::string ending = format == "vtk" ? ".pvd" : "." + format;
  const std::string output =
      options.output.empty() ? default_output(options.results, ending) : options.output;
  const std::string given = std::filesystem::path(output).extension().string();
  if (output != "-" && given != ending && !(format == "h5" && given == ".hdf5") &&
      (!options.format.empty() || format == "glb")) {
    throw core::InputError(fmt::format("'{}' is no name for {}", output, format),
                           fmt::format("let it end in {}", ending));
  }
  if (output == "-") return output;
  std::vector<std::filesystem::path> inputs{options.results};
  // Tables and meshes of models may be exported files themselves.
  std::error_code ignored;
  if (options.force && std::filesystem::exists(output, ignored)) {
    inputs = inputs_behind(options.results);
  }
  check_output_path(output, kind_of(format), options.force, inputs);
  return output;
}

void refuse_standard_output(const std::string& output, const std::string& format) {
  if (output != "-") return;
  throw core::InputError(fmt::format("{} cannot be written to standard output", format),
                         "give a file by --output");
}

/// The model as it is drawn. Channels are those that were chosen, and all that move bodies.
report::DrawnModel drawn_model(const results::Table& table, const std::string& path) {
  if (table.info.scene.empty()) {
    throw core::InputError(fmt::format("'{}' tells nothing about the mechanism", path),
                           "run the model again with this version, or export to CSV");
  }
  return report::read_scene(table.info.scene);
}

/// The rows that will be shown.
results::Table spread_rows_of(const ExportOptions& options, std::size_t most, bool poses_only) {
  core::Diagnostics warnings;
  results::Table table =
      report::read_spread(options.results, std::max<std::size_t>(2, most), poses_only, &warnings);
  add_scene(table.info, options.results, &warnings);
  print(warnings.list());
  return table;
}

int export_glb(const ExportOptions& options) {
  const std::string output = output_of(options, "glb");
  refuse_standard_output(output, "glTF");
  report::GlbOptions settings;
  if (options.frames > 0) settings.most_frames = options.frames;
  const results::Table table = spread_rows_of(options, settings.most_frames, true);
  const std::string bytes = report::glb(drawn_model(table, options.results), table, settings);
  results::write_whole(output, results::FileKind::glb, bytes, options.force);
  print_output("wrote {} ({})\n", core::printable(output), size_text(bytes.size()));
  return exit_ok;
}

int export_vtk(const ExportOptions& options) {
  const std::string output = output_of(options, "vtk");
  refuse_standard_output(output, "VTK");
  report::VtkOptions settings{.overwrite = options.force, .stop = &catch_stop_signals()};
  if (options.frames > 0) settings.most_frames = options.frames;
  const results::Table table = spread_rows_of(options, settings.most_frames, false);
  const std::size_t frames =
      report::write_vtk(output, drawn_model(table, options.results), table, settings);
  print_output("wrote {}: {} times; open it in ParaView\n", core::printable(output), frames);
  return exit_ok;
}

/// In display units if any are asked for.
results::Table chosen_channels(const ExportOptions& options, core::Diagnostics& warnings) {
  results::Table table = results::read(options.results, options.channels, &warnings);
  report::show_in(report::display_units(table.channels, options.units), table);
  return table;
}

int print_csv(const results::Table& table, bool remarks) {
  try {
    OutputBuffer buffer;
    std::ostream output(&buffer);
    results::CsvSink sink(output, {.remarks = remarks});
    results::write(table, sink);
  } catch (const core::RunError&) {
    return exit_failed;  // told at the end, as for everything that is printed
  }
  return exit_ok;
}

int export_channels(const ExportOptions& options, const std::string& format) {
  if (format == "h5" && (options.remarks || !options.units.empty())) {
    throw core::InputError("HDF5 files are in SI units and hold everything",
                           "leave out --units and --remarks, which are for CSV");
  }
  core::Diagnostics warnings;
  if (options.output == "-" && format == "csv") {
    const results::Table table = chosen_channels(options, warnings);
    print(warnings.list());
    return print_csv(table, options.remarks);
  }
  const std::string output = output_of(options, format);
  refuse_standard_output(output, "HDF5");
  // Tables for other programs hold numbers; everything else on request.
  std::unique_ptr<results::Sink> sink;
  if (format == "csv" && !options.remarks) {
    sink = std::make_unique<results::CsvSink>(
        output, results::CsvOptions{.overwrite = options.force, .remarks = false});
  } else {
    sink = std::make_unique<OutputSink>(output, options.force);
  }
  results::Table table = chosen_channels(options, warnings);
  print(warnings.list());
  note_folder(table.info, output, noted_folder(table.info, options.results));
  catch_stop_signals();
  results::write(table, *sink);
  print_output("wrote {}: {} channels at {} times\n", core::printable(output),
               table.channels.size(), table.rows());
  return exit_ok;
}

int export_summary(const ExportOptions& options) {
  if (!options.output.empty() || !options.format.empty() || options.frames > 0) {
    throw core::InputError("--summary prints numbers on standard output",
                           "leave out --output, --to and --frames");
  }
  core::Diagnostics warnings;
  results::Table table = results::read(options.results, options.channels, &warnings);
  add_magnitudes(table);
  report::show_in(report::display_units(table.channels, options.units), table);
  print(warnings.list());
  for (const std::string& line : summary_lines(table)) print_output("{}\n", core::printable(line));
  return exit_ok;
}

int run_export(const ExportOptions& options) {
  if (options.summary) return export_summary(options);
  const std::string format = format_of(options);
  if ((format == "glb" || format == "vtk") && !options.channels.empty()) {
    throw core::InputError("--channels chooses what goes into CSV or HDF5",
                           fmt::format("leave it out: {} holds the whole motion", format));
  }
  if (format == "glb") return export_glb(options);
  if (format == "vtk") return export_vtk(options);
  return export_channels(options, format);
}

void add_options(Interface& interface, CLI::App* command, ExportOptions& options) {
  CLI::Option* format = command->add_option(
      "--to", options.format, "csv, h5, glb or vtk (default: by the name of the output, else csv)");
  format->type_name("FORMAT")->transform(
      CLI::IsMember({"csv", "h5", "glb", "vtk"}).description(""));
  interface.completions[format] = words({"csv", "h5", "glb", "vtk"});
  CLI::Option* channels =
      command->add_option("-c,--channels", options.channels,
                          "names or patterns, separated by commas, e.g. 'crank.*,energy.*'");
  channels->type_name("NAMES")->allow_extra_args(false)->delimiter(',');
  interface.completions[channels] = channel_names();
  CLI::Option* output =
      command->add_option("-o,--output", options.output,
                          "file to write: .csv, .h5, .glb or .pvd, '-' for standard output (CSV)");
  output->type_name("FILE");
  interface.completions[output] = files({"csv", "h5", "glb", "pvd"});
  command
      ->add_option("--frames", options.frames,
                   "most times of the motion (default: 5000 for glb, 250 for vtk)")
      ->type_name("NUMBER")
      ->check(CLI::Range(2, 100000).description(""));
  command
      ->add_option("--units", options.units,
                   "units for CSV and --summary, separated by commas, e.g. deg,mm,kN (default: SI)")
      ->type_name("UNITS")
      ->allow_extra_args(false)
      ->delimiter(',');
  command->add_flag("--remarks", options.remarks,
                    "CSV with everything else that is known, as lines that begin with #: it can be "
                    "shown and exported again");
  command->add_flag("--summary", options.summary,
                    "print least, largest, mean, rms and last value of each channel instead");
  command->add_flag("-f,--force", options.force, "replace the output file if it exists");
}

}  // namespace

void add_export(Interface& interface) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "export",
      "Write results for other programs: channels as CSV or a smaller HDF5 file, the moving "
      "mechanism as glTF (Blender, web pages, slides) or VTK (ParaView).",
      "trammel export pendulum.h5                          # writes pendulum.csv\n"
      "trammel export pendulum.h5 -c 'rod.*' -o rod.csv    # one body only\n"
      "trammel export pendulum.h5 -c pin.angle -o -        # to standard output\n"
      "trammel export pendulum.h5 -c 'pin.*' --summary     # least, largest, mean, rms, last\n"
      "trammel export pendulum.h5 --to glb                 # animated pendulum.glb\n"
      "trammel export pendulum.h5 --to vtk                 # pendulum.pvd and a folder");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results file (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  add_options(interface, command, *options);
  set_action(interface, command, options, run_export);
}

}  // namespace trammel::cli
