// A force element between two nodes: generalised forces on the freedoms of both.
//
// The force on a node is (force in world axes; moment about its centre of mass, in body axes).
#pragma once

#include <string>
#include <vector>

#include "trammel/model/space.h"

namespace trammel::model {

/// Something an element can report: "length" in m.
struct Quantity {
  std::string name;
  std::string unit;
  std::string frame;
  std::string description;
};

/// Where the power of a force goes.
struct ForcePower {
  double dissipated = 0.0;  ///< W, lost to heat, >= 0
  double load = 0.0;        ///< W, brought in from outside
};

/// Both nodes of a force over a step: at its ends and in the middle. The discrete derivative of a
/// point fixed to a node is that of the middle with rotations times `turn_a` (`turn_b`), since
/// R_1 - R_0 = sin(x/2)/(x/2) R skew(x) for a turn by x with R in its middle.
template <class S>
struct StepKinematics {
  const typename S::Kinematics& a0;
  const typename S::Kinematics& b0;
  const typename S::Kinematics& a;
  const typename S::Kinematics& b;
  const typename S::Kinematics& a1;
  const typename S::Kinematics& b1;
  double turn_a = 1.0;
  double turn_b = 1.0;
};

template <class S>
class Force {
 public:
  using Kinematics = typename S::Kinematics;

  Force(int node_a, int node_b) : a_(node_a), b_(node_b) {}
  virtual ~Force() = default;

  int node_a() const { return a_; }
  int node_b() const { return b_; }

  virtual void evaluate(const Kinematics& a,
                        const Kinematics& b,
                        double t,
                        PairVector<S>& f) const = 0;
  /// df/dq along the manifold and df/dv; both are written in full.
  virtual void tangent(const Kinematics& a,
                       const Kinematics& b,
                       double t,
                       PairMatrix<S>& f_q,
                       PairMatrix<S>& f_v) const = 0;
  virtual bool depends_on_velocity() const = 0;
  virtual double potential(const Kinematics& /*a*/, const Kinematics& /*b*/) const { return 0.0; }
  /// True when there is no potential, or evaluate_between() balances it.
  virtual bool balances_energy() const { return false; }
  /// f with f . x = potential at the start - potential at the end, x the displacement of both nodes
  /// (plus forces without potential, of the middle).
  virtual void evaluate_between(const StepKinematics<S>& step, double t, PairVector<S>& f) const {
    evaluate(step.a, step.b, t, f);
  }
  virtual ForcePower power(const Kinematics& a, const Kinematics& b, double t) const = 0;

  virtual std::vector<Quantity> quantities() const = 0;
  /// Writes one number per quantity.
  virtual void measure(const Kinematics& a,
                       const Kinematics& b,
                       double t,
                       double* values) const = 0;

 private:
  int a_;
  int b_;
};

}  // namespace trammel::model
