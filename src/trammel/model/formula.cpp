#include "trammel/model/formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/expression/branches.h"

namespace trammel::model {
namespace {

// A branch that is held goes on where its condition no longer holds, and may not exist there:
// if(x < 1, sqrt(1 - x), 0). What it asks for is taken then. False when nothing is held.
template <class S>
bool let_branches_go(const std::vector<Measure<S>>& inputs, std::vector<double>& values) {
  bool held = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].kind != Measure<S>::Kind::branch) continue;
    held = held || values[i] != expression::let_go;
    values[i] = expression::let_go;
  }
  return held;
}

}  // namespace

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
  if (is_equation()) return solve(work);
  const double value = program_->value(work.inputs, work.program);
  if (std::isfinite(value) || !let_branches_go(inputs_, work.inputs)) return value;
  return program_->value(work.inputs, work.program);
}

template <class S>
double Formula<S>::gradient(const Place<S>& place, FormulaWorkspace<S>& work) const {
  read(place, work);
  work.gradient.resize(inputs_.size());
  if (!is_equation()) {
    const double value = program_->gradient(work.inputs, work.gradient, work.program);
    if (std::isfinite(value) || !let_branches_go(inputs_, work.inputs)) return value;
    return program_->gradient(work.inputs, work.gradient, work.program);
  }
  const double root = solve(work);
  const auto unknown = static_cast<std::size_t>(unknown_);
  const double slope = work.gradient[unknown];
  for (double& entry : work.gradient) entry /= -slope;
  work.gradient[unknown] = 0.0;
  return root;
}

// ---- equations

template <class S>
void Formula<S>::solve_from(double guess) {
  guess_ = guess;
  const auto found = std::find_if(inputs_.begin(), inputs_.end(), [](const Measure<S>& input) {
    return input.kind == Measure<S>::Kind::unknown;
  });
  unknown_ = found == inputs_.end() ? -1 : static_cast<int>(found - inputs_.begin());
}

template <class S>
double Formula<S>::residual(double unknown, FormulaWorkspace<S>& work) const {
  work.inputs[static_cast<std::size_t>(unknown_)] = unknown;
  return program_->gradient(work.inputs, work.gradient, work.program);
}

template <class S>
double Formula<S>::solve(FormulaWorkspace<S>& work) const {
  work.gradient.resize(inputs_.size());
  const double root = newton(work);
  return std::isfinite(root) ? root : bisect(work);
}

// Steps are halved until the residual falls.
template <class S>
double Formula<S>::newton(FormulaWorkspace<S>& work) const {
  constexpr int most_steps = 60;
  constexpr int most_halvings = 40;
  constexpr double precision = 4.0 * std::numeric_limits<double>::epsilon();
  const auto slope_at = static_cast<std::size_t>(unknown_);
  double x = guess_;
  double r = residual(x, work);
  for (int i = 0; i < most_steps; ++i) {
    if (r == 0.0) return x;
    double step = -r / work.gradient[slope_at];
    if (!std::isfinite(step)) break;
    double next = 0.0;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, step *= 0.5) {
      next = residual(x + step, work);
      if (std::abs(next) < std::abs(r)) break;
    }
    // No progress: at the limit of precision, or stuck.
    if (halvings == most_halvings || std::abs(step) <= precision * std::abs(x)) {
      const bool close = std::abs(r / residual_slope(x, work)) <= 1e-9 * (1.0 + std::abs(x));
      return close ? x : std::numeric_limits<double>::quiet_NaN();
    }
    x += step;
    r = next;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

template <class S>
double Formula<S>::residual_slope(double unknown, FormulaWorkspace<S>& work) const {
  residual(unknown, work);
  return work.gradient[static_cast<std::size_t>(unknown_)];
}

// A change of sign around the guess, in intervals that grow, then halved to the last digit.
template <class S>
double Formula<S>::bisect(FormulaWorkspace<S>& work) const {
  constexpr int most_doublings = 80;
  double width = 1e-6 * (1.0 + std::abs(guess_));
  double low = guess_;
  double high = guess_;
  double r_low = residual(low, work);
  double r_high = r_low;
  for (int i = 0; i < most_doublings && r_low * r_high > 0.0; ++i, width *= 2.0) {
    r_low = residual(guess_ - width, work);
    r_high = residual(guess_ + width, work);
    low = guess_ - width;
    high = guess_ + width;
  }
  if (!(r_low * r_high <= 0.0)) return std::numeric_limits<double>::quiet_NaN();
  for (double middle = 0.5 * (low + high); middle > low && middle < high;
       middle = 0.5 * (low + high)) {
    const double r = residual(middle, work);
    (r * r_low > 0.0 ? low : high) = middle;
  }
  // A pole changes its sign, too.
  const double r = residual(low, work);
  const bool close = std::abs(r / residual_slope(low, work)) <= 1e-9 * (1.0 + std::abs(low));
  return close ? low : std::numeric_limits<double>::quiet_NaN();
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
