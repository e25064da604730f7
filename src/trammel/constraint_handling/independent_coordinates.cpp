#include "trammel/constraint_handling/independent_coordinates.h"

#include <algorithm>
#include <cmath>

#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {

using system::Vector;

namespace {

// Calls visit(row, column, value) for the entries of G.
template <class Visit>
void visit_jacobian(const system::KktMatrix& matrix, Visit&& visit) {
  const system::KktPattern& pattern = *matrix.pattern;
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
      if (row >= 0) visit(row, column, k);
    }
  }
}

}  // namespace

IndependentCoordinates::IndependentCoordinates(system::MechanicalSystem& system, std::string solver)
    : system_(system), sizes_(system.sizes()), solver_name_(std::move(solver)) {}

void IndependentCoordinates::set_partition(const CoordinatePartition& partition, bool positions) {
  rows_ = partition.rows;
  dependent_ = partition.dependent;
  independent_ = partition.independent;
  P_ = partition.P;
  freedoms_ = partition.freedoms();
  if (positions) {
    const auto beyond = std::lower_bound(rows_.begin(), rows_.end(), sizes_.holonomic);
    rows_.erase(beyond, rows_.end());
    if (partition.selects()) {
      dependent_.resize(rows_.size());
      freedoms_ = static_cast<int>(independent_.size());
    }
  } else {
    independent_.resize(static_cast<std::size_t>(partition.selects() ? freedoms_ : 0));
  }
  place_.assign(static_cast<std::size_t>(sizes_.multipliers()), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    place_[static_cast<std::size_t>(rows_[i])] = static_cast<int>(i);
  }
  column_of_.assign(static_cast<std::size_t>(sizes_.v), -1);
  for (std::size_t i = 0; i < dependent_.size(); ++i) {
    column_of_[static_cast<std::size_t>(dependent_[i])] = static_cast<int>(i);
  }
  constexpr std::size_t most_dense = 100;
  sparse_ = rows_.size() > most_dense && P_.size() == 0;
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Z_.setZero(sizes_.v, freedoms_);
  row_scale_.setOnes(m);
  const Eigen::Index size = P_.size() > 0 ? sizes_.v : m;
  y_.setZero(size);
  z_.setZero(size);
  sign_.setZero(size);
  if (sparse_) {
    if (!solver_) {
      solver_ = linear::make_solver(solver_name_);
      solver_->analyse(system_.pattern());
      augmented_ = std::make_unique<system::KktMatrix>(system_.pattern());
    }
    right_side_.setZero(sizes_.v + sizes_.multipliers());
    solution_ = right_side_;
  } else {
    B_.setZero(size, size);
    right_.setZero(size, freedoms_);
    solved_ = right_;
  }
}

// Rows in units of their length, displacements in units of their scales.
void IndependentCoordinates::take_rows(const system::KktMatrix& matrix) {
  const Vector& scale = system_.displacement_scale();
  row_scale_.setZero();
  norm_ = 0.0;
  visit_jacobian(matrix, [&](int row, int column, int k) {
    const int i = place_[static_cast<std::size_t>(row)];
    if (i < 0) return;
    const double entry = matrix.values[static_cast<std::size_t>(k)] * scale[column];
    row_scale_[i] += entry * entry;
  });
  for (double& entry : row_scale_) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0;
  int last = -1;
  double sum = 0.0;
  visit_jacobian(matrix, [&](int row, int column, int k) {
    const int i = place_[static_cast<std::size_t>(row)];
    if (i < 0) return;
    if (column != last) sum = 0.0;
    last = column;
    sum += std::abs(matrix.values[static_cast<std::size_t>(k)] * scale[column] * row_scale_[i]);
    norm_ = std::max(norm_, sum);
  });
}

