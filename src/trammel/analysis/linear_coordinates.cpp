#include "trammel/analysis/linear_coordinates.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/analysis/central_difference.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

// What is left of a space when this row is zero.
Matrix without(const Matrix& space, const Eigen::RowVectorXd& row) {
  const Eigen::RowVectorXd along = row * space;
  return space * subspaces(along, Vector::Ones(space.cols())).allowed;
}

// Rows this small against all of them give badly conditioned coordinates.
constexpr double least_row = 0.05;
constexpr double dependent = 1e-6;

// Freedoms that no coordinate has would be missing in all that follows.
void require_all(const Matrix& rest) {
  if (rest.cols() == 0) return;
  throw core::RunError(
      fmt::format("no independent coordinates were found for {} of the freedoms", rest.cols()),
      "the position is singular, or nearly so: take another one (--about start)");
}

}  // namespace

Matrix displacement_rate(const system::MechanicalSystem& system, const Vector& v) {
  // dx = inverse_tangent(x, v) has the odd part (x cross v)/2, exactly linear in x.
  const auto n = static_cast<int>(v.size());
  Matrix B(n, n);
  constexpr double size = 0.5;
  Vector x = Vector::Zero(n);
  Vector plus;
  Vector minus;
  for (int i = 0; i < n; ++i) {
    x[i] = size;
    system.inverse_tangent(x, v, plus);
    x[i] = -size;
    system.inverse_tangent(x, v, minus);
    B.col(i) = (plus - minus) / size;
    x[i] = 0.0;
  }
  return B;
}

LinearCoordinates::LinearCoordinates(model::ModelSystem& system,
                                     const system::Motion& motion,
                                     const std::vector<std::string>& wanted)
    : system_(system), observer_(system) {
  choose(motion, wanted);
  choose_rates(motion, wanted.size());
}

void LinearCoordinates::add(int named) {
  const NamedCoordinate& coordinate = observer_.coordinates()[static_cast<std::size_t>(named)];
  members_.push_back({coordinate.name, coordinate.unit,
                      observer_.quantities()[coordinate.rate].name, static_cast<int>(used_.size()),
                      -1});
  used_.push_back(coordinate);
}

void LinearCoordinates::add_wanted(const Matrix& C,
                                   const std::vector<std::string>& wanted,
                                   Matrix& rest) {
  for (const std::string& name : wanted) {
    const auto index = static_cast<int>(&observer_.find(name) - observer_.coordinates().data());
    const double whole = (C.row(index) * system_.displacement_scale().asDiagonal()).norm();
    if (rest.cols() == 0 || (C.row(index) * rest).norm() <= dependent * whole) {
      throw core::InputError(
          fmt::format("'{}' is no suitable coordinate: the joints fix it, or it follows from the "
                      "coordinates named before it",
                      name),
          "name other coordinates, or leave the choice to the program");
    }
    rest = without(rest, C.row(index));
    add(index);
  }
}

void LinearCoordinates::add_named(const Matrix& C, bool of_joint, Matrix& rest) {
  const auto& all = observer_.coordinates();
  const Vector& scale = system_.displacement_scale();
  std::vector<int> candidates;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].of_joint == of_joint) candidates.push_back(static_cast<int>(i));
  }
  Matrix rows(static_cast<Eigen::Index>(candidates.size()), C.cols());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    rows.row(static_cast<Eigen::Index>(i)) = C.row(candidates[i]);
  }
  for (const int pick :
       independent_rows(rows, rest, scale, static_cast<int>(rest.cols()), least_row)) {
    add(candidates[static_cast<std::size_t>(pick)]);
    rest = without(rest, rows.row(pick));
  }
}

void LinearCoordinates::add_components(const Matrix& B, bool turning, double least, Matrix& rest) {
  std::vector<int> candidates;
  for (int i = 0; i < B.rows(); ++i) {
    if ((B.row(i).cwiseAbs().sum() > 0.0) == turning) candidates.push_back(i);
  }
  Matrix rows = Matrix::Zero(static_cast<Eigen::Index>(candidates.size()), B.cols());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    rows(static_cast<Eigen::Index>(i), candidates[i]) = 1.0;
  }
  const Vector& scale = system_.displacement_scale();
  for (const int pick : independent_rows(rows, rest, scale, static_cast<int>(rest.cols()), least)) {
    const int component = candidates[static_cast<std::size_t>(pick)];
    members_.push_back(
        {fmt::format("x[{}]", component), "", fmt::format("x[{}]_rate", component), -1, component});
    rest = without(rest, rows.row(pick));
  }
}

