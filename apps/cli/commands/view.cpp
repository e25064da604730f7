// trammel view: results in the browser, live while the run goes on.
#include "commands/commands.h"
#include "interruption.h"
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
  int port = 0;
  bool browser = false;
};

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

int run_view(const ViewOptions& options) {
  if (report::viewer_bundle().empty()) {
    throw core::InputError("this program was built without the viewer",
                           "install Node.js and npm, then run ./dev build in Trammel's folder");
  }
  // Mistakes now, not in the browser.
  for (const std::string& path : options.results) results::inspect(path);
  const std::atomic<bool>& stop = catch_stop_signals();
  report::ViewServer server(
      {options.results.begin(), options.results.end()},
      [](const std::filesystem::path& path, std::size_t budget) {
        return read_with_scene(path, nullptr, budget);
      },
      options.port);
  print_output("open {} in a browser; Ctrl-C ends the server\n", server.address());
  flush_output();
  if (options.browser && !open_browser(server.address())) {
    print_warning("no browser could be opened", "open the address above yourself");
  }
  server.serve(stop);
  return exit_ok;
}

}  // namespace

void add_view(Interface& interface) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = add_command(
      interface, "Look at results", "view",
      "Show results in the browser: animation, plots and all numbers.\n"
      "A run that goes on is followed live. Several runs are overlaid. Only this machine can see "
      "them.",
      "trammel view pendulum.h5\n"
      "trammel view coarse.h5 fine.h5 --browser   # two runs, compared");
  CLI::Option* file =
      command->add_option("RESULTS", options->results, "results files (.h5 or .csv)");
  file->required();
  interface.completions[file] = results_files();
  command->add_option("-p,--port", options->port, "port to listen on (default: any that is free)")
      ->type_name("NUMBER")
      ->check(CLI::Range(0, 65535));
  command->add_flag("-b,--browser", options->browser, "open the browser");
  set_action(interface, command, options, run_view);
}

}  // namespace trammel::cli
