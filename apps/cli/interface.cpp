#include "interface.h"

namespace trammel::cli {

const Completion& Interface::completion(const CLI::Option* option) const {
  static const Completion nothing;
  const auto found = completions.find(option);
  return found == completions.end() ? nothing : found->second;
}

CLI::App* add_command(Interface& interface,
                      const std::string& group,
                      const std::string& name,
                      const std::string& description,
                      const std::string& examples) {
  CLI::App* command = interface.app.add_subcommand(name, description);
  command->group(group);
  command->footer(examples);
  command->set_help_flag("-h,--help", "show this help");
  return command;
}

}  // namespace trammel::cli
