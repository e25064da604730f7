// On a terminal: colours and a progress bar; elsewhere and with NO_COLOR: plain text.
#include "command_line.h"
#include <gtest/gtest.h>
#include <pty.h>

namespace trammel::cli::testing {
namespace {

// Everything the program shows on a terminal of 90 columns. It is told to stop after
// `seconds`, when that is not zero.
std::string on_terminal(const std::vector<std::string>& arguments,
                        const char* no_color,
                        const Folder& folder,
                        unsigned seconds = 0) {
  int terminal = -1;
  winsize size{.ws_row = 24, .ws_col = 90, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    ::setenv("NO_COLOR", no_color, 1);
    std::vector<std::string> words{TRAMMEL_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (::chdir((folder / "").c_str()) != 0) ::_exit(126);
    ::execv(TRAMMEL_CLI, pointers.data());
    ::_exit(127);
  }
  if (seconds > 0) {
    ::sleep(seconds);
    const char interrupt = 3;  // Ctrl-C, as a person types it
    EXPECT_EQ(::write(terminal, &interrupt, 1), 1);
  }
  std::string shown;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  ::waitpid(child, nullptr, 0);
  ::close(terminal);
  return shown;
}

TEST(Terminal, ColoursOnlyThereAndNotWithNoColor) {
  const Folder folder;
  EXPECT_TRUE(contains(on_terminal({"--help"}, "", folder), "\033["));
  EXPECT_FALSE(contains(on_terminal({"--help"}, "1", folder), "\033["));
  EXPECT_FALSE(contains(folder.run({"--help"}).out, "\033["));
}

TEST(Terminal, LongRunShowsABarThatCtrlCEnds) {
  const Folder folder;
  folder.run({"new", "pendulum"});
  const std::string shown =
      on_terminal({"run", "pendulum.yaml", "--until", "1e7 s"}, "1", folder, 1);
  EXPECT_TRUE(contains(shown, "\r   0 % [-----")) << shown;
  EXPECT_TRUE(contains(shown, "of 1e+07 s")) << shown;
  EXPECT_TRUE(contains(shown, "stopped by the user at t = ")) << shown;
}

// A stall is told while it lasts, with the step, though no row of results is ever reached.
TEST(Terminal, BarMovesByWallTimeAndNamesStepsThatAreTooShort) {
  const Folder folder;
  folder.run({"new", "pendulum"});
  const std::string shown = on_terminal(
      {"run", "pendulum.yaml", "--until", "1e6 s", "--step", "2 us", "--output-step", "1e5 s"}, "1",
      folder, 1);
  EXPECT_TRUE(contains(shown, "of 1e+06 s, steps of 2e-06 s, ")) << shown;
}

}  // namespace
}  // namespace trammel::cli::testing
