// Adams-Bashforth-Moulton methods of variable order and step (PECE) on the state equations
// [Shampine & Gordon 1975; Hairer, Norsett & Wanner 1993, sec. III.5 and III.7].
//
// With the modified differences phi_j of the last rates (modified_differences.h) a step of order k
// predicts, evaluates, corrects with one order more, and evaluates:
//
//     y* = y_n + h sum_{j<k} g_j beta_j phi_j        f* = f(t_{n+1}, y*)
//     D  = f* - sum_{j<k} beta_j phi_j               y_{n+1} = y* + h g_k D
//
//     g_j = c_j1,   c_0q = 1/q,   c_jq = c_{j-1,q} - c_{j-1,q+1} h/(h + psi_{j-1})
//
// h (g_k - g_{k-1}) D is the error of the step. The errors at orders k-1, k-2 and k+1, from the
// same differences, choose the next order; the next step is doubled, kept or shortened so that the
// error is about half its tolerance, of which a step gets a fifth to the whole by its share of the
// motion (StateEquations::share()). Two evaluations a step, whatever the order: the cheapest
// method there is for smooth motions and sharp tolerances.
#pragma once

#include "trammel/integrators/adaptive_integrator.h"
#include "trammel/integrators/modified_differences.h"
#include "trammel/integrators/position_history.h"

namespace trammel::integrators {

class Adams final : public AdaptiveIntegrator {
 public:
  Adams(system::MechanicalSystem& system, AdaptiveOptions options);

  static constexpr int highest_order = 12;
  int order() const override { return options_.most_order; }
  std::size_t memory_bytes() const override;

 protected:
  void step_was_changed() override { equal_steps_ = 0; }
  void restart() override;
  bool attempt(Failure& failure) override;
  void interpolate(double t, system::Vector& y) override;

 private:
  using Coefficients = std::array<double, ModifiedDifferences::most>;

  /// Errors that steps of neighbouring orders would have had.
  struct Estimates {
    double lowest = 0.0;  ///< k - 2
    double lower = 0.0;   ///< k - 1
    double same = 0.0;    ///< k
    double energy = 0.0;  ///< k, of the balance of energy
  };

  void set_weights_of(double h);
  void predict(double h);
  Estimates estimate(double h);
  bool lower_order_pays(const Estimates& estimates) const;
  void reject(const Estimates& estimates);
  void fail();
  bool correct(double h, Failure& failure);
  void choose_next(double h, const Estimates& estimates);
  double raise_order(double h, const Estimates& estimates, bool lower);
  void watch_stability(double h);
  void move_origin();

  ModifiedDifferences differences_;
  PositionHistory history_;
  std::vector<system::Vector> rebuilt_;  ///< scratch of move_origin()
  Coefficients g_{};
  Coefficients beta_{};
  Coefficients gamma_{};  ///< of Adams-Moulton with constant steps, absolute values
  int order_ = 1;
  int step_order_ = 1;   ///< of the last accepted step
  int equal_steps_ = 0;  ///< of the present size
  int failures_ = 0;     ///< in a row
  bool starting_ = true;
  int unstable_ = 0;
  system::Vector predicted_;
  system::Vector rates_;  ///< at the predicted, then at the corrected end
  system::Vector first_rates_;
  system::Vector correction_;  ///< D
  system::Vector work_;
  system::Vector x_;
  system::Vector dx_;
};

}  // namespace trammel::integrators
