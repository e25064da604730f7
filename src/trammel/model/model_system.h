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

class ModelSystem : public system::MechanicalSystem, public system::EnergyBook {
 public:
  system::EnergyBook* energy_book() override { return this; }

  /// The state written in the model file; guesses where not fixed.
  virtual system::State described_state() const = 0;
  /// Per velocity component: must assembly keep the described position, or velocity?
  virtual const std::vector<bool>& fixed_positions() const = 0;
  virtual const std::vector<bool>& fixed_velocities() const = 0;

  /// The described values one by one; null in coordinates that take theirs over from others.
  virtual const system::InitialValues* initial_values() const { return nullptr; }
  /// In the order of initial_values().
  virtual std::vector<InitialName> position_names() const { return {}; }
  virtual std::vector<InitialName> velocity_names() const { return {}; }

  virtual std::vector<RowName> row_names() const = 0;
  virtual std::vector<JointRows> joints() const = 0;
  /// Rows that the model evaluates as if they always held, but which hold only while they press.
  virtual std::vector<UnilateralRow> unilateral_rows() const { return {}; }
  /// Rows by which frictions stick; open unless set_slip() says otherwise.
  virtual std::vector<StickRow> stick_rows() const { return {}; }
  /// How the friction of a stick row acts from now on; one that sticks does so where it stands.
  virtual void set_slip(const StickRow& /*row*/, Slip /*slip*/, const system::State& /*state*/) {}
  virtual SlipPlace slip_at(const StickRow& /*row*/, const system::Motion& /*motion*/) {
    return {};
  }
  virtual std::vector<MasslessTurn> massless_turns() const { return {}; }
  virtual int body_count() const = 0;
  /// Characteristic length of the described model, m.
  virtual double size() const = 0;
  /// Bytes held by the constant model and this system's scratch memory, for memory reports.
  virtual std::size_t memory_bytes() const = 0;

  /// Everything that can be recorded; names are "crank.position.x", "pin.reaction.force.y".
  virtual std::vector<Quantity> observables() const = 0;
  /// One number per observable. Angles that wrap are continued from the last track_angles().
  virtual void observe(const system::Motion& motion, double* values) = 0;
  /// Counts whole turns of angles, those that couplings, drives, forces and sensors read among
  /// them. For whoever marches: call at every state that is kept, and at none that is tried. Turns
  /// of less than half a revolution between calls are told apart, see fastest_turn().
  virtual void track_angles(const system::State& state) = 0;
  /// Counts turns from the described state again.
  virtual void restart_angles() = 0;
  /// The counts: the last value of every angle that is counted. A system with the same joints,
  /// sensors and forces in another model goes on with them.
  virtual std::vector<double>& counted_angles() = 0;
};

/// Compiles a description that passed check(); throws InputError otherwise.
std::unique_ptr<ModelSystem> compile(Description description);

}  // namespace trammel::model
