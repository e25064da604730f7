#include "trammel/analysis/linearise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/linear_coordinates.h"
#include "trammel/analysis/linear_terms.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/table.h"

namespace trammel::analysis {
namespace {

Matrix picked_rows(const Matrix& rows, const std::vector<int>& list) {
  Matrix result(static_cast<Eigen::Index>(list.size()), rows.cols());
  for (std::size_t i = 0; i < list.size(); ++i) {
    result.row(static_cast<Eigen::Index>(i)) = rows.row(list[i]);
  }
  return result;
}

// x with constraint x = first, coordinates x = second: full column rank, first is consistent.
Matrix determined(const Matrix& constraint,
                  const Matrix& coordinates,
                  const Vector& scale,
                  const Matrix& first,
                  const Matrix& second) {
  Matrix left(constraint.rows() + coordinates.rows(), constraint.cols());
  left << constraint * scale.asDiagonal(), coordinates * scale.asDiagonal();
  Matrix right(left.rows(), second.cols());
  if (right.cols() == 0) return Matrix::Zero(left.cols(), 0);  // nothing is free to change
  right << first, second;
  for (Eigen::Index i = 0; i < left.rows(); ++i) {
    const double length = left.row(i).norm();
    if (length == 0.0) continue;
    left.row(i) /= length;
    right.row(i) /= length;
  }
  return scale.asDiagonal() * left.colPivHouseholderQr().solve(right);
}

class Linear {
 public:
  Linear(model::ModelSystem& system, const system::Motion& motion, LinearCoordinates& coordinates)
      : system_(system),
        motion_(motion),
        terms_(linear_terms(system, motion)),
        rows_(coordinates.rows(motion, true)),
        with_rate_(coordinates.with_rate()) {
    solve_changes();
    solve_rates();
  }

  const Matrix& A() const { return A_; }
  const Matrix& displacements() const { return x_; }

  // c'' of the motion itself, for coordinates with a rate.
  double unsteadiness() const {
    const Vector second = picked_rows(rows_.R, with_rate_) * motion_.state.v +
                          picked_rows(rows_.C, with_rate_) * motion_.a;
    const Matrix C = picked_rows(rows_.C, with_rate_) * system_.displacement_scale().asDiagonal();
    double result = 0.0;
    for (Eigen::Index i = 0; i < second.size(); ++i) {
      result = std::max(result, std::abs(second[i]) / std::max(C.row(i).norm(), 1e-300));
    }
    return result;
  }

  // Forces b and state rates s per unit of each input.
  Matrix input_matrix(const Matrix& b, const Matrix& s) {
    Matrix right = Matrix::Zero(n() + system_.sizes().multipliers(), b.cols());
    right.topRows(n()) = b;
    input_solution_ = terms_.solve(right);
    Matrix B = Matrix::Zero(A_.rows(), b.cols());
    B.middleRows(rows_.C.rows(), rates()) =
        picked_rows(rows_.C, with_rate_) * input_solution_.topRows(n());
    B.bottomRows(s.rows()) = s;
    return B;
  }

  // Outputs of all states, then of all inputs (without what an input changes in them directly).
  std::pair<Matrix, Matrix> output_matrices(const MotionDerivatives::Function& output) const {
    const MotionDerivatives derivatives(system_, motion_);
    const Matrix by_acceleration = derivatives.by_acceleration(output);
    const Matrix by_multiplier = derivatives.by_multiplier(output);
    const auto through = [&](const Matrix& solution) -> Matrix {
      return by_acceleration * solution.topRows(n()) +
             by_multiplier * solution.bottomRows(system_.sizes().multipliers());
    };
    Matrix C = derivatives.by_position(output) * x_ + derivatives.by_velocity(output) * y_ +
               through(solution_);
    if (system_.sizes().z > 0) C += derivatives.by_state(output) * z_;
    return {C, through(input_solution_)};
  }

 private:
  Eigen::Index n() const { return system_.sizes().v; }
  Eigen::Index rates() const { return static_cast<Eigen::Index>(with_rate_.size()); }

