// Everything that can be wrong with a description before anything is solved.
// long file: one walk over everything that a description holds, each part a few lines
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/expression/formula_name.h"
#include "trammel/expression/scanner.h"
#include "trammel/model/connections/element_kinds.h"
#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/kinds.h"
#include "trammel/model/other_words.h"
#include "trammel/model/tree_check.h"

namespace trammel::model {
namespace {

using core::Diagnostics;

constexpr double largest_stated_turn = 6300.0;  // rad

bool is_element(const ForceKind& kind) {
  return kind.build_planar_element != nullptr || kind.build_spatial_element != nullptr;
}

template <class Kind>
std::vector<std::string> kind_names(const std::vector<Kind>& kinds, Space space) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (kind.space == space) names.push_back(kind.name);
  }
  return names;
}

// Checks one description; holds the names that items may refer to.
class Checker {
 public:
  Checker(Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {
    for (const Body& body : description_.bodies) bodies_.emplace(body.name, &body);
    for (const Frame& frame : description_.ground_frames) ground_frames_.insert(frame.name);
    for (const PlacedElement& element : description_.elements) {
      held_.insert(element.bodies.begin(), element.bodies.end());
    }
    for (const Amplitudes& set : description_.amplitudes) amplitudes_.insert(set.name);
    for (const Connection& connection : description_.connections) {
      for (const InternalNode& node : connection.nodes) {
        internal_nodes_.insert(connection.name + "." + node.name);
      }
    }
  }

  void run() {
    if (description_.bodies.empty()) {
      diagnostics_.error("bodies", "the model has no body", "describe at least one under 'bodies'");
    }
    check_names();
    if (!description_.gravity.allFinite()) {
      diagnostics_.error("gravity", "gravity is not finite", "give finite numbers");
    }
    check_frames(description_.ground_frames, "ground");
    for (const Body& body : description_.bodies) check_body(body);
    for (const PlacedElement& element : description_.elements) check_placed(element);
    for (Item& joint : description_.joints) check_joint(joint);
    for (Item& force : description_.forces) check_force(force);
    for (Connection& connection : description_.connections) check_connection(connection);
    for (Item& item : description_.couplings) {
      check_kind("couplings." + item.name, item, find_coupling_kind(item.type), coupling_kinds());
    }
    for (Item& item : description_.drives) {
      check_kind("drives." + item.name, item, find_drive_kind(item.type), drive_kinds());
    }
    for (Item& item : description_.sensors) check_sensor(item);
    for (const StateVariable& state : description_.states) {
      if (!std::isfinite(state.initial)) {
        diagnostics_.error("states." + state.name + ".initial", "the value is not finite",
                           "give a finite number");
      }
    }
    check_connections();
    check_tree_hints(description_, diagnostics_);
    check_simulation();
  }

 private:
  void check_names() {
    std::unordered_set<std::string> used{"ground"};
    const auto claim = [&](const std::string& section, const std::string& name) {
      const std::string path = section + "." + name;
      if (name.empty() || name.front() == '.' || name.back() == '.' ||
          name.find("..") != std::string::npos) {
        diagnostics_.error(path, fmt::format("'{}' cannot be a name", name),
                           "use words with single dots between them");
      } else if (!used.insert(name).second) {
        diagnostics_.error(path, fmt::format("the name '{}' is used twice", name),
                           "all names must differ; 'ground' is taken");
      }
    };
    for (const Body& body : description_.bodies) {
      claim("bodies", body.name);
      check_prefixes(body.name);
    }
    for (const Amplitudes& set : description_.amplitudes) claim("amplitudes", set.name);
    for (const FlexibleBody& body : description_.flexible_bodies) claim("flexible", body.name);
    for (const PlacedElement& element : description_.elements) claim("elements", element.name);
    for (const Item& joint : description_.joints) claim("joints", joint.name);
    for (const Item& force : description_.forces) claim("forces", force.name);
    for (const Item& item : description_.couplings) claim("couplings", item.name);
    for (const Item& item : description_.drives) claim("drives", item.name);
    for (const Item& item : description_.sensors) claim("sensors", item.name);
    for (const StateVariable& state : description_.states) claim("states", state.name);
    for (const Connection& item : description_.connections) claim("connections", item.name);
    for (const Item& item : description_.sensors) check_formula_name("sensors", item.name);
    for (const StateVariable& state : description_.states) {
      check_formula_name("states", state.name);
    }
    for (const auto& [name, value] : description_.parameters) {
      const std::string why = expression::why_no_formula_name(name);
      if (!why.empty()) diagnostics_.error("parameters." + name, why, "choose another name");
    }
  }

  // Names that stand for a value in formulas must not be read as anything else.
  void check_formula_name(const std::string& section, const std::string& name) {
    if (name.find('.') != std::string::npos) return;  // cannot be taken for a unit or parameter
    std::string why = expression::why_no_formula_name(name);
    if (description_.parameters.contains(name)) why = fmt::format("'{}' is a parameter", name);
    if (!why.empty()) diagnostics_.error(section + "." + name, why, "choose another name");
  }

  // With bodies "leg" and "leg.shin", the attachment "leg.shin" could mean two things.
  void check_prefixes(const std::string& name) {
    for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
      const std::string_view prefix = std::string_view(name).substr(0, dot);
      if (bodies_.find(prefix) == bodies_.end() && prefix != "ground") continue;
      diagnostics_.error("bodies." + name,
                         fmt::format("'{}' is the name of a body and begins another", prefix),
                         "rename one of them");
    }
  }

