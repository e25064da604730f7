// Steps of building a mechanism that joints, forces and connections share.
#pragma once

#include <algorithm>

#include "trammel/expression/scanner.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"
#include "trammel/model/wrapping_angles.h"

namespace trammel::model {

template <class S>
typename S::Point point(const Eigen::Vector3d& p) {
  return p.head<S::dimension>();
}

/// Kinematics of a body's centre of mass from the described pose and velocity of its frame.
inline Planar::Kinematics described_kinematics(const Body& body, const Planar&) {
  Planar::Kinematics k;
  k.angle = body.kind == BodyKind::point ? 0.0 : body.angle;
  k.R = Eigen::Rotation2Dd(k.angle).toRotationMatrix();
  k.w = body.kind == BodyKind::point ? 0.0 : body.angular_velocity.z();
  const Eigen::Vector2d arm = k.R * body.mass.center.head<2>();
  k.p = body.position.head<2>() + arm;
  k.v = body.velocity.head<2>() + k.w * perpendicular(arm);
  return k;
}

inline Spatial::Kinematics described_kinematics(const Body& body, const Spatial&) {
  Spatial::Kinematics k;
  if (body.kind == BodyKind::rigid) {
    k.R = body.orientation.normalized().toRotationMatrix();
    k.w = body.angular_velocity;
  }
  k.p = body.position + k.R * body.mass.center;
  k.v = body.velocity + k.R * k.w.cross(body.mass.center);
  return k;
}

/// Mistakes that show only when an item is built get its name; what they named before stays.
[[noreturn]] inline void throw_under(const std::string& path, const core::InputError& error) {
  std::vector<core::Diagnostic> diagnostics = error.diagnostics();
  for (core::Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.path.empty()) diagnostic.message = diagnostic.path + ": " + diagnostic.message;
    diagnostic.path = path;
  }
  throw core::InputError(std::move(diagnostics));
}

/// Formulas of joints are of their own variables and of parameters, which become numbers here.
inline Values with_parameters(const JointKind& kind,
                              Values values,
                              const Description& description) {
  for (const Field& field : kind.fields) {
    const auto found = values.find(field.name);
    if (field.kind != FieldKind::formula || found == values.end()) continue;
    auto& formula = std::get<std::string>(found->second);
    formula = expression::with_names_replaced(formula, [&](std::string_view name) {
      const auto own = std::find(field.variables.begin(), field.variables.end(), name);
      const auto parameter = description.parameters.find(std::string(name));
      const bool stays = own != field.variables.end() || parameter == description.parameters.end();
      return stays ? std::string(name) : expression::written(parameter->second);
    });
  }
  return values;
}

/// A force that is written as formulas.
template <class S>
bool is_active(const Item& item) {
  const ForceKind* kind = find_force_kind(S::space, item.type);
  return kind != nullptr && kind->laws != nullptr;
}

/// The turns by which all nodes were stated, internal ones of connections last.
template <class S>
std::vector<Turn<S>> stated_turns(const Description& description, const Mechanism<S>& mechanism) {
  std::vector<Turn<S>> turns{Turn<S>::Zero()};
  const auto add = [&](const Eigen::Vector3d& turn) { turns.push_back(turn.tail<S::rotations>()); };
  for (const Body& body : description.bodies) add(stated_turn(body, S::space));
  for (const Connection& connection : description.connections) {
    for (const InternalNode& node : connection.nodes) {
      const std::size_t number = turns.size() - mechanism.nodes.size();
      if (number >= mechanism.internal_nodes.size()) break;
      if (mechanism.internal_nodes[number] == connection.name + "." + node.name) {
        add(node.stated_turn);
      }
    }
  }
  return turns;
}

/// The wrapping angles of the described configuration with the whole turns that were stated, those
/// of both bodies and of both frames.
template <class S>
std::vector<double> described_angles(const std::vector<Turn<S>>& turns,
                                     const Mechanism<S>& mechanism,
                                     const std::vector<typename S::Kinematics>& described) {
  const auto number = [](int node) { return static_cast<std::size_t>(node); };
  std::vector<double> angles;
  for_wrapping_angles(mechanism, [&](const Coordinate<S>& coordinate, int a, int b) {
    const auto& ka = described[number(a)];
    const auto& kb = described[number(b)];
    angles.push_back(nearest_turn(coordinate.value(ka, kb),
                                  coordinate.stated(ka, kb, turns[number(a)], turns[number(b)])));
  });
  return angles;
}

