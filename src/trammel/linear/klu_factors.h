// KLU's factors of a KKT matrix with real or complex numbers,
//
//     [ K    G^T ] [x]   [b]
//     [ G  -eps S] [y] = [c]
//
// through its C interface. Pivots are taken along the mechanism's graph (block_order.h), as far as
// their size allows; the order of the first factorisation is kept and refactored until it becomes
// inaccurate. Complex ones, K = M + c D + c^2 S with a complex c, are those of implicit Runge-Kutta
// methods.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include <klu.h>

#include "trammel/linear/kkt_solver.h"

namespace trammel::linear {

using ComplexVector = Eigen::VectorXcd;

template <class Scalar>
class KluFactors {
 public:
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  KluFactors();
  ~KluFactors();
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;
  KluFactors(KluFactors&&) = delete;
  KluFactors& operator=(KluFactors&&) = delete;

  /// Structure, once.
  void analyse(std::shared_ptr<const KktPattern> pattern);
  /// The values stand as in a KktMatrix; `companion` is a real matrix of about the same size (or
  /// the matrix itself), by which the unknowns are scaled. False when there are no factors.
  bool factor(std::span<const Scalar> values, const KktMatrix& companion);
  /// With the last factors, in place.
  void solve(Column& x);
  std::size_t memory_bytes() const;

 private:
  void release();
  void write_out();
  void set_scale(const KktMatrix& companion);
  void set_values(std::span<const Scalar> values);
  bool refactor();

  std::shared_ptr<const KktPattern> pattern_;
  std::vector<int> start_;  ///< of the full matrix, G^T written out
  std::vector<int> row_;
  std::vector<int> source_;    ///< where each entry stands in the KKT matrix
  std::vector<int> diagonal_;  ///< of each multiplier
  std::vector<Scalar> values_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  Vector regularisation_;  ///< over its relative size
  Vector scale_;
};

extern template class KluFactors<double>;
extern template class KluFactors<std::complex<double>>;

}  // namespace trammel::linear
