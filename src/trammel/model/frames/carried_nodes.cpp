#include "trammel/model/frames/carried_nodes.h"

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

template <class S>
void place_carried_nodes(const Description& description, Mechanism<S>& mechanism) {
  mechanism.assembled_velocities = mechanism.sizes.v;
  for (Node<S>& node : mechanism.nodes) {
    if (!node.is_carried()) continue;
    node.v = mechanism.assembled_velocities;
    mechanism.assembled_velocities += node.freedoms;
  }
  std::unordered_map<std::string_view, int> number_of;
  std::unordered_map<std::string_view, const Footing::Amplitudes*> amplitudes_of;
  for (const Node<S>& node : mechanism.nodes) {
    number_of.emplace(node.name, static_cast<int>(number_of.size()));
  }
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    amplitudes_of.emplace(set.name, &set.places);
  }
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const std::optional<Carrier>& carrier = description.bodies[i].carrier;
    if (!carrier) continue;
    std::vector<int> nodes;
    for (const std::string& name : carrier->bodies) nodes.push_back(number_of.at(name));
    std::vector<Footing::Amplitudes> amplitudes;
    for (const std::string& name : carrier->amplitudes) {
      amplitudes.push_back(*amplitudes_of.at(name));
    }
    CarriedNode<S> carried{.node = static_cast<int>(i) + 1};
    if constexpr (S::space == Space::planar) {
      carried.frame = carrier->planar;
    } else {
      carried.frame = carrier->spatial;
    }
    carried.footing = footing_on(nodes, std::move(amplitudes), mechanism);
    mechanism.carried.push_back(std::move(carried));
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

}  // namespace trammel::model
