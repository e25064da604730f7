#include "trammel/symbolic/polynomial.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trammel::symbolic {
namespace {

Factor one(int coordinates) {
  return {std::vector<int>(at(coordinates), 0), std::vector<int>(at(coordinates), 0), false};
}

bool all_zero(const std::vector<int>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](int n) { return n == 0; });
}

std::vector<int> combined(const std::vector<int>& a, const std::vector<int>& b, int sign) {
  std::vector<int> result = a;
  for (std::size_t i = 0; i < b.size(); ++i) result[i] += sign * b[i];
  return result;
}

}  // namespace

bool Factor::is_one() const {
  return all_zero(powers) && !is_periodic();
}

bool Factor::is_periodic() const {
  return !all_zero(harmonics);
}

Polynomial Polynomial::constant(int coordinates, double value) {
  Polynomial result(coordinates);
  result.add(one(coordinates), value);
  return result;
}

Polynomial Polynomial::coordinate(int coordinates, int i) {
  Polynomial result(coordinates);
  Factor factor = one(coordinates);
  factor.powers[at(i)] = 1;
  result.add(std::move(factor), 1.0);
  return result;
}

Polynomial Polynomial::cosine(int coordinates, int i) {
  Polynomial result(coordinates);
  Factor factor = one(coordinates);
  factor.harmonics[at(i)] = 1;
  result.add(std::move(factor), 1.0);
  return result;
}

Polynomial Polynomial::sine(int coordinates, int i, double sign) {
  Polynomial result(coordinates);
  Factor factor = one(coordinates);
  factor.harmonics[at(i)] = 1;
  factor.sine = true;
  result.add(std::move(factor), sign);
  return result;
}

// In the one form that a factor has: sin(-A) = -sin A, cos(-A) = cos A, sin 0 = 0.
void Polynomial::add(Factor factor, double coefficient) {
  if (coefficient == 0.0) return;
  const auto first = std::find_if(factor.harmonics.begin(), factor.harmonics.end(),
                                  [](int harmonic) { return harmonic != 0; });
  if (first == factor.harmonics.end()) {
    if (factor.sine) return;
  } else if (*first < 0) {
    for (int& harmonic : factor.harmonics) harmonic = -harmonic;
    if (factor.sine) coefficient = -coefficient;
  }
  const auto [place, fresh] = terms_.try_emplace(std::move(factor), coefficient);
  if (fresh) return;
  place->second += coefficient;
  if (place->second == 0.0) terms_.erase(place);
}

double Polynomial::size() const {
  double largest = 0.0;
  for (const auto& [factor, coefficient] : terms_) {
    largest = std::max(largest, std::abs(coefficient));
  }
  return largest;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  assert(coordinates_ == other.coordinates_);
  for (const auto& [factor, coefficient] : other.terms_) add(factor, coefficient);
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  return *this += -1.0 * other;
}

Polynomial& Polynomial::operator*=(double number) {
  if (number == 0.0) terms_.clear();
  for (auto& [factor, coefficient] : terms_) coefficient *= number;
  return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  assert(a.coordinates_ == b.coordinates_);
  Polynomial result(a.coordinates_);
  for (const auto& [left, c_left] : a.terms_) {
    for (const auto& [right, c_right] : b.terms_) {
      const double half = 0.5 * c_left * c_right;
      // Of sin A sin B the sum comes with a minus; of cos A sin B the difference does.
      const double of_sum = left.sine && right.sine ? -half : half;
      const double of_difference = !left.sine && right.sine ? -half : half;
      const bool sine = left.sine != right.sine;
      const std::vector<int> powers = combined(left.powers, right.powers, 1);
      result.add({powers, combined(left.harmonics, right.harmonics, 1), sine}, of_sum);
      result.add({powers, combined(left.harmonics, right.harmonics, -1), sine}, of_difference);
    }
  }
  return result;
}

Polynomial Polynomial::derivative(int i) const {
  Polynomial result(coordinates_);
  for (const auto& [factor, coefficient] : terms_) {
    if (const int power = factor.powers[at(i)]; power > 0) {
      Factor lower = factor;
      --lower.powers[at(i)];
      result.add(std::move(lower), coefficient * power);
    }
    if (const int harmonic = factor.harmonics[at(i)]; harmonic != 0) {
      Factor turned = factor;
      turned.sine = !factor.sine;
      result.add(std::move(turned), (factor.sine ? 1.0 : -1.0) * coefficient * harmonic);
    }
  }
  return result;
}

double Polynomial::value(std::span<const double> x) const {
  double sum = 0.0;
  for (const auto& [factor, coefficient] : terms_) {
    double term = coefficient;
    double angle = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (int power = 0; power < factor.powers[i]; ++power) term *= x[i];
      angle += factor.harmonics[i] * x[i];
    }
    sum += term * (factor.sine ? std::sin(angle) : std::cos(angle));
  }
  return sum;
}

Polynomial Polynomial::without_round_off(double size) const {
  // Coefficients are sums of some hundred products of numbers with 16 digits.
  constexpr double round_off = 1e-12;
  Polynomial result(coordinates_);
  for (const auto& [factor, coefficient] : terms_) {
    if (std::abs(coefficient) > round_off * size) result.terms_.emplace(factor, coefficient);
  }
  return result;
}

}  // namespace trammel::symbolic
