// A force along the line between two points, by any law of length and rate.
//
//     T = T(L, L'),   L = |d|,   d = p_b - p_a
// T > 0 is tension: +T d/L acts on a and -T d/L on b. The law gives T, the part of it that has a
// potential, and the potential; the rest is lost to heat. The points must not coincide.
#pragma once

#include <memory>

#include "trammel/model/coordinate.h"
#include "trammel/model/force.h"

namespace trammel::model {

/// Tension of a line force with its derivatives.
struct Tension {
  double total = 0.0;      ///< T, N
  double by_length = 0.0;  ///< dT/dL
  double by_rate = 0.0;    ///< dT/dL'
  double elastic = 0.0;    ///< the derivative of the potential by L, N
};

class LineLaw {
 public:
  virtual ~LineLaw() = default;
  virtual Tension tension(double length, double rate) const = 0;
  virtual double potential(double length) const = 0;
  virtual bool depends_on_rate() const = 0;
};

template <class S>
class LineForce final : public Force<S> {
 public:
  using Kinematics = typename S::Kinematics;

  LineForce(const NodeFrame<S>& a, const NodeFrame<S>& b, std::unique_ptr<const LineLaw> law);

  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double t,
                PairVector<S>& f) const override;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<S>& f_q,
               PairMatrix<S>& f_v) const override;
  bool depends_on_velocity() const override { return law_->depends_on_rate(); }
  double potential(const Kinematics& a, const Kinematics& b) const override;
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const override;
  std::vector<Quantity> quantities() const override;
  void measure(const Kinematics& a, const Kinematics& b, double t, double* values) const override;

 private:
  DistanceCoordinate<S> distance_;
  std::unique_ptr<const LineLaw> law_;
};

}  // namespace trammel::model
