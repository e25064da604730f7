// Polynomials in coordinates and in sines and cosines of them, in a form in which equal ones look
// equal:
//
//     P = sum of  c x_1^n1 x_2^n2 ... cos(k_1 x_1 + k_2 x_2 + ...)     or the same with sin,
//
// with whole n >= 0 and k. Products of two angles' functions become functions of their sum and
// difference,
//     cos A cos B = (cos(A - B) + cos(A + B))/2,     sin A sin B = (cos(A - B) - cos(A + B))/2,
//     sin A cos B = (sin(A - B) + sin(A + B))/2,
// so that sums, products and derivatives stay in the form and c^2 + s^2 is 1 by itself. Places of
// bodies on chains of turns, slides and screws are such polynomials, and so is all that follows
// from them.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace trammel::symbolic {

/// A number of a coordinate as a place in a list.
inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// What a coefficient stands before.
struct Factor {
  std::vector<int> powers;     ///< of each coordinate
  std::vector<int> harmonics;  ///< k; the first that is not zero is positive
  bool sine = false;           ///< of the harmonics; false: cosine

  friend auto operator<=>(const Factor&, const Factor&) = default;
  friend bool operator==(const Factor&, const Factor&) = default;
  bool is_one() const;
  /// Whether there is a sine or cosine.
  bool is_periodic() const;
};

class Polynomial {
 public:
  Polynomial() = default;
  /// Zero, in so many coordinates.
  explicit Polynomial(int coordinates) : coordinates_(coordinates) {}

  static Polynomial constant(int coordinates, double value);
  /// x_i itself.
  static Polynomial coordinate(int coordinates, int i);
  /// cos(sign x_i) and sin(sign x_i).
  static Polynomial cosine(int coordinates, int i);
  static Polynomial sine(int coordinates, int i, double sign);

  int coordinates() const { return coordinates_; }
  const std::map<Factor, double>& terms() const { return terms_; }
  bool is_zero() const { return terms_.empty(); }
  /// The largest coefficient, as a size.
  double size() const;

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);
  Polynomial& operator*=(double factor);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
  friend Polynomial operator*(double factor, Polynomial a) { return a *= factor; }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

  Polynomial derivative(int i) const;
  double value(std::span<const double> x) const;
  /// Without the terms that are round-off beside others of size `size`.
  Polynomial without_round_off(double size) const;

 private:
  void add(Factor factor, double coefficient);

  int coordinates_ = 0;
  std::map<Factor, double> terms_;
};

}  // namespace trammel::symbolic
