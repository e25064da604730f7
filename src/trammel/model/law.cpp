#include "trammel/model/law.h"

namespace trammel::model {

template <class S>
Law<S>::Law(int node_a,
            int node_b,
            std::shared_ptr<const Direction<S>> direction,
            Formula<S> formula,
            WorkKind work)
    : node_a_(node_a),
      node_b_(node_b),
      direction_(std::move(direction)),
      formula_(std::move(formula)),
      work_(work) {
  nodes_.add(node_a);
  nodes_.add(node_b);
  formula_.add_nodes(nodes_);
}

template <class S>
void Law<S>::evaluate(const Place<S>& place, FormulaWorkspace<S>& work) const {
  PairVector<S> J;
  direction_->jacobian(place.at(node_a_), place.at(node_b_), J);
  work.row.head(local_size()).setZero();
  add_pair<S>(node_a_, node_b_, formula_.value(place, work), J, nodes_, work.row);
}

template <class S>
void Law<S>::linearise(const Place<S>& place, FormulaWorkspace<S>& work) const {
  PairVector<S> J;
  direction_->jacobian(place.at(node_a_), place.at(node_b_), J);
  work.row.head(local_size()).setZero();
  add_pair<S>(node_a_, node_b_, 1.0, J, nodes_, work.row);
  formula_.gradient(place, work);
}

template <class S>
double Law<S>::potential_rate(const Place<S>& place,
                              const system::Vector& state_rates,
                              FormulaWorkspace<S>& work) const {
  if (!potential_) return 0.0;
  potential_->gradient(place, work);
  double rate = 0.0;
  for (std::size_t i = 0; i < potential_->inputs().size(); ++i) {
    const Measure<S>& input = potential_->inputs()[i];
    double change = 1.0;  // of time
    if (input.kind == Measure<S>::Kind::state) {
      change = state_rates[input.index];
    } else if (input.kind == Measure<S>::Kind::position) {
      change = input.direction->rate(place.at(input.node_a), place.at(input.node_b));
    }
    rate += work.gradient[i] * change;
  }
  return rate;
}

template <class S>
void Law<S>::tangent(const Place<S>& place, FormulaWorkspace<S>& work) const {
  const auto& inputs = formula_.inputs();
  const int size = local_size();
  const double force = formula_.gradient(place, work);
  formula_.jacobians(place, work);
  Eigen::VectorXd& by_position = work.row;
  Eigen::VectorXd& by_velocity = work.second_row;
  by_position.head(size).setZero();
  by_velocity.head(size).setZero();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Measure<S>& input = inputs[i];
    const int number = static_cast<int>(i);
    if (input.kind == Measure<S>::Kind::position) {
      formula_.add(number, work.gradient[i], work.jacobians[i], nodes_, by_position);
    } else if (input.kind == Measure<S>::Kind::rate) {
      formula_.add(number, work.gradient[i], work.jacobians[i], nodes_, by_velocity);
      const auto& a = place.at(input.node_a);
      const auto& b = place.at(input.node_b);
      PairMatrix<S> H;
      input.direction->derivative(a, b, H);
      const PairVector<S> along = H.transpose() * pair_velocity<S>(a, b);
      formula_.add(number, work.gradient[i], along, nodes_, by_position);
    }
  }
  const auto& a = place.at(node_a_);
  const auto& b = place.at(node_b_);
  PairVector<S> pair;
  PairMatrix<S> H;
  direction_->jacobian(a, b, pair);
  direction_->derivative(a, b, H);
  Eigen::VectorXd& J = work.third_row;
  J.head(size).setZero();
  add_pair<S>(node_a_, node_b_, 1.0, pair, nodes_, J);
  work.matrix.topLeftCorner(size, size).noalias() =
      J.head(size) * by_position.head(size).transpose();
  add_pair<S>(node_a_, node_b_, force, H, nodes_, work.matrix);
  work.second_matrix.topLeftCorner(size, size).noalias() =
      J.head(size) * by_velocity.head(size).transpose();
}

template class Law<Planar>;
template class Law<Spatial>;

}  // namespace trammel::model