  // By code, so that mistakes are those of a program.
  void check_carrier(const Body& body, const std::string& path) {
    const Carrier& carrier = *body.carrier;
    const bool planar = description_.space == Space::planar;
    if (planar ? carrier.planar == nullptr : carrier.spatial == nullptr) {
      diagnostics_.error(path,
                         fmt::format("the carrier has no {} frame", planar ? "planar" : "spatial"),
                         "give the frame of the model's space");
    }
    for (const std::string& name : carrier.bodies) {
      const auto found = bodies_.find(name);
      if (found == bodies_.end() || found->second->carrier) {
        diagnostics_.error(path, fmt::format("'{}' cannot carry it", name),
                           "name bodies that are not carried themselves");
      }
    }
    for (const std::string& name : carrier.amplitudes) {
      if (is_amplitudes(name)) continue;
      diagnostics_.error(path, fmt::format("there are no amplitudes '{}'", name),
                         "add them to the description");
    }
    if (!(body.mass.mass >= 0.0)) {
      diagnostics_.error(path + ".mass", fmt::format("mass is {:g} kg", body.mass.mass),
                         "give a mass of at least zero");
    }
  }

  // By code, as carriers are.
  void check_placed(const PlacedElement& element) {
    const std::string path = "elements." + element.name;
    const bool planar = description_.space == Space::planar;
    if (planar ? element.planar == nullptr : element.spatial == nullptr) {
      diagnostics_.error(path, fmt::format("it is no {} element", planar ? "planar" : "spatial"),
                         "give the element of the model's space");
    }
    for (const std::string& name : element.bodies) {
      if (bodies_.contains(name)) continue;
      diagnostics_.error(path, fmt::format("there is no body '{}'", name), "name a body");
    }
    for (const std::string& name : element.amplitudes) {
      if (is_amplitudes(name)) continue;
      diagnostics_.error(path, fmt::format("there are no amplitudes '{}'", name),
                         "add them to the description");
    }
  }

  // Elements over several nodes bring masses of their own.
  bool has_element(const std::string& body) const {
    if (held_.contains(body)) return true;
    return std::any_of(
        description_.forces.begin(), description_.forces.end(), [&](const Item& item) {
          const ForceKind* kind = find_force_kind(description_.space, item.type);
          return kind != nullptr && is_element(*kind) &&
                 std::any_of(item.attachments.begin(), item.attachments.end(),
                             [&](const std::string& end) { return split(end).body == body; });
        });
  }

  bool is_amplitudes(const std::string& name) const { return amplitudes_.contains(name); }

