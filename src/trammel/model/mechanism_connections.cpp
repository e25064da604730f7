// Connections of elements: energetic ones with their internal nodes, kinematic ones as joints.
#include <algorithm>
#include <cmath>

#include "trammel/model/mechanism_parts.h"

namespace trammel::model {
namespace {

template <class S>
class ConnectionBuilder {
 public:
  ConnectionBuilder(const AttachmentFinder<S>& attachment,
                    const std::vector<typename S::Kinematics>& described,
                    Mechanism<S>& mechanism)
      : attachment_(attachment), kinematics_(described), mechanism_(mechanism) {}

  void add_connection(const Connection& connection) {
    const std::string path = "connections." + connection.name;
    const bool kinematic = !connection.elements.empty() &&
                           find_joint_kind(S::space, connection.elements.front().type) != nullptr;
    try {
      if (kinematic) {
        add_kinematic_connection(connection);
      } else {
        add_elastic_connection(connection);
      }
    } catch (const core::InputError& error) {
      throw_under(path, error);
    }
  }

 private:
  // A body's frame, or an internal node, which is numbered after all bodies.
  NodeFrame<S> endpoint(const Connection& connection, const Item& item, std::size_t number) const {
    const std::string& name = item.attachments[number];
    for (std::size_t i = 0; i < connection.nodes.size(); ++i) {
      if (connection.nodes[i].name != name) continue;
      NodeFrame<S> frame;
      frame.node = static_cast<int>(mechanism_.nodes.size() + i);
      if (!item.at) return frame;
      const auto k = described_node(connection.nodes[i]);
      frame.l = k.R.transpose() * (point<S>(*item.at) - k.p);
      frame.axes = k.R.transpose();
      return frame;
    }
    return attachment_(item, number);
  }

  static typename S::Kinematics described_node(const InternalNode& node) {
    Body body;
    body.position = node.position;
    body.orientation = node.orientation;
    body.angle = 2.0 * std::atan2(node.orientation.z(), node.orientation.w());
    return described_kinematics(body, S{});
  }

  void add_elastic_connection(const Connection& connection) {
    std::vector<typename ElasticConnection<S>::Internal> internal;
    for (const InternalNode& node : connection.nodes) {
      internal.push_back({node.name, described_node(node), point<S>(node.force)});
    }
    std::vector<typename ElasticConnection<S>::Element> elements;
    for (const Item& item : connection.elements) {
      const ForceKind* kind = find_force_kind(S::space, item.type);
      auto force = build_force<S>(*kind, item.values, endpoint(connection, item, 0),
                                  endpoint(connection, item, 1));
      if (force->depends_on_velocity()) {
        throw core::InputError(
            "element '" + item.name + "' depends on velocities: internal nodes would have no place",
            "take away its damping, or put a damper beside the connection");
      }
      elements.push_back({item.name, std::move(force)});
    }
    NamedConnection<S> named;
    named.name = connection.name;
    named.connection = std::make_unique<const ElasticConnection<S>>(
        static_cast<int>(mechanism_.nodes.size()), std::move(internal), std::move(elements),
        kinematics_);
    mechanism_.connections.push_back(std::move(named));
  }

  // The described pose of a body or an internal node.
  typename S::Kinematics described(const Connection& connection, int node) const {
    const auto number = static_cast<std::size_t>(node);
    if (number < kinematics_.size()) return kinematics_[number];
    return described_node(connection.nodes[number - kinematics_.size()]);
  }

  typename KinematicConnection<S>::Element kinematic_element(const Connection& connection,
                                                             const Item& item) const {
    const NodeFrame<S> a = endpoint(connection, item, 0);
    const NodeFrame<S> b = endpoint(connection, item, 1);
    JointAssembly<S> assembly(a, b, described(connection, a.node), described(connection, b.node));
    build_joint<S>(*find_joint_kind(S::space, item.type), item.values, assembly);
    if (assembly.contact && assembly.contact->unilateral) {
      throw core::InputError("element '" + item.name + "' is unilateral",
                             "use it as a joint between bodies");
    }
    for (const auto& constraint : assembly.constraints) {
      if (constraint->holonomic()) continue;
      throw core::InputError("element '" + item.name + "' is nonholonomic",
                             "use it as a joint between bodies");
    }
    return {item.name, std::move(assembly.constraints), std::move(assembly.row_labels)};
  }

