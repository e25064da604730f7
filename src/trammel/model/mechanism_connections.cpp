// Connections of elements: energetic ones with their internal nodes, kinematic ones as joints.
#include <algorithm>
#include <cmath>

#include "trammel/model/connections/connection_hinge.h"
#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/connections/kinematic_connection.h"
#include "trammel/model/connections/known_hinge.h"
#include "trammel/model/mechanism_parts.h"

namespace trammel::model {
namespace {

template <class S>
class ConnectionBuilder {
 public:
  ConnectionBuilder(const Description& description,
                    const AttachmentFinder<S>& attachment,
                    std::vector<typename S::Kinematics>& described,
                    Mechanism<S>& mechanism)
      : description_(description),
        attachment_(attachment),
        kinematics_(described),
        mechanism_(mechanism) {}

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
  // Internal nodes are numbered after all bodies, and after those of the energetic connections
  // before this one.
  int first_internal() const {
    return static_cast<int>(mechanism_.nodes.size() + mechanism_.internal_nodes.size());
  }

  // A body's frame, or an internal node.
  NodeFrame<S> endpoint(const Connection& connection, const Item& item, std::size_t number) const {
    const std::string& name = item.attachments[number];
    for (std::size_t i = 0; i < connection.nodes.size(); ++i) {
      if (connection.nodes[i].name != name) continue;
      NodeFrame<S> frame;
      frame.node = first_internal() + static_cast<int>(i);
      if (!item.at) return frame;
      const auto k = described_node(connection.nodes[i]);
      frame.l = k.R.transpose() * (point<S>(*item.at) - k.p);
      frame.axes = k.R.transpose();
      frame.turn = -connection.nodes[i].stated_turn.template tail<S::rotations>();
      return frame;
    }
    return attachment_(item, number);
  }

  static typename S::Kinematics described_node(const InternalNode& node) {
    Body body;
    body.position = node.position;
    body.orientation = node.orientation;
    body.angle = nearest_turn(2.0 * std::atan2(node.orientation.z(), node.orientation.w()),
                              node.stated_turn.z());
    return described_kinematics(body, S{});
  }

  void add_elastic_connection(const Connection& connection) {
    std::vector<typename ElasticConnection<S>::Internal> internal;
    for (const InternalNode& node : connection.nodes) {
      internal.push_back({node.name, described_node(node), point<S>(node.force)});
    }
    std::vector<typename ElasticConnection<S>::Element> elements;
    for (const Item& item : connection.elements) {
      if (is_active<S>(item)) continue;
      const ForceKind* kind = find_force_kind(S::space, item.type);
      const bool on_one = item.attachments.size() == 1;
      auto force = build_force<S>(*kind, item.values,
                                  on_one ? NodeFrame<S>{} : endpoint(connection, item, 0),
                                  endpoint(connection, item, on_one ? 0 : 1));
      elements.push_back({item.name, std::move(force)});
    }
    NamedConnection<S> named;
    named.name = connection.name;
    for (const auto& node : internal) kinematics_.push_back(node.described);
    named.connection = std::make_shared<ElasticConnection<S>>(
        static_cast<int>(mechanism_.nodes.size()), first_internal(), std::move(internal),
        std::move(elements));
    mechanism_.connections.push_back(std::move(named));
    for (const InternalNode& node : connection.nodes) {
      mechanism_.internal_nodes.push_back(connection.name + "." + node.name);
    }
  }

  // The described pose of a body or an internal node.
  typename S::Kinematics described(const Connection& connection, int node) const {
    if (node < first_internal()) return kinematics_[static_cast<std::size_t>(node)];
    return described_node(connection.nodes[static_cast<std::size_t>(node - first_internal())]);
  }