  void check_body(const Body& body) {
    const std::string path = "bodies." + body.name;
    if (body.carrier) {
      check_carrier(body, path);
    } else if (body.mass.mass == 0.0 && has_element(body.name)) {
      // What it has is brought by elements.
    } else if (body.kind == BodyKind::point) {
      if (!(body.mass.mass > 0.0) || !std::isfinite(body.mass.mass)) {
        diagnostics_.error(path + ".mass", fmt::format("mass is {:g} kg", body.mass.mass),
                           "give a mass above zero");
      }
    } else {
      check_inertia(body, path);
    }
    const bool center_checked =
        body.kind == BodyKind::rigid && description_.space == Space::spatial;
    if (!center_checked && !body.mass.center.allFinite()) {
      diagnostics_.error(path + ".center", "the centre of mass is not finite",
                         "give finite coordinates in the body frame");
    }
    if (!body.position.allFinite() || !body.velocity.allFinite() ||
        !body.angular_velocity.allFinite() || !body.orientation.coeffs().allFinite() ||
        !std::isfinite(body.angle)) {
      diagnostics_.error(path, "an initial value is not finite", "give finite numbers");
    } else if (body.orientation.norm() == 0.0) {
      diagnostics_.error(path, "the orientation is no rotation: all its parameters are zero",
                         "give a unit quaternion");
    } else if (!(body.stated_turn.stableNorm() <=
                 largest_stated_turn)) {  // turns are followed one by one
      diagnostics_.error(path + ".orientation",
                         fmt::format("the body is turned by {:g} rad, more than a thousand times "
                                     "round",
                                     body.stated_turn.stableNorm()),
                         "leave whole turns out of its angle");
    }
    check_frames(body.frames, path);
    for (const Frame& frame : body.frames) {
      if (frame.name.find('.') == std::string::npos) continue;
      diagnostics_.error(path + ".frames." + frame.name,
                         fmt::format("'{}' cannot be the name of a body's frame", frame.name),
                         "use a word without dots");
    }
  }

  Attachment split(std::string_view attachment) const {
    return split_attachment(attachment,
                            [&](std::string_view name) { return bodies_.contains(name); });
  }

  void check_frames(const std::vector<Frame>& frames, const std::string& owner) {
    std::set<std::string> names;
    for (const Frame& frame : frames) {
      const std::string path = owner + ".frames." + frame.name;
      if (!names.insert(frame.name).second) {
        diagnostics_.error(path, fmt::format("frame '{}' is defined twice", frame.name),
                           "rename one of them");
      }
      if (!frame.position.allFinite() || !frame.rotation.coeffs().allFinite()) {
        diagnostics_.error(path, "position or orientation is not finite", "give finite numbers");
      } else if (std::abs(frame.rotation.norm() - 1.0) > 1e-6) {
        diagnostics_.error(
            path, fmt::format("the rotation's quaternion has length {:g}", frame.rotation.norm()),
            "give a unit quaternion");
      }
    }
  }

  void check_inertia(const Body& body, const std::string& path) {
    if (description_.space == Space::spatial) {
      math::check_mass_properties(body.mass, math::InertiaDemand::positive_semidefinite, path,
                                  diagnostics_);
      return;
    }
    const math::PlanarMassProperties planar = math::planar(body.mass);
    if (!(planar.mass > 0.0) || !std::isfinite(planar.mass)) {
      diagnostics_.error(path + ".mass", fmt::format("mass is {:g} kg", planar.mass),
                         "give a mass above zero");
    }
    if (!(planar.inertia >= 0.0) || !std::isfinite(planar.inertia)) {
      diagnostics_.error(
          path + ".inertia", fmt::format("inertia about z is {:g} kg m^2", planar.inertia),
          "give a value above zero (0 where the joints hold its turn), or make the body a point "
          "mass (kind: point)");
    }
  }

  void check_joint(Item& item) {
    const std::string path = "joints." + item.name;
    const JointKind* kind = find_joint_kind(description_.space, item.type);
    if (kind == nullptr) {
      unknown_type(path, item.type, kind_names(joint_kinds(), description_.space),
                   find_joint_kind(other_space(), item.type) != nullptr);
      return;
    }
    check_values(kind->fields, description_.space, path, item.values, diagnostics_);
    check_attachments(item, path, 2);
  }

  void check_force(Item& item) {
    const std::string path = "forces." + item.name;
    const ForceKind* kind = find_force_kind(description_.space, item.type);
    if (kind == nullptr) {
      unknown_type(path, item.type, kind_names(force_kinds(), description_.space),
                   find_force_kind(other_space(), item.type) != nullptr);
      return;
    }
    check_values(kind->fields, description_.space, path, item.values, diagnostics_);
    if (kind->attachments > 0) {
      check_attachments(item, path, static_cast<std::size_t>(kind->attachments), false,
                        is_element(*kind));
    }
  }

