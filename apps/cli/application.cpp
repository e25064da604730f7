#include "application.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>

#include "build_information.h"
#include "commands/commands.h"
#include "help.h"
#include "interface.h"
#include "licences.h"
#include "messages.h"
#include "printing.h"
#include "terminal.h"
#include "usage_errors.h"
#include <fmt/format.h>

#include "trammel/analysis/plugins.h"
#include "trammel/core/diagnostic.h"

namespace trammel::cli {
namespace {

void build(Interface& interface) {
  CLI::App& app = interface.app;
  app.name("trammel");
  app.description(
      "Trammel simulates mechanisms: rigid bodies, joints and forces, in the plane and in space.");
  app.footer(
      "trammel new slider_crank               # a first model: writes slider_crank.yaml\n"
      "trammel run slider_crank.yaml          # simulate it: writes slider_crank.h5\n"
      "trammel plot slider_crank.h5 piston.position.x\n"
      "trammel help run                       # everything about one command");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("-V,--version", fmt::format("trammel {}", build_information().version),
                       "show the version");
  app.add_flag_callback(
      "--licences,--licenses", [] { throw CLI::CallForVersion(licences(), 0); },
      "show the licences of Trammel and of what it contains");
  app.add_option_function<std::vector<std::string>>(
         "--plugin",
         [](const std::vector<std::string>& files) {
           for (const std::string& file : files) analysis::load_plugin(file);
         },
         "shared library with kinds of forces, joints or integrators of one's own, before the "
         "command; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->trigger_on_parse();
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("OPTIONS", "Options");
  add_commands(interface);
}

// An empty name comes of a shell variable that was not set; the default is not what was meant.
void refuse_empty_names(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      const bool names_a_file = option->check_lname("output") || option->check_lname("picture") ||
                                option->check_lname("matrices") || option->check_lname("motion");
      if (!names_a_file || option->count() == 0 || !option->results().front().empty()) continue;
      throw core::InputError(fmt::format("{} has an empty name", option->get_name()),
                             "give the name of a file, or leave the option out");
    }
  }
}

int parse_and_act(Interface& interface, std::vector<std::string> arguments) {
  CLI::App& app = interface.app;
  if (arguments.empty()) arguments = {"--help"};
  // `trammel help run` is `trammel run --help`.
  if (arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  check_command(interface, arguments.front());
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    print_output("{}", app.help());
    return exit_ok;
  } catch (const CLI::CallForVersion& version) {
    print_output("{}\n", version.what());
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    throw_usage_error(interface, error);
  }
  refuse_empty_names(app);
  return interface.action();
}

// What was printed may not have reached its file. A reader that has gone (`| head`) wants no more,
// and no message either.
int checked_output(int code) {
  flush_output();
  const int trouble = output_trouble();
  if (trouble == 0) return code;
  if (trouble != EPIPE) {
    print_error(fmt::format("standard output could not be written: {}", std::strerror(trouble)),
                "make room on the disk, or print elsewhere");
  }
  return code == exit_ok ? exit_failed : code;
}

int act(std::vector<std::string> arguments) {
  try {
    Interface interface;
    build(interface);
    return parse_and_act(interface, std::move(arguments));
  } catch (const core::InputError& error) {
    print(error.diagnostics());
    return exit_wrong_input;
  } catch (const core::RunError& error) {
    print_error(error.what(), error.remedy());
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(
        fmt::format("'{}' cannot be used: {}", error.path1().string(), error.code().message()),
        "check the path, its folders and the disk");
  } catch (const std::bad_alloc&) {
    print_error("there is not enough memory", "try a smaller model, or record fewer --channels");
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()),
                "this is a mistake of the program; please report it with the model");
  }
  return exit_failed;
}

}  // namespace

int run_application(std::vector<std::string> arguments) {
  // A file that may not grow (ulimit -f) is an error of writing like a full disk, and so is a pipe
  // that nobody reads.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return checked_output(act(std::move(arguments)));
  } catch (const std::exception&) {
    // Not even a message could be made.
    put_message("trammel: error: there is not enough memory\n");
    return exit_failed;
  }
}

}  // namespace trammel::cli
