#include "trammel/model/mechanism.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <Eigen/Eigenvalues>

#include "trammel/core/names.h"
#include "trammel/model/forces/distributed_load.h"
#include "trammel/model/formula_warnings.h"
#include "trammel/model/frames/carried_nodes.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism_parts.h"

namespace trammel::model {
namespace {

double inertia_of(const math::MassProperties& mass, const Planar&) {
  return mass.inertia(2, 2);
}
Eigen::Matrix3d inertia_of(const math::MassProperties& mass, const Spatial&) {
  return mass.inertia;
}

FreedomBlock block_of(bool is_point, const Planar&) {
  return {.translations = 2, .rotations = is_point ? 0 : 1};
}
FreedomBlock block_of(bool is_point, const Spatial&) {
  if (is_point) return {.translations = 3};
  return {.translations = 3, .rotations = 3, .manifold = Manifold::spatial_pose};
}

void set_inertia(const Eigen::Matrix<double, 1, 1>& inertia, Node<Planar>& node) {
  node.inertia = inertia(0, 0);
}
void set_inertia(const Eigen::Matrix3d& inertia, Node<Spatial>& node) {
  node.inertia = inertia;
}

Eigen::Matrix2d axes_of(const Eigen::Quaterniond& rotation, const Planar&) {
  return rotation.toRotationMatrix().topLeftCorner<2, 2>();
}
Eigen::Matrix3d axes_of(const Eigen::Quaterniond& rotation, const Spatial&) {
  return rotation.toRotationMatrix();
}

void write_state(const Body& body,
                 const Planar::Kinematics& k,
                 const Node<Planar>& node,
                 system::State& state) {
  state.q.segment<2>(node.q) = k.p;
  state.v.segment<2>(node.v) = k.v;
  if (body.kind == BodyKind::point) return;
  state.q[node.q + 2] = k.angle;
  state.v[node.v + 2] = k.w;
}

void write_state(const Body& body,
                 const Spatial::Kinematics& k,
                 const Node<Spatial>& node,
                 system::State& state) {
  state.q.segment<3>(node.q) = k.p;
  state.v.segment<3>(node.v) = k.v;
  if (body.kind == BodyKind::point) return;
  const Eigen::Quaterniond orientation = body.orientation.normalized();
  state.q.segment<4>(node.q + 3) << orientation.w(), orientation.vec();
  state.v.segment<3>(node.v + 3) = k.w;
}

template <class S>
class Builder {
 public:
  Builder(const Description& description, std::vector<core::Diagnostic>& warnings)
      : description_(description), warnings_(warnings) {}

  std::shared_ptr<const Mechanism<S>> build() {
    mechanism_->name = description_.name;
    mechanism_->gravity = point<S>(description_.gravity);
    add_nodes();
    describe_state();
    mechanism_->joints.reserve(description_.joints.size());
    for (const Item& item : description_.joints) {
      joint_of_.emplace(item.name, mechanism_->joints.size());
      add_joint(item);
    }
    mechanism_->constraints.shrink_to_fit();
    mechanism_->first_row.shrink_to_fit();
    place_elements(description_, *mechanism_);
    for (const Item& item : description_.forces) add_force(item);
    build_connections<S>(
        description_,
        [this](const Item& item, std::size_t number) { return attachment(item, number); },
        kinematics_, *mechanism_);
    add_formulas();
    finish_connections(kinematics_, *mechanism_);
    place_velocity_rows();
    set_scale();
    for (Node<S>& node : mechanism_->nodes) stand_in_for_inertia(node);
    build_pattern(*mechanism_);
    return mechanism_;
  }

