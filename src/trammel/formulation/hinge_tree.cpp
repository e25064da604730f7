#include "trammel/formulation/hinge_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/formulation/prescribed_hinges.h"
#include "trammel/model/connections/summary.h"
#include "trammel/model/mechanism_parts.h"

namespace trammel::formulation {
namespace {

using model::Space;
using system::Vector;

// Hinges without a turn of their own keep the described whole turns, or sign of the quaternion.
void keep_turns(const Pose<Planar>& described, Hinge<Planar>& hinge) {
  for (const ElementaryJoint<Planar>& joint : hinge.joints) {
    if (joint.kind == ElementaryKind::turn && hinge.start.empty()) return;
  }
  constexpr double turn = 2.0 * std::numbers::pi;
  std::vector<double> q = hinge.start;
  q.resize(static_cast<std::size_t>(hinge.coordinates()), 0.0);
  const double missing = described.angle - hinge.pose(q.data()).angle;
  hinge.after.angle += turn * std::round(missing / turn);
}

void keep_turns(const Pose<Spatial>& described, Hinge<Spatial>& hinge) {
  for (const ElementaryJoint<Spatial>& joint : hinge.joints) {
    if (joint.kind == ElementaryKind::turn || joint.kind == ElementaryKind::ball) return;
  }
  std::vector<double> q(static_cast<std::size_t>(hinge.coordinates()), 0.0);
  hinge.coordinates_of(described, q.data());
  if (hinge.pose(q.data()).e.dot(described.e) < 0.0) hinge.after.e.coeffs() *= -1.0;
}

template <class S>
class HingeTreeBuilder {
 public:
  HingeTreeBuilder(const model::Description& description,
                   const model::Mechanism<S>& mechanism,
                   const topology::Tree& tree)
      : description_(description), mechanism_(mechanism), tree_(tree) {}

  HingeTree<S> build() {
    result_.nodes.resize(mechanism_.nodes.size());
    for (const topology::Branch& branch : tree_.branches()) add(branch);
    return std::move(result_);
  }

 private:
  Pose<S> described(int node) const {
    const auto index = static_cast<std::size_t>(node);
    return node == 0 ? Pose<S>{} : node_pose(mechanism_.nodes[index], mechanism_.described.q);
  }

  Hinge<S> joint_hinge(std::size_t number) const {
    const model::MechanismJoint<S>& joint = mechanism_.joints[number];
    const Pose<S> nodes = inverse(described(joint.a.node)) * described(joint.b.node);
    if (joint.chain != nullptr) {
      Hinge<S> hinge{*joint.chain};
      keep_turns(nodes, hinge);
      return hinge;
    }
    const model::JointKind& kind = *model::find_joint_kind(S::space, joint.type);
    const model::Values values =
        model::with_parameters(kind, description_.joints[number].values, description_);
    Hinge<S> hinge = hinge_of<S>(kind.allows, {values, joint.a, joint.b, nodes});
    keep_turns(nodes, hinge);
    return hinge;
  }

  void add(const topology::Branch& branch) {
    TreeHinge<S> hinge;
    hinge.node = branch.vertex;
    hinge.parent = branch.parent == 0 ? 0 : tree_.branch(branch.parent).vertex;
    hinge.joint = branch.edge;
    hinge.reversed = branch.reversed;
    const bool rotates =
        mechanism_.nodes[static_cast<std::size_t>(hinge.node)].freedoms == S::freedoms;
    hinge.joint_hinge = branch.edge < 0 ? free_hinge<S>(rotates)
                                        : joint_hinge(static_cast<std::size_t>(branch.edge));
    hinge.hinge = hinge.reversed ? reversed(hinge.joint_hinge) : hinge.joint_hinge;
    hinge.q = result_.coordinates;
    hinge.v = result_.velocities;
    hinge.first_joint = static_cast<int>(result_.joints.size());
    add_joints(hinge);
    hinge.velocities = result_.velocities - hinge.v;
    result_.hinges.push_back(std::move(hinge));
  }

  void add_joints(const TreeHinge<S>& hinge) {
    CarriedNode<S> carrier = result_.nodes[static_cast<std::size_t>(hinge.parent)];
    for (const ElementaryJoint<S>& joint : hinge.hinge.joints) {
      TreeJoint<S> placed{joint, carrier.joint, result_.coordinates, result_.velocities,
                          joint.velocities()};
      placed.elementary.before = carrier.place * joint.before;
      result_.coordinates += joint.coordinates();
      result_.velocities += joint.velocities();
      carrier = {static_cast<int>(result_.joints.size()), {}};
      result_.joints.push_back(placed);
    }
    carrier.place = carrier.place * hinge.hinge.after;
    result_.nodes[static_cast<std::size_t>(hinge.node)] = carrier;
  }

