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
      return "the step is too long for the motion: a body turned by more than half a revolution, "
             "or "
             "moved otherwise than the steps before foretold";
    case Failure::projection:
      return "the result of a step could not be projected onto the constraints";
    case Failure::tolerance:
      return "the error stays above its tolerance, however small the step";
    case Failure::jump:
      return "a prescribed position jumps, which no motion can follow";
    case Failure::events:
      return "unilateral constraints opened and closed without end in one step";
    case Failure::unstable:
      return "the step is above the stability limit of the method";
    case Failure::round_off:
      return "corrections of positions are lost in the round-off of large coordinates, which "
             "smaller "
             "steps do not mend";
    case Failure::no_successor:
      return "no motion goes on from an event";
    case Failure::partition:
      return "dependent coordinates could not be found from the independent ones: the step is too "
             "long, or the position is singular";
  }
  return "";
}

bool Integrator::settle_memory() {
  constexpr std::size_t large = std::size_t{1} << 24U;  // bytes
  const std::size_t bytes = memory_bytes();
  // Counts of memory grow a little with the first factors: only another size is worth a walk.
  if (bytes < large || bytes < 2 * settled_) return false;
  settled_ = bytes;
  core::move_to_large_pages();
  return true;
}

}  // namespace trammel::integrators
