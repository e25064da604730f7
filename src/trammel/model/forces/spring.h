// Spring and damper between two points [Chiou1990, sec. 4.7.4-4.7.5].
//
//     F = k (L - L0) + c L' + F0,   L = |d|,   d = p_b - p_a
// F > 0 is tension: +F d/L acts on a and -F d/L on b. Where the points coincide the direction is
// undefined; the force is then zero unless the free length is zero too.
#pragma once

#include "trammel/model/force.h"
#include "trammel/model/kinds.h"
#include "trammel/model/point_pair.h"

namespace trammel::model {

template <class S>
class Spring final : public Force<S> {
 public:
  using Kinematics = typename S::Kinematics;

  struct Parameters {
    double stiffness = 0.0;  ///< k, N/m
    double damping = 0.0;    ///< c, N s/m
    double length = 0.0;     ///< L0, m
    double preload = 0.0;    ///< F0, N
  };

  Spring(const NodeFrame<S>& a, const NodeFrame<S>& b, Parameters parameters);

  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double t,
                PairVector<S>& f) const override;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<S>& f_q,
               PairMatrix<S>& f_v) const override;
  bool depends_on_velocity() const override { return parameters_.damping != 0.0; }
  bool balances_energy() const override { return true; }
  void evaluate_between(const StepKinematics<S>& step, double t, PairVector<S>& f) const override;
  double potential(const Kinematics& a, const Kinematics& b) const override;
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const override;
  std::vector<Quantity> quantities() const override;
  void measure(const Kinematics& a, const Kinematics& b, double t, double* values) const override;

 private:
  struct Stretch;
  Stretch stretch(const Kinematics& a, const Kinematics& b) const;

  PointPair<S> points_;
  Parameters parameters_;
};

ForceKind planar_spring();
ForceKind spatial_spring();

}  // namespace trammel::model