/// Adds whole turns (rad) to an angle by those of a body whose orientation cannot tell its own, so
/// that whatever reads it follows. False when neither body is such a one.
template <class S>
bool add_turns(const Description& description,
               const Measure<S>& angle,
               const std::vector<typename S::Kinematics>& described,
               double whole_turns,
               std::vector<Turn<S>>& turns) {
  const auto& a = described[static_cast<std::size_t>(angle.node_a)];
  const auto& b = described[static_cast<std::size_t>(angle.node_b)];
  const Turn<S> none = Turn<S>::Zero();
  for (const int node : {angle.node_b, angle.node_a}) {
    const auto number = static_cast<std::size_t>(node);
    if (node == 0 || number > description.bodies.size()) continue;
    if (description.bodies[number - 1].turn_counts) continue;
    // What is stated is linear in the turn of the node: the axis, in its components.
    Turn<S> axis;
    for (int i = 0; i < S::rotations; ++i) {
      const Turn<S> unit = Turn<S>::Unit(i);
      const bool first = node == angle.node_a;
      axis[i] = angle.coordinate->stated(a, b, first ? unit : none, first ? none : unit) -
                angle.coordinate->stated(a, b, none, none);
    }
    if (axis.squaredNorm() == 0.0) continue;
    turns[number] += whole_turns / axis.squaredNorm() * axis;
    return true;
  }
  return false;
}

template <class S>
std::unique_ptr<Force<S>> build_force(const ForceKind& kind,
                                      const Values& values,
                                      const NodeFrame<S>& a,
                                      const NodeFrame<S>& b) {
  if constexpr (S::space == Space::planar) {
    return kind.build_planar(values, a, b);
  } else {
    return kind.build_spatial(values, a, b);
  }
}

template <class S>
bool has_element(const ForceKind& kind) {
  return S::space == Space::planar ? kind.build_planar_element != nullptr
                                   : kind.build_spatial_element != nullptr;
}

template <class S>
std::unique_ptr<BlockElement<S>> build_element(const ForceKind& kind,
                                               const Values& values,
                                               const ElementSite<S>& site) {
  if constexpr (S::space == Space::planar) {
    return kind.build_planar_element(values, site);
  } else {
    return kind.build_spatial_element(values, site);
  }
}

template <class S>
void build_joint(const JointKind& kind, const Values& values, JointAssembly<S>& assembly) {
  if constexpr (S::space == Space::planar) {
    kind.build_planar(values, assembly);
  } else {
    kind.build_spatial(values, assembly);
  }
}

/// Joints of one kind have the same literals as labels: each set is kept once.
template <class S>
int label_set(const std::vector<const char*>& labels, Mechanism<S>& mechanism) {
  auto& sets = mechanism.label_sets;
  const auto found = std::find(sets.begin(), sets.end(), labels);
  if (found != sets.end()) return static_cast<int>(found - sets.begin());
  sets.push_back(labels);
  return static_cast<int>(sets.size()) - 1;
}

/// Adds what a joint was built into; `type` must outlive the mechanism.
template <class S>
void append_joint(const std::string& name,
                  std::string_view type,
                  JointAssembly<S> assembly,
                  Mechanism<S>& m) {
  MechanismJoint<S> joint;
  joint.name = name;
  joint.type = type;
  joint.a = assembly.a;
  joint.b = assembly.b;
  joint.first_row = m.sizes.holonomic;
  joint.first_velocity_row = m.sizes.nonholonomic;
  joint.first_constraint = static_cast<int>(m.constraints.size());
  joint.constraints = static_cast<int>(assembly.constraints.size());
  for (auto& constraint : assembly.constraints) {
    int& rows = constraint->holonomic() ? m.sizes.holonomic : m.sizes.nonholonomic;
    m.first_row.push_back(rows);
    rows += constraint->rows();
    m.constraints.push_back(std::move(constraint));
  }
  joint.rows = m.sizes.holonomic - joint.first_row;
  joint.velocity_rows = m.sizes.nonholonomic - joint.first_velocity_row;
  joint.coordinates = std::move(assembly.coordinates);
  joint.outputs = std::move(assembly.outputs);
  joint.rates = std::move(assembly.rates);
  joint.contact = assembly.contact;
  if (joint.contact) joint.contact->row += joint.first_row;
  joint.labels = label_set(assembly.row_labels, m);
  m.joints.push_back(std::move(joint));
}

}  // namespace trammel::model
