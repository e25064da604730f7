#include "trammel/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "trammel/analysis/recorder.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

// How many eigenvalues are zero. Defective ones come out of a solver as roots of round-off, so they
// are counted by rank: with A N = 0 and (N, Q) orthogonal, A has the eigenvalues of Q^T A Q and one
// zero for each column of N; this is repeated until nothing is left to take away. Rows that are
// round-off of the largest are zero: they are not to be taken for stiffness.
int zero_eigenvalues(Matrix A) {
  constexpr double tolerance = 1e-9;
  constexpr double margin = 16.0;
  const double nothing = margin * static_cast<double>(A.rows()) *
                         std::numeric_limits<double>::epsilon() * A.rowwise().norm().maxCoeff();
  int count = 0;
  while (A.rows() > 0) {
    Matrix rows = A;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double length = rows.row(i).norm();
      rows.row(i) *= length > nothing ? 1.0 / length : 0.0;
    }
    const Eigen::JacobiSVD<Matrix> svd(rows, Eigen::ComputeFullV);
    const Eigen::Index rank = (svd.singularValues().array() > tolerance).count();
    if (rank == A.rows()) break;
    count += static_cast<int>(A.rows() - rank);
    const Matrix Q = svd.matrixV().leftCols(rank);
    A = Q.transpose() * A * Q;
  }
  return count;
}

// The magnitude below which an eigenvalue is one of those that are zero.
double zero_limit(const Matrix& A, const Eigen::VectorXcd& eigenvalues) {
  const int count = zero_eigenvalues(A);
  if (count == 0) return 0.0;
  Vector sizes = eigenvalues.cwiseAbs();
  std::sort(sizes.begin(), sizes.end());
  if (count == sizes.size()) return INFINITY;
  return std::nextafter(sizes[count - 1], INFINITY);
}

// D with D^-1 A D balanced: rows and columns about as long as each other [Parlett and Reinsch
// 1969]. Without it rates, which are larger than displacements by the frequency, drown what is slow
// in the round-off of what is fast. Powers of two, so that nothing is rounded.
Vector balancing(Matrix A) {
  Vector D = Vector::Ones(A.rows());
  for (bool done = !A.allFinite(); !done;) {
    done = true;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      double column = A.col(i).lpNorm<1>() - std::abs(A(i, i));
      const double row = A.row(i).lpNorm<1>() - std::abs(A(i, i));
      if (column == 0.0 || row == 0.0) continue;
      const double before = column + row;
      double factor = 1.0;
      while (column < 0.5 * row) {
        factor *= 2.0;
        column *= 4.0;
      }
      while (column >= 2.0 * row) {
        factor /= 2.0;
        column /= 4.0;
      }
      if ((column + row) / factor >= 0.95 * before) continue;
      done = false;
      D[i] *= factor;
      A.row(i) /= factor;
      A.col(i) *= factor;
    }
  }
  return D;
}

// What is known of each eigenvalue, 1/s. The squares of frequencies are known within n eps of the
// largest one, W^2: slow oscillations beside fast ones within n eps W^2/|sigma|, but never worse
// than a thousandth, above which that is no estimate. Rates of decay come from differences by
// velocities besides: undamped beams of 2 to 16 elements show up to 2.2e-9 of the eigenvalue.
Vector round_off_of(const Eigen::VectorXcd& eigenvalues) {
  constexpr double of_differences = 1e-8;
  constexpr double no_estimate = 1e-3;
  const double fastest = eigenvalues.imag().cwiseAbs().maxCoeff();
  const double squares = static_cast<double>(eigenvalues.size()) *
                         std::numeric_limits<double>::epsilon() * fastest * fastest;
  Vector limits(eigenvalues.size());
  for (Eigen::Index i = 0; i < limits.size(); ++i) {
    const double size = std::abs(eigenvalues[i]);
    limits[i] = size * std::clamp(squares / (size * size), of_differences, no_estimate);
  }
  return limits;
}

Mode make_mode(const Linearisation& linear,
               std::complex<double> eigenvalue,
               const Eigen::VectorXcd& vector,
               const Vector& scale,
               double limit) {
  Mode mode;
  mode.zero = std::abs(eigenvalue) < limit;
  mode.eigenvalue = mode.zero ? 0.0 : eigenvalue;
  mode.frequency = mode.eigenvalue.imag() / (2.0 * std::numbers::pi);
  mode.damping_ratio = mode.zero ? 0.0 : -eigenvalue.real() / std::abs(eigenvalue);
  mode.displacement = linear.displacements * vector;
  mode.state = vector;
  // The component that moves most has amplitude 1 and phase 0.
  Eigen::Index greatest = 0;
  const Vector sizes = mode.displacement.cwiseAbs().cwiseQuotient(scale);
  if (sizes.size() == 0 || sizes.maxCoeff(&greatest) < 1e-12) return mode;
  const std::complex<double> unit = mode.displacement[greatest] / scale[greatest];
  mode.displacement /= unit;
  mode.state /= unit;
  return mode;
}

}  // namespace

