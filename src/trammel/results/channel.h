// One recorded quantity: what a column of results means.
#pragma once

#include <string>

namespace trammel::results {

/// Names are dotted, most general part first: "crank.position.x", "pin.reaction.force.y",
/// "energy.kinetic". The naming conventions are listed in docs/results.md.
struct Channel {
  std::string name;
  std::string unit;   ///< SI, e.g. "m", "rad/s", "N m"; empty for a number without dimension
  std::string frame;  ///< in which a component is expressed: "world", "joint", "body" or empty
  std::string description;

  bool operator==(const Channel&) const = default;
};

}  // namespace trammel::results
