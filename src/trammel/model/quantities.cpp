#include "trammel/model/quantities.h"

#include <algorithm>
#include <cctype>

#include "trammel/core/names.h"

namespace trammel::model {
namespace {

core::Dimension per_time(const core::Dimension& dimension) {
  return dimension / core::dimension::time;
}

core::Dimension coordinate_dimension(std::string_view unit) {
  if (unit == "rad") return core::dimension::angle;
  if (unit == "m/s") return core::dimension::velocity;
  if (unit == "1/m") return core::dimension::none / core::dimension::length;
  return unit == "m" ? core::dimension::length : core::dimension::none;
}

// 0, 1, 2 for ".x", ".y", ".z"; -1 otherwise.
int axis_of(std::string_view text) {
  if (text.size() != 2 || text[0] != '.') return -1;
  const int number = text[1] - 'x';
  return number >= 0 && number <= 2 ? number : -1;
}

template <class S>
Measure<S> rate_measure(Measure<S> measure) {
  measure.kind = Measure<S>::Kind::rate;
  measure.coordinate.reset();
  measure.index = -1;
  measure.dimension = per_time(measure.dimension);
  return measure;
}

template <class S>
Measure<S> position_of(int a,
                       int b,
                       std::shared_ptr<const Coordinate<S>> coordinate,
                       const core::Dimension& dimension) {
  return {.kind = Measure<S>::Kind::position,
          .node_a = a,
          .node_b = b,
          .direction = coordinate,
          .coordinate = coordinate,
          .dimension = dimension};
}

// Angles and angular velocities of a body.
std::optional<Measure<Planar>> rotation_measure(const NodeFrame<Planar>& frame,
                                                std::string_view rest) {
  const auto angle = position_of<Planar>(
      0, frame.node,
      std::make_shared<AngleCoordinate<Planar>>(angle_about_z(NodeFrame<Planar>{}, frame)),
      core::dimension::angle);
  if (rest == "angle") return angle;
  if (rest == "angular_velocity" || rest == "omega") return rate_measure(angle);
  return std::nullopt;
}

std::optional<Measure<Spatial>> rotation_measure(const NodeFrame<Spatial>& frame,
                                                 std::string_view rest) {
  for (const std::string_view name : {"angular_velocity", "omega"}) {
    if (rest.substr(0, name.size()) != name) continue;
    const int axis = axis_of(rest.substr(name.size()));
    if (axis < 0) return std::nullopt;
    return spin_measure(NodeFrame<Spatial>{}, frame, axis);
  }
  constexpr std::string_view cosines = "rotation.";
  if (rest.substr(0, cosines.size()) != cosines || rest.size() != cosines.size() + 2) {
    return std::nullopt;
  }
  const int row = rest[cosines.size()] - 'x';
  const int column = rest[cosines.size() + 1] - 'x';
  if (std::min(row, column) < 0 || std::max(row, column) > 2) return std::nullopt;
  return cosine_measure(NodeFrame<Spatial>{}, row, frame, column);
}

}  // namespace

template <class S>
Quantities<S>::Quantities(const Description& description,
                          const FrameFinder<S>& frames,
                          const Mechanism<S>& mechanism)
    : description_(description), frames_(frames), states_(description.states) {
  int turns = 0;
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    for (const auto& named : joint.coordinates) {
      Measure<S> measure = position_of<S>(joint.a.node, joint.b.node, named.coordinate,
                                          coordinate_dimension(named.unit));
      if (named.coordinate->wraps()) measure.index = turns++;
      named_.emplace(joint.name + "." + named.name, std::move(measure));
    }
    for (const auto& named : joint.outputs) {
      named_.emplace(joint.name + "." + named.name,
                     position_of<S>(joint.a.node, joint.b.node, named.coordinate,
                                    coordinate_dimension(named.unit)));
    }
    for (const auto& named : joint.rates) {
      named_.emplace(joint.name + "." + named.name,
                     Measure<S>{.kind = Measure<S>::Kind::rate,
                                .node_a = joint.a.node,
                                .node_b = joint.b.node,
                                .direction = named.direction,
                                .dimension = coordinate_dimension(named.unit)});
    }
    if (!joint.contact) continue;
    loads_.emplace(joint.name + ".load", Measure<S>{.kind = Measure<S>::Kind::load,
                                                    .index = joint.contact->row,
                                                    .factor = joint.contact->load(1.0),
                                                    .dimension = core::dimension::force});
  }
  for (const NamedSensor<S>& sensor : mechanism.sensors) {
    named_.emplace(sensor.name, sensor.measure);
  }
  for (const NamedFrame<S>& sensor : mechanism.frames) add_frame_sensor(sensor);
  for (const Body& body : description.bodies) bodies_.emplace(body.name, &body);
  internal_nodes_.insert(mechanism.internal_nodes.begin(), mechanism.internal_nodes.end());
}

