// trammel compare: the same model by many methods, against a reference of its own.
#include "trammel/analysis/comparison/compare.h"

#include <algorithm>
#include <filesystem>

#include "build_information.h"
#include "commands/commands.h"
#include "comparison_page.h"
#include "comparison_text.h"
#include "interruption.h"
#include "messages.h"
#include "model_argument.h"
#include "output_argument.h"
#include "printing.h"
#include "program_information.h"
#include "progress_display.h"
#include "report_argument.h"
#include "report_text.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/analysis/comparison/store.h"
#include "trammel/analysis/method.h"
#include "trammel/core/content_hash.h"
#include "trammel/core/dimension.h"
#include "trammel/core/printable.h"
#include "trammel/integrators/gssss_parameters.h"
#include "trammel/io/expression.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

namespace comparison = analysis::comparison;

struct CompareOptions {
  ModelArgument model;
  std::string methods;
  std::string rho;
  std::string index;
  std::string tolerance;
  std::string stabilisation;
  std::string step;
  std::string setting;
  double drift = comparison::Limits{}.drift;
  int threads = 0;
  std::string output;
  std::string picture;
  bool fresh = false;
  bool force = false;
  bool quiet = false;
};

double parse_step(const std::string& text) {
  try {
    const io::Quantity value = io::evaluate(text, {});
    if (value.fits(core::dimension::time)) return value.value;
  } catch (const io::ExpressionError&) {
    // told below, with an example
  }
  throw core::InputError(fmt::format("--step: '{}' is no time", text),
                         "write e.g. --step '4 ms, 2 ms, 1 ms'");
}

int parse_index(const std::string& text) {
  if (text == "3" || text == "2" || text == "1") return text[0] - '0';
  throw core::InputError(fmt::format("--index: '{}' is no index", text), "give 3, 2 or 1");
}

bool chooses_steps(const std::string& method) {
  model::SimulationSettings settings;
  settings.integrator = method;
  return analysis::chooses_steps(settings);
}

comparison::Axes axes(const CompareOptions& options) {
  comparison::Axes axes;
  core::Diagnostics mistakes;
  const auto take = [&mistakes](const auto& list, const auto& use) {
    for (const std::string& text : comparison::split_list(list)) {
      try {
        use(text);
      } catch (const core::InputError& error) {
        for (const core::Diagnostic& each : error.diagnostics()) mistakes.add(each);
      }
    }
  };
  axes.methods = comparison::split_list(options.methods);
  axes.stabilisations = comparison::split_list(options.stabilisation);
  take(options.rho, [&](auto& text) { axes.radii.push_back(comparison::parse_radii(text)); });
  take(options.index, [&](auto& text) { axes.indices.push_back(parse_index(text)); });
  take(options.step, [&](auto& text) { axes.steps.push_back(parse_step(text)); });
  take(options.tolerance, [&](auto& text) { axes.tolerances.push_back(parse_tolerance(text)); });
  take(options.setting, [&](auto& text) { axes.settings.insert(comparison::parse_setting(text)); });
  if (!axes.tolerances.empty() &&
      std::none_of(axes.methods.begin(), axes.methods.end(), chooses_steps)) {
    mistakes.error("--tolerance", "no method of this comparison has a tolerance",
                   "name one that chooses its own steps, e.g. -m dormand-prince,bdf");
  }
  mistakes.throw_if_errors();
  return axes;
}

// Everything that the numbers of a run depend on, but the method: the program, the text of the
// model, what was set on the command line, and all files that the model was made of.
std::string model_hash(const CompareOptions& options, const io::ModelFile& file) {
  std::string text =
      fmt::format("{}\n{}\n{}", build_information().version, program_hash(), file.text);
  for (const std::string& assignment : options.model.assignments) text += '\0' + assignment;
  for (const io::SourceFile& each : file.sources) text += '\0' + each.path + '\0' + each.hash;
  return core::content_hash(text);
}

std::string command_text(const CompareOptions& options) {
  std::string text = "trammel compare " + shell_word(options.model.path);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, shell_word(value));
  };
  add("--methods", options.methods);
  add("--rho", options.rho);
  add("--index", options.index);
  add("--stabilisation", options.stabilisation);
  add("--step", options.step);
  add("--tolerance", options.tolerance);
  add("--setting", options.setting);
  for (const ModelArgument::Shortcut& shortcut : options.model.shortcuts) {
    add(shortcut.option.c_str(), shortcut.value);
  }
  for (const std::string& assignment : options.model.assignments) add("--set", assignment);
  if (options.model.allow_outside) text += " --allow-outside";
  return text;
}

