#include "trammel/linear/klu_factors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/linear/block_order.h"

namespace trammel::linear {
namespace {

// KLU takes complex numbers as pairs of doubles, which is what they are in memory.
double* as_doubles(std::complex<double>* values) {
  return reinterpret_cast<double*>(values);  // NOLINT(*reinterpret-cast): the standard allows it
}
double* as_doubles(double* values) {
  return values;
}

// KLU's functions, by the kind of number.
template <class Scalar>
struct Klu {
  static constexpr auto factor = klu_factor;
  static constexpr auto refactor = klu_refactor;
  static constexpr auto growth = klu_rgrowth;
  static constexpr auto solve = klu_solve;
  static constexpr auto free_numeric = klu_free_numeric;
};
template <>
struct Klu<std::complex<double>> {
  static constexpr auto factor = klu_z_factor;
  static constexpr auto refactor = klu_z_refactor;
  static constexpr auto growth = klu_z_rgrowth;
  static constexpr auto solve = klu_z_solve;
  static constexpr auto free_numeric = klu_z_free_numeric;
};

}  // namespace

template <class Scalar>
KluFactors<Scalar>::KluFactors() {
  klu_defaults(&common_);
  common_.btf = 0;    // a mechanism's matrix is one block; searching for more only costs
  common_.scale = 0;  // see set_scale()
}

template <class Scalar>
KluFactors<Scalar>::~KluFactors() {
  release();
}

template <class Scalar>
void KluFactors<Scalar>::release() {
  if (numeric_ != nullptr) Klu<Scalar>::free_numeric(&numeric_, &common_);
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

template <class Scalar>
void KluFactors<Scalar>::write_out() {
  // Entries as (column, row, source), sorted: compressed columns.
  std::vector<std::array<int, 3>> entries;
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[static_cast<std::size_t>(k)];
      entries.push_back({column, row, k});
      if (row >= pattern_->velocities && row != column) entries.push_back({row, column, k});
    }
  }
  std::sort(entries.begin(), entries.end());
  start_.assign(static_cast<std::size_t>(pattern_->size()) + 1, 0);
  row_.clear();
  source_.clear();
  diagonal_.clear();
  for (const auto& [column, row, source] : entries) {
    if (row == column && row >= pattern_->velocities) {
      diagonal_.push_back(static_cast<int>(row_.size()));
    }
    ++start_[static_cast<std::size_t>(column) + 1];
    row_.push_back(row);
    source_.push_back(source);
  }
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  values_.resize(row_.size());
}

template <class Scalar>
void KluFactors<Scalar>::analyse(std::shared_ptr<const KktPattern> pattern) {
  release();
  pattern_ = std::move(pattern);
  write_out();
  std::vector<int> order;
  for (const int block : order_blocks(*pattern_).order) {
    const auto b = static_cast<std::size_t>(block);
    for (int i = pattern_->block_start[b]; i < pattern_->block_start[b + 1]; ++i) {
      order.push_back(i);
    }
  }
  std::vector<int> columns = order;
  symbolic_ = klu_analyze_given(pattern_->size(), start_.data(), row_.data(), order.data(),
                                columns.data(), &common_);
}

// D with D A D of unit size: velocities by the diagonal of K, multipliers by that of G K^-1 G^T.
// KLU then finds the pivots of the given order good, and leaves it only where they are bad; by the
// numbers of SI units a light body's diagonal would be a bad one, and the factors of a long chain
// would fill.
template <class Scalar>
void KluFactors<Scalar>::set_scale(const KktMatrix& companion) {
  scale_.resize(pattern_->size());
  for (int i = 0; i < pattern_->velocities; ++i) {
    const int place = pattern_->diagonal[static_cast<std::size_t>(i)];
    const double size = std::abs(companion.values[static_cast<std::size_t>(place)]);
    scale_[i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
  regularisation(companion, 1.0, regularisation_);
  for (int i = 0; i < pattern_->multipliers; ++i) {
    const double size = regularisation_[i];
    scale_[pattern_->velocities + i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
}

template <class Scalar>
void KluFactors<Scalar>::set_values(std::span<const Scalar> values) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = values[static_cast<std::size_t>(source_[i])];
  }
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    values_[static_cast<std::size_t>(diagonal_[i])] -=
        default_regularisation * regularisation_[static_cast<Eigen::Index>(i)];
  }
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = start_[c]; k < start_[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      values_[entry] *= scale_[row_[entry]] * scale_[column];
    }
  }
}

template <class Scalar>
bool KluFactors<Scalar>::refactor() {
  if (numeric_ == nullptr) return false;
  double* values = as_doubles(values_.data());
  if (Klu<Scalar>::refactor(start_.data(), row_.data(), values, symbolic_, numeric_, &common_) ==
      0) {
    return false;
  }
  // Pivots chosen for old numbers may be poor for the new ones.
  constexpr double least_growth = 1e-8;
  return Klu<Scalar>::growth(start_.data(), row_.data(), values, symbolic_, numeric_, &common_) !=
             0 &&
         common_.rgrowth > least_growth;
}

template <class Scalar>
bool KluFactors<Scalar>::factor(std::span<const Scalar> values, const KktMatrix& companion) {
  if (symbolic_ == nullptr) return false;
  set_scale(companion);
  set_values(values);
  if (!refactor()) {
    if (numeric_ != nullptr) Klu<Scalar>::free_numeric(&numeric_, &common_);
    numeric_ = Klu<Scalar>::factor(start_.data(), row_.data(), as_doubles(values_.data()),
                                   symbolic_, &common_);
  }
  return numeric_ != nullptr && common_.status == KLU_OK;
}

template <class Scalar>
void KluFactors<Scalar>::solve(Column& x) {
  x.array() *= scale_.array();
  Klu<Scalar>::solve(symbolic_, numeric_, pattern_->size(), 1, as_doubles(x.data()), &common_);
  x.array() *= scale_.array();
}

template <class Scalar>
std::size_t KluFactors<Scalar>::memory_bytes() const {
  const std::size_t own = values_.capacity() * sizeof(Scalar) +
                          (start_.capacity() + row_.capacity() + source_.capacity()) * sizeof(int);
  return own + static_cast<std::size_t>(common_.memusage);
}

template class KluFactors<double>;
template class KluFactors<std::complex<double>>;

}  // namespace trammel::linear
