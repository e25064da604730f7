#include "interruption.h"

#include <csignal>

namespace trammel::cli {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
std::atomic<bool> stop_requested{false};

extern "C" void request_stop(int signal) {
  if (!stop_requested.exchange(true)) return;
  // The second one: the default action, as soon as this returns.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A signal that the parent told us to ignore (nohup) stays ignored.
bool is_ignored(int signal) {
  struct sigaction present {};
  return sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

}  // namespace

const std::atomic<bool>& catch_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (is_ignored(signal)) continue;
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
  return stop_requested;
}

}  // namespace trammel::cli
