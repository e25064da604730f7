// The constant part of a compiled rigid model: nodes, joints, forces and their place in the system.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/branches.h"
#include "trammel/model/block_element.h"
#include "trammel/model/connections/reduction.h"
#include "trammel/model/constraint.h"
#include "trammel/model/elementary_joint.h"
#include "trammel/model/force.h"
#include "trammel/model/forces/joint_friction.h"
#include "trammel/model/frame_motion.h"
#include "trammel/model/frames/carried_frame.h"
#include "trammel/model/freedoms/freedom_blocks.h"
#include "trammel/model/joint_assembly.h"
#include "trammel/model/law.h"
#include "trammel/model/model_system.h"
#include "trammel/model/relation.h"
#include "trammel/model/timed_formula.h"
#include "trammel/system/kkt_matrix.h"

namespace trammel::model {

/// A rotational inertia: one number in the plane, a tensor in space.
template <class S>
struct InertiaOf;
template <>
struct InertiaOf<Planar> {
  using Type = double;
};
template <>
struct InertiaOf<Spatial> {
  using Type = Eigen::Matrix3d;
};

/// A body, a point mass or the ground (node 0), placed at its centre of mass.
template <class S>
struct Node {
  std::string name;
  int q = 0;         ///< first coordinate; -1: carried, has none of its own
  int v = 0;         ///< first velocity, in the numbering of the assembly
  int freedoms = 0;  ///< S::freedoms, S::dimension for a point mass, 0 for the ground
  double mass = 0.0;
  typename InertiaOf<S>::Type inertia{};  ///< about the centre of mass, body axes
  typename S::Point origin =
      S::Point::Zero();  ///< body frame's origin from the centre of mass, body axes

  bool is_carried() const { return q < 0; }
};

template <class S>
struct MechanismJoint {
  std::string name;
  std::string_view type;  ///< name of a registered kind
  NodeFrame<S> a;
  NodeFrame<S> b;
  int first_row = 0;  ///< of its holonomic rows
  int rows = 0;
  int first_velocity_row = 0;  ///< of its nonholonomic rows
  int velocity_rows = 0;
  int first_constraint = 0;
  int constraints = 0;
  int labels = 0;  ///< number of its set of row labels
  std::vector<typename JointAssembly<S>::NamedCoordinate> coordinates;
  std::vector<typename JointAssembly<S>::NamedCoordinate> outputs;
  std::vector<typename JointAssembly<S>::NamedRate> rates;
  std::optional<ContactRow> contact;
  /// Of connections that are hinges: what they allow, from node a to node b. Joints of the
  /// description have what their kind says.
  std::shared_ptr<const ElementaryChain<S>> chain = nullptr;
};

template <class S>
struct NamedForce {
  std::string name;
  std::unique_ptr<Force<S>> force;
  std::size_t channels = 0;  ///< of force->quantities()
};

template <class S>
struct NamedElement {
  std::string name;
  std::shared_ptr<const BlockElement<S>> element;
  Footing footing;
  std::size_t channels = 0;    ///< of element->quantities()
  std::vector<int> stiffness;  ///< place of each entry of the local matrix in the KKT values, or -1
  /// In a mechanism with carried nodes it stands on none of them: its tangent goes right into that
  /// of the system (assembly/condensation.h), and `stiffness` is empty.
  bool direct = false;
  std::shared_ptr<const expression::Program> factor = nullptr;  ///< of time; null: 1
};

struct NamedAmplitudes {
  std::string name;
  Footing::Amplitudes places;
  std::vector<std::string> units = {};  ///< of each number; empty: none

  /// Of number k, counted from zero.
  std::string unit(int k) const {
    return units.empty() ? std::string() : units[static_cast<std::size_t>(k)];
  }
};

/// A node that is carried.
template <class S>
struct CarriedNode {
  int node = 0;
  std::shared_ptr<const CarriedFrame<S>> frame;
  Footing footing;
};

/// A coupling or a drive.
template <class S>
struct NamedRelation {
  std::string name;
  std::string_view type;
  bool drive = false;
  int row = 0;
  int leading = 0;   ///< the input along which its load is reported
  std::string unit;  ///< of that load
  Relation<S> relation;
  std::optional<ContactRow> contact = std::nullopt;  ///< of unilateral ones
  std::vector<int> jacobian;   ///< place of each local unknown in the KKT values, or -1
  std::vector<int> stiffness;  ///< the same for the local matrix, by columns
};

/// One component of a force written as formulas.
template <class S>
struct NamedLaw {
  std::string name;  ///< "motor.torque"
  std::string unit;
  Law<S> law;
  std::vector<int> stiffness;

