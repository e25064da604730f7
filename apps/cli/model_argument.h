// The argument MODEL with its `--set name=value`, shared by the commands that read a model.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interface.h"
#include "time_limit.h"

#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"

namespace trammel::cli {

struct ModelArgument {
  std::string path;
  std::vector<std::string> assignments;  ///< "name=value"

  /// An option that stands for a value of the model file: "--until" for "simulation.until".
  struct Shortcut {
    std::string option;
    std::string key;
    std::string value;  ///< empty: not given
  };
  std::deque<Shortcut> shortcuts;  ///< stay where they are when others are added
  std::string tolerance;           ///< relative and absolute, as typed; empty: those of the file
  std::string time_limit;          ///< as typed; empty: none
  bool allow_outside = false;      ///< the model may read files that are not below its folder

  double time_limit_seconds() const { return cli::time_limit_seconds(time_limit); }
};

/// Adds MODEL, --set, --allow-outside and --time-limit to a command. The argument must live as long
/// as the command.
void add_model_argument(Interface& interface, CLI::App* command, ModelArgument& argument);

/// Adds --coordinates, which stands for simulation.coordinates.
void add_coordinates_option(Interface& interface, CLI::App* command, ModelArgument& argument);

/// "1e-6" of --tolerance. Throws InputError.
double parse_tolerance(const std::string& text);

/// Reads the file with all values from the command line in it. Throws InputError; warnings are
/// printed.
io::ModelFile load(const ModelArgument& argument);

/// The model and all files that it was made of, none of which is to be written over.
std::vector<std::filesystem::path> inputs_of(const io::ModelFile& file);

/// Compiles the model. Mistakes that show up only now get their place in the file.
formulation::CompiledModel compile(const io::ModelFile& file);
/// What is doubtful in its formulas, with the places in the file.
std::vector<core::Diagnostic> formula_warnings(const io::ModelFile& file);
/// With drives as constraint rows in all coordinates: analyses look at these rows.
std::unique_ptr<model::ModelSystem> compile_with_drive_rows(const io::ModelFile& file);

/// Throws InputError, with the place in the file, when the method of the simulation does not go
/// with the model (`auto` goes with every model), or when its steps or rows are too many.
void check_method(const io::ModelFile& file, model::ModelSystem& system);

/// The same for an analysis that takes the steps of the simulation section without its method.
void check_steps(const io::ModelFile& file);

}  // namespace trammel::cli