 private:
  void add_nodes() {
    Mechanism<S>& m = *mechanism_;
    m.nodes.reserve(description_.bodies.size() + 1);
    m.freedoms.reserve(description_.bodies.size());
    m.nodes.push_back(Node<S>{.name = "ground"});
    kinematics_.emplace_back();
    for (const Frame& frame : description_.ground_frames)
      ground_frames_.emplace(frame.name, &frame);
    for (const Body& body : description_.bodies) {
      const bool is_point = body.kind == BodyKind::point;
      Node<S> node;
      node.name = body.name;
      if (body.carrier) {
        node.q = -1;
      } else {
        const FreedomBlock& block = m.freedoms.add(block_of(is_point, S{}));
        node.q = block.q;
        node.v = block.v;
      }
      node.freedoms = is_point ? S::dimension : S::freedoms;
      node.mass = body.mass.mass;
      node.origin = -point<S>(body.mass.center);
      node.inertia = inertia_of(body.mass, S{});
      node_of_[body.name] = static_cast<int>(m.nodes.size());
      m.nodes.push_back(node);
      kinematics_.push_back(described_kinematics(body, S{}));
    }
    for (const Amplitudes& set : description_.amplitudes) {
      const int count = static_cast<int>(set.value.size());
      const FreedomBlock& block = m.freedoms.add({.numbers = count});
      m.amplitudes.push_back({set.name, {block.q, block.v, count}, set.units});
    }
    m.sizes.q = m.freedoms.coordinates();
    m.sizes.v = m.freedoms.velocities();
    place_carried_nodes(description_, m);
  }

  void describe_state() {
    Mechanism<S>& m = *mechanism_;
    m.described.q.setZero(m.sizes.q);
    m.described.v.setZero(m.sizes.v);
    m.fixed_positions.assign(static_cast<std::size_t>(m.sizes.v), false);
    m.fixed_velocities.assign(static_cast<std::size_t>(m.sizes.v), false);
    m.stated_positions = m.fixed_positions;
    m.stated_velocities = m.fixed_velocities;
    for (std::size_t i = 0; i < description_.bodies.size(); ++i) {
      const Body& body = description_.bodies[i];
      const Node<S>& node = m.nodes[i + 1];
      if (node.is_carried()) continue;
      write_state(body, kinematics_[i + 1], node, m.described);
      for (int k = 0; k < node.freedoms; ++k) {
        // Planar freedoms are x, y and the angle, which is the last of the six flags.
        const bool turn = k >= S::dimension;
        const auto flag = static_cast<std::size_t>(!turn ? k : (S::dimension == 2 ? 5 : k));
        const auto freedom = static_cast<std::size_t>(node.v + k);
        m.fixed_positions[freedom] = body.fixed_pose[flag];
        m.fixed_velocities[freedom] = body.fixed_velocity[flag];
        m.stated_positions[freedom] = body.stated_pose[flag] || body.fixed_pose[flag];
        m.stated_velocities[freedom] = body.stated_velocity[flag] || body.fixed_velocity[flag];
      }
    }
    for (std::size_t i = 0; i < description_.amplitudes.size(); ++i) {
      const Footing::Amplitudes& places = m.amplitudes[i].places;
      m.described.q.segment(places.q, places.count) = description_.amplitudes[i].value;
      m.described.v.segment(places.v, places.count) = description_.amplitudes[i].rate;
    }
    carry_nodes(m, m.described, kinematics_);
  }

  // "ground", "crank" or "crank.tip" as a frame on a node; "mount.hub" as an internal node.
  NodeFrame<S> resolve(std::string_view attachment) const {
    if (const int inner = internal_node(attachment); inner >= 0) {
      NodeFrame<S> frame;
      frame.node = inner;
      return frame;
    }
    const Attachment parts = split(attachment);
    NodeFrame<S> frame;
    if (parts.body != "ground") frame.node = node_of_.at(parts.body);
    const Node<S>& node = mechanism_->nodes[static_cast<std::size_t>(frame.node)];
    frame.l = node.origin;
    if (!parts.frame) return frame;
    const Frame& found = frame_of(frame.node, *parts.frame);
    frame.l += point<S>(found.position);
    frame.axes = axes_of(found.rotation, S{});
    frame.turn = found.stated_turn.tail<S::rotations>();
    return frame;
  }

  // Connections add theirs one after the other; -1: none has that name.
  int internal_node(std::string_view name) const {
    const std::vector<std::string>& internal = mechanism_->internal_nodes;
    for (std::size_t i = internal_node_of_.size(); i < internal.size(); ++i) {
      internal_node_of_.emplace(internal[i], static_cast<int>(mechanism_->nodes.size() + i));
    }
    if (internal.empty()) return -1;
    const auto found = internal_node_of_.find(std::string(name));
    return found == internal_node_of_.end() ? -1 : found->second;
  }

