// trammel view: results in the browser, live while the run goes on; or a model that runs there.
#include <algorithm>
#include <filesystem>

#include "commands/commands.h"
#include "interruption.h"
#include "live_run.h"
#include "messages.h"
#include "printing.h"
#include "report_argument.h"
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "trammel/report/view_server.h"
#include "trammel/report/viewer_bundle.h"
#include "trammel/results/reader.h"

extern char** environ;

namespace trammel::cli {
namespace {

struct ViewOptions {
  std::vector<std::string> results;
  std::vector<std::string> assignments;
  bool allow_outside = false;
  int port = 0;
  bool browser = false;
};

bool is_model(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

/// Lets the desktop open the address; false when there is no desktop.
bool open_browser(const std::string& address) {
  std::string program = "xdg-open";
  std::string argument = address;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (::posix_spawnp(&process, program.c_str(), nullptr, nullptr, words, environ) != 0)
    return false;
  int status = 0;
  return ::waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int serve(report::ViewServer& server, bool browser) {
  const std::atomic<bool>& stop = catch_stop_signals();
  print_output("open {} in a browser; Ctrl-C ends the server\n", server.address());
  flush_output();
  if (browser && !open_browser(server.address())) {
    print_warning("no browser could be opened", "open the address above yourself");
  }
  server.serve(stop);
  return exit_ok;
}

int run_view(const ViewOptions& options) {
  if (report::viewer_bundle().empty()) {
    throw core::InputError("this program was built without the viewer",
                           "install Node.js and npm, then run ./dev build in Trammel's folder");
  }
  // Mistakes now, not in the browser.
  if (std::any_of(options.results.begin(), options.results.end(), is_model)) {
    if (options.results.size() > 1) {
      throw core::InputError("a model is shown by itself", "name one model, or results files only");
    }
    report::ViewServer server(std::make_unique<LiveRun>(options.results.front(),
                                                        options.assignments, options.allow_outside),
                              options.port);
    return serve(server, options.browser);
  }
  if (!options.assignments.empty()) {
    throw core::InputError("--set changes models, and these are results", "leave it out");
  }
  for (const std::string& path : options.results) results::inspect(path);
  report::ViewServer server(
      {options.results.begin(), options.results.end()},
      [](const std::filesystem::path& path, std::size_t budget) {
        return read_with_scene(path, nullptr, budget);
      },
      options.port);
  return serve(server, options.browser);
}

}  // namespace

void add_view(Interface& interface) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "view",
      "Show results in the browser: animation, plots and all numbers.\n"
      "A run that goes on is followed live. Several runs are overlaid. A model runs while one "
      "looks "
      "at it: sliders change its parameters, bodies can be dragged, and it starts again when its "
      "file is saved. Only this machine can see them.",
      "trammel view pendulum.h5\n"
      "trammel view pendulum.yaml                 # runs it, with sliders\n"
      "trammel view coarse.h5 fine.h5 --browser   # two runs, compared");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results files (.h5 or .csv), or one model");
  file->required();
  interface.completions[file] = results_files();
  command->add_option("-p,--port", options->port, "port to listen on (default: any that is free)")
      ->type_name("NUMBER")
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("-s,--set", options->assignments,
                   "of a model: set a parameter or any value of the file; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--allow-outside", options->allow_outside,
                    "of a model: let it read files that are not below its folder");
  command->add_flag("-b,--browser", options->browser, "open the browser");
  set_action(interface, command, options, run_view);
}

}  // namespace trammel::cli