  const model::Description& description_;
  const model::Mechanism<S>& mechanism_;
  const topology::Tree& tree_;
  HingeTree<S> result_;
};

// Turned by more than a right angle.
bool is_flipped(const Pose<Planar>& pose) {
  return std::cos(pose.angle) < 0.0;
}
bool is_flipped(const Pose<Spatial>& pose) {
  return std::abs(pose.e.w()) < std::sqrt(0.5) * pose.e.norm();
}

// Joints whose friction is loaded by their reaction.
std::set<std::string> joints_with_friction(const model::Description& description) {
  std::set<std::string> names;
  for (const model::Item& item : description.forces) {
    const model::ForceKind* kind = model::find_force_kind(description.space, item.type);
    if (kind == nullptr || !kind->constraint_dependent) continue;
    const std::string& coordinate = model::text(item.values, "coordinate");
    names.insert(coordinate.substr(0, coordinate.rfind('.')));
  }
  return names;
}

}  // namespace

template <>
Pose<Planar> node_pose(const model::Node<Planar>& node, const Vector& absolute_q) {
  return {absolute_q.segment<2>(node.q),
          node.freedoms == Planar::freedoms ? absolute_q[node.q + 2] : 0.0};
}

template <>
Pose<Spatial> node_pose(const model::Node<Spatial>& node, const Vector& absolute_q) {
  Pose<Spatial> pose{absolute_q.segment<3>(node.q), Eigen::Quaterniond::Identity()};
  if (node.freedoms == Spatial::freedoms) {
    const double* e = absolute_q.data() + node.q + 3;
    pose.e = Eigen::Quaterniond(e[0], e[1], e[2], e[3]);
  }
  return pose;
}

namespace {

// Why an edge cannot be a hinge of the tree.
std::string no_hinge(const model::Description& description, const topology::Edge& edge) {
  for (const model::Item& item : description.joints) {
    if (item.name != edge.name) continue;
    const model::JointKind* kind = model::find_joint_kind(description.space, item.type);
    return kind->allows.is_chain()
               ? "it is unilateral, on a point mass, or has friction by its load"
               : kind->allows.no_chain();
  }
  return "see what 'trammel check' tells of it";
}

void set_wishes(const model::Description& description, topology::Graph& graph) {
  const model::TreeHints& hints = description.tree;
  const auto edge = [&](const std::string& name) -> topology::Edge& {
    return *std::find_if(graph.edges.begin(), graph.edges.end(),
                         [&](const topology::Edge& each) { return each.name == name; });
  };
  const auto vertex = [&](const std::string& name) {
    return static_cast<int>(
        std::find_if(graph.vertices.begin(), graph.vertices.end(),
                     [&](const topology::Vertex& each) { return each.name == name; }) -
        graph.vertices.begin());
  };
  for (const std::string& name : hints.open) edge(name).wish = topology::Wish::open;
  for (const std::string& name : hints.keep) {
    topology::Edge& kept = edge(name);
    kept.wish = topology::Wish::keep;
    if (kept.has_hinge()) continue;
    throw core::InputError(std::vector<core::Diagnostic>{
        {.path = "tree.keep",
         .message = fmt::format("'{}' cannot be a hinge: {}", name, no_hinge(description, kept)),
         .remedy = "leave it out of 'keep': it closes a loop by constraints"}});
  }
  for (const model::TreeHints::Tie& tie : hints.tie) {
    graph.ties.push_back({vertex(tie.body), vertex(tie.to)});
  }
}

}  // namespace

topology::Graph graph_of(const model::Description& description) {
  const bool planar = description.space == Space::planar;
  topology::Graph graph;
  graph.vertices.push_back({"ground", 0});
  std::map<std::string, int, std::less<>> vertex_of;
  std::vector<bool> is_point{false};
  for (const model::Body& body : description.bodies) {
    const bool point = body.kind == model::BodyKind::point;
    vertex_of[body.name] = static_cast<int>(graph.vertices.size());
    is_point.push_back(point);
    graph.vertices.push_back({body.name, planar
                                             ? (point ? Planar::dimension : Planar::freedoms)
                                             : (point ? Spatial::dimension : Spatial::freedoms)});
  }
  const std::set<std::string> rubbing = joints_with_friction(description);
  const auto vertex = [&](std::string_view attachment) {
    const model::Attachment parts = model::split_attachment(
        attachment, [&](std::string_view name) { return vertex_of.contains(name); });
    return parts.body == "ground" ? 0 : vertex_of.find(parts.body)->second;
  };
  for (const model::Item& item : description.joints) {
    topology::Edge edge{item.name, item.type, vertex(item.attachments[0]),
                        vertex(item.attachments[1])};
    const bool point =
        is_point[static_cast<std::size_t>(edge.a)] || is_point[static_cast<std::size_t>(edge.b)];
    const model::JointKind* kind = model::find_joint_kind(description.space, item.type);
    const bool unilateral =
        model::has(item.values, "unilateral") && model::flag(item.values, "unilateral");
    if (kind->allows.is_chain() && !point && !unilateral && !rubbing.contains(item.name)) {
      edge.coordinates = kind->freedoms;
    }
    edge.rows = (planar ? Planar::freedoms : Spatial::freedoms) - kind->freedoms;
    graph.edges.push_back(std::move(edge));
  }
  for (const model::KinematicReduction& reduction : model::kinematic_reductions(description)) {
    topology::Edge edge{reduction.connection,
                        reduction.joint.empty() ? "connection" : reduction.joint, reduction.node_a,
                        reduction.node_b};
    const bool point =
        is_point[static_cast<std::size_t>(edge.a)] || is_point[static_cast<std::size_t>(edge.b)];
    if (reduction.is_hinge && !point && !rubbing.contains(edge.name)) {
      edge.coordinates = reduction.freedoms;
    }
    edge.rows = reduction.rows + reduction.velocity_rows;
    graph.edges.push_back(std::move(edge));
  }
  set_wishes(description, graph);
  return graph;
}

template <class S>
void HingeTree<S>::coordinates_of(const model::Mechanism<S>& mechanism,
                                  const Vector& absolute_q,
                                  Vector& q) const {
  q.resize(coordinates);
  std::array<double, 8> values{};
  const auto place = [&](int node) {
    return node == 0 ? Pose<S>{}
                     : node_pose(mechanism.nodes[static_cast<std::size_t>(node)], absolute_q);
  };
  for (const TreeHinge<S>& hinge : hinges) {
    const Pose<S> X = inverse(place(hinge.parent)) * place(hinge.node);
    if (hinge.reversed) {
      std::array<double, 8> turned{};
      hinge.joint_hinge.coordinates_of(inverse(X), turned.data());
      reverse_coordinates(hinge.joint_hinge, turned.data(), values.data());
    } else {
      hinge.joint_hinge.coordinates_of(X, values.data());
    }
    const double* value = values.data();
    for (std::size_t k = 0; k < hinge.hinge.joints.size(); ++k) {
      const TreeJoint<S>& joint = joints[static_cast<std::size_t>(hinge.first_joint) + k];
      const int count = joint.elementary.coordinates();
      if (joint.prescribed < 0) std::copy_n(value, count, q.data() + joint.q);
      value += count;
    }
  }
}

template <class S>
const TreeHinge<S>* HingeTree<S>::flipped_hinge(const model::Mechanism<S>& mechanism,
                                                const Vector& absolute_q) const {
  std::array<double, 8> values{};
  const auto place = [&](int node) {
    return node == 0 ? Pose<S>{}
                     : node_pose(mechanism.nodes[static_cast<std::size_t>(node)], absolute_q);
  };
  for (const TreeHinge<S>& hinge : hinges) {
    const Pose<S> forth = inverse(place(hinge.parent)) * place(hinge.node);
    const Pose<S> X = hinge.reversed ? inverse(forth) : forth;
    hinge.joint_hinge.coordinates_of(X, values.data());
    if (is_flipped(inverse(hinge.joint_hinge.pose(values.data())) * X)) return &hinge;
  }
  return nullptr;
}

template <class S>
std::size_t HingeTree<S>::memory_bytes() const {
  std::size_t bytes =
      hinges.capacity() * sizeof(TreeHinge<S>) + joints.capacity() * sizeof(TreeJoint<S>) +
      nodes.capacity() * sizeof(CarriedNode<S>) + prescribed.capacity() * sizeof(PrescribedJoint);
  for (const TreeHinge<S>& hinge : hinges)
    bytes += 2 * hinge.hinge.joints.size() * sizeof(ElementaryJoint<S>);
  return bytes;
}

template <class S>
HingeTree<S> build_hinge_tree(const model::Description& description,
                              const model::Mechanism<S>& mechanism,
                              const topology::Tree& tree,
                              HingeDrives drives) {
  HingeTree<S> result = HingeTreeBuilder<S>(description, mechanism, tree).build();
  if (drives == HingeDrives::prescribed) {
    std::vector<PrescribedJoint> joints = prescribed_joints(description, mechanism, result);
    if (!joints.empty()) prescribe(std::move(joints), result);
  }
  return result;
}

template struct HingeTree<Planar>;
template struct HingeTree<Spatial>;
template HingeTree<Planar> build_hinge_tree(const model::Description&,
                                            const model::Mechanism<Planar>&,
                                            const topology::Tree&,
                                            HingeDrives);
template HingeTree<Spatial> build_hinge_tree(const model::Description&,
                                             const model::Mechanism<Spatial>&,
                                             const topology::Tree&,
                                             HingeDrives);

}  // namespace trammel::formulation