  // Elements stand between frames of bodies and internal nodes.
  void check_connection(Connection& connection) {
    const std::string path = "connections." + connection.name;
    std::set<std::string> names;
    for (const InternalNode& node : connection.nodes) {
      if (!names.insert(node.name).second || bodies_.contains(node.name)) {
        diagnostics_.error(path + ".nodes." + node.name,
                           fmt::format("the name '{}' is used twice", node.name),
                           "nodes need names of their own, other than those of bodies");
      }
      if (!node.position.allFinite() || !node.force.allFinite()) {
        diagnostics_.error(path + ".nodes." + node.name, "position or force is not finite",
                           "give finite numbers");
      }
    }
    const bool kinematic =
        !connection.elements.empty() &&
        find_joint_kind(description_.space, connection.elements.front().type) != nullptr;
    if (connection.elements.empty()) {
      diagnostics_.error(path + ".elements", "the connection has no elements",
                         "give springs, beams and bushings, or joints");
    }
    for (Item& item : connection.elements) {
      check_element(item, path + ".elements." + item.name, kinematic, connection.nodes);
    }
    for (const InternalNode& node : connection.nodes) {
      const bool used = std::any_of(
          connection.elements.begin(), connection.elements.end(), [&](const Item& item) {
            const auto& ends = item.attachments;
            return ends.empty() || std::find(ends.begin(), ends.end(), node.name) != ends.end();
          });
      if (used) continue;
      diagnostics_.error(path + ".nodes." + node.name,
                         fmt::format("no element holds the internal node '{}'", node.name),
                         "attach elements to it, or leave it out");
    }
  }

  void check_element(Item& item,
                     const std::string& path,
                     bool kinematic,
                     const std::vector<InternalNode>& nodes) {
    const ElementKind kind = element_kind(description_.space, item.type, kinematic);
    if (kind.fields == nullptr) {
      diagnostics_.error(path + ".type",
                         fmt::format("'{}' cannot be an element of {} connection", item.type,
                                     kinematic ? "a kinematic" : "an energetic"),
                         core::suggestion(item.type, element_kinds(description_.space, kinematic)));
      return;
    }
    check_values(*kind.fields, description_.space, path, item.values, diagnostics_);
    const std::set<std::string> ends(item.attachments.begin(), item.attachments.end());
    if (item.attachments.size() != kind.attachments || ends.size() != kind.attachments) {
      if (kind.attachments == 1) {
        diagnostics_.error(path + ".on", fmt::format("'{}' acts on one node", item.type),
                           "name an internal node, e.g. on: middle");
        return;
      }
      diagnostics_.error(
          path + ".between",
          kind.attachments == 0
              ? fmt::format("'{}' acts along a coordinate, not between frames", item.type)
              : fmt::format("an element needs {} different endpoints",
                            kind.attachments == 2 ? "two" : std::to_string(kind.attachments)),
          kind.attachments == 0
              ? "leave out 'between' and name a sensor as its coordinate"
              : "name frames of bodies or internal nodes, e.g. [ground.hook, middle]");
      return;
    }
    for (const std::string& name : item.attachments) {
      const bool internal = std::any_of(
          nodes.begin(), nodes.end(), [&](const InternalNode& node) { return node.name == name; });
      if (!internal) check_attachment(name, path + (kind.attachments == 1 ? ".on" : ".between"));
    }
  }

  template <class Kind>
  bool check_kind(const std::string& path,
                  Item& item,
                  const Kind* kind,
                  const std::vector<Kind>& kinds) {
    if (kind == nullptr) {
      std::vector<std::string> names;
      for (const Kind& known : kinds) names.push_back(known.name);
      diagnostics_.error(path + ".type", fmt::format("unknown type '{}'", item.type),
                         kind_suggestion(item.type, names));
      return false;
    }
    check_values(kind->fields, description_.space, path, item.values, diagnostics_);
    return true;
  }

  void check_sensor(Item& item) {
    const std::string path = "sensors." + item.name;
    const SensorKind* kind = find_sensor_kind(description_.space, item.type);
    if (check_kind(path, item, kind, sensor_kinds()) && kind->attachments > 0) {
      check_attachments(item, path, static_cast<std::size_t>(kind->attachments), true);
    }
  }

  Space other_space() const {
    return description_.space == Space::planar ? Space::spatial : Space::planar;
  }

