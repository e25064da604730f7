// Nodes that are carried by others, on the way from a description into a mechanism and into motion.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/model/mechanism.h"

namespace trammel::model {

/// What stands on these nodes and amplitudes.
template <class S>
Footing footing_on(const std::vector<int>& nodes,
                   std::vector<Footing::Amplitudes> amplitudes,
                   const Mechanism<S>& mechanism);

/// Null when there are none of that name.
template <class S>
const Footing::Amplitudes* find_amplitudes(const Mechanism<S>& mechanism, std::string_view name) {
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    if (set.name == name) return &set.places;
  }
  return nullptr;
}

/// Gives carried nodes their places behind all freedoms of the system, and their footings.
template <class S>
void place_carried_nodes(const Description& description, Mechanism<S>& mechanism);

/// Adds elements that the description places on bodies and amplitudes.
template <class S>
void place_elements(const Description& description, Mechanism<S>& mechanism);

/// Puts carried nodes where the others carry them, with their velocities.
template <class S>
void carry_nodes(const Mechanism<S>& mechanism,
                 const system::State& state,
                 std::vector<typename S::Kinematics>& kinematics);

}  // namespace trammel::model
