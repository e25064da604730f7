#include "interruption.h"

#include <array>
#include <csignal>

namespace trammel::cli {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");
std::atomic<bool> interrupted{false};

extern "C" void request_stop(int /*signal*/) {
  interrupted.store(true);
}

constexpr std::array<int, 3> stop_signals{SIGINT, SIGTERM, SIGHUP};

// A signal that the parent told us to ignore (nohup) stays ignored.
bool is_ignored(int signal) {
  struct sigaction present {};
  return sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

void set_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  interrupted.store(false);
  // One signal restores the default action, so that the next one ends the program.
  constexpr int once = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int signal : stop_signals) {
    if (!is_ignored(signal)) set_handler(signal, request_stop, once);
  }
}

Interruption::~Interruption() {
  for (const int signal : stop_signals) {
    if (!is_ignored(signal)) set_handler(signal, SIG_DFL, 0);
  }
}

const std::atomic<bool>& Interruption::requested() const {
  return interrupted;
}

}  // namespace trammel::cli
