#include "trammel/model/relation.h"

namespace trammel::model {

template <class S>
Relation<S>::Relation(RelationLevel level, Formula<S> formula)
    : level_(level), formula_(std::move(formula)) {
  formula_.add_nodes(nodes_);
}

template <class S>
double Relation<S>::linearise(const Place<S>& place, FormulaWorkspace<S>& work) const {
  const double value = formula_.gradient(place, work);
  formula_.jacobians(place, work);
  work.row.head(local_size()).setZero();
  for (std::size_t i = 0; i < formula_.inputs().size(); ++i) {
    if (formula_.inputs()[i].kind != carrier()) continue;
    formula_.add(static_cast<int>(i), work.gradient[i], work.jacobians[i], nodes_, work.row);
  }
  return value;
}

template <class S>
double Relation<S>::input_rate(const Measure<S>& input, const Place<S>& place) const {
  if (input.kind == Kind::time) return 1.0;
  return input.direction->rate(place.at(input.node_a), place.at(input.node_b));
}

// v^T H v.
template <class S>
double Relation<S>::curvature(const Measure<S>& input, const Place<S>& place) const {
  const auto& a = place.at(input.node_a);
  const auto& b = place.at(input.node_b);
  PairMatrix<S> H;
  input.direction->derivative(a, b, H);
  const PairVector<S> v = pair_velocity<S>(a, b);
  return v.dot(H * v);
}

template <class S>
double Relation<S>::bias(const Place<S>& place, FormulaWorkspace<S>& work) const {
  const auto& inputs = formula_.inputs();
  const std::size_t n = inputs.size();
  formula_.hessian(place, work);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (inputs[i].kind == carrier()) {
      sum += work.gradient[i] * curvature(inputs[i], place);
    } else if (level_ == RelationLevel::velocity) {
      sum += work.gradient[i] * input_rate(inputs[i], place);
    }
    if (level_ == RelationLevel::velocity) continue;
    for (std::size_t j = 0; j < n; ++j) {
      sum += work.hessian[i * n + j] * input_rate(inputs[i], place) * input_rate(inputs[j], place);
    }
  }
  return sum;
}

template <class S>
void Relation<S>::stiffness(const Place<S>& place, double factor, FormulaWorkspace<S>& work) const {
  const auto& inputs = formula_.inputs();
  const std::size_t n = inputs.size();
  formula_.hessian(place, work);
  formula_.jacobians(place, work);
  auto matrix = work.matrix.topLeftCorner(local_size(), local_size());
  matrix.setZero();
  for (std::size_t i = 0; i < n; ++i) {
    if (inputs[i].kind != carrier()) continue;
    PairMatrix<S> H;
    inputs[i].direction->derivative(place.at(inputs[i].node_a), place.at(inputs[i].node_b), H);
    formula_.add(static_cast<int>(i), factor * work.gradient[i], H, nodes_, work.matrix);
    auto row = work.row.head(local_size());
    row.setZero();
    for (std::size_t j = 0; j < n; ++j) {
      const double second = work.hessian[i * n + j];
      if (inputs[j].kind != Kind::position || second == 0.0) continue;
      formula_.add(static_cast<int>(j), factor * second, work.jacobians[j], nodes_, work.row);
    }
    auto column = work.second_row.head(local_size());
    column.setZero();
    formula_.add(static_cast<int>(i), 1.0, work.jacobians[i], nodes_, work.second_row);
    matrix.noalias() += column * row.transpose();
  }
}

template <class S>
double Relation<S>::time_derivative(const Place<S>& place, FormulaWorkspace<S>& work) const {
  const double value = formula_.gradient(place, work);
  double sum = level_ == RelationLevel::velocity ? value : 0.0;
  for (std::size_t i = 0; i < formula_.inputs().size(); ++i) {
    const Measure<S>& input = formula_.inputs()[i];
    if (level_ == RelationLevel::velocity && input.kind == Kind::rate) {
      sum -= work.gradient[i] * work.inputs[i];
    } else if (level_ == RelationLevel::position && input.kind == Kind::time) {
      sum += work.gradient[i];
    }
  }
  return sum;
}

template class Relation<Planar>;
template class Relation<Spatial>;

}  // namespace trammel::model
