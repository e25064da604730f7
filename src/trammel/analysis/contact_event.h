// What happened to unilateral constraints, frictions and drives during a run.
#pragma once

#include <string>

namespace trammel::analysis {

struct ContactEvent {
  double time = 0.0;  ///< s
  std::string name;   ///< of the joint, coupling, friction or drive
  std::string what;   ///< "opens" or "closes"; "sticks", "slides" or "reverses"; "strikes: ..."
  double energy_lost = 0.0;  ///< in the impact, J
};

/// "t = 0.125 s: 'contact' closes, 0.31 J lost".
std::string to_string(const ContactEvent& event);

}  // namespace trammel::analysis
