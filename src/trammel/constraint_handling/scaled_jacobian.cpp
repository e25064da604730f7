#include "trammel/constraint_handling/scaled_jacobian.h"

#include <algorithm>
#include <cmath>

#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {

using system::Vector;

ScaledJacobian::ScaledJacobian(system::MechanicalSystem& system)
    : system_(system), weights_(system::reaction_weights(system)), matrix_(system.pattern()) {
  const system::KktPattern& pattern = *matrix_.pattern;
  const auto rows = static_cast<std::size_t>(pattern.multipliers);
  motion_.a.setZero(pattern.velocities);
  motion_.lambda.setZero(pattern.multipliers);
  open_.assign(rows, false);
  length_.setZero(pattern.multipliers);
  size_.setZero(pattern.multipliers);
  weight_.setZero(pattern.multipliers);
  // Entries by columns, counted and then placed by rows.
  const auto for_each = [&](auto&& visit) {
    for (int column = 0; column < pattern.velocities; ++column) {
      const auto c = static_cast<std::size_t>(column);
      for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
        const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
        if (row >= 0) visit(static_cast<std::size_t>(row), Entry{k, column});
      }
    }
  };
  first_.assign(rows + 1, 0);
  for_each([&](std::size_t row, Entry /*entry*/) { ++first_[row + 1]; });
  for (std::size_t i = 0; i < rows; ++i) first_[i + 1] += first_[i];
  entries_.resize(static_cast<std::size_t>(first_[rows]));
  std::vector<int> next = first_;
  for_each([&](std::size_t row, Entry entry) {
    entries_[static_cast<std::size_t>(next[row]++)] = entry;
  });
}

void ScaledJacobian::take(const system::State& state) {
  motion_.state = state;
  system_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  if (weights_ != nullptr) weights_->reaction_weights(state, weight_);
  const Vector& scale = system_.displacement_scale();
  for (int row = 0; row < rows(); ++row) {
    const auto r = static_cast<std::size_t>(row);
    open_[r] = system::is_open_row(row, matrix_);
    double sum = 0.0;
    for (int k = first_[r]; k < first_[r + 1]; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      const double value =
          matrix_.values[static_cast<std::size_t>(entry.position)] * scale[entry.column];
      sum += value * value;
    }
    length_[row] = std::sqrt(sum);
    size_[row] = weight_[row] > 0.0 ? std::sqrt(weight_[row]) : length_[row];
  }
}

bool ScaledJacobian::has_direction(int row) const {
  constexpr double no_length = 1e-6;
  const double size = weight_[row] > 0.0 ? size_[row] : length_.lpNorm<Eigen::Infinity>();
  return !open_[static_cast<std::size_t>(row)] && length_[row] > no_length * size;
}

void ScaledJacobian::add_row(int row, double factor, Vector& x) const {
  const auto r = static_cast<std::size_t>(row);
  const Vector& scale = system_.displacement_scale();
  for (int k = first_[r]; k < first_[r + 1]; ++k) {
    const Entry& entry = entries_[static_cast<std::size_t>(k)];
    x[entry.column] +=
        factor * matrix_.values[static_cast<std::size_t>(entry.position)] * scale[entry.column];
  }
}

void ScaledJacobian::open_row(int row, system::KktMatrix& matrix) const {
  const auto r = static_cast<std::size_t>(row);
  for (int k = first_[r]; k < first_[r + 1]; ++k) {
    const Entry& entry = entries_[static_cast<std::size_t>(k)];
    matrix.values[static_cast<std::size_t>(entry.position)] = 0.0;
  }
  system::open_row(row, matrix);
}

void ScaledJacobian::write(const Vector& factor, double shift, system::KktMatrix& matrix) const {
  const system::KktPattern& pattern = *matrix_.pattern;
  const Vector& scale = system_.displacement_scale();
  std::fill(matrix.values.begin(), matrix.values.end(), 0.0);
  const auto diagonal = [&](int unknown) -> double& {
    const int position = pattern.diagonal[static_cast<std::size_t>(unknown)];
    return matrix.values[static_cast<std::size_t>(position)];
  };
  for (int i = 0; i < pattern.velocities; ++i) diagonal(i) = 1.0;
  for (int row = 0; row < rows(); ++row) {
    if (factor[row] == 0.0) {
      system::open_row(row, matrix);
      continue;
    }
    diagonal(pattern.velocities + row) = -shift;
    const auto r = static_cast<std::size_t>(row);
    for (int k = first_[r]; k < first_[r + 1]; ++k) {
      const Entry& entry = entries_[static_cast<std::size_t>(k)];
      const auto position = static_cast<std::size_t>(entry.position);
      matrix.values[position] = factor[row] * matrix_.values[position] * scale[entry.column];
    }
  }
}

}  // namespace trammel::constraint_handling
