// What the positions of a rigid system are measured with (system/position_measure.h).
#include <algorithm>

#include "trammel/model/rigid_system.h"

namespace trammel::model {

using system::Vector;

template <class S>
bool RigidSystem<S>::turns(int component) const {
  const std::vector<NodePlace>& places = mechanism_->places;
  const auto after =
      std::upper_bound(places.begin(), places.end(), component,
                       [](int value, const NodePlace& place) { return value < place.v; });
  return after != places.begin() && component >= std::prev(after)->v + S::dimension;
}

// A body's joints are within the model's size of it, or of what it is joined to.
template <class S>
void RigidSystem<S>::magnitudes(const system::State& state, Vector& m) {
  m.setOnes(mechanism_->sizes.v);
  for (const NodePlace& place : mechanism_->places) {
    const double distance =
        state.q.template segment<S::dimension>(place.q).template lpNorm<Eigen::Infinity>();
    m.template segment<S::dimension>(place.v).setConstant(distance + mechanism_->size);
  }
}

template bool RigidSystem<Planar>::turns(int) const;
template bool RigidSystem<Spatial>::turns(int) const;
template void RigidSystem<Planar>::magnitudes(const system::State&, Vector&);
template void RigidSystem<Spatial>::magnitudes(const system::State&, Vector&);

}  // namespace trammel::model
