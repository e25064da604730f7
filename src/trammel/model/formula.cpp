#include "trammel/model/formula.h"

#include <algorithm>

namespace trammel::model {

template <class S>
Formula<S>::Formula(std::shared_ptr<const expression::Program> program,
                    std::vector<Measure<S>> inputs)
    : program_(std::move(program)), inputs_(std::move(inputs)) {}

template <class S>
void Formula<S>::add_nodes(LocalNodes& nodes) const {
  for (const Measure<S>& input : inputs_) {
    nodes.add(input.node_a);
    nodes.add(input.node_b);
  }
}

template <class S>
bool Formula<S>::reads(typename Measure<S>::Kind kind) const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [&](const Measure<S>& input) { return input.kind == kind; });
}

template <class S>
void Formula<S>::read(const Place<S>& place, FormulaWorkspace<S>& work) const {
  work.inputs.resize(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) work.inputs[i] = measured(inputs_[i], place);
}

template <class S>
double Formula<S>::value(const Place<S>& place, FormulaWorkspace<S>& work) const {
  read(place, work);
  return program_->value(work.inputs, work.program);
}

template <class S>
double Formula<S>::gradient(const Place<S>& place, FormulaWorkspace<S>& work) const {
  read(place, work);
  work.gradient.resize(inputs_.size());
  return program_->gradient(work.inputs, work.gradient, work.program);
}

template <class S>
double Formula<S>::hessian(const Place<S>& place, FormulaWorkspace<S>& work) const {
  read(place, work);
  work.gradient.resize(inputs_.size());
  work.hessian.resize(inputs_.size() * inputs_.size());
  return program_->hessian(work.inputs, work.gradient, work.hessian, work.program);
}

template <class S>
void Formula<S>::jacobians(const Place<S>& place, FormulaWorkspace<S>& work) const {
  work.jacobians.resize(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Measure<S>& input = inputs_[i];
    if (!input.direction) continue;
    input.direction->jacobian(place.at(input.node_a), place.at(input.node_b), work.jacobians[i]);
  }
}

template <class S>
void Formula<S>::add(int input,
                     double factor,
                     const PairVector<S>& pair,
                     const LocalNodes& nodes,
                     Eigen::VectorXd& row) const {
  const Measure<S>& measure = inputs_[static_cast<std::size_t>(input)];
  add_pair<S>(measure.node_a, measure.node_b, factor, pair, nodes, row);
}

template <class S>
void Formula<S>::add(int input,
                     double factor,
                     const PairMatrix<S>& pair,
                     const LocalNodes& nodes,
                     Eigen::MatrixXd& matrix) const {
  const Measure<S>& measure = inputs_[static_cast<std::size_t>(input)];
  add_pair<S>(measure.node_a, measure.node_b, factor, pair, nodes, matrix);
}

template <class S>
void add_pair(int node_a,
              int node_b,
              double factor,
              const PairVector<S>& pair,
              const LocalNodes& nodes,
              Eigen::VectorXd& row) {
  constexpr int f = S::freedoms;
  const int a = nodes.slot(node_a);
  const int b = nodes.slot(node_b);
  if (a >= 0) row.segment<f>(a * f) += factor * pair.template head<f>();
  if (b >= 0) row.segment<f>(b * f) += factor * pair.template tail<f>();
}

template <class S>
void add_pair(int node_a,
              int node_b,
              double factor,
              const PairMatrix<S>& pair,
              const LocalNodes& nodes,
              Eigen::MatrixXd& matrix) {
  constexpr int f = S::freedoms;
  const int slot[2] = {nodes.slot(node_a), nodes.slot(node_b)};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (slot[i] < 0 || slot[j] < 0) continue;
      matrix.block<f, f>(slot[i] * f, slot[j] * f) +=
          factor * pair.template block<f, f>(i * f, j * f);
    }
  }
}

template class Formula<Planar>;
template class Formula<Spatial>;
template void add_pair<Planar>(
    int, int, double, const PairVector<Planar>&, const LocalNodes&, Eigen::VectorXd&);
template void add_pair<Spatial>(
    int, int, double, const PairVector<Spatial>&, const LocalNodes&, Eigen::VectorXd&);
template void add_pair<Planar>(
    int, int, double, const PairMatrix<Planar>&, const LocalNodes&, Eigen::MatrixXd&);
template void add_pair<Spatial>(
    int, int, double, const PairMatrix<Spatial>&, const LocalNodes&, Eigen::MatrixXd&);

}  // namespace trammel::model
