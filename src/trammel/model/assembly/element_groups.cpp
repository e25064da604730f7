#include "trammel/model/assembly/element_groups.h"

#include <algorithm>

namespace trammel::model {
namespace {

template <class S>
Division divided(const Mechanism<S>& mechanism, const std::vector<const ElementGroup<S>*>& groups) {
  std::vector<int> velocities;  // first of each node that moves, then their number
  for (std::size_t i = 1; i < mechanism.nodes.size(); ++i) {
    velocities.push_back(mechanism.nodes[i].v);
  }
  velocities.push_back(mechanism.sizes.v);
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
      connections(*mechanism),
      frictions(*mechanism, joints),
      all{&inertia, &joints, &forces, &couplings, &laws, &connections, &frictions},
      division(divided(*mechanism, all)) {}

template struct ElementGroups<Planar>;
template struct ElementGroups<Spatial>;

}  // namespace trammel::model