std::string progress_text(const comparison::CompareProgress& progress) {
  return progress.in_reference ? std::string("reference")
                               : fmt::format("{} of {} runs", progress.finished, progress.runs);
}

struct Paths {
  std::string table;
  std::string page;
};

// "out/crank.html" names both files by their stem.
Paths paths_of(const CompareOptions& options) {
  std::filesystem::path base = options.output.empty()
                                   ? std::filesystem::path(default_output(options.model.path, ""))
                                   : std::filesystem::path(options.output);
  if (base.extension() == ".html" || base.extension() == ".csv") base.replace_extension();
  if (base.extension() == ".compare") base.replace_extension();
  return {base.string() + ".compare.csv", base.string() + ".compare.html"};
}

comparison::Comparison compare(const CompareOptions& options,
                               const io::ModelFile& file,
                               comparison::RunStore& store) {
  ProgressDisplay display(error_is_terminal(), terminal_width());
  comparison::CompareOptions settings;
  settings.axes = axes(options);
  settings.threads = options.threads;
  settings.limits.drift = options.drift;
  settings.stop = &catch_stop_signals();
  settings.time_limit = options.model.time_limit_seconds();
  if (!options.fresh) settings.kept = store.runs();
  if (!options.quiet) {
    settings.progress = [&](const comparison::CompareProgress& progress) {
      display.update(progress.fraction, progress_text(progress), progress.wall_time);
    };
  }
  settings.finished = [&](const comparison::Row& row) { store.add(row); };
  return comparison::compare(file.description, settings);
}

void print_summary(const comparison::Comparison& result, const Paths& paths) {
  int kept = 0;
  for (const comparison::Row& row : result.rows) kept += row.kept ? 1 : 0;
  print_output("\n{} in {}{}\n", count_text(result.rows.size(), "run", "runs"),
               duration_text(result.wall_time),
               kept > 0
                   ? fmt::format(", {} of them kept from before (--fresh makes them anew)", kept)
                   : fmt::format(" on {}", count_text(static_cast<std::size_t>(result.threads),
                                                      "thread", "threads")));
  print_output("table:   {}\npage:    {} (open it in a browser)\n", core::printable(paths.table),
               core::printable(paths.page));
}

// What is left of a comparison that did not come to its end. Nothing is there before the first run.
std::string kept_text(const Paths& paths, bool in_good_order) {
  std::error_code ignored;
  if (!std::filesystem::exists(paths.table, ignored)) return "nothing was written";
  return fmt::format("'{}' keeps the runs that were finished{}", paths.table,
                     in_good_order ? ": the same command goes on from there" : "");
}

int run_compare(const CompareOptions& options) {
  TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  const Paths paths = paths_of(options);
  report::check_page_path(paths.page, comparison_generator, options.force);
  if (!options.picture.empty()) {
    results::check_output_path(options.picture, results::picture_kind(options.picture),
                               options.force, inputs_of(file));
  }
  comparison::RunStore store(paths.table, model_hash(options, file));
  const TimeLimit::Heir heir(limit, [&](const std::string&) { return kept_text(paths, false); });
  const comparison::Comparison result = compare(options, file, store);
  limit.end();
  if (result.stopped) {
    print_warning(
        fmt::format("{} after {}", result.ending, count_text(result.rows.size(), "run", "runs")),
        kept_text(paths, true));
    return exit_failed;
  }
  const std::string& name =
      file.description.name.empty() ? options.model.path : file.description.name;
  try {
    store.write(result.rows);
    store.close();
    report::write_page(paths.page, comparison_page(name, command_text(options), result),
                       options.force);
    if (!options.picture.empty()) {
      write_work_precision(options.picture, name, result, options.force);
    }
  } catch (const core::InputError& error) {
    // A place that could be written before the runs: they are done, so that more than the input is
    // wrong.
    print(error.diagnostics());
    return exit_failed;
  }
  if (options.quiet) return exit_ok;
  print(result);
  print_summary(result, paths);
  return exit_ok;
}

