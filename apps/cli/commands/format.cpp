// trammel format: the canonical layout of a model file.
#include "commands/commands.h"
#include "printing.h"
#include "time_limit.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/printable.h"
#include "trammel/io/format_model.h"
#include "trammel/io/include_files.h"
#include "trammel/io/text_file.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

struct FormatOptions {
  std::string file;
  bool check = false;
  bool in_place = false;
  std::string time_limit;
};

int run_format(const FormatOptions& options) {
  const TimeLimit limit(time_limit_seconds(options.time_limit));
  const std::string text = io::read_text_file(options.file);
  const std::string formatted = io::format_model(text, options.file);
  if (options.check) {
    if (formatted == text) return exit_ok;
    throw core::InputError(fmt::format("'{}' is not in canonical layout", options.file),
                           fmt::format("run: trammel format --in-place {}", options.file));
  }
  if (!options.in_place) {
    print_output("{}", formatted);
    return exit_ok;
  }
  if (!io::looks_like_a_model(text)) {
    throw core::InputError(fmt::format("'{}' is neither a model nor a part of one", options.file),
                           "print it laid out by leaving out --in-place");
  }
  if (formatted != text) results::rewrite_model(options.file, formatted);
  print_output("{}: {}\n", core::printable(options.file),
               formatted == text ? "unchanged" : "formatted");
  return exit_ok;
}

}  // namespace

void add_format(Interface& interface) {
  auto options = std::make_shared<FormatOptions>();
  CLI::App* command =
      add_command(interface, "Make a model", "format",
                  "Lay out a model file in the canonical way.\n"
                  "Names, numbers, units, expressions and comments stay as they were typed.",
                  "trammel format pendulum.yaml               # print it\n"
                  "trammel format --in-place pendulum.yaml    # change the file\n"
                  "trammel format --check pendulum.yaml       # exit code 2 if it would change");
  CLI::Option* file = command->add_option("FILE", options->file, "model file (YAML or JSON)");
  file->required();
  interface.completions[file] = model_files();
  CLI::Option* check = command->add_flag("--check", options->check,
                                         "print nothing; only tell whether it would change");
  command->add_flag("-i,--in-place", options->in_place, "change the file itself")->excludes(check);
  add_time_limit(command, options->time_limit);
  set_action(interface, command, options, run_format);
}

}  // namespace trammel::cli