  /// One of many of a force, which has no channel of its own.
  bool is_hidden() const { return unit.empty(); }
};

/// A load or a rate with conditions on the motion.
template <class S>
struct BranchedFormula {
  std::string name;  ///< "the force 'kick'"
  Formula<S> formula;
  std::vector<expression::Branch> branches;
  int first = 0;  ///< number of the first among all branches
};

/// A formula that is only seen.
template <class S>
struct NamedOutput {
  std::string name;
  std::string unit;
  Formula<S> formula;
};

/// Friction in a joint, loaded by its reaction.
template <class S>
struct NamedJointFriction {
  std::string name;
  std::size_t joint = 0;
  std::shared_ptr<const Coordinate<S>> coordinate;
  std::string unit;  ///< of its load
  JointFrictionParameters parameters;
  int row = -1;  ///< by which it sticks, or none
  LocalNodes nodes;
  std::vector<int> jacobian;  ///< of that row: place of each local unknown in the KKT values, or -1
  std::vector<int> stiffness;
};

template <class S>
class ElasticConnection;
template <class S>
class KinematicConnection;

/// A kinematic connection that is no joint of the catalogue.
template <class S>
struct NamedKinematicConnection {
  std::string name;
  std::shared_ptr<const KinematicConnection<S>> connection;
};

/// An energetic or active connection with internal nodes.
template <class S>
struct NamedConnection {
  std::string name;
  std::shared_ptr<ElasticConnection<S>> connection;
  std::vector<int> stiffness;
};

/// A coordinate with a name of its own.
template <class S>
struct NamedSensor {
  std::string name;
  std::string unit;
  Measure<S> measure;
};

/// Energies and powers of the whole mechanism that formulas of channels may read.
struct EnergyBalanceEntry {
  const char* name;
  const char* unit;
};
inline constexpr std::array energy_balance_entries{
    EnergyBalanceEntry{"energy.kinetic", "J"}, EnergyBalanceEntry{"energy.potential", "J"},
    EnergyBalanceEntry{"energy.total", "J"},   EnergyBalanceEntry{"power.dissipated", "W"},
    EnergyBalanceEntry{"power.loads", "W"},    EnergyBalanceEntry{"power.drives", "W"}};

/// A channel computed from other channels.
struct ChannelFormula {
  std::string name;
  std::string unit;
  std::shared_ptr<const expression::Program> program;
  /// Number of each input among the observables; -1: time; -2 - i: entry i of the energy balance,
  /// and after its last entry those of `channel_measures`.
  std::vector<int> channels;
};

/// Where the entries of an element's local matrices go in the values of the KKT matrix.
struct JacobianScatter {
  int local = 0;     ///< row-major index in the local Jacobian
  int position = 0;  ///< of G(row, column)
};
/// Entries that follow each other in a column, locally and globally.
struct StiffnessScatter {
  int local = 0;  ///< column-major index in the local pair matrix
  int position = 0;
  int count = 1;
};

template <class S>
struct Mechanism {
  std::string name;
  typename S::Point gravity = S::Point::Zero();
  std::vector<Node<S>> nodes;  ///< nodes[0] is the ground
  FreedomBlocks freedoms;      ///< of the nodes that are not carried, then the amplitudes
  std::vector<NamedAmplitudes> amplitudes;
  std::vector<CarriedNode<S>> carried;
  std::vector<NamedElement<S>> elements;
  std::vector<MechanismJoint<S>> joints;
  std::vector<std::vector<const char*>> label_sets;  ///< shared by joints of the same build
  std::vector<std::unique_ptr<Constraint<S>>> constraints;
  std::vector<int> first_row;  ///< of each constraint
  std::vector<NamedForce<S>> forces;
  std::vector<NamedRelation<S>> relations;
  std::vector<NamedLaw<S>> laws;
  std::vector<NamedJointFriction<S>> joint_frictions;
  std::vector<NamedConnection<S>> connections;
  /// Of all energetic connections: "mount.hub". They are numbered after all nodes.
  std::vector<std::string> internal_nodes;
  std::vector<KinematicReduction> reductions;  ///< of kinematic connections, which are joints
  std::vector<NamedSensor<S>> sensors;
  std::vector<NamedFrame<S>> frames;  ///< sensors of whole frames
  std::vector<ChannelFormula> channel_formulas;
  std::vector<Measure<S>> channel_measures;  ///< what they read besides channels
  std::vector<NamedState<S>> states;
  std::vector<NamedOutput<S>> outputs;
  std::vector<TimedFormula> timed;  ///< of rows, loads and states, where time alone makes them jump
  /// Functions of time are those of no earlier time: what differs at t = 0 alone is not seen.
  double first_time = -std::numeric_limits<double>::infinity();
  std::vector<BranchedFormula<S>> branched;
  int branch_count = 0;
  std::vector<Measure<S>> counted;  ///< angles whose turns are counted besides those of joints
  int joint_turns = 0;              ///< wrapping joint coordinates, counted first
  /// Where the counts begin: values of all wrapping angles in the described configuration, on the
  /// branch nearest to what is stated.
  std::vector<double> described_turns;
  std::vector<MasslessTurn> massless_turns;

