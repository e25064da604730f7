#include "trammel/analysis/start.h"

#include <fmt/format.h>

#include "trammel/analysis/statics.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

std::string told(const StaticsReport& rest, bool moving) {
  return fmt::format("starts in {}, {} m or rad at most from where it is described{}",
                     moving ? "the steady state of its drives" : "equilibrium",
                     fmt::format("{:.3g}", rest.moved),
                     rest.stability.verdict == Stability::unstable  ? "; it is unstable"
                     : rest.stability.verdict == Stability::neutral ? "; it is neutral"
                                                                    : "");
}

}  // namespace

Assembly start_of(model::ModelSystem& system, Start start, std::vector<std::string>& notes) {
  if (start == Start::described) return assemble(system);
  StaticsReport rest;
  try {
    rest = statics(system, {.steady = true});
  } catch (const core::RunError& error) {
    throw core::RunError(fmt::format("start: equilibrium: {}", error.what()),
                         "or leave 'start' out to begin as described");
  }
  Assembly assembly = rest.assembly;
  system::Motion& motion = assembly.motion;
  motion.state = rest.motion.state;
  system.accept(motion.state);
  constraint_handling::ConsistentStart(system).accelerations(motion.state, motion.a, motion.lambda);
  notes.push_back(told(rest, !motion.state.v.isZero(0.0)));
  return assembly;
}

Assembly start_of(model::ModelSystem& system, Start start) {
  std::vector<std::string> notes;
  return start_of(system, start, notes);
}

}  // namespace trammel::analysis
