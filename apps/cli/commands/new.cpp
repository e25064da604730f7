// trammel new: a starter model to change into one's own.
#include <algorithm>
#include <filesystem>

#include "commands/commands.h"
#include "printing.h"
#include "starters.h"
#include "terminal.h"
#include "usage_errors.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/printable.h"
#include "trammel/results/output_file.h"

namespace trammel::cli {
namespace {

struct NewOptions {
  std::string starter;
  std::string file;
  bool list = false;
};

std::vector<std::string> starter_names() {
  std::vector<std::string> list;
  for (const Starter& starter : starters()) list.emplace_back(starter.name);
  return list;
}

void print_starters() {
  std::size_t width = 0;
  for (const Starter& starter : starters()) width = std::max(width, starter.name.size());
  print_output("{}\n", output_style().bold("Starter models"));
  for (const Starter& starter : starters()) {
    print_output("  {:<{}}  {}\n", starter.name, width, summary(starter));
  }
  print_output("\nTake one with: trammel new {}\n", starters().front().name);
}

// Creates the file; one that exists is never touched.
void write_new(const std::filesystem::path& path, std::string_view text) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    throw core::InputError(fmt::format("'{}' exists already and is left alone", path.string()),
                           "give another file name, or remove it first");
  }
  results::write_whole(path, results::FileKind::model, text, false);
}

int run_new(const NewOptions& options) {
  if (options.list || options.starter.empty()) {
    print_starters();
    return exit_ok;
  }
  check_word("starter", options.starter, starter_names());
  const auto starter =
      std::find_if(starters().begin(), starters().end(),
                   [&](const Starter& candidate) { return candidate.name == options.starter; });
  std::filesystem::path path = options.file.empty() ? options.starter + ".yaml" : options.file;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) path /= options.starter + ".yaml";
  write_new(path, starter->text);
  const std::string shown = core::printable(path.string());
  print_output("wrote {}: {}\nnext:  trammel run {}\n", shown, summary(*starter), shown);
  return exit_ok;
}

}  // namespace

void add_new(Interface& interface) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = add_command(interface, "Make a model", "new",
                                  "Write a starter model, ready to run and to change.\n"
                                  "Without a name it lists the starters. Nothing is overwritten.",
                                  "trammel new --list                # which starters are there?\n"
                                  "trammel new pendulum              # writes pendulum.yaml\n"
                                  "trammel new four_bar my_bar.yaml");
  CLI::Option* starter =
      command->add_option("STARTER", options->starter, "name of the starter model");
  interface.completions[starter] = words(starter_names());
  CLI::Option* file =
      command->add_option("FILE", options->file, "file to write (default: STARTER.yaml)");
  interface.completions[file] = model_files();
  command->add_flag("-l,--list", options->list, "list the starters, as without a name");
  set_action(interface, command, options, run_new);
}

}  // namespace trammel::cli
