// Frames at points of planar bodies that bend: position and direction of the section are fields,
// complex numbers x + i y that depend on the local unknowns,
//
//     p = f(q)        angle = arg e(q)
//
// whose derivatives along displacements x, y, z are known. With e_x = de(x), e_xy = d^2 e(x, y) ...
//
//     d angle(x)           = Im(e_x/e)
//     d^2 angle(x, y)      = Im(e_xy/e - e_x e_y/e^2)
//     d^3 angle(x, y, z)   = Im(e_xyz/e - (e_xy e_z + e_xz e_y + e_yz e_x)/e^2 + 2 e_x e_y e_z/e^3)
//
// A Field has value(on), along(on, x), along(on, x, y), along(on, x, y, z), and angle(on), a number
// that is less than half a turn away from the angle of the section.
#pragma once

#include <complex>

#include "trammel/model/frames/carried_frame.h"

namespace trammel::model {

template <class Field>
class FieldFrame final : public CarriedFrame<Planar> {
 public:
  FieldFrame(Field position, Field direction)
      : position_(std::move(position)), direction_(std::move(direction)) {}

  void pose(const Motion& on, Planar::Kinematics& k) const override {
    const Complex p = position_.value(on);
    const Complex e = direction_.value(on);
    const double near = direction_.angle(on);
    k.p = {p.real(), p.imag()};
    k.angle = near + std::arg(e * std::polar(1.0, -near));
    const Complex unit = e / std::abs(e);
    k.R << unit.real(), -unit.imag(), unit.imag(), unit.real();
  }

  void map(const Motion& on, Map P) const override {
    const Complex e = direction_.value(on);
    for (Eigen::Index i = 0; i < P.cols(); ++i) {
      const Local unit = Local::Unit(P.cols(), i);
      set(P, i, position_.along(on, unit), direction_.along(on, unit) / e);
    }
  }

  void map_change(const Motion& on, const Direction& x, Map dP) const override {
    const Complex e = direction_.value(on);
    const Complex e_x = direction_.along(on, x) / e;
    for (Eigen::Index i = 0; i < dP.cols(); ++i) {
      const Local unit = Local::Unit(dP.cols(), i);
      const Complex e_i = direction_.along(on, unit) / e;
      set(dP, i, position_.along(on, unit, x), direction_.along(on, unit, x) / e - e_i * e_x);
    }
  }

  void map_second_change(const Motion& on,
                         const Direction& x,
                         const Direction& y,
                         Map ddP) const override {
    const Complex e = direction_.value(on);
    const Complex e_x = direction_.along(on, x) / e;
    const Complex e_y = direction_.along(on, y) / e;
    const Complex e_xy = direction_.along(on, x, y) / e;
    for (Eigen::Index i = 0; i < ddP.cols(); ++i) {
      const Local unit = Local::Unit(ddP.cols(), i);
      const Complex e_i = direction_.along(on, unit) / e;
      const Complex e_ix = direction_.along(on, unit, x) / e;
      const Complex e_iy = direction_.along(on, unit, y) / e;
      set(ddP, i, position_.along(on, unit, x, y),
          direction_.along(on, unit, x, y) / e - e_ix * e_y - e_iy * e_x - e_xy * e_i +
              2.0 * e_i * e_x * e_y);
    }
  }

 private:
  using Complex = std::complex<double>;
  static constexpr int most_unknowns = 16;
  using Local = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_unknowns, 1>;

  static void set(Map& P, Eigen::Index column, Complex shift, Complex turn) {
    P(0, column) = shift.real();
    P(1, column) = shift.imag();
    P(2, column) = turn.imag();
  }

  Field position_;
  Field direction_;
};

}  // namespace trammel::model
