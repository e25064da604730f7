#include "interruption.h"

#include <csignal>

namespace trammel::cli {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
std::atomic<bool> interrupted{false};

extern "C" void request_stop(int /*signal*/) {
  interrupted.store(true);
}

void catch_once(int signal) {
  struct sigaction present {};
  // A signal that the parent told us to ignore (nohup) stays ignored.
  if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = request_stop;
  // One signal restores the default action, so that the next one ends the program.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& catch_interruptions() {
  catch_once(SIGINT);
  catch_once(SIGTERM);
  catch_once(SIGHUP);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return interrupted;
}

}  // namespace trammel::cli