void IndependentCoordinates::factor_dense(const system::KktMatrix& matrix) {
  const Vector& scale = system_.displacement_scale();
  const bool plane = P_.size() > 0;
  B_.setZero();
  right_.setZero();
  visit_jacobian(matrix, [&](int row, int column, int k) {
    const int i = place_[static_cast<std::size_t>(row)];
    if (i < 0) return;
    const double entry = matrix.values[static_cast<std::size_t>(k)] * scale[column] * row_scale_[i];
    const int place = plane ? column : column_of_[static_cast<std::size_t>(column)];
    if (place >= 0) B_(i, place) = entry;
  });
  if (plane) B_.bottomRows(freedoms_) = P_ * scale.asDiagonal();
  lu_.compute(B_);
}

void IndependentCoordinates::set_basis_dense() {
  const Vector& scale = system_.displacement_scale();
  if (P_.size() > 0) {
    right_.bottomRows(freedoms_).setIdentity();
    solved_ = lu_.solve(right_);
    Z_ = scale.asDiagonal() * solved_;
    return;
  }
  solved_ = lu_.solve(right_);
  for (std::size_t i = 0; i < dependent_.size(); ++i) {
    const int component = dependent_[i];
    Z_.row(component) = -scale[component] * solved_.row(static_cast<Eigen::Index>(i));
  }
}

// [1 Phi_u^T; Phi_u 0], scaled; independent coordinates and other rows stand alone.
bool IndependentCoordinates::factor_sparse(const system::KktMatrix& matrix) {
  const Vector& scale = system_.displacement_scale();
  std::fill(augmented_->values.begin(), augmented_->values.end(), 0.0);
  for (const int entry : augmented_->pattern->diagonal) {
    augmented_->values[static_cast<std::size_t>(entry)] = 1.0;
  }
  for (int row = 0; row < sizes_.multipliers(); ++row) {
    const auto diagonal = augmented_->pattern->diagonal[static_cast<std::size_t>(sizes_.v + row)];
    const bool counts = place_[static_cast<std::size_t>(row)] >= 0;
    augmented_->values[static_cast<std::size_t>(diagonal)] = counts ? 0.0 : -1.0;
  }
  visit_jacobian(matrix, [&](int row, int column, int k) {
    const int i = place_[static_cast<std::size_t>(row)];
    const int place = column_of_[static_cast<std::size_t>(column)];
    if (i < 0 || place < 0) return;
    const auto at = static_cast<std::size_t>(k);
    augmented_->values[at] = matrix.values[at] * scale[column] * row_scale_[i];
  });
  return solver_->factor(*augmented_).ok;
}

void IndependentCoordinates::set_basis_sparse(const system::KktMatrix& matrix) {
  const system::KktPattern& pattern = *matrix.pattern;
  const Vector& scale = system_.displacement_scale();
  for (int j = 0; j < freedoms_; ++j) {
    const int column = independent_[static_cast<std::size_t>(j)];
    y_.setZero();
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
      const int i = row < 0 ? -1 : place_[static_cast<std::size_t>(row)];
      if (i >= 0) y_[i] = -row_scale_[i] * matrix.values[static_cast<std::size_t>(k)];
    }
    solve_scaled(y_, false);
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      const int component = dependent_[i];
      Z_(component, j) = scale[component] * y_[static_cast<Eigen::Index>(i)];
    }
  }
}

bool IndependentCoordinates::factor(const system::KktMatrix& matrix) {
  if (rows_.empty() && P_.size() == 0) {
    for (int j = 0; j < freedoms_; ++j) Z_(independent_[static_cast<std::size_t>(j)], j) = 1.0;
    return true;
  }
  take_rows(matrix);
  if (sparse_) {
    if (!factor_sparse(matrix)) return false;
    set_basis_sparse(matrix);
  } else {
    factor_dense(matrix);
    if (P_.size() == 0) {
      // Phi_v, a column for each freedom.
      const system::KktPattern& pattern = *matrix.pattern;
      for (int j = 0; j < freedoms_; ++j) {
        const auto c = static_cast<std::size_t>(independent_[static_cast<std::size_t>(j)]);
        for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
          const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
          const int i = row < 0 ? -1 : place_[static_cast<std::size_t>(row)];
          if (i >= 0) right_(i, j) = row_scale_[i] * matrix.values[static_cast<std::size_t>(k)];
        }
      }
    }
    set_basis_dense();
  }
  if (P_.size() == 0) {
    for (int j = 0; j < freedoms_; ++j) Z_(independent_[static_cast<std::size_t>(j)], j) = 1.0;
  }
  return Z_.allFinite();
}

