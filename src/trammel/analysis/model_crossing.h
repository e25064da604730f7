// Over the times at which a model's functions jump: a drive (or a coupling) whose velocity jumps
// strikes the bodies,
//
//     M (v+ - v-) + G^T s = 0,    G v+ + g_t = 0,
//
// with all rows that hold, in absolute coordinates, where every drive is a row. The impulse of a
// drive along its coordinate is -s. As in every plastic impact the kinetic energy of v+ - v- is
// lost; what else the kinetic energy changes by is the work of the drives. Each strike is an event
// of the run.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/contact_event.h"
#include "trammel/integrators/event_source.h"
#include "trammel/integrators/switch_crossing.h"
#include "trammel/linear/block_ldlt.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

class UnilateralModel;

class ModelCrossing final : public integrators::SwitchCrossing {
 public:
  /// `unilateral` is the system itself where it has events, else null.
  ModelCrossing(model::ModelSystem& system, UnilateralModel* unilateral);
  /// What may happen behind a jump; null: nothing. Not owned.
  void set_events(integrators::EventSource* source) { source_ = source; }

  const std::vector<ContactEvent>& events() const { return events_; }
  /// Kinetic energy lost in all strikes so far, J.
  double energy_lost() const { return energy_lost_; }
  /// Work of the drives in them, J.
  double work() const { return work_; }
  /// What functions that jumped did to stored energies so far, J: work of loads.
  double load_work() const { return load_work_; }

 protected:
  void see_before(const system::Motion& motion) override;
  integrators::Failure change_velocities(system::Motion& motion, int order) override;
  void see_after(system::Motion& motion) override;

 private:
  /// The new velocities of `struck_`, and the impulses.
  integrators::Failure strike();
  void open_rows();
  /// The energy lost, J.
  double account(const system::Vector& v_before);
  void tell(const system::Vector& jump, const system::Vector& impulses, double lost);

  model::ModelSystem& model_;
  UnilateralModel* unilateral_;
  integrators::EventSource* source_ = nullptr;
  model::ModelSystem& absolute_;
  system::Motion struck_;        ///< in absolute coordinates
  system::Vector rates_before_;  ///< G v + g_t, with the functions of before
  system::Vector rates_after_;
  system::KktMatrix matrix_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  system::Vector right_side_;
  system::Vector solution_;
  std::vector<ContactEvent> events_;
  double energy_lost_ = 0.0;
  double work_ = 0.0;
  double potential_before_ = 0.0;
  double load_work_ = 0.0;
};

}  // namespace trammel::analysis