  system::Sizes sizes;
  /// Velocities that elements add to: those of the system, then those of carried nodes.
  int assembled_velocities = 0;
  system::State described;
  std::vector<bool> fixed_positions;
  std::vector<bool> fixed_velocities;
  std::vector<bool> stated_positions;
  std::vector<bool> stated_velocities;
  system::Vector displacement_scale;
  double size = 1.0;

  /// Of what elements add to, of assembled_velocities and all rows.
  std::shared_ptr<const system::KktPattern> pattern;
  std::vector<JacobianScatter> jacobian_scatter;
  std::vector<int> first_jacobian;  ///< per constraint, one more at the end
  std::vector<StiffnessScatter> stiffness_scatter;
  std::vector<int> first_stiffness;
  std::vector<StiffnessScatter> force_scatter;
  std::vector<int> first_force;

  std::vector<NamedKinematicConnection<S>> kinematic_connections;

  std::size_t memory_bytes() const;
};

/// Builds nodes, joints, forces and the described state.
template <class S>
std::shared_ptr<const Mechanism<S>> build_mechanism(const Description& description);

/// Resolves "crank.tip" to a frame on a node.
template <class S>
using FrameFinder = std::function<NodeFrame<S>(const std::string&)>;

/// The frame on which an item's attachment number 0 or 1 stands.
template <class S>
using AttachmentFinder = std::function<NodeFrame<S>(const Item& item, std::size_t number)>;

/// Adds connections of elements, and the poses of their internal nodes to `described`. Active
/// elements are left to build_formulas(). Throws InputError.
template <class S>
void build_connections(const Description& description,
                       const AttachmentFinder<S>& attachment,
                       std::vector<typename S::Kinematics>& described,
                       Mechanism<S>& mechanism);

/// Finds the equilibrium of the internal nodes. Throws InputError.
template <class S>
void finish_connections(std::vector<typename S::Kinematics>& described, Mechanism<S>& mechanism);

/// Adds geometric sensors, before the formulas that may name them.
template <class S>
void build_sensors(const std::vector<Item>& sensors,
                   const AttachmentFinder<S>& attachment,
                   Mechanism<S>& mechanism);

template <class S>
class Quantities;

/// Adds sensors that are formulas of channels, after all channels. What is no channel they may read
/// as couplings do.
template <class S>
void build_channel_formulas(const Description& description,
                            const Quantities<S>& quantities,
                            Mechanism<S>& mechanism,
                            core::Diagnostics& diagnostics);

/// Adds couplings, drives, laws, sensors and states, whose formulas name what is built already.
/// Throws InputError with all mistakes; what is only doubtful becomes the warnings.
template <class S>
void build_formulas(const Description& description,
                    const FrameFinder<S>& frames,
                    const AttachmentFinder<S>& attachment,
                    const std::vector<typename S::Kinematics>& described,
                    Mechanism<S>& mechanism,
                    std::vector<core::Diagnostic>& warnings);

/// Finds the formulas that jump or have kinks at times that are known.
template <class S>
void find_timed_formulas(Mechanism<S>& mechanism);

/// Fills pattern and scatter tables from nodes, constraints and forces.
template <class S>
void build_pattern(Mechanism<S>& mechanism);

}  // namespace trammel::model