Modes modes(Linearisation linearisation, const Vector& displacement_scale) {
  Modes result;
  result.linear = std::move(linearisation);
  const Matrix& A = result.linear.A;
  if (A.rows() == 0) return result;
  const Vector D = balancing(A);
  const Eigen::EigenSolver<Matrix> solver(
      Matrix(D.cwiseInverse().asDiagonal() * A * D.asDiagonal()));
  const double limit = zero_limit(A, solver.eigenvalues());
  const Vector round_off = round_off_of(solver.eigenvalues());
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const std::complex<double> eigenvalue = solver.eigenvalues()[i];
    if (eigenvalue.imag() < 0.0) continue;  // its conjugate is there
    result.modes.push_back(make_mode(result.linear, eigenvalue, D.asDiagonal() * vectors.col(i),
                                     displacement_scale, limit));
    result.modes.back().round_off = round_off[i];
    if (result.modes.back().grows()) ++result.unstable;
  }
  std::stable_sort(result.modes.begin(), result.modes.end(), [](const Mode& a, const Mode& b) {
    if (a.zero != b.zero) return a.zero;
    return std::pair(a.frequency, std::abs(a.eigenvalue)) <
           std::pair(b.frequency, std::abs(b.eigenvalue));
  });
  return result;
}

std::string participants(const Modes& modes, const Mode& mode) {
  std::vector<std::pair<double, int>> sizes;
  for (int i = 0; i < modes.linear.coordinates; ++i) {
    sizes.emplace_back(std::abs(mode.state[i]), i);
  }
  std::sort(sizes.rbegin(), sizes.rend());
  std::string text;
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i) {
    if (sizes[i].first < 0.05 * sizes[0].first || sizes[i].first == 0.0) break;
    const std::complex<double> share = mode.state[sizes[i].second] / mode.state[sizes[0].second];
    text += fmt::format("{}{} {:.3g}", i > 0 ? ", " : "",
                        modes.linear.states[static_cast<std::size_t>(sizes[i].second)].name,
                        std::abs(share));
    const double phase = std::arg(share) * 180.0 / std::numbers::pi;
    if (i > 0 && std::abs(phase) > 0.5) text += fmt::format(" at {:.0f} deg", phase);
  }
  return text.empty() ? "no displacement" : text;
}

void animate(model::ModelSystem& system,
             const system::Motion& motion,
             const Modes& modes,
             double seconds,
             SimulationOptions options) {
  constexpr int frames = 60;
  constexpr double amplitude = 0.1;
  constexpr double cycles = 2.0;
  options.further = {{"mode.number", "", "", "which mode is shown, from 1"},
                     {"mode.frequency", "Hz", "", "of the damped oscillation"},
                     {"mode.damping_ratio", "", "", "negative when it grows"}};
  Recorder recorder(system, options);
  constraint_handling::ConsistentStart closure(system);
  int number = 0;
  for (const Mode& mode : modes.modes) {
    ++number;
    const bool last = number == static_cast<int>(modes.modes.size());
    for (int frame = 0; frame < frames + (last ? 1 : 0); ++frame) {
      const double part = static_cast<double>(frame) / frames;
      const std::complex<double> turn =
          std::polar(amplitude, 2.0 * std::numbers::pi * cycles * part);
      system::Motion shown = motion;
      const Vector x = (turn * mode.displacement).imag();
      system.retract(motion.state.q, x, shown.state.q);
      closure.positions(shown.state, {});
      shown.state.t = (number - 1 + part) * seconds;
      recorder.step(shown);
      recorder.record(shown, {}, seconds / frames,
                      {static_cast<double>(number), mode.frequency, mode.damping_ratio});
    }
  }
  results::Outcome outcome = results::Outcome::completed;
  std::string message;
  std::string remedy;
  recorder.judge(outcome, message, remedy);
  if (options.sink != nullptr) options.sink->finish(outcome, message, {});
  if (outcome == results::Outcome::failed) throw core::RunError(message, remedy);
}

}  // namespace trammel::analysis
