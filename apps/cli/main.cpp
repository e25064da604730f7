#include "application.h"
#include <fcntl.h>
#include <unistd.h>

namespace {

/// A stream that was closed by whoever started the program ("2>&-") leaves its number to the next
/// file that is opened, and messages would be written into that: all three are opened first.
bool open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free, which is this one.
    if (::open("/dev/null", O_RDWR) != stream) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!open_standard_streams()) return 1;
  return trammel::cli::run_application({argv + 1, argv + argc});
}
