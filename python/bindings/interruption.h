// Ctrl-C during a computation that runs outside of the interpreter.
#pragma once

#include <atomic>
#include <csignal>

namespace trammel::python {

/// While it lives, SIGINT also sets a flag, besides what Python does on it. Python itself raises
/// KeyboardInterrupt when it gets control again. Only the main thread may make one.
class Interruption {
 public:
  explicit Interruption(std::atomic<bool>& flag);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  Interruption(Interruption&&) = delete;
  Interruption& operator=(Interruption&&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace trammel::python