  // x, y and z that belong to each state.
  void solve_changes() {
    const Eigen::Index positions = rows_.C.rows();
    const Eigen::Index memories = system_.sizes().z;
    const Eigen::Index all = positions + rates() + memories;
    const Vector& scale = system_.displacement_scale();
    const Matrix holonomic = terms_.G.topRows(system_.sizes().holonomic);
    Matrix wanted = Matrix::Zero(positions, all);
    wanted.leftCols(positions).setIdentity();
    x_ = determined(holonomic, rows_.C, scale, Matrix::Zero(holonomic.rows(), all), wanted);
    Matrix eta = Matrix::Zero(rates(), all);
    eta.middleCols(positions, rates()).setIdentity();
    y_ = determined(terms_.G, picked_rows(rows_.C, with_rate_), scale, -terms_.W * x_,
                    eta - picked_rows(rows_.R, with_rate_) * x_);
    z_ = Matrix::Zero(memories, all);
    z_.rightCols(memories).setIdentity();
  }

  void solve_rates() {
    const Eigen::Index positions = rows_.C.rows();
    Matrix right(n() + system_.sizes().multipliers(), x_.cols());
    right.topRows(n()) = -terms_.K * x_ - terms_.D * y_;
    if (z_.rows() > 0) right.topRows(n()) += terms_.F * z_;
    right.bottomRows(system_.sizes().multipliers()) = -terms_.P * x_ - terms_.Q * y_;
    solution_ = terms_.solve(right);
    const Matrix x_rate = y_ + terms_.B * x_;
    A_ = Matrix::Zero(x_.cols(), x_.cols());
    A_.topRows(positions) = rows_.R * x_ + rows_.C * y_;
    A_.middleRows(positions, rates()) = picked_rows(rows_.R_rate, with_rate_) * x_ +
                                        picked_rows(rows_.R, with_rate_) * x_rate +
                                        picked_rows(rows_.C_rate, with_rate_) * y_ +
                                        picked_rows(rows_.C, with_rate_) * solution_.topRows(n());
    if (z_.rows() > 0) {
      A_.bottomRows(z_.rows()) = terms_.S_q * x_ + terms_.S_v * y_ + terms_.S_z * z_;
    }
  }