  typename KinematicConnection<S>::Element kinematic_element(const Connection& connection,
                                                             const Item& item) const {
    const NodeFrame<S> a = endpoint(connection, item, 0);
    const NodeFrame<S> b = endpoint(connection, item, 1);
    JointAssembly<S> assembly(a, b, described(connection, a.node), described(connection, b.node));
    const JointKind* kind = find_joint_kind(S::space, item.type);
    Values values = with_parameters(*kind, item.values, description_);
    build_joint<S>(*kind, values, assembly);
    if (assembly.contact && assembly.contact->unilateral) {
      throw core::InputError("element '" + item.name + "' is unilateral",
                             "use it as a joint between bodies");
    }
    return {item.name,
            std::move(assembly.constraints),
            std::move(assembly.row_labels),
            kind,
            std::move(values),
            assembly.a,
            assembly.b,
            std::move(assembly.coordinates)};
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
      nodes.push_back(first_internal() + static_cast<int>(i));
    }
    std::vector<typename S::Kinematics> poses;
    for (const int node : nodes) poses.push_back(described(connection, node));
    reduce(connection,
           std::make_shared<const KinematicConnection<S>>(
               nodes, std::move(elements),
               typename KinematicConnection<S>::Anchors{anchors[0], anchors[1]}, poses));
  }

  // A joint of the catalogue where one does the same, constraint rows otherwise.
  void reduce(const Connection& connection,
              const std::shared_ptr<const KinematicConnection<S>>& reduced) {
    if (reduced->rows() + reduced->velocity_rows() == 0) {
      throw core::InputError("the connection leaves all motion free",
                             "leave it out, or let its joints hold more");
    }
    KinematicReduction reduction = reduced->reduction();
    reduction.connection = connection.name;
    const KnownHinge<S> known = known_hinge(*reduced);
    if (known.kind != nullptr) {
      add_known(connection, *reduced, known);
      reduction.joint = known.kind->name;
    } else {
      add_rows(connection, reduced);
      mechanism_.kinematic_connections.push_back({connection.name, reduced});
    }
    MechanismJoint<S>& joint = mechanism_.joints.back();
    if (joint.chain == nullptr || !connection.coordinates.empty()) {
      ConnectionHinge<S> own = connection_hinge(reduced, connection.coordinates);
      reduction.obstacle = own.obstacle;
      reduction.coordinates = std::move(own.coordinates);
      const bool turned = joint.a.node != reduced->node_a();
      if (own.obstacle.empty()) {
        joint.chain = std::make_shared<const Hinge<S>>(turned ? reversed(own.hinge) : own.hinge);
      }
    }
    reduction.is_hinge = joint.chain != nullptr;
    reduction.node_a = joint.a.node;
    reduction.node_b = joint.b.node;
    for (const InternalNode& node : connection.nodes) reduction.nodes.push_back(node.name);
    mechanism_.reductions.push_back(std::move(reduction));
  }

  void add_known(const Connection& connection,
                 const KinematicConnection<S>& reduced,
                 const KnownHinge<S>& known) {
    JointAssembly<S> assembly = known.build(reduced);
    std::shared_ptr<const ElementaryChain<S>> chain;
    if (known.kind->allows.is_chain()) {
      const Pose<S> nodes = inverse(pose_of(assembly.described_a)) * pose_of(assembly.described_b);
      chain = std::make_shared<const Hinge<S>>(
          hinge_of<S>(known.kind->allows, {known.values, assembly.a, assembly.b, nodes}));
    }
    append_joint(connection.name, known.kind->name, std::move(assembly), mechanism_);
    mechanism_.joints.back().chain = std::move(chain);
  }

  void add_rows(const Connection& connection,
                const std::shared_ptr<const KinematicConnection<S>>& reduced) {
    static const std::vector<const char*> position_labels{"closure 1", "closure 2", "closure 3",
                                                          "closure 4", "closure 5", "closure 6"};
    static const std::vector<const char*> velocity_labels{"rolling 1", "rolling 2", "rolling 3",
                                                          "rolling 4", "rolling 5", "rolling 6"};
    JointAssembly<S> assembly(resolve_node(reduced->node_a()), resolve_node(reduced->node_b()), {},
                              {});
    const int counts[2] = {reduced->rows(), reduced->velocity_rows()};
    int before = 0;
    for (int part = 0; part < 2; ++part) {
      for (int first = 0; first < counts[part]; first += S::dimension) {
        assembly.constraints.push_back(std::make_unique<ConnectionRows<S>>(
            reduced, before + first, std::min(S::dimension, counts[part] - first)));
      }
      const auto& labels = part == 0 ? position_labels : velocity_labels;
      assembly.row_labels.insert(assembly.row_labels.end(), labels.begin(),
                                 labels.begin() + counts[part]);
      before += counts[part];
    }
    append_joint(connection.name, "connection", std::move(assembly), mechanism_);
  }