template <class S>
void Quantities<S>::add_frame_sensor(const NamedFrame<S>& sensor) {
  const auto name = [&](const char* quantity, std::size_t axis) {
    return sensor.name + quantity + static_cast<char>('x' + axis);
  };
  for (std::size_t axis = 0; axis < sensor.places.size(); ++axis) {
    named_.emplace(name(".position.", axis), sensor.places[axis]);
    named_.emplace(name(".velocity.", axis), rate_measure(sensor.places[axis]));
  }
  if constexpr (S::space == Space::planar) {
    named_.emplace(sensor.name + ".angle", sensor.turns[0]);
    named_.emplace(sensor.name + ".angular_velocity", rate_measure(sensor.turns[0]));
  } else {
    for (int axis = 0; axis < 3; ++axis) {
      const auto number = static_cast<std::size_t>(axis);
      named_.emplace(name(".angular_velocity.", number), sensor.turns[number]);
      for (int column = 0; column < 3; ++column) {
        named_.emplace(name(".rotation.", number) + static_cast<char>('x' + column),
                       cosine_measure(sensor.a, axis, sensor.b, column));
      }
    }
  }
}

template <class S>
std::optional<Measure<S>> Quantities<S>::frame_measure(const std::string& frame_name,
                                                       std::string_view rest) const {
  NodeFrame<S> frame = frames_(frame_name);
  for (const std::string_view what : {"position", "velocity", "mass_center", "own_velocity"}) {
    if (rest.substr(0, what.size()) != what) continue;
    const int axis = axis_of(rest.substr(what.size()));
    if (axis < 0 || axis >= S::dimension) return std::nullopt;
    if (what == "own_velocity") return own_velocity_measure(frame, axis);
    if (what == "mass_center") frame.l.setZero();
    const auto measure =
        position_of<S>(0, frame.node,
                       std::make_shared<DisplacementCoordinate<S>>(
                           PointPair<S>{NodeFrame<S>{}, frame}, S::Point::Unit(axis)),
                       core::dimension::length);
    return what == "velocity" ? rate_measure(measure) : measure;
  }
  return rotation_measure(frame, rest);
}

// The longest body name that the dotted name begins with, then perhaps a frame of it.
template <class S>
std::optional<Measure<S>> Quantities<S>::body_measure(std::string_view name) const {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = name.rfind('.', dot - 1)) {
    const std::string_view front = name.substr(0, dot);
    const std::string_view rest = name.substr(dot + 1);
    const auto body = bodies_.find(front);
    if (body != bodies_.end()) return frame_measure(body->first, rest);
    const auto internal = internal_nodes_.find(front);
    if (internal != internal_nodes_.end()) return frame_measure(*internal, rest);
    const std::size_t last = front.rfind('.');
    if (last == std::string_view::npos) continue;
    const auto owner = bodies_.find(front.substr(0, last));
    if (owner == bodies_.end()) continue;
    const auto& list = owner->second->frames;
    const bool known = std::any_of(list.begin(), list.end(), [&](const Frame& frame) {
      return frame.name == front.substr(last + 1);
    });
    if (known) return frame_measure(std::string(front), rest);
  }
  return std::nullopt;
}

