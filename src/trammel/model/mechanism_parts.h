// Steps of building a mechanism that joints, forces and connections share.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/expression/scanner.h"
#include "trammel/math/rotation.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"

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

/// Values of all wrapping angles in a configuration, from which turns are counted.
template <class S>
std::vector<double> wrapping_angles(const Mechanism<S>& mechanism,
                                    const std::vector<typename S::Kinematics>& kinematics) {
  const auto at = [&](int node) { return kinematics[static_cast<std::size_t>(node)]; };
  std::vector<double> angles;
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    for (const auto& named : joint.coordinates) {
      if (!named.coordinate->wraps()) continue;
      angles.push_back(named.coordinate->value(at(joint.a.node), at(joint.b.node)));
    }
  }
  for (const Measure<S>& measure : mechanism.counted) {
    angles.push_back(measure.coordinate->value(at(measure.node_a), at(measure.node_b)));
  }
  return angles;
}

/// The same in the described configuration, on the branch that stated turns of bodies lead to: with
/// them undone, angles lie within half a turn, and doing them again carries the angles on.
template <class S>
std::vector<double> described_angles(const Description& description,
                                     const Mechanism<S>& mechanism,
                                     const std::vector<typename S::Kinematics>& described) {
  if constexpr (S::space == Space::spatial) {
    double largest = 0.0;
    for (const Body& body : description.bodies) {
      largest = std::max(largest, body.stated_turn.norm());
    }
    if (largest > 0.0) {
      constexpr double small = 0.5;  // rad: well below the half turn that can be told apart
      const int parts = static_cast<int>(std::ceil(largest / small));
      std::vector<typename S::Kinematics> turned = described;
      std::vector<double> angles;
      for (int i = 0; i <= parts; ++i) {
        const double undone = 1.0 - static_cast<double>(i) / parts;
        for (std::size_t k = 0; k < description.bodies.size(); ++k) {
          const Eigen::Vector3d back = -undone * description.bodies[k].stated_turn;
          turned[k + 1].R = described[k + 1].R * math::exponential(back).toRotationMatrix();
        }
        const std::vector<double> now = wrapping_angles(mechanism, turned);
        if (angles.empty()) angles = now;
        for (std::size_t k = 0; k < now.size(); ++k) angles[k] = nearest_turn(now[k], angles[k]);
      }
      return angles;
    }
  }
  return wrapping_angles(mechanism, described);
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
