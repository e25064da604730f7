// Uses the installed headers and libraries as a downstream project does; exit code 0 when all is
// well.
#include <cstdio>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

int main() {
  if (trammel::core::nearest_name("revoulte", {"prismatic", "revolute"}) != "revolute") {
    std::puts("consumer: the nearest name to 'revoulte' is not 'revolute'");
    return 1;
  }
  trammel::core::Diagnostics diagnostics;
  diagnostics.error("joints.pin.axis", "axis has length 0", "give a direction, e.g. [0, 0, 1]");
  try {
    diagnostics.throw_if_errors();
  } catch (const trammel::core::InputError& error) {
    std::puts(error.what());
    return error.diagnostics().size() == 1 ? 0 : 1;
  }
  std::puts("consumer: an error was collected but not thrown");
  return 1;
}
