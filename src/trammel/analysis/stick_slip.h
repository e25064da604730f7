// Which frictions of a model stick, and which slide in which direction (model/slip.h): decided at
// events, frozen between them.
//
//     sliding along s = +-1   an event where s x' falls below zero
//     sticking                an event where |lambda| exceeds r mu_s N
//
// A friction that comes to rest is stuck on trial, together with those that stick already. Of all
// whose multiplier then exceeds its limit the worst slides, in the direction sign(lambda) in which
// it is pulled, and the others are judged anew. So a friction either sticks or goes on with the
// other sign.
//
// A row that depends on the other rows that hold cannot stick: where drives or joints move the
// coordinate its friction slides at all times; where other frictions or unilateral rows hold it, it
// is held, without a load, until one of them lets go. What several frictions could share is thus
// taken by the first of them up to its limit, which it goes on to carry, the rest by the next.
//
// A coordinate also changes its direction at dead centres, while all else moves on. Sticking there
// would stop the mechanism by a load that nothing has: where more velocity would have to go than
// the integrator's error, the friction merely turns.
//
// Tolerances: rates below 1e-10 of the largest velocity met, or of what its friction could bring
// about, count as zero, loads above their limit by 1e-8 of the largest load of the same friction
// as too large.
#pragma once

#include <vector>

#include "trammel/analysis/contact_event.h"
#include "trammel/linear/block_ldlt.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class StickSlip {
 public:
  /// `model` has the frictions; `whole` is the model with its open unilateral rows left out, whose
  /// matrices are not used before begin().
  StickSlip(model::ModelSystem& model, system::MechanicalSystem& whole);

  bool empty() const { return frictions_.empty(); }
  std::size_t size() const { return frictions_.size(); }
  /// Whether it sticks, or is held by others; with the load of its limit, where it needs it.
  bool at_rest(std::size_t number) const { return frictions_[number].rests; }
  /// Takes over what another one, of a clone of the same model, has decided.
  void continue_from(const StickSlip& other);
  /// Gives all frictions back to the regularised law.
  void smooth(const system::State& state);
  /// Frozen modes instead of the regularised law: by the rates of a motion.
  void begin(const system::Motion& motion);

  /// Learns how fast the model moves. The accelerations must be exact: those of tiny steps are not.
  void see(const system::Motion& motion);
  /// The least watched function over its tolerance, plus one.
  double least_function(const system::Motion& motion);
  /// Remembers whose rate has changed its sign.
  void fire(const system::Motion& motion);
  /// After that, with consistent velocities: marks what has come to rest.
  void mark(const system::Motion& motion);
  /// All that stick let go: friction is left out of impacts.
  void let_go(const system::State& state);
  /// After an impact: slides as the new rates say; what has none may stick.
  void follow(const system::Motion& motion);

  /// Sticks on trial what is marked and can; true when velocities must follow.
  bool hold(const system::State& state);
  /// After that: marks what has lost its rate with what sticks now. It would slide in a direction
  /// that only the error of the velocities before gave it.
  void mark_resting(const system::Motion& motion);
  /// Lets the friction slide whose multiplier is above its limit most, or sticks one that turned
  /// back; false when all is well.
  bool let_slip(system::Motion& motion);
  /// Once all is well: adds to `events`, unless it is null, what has changed since the last call.
  void finish(const system::Motion& motion, std::vector<ContactEvent>* events);

 private:
  /// The entries of a row of G.
  struct RowPlaces {
    int row = 0;
    std::vector<int> positions;  ///< among the values of a matrix
    std::vector<int> columns;
  };
  struct Friction {
    model::StickRow row;
    RowPlaces places;
    model::Slip slip = model::Slip::smoothed;
    model::Slip told = model::Slip::smoothed;
    bool rests = false;
    bool driven = false;  ///< slides, since joints and drives determine its coordinate
    bool loaded = false;  ///< slides by name; others hold it, and it carries its limit
    bool fired = false;   ///< its rate has changed its sign, as the integrator has it
    bool marked = false;  ///< to be stuck on trial
    double slack = 0.0;   ///< its rate may be as far on the wrong side: an error of velocities
    int trials = 0;       ///< since the last event
    model::Slip next = model::Slip::forward;  ///< when it is marked and cannot stick
    double largest_load = 0.0;                ///< met so far
    double mobility = 0.0;  ///< acceleration of its bodies per load, without any rows
  };

  void set(Friction& friction, model::Slip slip, const system::State& state);
  void set_by_rate(Friction& friction, double rate, const system::State& state);
  double function(Friction& friction, const system::Motion& motion);
  double rate_tolerance(const Friction& friction) const;
  double acceleration_tolerance(const Friction& friction) const;
  RowPlaces places_of(int row) const;
  /// J M^-1 J^T of its row over what its bodies have without any rows; zero where other rows that
  /// hold determine it. `lasting`: rows of joints and drives alone.
  double compliance(Friction& friction, const system::State& state, bool lasting);
  bool can_stick(Friction& friction, const system::State& state);
  /// After can_stick(): whether it would only by stopping what moves.
  bool passes(const Friction& friction);
  bool is_free(Friction& friction, const system::State& state);
  bool stick_held(const system::State& state);

  model::ModelSystem& model_;
  system::MechanicalSystem& whole_;
  std::vector<Friction> frictions_;
  std::vector<RowPlaces> unilateral_;
  double largest_speed_ = 0.0;  ///< met so far, in displacement scales per second
  system::KktMatrix matrix_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  system::Motion motion_;
  system::Vector row_;
  system::Vector solution_;
};

}  // namespace trammel::analysis
