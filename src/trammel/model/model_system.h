// A compiled model: a mechanical system that still knows the user's names.
//
// Solvers see only its base class. Analyses use the rest: the described (not yet assembled) state,
// which initial values are fixed, names of constraint rows, and what can be observed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/model/description.h"
#include "trammel/model/force.h"
#include "trammel/model/slip.h"
#include "trammel/system/initial_values.h"
#include "trammel/system/mechanical_system.h"

namespace trammel::model {

/// A constraint row by name: joint "pin", row "point x".
struct RowName {
  std::string joint;
  std::string label;
};

/// The rows of one joint, coupling or drive.
struct JointRows {
  std::string name;
  std::string type;
  int first = 0;  ///< holonomic
  int count = 0;
  int first_velocity = 0;  ///< nonholonomic
  int velocity_count = 0;
};

/// An initial value by name: body "crank", quantity "angular_velocity", rad/s.
struct InitialName {
  std::string body;
  std::string quantity;
  std::string unit;
};

/// A turn of a body without inertia of its own (a point mass on a rod without mass). It has to be
/// held by joints, so that other masses move with it, and is computed with `stand_in`.
struct MasslessTurn {
  std::string body;
  int first = 0;          ///< of the body's rotational velocities
  Eigen::VectorXd axis;   ///< of the turn: one number in the plane, a unit vector in body axes
  double stand_in = 0.0;  ///< kg m^2, 1e-12 of the body's mass times the model's size squared
};

/// A row that may let go, see contact_row.h.
struct UnilateralRow {
  std::string name;   ///< of its joint or coupling
  int row = 0;        ///< among the multipliers
  double side = 1.0;  ///< gap = side g, load = -side lambda
  bool starts_open = false;
};

/// What a compiled model knows of itself, constant.
class ModelFacts {
 public:
  virtual ~ModelFacts() = default;

  /// The state written in the model file; guesses where not fixed.
  virtual system::State described_state() const = 0;
  /// Per velocity component: must assembly keep the described position, or velocity?
  virtual const std::vector<bool>& fixed_positions() const = 0;
  virtual const std::vector<bool>& fixed_velocities() const = 0;
  /// The described values one by one; null in coordinates that take theirs over from others.
  virtual const system::InitialValues* initial_values() const { return nullptr; }
  /// In their order.
  virtual std::vector<InitialName> position_names() const { return {}; }
  virtual std::vector<InitialName> velocity_names() const { return {}; }

  virtual std::vector<RowName> row_names() const = 0;
  virtual std::vector<JointRows> joints() const = 0;
  /// Rows that the model evaluates as if they always held, but which hold only while they press.
  virtual std::vector<UnilateralRow> unilateral_rows() const { return {}; }
  /// Rows by which frictions stick; open unless FrictionModes says otherwise.
  virtual std::vector<StickRow> stick_rows() const { return {}; }
  virtual std::vector<MasslessTurn> massless_turns() const { return {}; }
  virtual int body_count() const = 0;
  /// Characteristic length of the described model, m.
  virtual double size() const = 0;
  /// Everything that can be recorded; names are "crank.position.x", "pin.reaction.force.y".
  virtual std::vector<Quantity> observables() const = 0;
};

class ModelSystem : public system::MechanicalSystem, public system::EnergyBook {
 public:
  system::EnergyBook* energy_book() override { return this; }

  virtual const ModelFacts& facts() const = 0;
  // Short for facts().
  system::State described_state() const { return facts().described_state(); }
  const std::vector<bool>& fixed_positions() const { return facts().fixed_positions(); }
  const std::vector<bool>& fixed_velocities() const { return facts().fixed_velocities(); }
  std::vector<InitialName> position_names() const { return facts().position_names(); }
  std::vector<InitialName> velocity_names() const { return facts().velocity_names(); }
  std::vector<RowName> row_names() const { return facts().row_names(); }
  std::vector<JointRows> joints() const { return facts().joints(); }
  std::vector<UnilateralRow> unilateral_rows() const { return facts().unilateral_rows(); }
  std::vector<StickRow> stick_rows() const { return facts().stick_rows(); }
  std::vector<MasslessTurn> massless_turns() const { return facts().massless_turns(); }
  int body_count() const { return facts().body_count(); }
  double size() const { return facts().size(); }
  std::vector<Quantity> observables() const { return facts().observables(); }

  const system::InitialValues* initial_values() const { return facts().initial_values(); }
  /// Bytes held by the constant model and this system's scratch memory, for memory reports.
  virtual std::size_t memory_bytes() const = 0;

  /// One number per observable. Angles that wrap are continued from the last accept().
  virtual void observe(const system::Motion& motion, double* values) = 0;
  /// Goes on from a state: counts whole turns of angles, those that couplings, drives, forces and
  /// sensors read among them, and keeps where internal nodes of connections stand. For whoever
  /// marches: call at every state that is kept, and at none that is tried; evaluations change
  /// nothing of it. Turns of less than half a revolution between calls are told apart, see
  /// fastest_turn().
  virtual void accept(const system::State& state) = 0;
  /// Counts turns from the described state again.
  virtual void restart_angles() = 0;
  /// The counts: the last value of every angle that is counted. A system with the same joints,
  /// sensors and forces in another model goes on with them.
  virtual std::vector<double>& counted_angles() = 0;
};

/// Compiles a description that passed check(); throws InputError otherwise.
std::unique_ptr<ModelSystem> compile(Description description);

}  // namespace trammel::model
