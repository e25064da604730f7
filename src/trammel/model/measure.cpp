#include "trammel/model/measure.h"

#include <algorithm>

#include "trammel/expression/branches.h"

namespace trammel::model {

template <class S>
double measured(const Measure<S>& measure, const Place<S>& place) {
  switch (measure.kind) {
    case Measure<S>::Kind::time:
      return place.t;
    case Measure<S>::Kind::rate:
      return measure.direction->rate(place.at(measure.node_a), place.at(measure.node_b));
    case Measure<S>::Kind::state:
      return place.z[measure.index];
    case Measure<S>::Kind::load:
      return place.lambda == nullptr ? 0.0 : measure.factor * (*place.lambda)[measure.index];
    case Measure<S>::Kind::unknown:
      return 0.0;
    case Measure<S>::Kind::branch:
      return place.branches == nullptr ? expression::let_go
                                       : (*place.branches)[static_cast<std::size_t>(measure.index)];
    case Measure<S>::Kind::position:
      break;
  }
  const double value =
      measure.coordinate->value(place.at(measure.node_a), place.at(measure.node_b));
  if (measure.index < 0) return value;
  return nearest_turn(value, place.tracked[static_cast<std::size_t>(measure.index)]);
}

template double measured(const Measure<Planar>&, const Place<Planar>&);
template double measured(const Measure<Spatial>&, const Place<Spatial>&);

void LocalNodes::add(int node) {
  if (node != 0 && slot(node) < 0) nodes_.push_back(node);
}

int LocalNodes::slot(int node) const {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  return found == nodes_.end() ? -1 : static_cast<int>(found - nodes_.begin());
}

}  // namespace trammel::model
