#include "trammel/constraint_handling/stated_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/constraint_handling/row_sizes.h"

namespace trammel::constraint_handling {
namespace {

using system::InitialValue;
using system::largest;
using system::Vector;
using Triplet = Eigen::Triplet<double>;

constexpr double first_rest_weight = 1e-5;
constexpr double least_rest_weight = 1e-15;
constexpr double multiplier_shift =
    1e-9;  // of multiplier rows, relative to their own Schur complement

constexpr double longest_step = 0.5;     // of the displacement scale: half the model, half a radian
constexpr double closed_within = 1e-12;  // of the size of a row, and of the displacement scale

// The frame stands beside the centre of mass: the value reads several freedoms.
bool mixes_freedoms(const InitialValue& value) {
  const auto end = value.J.begin() + value.count;
  return std::count_if(value.J.begin(), end, [](double entry) { return entry != 0.0; }) > 1;
}

// Calls visit(row, column, place of the entry) for the columns of velocities.
template <class Visit>
void for_each_entry(const system::KktPattern& pattern, Visit visit) {
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      visit(pattern.row[entry], column, entry);
    }
  }
}

}  // namespace

StatedStart::StatedStart(system::MechanicalSystem& system, const system::InitialValues& values)
    : system_(system),
      source_(values),
      sizes_(system.sizes()),
      matrix_(system.pattern()),
      curved_(system.pattern()) {
  motion_.a.setZero(sizes_.v);
  motion_.lambda.setZero(sizes_.multipliers());
}

bool StatedStart::lessen_rest(double size, double last) {
  constexpr double fading = 0.1;
  constexpr double lessened = 1e-3;
  if (!(size > fading * last) || !(rest_weight_ * lessened >= least_rest_weight)) return false;
  rest_weight_ *= lessened;
  return true;
}

bool StatedStart::matters() const {
  return std::any_of(values_.begin(), values_.end(), [](const InitialValue& value) {
    return value.fixed ? mixes_freedoms(value) : value.stated;
  });
}

bool StatedStart::matters_for_positions(const system::State& state) {
  source_.initial_positions(state, values_);
  return matters();
}

bool StatedStart::matters_for_velocities(const system::State& state) {
  source_.initial_velocities(state, values_);
  return matters();
}

// eps M + sum w_s J_s J_s^T.
void StatedStart::add_metric(std::vector<Triplet>& entries) const {
  for_each_entry(*matrix_.pattern, [&](int row, int column, std::size_t entry) {
    if (row >= column && row < sizes_.v) {
      entries.emplace_back(row, column, rest_weight_ * matrix_.values[entry]);
    }
  });
  for (const InitialValue& value : values_) {
    // What is not stated has its mass already; freedoms without any need a pivot.
    constexpr double least = 1e-9;
    const double weight = (value.stated ? 1.0 : least * rest_weight_) * value.weight;
    for (int j = 0; j < value.count; ++j) {
      for (int i = j; i < value.count; ++i) {
        const double product =
            value.J[static_cast<std::size_t>(i)] * value.J[static_cast<std::size_t>(j)];
        if (product != 0.0) {
          entries.emplace_back(value.first + i, value.first + j, weight * product);
        }
      }
    }
  }
}

// d(G^T y)/dq, which is what multipliers add to the tangent; its symmetric part.
void StatedStart::add_curvature(const system::State& state,
                                const Vector& multipliers,
                                std::vector<Triplet>& entries) {
  motion_.state = state;
  motion_.state.v.setZero();
  system_.tangent(motion_, {.position = 1.0}, nullptr, curved_);
  const std::vector<double> without(curved_.values.begin(), curved_.values.end());
  motion_.lambda = multipliers.head(sizes_.multipliers());
  system_.tangent(motion_, {.position = 1.0}, nullptr, curved_);
  motion_.lambda.setZero();
  for_each_entry(*curved_.pattern, [&](int row, int column, std::size_t entry) {
    const double value = curved_.values[entry] - without[entry];
    const double share = row == column ? 1.0 : 0.5;
    if (row < sizes_.v && value != 0.0 && std::isfinite(value)) {
      entries.emplace_back(std::max(row, column), std::min(row, column), share * value);
    }
  });
}

// The rows of the constraints, then those of the fixed values.
void StatedStart::add_rows(std::vector<Triplet>& entries) const {
  for_each_entry(*matrix_.pattern, [&](int row, int column, std::size_t entry) {
    if (row >= sizes_.v) entries.emplace_back(row, column, matrix_.values[entry]);
  });
  int row = sizes_.v + sizes_.multipliers();
  for (const InitialValue& value : values_) {
    if (!value.fixed) continue;
    for (int j = 0; j < value.count; ++j) {
      const double entry = value.J[static_cast<std::size_t>(j)];
      if (entry != 0.0) entries.emplace_back(row, value.first + j, entry);
    }
    ++row;
  }
}