  // The centre of mass of a body, with its axes.
  static NodeFrame<S> resolve_node(int node) {
    NodeFrame<S> frame;
    frame.node = node;
    return frame;
  }

  const Description& description_;
  const AttachmentFinder<S>& attachment_;
  std::vector<typename S::Kinematics>& kinematics_;  ///< described, internal nodes last
  Mechanism<S>& mechanism_;
};

}  // namespace

template <class S>
void build_connections(const Description& description,
                       const AttachmentFinder<S>& attachment,
                       std::vector<typename S::Kinematics>& described,
                       Mechanism<S>& mechanism) {
  ConnectionBuilder<S> builder(description, attachment, described, mechanism);
  for (const Connection& connection : description.connections) {
    builder.add_connection(connection);
  }
}

namespace {

// The velocities of a connection's nodes and the rates of its states are found together.
template <class S>
void check_state_inputs(const NamedConnection<S>& named, const Mechanism<S>& mechanism) {
  for (const int number : named.connection->states()) {
    const NamedState<S>& state = mechanism.states[static_cast<std::size_t>(number)];
    for (const Measure<S>& input : state.rate.inputs()) {
      for (const int node : {input.node_a, input.node_b}) {
        const auto index = static_cast<std::size_t>(node);
        if (input.kind != Measure<S>::Kind::rate || index < mechanism.nodes.size()) continue;
        const std::string& other = mechanism.internal_nodes[index - mechanism.nodes.size()];
        if (other.rfind(named.name + ".", 0) == 0) continue;
        throw core::InputError("the state '" + state.name +
                                   "' moves its nodes and follows the velocity of '" + other + "'",
                               "make one connection of both");
      }
    }
  }
}

}  // namespace

template <class S>
void finish_connections(std::vector<typename S::Kinematics>& described, Mechanism<S>& mechanism) {
  if (mechanism.connections.empty()) return;
  FormulaWorkspace<S> work;
  int largest = 0;
  for (const NamedConnection<S>& named : mechanism.connections) {
    largest = std::max(largest, named.connection->workspace_size());
  }
  work.reserve(largest);
  const system::Vector z =
      mechanism.sizes.z > 0 ? mechanism.described.z : system::Vector(system::Vector::Zero(0));
  const int told_by_formulas = mechanism.sizes.z;
  const std::vector<double>& turns = mechanism.described_turns;
  for (NamedConnection<S>& named : mechanism.connections) {
    try {
      check_state_inputs(named, mechanism);
      named.connection->finish({described, 0.0, z, turns, work, mechanism.states});
      named.connection->set_first_place_state(mechanism.sizes.z);
      mechanism.sizes.z += named.connection->place_states();
    } catch (const core::InputError& error) {
      throw_under("connections." + named.name, error);
    }
  }
  if (mechanism.sizes.z == told_by_formulas) return;
  mechanism.described.z.setZero(mechanism.sizes.z);
  mechanism.described.z.head(z.size()) = z;
}

template void build_connections<Planar>(const Description&,
                                        const AttachmentFinder<Planar>&,
                                        std::vector<Planar::Kinematics>&,
                                        Mechanism<Planar>&);
template void build_connections<Spatial>(const Description&,
                                         const AttachmentFinder<Spatial>&,
                                         std::vector<Spatial::Kinematics>&,
                                         Mechanism<Spatial>&);
template void finish_connections<Planar>(std::vector<Planar::Kinematics>&, Mechanism<Planar>&);
template void finish_connections<Spatial>(std::vector<Spatial::Kinematics>&, Mechanism<Spatial>&);

}  // namespace trammel::model
