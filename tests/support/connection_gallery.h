// Kinematic connections of the source and of the literature, and random chains of joints, each with
// the joint of the catalogue that does the same where there is one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description.h"

namespace trammel::support {

/// Two bodies: "base" turns on the ground, "bob" is held by the connection "link".
struct ConnectionCase {
  std::string name;
  model::Description description;
  std::string kind;   ///< of the catalogue; empty: none
  int freedoms = 0;   ///< that it leaves
  bool hinge = true;  ///< whether it has as many independent coordinates
  int redundant = 0;  ///< rows that say nothing new
  std::optional<model::Description> catalogue = {};  ///< the same by one joint, called "link"
};

/// Ten of the source and the literature, and some more.
std::vector<ConnectionCase> known_connections();
/// Ten chains of two or three joints, from a fixed seed.
std::vector<ConnectionCase> random_chains();
/// All of them.
std::vector<ConnectionCase> connection_gallery();

}  // namespace trammel::support
