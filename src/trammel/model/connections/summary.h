// What became of the connections of a model, for people.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/connections/reduction.h"
#include "trammel/model/description.h"

namespace trammel::model {

struct ConnectionSummary {
  std::string name;
  int elements = 0;
  bool kinematic = false;
  KinematicReduction reduction;     ///< of kinematic ones
  std::vector<std::string> bodies;  ///< that it touches
  std::vector<std::string> nodes;   ///< internal ones
  int unknowns = 0;                 ///< freedoms of internal nodes that their equilibrium fixes
  std::vector<std::string> states;  ///< first-order states that its loads follow
};

/// In the order of the description. Throws InputError where a connection cannot be built.
std::vector<ConnectionSummary> connection_summaries(Description description);

/// What the kinematic connections of a checked description became, in its order: in a mechanism
/// they are the joints behind those of the description.
std::vector<KinematicReduction> kinematic_reductions(const Description& description);

}  // namespace trammel::model