bool StatedStart::leads_down() const {
  return (ldlt_.vectorD().array() > 0.0).count() == sizes_.v;
}

bool StatedStart::factor(const system::State& state, const Vector* multipliers) {
  motion_.state = state;
  system_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  Vector sizes;
  row_sizes(matrix_, system_.displacement_scale(), sizes);
  row_size_ = row_size_.size() == sizes.size() ? Vector(row_size_.cwiseMax(sizes)) : sizes;
  fixed_ = static_cast<int>(std::count_if(values_.begin(), values_.end(),
                                          [](const InitialValue& value) { return value.fixed; }));
  const int n = sizes_.v + sizes_.multipliers() + fixed_;
  std::vector<Triplet> entries;
  add_metric(entries);
  add_rows(entries);
  if (multipliers != nullptr) add_curvature(state, *multipliers, entries);
  whole_.resize(n, n);
  whole_.setFromTriplets(entries.begin(), entries.end());
  // Rows that hold nothing, or that depend on others, need a pivot; refinement takes it out again.
  const Vector diagonal = whole_.diagonal();
  Vector schur = Vector::Zero(n);
  for (int column = 0; column < sizes_.v; ++column) {
    for (Sparse::InnerIterator entry(whole_, column); entry; ++entry) {
      if (entry.row() >= sizes_.v && diagonal[column] > 0.0) {
        schur[entry.row()] += entry.value() * entry.value() / diagonal[column];
      }
    }
  }
  const double most = n > sizes_.v ? schur.tail(n - sizes_.v).maxCoeff() : 0.0;
  Sparse regular = whole_;
  for (int row = sizes_.v; row < n; ++row) {
    regular.coeffRef(row, row) -= multiplier_shift * (schur[row] > 1e-24 * most ? schur[row] : 1.0);
  }
  ldlt_.compute(regular);
  return ldlt_.info() == Eigen::Success;
}

bool StatedStart::solve(const Vector& residual, Vector& x) {
  Vector right = Vector::Zero(whole_.rows());
  for (const InitialValue& value : values_) {
    if (!value.stated) continue;
    for (int j = 0; j < value.count; ++j) {
      right[value.first + j] -=
          value.weight * value.J[static_cast<std::size_t>(j)] * value.difference;
    }
  }
  right.segment(sizes_.v, residual.size()) = -residual;
  Eigen::Index row = sizes_.v + sizes_.multipliers();
  for (const InitialValue& value : values_) {
    if (value.fixed) right[row++] = -value.difference;
  }
  Vector solution = ldlt_.solve(right);
  constexpr int refinements = 10;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < refinements; ++i) {
    const Vector rest = right - whole_.selfadjointView<Eigen::Lower>() * solution;
    const double now = largest(rest);
    if (!(now < 0.5 * before)) break;
    before = now;
    solution += ldlt_.solve(rest);
  }
  x = solution.head(sizes_.v);
  multipliers_ = solution.tail(solution.size() - sizes_.v);
  // What is fixed stays to the last digit.
  for (const InitialValue& value : values_) {
    if (!value.fixed || value.difference != 0.0 || mixes_freedoms(value)) continue;
    for (int j = 0; j < value.count; ++j) {
      if (value.J[static_cast<std::size_t>(j)] != 0.0) x[value.first + j] = 0.0;
    }
  }
  return x.allFinite();
}

double StatedStart::size(const Vector& x) const {
  return largest(x.cwiseQuotient(system_.displacement_scale()));
}

double StatedStart::gap(const Vector& g) const {
  const int rows = sizes_.holonomic;
  return largest(g.head(rows).cwiseQuotient(row_size_.head(rows)));
}

ProjectionReport StatedStart::positions(system::State& state, const Follow& follow) {
  constexpr int to_converge = 100;
  ProjectionReport report;
  system::State trial = state;
  Vector g;
  Vector x;
  Vector padded = Vector::Zero(sizes_.multipliers());
  int most_iterations = to_converge;
  rest_weight_ = first_rest_weight;
  constexpr int patience = 20;  // passes that linear convergence to contradictory values may take
  double last = std::numeric_limits<double>::infinity();
  for (; report.iterations < most_iterations; ++report.iterations) {
    source_.initial_positions(trial, values_);
    system_.position_constraint(trial, g);
    padded.head(sizes_.holonomic) = g.head(sizes_.holonomic);
    report.residual = largest(g);
    if (!factor(trial) || !solve(padded, x)) return report;
    if (report.iterations == 0) {
      most_iterations = most_position_steps(to_converge, gap(g), longest_step);
    }
    const double length = size(x);
    if (length > longest_step) x *= longest_step / length;
    system_.retract(trial.q, x, trial.q);
    if (follow) follow(trial);
    if (length <= closed_within) {
      finish(trial, state, report);
      return report;
    }
    if (length < longest_step && report.iterations % patience == patience - 1) {
      lessen_rest(length, last);
    }
    last = length;
  }
  return report;
}