  void unknown_type(const std::string& path,
                    const std::string& type,
                    const std::vector<std::string>& known,
                    bool in_other_space) {
    const std::string space = to_string(description_.space);
    if (in_other_space) {
      diagnostics_.error(path + ".type",
                         fmt::format("'{}' does not exist in {} models", type, space),
                         core::suggestion("", known));
    } else {
      diagnostics_.error(path + ".type", fmt::format("unknown type '{}'", type),
                         kind_suggestion(type, known));
    }
  }

  void check_attachments(const Item& item,
                         const std::string& path,
                         std::size_t count,
                         bool internal_too = false,
                         bool amplitudes_too = false) {
    const std::string key = path + (count == 1 ? ".on" : ".between");
    if (item.at && !item.at->allFinite()) {
      diagnostics_.error(path + ".at", "the point is not finite", "give finite numbers");
    }
    if (item.attachments.size() != count) {
      diagnostics_.error(key, fmt::format("{} attachments are given", item.attachments.size()),
                         count == 1   ? "name one frame, e.g. on: crank.tip"
                         : count == 2 ? "name two frames, e.g. between: [ground, crank.tip]"
                                      : fmt::format("name {} frames", count));
      return;
    }
    bool known = true;
    for (const std::string& attachment : item.attachments) {
      const bool other = (internal_too && internal_nodes_.contains(attachment)) ||
                         (amplitudes_too && is_amplitudes(attachment));
      known &= other || check_attachment(attachment, key);
      if (other) count = 0;
    }
    if (known && item.at) check_place(item, path);
    if (!known || count != 2) return;
    const std::string_view first = split(item.attachments[0]).body;
    if (first == split(item.attachments[1]).body) {
      diagnostics_.error(key, fmt::format("both attachments are on '{}'", first),
                         "connect two different bodies");
    }
  }

  // `at` makes frames of its own: a frame that is named beside it would be passed over in silence.
  void check_place(const Item& item, const std::string& path) {
    for (const std::string& attachment : item.attachments) {
      const Attachment parts = split(attachment);
      if (!parts.frame) continue;
      diagnostics_.error(
          path + ".at", fmt::format("'at' makes frames of its own, and '{}' names one", attachment),
          fmt::format("leave out 'at' to use the frame, or name the body alone: '{}'", parts.body));
      return;
    }
  }

  // Looks for a near name while that is quick: not in huge models, and not thousands of times.
  template <class Named>
  std::string suggested(const std::string& name,
                        std::vector<std::string> known,
                        const std::vector<Named>& things,
                        const char* otherwise) {
    constexpr std::size_t most_names = 2000;
    constexpr int most_times = 200;
    if (++suggestions_ > most_times) return otherwise;
    for (const Named& thing : things) {
      if (known.size() <= most_names) known.push_back(thing.name);
    }
    return core::suggestion(name, known);
  }

  bool is_flexible(const std::string& name) const {
    return std::any_of(description_.flexible_bodies.begin(), description_.flexible_bodies.end(),
                       [&](const FlexibleBody& body) { return body.name == name; });
  }

  // Of a flexible body, whose nodes and frames are the bodies to attach to.
  void tell_parts(const std::string& name, const std::string& attachment, const std::string& path) {
    std::vector<std::string> parts;
    for (const Body& body : description_.bodies) {
      if (body.part_of != name) continue;
      if (!is_drawn_name(std::string_view(body.name).substr(name.size() + 1))) {
        parts.push_back(body.name);
      }
    }
    const std::string message =
        attachment == name ? fmt::format("'{}' is a flexible body", name)
                           : fmt::format("the flexible body '{}' has no node or frame '{}'", name,
                                         attachment.substr(name.size() + 1));
    diagnostics_.error(path, message, core::suggestion(attachment, parts));
  }

  bool check_attachment(const std::string& attachment, const std::string& path) {
    const Attachment parts = split(attachment);
    const std::string body_name(parts.body);
    const std::vector<Frame>* frames = &description_.ground_frames;
    if (body_name != "ground") {
      const auto body = bodies_.find(body_name);
      if (body == bodies_.end()) {
        if (is_flexible(body_name)) {
          tell_parts(body_name, attachment, path);
          return false;
        }
        diagnostics_.error(
            path, fmt::format("there is no body '{}'", body_name),
            suggested(body_name, {"ground"}, description_.bodies, "name a body or the ground"));
        return false;
      }
      frames = &body->second->frames;
    }
    if (!parts.frame) return true;
    const std::string frame_name(*parts.frame);
    if (frames == &description_.ground_frames) {
      if (ground_frames_.contains(frame_name)) return true;
    } else if (std::any_of(frames->begin(), frames->end(),
                           [&](const Frame& frame) { return frame.name == frame_name; })) {
      return true;
    }
    diagnostics_.error(path, fmt::format("'{}' has no frame '{}'", body_name, frame_name),
                       suggested(frame_name, {}, *frames, "name one of its frames"));
    return false;
  }