  Attachment split(std::string_view attachment) const {
    return split_attachment(attachment,
                            [&](std::string_view name) { return node_of_.contains(name); });
  }

  // The ground may have a frame for each of many instances; bodies have a few.
  const Frame& frame_of(int node, std::string_view name) const {
    if (node == 0) return *ground_frames_.at(name);
    const auto& frames = description_.bodies[static_cast<std::size_t>(node) - 1].frames;
    return *std::find_if(frames.begin(), frames.end(),
                         [&](const Frame& frame) { return frame.name == name; });
  }

  // A frame at a world point of the described configuration, with world axes.
  NodeFrame<S> frame_at(const std::string& attachment, const Eigen::Vector3d& at) const {
    NodeFrame<S> frame = resolve(split(attachment).body);
    const auto& k = kinematics_[static_cast<std::size_t>(frame.node)];
    frame.l = k.R.transpose() * (point<S>(at) - k.p);
    frame.axes = k.R.transpose();
    if (frame.node > 0 && frame.node < static_cast<int>(mechanism_->nodes.size())) {
      const Body& body = description_.bodies[static_cast<std::size_t>(frame.node) - 1];
      const Eigen::Vector3d turn = stated_turn(body, S::space);
      frame.turn = -turn.tail<S::rotations>();
    }
    return frame;
  }

  NodeFrame<S> attachment(const Item& item, std::size_t number) const {
    return item.at ? frame_at(item.attachments[number], *item.at)
                   : resolve(item.attachments[number]);
  }

  void add_joint(const Item& item) {
    Mechanism<S>& m = *mechanism_;
    const JointKind* kind = find_joint_kind(S::space, item.type);
    const NodeFrame<S> a = attachment(item, 0);
    const NodeFrame<S> b = attachment(item, 1);
    JointAssembly<S> assembly(a, b, kinematics_[static_cast<std::size_t>(a.node)],
                              kinematics_[static_cast<std::size_t>(b.node)]);
    try {
      build_joint<S>(*kind, with_parameters(*kind, item.values, description_), assembly);
    } catch (const core::InputError& error) {
      throw_under("joints." + item.name, error);
    }

    append_joint(item.name, kind->name, std::move(assembly), m);
  }

  void add_formulas() {
    for (const MechanismJoint<S>& joint : mechanism_->joints) {
      for (const auto& named : joint.coordinates)
        mechanism_->joint_turns += named.coordinate->wraps();
    }
    mechanism_->described_turns =
        described_angles(stated_turns(description_, *mechanism_), *mechanism_, kinematics_);
    const Description& d = description_;
    if (d.couplings.empty() && d.drives.empty() && d.sensors.empty() && d.states.empty() &&
        std::none_of(d.forces.begin(), d.forces.end(),
                     [](const Item& item) { return is_active<S>(item); }) &&
        std::all_of(d.elements.begin(), d.elements.end(),
                    [](const PlacedElement& element) { return element.factor.empty(); }) &&
        mechanism_->connections.empty()) {
      return;
    }
    build_formulas<S>(
        d, [this](const std::string& name) { return resolve(name); },
        [this](const Item& item, std::size_t number) { return attachment(item, number); },
        kinematics_, *mechanism_, warnings_);
    find_timed_formulas(*mechanism_);
  }

  // Nonholonomic rows come after all holonomic ones; so far they are counted from zero.
  void place_velocity_rows() {
    Mechanism<S>& m = *mechanism_;
    for (std::size_t c = 0; c < m.constraints.size(); ++c) {
      if (!m.constraints[c]->holonomic()) m.first_row[c] += m.sizes.holonomic;
    }
    for (MechanismJoint<S>& joint : m.joints) joint.first_velocity_row += m.sizes.holonomic;
    for (NamedRelation<S>& named : m.relations) {
      if (named.relation.level() == RelationLevel::velocity) named.row += m.sizes.holonomic;
    }
  }

  void add_force(const Item& item) {
    const ForceKind* kind = find_force_kind(S::space, item.type);
    if (kind->laws != nullptr) return;  // see add_formulas
    if (kind->constraint_dependent) return add_joint_friction(item);
    if (has_element<S>(*kind)) return add_element(*kind, item);
    const bool single = kind->attachments == 1;
    const NodeFrame<S> a = single ? NodeFrame<S>{} : attachment(item, 0);
    const NodeFrame<S> b = attachment(item, single ? 0 : 1);
    try {
      auto force = build_force<S>(*kind, item.values, a, b);
      const std::size_t channels = force->quantities().size();
      mechanism_->forces.push_back({item.name, std::move(force), channels});
    } catch (const core::InputError& error) {
      throw_under("forces." + item.name, error);
    }
  }