void StatedStart::finish(const system::State& trial,
                         system::State& state,
                         ProjectionReport& report) {
  Vector g;
  system_.position_constraint(trial, g);
  report.residual = largest(g);
  report.converged = gap(g) <= 100.0 * closed_within;
  if (report.converged) state = trial;
}

double StatedStart::cost() const {
  double sum = 0.0;
  for (const InitialValue& value : values_) {
    if (value.stated) sum += 0.5 * value.weight * value.difference * value.difference;
  }
  return sum;
}

double StatedStart::gaps(const Vector& g) const {
  const int rows = sizes_.holonomic;
  return g.head(rows).cwiseQuotient(row_size_.head(rows)).cwiseAbs().sum();
}

bool StatedStart::descend(const Vector& x, double penalty, system::State& trial) {
  constexpr int halvings = 20;
  constexpr double near = 1e-3;  // of the displacement scale: whole steps converge from here
  Vector g;
  const system::State from = trial;
  system_.position_constraint(from, g);
  const double before = cost() + penalty * gaps(g);
  double share = 1.0;
  for (int i = 0; i < halvings; ++i, share *= 0.5) {
    system_.retract(from.q, share * x, trial.q);
    if (i == 0 && size(x) < near) return true;
    source_.initial_positions(trial, values_);
    system_.position_constraint(trial, g);
    if (g.allFinite() && cost() + penalty * gaps(g) < before) return true;
  }
  trial = from;
  return false;
}

ProjectionReport StatedStart::guarded_positions(system::State& state, const Follow& follow) {
  constexpr int to_converge = 300;
  ProjectionReport report;
  system::State trial = state;
  Vector g;
  Vector x;
  Vector padded = Vector::Zero(sizes_.multipliers());
  Vector multipliers;
  double penalty = 0.0;
  rest_weight_ = first_rest_weight;
  int most_iterations = to_converge;
  for (; report.iterations < most_iterations; ++report.iterations) {
    source_.initial_positions(trial, values_);
    system_.position_constraint(trial, g);
    padded.head(sizes_.holonomic) = g.head(sizes_.holonomic);
    report.residual = largest(g);
    const bool curved =
        report.iterations > 0 && factor(trial, &multipliers) && leads_down() && solve(padded, x);
    if (!curved && (!factor(trial) || !solve(padded, x))) return report;
    if (report.iterations == 0) {
      most_iterations = most_position_steps(to_converge, gap(g), longest_step);
    }
    multipliers = multipliers_;
    const int rows = sizes_.holonomic;
    penalty =
        std::max(penalty, 2.0 * largest(multipliers.head(rows).cwiseProduct(row_size_.head(rows))));
    const double length = size(x);
    if (length > longest_step) x *= longest_step / length;
    if (!descend(x, penalty, trial)) return report;
    if (follow) follow(trial);
    if (length > closed_within) continue;
    finish(trial, state, report);
    return report;
  }
  return report;
}

ProjectionReport StatedStart::velocities(system::State& state) {
  constexpr int most_iterations = 20;
  constexpr double tolerance = 1e-14;
  ProjectionReport report;
  system::State trial = state;
  Vector g_dot;
  Vector x;
  source_.initial_velocities(trial, values_);
  const double before = size(trial.v);
  rest_weight_ = first_rest_weight;
  if (!factor(trial)) return report;
  double last = std::numeric_limits<double>::infinity();
  while (report.iterations < most_iterations) {
    ++report.iterations;
    system_.velocity_constraint(trial, g_dot);
    if (!solve(g_dot, x)) return report;
    trial.v += x;
    source_.initial_velocities(trial, values_);
    const double now = size(x);
    if (now <= tolerance * size(trial.v)) break;
    if (lessen_rest(now, last) && !factor(trial)) return report;
    last = now;
  }
  system_.velocity_constraint(trial, g_dot);
  report.residual = largest(g_dot);
  const double speed = std::max(before, size(trial.v));
  report.converged = largest(g_dot.cwiseQuotient(row_size_)) <= 1e-9 * speed;
  if (report.converged) state = trial;
  return report;
}

}  // namespace trammel::constraint_handling