void add_grid_options(Interface& interface, CLI::App* command, CompareOptions& options) {
  std::vector<std::string> names{"U0", "V0", "auto"};
  for (const auto& member : integrators::gssss_members()) names.push_back(member.name);
  CLI::Option* methods = command->add_option("-m,--methods", options.methods,
                                             "integrators, auto, families (U0, V0) or members "
                                             "('V0(1,1,0)'), separated by commas (default: "
                                             "newmark, mpr-mpa, generalized-alpha)");
  methods->type_name("NAMES")->group("Methods");
  interface.completions[methods] = words(names);
  command
      ->add_option("--rho", options.rho,
                   "spectral radii: one number for names and families, or three for families, "
                   "e.g. 0.8,1/1/0")
      ->type_name("LIST")
      ->group("Methods");
  command->add_option("--index", options.index, "of the constraints (default: 3,2,1)")
      ->type_name("LIST")
      ->group("Methods");
  CLI::Option* stabilisation =
      command->add_option("--stabilisation", options.stabilisation,
                          "none, baumgarte, projection, ggl (default: none,projection)");
  stabilisation->type_name("LIST")->group("Methods");
  interface.completions[stabilisation] = words({"none", "baumgarte", "projection", "ggl"});
  command
      ->add_option("--step", options.step,
                   "steps, e.g. '4 ms, 2 ms, 1 ms' (default: 4, 2 and 1 times that of the model)")
      ->type_name("TIMES")
      ->group("Methods");
  command
      ->add_option("--tolerance", options.tolerance,
                   "of methods that choose their own steps (default: 1e-4,1e-6,1e-8)")
      ->type_name("LIST")
      ->group("Methods");
}

void add_run_options(CLI::App* command, CompareOptions& options) {
  options.model.shortcuts = {{"--until", "simulation.until", ""}};
  command
      ->add_option("--setting", options.setting,
                   "further settings of every method, e.g. start=plain,newton_tolerance=1e-10")
      ->type_name("LIST")
      ->group("Methods");
  command
      ->add_option("-u,--until", options.model.shortcuts[0].value,
                   "end of the simulations, e.g. '10 s'")
      ->type_name("TIME")
      ->group("Methods");
  command
      ->add_option("--drift", options.drift,
                   "position constraint error, in model sizes, above which a run drifts "
                   "(default: 0.001)")
      ->type_name("NUMBER")
      ->check(CLI::PositiveNumber)
      ->group("Methods");
  command
      ->add_option("-j,--threads", options.threads,
                   "runs at a time (default: as many as the machine has cores)")
      ->type_name("NUMBER")
      ->check(CLI::NonNegativeNumber)
      ->group("Methods");
}

void add_comparison_output_options(Interface& interface,
                                   CLI::App* command,
                                   CompareOptions& options) {
  command
      ->add_option("-o,--output", options.output,
                   "stem of the files (default: MODEL, for MODEL.compare.csv and "
                   "MODEL.compare.html in this folder)")
      ->type_name("NAME")
      ->group("Output");
  CLI::Option* picture = command->add_option(
      "--picture", options.picture, "also draw errors over time of the processor, .png or .svg");
  picture->type_name("FILE")->group("Output");
  interface.completions[picture] = files({"png", "svg"});
  command->add_flag("--fresh", options.fresh, "make runs anew that were kept from before")
      ->group("Output");
  command
      ->add_flag("-f,--force", options.force, "replace pages that other commands of trammel wrote")
      ->group("Output");
  command->add_flag("-q,--quiet", options.quiet, "print nothing but warnings and errors")
      ->group("Output");
}

}  // namespace

void add_compare(Interface& interface) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = add_command(
      interface, "Simulate", "compare",
      "Run a model by many methods and compare them with a converged reference: errors, orders, "
      "constraint residuals, energy, cost and a verdict (stable, oscillates, drifts, fails).\n"
      "Writes a table (CSV) and a page with figures. Finished runs are kept: Ctrl-C does no harm, "
      "and the same command goes on.",
      "trammel compare slider_crank.yaml                # 54 runs, slider_crank.compare.html\n"
      "trammel compare pendulum.yaml -m hht,V0 --rho 0.6,0.9 --index 3 --step '10 ms, 5 ms'\n"
      "trammel compare chain.yaml -m 'V0(1,1,0)' --stabilisation none,projection,ggl");
  add_model_argument(interface, command, options->model);
  add_grid_options(interface, command, *options);
  add_run_options(command, *options);
  add_comparison_output_options(interface, command, *options);
  set_action(interface, command, options, run_compare);
}

}  // namespace trammel::cli
