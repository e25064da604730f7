#include "trammel/model/observables.h"

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/frame_observables.h"

namespace trammel::model {
namespace {

// Bodies have the same ones, and there are many of them: what is told of one serves for all.
template <class S>
void add_body_rotations(const std::string& body, QuantityList& list) {
  static const std::vector<Quantity> of_any = [] {
    std::vector<Quantity> quantities;
    add_rotations(quantities, "", S{});
    return quantities;
  }();
  list.add_all(of_any, {body, ""});
}

template <class S>
void add_joint_quantities(const MechanismJoint<S>& joint, QuantityList& list) {
  for (const auto& coordinate : joint.coordinates) {
    list.add({joint.name, ".", coordinate.name}, coordinate.unit, "joint", "joint coordinate");
    const std::string rate = (*coordinate.unit == '\0' ? "1" : std::string(coordinate.unit)) + "/s";
    list.add({joint.name, ".", coordinate.name, "_rate"}, rate, "joint",
             "rate of the joint coordinate");
  }
  for (const auto& output : joint.outputs) {
    list.add({joint.name, ".", output.name}, output.unit, "joint", "of the joint");
  }
  for (const auto& rate : joint.rates) {
    list.add({joint.name, ".", rate.name}, rate.unit, "joint", "of the joint");
  }
  if (joint.contact) {
    list.add({joint.name, ".load"}, "N", "", "of the contact; positive when it presses");
    list.add({joint.name, ".gap"}, "m", "", "of the contact");
  }
}

template <class S>
void add_reactions(const std::string& joint, QuantityList& list) {
  constexpr int dimension = S::dimension;
  list.add_components(joint, ".reaction.force", dimension, "N", "world", "on the second body");
  if constexpr (S::space == Space::planar) {
    list.add({joint, ".reaction.torque"}, "N m", "world", "on the second body, at the joint");
  } else {
    list.add_components(joint, ".reaction.torque", 3, "N m", "world",
                        "on the second body, at the joint");
  }
  list.add_components(joint, ".reaction.joint_force", dimension, "N", "joint",
                      "on the second body");
  if constexpr (S::space == Space::spatial) {
    list.add_components(joint, ".reaction.joint_torque", 3, "N m", "joint",
                        "on the second body, at the joint");
  }
}

// Of a load on one body by many laws; `name` ends with a dot.
template <class S>
void add_wrench(const std::string& name, QuantityList& list) {
  const char* const text = "about the body frame's origin";
  list.add_components(name, "force", S::dimension, "N", "world", "sum of the load");
  if constexpr (S::space == Space::planar) {
    list.add({name, "torque"}, "N m", "world", text);
  } else {
    list.add_components(name, "torque", 3, "N m", "world", text);
  }
}

template <class S>
void add_element_quantities(const Mechanism<S>& mechanism, QuantityList& list) {
  for (const NamedForce<S>& named : mechanism.forces) {
    if (list.begin(PartKind::force, named.name)) {
      list.add_all(named.force->quantities(), {named.name, "."});
    } else {
      list.count(named.channels);
    }
  }
  for (const NamedElement<S>& named : mechanism.elements) {
    if (list.begin(PartKind::element, named.name)) {
      list.add_all(named.element->quantities(), {named.name, "."});
    } else {
      list.count(named.channels);
    }
  }
  for (const NamedConnection<S>& named : mechanism.connections) {
    list.begin(PartKind::connection, named.name);
    list.add_all(named.connection->quantities(), {named.name, "."});
  }
}

template <class S>
void add_formula_quantities(const Mechanism<S>& mechanism, QuantityList& list) {
  const auto begin = [&list](const std::string& name) { list.begin(PartKind::formula, name); };
  for (const NamedRelation<S>& named : mechanism.relations) {
    begin(named.name);
    list.add({named.name, ".load"}, named.unit, "", "force along its first coordinate");
    if (named.contact) {
      list.add({named.name, ".gap"},
               core::si_unit(named.relation.formula().program().type().dimension), "",
               "of the one-sided coupling");
    }
    if (named.drive) list.add({named.name, ".power"}, "W", "", "brought in by the drive");
  }
  std::string last;
  for (const NamedLaw<S>& named : mechanism.laws) {
    begin(named.name);
    if (named.is_hidden()) {
      // The sum over all laws of the force, told once.
      if (named.name != last) add_wrench<S>(named.name, list);
      last = named.name;
      continue;
    }
    list.add({named.name}, named.unit, "", "along its coordinate");
  }
  for (const NamedJointFriction<S>& named : mechanism.joint_frictions) {
    begin(named.name);
    list.add({named.name, ".load"}, named.unit, "", "along its coordinate");
    list.add({named.name, ".normal_load"}, "N", "", "from the joint's reaction");
  }
  for (const NamedSensor<S>& sensor : mechanism.sensors) {
    begin(sensor.name);
    list.add({sensor.name}, sensor.unit, "", "sensor");
    list.add({sensor.name, "_rate"}, sensor.unit + "/s", "", "rate of the sensor");
    if (!has_acceleration(mechanism, sensor.measure)) continue;
    list.add({sensor.name, "_acceleration"}, sensor.unit + "/s^2", "", "derivative of the rate");
  }
  for (const NamedFrame<S>& sensor : mechanism.frames) {
    begin(sensor.name);
    std::vector<Quantity> quantities;
    add_frame_quantities(mechanism, sensor, quantities);
    list.add_all(quantities);
  }
  for (const NamedState<S>& state : mechanism.states) {
    begin(state.name);
    list.add({state.name}, state.unit, "", "first-order state");
  }
  for (const NamedConnection<S>& named : mechanism.connections) {
    begin(named.name);
    for (const std::string& name : named.connection->place_names()) {
      const bool turn = name.find(".turn.") != std::string::npos;
      list.add({named.name, ".", name}, turn ? "rad" : "m", "", "first-order state");
    }
  }
  for (const NamedOutput<S>& output : mechanism.outputs) {
    begin(output.name);
    list.add({output.name}, output.unit, "", "of a force");
  }
  for (const ChannelFormula& formula : mechanism.channel_formulas) {
    begin(formula.name);
    list.add({formula.name}, formula.unit, "", formula.program->text());
  }
}

}  // namespace

template <class S>
ObservableChoice observable_quantities(const Mechanism<S>& mechanism, const PartFilter& wanted) {
  constexpr int dimension = S::dimension;
  QuantityList list(wanted);
  for (const Node<S>& body : mechanism.nodes) {
    if (body.freedoms == 0) continue;
    list.begin(PartKind::body, body.name);
    list.add_components(body.name, ".position", dimension, "m", "world", "body frame's origin");
    list.add_components(body.name, ".velocity", dimension, "m/s", "world", "of the origin");
    list.add_components(body.name, ".acceleration", dimension, "m/s^2", "world", "of the origin");
    if (body.freedoms == S::freedoms) add_body_rotations<S>(body.name, list);
  }
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    list.begin(PartKind::amplitudes, set.name);
    for (int k = 1; k <= set.places.count; ++k) {
      const std::string number = std::to_string(k);
      const std::string unit = set.unit(k - 1);
      list.add({set.name, ".", number}, unit, "", "amplitude");
      list.add({set.name, ".", number, "_rate"}, (unit.empty() ? "1" : unit) + "/s", "",
               "rate of the amplitude");
    }
  }
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    list.begin(PartKind::joint, joint.name);
    add_joint_quantities(joint, list);
    add_reactions<S>(joint.name, list);
  }
  add_element_quantities(mechanism, list);
  add_formula_quantities(mechanism, list);
  return list.take();
}

template ObservableChoice observable_quantities(const Mechanism<Planar>&, const PartFilter&);
template ObservableChoice observable_quantities(const Mechanism<Spatial>&, const PartFilter&);

}  // namespace trammel::model
