// Products of small dense blocks whose sizes become constants, so that the loops unroll and the
// numbers stay in registers: a mechanism's blocks have 1 to 6 rows and columns.
#pragma once

#include <cstddef>
#include <type_traits>

namespace trammel::linear {

/// The size of a spatial body's block, the largest that is unrolled.
constexpr int largest_bunch = 6;

template <int n>
using Constant = std::integral_constant<int, n>;

/// Calls `function(Constant<n>)`; n from 0 to largest_bunch.
template <class Function>
void with_constant(int n, Function&& function) {
  switch (n) {
    case 1:
      return function(Constant<1>{});
    case 2:
      return function(Constant<2>{});
    case 3:
      return function(Constant<3>{});
    case 4:
      return function(Constant<4>{});
    case 5:
      return function(Constant<5>{});
    case 6:
      return function(Constant<6>{});
    default:
      return;
  }
}

/// Calls `function(Constant<rows>, start)` for bunches that make up n rows.
template <class Function>
void in_bunches(int n, Function&& function) {
  int start = 0;
  for (; n - start > largest_bunch; start += largest_bunch) {
    function(Constant<largest_bunch>{}, start);
  }
  with_constant(n - start, [&](auto rows) { function(rows, start); });
}

/// The same bunches, last first.
template <class Function>
void in_bunches_backwards(int n, Function&& function) {
  const int last = n > 0 ? (n - 1) / largest_bunch * largest_bunch : 0;
  with_constant(n - last, [&](auto rows) { function(rows, last); });
  for (int start = last - largest_bunch; start >= 0; start -= largest_bunch) {
    function(Constant<largest_bunch>{}, start);
  }
}

/// Calls `function` with n as a Constant, or as it is where it is larger than those.
template <class Function>
void with_size(int n, Function&& function) {
  if (n > largest_bunch) return function(n);
  with_constant(n, function);
}

/// target(i, j) -= sum_k left(i, k) right(j, k), column-major, i < rows, j < columns, k < depth (a
/// number or a Constant).
template <int rows, class Depth>
void subtract_product(int columns,
                      Depth depth,
                      const double* __restrict left,
                      const double* __restrict right,
                      int height,
                      double* __restrict target,
                      int stride) {
  for (int j = 0; j < columns; ++j) {
    double sum[rows];
    double* out = target + static_cast<std::ptrdiff_t>(j) * stride;
    for (int i = 0; i < rows; ++i) sum[i] = out[i];
    for (int k = 0; k < depth; ++k) {
      const double factor = right[j + static_cast<std::ptrdiff_t>(k) * height];
      const double* column = left + static_cast<std::ptrdiff_t>(k) * height;
      for (int i = 0; i < rows; ++i) sum[i] -= column[i] * factor;
    }
    for (int i = 0; i < rows; ++i) out[i] = sum[i];
  }
}

/// Rows of a panel B below a pivot block L D L^T of n (a number or a Constant) columns, which holds
/// D^-1 on its diagonal: `scaled` becomes W = B L^-T, and B becomes W D^-1. All columns are
/// `height` apart.
template <int rows, class Size>
void solve_panel(Size n,
                 int height,
                 const double* __restrict pivot,
                 double* __restrict panel,
                 double* __restrict scaled) {
  for (int k = 0; k < n; ++k) {
    double sum[rows];
    double* own = panel + static_cast<std::ptrdiff_t>(k) * height;
    const double inverse = pivot[k + static_cast<std::ptrdiff_t>(k) * height];
    for (int i = 0; i < rows; ++i) sum[i] = own[i];
    for (int j = 0; j < k; ++j) {
      const double factor = pivot[k + static_cast<std::ptrdiff_t>(j) * height];
      const double* column = scaled + static_cast<std::ptrdiff_t>(j) * height;
      for (int i = 0; i < rows; ++i) sum[i] -= column[i] * factor;
    }
    for (int i = 0; i < rows; ++i) {
      scaled[static_cast<std::ptrdiff_t>(k) * height + i] = sum[i];
      own[i] = sum[i] * inverse;
    }
  }
}

/// y -= A x; A column-major with the given height of its columns.
template <int rows, int columns>
void subtract_times(const double* matrix, int height, const double* x, double* y) {
  double sum[rows];
  for (int i = 0; i < rows; ++i) sum[i] = y[i];
  for (int k = 0; k < columns; ++k) {
    const double* column = matrix + static_cast<std::ptrdiff_t>(k) * height;
    for (int i = 0; i < rows; ++i) sum[i] -= column[i] * x[k];
  }
  for (int i = 0; i < rows; ++i) y[i] = sum[i];
}

/// x -= A^T y.
template <int rows, int columns>
void subtract_transposed_times(const double* matrix, int height, const double* y, double* x) {
  for (int k = 0; k < columns; ++k) {
    const double* column = matrix + static_cast<std::ptrdiff_t>(k) * height;
    double sum = 0.0;
    for (int i = 0; i < rows; ++i) sum += column[i] * y[i];
    x[k] -= sum;
  }
}

/// x <- L^-1 x, L unit lower triangular below the diagonal of `matrix`.
template <int size>
void solve_lower(const double* matrix, int height, double* x) {
  for (int k = 0; k < size; ++k) {
    const double* column = matrix + static_cast<std::ptrdiff_t>(k) * height;
    for (int i = k + 1; i < size; ++i) x[i] -= column[i] * x[k];
  }
}

/// x <- L^-T x.
template <int size>
void solve_lower_transposed(const double* matrix, int height, double* x) {
  for (int k = size - 1; k >= 0; --k) {
    const double* column = matrix + static_cast<std::ptrdiff_t>(k) * height;
    for (int i = k + 1; i < size; ++i) x[k] -= column[i] * x[i];
  }
}

}  // namespace trammel::linear
