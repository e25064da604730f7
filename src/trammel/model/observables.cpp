#include "trammel/model/observables.h"

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/frame_observables.h"

namespace trammel::model {
namespace {

template <class S>
void add_joint_quantities(const MechanismJoint<S>& joint, std::vector<Quantity>& list) {
  for (const auto& coordinate : joint.coordinates) {
    list.push_back(
        {joint.name + "." + coordinate.name, coordinate.unit, "joint", "joint coordinate"});
    list.push_back({joint.name + "." + coordinate.name + "_rate",
                    (*coordinate.unit == '\0' ? "1" : std::string(coordinate.unit)) + "/s", "joint",
                    "rate of the joint coordinate"});
  }
  for (const auto& output : joint.outputs) {
    list.push_back({joint.name + "." + output.name, output.unit, "joint", "of the joint"});
  }
  for (const auto& rate : joint.rates) {
    list.push_back({joint.name + "." + rate.name, rate.unit, "joint", "of the joint"});
  }
  if (joint.contact) {
    list.push_back({joint.name + ".load", "N", "", "of the contact; positive when it presses"});
    list.push_back({joint.name + ".gap", "m", "", "of the contact"});
  }
}

template <class S>
void add_reactions(const std::string& joint, std::vector<Quantity>& list) {
  constexpr int dimension = S::dimension;
  const std::string reaction = joint + ".reaction";
  add_components(list, reaction + ".force", dimension, "N", "world", "on the second body");
  if constexpr (S::space == Space::planar) {
    list.push_back({reaction + ".torque", "N m", "world", "on the second body, at the joint"});
  } else {
    add_components(list, reaction + ".torque", 3, "N m", "world",
                   "on the second body, at the joint");
  }
  add_components(list, reaction + ".joint_force", dimension, "N", "joint", "on the second body");
  if constexpr (S::space == Space::spatial) {
    add_components(list, reaction + ".joint_torque", 3, "N m", "joint",
                   "on the second body, at the joint");
  }
}

// Of a load on one body by many laws; `name` ends with a dot.
template <class S>
void add_wrench(const std::string& name, std::vector<Quantity>& list) {
  const char* const text = "about the body frame's origin";
  add_components(list, name + "force", S::dimension, "N", "world", "sum of the load");
  if constexpr (S::space == Space::planar) {
    list.push_back({name + "torque", "N m", "world", text});
  } else {
    add_components(list, name + "torque", 3, "N m", "world", text);
  }
}

template <class S>
void add_element_quantities(const Mechanism<S>& mechanism, std::vector<Quantity>& list) {
  for (const NamedForce<S>& named : mechanism.forces) {
    for (Quantity quantity : named.force->quantities()) {
      quantity.name = named.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
  for (const NamedElement<S>& named : mechanism.elements) {
    for (Quantity quantity : named.element->quantities()) {
      quantity.name = named.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
  for (const NamedConnection<S>& named : mechanism.connections) {
    for (Quantity quantity : named.connection->quantities()) {
      quantity.name = named.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
}

template <class S>
void add_formula_quantities(const Mechanism<S>& mechanism, std::vector<Quantity>& list) {
  for (const NamedRelation<S>& named : mechanism.relations) {
    list.push_back({named.name + ".load", named.unit, "", "force along its first coordinate"});
    if (named.contact) {
      list.push_back({named.name + ".gap",
                      core::si_unit(named.relation.formula().program().type().dimension), "",
                      "of the one-sided coupling"});
    }
    if (named.drive) list.push_back({named.name + ".power", "W", "", "brought in by the drive"});
  }
  std::string last;
  for (const NamedLaw<S>& named : mechanism.laws) {
    if (named.is_hidden()) {
      // The sum over all laws of the force, told once.
      if (named.name != last) add_wrench<S>(named.name, list);
      last = named.name;
      continue;
    }
    list.push_back({named.name, named.unit, "", "along its coordinate"});
  }
  for (const NamedJointFriction<S>& named : mechanism.joint_frictions) {
    list.push_back({named.name + ".load", named.unit, "", "along its coordinate"});
    list.push_back({named.name + ".normal_load", "N", "", "from the joint's reaction"});
  }
  for (const NamedSensor<S>& sensor : mechanism.sensors) {
    list.push_back({sensor.name, sensor.unit, "", "sensor"});
    list.push_back({sensor.name + "_rate", sensor.unit + "/s", "", "rate of the sensor"});
    if (!has_acceleration(mechanism, sensor.measure)) continue;
    list.push_back(
        {sensor.name + "_acceleration", sensor.unit + "/s^2", "", "derivative of the rate"});
  }
  for (const NamedFrame<S>& sensor : mechanism.frames) {
    add_frame_quantities(mechanism, sensor, list);
  }
  for (const NamedState<S>& state : mechanism.states) {
    list.push_back({state.name, state.unit, "", "first-order state"});
  }
  for (const NamedOutput<S>& output : mechanism.outputs) {
    list.push_back({output.name, output.unit, "", "of a force"});
  }
  for (const ChannelFormula& formula : mechanism.channel_formulas) {
    list.push_back({formula.name, formula.unit, "", formula.program->text()});
  }
}

}  // namespace

template <class S>
std::vector<Quantity> observable_quantities(const Mechanism<S>& mechanism) {
  constexpr int dimension = S::dimension;
  std::vector<Quantity> list;
  for (const Node<S>& body : mechanism.nodes) {
    if (body.freedoms == 0) continue;
    add_components(list, body.name + ".position", dimension, "m", "world", "body frame's origin");
    add_components(list, body.name + ".velocity", dimension, "m/s", "world", "of the origin");
    add_components(list, body.name + ".acceleration", dimension, "m/s^2", "world", "of the origin");
    if (body.freedoms == S::freedoms) add_rotations(list, body.name, S{});
  }
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    for (int k = 1; k <= set.places.count; ++k) {
      const std::string name = set.name + "." + std::to_string(k);
      const std::string unit = set.unit(k - 1);
      list.push_back({name, unit, "", "amplitude"});
      list.push_back(
          {name + "_rate", (unit.empty() ? "1" : unit) + "/s", "", "rate of the amplitude"});
    }
  }
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    add_joint_quantities(joint, list);
    add_reactions<S>(joint.name, list);
  }
  add_element_quantities(mechanism, list);
  add_formula_quantities(mechanism, list);
  return list;
}

template std::vector<Quantity> observable_quantities(const Mechanism<Planar>&);
template std::vector<Quantity> observable_quantities(const Mechanism<Spatial>&);

}  // namespace trammel::model
