#include "trammel/integrators/integrator.h"

#include "trammel/core/large_pages.h"

namespace trammel::integrators {

std::string to_string(Failure failure) {
  switch (failure) {
    case Failure::none:
      return "none";
    case Failure::diverged:
      return "Newton's iteration diverged";
    case Failure::slow:
      return "Newton's iteration did not converge";
    case Failure::not_finite:
      return "a number became infinite or undefined";
    case Failure::singular:
      return "the tangent matrix is singular";
    case Failure::unresolved:
      return "a body turned by more than half a revolution in one step";
    case Failure::projection:
      return "the result of a step could not be projected onto the constraints";
    case Failure::tolerance:
      return "the error stays above its tolerance, however small the step";
    case Failure::events:
      return "unilateral constraints opened and closed without end in one step";
  }
  return "";
}

void Integrator::settle_memory() const {
  constexpr std::size_t large = std::size_t{1} << 24U;  // bytes
  if (memory_bytes() >= large) core::move_to_large_pages();
}

}  // namespace trammel::integrators
