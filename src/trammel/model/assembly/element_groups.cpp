#include "trammel/model/assembly/element_groups.h"

#include <algorithm>

namespace trammel::model {
namespace {

template <class S>
Division divided(const Mechanism<S>& mechanism, const std::vector<const ElementGroup<S>*>& groups) {
  std::vector<int> velocities;  // first of each node that moves, then their number
  // Carried nodes stand on others anywhere, and theirs come behind all: one chunk.
  if (mechanism.carried.empty()) {
    for (std::size_t i = 1; i < mechanism.nodes.size(); ++i) {
      velocities.push_back(mechanism.nodes[i].v);
    }
  } else {
    velocities.push_back(0);
  }
  velocities.push_back(mechanism.assembled_velocities);
  Division division(velocities);
  for (const ElementGroup<S>* group : groups) {
    division.add_group(group->size(), [&](std::size_t element) { return group->nodes(element); });
  }
  return division;
}

}  // namespace

template <class S>
ElementGroups<S>::ElementGroups(std::shared_ptr<const Mechanism<S>> shared_mechanism)
    : mechanism(std::move(shared_mechanism)),
      inertia(*mechanism),
      joints(*mechanism),
      forces(*mechanism),
      couplings(*mechanism),
      laws(*mechanism),
      elements(*mechanism),
      connections(*mechanism),
      frictions(*mechanism, joints),
      all{&inertia, &joints, &forces, &couplings, &laws, &elements, &connections, &frictions},
      division(divided(*mechanism, all)),
      condensed(mechanism->carried.empty()
                    ? nullptr
                    : std::make_shared<const CondensedPattern<S>>(*mechanism)) {}

template struct ElementGroups<Planar>;
template struct ElementGroups<Spatial>;

}  // namespace trammel::model