  // Bodies that a value names, or whose coordinates it names: "block.position.x", alone, in a list
  // or in a formula.
  void touch_named_bodies(const Value& value, std::unordered_set<std::string_view>& touched) {
    const auto touch = [&](const std::string& text) {
      for (const std::string_view name : expression::names_in(text)) {
        if (const auto whole = bodies_.find(name); whole != bodies_.end()) {
          touched.insert(whole->second->name);
        }
        for (auto dot = name.find('.'); dot != std::string_view::npos;
             dot = name.find('.', dot + 1)) {
          const auto body = bodies_.find(name.substr(0, dot));
          if (body != bodies_.end()) touched.insert(body->second->name);
        }
      }
    };
    if (const auto* text = std::get_if<std::string>(&value)) touch(*text);
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
      for (const std::string& text : *list) touch(text);
    }
  }

  // Fields act on the bodies that they name, and on all when they name none.
  bool acts_on_all(const Item& item) const {
    const ForceKind* kind = find_force_kind(description_.space, item.type);
    return kind != nullptr && !has(item.values, "bodies") &&
           std::any_of(kind->fields.begin(), kind->fields.end(),
                       [](const Field& field) { return field.name == "bodies"; });
  }

  // A body that no joint and no force touches is legal (it falls freely) but rarely meant.
  void check_connections() {
    if (description_.bodies.size() < 2) return;
    const auto& forces = description_.forces;
    if (std::any_of(forces.begin(), forces.end(),
                    [this](const Item& item) { return acts_on_all(item); })) {
      return;
    }
    std::unordered_set<std::string_view> touched;
    for (const auto* items : {&description_.joints, &description_.forces}) {
      for (const Item& item : *items) {
        for (const std::string& a : item.attachments) touched.insert(split(a).body);
      }
    }
    for (const Connection& connection : description_.connections) {
      for (const Item& item : connection.elements) {
        for (const std::string& a : item.attachments) touched.insert(split(a).body);
      }
    }
    for (const Item& sensor : description_.sensors) {
      for (const std::string& a : sensor.attachments) touched.insert(split(a).body);
    }
    for (const auto* items :
         {&description_.couplings, &description_.drives, &description_.forces}) {
      for (const Item& item : *items) {
        for (const auto& [name, value] : item.values) touch_named_bodies(value, touched);
      }
    }
    for (const Body& body : description_.bodies) {
      if (!touched.contains(body.name) && body.part_of.empty()) {
        diagnostics_.warning("bodies." + body.name, "no joint or force touches this body",
                             "it moves freely; connect it if that is not meant");
      }
    }
  }

  void check_simulation() {
    const SimulationSettings& s = description_.simulation;
    const auto positive = [&](double value, const char* name) {
      if (!(value > 0.0) || !std::isfinite(value)) {
        diagnostics_.error(fmt::format("simulation.{}", name),
                           fmt::format("{} is {:g} s", name, value), "give a time above zero");
      }
    };
    positive(s.until, "until");
    positive(s.step, "step");
    if (s.output_step < 0.0 || !std::isfinite(s.output_step)) {
      diagnostics_.error("simulation.output_step",
                         fmt::format("output_step is {:g} s", s.output_step),
                         "give a time above zero, or leave it out to record every step");
    }
  }

  Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, const Body*> bodies_;  // by name
  std::unordered_set<std::string_view> ground_frames_;
  std::unordered_set<std::string> internal_nodes_;  // "mount.hub"
  std::unordered_set<std::string_view> held_;       // bodies that elements stand on
  std::unordered_set<std::string_view> amplitudes_;
  int suggestions_ = 0;
};

}  // namespace

void check(Description& description, core::Diagnostics& diagnostics) {
  Checker(description, diagnostics).run();
}

}  // namespace trammel::model
