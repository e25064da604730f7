// A position by coordinates of the user's own [Sol1983, 2.3]: r = r(u, v [, w]) by formulas.
//
// The formulas x, y [, z] are of the plain numbers u, v [, w] and give lengths; first and second
// derivatives are exact. The inverse is found by Newton's method, r = r(u) being followed from the
// user's guess along the straight line from its position to the wanted one: so the answer is that
// branch of the coordinates which the guess lies on. Where the columns r_u, r_v ... are dependent
// the coordinates are singular, and the way there finds no end.
//     du/dr = A^-1,   d2u_i/dr_j dr_k = -sum_l (A^-1)_il (A^-T H_l A^-1)_jk,
// A = [r_u r_v ...], H_l the second derivatives of component l.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/model/field.h"
#include "trammel/model/jet.h"
#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
class UserPosition {
 public:
  static constexpr int size = S::dimension;
  using Point = typename S::Point;
  using Matrix = Eigen::Matrix<double, size, size>;

  /// From the fields x, y, z and guess. Throws InputError when a formula is wrong or missing, or
  /// the coordinates are singular at the guess.
  explicit UserPosition(const Values& values);

  Point position(const double* u) const;
  /// r_i as columns.
  Matrix first(const double* u) const;
  /// r_ij.
  Point second(const double* u, int i, int j) const;
  /// sum_jk r_ijk v_j v_k: the difference of exact second derivatives along v, of fourth order. It
  /// enters tangents only.
  Point third(const double* u, int i, const double* v) const;
  /// The u with position(u) = r on the branch of the guess; false when there is none, and u is NaN.
  bool coordinates_of(const Point& r, double* u) const;
  /// From 0 (singular) to 1: |det A| against the lengths of its columns, and against the guess.
  double distance_from_singularity(const double* u) const;
  /// Coordinate number i as a function of the components of r, with its derivatives.
  Jet<size> coordinate(int i, const Jets<size>& r) const;

  static constexpr std::array<const char*, 3> names{"u", "v", "w"};

 private:
  struct Local {
    Point r;
    Matrix first;
    std::array<Matrix, static_cast<std::size_t>(size)> second;  ///< of each component
  };
  void evaluate(const double* u, bool second, Local& local) const;
  bool newton(const Point& r, Point& u) const;

  std::vector<expression::Program> programs_;
  Point guess_ = Point::Zero();
  double scale_ = 1.0;        ///< of the coordinates
  double determinant_ = 1.0;  ///< at the guess
};

/// Fields of a joint with such a position.
std::vector<Field> user_position_fields(Space space);

}  // namespace trammel::model
