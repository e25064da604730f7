#include "model_argument.h"

#include <charconv>

#include "messages.h"
#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/output_grid.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/integrators/kinds.h"
#include "trammel/model/formula_warnings.h"

namespace trammel::cli {
namespace {

io::Overrides overrides(const ModelArgument& argument) {
  io::Overrides list;
  core::Diagnostics diagnostics;
  for (const std::string& assignment : argument.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error("--set", fmt::format("'{}' is no assignment", assignment),
                        "write name=value, e.g. --set length='30 cm'");
      continue;
    }
    list.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  diagnostics.throw_if_errors();
  for (const ModelArgument::Shortcut& shortcut : argument.shortcuts) {
    if (!shortcut.value.empty()) list.emplace_back(shortcut.key, shortcut.value);
  }
  return list;
}

// A shortcut is read as `--set simulation.until=...`; the message names what was typed instead.
std::vector<core::Diagnostic> named_as_typed(std::vector<core::Diagnostic> diagnostics,
                                             const std::deque<ModelArgument::Shortcut>& list) {
  for (core::Diagnostic& diagnostic : diagnostics) {
    for (const ModelArgument::Shortcut& shortcut : list) {
      const std::string read_as = fmt::format("--set {}={}", shortcut.key, shortcut.value);
      if (shortcut.value.empty() || diagnostic.file != read_as) continue;
      diagnostic.file = fmt::format("{} {}", shortcut.option, shortcut.value);
      diagnostic.path.clear();
    }
  }
  return diagnostics;
}

std::string methods_with_tolerances() {
  std::vector<std::string> names;
  for (const auto& kind : integrators::integrator_kinds()) {
    if (analysis::takes_tolerance(kind.name)) names.push_back(kind.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Both tolerances of the method, wherever the file states them.
void replace_tolerance(const std::string& text, model::SimulationSettings& settings) {
  const double tolerance = parse_tolerance(text);
  if (!analysis::takes_tolerance(settings.integrator)) {
    throw core::InputError(
        fmt::format("--tolerance {}: {} has no tolerance: it takes steps of a given size", text,
                    settings.integrator),
        fmt::format("give --step, or a method that chooses its own steps: -m NAME with {}",
                    methods_with_tolerances()));
  }
  analysis::set_tolerance(settings, tolerance);
}

}  // namespace

double parse_tolerance(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value > 0.0 && value < 1.0) return value;
  throw core::InputError(fmt::format("--tolerance: '{}' is no tolerance", text),
                         "give a number above 0 and below 1, e.g. 1e-6");
}

void add_model_argument(Interface& interface, CLI::App* command, ModelArgument& argument) {
  CLI::Option* model = command->add_option("MODEL", argument.path, "model file (YAML or JSON)");
  model->required();
  interface.completions[model] = model_files();
  command
      ->add_option("-s,--set", argument.assignments,
                   "set a parameter or any value of the file, e.g. -s length='30 cm' or "
                   "-s bodies.rod.mass='2 kg'; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Model");
  command
      ->add_flag("--allow-outside", argument.allow_outside,
                 "let the model read files (include, mesh, csv) that are not below its folder")
      ->group("Model");
  add_time_limit(command, argument.time_limit)->group("Model");
}

void add_coordinates_option(Interface& interface, CLI::App* command, ModelArgument& argument) {
  argument.shortcuts.push_back({"--coordinates", "simulation.coordinates", ""});
  CLI::Option* option = command->add_option("--coordinates", argument.shortcuts.back().value,
                                            "absolute, relative or auto (by the topology)");
  option->type_name("NAME")->group("Simulation");
  std::vector<std::string> names;
  for (const auto& kind : formulation::coordinates_kinds()) names.emplace_back(kind.name);
  interface.completions[option] = words(std::move(names));
}

io::ModelFile load(const ModelArgument& argument) {
  io::Overrides values = overrides(argument);
  const auto read = [&] {
    return io::read_model_file(argument.path, full_vocabulary(), {values, argument.allow_outside});
  };
  io::ModelFile file;
  try {
    file = read();
    if (!argument.tolerance.empty()) {
      replace_tolerance(argument.tolerance, file.description.simulation);
      // Where the file names no method, one is chosen by the tolerance.
      values.emplace_back("simulation.tolerance", argument.tolerance);
      file = read();
      replace_tolerance(argument.tolerance, file.description.simulation);
    }
  } catch (const core::InputError& mistakes) {
    throw core::InputError(named_as_typed(mistakes.diagnostics(), argument.shortcuts));
  }
  print(file.warnings);
  return file;
}

std::vector<std::filesystem::path> inputs_of(const io::ModelFile& file) {
  std::vector<std::filesystem::path> inputs{file.path};
  for (const io::SourceFile& each : file.sources) inputs.emplace_back(each.path);
  return inputs;
}

namespace {

// Mistakes that show up only when a model is compiled get their place in the file.
template <class Compute>
auto with_places(const io::ModelFile& file, const Compute& compute) {
  try {
    return compute(file.description);
  } catch (const core::InputError& mistakes) {
    std::vector<core::Diagnostic> located = mistakes.diagnostics();
    for (core::Diagnostic& diagnostic : located) file.locate(diagnostic);
    throw core::InputError(std::move(located));
  }
}

}  // namespace

formulation::CompiledModel compile(const io::ModelFile& file) {
  return with_places(file, [](const model::Description& description) {
    return formulation::compile_model(description);
  });
}

std::unique_ptr<model::ModelSystem> compile_with_drive_rows(const io::ModelFile& file) {
  return with_places(file, [](const model::Description& description) {
    return formulation::compile_model(description, formulation::HingeDrives::rows).system;
  });
}

std::vector<core::Diagnostic> formula_warnings(const io::ModelFile& file) {
  return with_places(file, [&file](const model::Description& description) {
    std::vector<core::Diagnostic> warnings = model::formula_warnings(description);
    for (core::Diagnostic& warning : warnings) file.locate(warning);
    return warnings;
  });
}

void check_method(const io::ModelFile& file, model::ModelSystem& system) {
  with_places(file, [&system](const model::Description& description) {
    const model::SimulationSettings& settings = description.simulation;
    core::Diagnostics mistakes;
    try {
      if (settings.integrator != analysis::auto_method_name) {
        analysis::make_integrator(system, settings);
      }
    } catch (const core::InputError& error) {
      for (core::Diagnostic diagnostic : error.diagnostics()) {
        diagnostic.path = "simulation.method";
        mistakes.add(std::move(diagnostic));
      }
    }
    try {
      analysis::simulation_grid(settings);
    } catch (const core::InputError& error) {
      for (const core::Diagnostic& diagnostic : error.diagnostics()) mistakes.add(diagnostic);
    }
    mistakes.throw_if_errors();
  });
}

void check_steps(const io::ModelFile& file) {
  with_places(file, [](const model::Description& description) {
    return analysis::OutputGrid(description.simulation);
  });
}

}  // namespace trammel::cli
