// Positions by other coordinates than Cartesian ones [Sol1983, 2.3]: r = r(u).
//
//     polar, cylindrical   u = (azimuth, radius, z)          r = (radius cos, radius sin, z)
//     spherical            u = (radius, azimuth, elevation)  r = radius (cos e cos a, cos e sin a,
//     sin e)
//     formulas             u = (u, v, w)                     r by formulas (model/user_position.h)
//
// Each component of the first is a product of functions of one coordinate, so that partial
// derivatives of every order are products, too. With rates v,
//     r' = sum r_i v_i,   r'' = sum r_i v_i' + sum r_ij v_i v_j.
// Where the r_i are dependent (radius 0, and elevation of a right angle) the coordinates are
// singular.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "trammel/model/user_position.h"

namespace trammel::model {

/// A function of one coordinate.
enum class PositionFactor { one, self, cosine, sine };

template <class S>
class PositionForm {
 public:
  using Point = typename S::Point;
  static constexpr int size = S::dimension;

  /// By the fields of a free joint; null for Cartesian ones.
  static std::shared_ptr<const PositionForm> from(const Values& values);
  /// "polar", "cylindrical", "spherical"; null for others.
  static std::shared_ptr<const PositionForm> find(std::string_view name);

  std::string_view name() const { return name_; }
  Point position(const double* u) const { return user_ ? user_->position(u) : derivative(u, {}); }
  /// r_i, r_ij and sum_jk r_ijk v_j v_k.
  Point first(const double* u, int i) const;
  Point second(const double* u, int i, int j) const;
  Point third(const double* u, int i, const double* v) const;
  /// The u with position(u) = r; NaN where formulas have none.
  void coordinates_of(const Point& r, double* u) const;
  /// |det [r_1 r_2 ...]|, turns measured in model sizes or radii, whichever is larger: from 0
  /// (singular) to 1.
  double distance_from_singularity(const double* u, double size_of_model) const;
  bool is_length(int i) const {
    return !user_ && (factors_[0][index(i)] == Factor::self || is_height(i));
  }

 private:
  using Factor = PositionFactor;
  using Row = std::array<Factor, 3>;
  using Orders = std::array<int, 3>;

  PositionForm(std::string_view name, std::array<Row, 3> factors)
      : name_(name), factors_(factors) {}
  explicit PositionForm(const Values& values)
      : name_("user's"), user_(std::make_shared<const UserPosition<S>>(values)) {}
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static double factor(Factor kind, double u, int order);
  bool is_height(int i) const { return factors_[2][index(i)] == Factor::self; }
  Point derivative(const double* u, const Orders& orders) const;

  std::string_view name_;
  std::array<Row, 3> factors_{};  ///< of each component, by coordinates
  std::shared_ptr<const UserPosition<S>> user_;
};

}  // namespace trammel::model
