// What a person describes: bodies, frames, joints, forces and how to simulate them.
//
// Plain values in SI units and radians, with the same vocabulary as the model file. Nothing here is
// solved; `Mechanism` is compiled from it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "trammel/expression/quantity.h"
#include "trammel/expression/table.h"
#include "trammel/expression/user_function.h"
#include "trammel/math/mass_properties.h"
#include "trammel/math/shapes.h"
#include "trammel/model/field.h"
#include "trammel/model/flexible/flexible_body.h"

namespace trammel::model {

/// A marker: an origin and axes fixed in a body, given in the body's own frame.
struct Frame {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            ///< p_BF, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< R_BF
  Eigen::Vector3d stated_turn = Eigen::Vector3d::Zero();  ///< of R_BF, see Body; body axes, rad
};

/// A part of a body, placed in the body frame: what gave the body its mass, or what people see of
/// it.
struct PlacedShape {
  math::Shape shape;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            ///< p_BS, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< R_BS
  std::string color = {};  ///< "#rrggbb"; empty: chosen by whoever draws
};

enum class BodyKind { rigid, point };

struct Planar;
struct Spatial;
template <class S>
class CarriedFrame;
template <class S>
class BlockElement;

/// A body whose pose is a function of the freedoms of others (frames/carried_frame.h); by code, not
/// from the model file.
struct Carrier {
  std::vector<std::string> bodies;      ///< on whose freedoms it stands; none of them carried
  std::vector<std::string> amplitudes;  ///< the same
  std::shared_ptr<const CarriedFrame<Planar>> planar = nullptr;
  std::shared_ptr<const CarriedFrame<Spatial>> spatial = nullptr;
};

/// Freedoms that are just numbers, such as the amplitudes of modes: elements and carried frames
/// stand on them. By code, not from the model file.
struct Amplitudes {
  std::string name;
  Eigen::VectorXd value;  ///< at the start
  Eigen::VectorXd rate;
  std::vector<std::string> units = {};  ///< of each number, "m" or none; empty: none
};

/// An element over bodies and sets of amplitudes (block_element.h); by code, not from the model
/// file. Its local unknowns are those of the bodies, then those of the amplitudes.
struct PlacedElement {
  std::string name;
  std::vector<std::string> bodies = {};
  std::vector<std::string> amplitudes = {};
  std::shared_ptr<const BlockElement<Planar>> planar = nullptr;
  std::shared_ptr<const BlockElement<Spatial>> spatial = nullptr;
  std::string factor = {};       ///< formula of time that it reads; empty: 1
  std::string factor_path = {};  ///< where it is told
};

/// A rigid body or a point mass. Pose and velocity are those of the body frame B, whose origin need
/// not be the centre of mass. Assembly keeps what is marked fixed, prefers to keep what is marked
/// stated, and moves the rest as the constraints ask.
/// Planar bodies use x, y, the angle about z, and the z component of the angular velocity.
struct Body {
  std::string name;
  BodyKind kind = BodyKind::rigid;
  math::MassProperties mass;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< p_WB, m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< R_WB
  double angle =
      0.0;  ///< planar: angle about z, rad (may exceed a turn; orientation agrees with it)
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of B's origin, world axes, m/s
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< w_WB_B, body axes, rad/s
  /// Which components must not be changed by assembly: x, y, z, then rotation about x, y, z of the
  /// body (planar: the last entry is the angle).
  std::array<bool, 6> fixed_pose{};
  std::array<bool, 6> fixed_velocity{};
  /// Which components somebody wrote down, in the same order.
  std::array<bool, 6> stated_pose{};
  std::array<bool, 6> stated_velocity{};
  /// Spatial: the rotation vectors of all turns by which the orientation was stated (of an
  /// instance, of an axis and angle, of Euler angles), added up in body axes, rad. A whole turn,
  /// which the orientation forgets, counts in angles that joints and others read about its axis.
  /// Planar bodies have their angle.
  Eigen::Vector3d stated_turn = Eigen::Vector3d::Zero();
  /// False where the orientation was stated by what cannot tell whole turns (a quaternion, a
  /// matrix): a drive may tell them.
  bool turn_counts = true;
  std::vector<Frame> frames;
  std::vector<PlacedShape> shapes;  ///< for drawing only; `mass` counts
  /// When given: where the centre of mass is and how the body is turned; pose and velocity above do
  /// not count, and the mass may be zero.
  std::optional<Carrier> carrier;
  std::string part_of = {};  ///< the flexible body whose node or frame it is; empty: of none
};

/// The turn by which a body's orientation was stated, body axes, rad.
inline Eigen::Vector3d stated_turn(const Body& body, Space space) {
  return space == Space::planar ? Eigen::Vector3d(0.0, 0.0, body.angle) : body.stated_turn;
}

/// What an attachment names: "ground", "crank" (the body frame), "crank.tip". Bodies of
/// sub-assemblies have dots in their names, frames of bodies have none: "left_leg.shin.knee" is the
/// frame "knee" of "left_leg.shin". Frames of the ground may have dots.
struct Attachment {
  std::string_view body;
  std::optional<std::string_view> frame;
};

/// `is_body` tells whether a text is the name of a body. No body's name continues that of another
/// with a dot, so that there is one answer.
template <class IsBody>
Attachment split_attachment(std::string_view attachment, const IsBody& is_body) {
  constexpr std::string_view ground = "ground";
  const bool on_ground = attachment.substr(0, attachment.find('.')) == ground;
  if (attachment == ground || (!on_ground && is_body(attachment))) return {attachment, {}};
  const std::size_t dot = on_ground ? ground.size() : attachment.rfind('.');
  if (dot == std::string_view::npos) return {attachment, {}};
  return {attachment.substr(0, dot), attachment.substr(dot + 1)};
}

/// A joint or a force: an item of a registered kind between (0, 1 or 2) attachments.
struct Item {
  std::string name;
  std::string type;
  std::vector<std::string> attachments;
  /// When given: the world point, in the described configuration, at which both attachment frames
  /// are placed, with world axes. Attachments then name bodies.
  std::optional<Eigen::Vector3d> at;
  Values values;
};

/// A first-order state z' = rate, read by formulas under its name.
struct StateVariable {
  std::string name;
  std::string rate;  ///< formula
  double initial = 0.0;
  core::Dimension dimension;
};

/// A massless point of a connection where elements meet, with axes of its own. Its pose is a guess
/// that the equilibrium of its elements moves.
struct InternalNode {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< world, m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();        ///< applied load, world axes, N
  Eigen::Vector3d stated_turn = Eigen::Vector3d::Zero();  ///< of the orientation, see Body
};

/// Elements between bodies and internal nodes that act together as one part of the model
/// [Sol1983, ch. 7]: all of kinds of force_kinds() (an energetic connection), or all of kinds of
/// joint_kinds() (a kinematic one). An attachment names an internal node, or a body's frame.
struct Connection {
  std::string name;
  std::vector<InternalNode> nodes;
  std::vector<Item> elements;
  /// Kinematic ones as hinges: which coordinates of their joints count, "crank.angle"; none: chosen
  /// by the program.
  std::vector<std::string> coordinates = {};
};

/// What the user wants of the spanning tree of relative coordinates [Sol1983, 4.2]; names of joints
/// and kinematic connections, of bodies.
struct TreeHints {
  struct Tie {
    std::string body;  ///< of a part without a way to the ground
    std::string to;    ///< body of another part, or the ground
  };
  std::vector<std::string> open;  ///< become cut joints
  std::vector<std::string> keep;  ///< are branches before all others
  std::vector<Tie> tie;           ///< by a free hinge
};

/// How to simulate; times in s. Zero means: chosen by the program.
struct SimulationSettings {
  double until = 1.0;
  double step = 1e-3;
  double output_step = 0.0;  ///< zero: every step
  std::string integrator = "generalized-alpha";
  Values integrator_values;  ///< fields of the integrator's kind, e.g. spectral_radius
  std::string solver = "auto";
  std::string coordinates = "absolute";  ///< absolute, relative or auto
  int threads = 1;                       ///< that evaluate the model; 0: as many as the machine has
};

struct Description {
  std::string name;
  Space space = Space::spatial;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< m/s^2, world axes
  std::vector<Frame> ground_frames;
  std::vector<Body> bodies;
  std::vector<Amplitudes> amplitudes;
  std::vector<PlacedElement> elements;
  /// What bodies, amplitudes and elements were made for, see add_flexible_body().
  std::vector<FlexibleBody> flexible_bodies;
  std::vector<Item> joints;
  std::vector<Item> forces;
  std::vector<Item> couplings;  ///< relations between coordinates, kinds of coupling_kinds()
  std::vector<Item> drives;     ///< prescribed coordinates, kinds of drive_kinds()
  std::vector<Item> sensors;    ///< kinds of sensor_kinds()
  std::vector<StateVariable> states;
  std::vector<Connection> connections;
  /// What formulas may name besides measured quantities.
  std::map<std::string, expression::Quantity, std::less<>> parameters;
  std::vector<std::shared_ptr<const expression::Table>> tables;
  /// Code that formulas may call by name; not from the model file.
  std::vector<std::shared_ptr<const expression::UserFunction>> functions;
  SimulationSettings simulation;
  TreeHints tree;

  Body& add_body(Body body);
  Item& add_joint(
      std::string type, std::string name, std::string a, std::string b, Values values = {});
  Item& add_force(std::string type,
                  std::string name,
                  std::vector<std::string> attachments,
                  Values values = {});
  Item& add_coupling(std::string type, std::string name, Values values);
  Item& add_drive(std::string type, std::string name, Values values);
  Item& add_sensor(std::string type,
                   std::string name,
                   std::vector<std::string> attachments,
                   Values values = {});
  StateVariable& add_state(StateVariable state);
  void add_function(expression::UserFunction function);
  Connection& add_connection(Connection connection);
};

}  // namespace trammel::model
