// Coordinates and directions made of simpler ones.
//
//     coordinate  c = F(c_1, ..., c_N)           J = sum F_i J_i
//                                                H = sum F_i H_i + sum F_ij J_i J_j^T
//     direction   u = sum w_i(c_1, ..., c_N) u_i J = sum w_i J_i
//                                                H = sum w_i H_i + sum J_i (sum w_i,j J_j)^T
// with exact derivatives by jets (jet.h).
#pragma once

#include <memory>
#include <utility>

#include "trammel/model/coordinate.h"
#include "trammel/model/jet.h"

namespace trammel::model {

template <class S>
using CoordinatePointer = std::shared_ptr<const Coordinate<S>>;
template <class S>
using DirectionPointer = std::shared_ptr<const Direction<S>>;

template <class S, int N>
using CoordinateArray = std::array<CoordinatePointer<S>, static_cast<std::size_t>(N)>;
template <class S, int D>
using DirectionArray = std::array<DirectionPointer<S>, static_cast<std::size_t>(D)>;

template <class S, int N>
Jets<N> jets_of(const CoordinateArray<S, N>& coordinates,
                const typename S::Kinematics& a,
                const typename S::Kinematics& b) {
  Jets<N> jets;
  for (std::size_t i = 0; i < N; ++i) {
    jets[i] = Jet<N>::argument(coordinates[i]->value(a, b), static_cast<int>(i));
  }
  return jets;
}

/// F is called as F(const Jets<N>&) -> Jet<N>.
template <class S, int N, class F>
class ComposedCoordinate final : public Coordinate<S> {
 public:
  using Kinematics = typename S::Kinematics;

  ComposedCoordinate(CoordinateArray<S, N> arguments, F function, bool wraps = false)
      : arguments_(std::move(arguments)), function_(std::move(function)), wraps_(wraps) {}

  double value(const Kinematics& a, const Kinematics& b) const override {
    return function_(jets_of<S, N>(arguments_, a, b)).value;
  }
  double rate(const Kinematics& a, const Kinematics& b) const override {
    const Jet<N> jet = function_(jets_of<S, N>(arguments_, a, b));
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
      sum += jet.gradient[static_cast<int>(i)] * arguments_[i]->rate(a, b);
    }
    return sum;
  }
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override {
    linearise(a, b, J);
  }
  double linearise(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override {
    const Jet<N> jet = function_(jets_of<S, N>(arguments_, a, b));
    J.setZero();
    PairVector<S> part;
    for (std::size_t i = 0; i < N; ++i) {
      arguments_[i]->jacobian(a, b, part);
      J += jet.gradient[static_cast<int>(i)] * part;
    }
    return jet.value;
  }
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override {
    const Jet<N> jet = function_(jets_of<S, N>(arguments_, a, b));
    Eigen::Matrix<double, pair_freedoms<S>, N> J;
    PairVector<S> row;
    PairMatrix<S> part;
    H.setZero();
    for (std::size_t i = 0; i < N; ++i) {
      const int column = static_cast<int>(i);
      arguments_[i]->jacobian(a, b, row);
      J.col(column) = row;
      if (jet.gradient[column] == 0.0) continue;
      arguments_[i]->derivative(a, b, part);
      H += jet.gradient[column] * part;
    }
    H += J * jet.hessian * J.transpose();
  }
  bool wraps() const override { return wraps_; }

 private:
  CoordinateArray<S, N> arguments_;
  F function_;
  bool wraps_;
};

/// W is called as W(const Jets<N>&) -> std::array<Jet<N>, D>, the weights of the D directions.
template <class S, int D, int N, class W>
class ComposedDirection final : public Direction<S> {
 public:
  using Kinematics = typename S::Kinematics;

  ComposedDirection(DirectionArray<S, D> directions, CoordinateArray<S, N> arguments, W weights)
      : directions_(std::move(directions)),
        arguments_(std::move(arguments)),
        weights_(std::move(weights)) {}

  double rate(const Kinematics& a, const Kinematics& b) const override {
    const auto weights = weights_(jets_of<S, N>(arguments_, a, b));
    double sum = 0.0;
    for (std::size_t i = 0; i < D; ++i) sum += weights[i].value * directions_[i]->rate(a, b);
    return sum;
  }
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override {
    const auto weights = weights_(jets_of<S, N>(arguments_, a, b));
    J.setZero();
    PairVector<S> part;
    for (std::size_t i = 0; i < D; ++i) {
      directions_[i]->jacobian(a, b, part);
      J += weights[i].value * part;
    }
  }
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override {
    const auto weights = weights_(jets_of<S, N>(arguments_, a, b));
    Eigen::Matrix<double, pair_freedoms<S>, N> J;
    PairVector<S> row;
    for (std::size_t j = 0; j < N; ++j) {
      arguments_[j]->jacobian(a, b, row);
      J.col(static_cast<int>(j)) = row;
    }
    PairMatrix<S> part;
    H.setZero();
    for (std::size_t i = 0; i < D; ++i) {
      directions_[i]->derivative(a, b, part);
      H += weights[i].value * part;
      directions_[i]->jacobian(a, b, row);
      H += row * (J * weights[i].gradient).transpose();
    }
  }

 private:
  DirectionArray<S, D> directions_;
  CoordinateArray<S, N> arguments_;
  W weights_;
};

template <class S, int N, class F>
CoordinatePointer<S> compose(CoordinateArray<S, N> arguments, F function, bool wraps = false) {
  return std::make_shared<ComposedCoordinate<S, N, F>>(std::move(arguments), std::move(function),
                                                       wraps);
}

template <class S, int D, int N, class W>
DirectionPointer<S> compose_direction(DirectionArray<S, D> directions,
                                      CoordinateArray<S, N> arguments,
                                      W weights) {
  return std::make_shared<ComposedDirection<S, D, N, W>>(std::move(directions),
                                                         std::move(arguments), std::move(weights));
}

/// The cosine of the angle between a direction of a and one of b, both unit vectors in body axes.
class CosineCoordinate final : public Coordinate<Spatial> {
 public:
  CosineCoordinate(const Eigen::Vector3d& n_a, const Eigen::Vector3d& n_b) : n_a_(n_a), n_b_(n_b) {}
  double value(const Kinematics& a, const Kinematics& b) const override;
  double rate(const Kinematics& a, const Kinematics& b) const override;
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<Spatial>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<Spatial>& H) const override;

 private:
  Eigen::Vector3d n_a_;
  Eigen::Vector3d n_b_;
};

}  // namespace trammel::model
