// trammel completion: what the shells need to complete command lines.
#include "commands/commands.h"
#include "completion/scripts.h"
#include "printing.h"
#include "usage_errors.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

struct CompletionOptions {
  std::string shell;
  const Interface* interface = nullptr;
};

int run_completion(const CompletionOptions& options) {
  check_word("completion for the shell", options.shell, {"bash", "zsh", "fish"});
  if (options.shell == "bash") {
    print_output("{}", bash_script(*options.interface));
  } else if (options.shell == "zsh") {
    print_output("{}", zsh_script(*options.interface));
  } else {
    print_output("{}", fish_script(*options.interface));
  }
  return exit_ok;
}

}  // namespace

void add_completion(Interface& interface) {
  auto options = std::make_shared<CompletionOptions>();
  options->interface = &interface;
  CLI::App* command = add_command(
      interface, "Set up", "completion",
      "Print the completion script of a shell.\n"
      "It completes commands, options, files, names of methods and channels of results.",
      "trammel completion bash > ~/.local/share/bash-completion/completions/trammel\n"
      "trammel completion zsh > ~/.zfunc/_trammel          # a folder of your fpath\n"
      "trammel completion fish > ~/.config/fish/completions/trammel.fish");
  CLI::Option* shell = command->add_option("SHELL", options->shell, "bash, zsh or fish");
  shell->required();
  interface.completions[shell] = words({"bash", "zsh", "fish"});
  set_action(interface, command, options, run_completion);
}

}  // namespace trammel::cli
