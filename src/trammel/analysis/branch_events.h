// Conditions on the motion as events (system/state_branches.h).
//
// The branches of all conditions are held where they are. Where the motion leaves one, by more than
// 1e-12 of what is compared, the march goes back to the place, the branch changes to what the
// motion asks for, accelerations are found anew, and the integrator starts again. Not for models
// with contacts or frictions that stick (unilateral_model.h), which would let go what presses but
// little.
//
// A condition may forbid both of its sides: sign(v) of a friction at rest drives v back to zero
// from either. No motion follows such a formula; it would change its branch without end. When a
// branch has changed 6 times with less than 1e-6 of a step between, or 40 times within a hundredth
// of it, it is let go, which is noted: from then on every evaluation takes the side on which it
// falls, as if there were no events. When it has stayed on one side for the time of 5
// steps it is held again.
#pragma once

#include <string>
#include <vector>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/integrators/event_source.h"
#include "trammel/model/model_system.h"
#include "trammel/system/state_branches.h"

namespace trammel::analysis {

class BranchEvents final : public integrators::EventSource {
 public:
  explicit BranchEvents(model::ModelSystem& system);
  /// Gives the model back as it was: nothing is held.
  ~BranchEvents() override;
  BranchEvents(const BranchEvents&) = delete;
  BranchEvents& operator=(const BranchEvents&) = delete;
  BranchEvents(BranchEvents&&) = delete;
  BranchEvents& operator=(BranchEvents&&) = delete;

  double watch(const system::Motion& motion, bool exactly) override;
  void act(system::Motion& motion) override;

  /// Holds what the motion asks for. Steps, or intervals of methods that choose theirs, are about
  /// `h` long, s.
  void begin(const system::Motion& motion);
  void set_step(double h) { h_ = h; }
  /// After every step.
  void follow(const system::Motion& motion);
  /// Changes of branches so far.
  long changes() const { return changes_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Watched {
    double scale = 0.0;  ///< largest magnitude met
    bool held = false;
    double last_change = -1.0;  ///< s
    double crowd_began = -1.0;  ///< s
    int quick = 0;              ///< changes with next to nothing between
    int crowd = 0;              ///< changes within a small part of a step
    double side = 0.0;          ///< seen last, while it is let go
    double steady_since = 0.0;  ///< s
    bool noted = false;
  };
  double function(std::size_t i) const;
  void change(std::size_t i, double t);

  system::StateBranches& branches_;
  constraint_handling::ConsistentStart start_;
  std::vector<Watched> watched_;
  system::Vector distances_;
  system::Vector magnitudes_;
  system::Vector asked_;
  system::Vector a_;
  system::Vector lambda_;
  double h_ = 0.0;
  long changes_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace trammel::analysis
