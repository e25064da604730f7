// What happened to unilateral constraints and frictions during a run.
#pragma once

#include <string>

namespace trammel::analysis {

struct ContactEvent {
  double time = 0.0;         ///< s
  std::string name;          ///< of the joint, coupling or friction
  std::string what;          ///< "opens" or "closes"; "sticks", "slides" or "reverses"
  double energy_lost = 0.0;  ///< in the impact, J
};

/// "t = 0.125 s: 'contact' closes, 0.31 J lost".
std::string to_string(const ContactEvent& event);

}  // namespace trammel::analysis
