// trammel check: every mistake at once, or how the mechanism is made and whether it can move.
#include "analysis_text.h"
#include "body_text.h"
#include "commands/commands.h"
#include "connection_text.h"
#include "messages.h"
#include "model_argument.h"
#include "printing.h"
#include "report_text.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/deformation_watch.h"
#include "trammel/analysis/model_march.h"
#include "trammel/core/printable.h"

namespace trammel::cli {
namespace {

struct CheckOptions {
  ModelArgument model;
  bool derivatives = false;
};

// Elements whose derivatives are not those of what they compute.
void check_derivatives(const io::ModelFile& file) {
  const auto system = model::compile(file.description);
  const analysis::Assembly assembly = analysis::assemble(*system);
  const auto mismatches = model::check_derivatives(file.description, assembly.motion.state);
  print(derivative_report(mismatches));
  if (mismatches.empty()) return;
  throw core::InputError(
      fmt::format("{} of {}", mismatches.size() == 1 ? "a derivative" : "derivatives",
                  mismatches.front().element) +
          (mismatches.size() == 1 ? " is wrong" : " and others are wrong"),
      "mend the code of the function or element, or smooth a formula with a "
      "kink at the start");
}

int run_check(const CheckOptions& options) {
  const TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  const formulation::CompiledModel compiled = compile(file);
  check_method(file, *compiled.system);
  // As a run begins: what starts open holds nothing.
  analysis::ModelMarch march(*compiled.system);
  model::ModelSystem& system = march.system();
  print(formula_warnings(file));
  const analysis::Assembly assembly = analysis::assemble(system);
  print_output("{}: {}\n", core::printable(options.model.path),
               output_style().green("no mistakes"));
  print(contents_report(file.description));
  print(connection_report(model::connection_summaries(file.description)));
  print(mobility_report(assembly.mobility));
  if (!file.description.drives.empty() && system.sizes().v <= analysis::comfortable_size) {
    print(drive_report(
        analysis::check_drives(system, assembly.motion.state, drive_names(file.description))));
  }
  print(assembly_report(assembly));
  print(method_report(analysis::choose_method(system, assembly, file.description.simulation)));
  constexpr std::size_t most_bodies = 20;
  print_bodies(file.description, most_bodies);
  warn_of_moves(assembly);
  for (const analysis::Doubt& doubt :
       analysis::doubts_of(analysis::strained_elements(system, assembly.motion))) {
    print_warning(doubt.message, doubt.remedy);
  }
  if (options.derivatives) check_derivatives(file);
  // Drives take the freedoms of a mechanism they move.
  if (assembly.mobility.freedoms() == 0 && file.description.drives.empty()) {
    print_warning("the mechanism has no freedom left and cannot move",
                  "take a joint away, or choose one that leaves more freedoms");
  }
  return exit_ok;
}

}  // namespace

void add_check(Interface& interface) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = add_command(
      interface, "Make a model", "check",
      "Check a model: every mistake at once, with its place and remedy.\n"
      "When there is none: degrees of freedom, redundant constraints by name, and how far the "
      "described positions had to be moved to fit together.",
      "trammel check slider_crank.yaml\n"
      "trammel check slider_crank.yaml -s rod_length='150 mm'   # would it still close?\n"
      "trammel check slider_crank.yaml --derivatives            # are all tangents right?");
  add_model_argument(interface, command, options->model);
  command->add_flag("--derivatives", options->derivatives,
                    "compare the exact derivatives of every joint, force, connection and formula "
                    "with differences");
  set_action(interface, command, options, run_check);
}

}  // namespace trammel::cli
