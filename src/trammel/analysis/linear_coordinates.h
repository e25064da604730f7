// Independent coordinates for a linearisation, named where possible.
//
// A displacement x of a motion q0(t), q = retract(q0, x), and a change y of its velocities v0 are
// related by x' = y + B x; for rotations B x = x cross w0. A coordinate c with rate c'(q, v) gives
//
//     xi = C x,   xi' = R x + C y,   R = dc'/dq,
//
// and the second derivative xi'' = R' x + R x' + C' y + C y', where R' and C' are taken along the
// motion. Coordinates that people name (joint coordinates, sensors, positions of bodies) come
// first; what is left is described by components x_i of displacements themselves: C = e_i, R = B.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/named_coordinates.h"

namespace trammel::analysis {

/// B of x' = y + B x, for velocities v.
Matrix displacement_rate(const system::MechanicalSystem& system, const Vector& v);

/// C and R at a motion, and their rates along it.
struct CoordinateRows {
  Matrix C;
  Matrix R;
  Matrix C_rate;
  Matrix R_rate;
};

class LinearCoordinates {
 public:
  struct Member {
    std::string name;
    std::string unit;
    std::string rate_name;
    int named = -1;      ///< index among named()
    int component = -1;  ///< of x, when it has no name
  };

  /// Chooses coordinates for the displacements and velocities that the constraints allow. `wanted`
  /// ones come first; InputError when they do not exist or depend on each other.
  LinearCoordinates(model::ModelSystem& system,
                    const system::Motion& motion,
                    const std::vector<std::string>& wanted);

  const std::vector<Member>& members() const { return members_; }
  /// Which of them have independent rates: all, unless there are nonholonomic rows.
  const std::vector<int>& with_rate() const { return with_rate_; }

  CoordinateRows rows(const system::Motion& motion, bool with_rates);

 private:
  void choose(const system::Motion& motion, const std::vector<std::string>& wanted);
  void choose_rates(const system::Motion& motion, std::size_t wanted);
  void add_wanted(const Matrix& C, const std::vector<std::string>& wanted, Matrix& rest);
  void add_named(const Matrix& C, bool of_joint, Matrix& rest);
  void add_components(const Matrix& B, bool turning, double least, Matrix& rest);
  void add(int named);
  /// [C R] of all members.
  Matrix both(const system::Motion& motion);

  model::ModelSystem& system_;
  Observer observer_;
  std::vector<NamedCoordinate> used_;
  std::vector<Member> members_;
  std::vector<int> with_rate_;
};

}  // namespace trammel::analysis
