#include "trammel/model/frames/carried_nodes.h"

#include <algorithm>
#include <unordered_map>

namespace trammel::model {

template <class S>
Footing footing_on(const std::vector<int>& nodes,
                   std::vector<Footing::Amplitudes> amplitudes,
                   const Mechanism<S>& mechanism) {
  Footing footing{.nodes = nodes, .amplitudes = std::move(amplitudes)};
  for (const int number : nodes) {
    const Node<S>& node = mechanism.nodes[static_cast<std::size_t>(number)];
    for (int k = 0; k < S::freedoms; ++k) {
      footing.places.push_back(k < node.freedoms ? node.v + k : -1);
    }
  }
  for (const Footing::Amplitudes& set : footing.amplitudes) {
    for (int k = 0; k < set.count; ++k) footing.places.push_back(set.v + k);
  }
  return footing;
}

template <class S>
void carry_nodes(const Mechanism<S>& mechanism,
                 const system::State& state,
                 std::vector<typename S::Kinematics>& kinematics) {
  for (const CarriedNode<S>& carried : mechanism.carried) {
    const FootingMotion<S> on{carried.footing, kinematics, state.q, state.v, state.t};
    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(S::freedoms, carried.footing.size());
    Eigen::VectorXd v(carried.footing.size());
    typename S::Kinematics& k = kinematics[static_cast<std::size_t>(carried.node)];
    carried.frame->pose(on, k);
    carried.frame->map(on, P);
    on.velocities(v);
    set_twist(P * v, k);
  }
}

namespace {

/// Footings by the names of bodies and amplitudes.
template <class S>
class FootingFinder {
 public:
  explicit FootingFinder(const Mechanism<S>& mechanism) : mechanism_(mechanism) {
    for (const Node<S>& node : mechanism.nodes) {
      number_of_.emplace(node.name, static_cast<int>(number_of_.size()));
    }
    for (const NamedAmplitudes& set : mechanism.amplitudes) {
      amplitudes_of_.emplace(set.name, set.places);
    }
  }

  /// Of a carrier or a placed element.
  template <class Standing>
  Footing of(const Standing& standing) const {
    std::vector<int> nodes;
    for (const std::string& name : standing.bodies) nodes.push_back(number_of_.at(name));
    std::vector<Footing::Amplitudes> amplitudes;
    for (const std::string& name : standing.amplitudes) {
      amplitudes.push_back(amplitudes_of_.at(name));
    }
    return footing_on(nodes, std::move(amplitudes), mechanism_);
  }

 private:
  const Mechanism<S>& mechanism_;
  std::unordered_map<std::string_view, int> number_of_;
  std::unordered_map<std::string_view, Footing::Amplitudes> amplitudes_of_;
};

}  // namespace

template <class S>
void place_carried_nodes(const Description& description, Mechanism<S>& mechanism) {
  mechanism.assembled_velocities = mechanism.sizes.v;
  for (Node<S>& node : mechanism.nodes) {
    if (!node.is_carried()) continue;
    node.v = mechanism.assembled_velocities;
    mechanism.assembled_velocities += node.freedoms;
  }
  if (mechanism.assembled_velocities == mechanism.sizes.v) return;
  const FootingFinder<S> footing(mechanism);
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const std::optional<Carrier>& carrier = description.bodies[i].carrier;
    if (!carrier) continue;
    CarriedNode<S> carried{.node = static_cast<int>(i) + 1};
    if constexpr (S::space == Space::planar) {
      carried.frame = carrier->planar;
    } else {
      carried.frame = carrier->spatial;
    }
    carried.footing = footing.of(*carrier);
    mechanism.carried.push_back(std::move(carried));
  }
}

template <class S>
void place_elements(const Description& description, Mechanism<S>& mechanism) {
  if (description.elements.empty()) return;
  const FootingFinder<S> footing(mechanism);
  for (const PlacedElement& element : description.elements) {
    NamedElement<S> named{.name = element.name};
    if constexpr (S::space == Space::planar) {
      named.element = element.planar;
    } else {
      named.element = element.spatial;
    }
    named.footing = footing.of(element);
    named.channels = named.element->quantities().size();
    named.direct =
        !mechanism.carried.empty() &&
        std::none_of(named.footing.nodes.begin(), named.footing.nodes.end(), [&](int node) {
          return mechanism.nodes[static_cast<std::size_t>(node)].is_carried();
        });
    mechanism.elements.push_back(std::move(named));
  }
}

template Footing footing_on(const std::vector<int>&,
                            std::vector<Footing::Amplitudes>,
                            const Mechanism<Planar>&);
template Footing footing_on(const std::vector<int>&,
                            std::vector<Footing::Amplitudes>,
                            const Mechanism<Spatial>&);
template void carry_nodes(const Mechanism<Planar>&,
                          const system::State&,
                          std::vector<Planar::Kinematics>&);
template void carry_nodes(const Mechanism<Spatial>&,
                          const system::State&,
                          std::vector<Spatial::Kinematics>&);
template void place_carried_nodes(const Description&, Mechanism<Planar>&);
template void place_carried_nodes(const Description&, Mechanism<Spatial>&);
template void place_elements(const Description&, Mechanism<Planar>&);
template void place_elements(const Description&, Mechanism<Spatial>&);

}  // namespace trammel::model
