#include "trammel/model/position_form.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace trammel::model {

template <class S>
std::shared_ptr<const PositionForm<S>> PositionForm<S>::find(std::string_view name) {
  using enum PositionFactor;
  const auto form = [](std::string_view literal, const std::array<Row, 3>& factors) {
    return std::shared_ptr<const PositionForm>(new PositionForm(literal, factors));
  };
  const std::array<Row, 3> round{Row{cosine, self, one}, {sine, self, one}, {one, one, self}};
  if (size == 2 && name == "polar") return form("polar", {round[0], round[1], Row{one, one, one}});
  if (size == 3 && name == "cylindrical") return form("cylindrical", round);
  if (size == 3 && name == "spherical") {
    return form("spherical", {Row{self, cosine, cosine}, {self, sine, cosine}, {self, one, sine}});
  }
  return nullptr;
}

template <class S>
std::shared_ptr<const PositionForm<S>> PositionForm<S>::from(const Values& values) {
  const std::string& name = text(values, "position");
  if (name != "formulas") return find(name);
  return std::shared_ptr<const PositionForm>(new PositionForm(values));
}

template <class S>
double PositionForm<S>::factor(Factor kind, double u, int order) {
  if (kind == Factor::one) return order == 0 ? 1.0 : 0.0;
  if (kind == Factor::self) return order == 0 ? u : (order == 1 ? 1.0 : 0.0);
  const std::array<double, 4> cosines{std::cos(u), -std::sin(u), -std::cos(u), std::sin(u)};
  return cosines[index((order + (kind == Factor::sine ? 3 : 0)) % 4)];
}

template <class S>
typename S::Point PositionForm<S>::derivative(const double* u, const Orders& orders) const {
  Point r = Point::Ones();
  for (int component = 0; component < size; ++component) {
    for (int k = 0; k < size; ++k) {
      r[component] *= factor(factors_[index(component)][index(k)], u[k], orders[index(k)]);
    }
  }
  return r;
}

template <class S>
typename S::Point PositionForm<S>::first(const double* u, int i) const {
  if (user_) return user_->first(u).col(i);
  Orders orders{};
  ++orders[index(i)];
  return derivative(u, orders);
}

template <class S>
typename S::Point PositionForm<S>::second(const double* u, int i, int j) const {
  if (user_) return user_->second(u, i, j);
  Orders orders{};
  ++orders[index(i)];
  ++orders[index(j)];
  return derivative(u, orders);
}

template <class S>
typename S::Point PositionForm<S>::third(const double* u, int i, const double* v) const {
  if (user_) return user_->third(u, i, v);
  Point sum = Point::Zero();
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < size; ++k) {
      Orders orders{};
      ++orders[index(i)];
      ++orders[index(j)];
      ++orders[index(k)];
      sum += v[j] * v[k] * derivative(u, orders);
    }
  }
  return sum;
}

template <class S>
void PositionForm<S>::coordinates_of(const Point& r, double* u) const {
  if (user_) {
    user_->coordinates_of(r, u);
    return;
  }
  const double across = std::hypot(r[0], r[1]);
  const double azimuth = std::atan2(r[1], r[0]);
  if (factors_[0][0] == Factor::cosine) {
    u[0] = azimuth;
    u[1] = across;
    if (size == 3) u[2] = r[size - 1];
    return;
  }
  u[0] = r.norm();
  u[1] = azimuth;
  u[size - 1] = std::atan2(r[size - 1], across);
}

template <class S>
double PositionForm<S>::distance_from_singularity(const double* u, double size_of_model) const {
  if (user_) return user_->distance_from_singularity(u);
  Eigen::Matrix<double, size, size> columns;
  for (int i = 0; i < size; ++i) {
    columns.col(i) = first(u, i);
    if (!is_length(i)) columns.col(i) /= std::max(size_of_model, position(u).norm());
  }
  return std::abs(columns.determinant());
}

template class PositionForm<Planar>;
template class PositionForm<Spatial>;

}  // namespace trammel::model
