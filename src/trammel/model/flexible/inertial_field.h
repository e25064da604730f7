// Points and directions along elements whose nodes are bodies with an angle, or points.
//
//     f = sum over the ends of (w_k r_k + w'_k e^(i phi_k))
#pragma once

#include "trammel/model/description.h"
#include "trammel/model/flexible/beam_shape.h"
#include "trammel/model/flexible/field_frame.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

class InertialField {
 public:
  using Complex = std::complex<double>;
  using Motion = FootingMotion<Planar>;
  using Direction = Eigen::Ref<const Eigen::VectorXd>;

  /// `rest` is the angle of bars, whose nodes have none.
  InertialField(const EndWeights& weights, double xi, bool is_bar, double rest)
      : w_(weights), xi_(xi), is_bar_(is_bar), rest_(rest) {}

  Complex value(const Motion& on) const {
    return end(on, 0, point(on, 0), 1.0) + end(on, 1, point(on, 1), 1.0);
  }
  Complex along(const Motion& on, const Direction& x) const {
    return end(on, 0, shift(x, 0), i * turn(x, 0)) + end(on, 1, shift(x, 1), i * turn(x, 1));
  }
  Complex along(const Motion& on, const Direction& x, const Direction& y) const {
    return end(on, 0, 0.0, -turn(x, 0) * turn(y, 0)) + end(on, 1, 0.0, -turn(x, 1) * turn(y, 1));
  }
  Complex along(const Motion& on,
                const Direction& x,
                const Direction& y,
                const Direction& z) const {
    return end(on, 0, 0.0, -i * turn(x, 0) * turn(y, 0) * turn(z, 0)) +
           end(on, 1, 0.0, -i * turn(x, 1) * turn(y, 1) * turn(z, 1));
  }
  double angle(const Motion& on) const {
    return is_bar_ ? rest_ : (1.0 - xi_) * on.node(0).angle + xi_ * on.node(1).angle;
  }

 private:
  static constexpr Complex i{0.0, 1.0};

  static Complex point(const Motion& on, int k) { return {on.node(k).p.x(), on.node(k).p.y()}; }
  static Complex shift(const Direction& x, int k) { return {x[3 * k], x[3 * k + 1]}; }
  double turn(const Direction& x, int k) const { return is_bar_ ? 0.0 : x[3 * k + 2]; }
  Complex end(const Motion& on, int k, Complex at, Complex slope) const {
    const Complex sum = w_[2 * k] * at;
    return is_bar_ ? sum : sum + w_[2 * k + 1] * slope * std::polar(1.0, on.node(k).angle);
  }

  EndWeights w_;
  double xi_;
  bool is_bar_;
  double rest_;
};

/// A frame at that place, carried by the two nodes of its element.
Carrier inertial_carrier(const FlexibleBody& body, const MeshPlace& place);
/// A body there.
Body inertial_frame_along(const FlexibleBody& body, const FlexibleFrame& frame);

}  // namespace trammel::model
