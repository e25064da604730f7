#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
void build_sensors(const Description& description,
                   const FrameFinder<S>& frames,
                   Mechanism<S>& mechanism) {
  for (const Item& item : description.sensors) {
    const SensorKind* kind = find_sensor_kind(S::space, item.type);
    std::shared_ptr<const Coordinate<S>> coordinate;
    if (kind->attachments != 2) continue;
    const NodeFrame<S> a = frames(item.attachments[0]);
    const NodeFrame<S> b = frames(item.attachments[1]);
    if constexpr (S::space == Space::planar) {
      coordinate = kind->build_planar(item.values, a, b);
    } else {
      coordinate = kind->build_spatial(item.values, a, b);
    }
    Measure<S> measure{.kind = Measure<S>::Kind::position,
                       .node_a = a.node,
                       .node_b = b.node,
                       .direction = coordinate,
                       .coordinate = coordinate,
                       .dimension = kind->dimension};
    if (coordinate->wraps()) {
      measure.index = mechanism.joint_turns + static_cast<int>(mechanism.counted.size());
      mechanism.counted.push_back(measure);
    }
    mechanism.sensors.push_back({item.name, core::si_unit(kind->dimension), std::move(measure)});
  }
}

template void build_sensors<Planar>(const Description&,
                                    const FrameFinder<Planar>&,
                                    Mechanism<Planar>&);
template void build_sensors<Spatial>(const Description&,
                                     const FrameFinder<Spatial>&,
                                     Mechanism<Spatial>&);

}  // namespace trammel::model
