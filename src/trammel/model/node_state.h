// Poses and velocities of nodes from the coordinates and velocities of a system.
#pragma once

#include <cmath>

#include "trammel/model/frames/carried_nodes.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

inline void read_position(const system::Vector& q,
                          const Node<Planar>& node,
                          Planar::Kinematics& k) {
  k.p = q.segment<2>(node.q);
  if (node.freedoms < Planar::freedoms) return;
  k.angle = q[node.q + 2];
  const double c = std::cos(k.angle);
  const double s = std::sin(k.angle);
  k.R << c, -s, s, c;
}

inline void read_position(const system::Vector& q,
                          const Node<Spatial>& node,
                          Spatial::Kinematics& k) {
  k.p = q.segment<3>(node.q);
  if (node.freedoms < Spatial::freedoms) return;
  const double* e = q.data() + node.q + 3;
  k.R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
}

inline void read_velocity(const system::Vector& v,
                          const Node<Planar>& node,
                          Planar::Kinematics& k) {
  k.v = v.segment<2>(node.v);
  if (node.freedoms == Planar::freedoms) k.w = v[node.v + 2];
}

inline void read_velocity(const system::Vector& v,
                          const Node<Spatial>& node,
                          Spatial::Kinematics& k) {
  k.v = v.segment<3>(node.v);
  if (node.freedoms == Spatial::freedoms) k.w = v.segment<3>(node.v + 3);
}

template <class S>
void read_state(const system::State& state, const Node<S>& node, typename S::Kinematics& k) {
  if (node.is_carried()) return;  // see carry_nodes()
  read_position(state.q, node, k);
  read_velocity(state.v, node, k);
}

/// Of all nodes, carried ones among them; internal ones are left where nothing is known of them.
template <class S>
std::vector<typename S::Kinematics> kinematics_at(const Mechanism<S>& mechanism,
                                                  const system::State& state) {
  std::vector<typename S::Kinematics> nodes(mechanism.nodes.size() +
                                            mechanism.internal_nodes.size());
  for (std::size_t i = 1; i < mechanism.nodes.size(); ++i) {
    read_state(state, mechanism.nodes[i], nodes[i]);
  }
  carry_nodes(mechanism, state, nodes);
  return nodes;
}

}  // namespace trammel::model
