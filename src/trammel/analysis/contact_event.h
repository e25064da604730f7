// What happened to unilateral constraints during a run.
#pragma once

#include <string>

namespace trammel::analysis {

struct ContactEvent {
  double time = 0.0;         ///< s
  std::string name;          ///< of the joint or coupling
  std::string what;          ///< "opens" or "closes"
  double energy_lost = 0.0;  ///< in the impact, J
};

/// "t = 0.125 s: 'contact' closes, 0.31 J lost".
std::string to_string(const ContactEvent& event);

}  // namespace trammel::analysis
