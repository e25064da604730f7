#include "trammel/model/frame_observables.h"

#include <algorithm>

namespace trammel::model {
namespace {

// Euler parameters from those of the bodies, whose sign goes with the motion. Internal and carried
// nodes have only a rotation matrix.
Eigen::Quaterniond orientation(const Mechanism<Spatial>& mechanism,
                               const NodeFrame<Spatial>& frame,
                               const Place<Spatial>& place,
                               const system::Vector& q) {
  const Eigen::Quaterniond axes(frame.axes);
  const auto number = static_cast<std::size_t>(frame.node);
  const bool is_node = number < mechanism.nodes.size();
  if (is_node && mechanism.nodes[number].freedoms == Spatial::freedoms &&
      !mechanism.nodes[number].is_carried()) {
    const double* e = q.data() + mechanism.nodes[number].q + 3;
    return Eigen::Quaterniond(e[0], e[1], e[2], e[3]) * axes;
  }
  return Eigen::Quaterniond(place.at(frame.node).R) * axes;
}

}  // namespace

void add_components(std::vector<Quantity>& list,
                    const std::string& name,
                    int count,
                    const std::string& unit,
                    const std::string& frame,
                    const std::string& description) {
  static const char* const axes[] = {".x", ".y", ".z"};
  for (int i = 0; i < count; ++i) list.push_back({name + axes[i], unit, frame, description});
}

void add_rotations(std::vector<Quantity>& list, const std::string& body, const Planar&) {
  list.push_back({body + ".angle", "rad", "world", "angle about z"});
  list.push_back({body + ".angular_velocity", "rad/s", "world", "angular velocity about z"});
  list.push_back({body + ".angular_acceleration", "rad/s^2", "world", "angular acceleration"});
}

void add_rotations(std::vector<Quantity>& list, const std::string& body, const Spatial&) {
  for (int i = 0; i < 4; ++i) {
    list.push_back({body + ".orientation.e" + std::to_string(i), "", "world",
                    "Euler parameter, body to world"});
  }
  add_components(list, body + ".angular_velocity", 3, "rad/s", "body", "angular velocity");
  add_components(list, body + ".angular_acceleration", 3, "rad/s^2", "body",
                 "angular acceleration");
}

template <class S>
bool has_acceleration(const Mechanism<S>& mechanism, const Measure<S>& measure) {
  return static_cast<std::size_t>(std::max(measure.node_a, measure.node_b)) <
         mechanism.nodes.size();
}

template <class S>
double second_rate(const Mechanism<S>& mechanism,
                   const Measure<S>& measure,
                   const Place<S>& place,
                   const system::Vector& a) {
  const typename S::Kinematics& k_a = place.at(measure.node_a);
  const typename S::Kinematics& k_b = place.at(measure.node_b);
  PairVector<S> J;
  PairMatrix<S> H;
  measure.direction->jacobian(k_a, k_b, J);
  measure.direction->derivative(k_a, k_b, H);
  PairVector<S> rates = PairVector<S>::Zero();
  for (const int end : {0, 1}) {
    const int number = end == 0 ? measure.node_a : measure.node_b;
    const Node<S>& body = mechanism.nodes[static_cast<std::size_t>(number)];
    rates.segment(end * S::freedoms, body.freedoms) = a.segment(body.v, body.freedoms);
  }
  const PairVector<S> v = pair_velocity<S>(k_a, k_b);
  return J.dot(rates) + v.dot(H * v);
}

template <class S>
void add_frame_quantities(const Mechanism<S>& mechanism,
                          const NamedFrame<S>& sensor,
                          std::vector<Quantity>& list) {
  constexpr int dimension = S::dimension;
  const std::string& name = sensor.name;
  const std::string& axes = sensor.first;
  const bool accelerates = has_acceleration(mechanism, sensor.places.front());
  add_components(list, name + ".position", dimension, "m", axes, "of the frame's origin");
  add_components(list, name + ".velocity", dimension, "m/s", axes, "of the origin");
  if (accelerates) {
    add_components(list, name + ".acceleration", dimension, "m/s^2", axes, "of the origin");
  }
  std::vector<Quantity> turns;
  add_rotations(turns, name, S{});
  for (Quantity& quantity : turns) {
    const bool last = quantity.name.find(".angular_acceleration") != std::string::npos;
    if (last && !accelerates) continue;
    quantity.frame = quantity.frame == "body" ? "frame" : axes;
    if (quantity.unit.empty()) quantity.description = "Euler parameter, frame to " + axes;
    list.push_back(std::move(quantity));
  }
}

template <class S>
void observe_frame(const Mechanism<S>& mechanism,
                   const NamedFrame<S>& sensor,
                   const Place<S>& place,
                   const system::Vector& q,
                   const system::Vector& a,
                   double*& out) {
  const bool accelerates = has_acceleration(mechanism, sensor.places.front());
  const auto observe_rates = [&](const std::vector<Measure<S>>& measures) {
    for (const Measure<S>& measure : measures) {
      write(out, measure.direction->rate(place.at(measure.node_a), place.at(measure.node_b)));
    }
    if (!accelerates) return;
    for (const Measure<S>& measure : measures) {
      write(out, second_rate(mechanism, measure, place, a));
    }
  };
  for (const Measure<S>& measure : sensor.places) write(out, measured(measure, place));
  observe_rates(sensor.places);
  if constexpr (S::space == Space::planar) {
    write(out, measured(sensor.turns.front(), place));
  } else {
    const Eigen::Quaterniond e = orientation(mechanism, sensor.a, place, q).conjugate() *
                                 orientation(mechanism, sensor.b, place, q);
    write(out, e.w());
    write<3>(out, e.vec());
  }
  observe_rates(sensor.turns);
}

template bool has_acceleration(const Mechanism<Planar>&, const Measure<Planar>&);
template double second_rate(const Mechanism<Planar>&,
                            const Measure<Planar>&,
                            const Place<Planar>&,
                            const system::Vector&);
template void add_frame_quantities(const Mechanism<Planar>&,
                                   const NamedFrame<Planar>&,
                                   std::vector<Quantity>&);
template void observe_frame(const Mechanism<Planar>&,
                            const NamedFrame<Planar>&,
                            const Place<Planar>&,
                            const system::Vector&,
                            const system::Vector&,
                            double*&);
template bool has_acceleration(const Mechanism<Spatial>&, const Measure<Spatial>&);
template double second_rate(const Mechanism<Spatial>&,
                            const Measure<Spatial>&,
                            const Place<Spatial>&,
                            const system::Vector&);
template void add_frame_quantities(const Mechanism<Spatial>&,
                                   const NamedFrame<Spatial>&,
                                   std::vector<Quantity>&);
template void observe_frame(const Mechanism<Spatial>&,
                            const NamedFrame<Spatial>&,
                            const Place<Spatial>&,
                            const system::Vector&,
                            const system::Vector&,
                            double*&);

}  // namespace trammel::model