  void add_element(const ForceKind& kind, const Item& item) {
    ElementSite<S> site;
    std::vector<int> nodes;
    std::vector<Footing::Amplitudes> amplitudes;
    for (std::size_t i = 0; i < item.attachments.size(); ++i) {
      if (const Footing::Amplitudes* set = find_amplitudes(*mechanism_, item.attachments[i])) {
        site.amplitudes.push_back(set->count);
        amplitudes.push_back(*set);
        continue;
      }
      site.frames.push_back(attachment(item, i));
      nodes.push_back(site.frames.back().node);
    }
    try {
      NamedElement<S> named{.name = item.name,
                            .element = build_element<S>(kind, item.values, site)};
      named.footing = footing_on(nodes, std::move(amplitudes), *mechanism_);
      named.channels = named.element->quantities().size();
      mechanism_->elements.push_back(std::move(named));
    } catch (const core::InputError& error) {
      throw_under("forces." + item.name, error);
    }
  }

  void add_joint_friction(const Item& item) {
    Mechanism<S>& m = *mechanism_;
    const std::string path = "forces." + item.name;
    const std::string& name = text(item.values, "coordinate");
    const auto [j, named] = joint_coordinate(name);
    if (named == nullptr) {
      throw core::InputError(
          {core::Diagnostic{.path = path + ".coordinate",
                            .message = "there is no joint coordinate '" + name + "'",
                            .remedy = core::suggestion(name, joint_coordinates())}});
    }
    const MechanismJoint<S>& joint = m.joints[j];
    NamedJointFriction<S> friction{.name = item.name, .joint = j};
    friction.coordinate = named->coordinate;
    friction.unit = std::string_view(named->unit) == "rad" ? "N m" : "N";
    friction.nodes.add(joint.a.node);
    friction.nodes.add(joint.b.node);
    try {
      friction.parameters = JointFrictionParameters::from(item.values);
    } catch (const core::InputError& error) {
      throw_under(path, error);
    }
    if (friction.parameters.sticks) friction.row = m.sizes.holonomic++;
    m.joint_frictions.push_back(std::move(friction));
  }

  using JointCoordinate = typename JointAssembly<S>::NamedCoordinate;

  // "pin.angle" as the number of the joint and its coordinate; null when there is none. Names of
  // joints may have dots of their own.
  std::pair<std::size_t, const JointCoordinate*> joint_coordinate(std::string_view name) const {
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
         dot = name.find('.', dot + 1)) {
      const auto joint = joint_of_.find(name.substr(0, dot));
      if (joint == joint_of_.end()) continue;
      for (const JointCoordinate& named : mechanism_->joints[joint->second].coordinates) {
        if (name.substr(dot + 1) == named.name) return {joint->second, &named};
      }
    }
    return {0, nullptr};
  }

  std::vector<std::string> joint_coordinates() const {
    std::vector<std::string> known;
    for (const MechanismJoint<S>& joint : mechanism_->joints) {
      for (const auto& named : joint.coordinates) known.push_back(joint.name + "." + named.name);
    }
    return known;
  }

  // Convergence is judged against the extent of the described model and one radian.
  void set_scale() {
    Mechanism<S>& m = *mechanism_;
    typename S::Point low = S::Point::Zero();
    typename S::Point high = S::Point::Zero();
    bool first = true;
    const auto include = [&](const typename S::Point& p) {
      low = first ? p : typename S::Point(low.cwiseMin(p));
      high = first ? p : typename S::Point(high.cwiseMax(p));
      first = false;
    };
    for (std::size_t i = 1; i < m.nodes.size(); ++i) include(kinematics_[i].p);
    for (const MechanismJoint<S>& joint : m.joints) {
      for (const NodeFrame<S>& frame : {joint.a, joint.b}) {
        const auto& k = kinematics_[static_cast<std::size_t>(frame.node)];
        include(k.p + k.R * frame.l);
      }
    }
    const double extent = (high - low).norm();
    m.size = extent > 0.0 ? extent : 1.0;
    m.displacement_scale.setOnes(m.sizes.v);
    for (const Node<S>& node : m.nodes) {
      if (node.is_carried()) continue;
      for (int k = 0; k < std::min(node.freedoms, S::dimension); ++k) {
        m.displacement_scale[node.v + k] = m.size;
      }
    }
    for (const NamedAmplitudes& set : m.amplitudes) {
      for (int k = 0; k < set.places.count; ++k) {
        if (set.unit(k) == "m") m.displacement_scale[set.places.v + k] = m.size;
      }
    }
  }