  void add_kinematic_connection(const Connection& connection) {
    std::vector<typename KinematicConnection<S>::Element> elements;
    std::vector<int> nodes;
    std::vector<typename S::Point> anchors;
    const auto bodies = static_cast<int>(mechanism_.nodes.size());
    for (const Item& item : connection.elements) {
      elements.push_back(kinematic_element(connection, item));
      for (std::size_t i = 0; i < 2; ++i) {
        const NodeFrame<S> frame = endpoint(connection, item, i);
        if (frame.node < bodies &&
            std::find(nodes.begin(), nodes.end(), frame.node) == nodes.end()) {
          nodes.push_back(frame.node);
          anchors.push_back(frame.l);
        }
      }
    }
    if (nodes.size() != 2) {
      throw core::InputError(
          "the joints of the connection touch " + std::to_string(nodes.size()) + " bodies",
          "a kinematic connection stands between two bodies, the ground among them");
    }
    for (std::size_t i = 0; i < connection.nodes.size(); ++i) {
      nodes.push_back(bodies + static_cast<int>(i));
    }
    std::vector<typename S::Kinematics> poses;
    for (const int node : nodes) poses.push_back(described(connection, node));
    add_connection_joint(
        connection, std::make_shared<const KinematicConnection<S>>(
                        nodes, std::move(elements),
                        typename KinematicConnection<S>::Anchors{anchors[0], anchors[1]}, poses));
  }

  void add_connection_joint(const Connection& connection,
                            const std::shared_ptr<const KinematicConnection<S>>& reduced) {
    static const std::vector<const char*> labels{"closure 1", "closure 2", "closure 3",
                                                 "closure 4", "closure 5", "closure 6"};
    Mechanism<S>& m = mechanism_;
    if (reduced->rows() == 0) {
      throw core::InputError("the connection leaves all motion free",
                             "leave it out, or let its joints hold more");
    }
    MechanismJoint<S> joint;
    joint.name = connection.name;
    joint.type = "connection";
    joint.a = resolve_node(reduced->node_a());
    joint.b = resolve_node(reduced->node_b());
    joint.first_row = m.sizes.holonomic;
    joint.first_velocity_row = m.sizes.nonholonomic;
    joint.first_constraint = static_cast<int>(m.constraints.size());
    for (int first = 0; first < reduced->rows(); first += S::dimension) {
      const int rows = std::min(S::dimension, reduced->rows() - first);
      m.constraints.push_back(std::make_unique<ConnectionRows<S>>(reduced, first, rows));
      m.first_row.push_back(m.sizes.holonomic);
      m.sizes.holonomic += rows;
      ++joint.constraints;
    }
    joint.rows = reduced->rows();
    m.label_sets.emplace_back(labels.begin(), labels.begin() + reduced->rows());
    joint.labels = static_cast<int>(m.label_sets.size()) - 1;
    m.joints.push_back(std::move(joint));
    m.reductions.push_back(reduced->reduction());
    m.reductions.back().connection = connection.name;
  }

  // The centre of mass of a body, with its axes.
  static NodeFrame<S> resolve_node(int node) {
    NodeFrame<S> frame;
    frame.node = node;
    return frame;
  }

  const AttachmentFinder<S>& attachment_;
  const std::vector<typename S::Kinematics>& kinematics_;
  Mechanism<S>& mechanism_;
};

}  // namespace

template <class S>
void build_connections(const Description& description,
                       const AttachmentFinder<S>& attachment,
                       const std::vector<typename S::Kinematics>& described,
                       Mechanism<S>& mechanism) {
  ConnectionBuilder<S> builder(attachment, described, mechanism);
  for (const Connection& connection : description.connections) {
    builder.add_connection(connection);
  }
}

template void build_connections<Planar>(const Description&,
                                        const AttachmentFinder<Planar>&,
                                        const std::vector<Planar::Kinematics>&,
                                        Mechanism<Planar>&);
template void build_connections<Spatial>(const Description&,
                                         const AttachmentFinder<Spatial>&,
                                         const std::vector<Spatial::Kinematics>&,
                                         Mechanism<Spatial>&);

}  // namespace trammel::model
