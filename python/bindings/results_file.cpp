#include "results_file.h"

namespace trammel::python {

std::mutex& results_file_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace trammel::python