template <class S>
std::optional<Measure<S>> Quantities<S>::coordinate(std::string_view name) const {
  const auto found = named_.find(name);
  if (found != named_.end()) return found->second;
  return body_measure(name);
}

template <class S>
std::optional<Measure<S>> Quantities<S>::measure(std::string_view name) const {
  if (name == "time") return Measure<S>{};
  if (!unknown_.empty() && name == unknown_) {
    return Measure<S>{.kind = Measure<S>::Kind::unknown, .dimension = core::dimension::none};
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const StateVariable& state = states_[i];
    if (state.name == name) {
      return Measure<S>{.kind = Measure<S>::Kind::state,
                        .index = static_cast<int>(i),
                        .dimension = state.dimension};
    }
  }
  if (auto found = coordinate(name)) return found;
  const auto load = loads_.find(name);
  if (loads_allowed_ && load != loads_.end()) return load->second;
  constexpr std::string_view suffix = "_rate";
  if (name.size() <= suffix.size() || name.substr(name.size() - suffix.size()) != suffix) {
    return std::nullopt;
  }
  const auto base = coordinate(name.substr(0, name.size() - suffix.size()));
  if (!base || base->kind != Measure<S>::Kind::position) return std::nullopt;
  return rate_measure(*base);
}

template <class S>
std::optional<expression::Symbol> Quantities<S>::find(std::string_view name) const {
  if (auto found = measure(name)) {
    found_.push_back(std::move(*found));
    auto symbol = expression::Symbol::input(found_.size() - 1, found_.back().dimension);
    // States and unknowns are plain numbers that may stand for anything.
    symbol.type.open = found_.back().kind == Measure<S>::Kind::state ||
                       found_.back().kind == Measure<S>::Kind::unknown;
    return symbol;
  }
  const auto parameter = description_.parameters.find(name);
  if (parameter == description_.parameters.end()) return std::nullopt;
  return expression::Symbol::constant(parameter->second);
}

template <class S>
std::vector<std::string> Quantities<S>::names() const {
  constexpr std::size_t most = 2000;
  std::vector<std::string> list{"time"};
  for (const auto& [name, value] : description_.parameters) list.push_back(name);
  for (const StateVariable& state : states_) list.push_back(state.name);
  for (const auto& [name, measure] : named_) {
    if (list.size() > most) return list;
    list.push_back(name);
    list.push_back(name + "_rate");
  }
  for (const std::string& name : internal_nodes_) {
    for (const char* axis : {".x", ".y", ".z"}) list.push_back(name + ".position" + axis);
    list.push_back(name + ".angle");
  }
  if (loads_allowed_) {
    for (const auto& [name, measure] : loads_) list.push_back(name);
  }
  for (const auto& [name, body] : bodies_) {
    if (list.size() > most) return list;
    for (const char* axis : {".x", ".y", ".z"}) {
      list.push_back(name + ".position" + axis);
      list.push_back(name + ".velocity" + axis);
    }
    list.push_back(name + ".angle");
    list.push_back(name + ".angular_velocity");
  }
  return list;
}

template <class S>
std::shared_ptr<const expression::Table> Quantities<S>::find_table(std::string_view name) const {
  for (const auto& table : description_.tables) {
    if (table->name() == name) return table;
  }
  return nullptr;
}

template <class S>
std::vector<std::string> Quantities<S>::table_names() const {
  std::vector<std::string> names;
  for (const auto& table : description_.tables) names.push_back(table->name());
  return names;
}

template <class S>
std::shared_ptr<const expression::UserFunction> Quantities<S>::find_function(
    std::string_view name) const {
  for (const auto* list : {&functions_, &description_.functions}) {
    for (const auto& function : *list) {
      if (function->name() == name) return function;
    }
  }
  return nullptr;
}

template <class S>
std::vector<std::string> Quantities<S>::user_function_names() const {
  std::vector<std::string> names;
  for (const auto& function : description_.functions) names.push_back(function->name());
  return names;
}

template class Quantities<Planar>;
template class Quantities<Spatial>;

}  // namespace trammel::model