void IndependentCoordinates::solve_scaled(Vector& y, bool transposed) {
  if (!sparse_) {
    if (transposed) {
      z_ = lu_.transpose().solve(y);
    } else {
      z_ = lu_.solve(y);
    }
    y.swap(z_);
    return;
  }
  right_side_.setZero();
  if (transposed) {
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      right_side_[dependent_[i]] = y[static_cast<Eigen::Index>(i)];
    }
  } else {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      right_side_[sizes_.v + rows_[i]] = y[static_cast<Eigen::Index>(i)];
    }
  }
  refined_(*solver_, *augmented_, right_side_, solution_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    y[static_cast<Eigen::Index>(i)] =
        transposed ? solution_[sizes_.v + rows_[i]] : solution_[dependent_[i]];
  }
}

void IndependentCoordinates::fulfil(const Vector& rows, Vector& x) {
  x.setZero(sizes_.v);
  if (rows_.empty()) return;
  const Vector& scale = system_.displacement_scale();
  y_.setZero();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    y_[at] = row_scale_[at] * rows[rows_[i]];
  }
  solve_scaled(y_, false);
  if (P_.size() > 0) {
    x = scale.cwiseProduct(y_);
    return;
  }
  for (std::size_t i = 0; i < dependent_.size(); ++i) {
    x[dependent_[i]] = scale[dependent_[i]] * y_[static_cast<Eigen::Index>(i)];
  }
}

void IndependentCoordinates::multipliers(const Vector& r, Vector& lambda) {
  lambda.setZero(sizes_.multipliers());
  if (rows_.empty()) return;
  const Vector& scale = system_.displacement_scale();
  if (P_.size() > 0) {
    y_ = scale.cwiseProduct(r);
  } else {
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      y_[static_cast<Eigen::Index>(i)] = scale[dependent_[i]] * r[dependent_[i]];
    }
  }
  solve_scaled(y_, true);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    lambda[rows_[i]] = row_scale_[at] * y_[at];
  }
}

void IndependentCoordinates::project(const Vector& x, Vector& p) const {
  if (P_.size() > 0) {
    p.noalias() = P_ * x;
    return;
  }
  p.resize(freedoms_);
  for (int j = 0; j < freedoms_; ++j) p[j] = x[independent_[static_cast<std::size_t>(j)]];
}

// The largest |B^-1 x|_1 with |x|_1 = 1, climbed from the mean of all corners.
double IndependentCoordinates::norm_of_inverse() {
  constexpr int most_steps = 5;
  const Eigen::Index size = y_.size();
  y_.setConstant(1.0 / static_cast<double>(size));
  double norm = 0.0;
  for (int i = 0; i < most_steps; ++i) {
    solve_scaled(y_, false);
    const double reached = y_.lpNorm<1>();
    if (!(reached > norm)) return norm;
    norm = reached;
    sign_ = y_.unaryExpr([](double entry) { return entry < 0.0 ? -1.0 : 1.0; });
    solve_scaled(sign_, true);
    Eigen::Index steepest = 0;
    sign_.cwiseAbs().maxCoeff(&steepest);
    y_.setZero();
    y_[steepest] = 1.0;
  }
  return norm;
}

double IndependentCoordinates::condition() {
  if (rows_.empty()) return 1.0;
  return norm_ * norm_of_inverse();
}

std::size_t IndependentCoordinates::memory_bytes() const {
  const auto numbers = 2 * B_.size() + 2 * right_.size() + Z_.size() + P_.size() + 5 * y_.size();
  return static_cast<std::size_t>(numbers) * sizeof(double) +
         (solver_ ? solver_->memory_bytes() : 0) +
         (augmented_ ? augmented_->values.size() * sizeof(double) : 0);
}

}  // namespace trammel::constraint_handling
