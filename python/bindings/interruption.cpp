#include "interruption.h"

namespace trammel::python {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

// A signal handler can reach nothing but these.
std::atomic<std::atomic<bool>*> flag_to_set{nullptr};
struct sigaction before {};

extern "C" void trammel_interrupted(int signal) {
  if (std::atomic<bool>* flag = flag_to_set.load()) flag->store(true);
  before.sa_handler(signal);
}

}  // namespace

Interruption::Interruption(std::atomic<bool>& flag) {
  struct sigaction present {};
  if (sigaction(SIGINT, nullptr, &present) != 0) return;
  const bool plain = (present.sa_flags & SA_SIGINFO) == 0;
  if (!plain || present.sa_handler == SIG_IGN || present.sa_handler == SIG_DFL) return;
  if (present.sa_handler == trammel_interrupted) return;  // a run inside a callback of a run
  before = present;
  flag_to_set = &flag;
  struct sigaction action = present;
  action.sa_handler = trammel_interrupted;
  installed_ = sigaction(SIGINT, &action, nullptr) == 0;
}

Interruption::~Interruption() {
  if (!installed_) return;
  sigaction(SIGINT, &before, nullptr);
  flag_to_set = nullptr;
}

}  // namespace trammel::python
