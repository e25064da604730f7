// The registries: every kind of joint and force that a model file may name.
//
// A new joint or force is one file pair that defines its kind, one line in kinds.cpp, its test and
// its page. The file tells all that others need to know of the kind: what it forbids and allows,
// how it is mirrored, how it is drawn. The laws of tests/support apply to it the moment the line
// stands.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/allowed_motion.h"
#include "trammel/model/description.h"
#include "trammel/model/field.h"
#include "trammel/model/joint_symbol.h"

namespace trammel::model {

template <class S>
class JointAssembly;
template <class S>
class Force;
template <class S>
class Coordinate;
template <class S>
class BlockElement;
template <class S>
struct ElementSite;
template <class S>
struct NodeFrame;

/// A kind of joint of one space: what it forbids (the builder; that of the other space stays null),
/// what it allows, how it is mirrored and by which symbol it is drawn.
struct JointKind {
  std::string name;
  Space space = Space::spatial;
  std::string summary;  ///< one line
  std::vector<Field> fields;
  int freedoms = 0;  ///< relative degrees of freedom it leaves
  void (*build_planar)(const Values& values, JointAssembly<Planar>& joint) = nullptr;
  void (*build_spatial)(const Values& values, JointAssembly<Spatial>& joint) = nullptr;
  AllowedMotion allows;
  Mirroring mirroring;
  JointSymbol symbol = JointSymbol::untold;
};

/// A generalised force along a direction, written as a formula.
struct LawText {
  /// Name of a coordinate ("pin.angle"), or "force.x" ... "torque.z": components between the
  /// attachments along the axes of the first frame.
  std::string along;
  std::string formula;
  std::string quantity;  ///< name of its channel: "torque"
  core::Dimension dimension;
  bool dissipates = false;  ///< its work is lost to heat, not brought in
  /// Energy it stores, in J: a formula of coordinates, states and time. What it does beyond that
  /// change is the work brought in or lost.
  std::string potential = {};
  /// Power it turns to heat, in W, >= 0: a formula. The rest of its work is brought in.
  std::string loss = {};
  /// When not empty: the formula is an equation, zero for the right load, which it calls by this
  /// name. The root is looked for from `guess`.
  std::string unknown = {};
  double guess = 0.0;
};

/// Something else that a force lets people see, as a formula: "motor.voltage".
struct OutputText {
  std::string name;
  std::string formula;
  core::Dimension dimension = {};
};

/// A force as formulas, with first-order states of its own; their names begin with the item's.
struct LawSet {
  std::vector<LawText> laws;
  std::vector<StateVariable> states = {};
  std::vector<OutputText> outputs = {};  ///< their names begin with the item's, too
};

struct ForceKind {
  std::string name;
  Space space = Space::spatial;
  std::string summary;
  std::vector<Field> fields;
  Mirroring mirroring;
  /// 2: between frames a and b; 1: on frame b, with a the ground; 0: along named coordinates. More:
  /// between so many frames, by laws or as an element.
  int attachments = 2;
  std::unique_ptr<Force<Planar>> (*build_planar)(const Values& values,
                                                 const NodeFrame<Planar>& a,
                                                 const NodeFrame<Planar>& b) = nullptr;
  std::unique_ptr<Force<Spatial>> (*build_spatial)(const Values& values,
                                                   const NodeFrame<Spatial>& a,
                                                   const NodeFrame<Spatial>& b) = nullptr;
  /// Instead: an element over all attachments, which may name sets of amplitudes, too
  /// (block_element.h).
  std::unique_ptr<BlockElement<Planar>> (*build_planar_element)(
      const Values& values, const ElementSite<Planar>& site) = nullptr;
  std::unique_ptr<BlockElement<Spatial>> (*build_spatial_element)(
      const Values& values, const ElementSite<Spatial>& site) = nullptr;
  /// Instead of the builders: the force as formulas along directions.
  LawSet (*laws)(const Item& item, const Description& description) = nullptr;
  /// Sensors that the laws read and act along; their names begin with the item's.
  std::vector<Item> (*sensors)(const Item& item) = nullptr;
  /// Instead of both: friction along a joint's coordinate, see forces/joint_friction.h.
  bool constraint_dependent = false;
  /// The formulas name x, y and z, which the kind replaces by coordinates of its bodies.
  bool has_local_names = false;
};

/// The values that coordinates have in the described configuration, by name.
class DescribedValues {
 public:
  virtual ~DescribedValues() = default;
  /// Zero when there is no such coordinate; that is reported elsewhere.
  virtual double value(const std::string& quantity) const = 0;
};

/// A constraint row between coordinates, or a prescribed coordinate, written as a formula that is
/// zero. The level tells whether the formula holds for positions or for rates (linear in them).
struct CouplingKind {
  std::string name;
  std::string summary;
  std::vector<Field> fields;
  Mirroring mirroring;
  bool velocity_level = false;
  int time_derivatives = 0;  ///< of drives: what the motion is a formula of
  std::string (*formula)(const Values& values, const DescribedValues& described) = nullptr;
};

/// A named quantity of two frames: a coordinate and its rate. Without a builder for coordinates the
/// sensor is a formula of channels.
struct SensorKind {
  std::string name;
  std::optional<Space> space;  ///< empty: both
  std::string summary;
  std::vector<Field> fields;
  core::Dimension dimension;
  int attachments = 2;
  std::shared_ptr<const Coordinate<Planar>> (*build_planar)(const Values& values,
                                                            const NodeFrame<Planar>& a,
                                                            const NodeFrame<Planar>& b) = nullptr;
  std::shared_ptr<const Coordinate<Spatial>> (*build_spatial)(
      const Values& values, const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b) = nullptr;
};

const std::vector<JointKind>& joint_kinds();
const std::vector<ForceKind>& force_kinds();
const std::vector<CouplingKind>& coupling_kinds();
const std::vector<CouplingKind>& drive_kinds();
const std::vector<SensorKind>& sensor_kinds();

/// Adds a kind of one's own, for all models compiled afterwards; not while others read the
/// registry. Throws InputError when its name is taken.
void register_force_kind(ForceKind kind);

/// Null when there is no such kind for that space.
const JointKind* find_joint_kind(Space space, std::string_view name);
const ForceKind* find_force_kind(Space space, std::string_view name);
const CouplingKind* find_coupling_kind(std::string_view name);
const CouplingKind* find_drive_kind(std::string_view name);
const SensorKind* find_sensor_kind(Space space, std::string_view name);

/// Completes `values` by the fallbacks and reports unknown names, missing or wrong values.
void check_values(const std::vector<Field>& fields,
                  Space space,
                  const std::string& path,
                  Values& values,
                  core::Diagnostics& diagnostics);

/// Everything that is wrong with a description, with fallbacks filled in where values are missing:
/// names, attachments, mass properties, directions, unconnected frames. Errors carry paths such as
/// "joints.pin.axis".
void check(Description& description, core::Diagnostics& diagnostics);

}  // namespace trammel::model
