#include "completion/command_tree.h"
#include "completion/scripts.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

constexpr const char* fish_head =
    R"(# Completion of trammel for fish, written by: trammel completion fish

# The channels of the results file on the command line.
function __trammel_channels
    for word in (commandline -opc)
        if string match -qr '\.(h5|hdf5|csv)$' -- $word; and test -f $word
            command trammel info $word --names 2>/dev/null
            return
        end
    end
end

complete -c trammel -f
)";

std::string fish_offer(const Completion& completion) {
  std::string suffixes;
  switch (completion.kind) {
    case Completion::Kind::file:
      for (const std::string& ending : completion.words) {
        suffixes +=
            fmt::format("{}__fish_complete_suffix .{}", suffixes.empty() ? "" : "; ", ending);
      }
      return fmt::format(" -a '({})'", suffixes);
    case Completion::Kind::words:
      return fmt::format(" -a '{}'", fmt::join(completion.words, " "));
    case Completion::Kind::channels:
      return " -a '(__trammel_channels)'";
    case Completion::Kind::nothing:
      break;
  }
  return "";
}

std::string option_line(const OptionEntry& option, const std::string& condition) {
  std::string line = "complete -c trammel -n " + shell_quoted(condition);
  for (const std::string& name : option.short_names) line += " -s " + name;
  // A name of one letter after two dashes is an old-fashioned option for fish; `-l` takes it too.
  for (const std::string& name : option.long_names) line += " -l " + name;
  if (option.takes_value) line += " -x";
  return line + fish_offer(option.completion) + " -d " + shell_quoted(option.description) + "\n";
}

}  // namespace

std::string fish_script(const Interface& interface) {
  const std::vector<CommandEntry> tree = command_tree(interface);
  std::string script = fish_head;
  for (const OptionEntry& option : tree.front().options) {
    script += option_line(option, "__fish_use_subcommand");
  }
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const CommandEntry& command = tree[i];
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    script += fmt::format("\ncomplete -c trammel -n __fish_use_subcommand -a {} -d {}\n",
                          command.name, shell_quoted(command.description));
    for (const OptionEntry& option : command.options) script += option_line(option, condition);
    for (const ArgumentEntry& argument : command.arguments) {
      const std::string words = fish_offer(argument.completion);
      if (words.empty()) continue;
      script += "complete -c trammel -n " + shell_quoted(condition) + words + "\n";
    }
  }
  return script;
}

}  // namespace trammel::cli