  model::ModelSystem& system_;
  const system::Motion& motion_;
  LinearTerms terms_;
  CoordinateRows rows_;
  std::vector<int> with_rate_;
  Matrix x_;
  Matrix y_;
  Matrix z_;
  Matrix solution_;  ///< (y', mu) of each state
  Matrix input_solution_;
  Matrix A_;
};

// How far A changes along the motion: it is constant where the motion is steady.
double drift(model::ModelSystem& system,
             const system::Motion& motion,
             LinearCoordinates& coordinates,
             const Matrix& A) {
  const double speed = scaled_size(motion.state.v, system.displacement_scale());
  if (speed == 0.0) return 0.0;
  const double time = 0.1 / speed;
  system::Motion then = motion;
  then.state.t += time;
  system.retract(motion.state.q, time * motion.state.v + 0.5 * time * time * motion.a,
                 then.state.q);
  then.state.v += time * motion.a;
  constraint_handling::ConsistentStart start(system);
  if (!start.positions(then.state, {}).converged) return INFINITY;
  start.velocities(then.state, {});
  start.accelerations(then.state, then.a, then.lambda);
  const Matrix other = Linear(system, then, coordinates).A();
  return (other - A).cwiseAbs().maxCoeff() / std::max(A.cwiseAbs().maxCoeff(), 1e-300);
}

void name_states(model::ModelSystem& system,
                 const LinearCoordinates& coordinates,
                 Linearisation& result) {
  for (const LinearCoordinates::Member& member : coordinates.members()) {
    result.states.push_back({member.name, member.unit});
  }
  for (const int index : coordinates.with_rate()) {
    const LinearCoordinates::Member& member =
        coordinates.members()[static_cast<std::size_t>(index)];
    result.states.push_back({member.rate_name, member.unit.empty() ? "1/s" : member.unit + "/s"});
  }
  for (const model::Quantity& quantity : system.observables()) {
    if (quantity.description == "first-order state") {
      result.states.push_back({quantity.name, quantity.unit});
    }
  }
}

// What a parameter changes: forces, rates of states, outputs.
struct ParameterEffect {
  Vector force;
  Vector rates;
  Vector outputs;
};

struct Evaluation {
  Vector residual;
  Vector constraint;
  Vector rates;
  Vector outputs;
};

Vector values_of(const std::vector<double>& values, const std::vector<std::size_t>& list) {
  Vector result(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    result[static_cast<Eigen::Index>(i)] = values[list[i]];
  }
  return result;
}

Evaluation evaluate(const ParameterInput& input,
                    double value,
                    const system::Motion& motion,
                    const std::vector<double>& angles,
                    const std::vector<std::size_t>& outputs) {
  const std::unique_ptr<model::ModelSystem> system = input.with(value);
  system->counted_angles() = angles;
  system->accept(motion.state);
  Evaluation result;
  system->residual(motion, result.residual, result.constraint);
  if (system::FirstOrderStates* states = system->first_order_states()) {
    states->rates(motion.state, result.rates);
  }
  Observer observer(*system);
  result.outputs = values_of(observer.observe(motion), outputs);
  return result;
}

ParameterEffect effect_of(const ParameterInput& input,
                          const system::Motion& motion,
                          const std::vector<double>& angles,
                          const std::vector<std::size_t>& outputs) {
  const double h = 1e-4 * std::max(1.0, std::abs(input.value));
  const Evaluation plus = evaluate(input, input.value + h, motion, angles, outputs);
  const Evaluation minus = evaluate(input, input.value - h, motion, angles, outputs);
  if (largest(plus.constraint - minus.constraint) > 1e-12) {
    throw core::InputError(
        fmt::format("'{}' is no input: it changes the constraints, not only loads",
                    input.name.name),
        "choose a parameter that formulas of forces or states read, or a load on a coordinate");
  }
  return {-(plus.residual - minus.residual) / (2.0 * h), (plus.rates - minus.rates) / (2.0 * h),
          (plus.outputs - minus.outputs) / (2.0 * h)};
}

std::vector<std::size_t> output_indices(const Observer& observer,
                                        const std::vector<std::string>& patterns) {
  if (patterns.empty()) return {};
  std::vector<results::Channel> channels;
  for (const model::Quantity& quantity : observer.quantities()) {
    channels.push_back({quantity.name, quantity.unit, quantity.frame, quantity.description});
  }
  return results::select(channels, patterns);
}

void require_time_to_linearise(const LinearOptions& options) {
  options.end.require_time("the model was linearised", "give more time, or fewer inputs");
}

void add_inputs_and_outputs(model::ModelSystem& system,
                            const system::Motion& motion,
                            const LinearOptions& options,
                            Linear& linear,
                            Linearisation& result) {
  Observer observer(system);
  const std::vector<std::size_t> outputs = output_indices(observer, options.outputs);
  const auto count = static_cast<Eigen::Index>(options.loads.size() + options.parameters.size());
  Matrix b = Matrix::Zero(system.sizes().v, count);
  Matrix s = Matrix::Zero(system.sizes().z, count);
  Matrix direct = Matrix::Zero(static_cast<Eigen::Index>(outputs.size()), count);
  Eigen::Index column = 0;
  for (const std::string& load : options.loads) {
    const NamedCoordinate& coordinate = observer.find(load);
    b.col(column++) = observer.gradients({coordinate}, motion.state).transpose();
    result.inputs.push_back({"load on " + load, coordinate.unit == "rad" ? "N m" : "N"});
  }
  for (const ParameterInput& input : options.parameters) {
    require_time_to_linearise(options);
    const ParameterEffect effect = effect_of(input, motion, system.counted_angles(), outputs);
    b.col(column) = effect.force;
    if (s.rows() > 0) s.col(column) = effect.rates;
    direct.col(column++) = effect.outputs;
    result.inputs.push_back(input.name);
  }
  result.B = linear.input_matrix(b, s);
  for (const std::size_t index : outputs) {
    result.outputs.push_back(
        {observer.quantities()[index].name, observer.quantities()[index].unit});
  }
  std::tie(result.C, result.D) = linear.output_matrices(
      [&](const system::Motion& changed) { return values_of(observer.observe(changed), outputs); });
  result.D += direct;
}

}  // namespace

Linearisation linearise(model::ModelSystem& system,
                        const system::Motion& motion,
                        const LinearOptions& options) {
  require_time_to_linearise(options);
  system.accept(motion.state);
  LinearCoordinates coordinates(system, motion, options.coordinates);
  Linear linear(system, motion, coordinates);
  Linearisation result;
  result.coordinates = static_cast<int>(coordinates.members().size());
  result.rates = static_cast<int>(coordinates.with_rate().size());
  name_states(system, coordinates, result);
  result.A = linear.A();
  result.displacements = linear.displacements();
  result.unsteadiness = linear.unsteadiness();
  add_inputs_and_outputs(system, motion, options, linear, result);
  result.drift = drift(system, motion, coordinates, result.A);
  return result;
}

}  // namespace trammel::analysis