  // The mass matrix stays positive definite, whatever the order of elimination.
  void stand_in_for_inertia(Node<S>& node) {
    constexpr double share = 1e-12;
    constexpr double none = 1e-12;  // of the largest moment, as in math::check_mass_properties()
    if (node.freedoms < S::freedoms || node.is_carried()) return;
    if (node.mass == 0.0) return;  // what it has is brought by elements
    Eigen::Matrix<double, S::rotations, S::rotations> inertia;
    inertia << node.inertia;
    const Eigen::SelfAdjointEigenSolver<decltype(inertia)> principal(inertia);
    const double largest = principal.eigenvalues().maxCoeff();
    const double stand_in = share * node.mass * mechanism_->size * mechanism_->size;
    for (int i = 0; i < S::rotations; ++i) {
      if (principal.eigenvalues()[i] > none * largest) continue;
      const Eigen::Matrix<double, S::rotations, 1> axis = principal.eigenvectors().col(i);
      inertia += stand_in * axis * axis.transpose();
      mechanism_->massless_turns.push_back({node.name, node.v + S::dimension, axis, stand_in});
    }
    set_inertia(inertia, node);
  }

  const Description& description_;
  std::vector<core::Diagnostic>& warnings_;
  std::shared_ptr<Mechanism<S>> mechanism_ = std::make_shared<Mechanism<S>>();
  std::vector<typename S::Kinematics> kinematics_;  ///< described, per node
  std::unordered_map<std::string_view, int> node_of_;
  mutable std::unordered_map<std::string, int> internal_node_of_;  ///< of those seen so far
  std::unordered_map<std::string_view, std::size_t> joint_of_;
  std::unordered_map<std::string_view, const Frame*> ground_frames_;
};

template <class T>
std::size_t bytes(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

template <class S>
std::shared_ptr<const Mechanism<S>> built(const Description& description,
                                          std::vector<core::Diagnostic>& warnings) {
  if (!has_distributed_loads(description)) return Builder<S>(description, warnings).build();
  Description placed = description;
  place_load_points(placed);
  return Builder<S>(placed, warnings).build();
}

}  // namespace

template <class S>
std::shared_ptr<const Mechanism<S>> build_mechanism(const Description& description) {
  std::vector<core::Diagnostic> warnings;
  return built<S>(description, warnings);
}

std::vector<core::Diagnostic> formula_warnings(const Description& description) {
  std::vector<core::Diagnostic> warnings;
  if (description.space == Space::planar) {
    built<Planar>(description, warnings);
  } else {
    built<Spatial>(description, warnings);
  }
  return warnings;
}

template <class S>
std::size_t Mechanism<S>::memory_bytes() const {
  // Primitives are small objects on the heap; their size is bounded by the largest one.
  constexpr std::size_t primitive = 112;
  return bytes(nodes) + freedoms.memory_bytes() + bytes(joints) + bytes(first_row) +
         bytes(constraints) + constraints.size() * primitive + bytes(jacobian_scatter) +
         bytes(first_jacobian) + bytes(stiffness_scatter) + bytes(first_stiffness) +
         bytes(force_scatter) + bytes(pattern->row) + bytes(pattern->column_start) +
         bytes(pattern->diagonal) + bytes(pattern->block_start);
}

template struct Mechanism<Planar>;
template struct Mechanism<Spatial>;
template std::shared_ptr<const Mechanism<Planar>> build_mechanism<Planar>(const Description&);
template std::shared_ptr<const Mechanism<Spatial>> build_mechanism<Spatial>(const Description&);

}  // namespace trammel::model
