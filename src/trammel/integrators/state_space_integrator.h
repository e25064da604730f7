// What integrators in independent coordinates have in common: steps between full motions, with the
// state-space form in between (state_space_form.h).
#pragma once

#include "trammel/integrators/state_space_form.h"

namespace trammel::integrators {

class StateSpaceIntegrator : public Integrator {
 public:
  StateSpaceIntegrator(system::MechanicalSystem& system, StateSpaceOptions options);

  void start(const system::Motion& motion) override;
  /// Where it fails, other coordinates are tried once.
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return form_.system(); }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return form_.notes(); }
  std::size_t memory_bytes() const override;

  const StateSpaceForm& form() const { return form_; }

 protected:
  /// After start(), for what a method keeps besides.
  virtual void begin() {}
  /// Takes form_ from now_ to a motion at the time t, h later.
  virtual Failure advance(double t, double h, int& iterations) = 0;
  /// The step was taken: form_.motion() becomes now_.
  virtual void keep(double /*h*/) {}

  StateSpaceOptions options_;
  StateSpaceForm form_;
  system::Motion now_;
  Statistics statistics_;

 private:
  double time_carry_ = 0.0;  ///< what rounding added to the time
};

}  // namespace trammel::integrators
