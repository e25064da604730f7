// The initial values of mechanisms as their descriptions give them: of body frames.
//
//     p_B = p + R l_B      v_B = v + R (w x l_B)       dp_B = [1  -R skew(l_B)] x
// with l_B the body frame's origin from the centre of mass, in body axes.
#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/assembly/mechanism_facts.h"
#include "trammel/model/node_state.h"

namespace trammel::model {
namespace {

using system::InitialValue;

// d(p_B)/dx of a body, and d(turn)/dx of its rotation from the described one.
template <class S>
using FrameJacobian = Eigen::Matrix<double, S::dimension, S::freedoms>;

FrameJacobian<Planar> frame_jacobian(const Planar::Kinematics& k, const Eigen::Vector2d& l) {
  FrameJacobian<Planar> J;
  J << Eigen::Matrix2d::Identity(), perpendicular(k.R * l);
  return J;
}

FrameJacobian<Spatial> frame_jacobian(const Spatial::Kinematics& k, const Eigen::Vector3d& l) {
  FrameJacobian<Spatial> J;
  J << Eigen::Matrix3d::Identity(), -k.R * math::skew(l);
  return J;
}

double rotational_inertia(const Node<Planar>& node, int /*axis*/) {
  return node.inertia;
}
double rotational_inertia(const Node<Spatial>& node, int axis) {
  return node.inertia(axis, axis);
}

// The turn from the described orientation, body axes, and its derivative by a further turn.
double turned(const Planar::Kinematics& from,
              const Planar::Kinematics& to,
              Eigen::Matrix<double, 1, 1>& J) {
  J.setOnes();
  return to.angle - from.angle;
}
Eigen::Vector3d turned(const Spatial::Kinematics& from,
                       const Spatial::Kinematics& to,
                       Eigen::Matrix3d& J) {
  const Eigen::Vector3d turn =
      math::logarithm(Eigen::Quaterniond(Eigen::Matrix3d(from.R.transpose() * to.R)));
  J = math::inverse_tangent_operator(turn);
  return turn;
}

double described_turn(const Planar::Kinematics& k) {
  return k.angle;
}
Eigen::Vector3d described_turn(const Spatial::Kinematics& /*k*/) {
  return Eigen::Vector3d::Zero();
}

double component(double value, int /*i*/) {
  return value;
}
double component(const Eigen::Vector3d& value, int i) {
  return value[i];
}

// One value for each freedom of the body, without numbers.
template <class S>
InitialValue value_of(const Node<S>& node, int k) {
  InitialValue value;
  value.first = node.v;
  value.count = node.freedoms;
  value.weight = node.mass;
  if (k < S::dimension) return value;
  // What has no inertia of its own still counts for something.
  constexpr double least = 1e-6;
  value.weight = std::max(rotational_inertia(node, k - S::dimension), least * node.mass);
  return value;
}

// They stay as they are where the constraints allow it.
InitialValue amplitude_value(int velocity, double described, double now) {
  InitialValue value;
  value.first = velocity;
  value.count = 1;
  value.weight = 1.0;
  value.J[0] = 1.0;
  value.stated = true;
  value.described = described;
  value.difference = now - described;
  return value;
}

}  // namespace

template <class S>
void MechanismFacts<S>::initial_positions(const system::State& state,
                                          std::vector<InitialValue>& values) const {
  const Mechanism<S>& m = *m_;
  const std::vector<typename S::Kinematics> described = kinematics_at(m, m.described);
  const std::vector<typename S::Kinematics> now = kinematics_at(m, state);
  values.clear();
  for (std::size_t i = 1; i < m.nodes.size(); ++i) {
    const Node<S>& node = m.nodes[i];
    if (node.is_carried()) continue;
    const FrameJacobian<S> J = frame_jacobian(now[i], node.origin);
    const typename S::Point from = described[i].p + described[i].R * node.origin;
    const typename S::Point to = now[i].p + now[i].R * node.origin;
    Eigen::Matrix<double, S::rotations, S::rotations> turn_J;
    const auto turn = turned(described[i], now[i], turn_J);
    const auto start = described_turn(described[i]);
    for (int k = 0; k < node.freedoms; ++k) {
      InitialValue value = value_of(node, k);
      const auto freedom = static_cast<std::size_t>(node.v + k);
      value.stated = m.stated_positions[freedom];
      value.fixed = m.fixed_positions[freedom];
      if (k < S::dimension) {
        value.described = from[k];
        value.difference = to[k] - from[k];
        for (int j = 0; j < node.freedoms; ++j) value.J[static_cast<std::size_t>(j)] = J(k, j);
      } else {
        const int axis = k - S::dimension;
        value.described = component(start, axis);
        value.difference = component(turn, axis);
        for (int j = 0; j < S::rotations; ++j) {
          value.J[static_cast<std::size_t>(S::dimension + j)] = turn_J(axis, j);
        }
      }
      values.push_back(value);
    }
  }
  for (const NamedAmplitudes& set : m.amplitudes) {
    for (int k = 0; k < set.places.count; ++k) {
      const int at = set.places.q + k;
      values.push_back(amplitude_value(set.places.v + k, m.described.q[at], state.q[at]));
    }
  }
}

// The described velocity of a frame is that of the described position; it is kept when assembly
// moves the body.
template <class S>
void MechanismFacts<S>::initial_velocities(const system::State& state,
                                           std::vector<InitialValue>& values) const {
  const Mechanism<S>& m = *m_;
  const std::vector<typename S::Kinematics> described = kinematics_at(m, m.described);
  const std::vector<typename S::Kinematics> now = kinematics_at(m, state);
  values.clear();
  for (std::size_t i = 1; i < m.nodes.size(); ++i) {
    const Node<S>& node = m.nodes[i];
    if (node.is_carried()) continue;
    const FrameJacobian<S> J = frame_jacobian(now[i], node.origin);
    const FrameJacobian<S> J_described = frame_jacobian(described[i], node.origin);
    for (int k = 0; k < node.freedoms; ++k) {
      InitialValue value = value_of(node, k);
      const auto freedom = static_cast<std::size_t>(node.v + k);
      value.stated = m.stated_velocities[freedom];
      value.fixed = m.fixed_velocities[freedom];
      double to = 0.0;
      for (int j = 0; j < node.freedoms; ++j) {
        const bool frame = k < S::dimension;
        const double entry = frame ? J(k, j) : (j == k ? 1.0 : 0.0);
        const double then = frame ? J_described(k, j) : entry;
        value.J[static_cast<std::size_t>(j)] = entry;
        value.described += then * m.described.v[node.v + j];
        to += entry * state.v[node.v + j];
      }
      value.difference = to - value.described;
      values.push_back(value);
    }
  }
  for (const NamedAmplitudes& set : m.amplitudes) {
    for (int k = 0; k < set.places.count; ++k) {
      const int at = set.places.v + k;
      values.push_back(amplitude_value(at, m.described.v[at], state.v[at]));
    }
  }
}

namespace {

template <class S>
std::vector<InitialName> names_of(const Mechanism<S>& mechanism,
                                  const char* translation,
                                  const char* planar_rotation,
                                  const char* spatial_rotation,
                                  const char* rate) {
  std::vector<InitialName> names;
  for (std::size_t i = 1; i < mechanism.nodes.size(); ++i) {
    const Node<S>& node = mechanism.nodes[i];
    if (node.is_carried()) continue;
    for (int k = 0; k < node.freedoms; ++k) {
      const bool turns = k >= S::dimension;
      const char axis = static_cast<char>('x' + (turns ? k - S::dimension : k));
      std::string quantity = std::string(translation) + "." + axis;
      if (turns && S::space == Space::planar) quantity = planar_rotation;
      if (turns && S::space == Space::spatial)
        quantity = std::string(spatial_rotation) + "." + axis;
      names.push_back({node.name, std::move(quantity), std::string(turns ? "rad" : "m") + rate});
    }
  }
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    for (int k = 1; k <= set.places.count; ++k) {
      const std::string unit = set.unit(k - 1);
      names.push_back(
          {set.name, std::to_string(k), *rate == '\0' ? unit : (unit.empty() ? "1" : unit) + "/s"});
    }
  }
  return names;
}

}  // namespace

template <class S>
std::vector<InitialName> MechanismFacts<S>::position_names() const {
  return names_of(*m_, "position", "angle", "orientation", "");
}

template <class S>
std::vector<InitialName> MechanismFacts<S>::velocity_names() const {
  return names_of(*m_, "velocity", "angular_velocity", "angular_velocity", "/s");
}

template void MechanismFacts<Planar>::initial_positions(const system::State&,
                                                        std::vector<InitialValue>&) const;
template void MechanismFacts<Spatial>::initial_positions(const system::State&,
                                                         std::vector<InitialValue>&) const;
template void MechanismFacts<Planar>::initial_velocities(const system::State&,
                                                         std::vector<InitialValue>&) const;
template void MechanismFacts<Spatial>::initial_velocities(const system::State&,
                                                          std::vector<InitialValue>&) const;
template std::vector<InitialName> MechanismFacts<Planar>::position_names() const;
template std::vector<InitialName> MechanismFacts<Spatial>::position_names() const;
template std::vector<InitialName> MechanismFacts<Planar>::velocity_names() const;
template std::vector<InitialName> MechanismFacts<Spatial>::velocity_names() const;

}  // namespace trammel::model