void LinearCoordinates::choose(const system::Motion& motion,
                               const std::vector<std::string>& wanted) {
  const Matrix G = constraint_jacobian(system_, motion.state);
  Matrix rest =
      subspaces(G.topRows(system_.sizes().holonomic), system_.displacement_scale()).allowed;
  const Matrix C = observer_.gradients(observer_.coordinates(), motion.state);
  add_wanted(C, wanted, rest);
  add_named(C, true, rest);
  add_named(C, false, rest);
  // Components in axes that do not turn have constant coefficients in steady motion.
  const Matrix B = displacement_rate(system_, motion.state.v);
  add_components(B, false, least_row, rest);
  add_components(B, true, dependent, rest);
  add_components(B, false, dependent, rest);
  require_all(rest);
}

void LinearCoordinates::choose_rates(const system::Motion& motion, std::size_t wanted) {
  const Matrix G = constraint_jacobian(system_, motion.state);
  Matrix rest = subspaces(G, system_.displacement_scale()).allowed;
  const Matrix C = rows(motion, false).C;
  // In their order, which does not depend on the coordinates that the system has.
  for (std::size_t i = 0; i < members_.size() && rest.cols() > 0; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double whole = (C.row(row) * system_.displacement_scale().asDiagonal()).norm();
    const double least = i < wanted ? dependent : least_row;
    if ((C.row(row) * rest).norm() <= least * whole) continue;
    with_rate_.push_back(static_cast<int>(i));
    rest = without(rest, C.row(row));
  }
  for (const int row : independent_rows(C, rest, system_.displacement_scale(),
                                        static_cast<int>(rest.cols()), dependent)) {
    with_rate_.push_back(row);
    rest = without(rest, C.row(row));
  }
  require_all(rest);
  std::sort(with_rate_.begin(), with_rate_.end());
}

Matrix LinearCoordinates::both(const system::Motion& motion) {
  const int n = system_.sizes().v;
  const auto count = static_cast<Eigen::Index>(members_.size());
  const Matrix C = observer_.gradients(used_, motion.state);
  Matrix R(C.rows(), n);
  const Vector& scale = system_.displacement_scale();
  system::Motion moved = motion;
  Vector x = Vector::Zero(n);
  for (int i = 0; i < n; ++i) {
    R.col(i) = central_difference([&](double s) {
                 x[i] = s * scale[i];
                 system_.retract(motion.state.q, x, moved.state.q);
                 return observer_.rates(used_, moved);
               }) /
               scale[i];
    x[i] = 0.0;
  }
  const Matrix B = displacement_rate(system_, motion.state.v);
  Matrix result = Matrix::Zero(count, 2 * n);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Member& member = members_[static_cast<std::size_t>(k)];
    if (member.named >= 0) {
      result.row(k) << C.row(member.named), R.row(member.named);
    } else {
      result(k, member.component) = 1.0;
      result.row(k).tail(n) = B.row(member.component);
    }
  }
  return result;
}

CoordinateRows LinearCoordinates::rows(const system::Motion& motion, bool with_rates) {
  const int n = system_.sizes().v;
  const Matrix now = both(motion);
  CoordinateRows rows{now.leftCols(n), now.rightCols(n), Matrix::Zero(now.rows(), n),
                      Matrix::Zero(now.rows(), n)};
  const double speed = std::max(scaled_size(motion.state.v, system_.displacement_scale()),
                                scaled_size(motion.a, system_.displacement_scale()));
  if (!with_rates || speed == 0.0) return rows;
  const Matrix rate = central_difference(
      [&](double s) {
        system::Motion then = motion;
        then.state.t += s;
        system_.retract(motion.state.q, s * motion.state.v, then.state.q);
        then.state.v += s * motion.a;
        return both(then);
      },
      difference_step / std::max(1.0, speed));
  rows.C_rate = rate.leftCols(n);
  rows.R_rate = rate.rightCols(n);
  return rows;
}

}  // namespace trammel::analysis
