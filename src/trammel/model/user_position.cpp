#include "trammel/model/user_position.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <Eigen/LU>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/compile.h"

namespace trammel::model {
namespace {

const std::array<const char*, 3> components{"x", "y", "z"};

expression::Program compiled(const std::string& formula, int size) {
  expression::Scope scope;
  for (int i = 0; i < size; ++i) {
    scope.add_input(UserPosition<Spatial>::names[static_cast<std::size_t>(i)],
                    core::dimension::none);
  }
  try {
    expression::Program program = expression::compile(formula, scope, core::dimension::length);
    if (program.smooth() < 2) {
      throw core::InputError(
          fmt::format("'{}' may have kinks, where the coordinates have no derivatives", formula),
          "use functions with continuous second derivatives");
    }
    return program;
  } catch (const expression::ExpressionError& error) {
    const core::Diagnostic diagnostic = expression::to_diagnostic(error, formula, "");
    throw core::InputError(fmt::format("in '{}': {}", formula, diagnostic.message),
                           diagnostic.remedy);
  }
}

}  // namespace

template <class S>
UserPosition<S>::UserPosition(const Values& values) {
  for (int i = 0; i < size; ++i) {
    const char* const name = components[static_cast<std::size_t>(i)];
    if (!has(values, name)) {
      throw core::InputError(fmt::format("position by formulas needs '{}'", name),
                             fmt::format("give {}: a length as a formula of {}", name,
                                         size == 2 ? "u and v" : "u, v and w"));
    }
    programs_.push_back(compiled(text(values, name), size));
  }
  if (has(values, "guess")) {
    const std::vector<double>& guess = numbers(values, "guess");
    if (guess.size() != static_cast<std::size_t>(size)) {
      throw core::InputError(fmt::format("'guess' has {} numbers", guess.size()),
                             fmt::format("give {}: one for each coordinate", size));
    }
    guess_ = Eigen::Map<const Point>(guess.data());
  }
  const double largest = guess_.template lpNorm<Eigen::Infinity>();
  scale_ = largest > 0.0 ? largest : 1.0;
  const Matrix A = first(guess_.data());
  determinant_ = std::abs(A.determinant());
  const double columns = A.colwise().norm().prod();
  // Dependent to the last digits.
  if (!(determinant_ > 1e-12 * columns)) {
    throw core::InputError("the coordinates are singular, or not defined, at 'guess'",
                           "give a guess near the described position, away from poles");
  }
}

template <class S>
void UserPosition<S>::evaluate(const double* u, bool second, Local& local) const {
  // Scratch memory that is kept between calls; positions themselves are constant and shared.
  thread_local expression::Workspace workspace;
  for (int row = 0; row < size; ++row) {
    const auto component = static_cast<std::size_t>(row);
    const expression::Program& program = programs_[component];
    const std::size_t n = program.inputs().size();
    std::array<double, 3> inputs{};
    std::array<double, 3> gradient{};
    std::array<double, 9> hessian{};
    for (std::size_t k = 0; k < n; ++k) inputs[k] = u[program.inputs()[k].id];
    const std::span<const double> in(inputs.data(), n);
    const std::span<double> slopes(gradient.data(), n);
    local.r[row] = second ? program.hessian(in, slopes, {hessian.data(), n * n}, workspace)
                          : program.gradient(in, slopes, workspace);
    local.first.row(row).setZero();
    if (second) local.second[component].setZero();
    for (std::size_t k = 0; k < n; ++k) {
      const auto i = static_cast<Eigen::Index>(program.inputs()[k].id);
      local.first(row, i) = gradient[k];
      for (std::size_t l = 0; second && l < n; ++l) {
        const auto j = static_cast<Eigen::Index>(program.inputs()[l].id);
        local.second[component](i, j) = hessian[k * n + l];
      }
    }
  }
}

template <class S>
auto UserPosition<S>::position(const double* u) const -> Point {
  Local local;
  evaluate(u, false, local);
  return local.r;
}

template <class S>
auto UserPosition<S>::first(const double* u) const -> Matrix {
  Local local;
  evaluate(u, false, local);
  return local.first;
}

template <class S>
auto UserPosition<S>::second(const double* u, int i, int j) const -> Point {
  Local local;
  evaluate(u, true, local);
  Point r;
  for (int row = 0; row < size; ++row) r[row] = local.second[static_cast<std::size_t>(row)](i, j);
  return r;
}

template <class S>
auto UserPosition<S>::third(const double* u, int i, const double* v) const -> Point {
  const Point here = Eigen::Map<const Point>(u);
  const Point along = Eigen::Map<const Point>(v);
  const double speed = along.template lpNorm<Eigen::Infinity>();
  if (speed == 0.0) return Point::Zero();
  // sum_j r_ij v_j at a step along v.
  const auto slope = [&](double s) {
    const Point at = here + s * along;
    Local local;
    evaluate(at.data(), true, local);
    Point sum;
    for (int row = 0; row < size; ++row) {
      sum[row] = local.second[static_cast<std::size_t>(row)].row(i).dot(along);
    }
    return sum;
  };
  // Truncation h^4 and round-off 1e-16/h are both near 1e-12.
  const double h = 1e-3 * std::max(scale_, here.template lpNorm<Eigen::Infinity>()) / speed;
  return (8.0 * (slope(h) - slope(-h)) - slope(2.0 * h) + slope(-2.0 * h)) / (12.0 * h);
}

// True when every correction is less than half of the one before it, down to round-off.
template <class S>
bool UserPosition<S>::newton(const Point& r, Point& u) const {
  constexpr int most = 30;
  constexpr double round_off = 1e-14;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    Local local;
    evaluate(u.data(), false, local);
    const Point step = local.first.partialPivLu().solve(r - local.r);
    const double length = step.template lpNorm<Eigen::Infinity>();
    if (!std::isfinite(length)) return false;
    u += step;
    const double enough = round_off * std::max(scale_, u.template lpNorm<Eigen::Infinity>());
    if (length <= enough) return true;
    // Corrections no longer fall: round-off of the formulas themselves.
    if (length > 0.5 * last) return length <= 1e4 * enough;
    last = length;
  }
  return false;
}

template <class S>
bool UserPosition<S>::coordinates_of(const Point& r, double* u) const {
  constexpr double shortest = 1e-5;
  const Point start = position(guess_.data());
  Point found = guess_;
  double way = 0.0;
  double step = 0.25;
  while (way < 1.0 && step >= shortest && r.allFinite()) {
    Point next = found;
    const double to = std::min(1.0, way + step);
    if (newton(start + to * (r - start), next)) {
      found = next;
      way = to;
      step *= 2.0;
    } else {
      step *= 0.5;
    }
  }
  const bool good = way >= 1.0;
  if (!good) found.setConstant(std::numeric_limits<double>::quiet_NaN());
  std::copy_n(found.data(), size, u);
  return good;
}

template <class S>
double UserPosition<S>::distance_from_singularity(const double* u) const {
  const Matrix A = first(u);
  const double columns = A.colwise().norm().prod();
  const double determinant = std::abs(A.determinant());
  if (!(columns > 0.0)) return 0.0;
  return std::min(determinant / columns, determinant / determinant_);
}

template <class S>
auto UserPosition<S>::coordinate(int i, const Jets<size>& r) const -> Jet<size> {
  Point wanted;
  for (int k = 0; k < size; ++k) wanted[k] = r[static_cast<std::size_t>(k)].value;
  Point u;
  coordinates_of(wanted, u.data());
  Local local;
  evaluate(u.data(), true, local);
  const Matrix B = local.first.inverse();
  Jet<size> y(u[i]);
  y.gradient = B.row(i).transpose();
  for (int l = 0; l < size; ++l) {
    y.hessian -= B(i, l) * (B.transpose() * local.second[static_cast<std::size_t>(l)] * B);
  }
  return y;
}

template class UserPosition<Planar>;
template class UserPosition<Spatial>;

std::vector<Field> user_position_fields(Space space) {
  std::vector<Field> fields;
  const int size = space == Space::planar ? 2 : 3;
  for (int i = 0; i < size; ++i) {
    fields.push_back(Field{.name = components[static_cast<std::size_t>(i)],
                           .kind = FieldKind::formula,
                           .dimension = core::dimension::length,
                           .description = "with position: formulas, as a formula of u, v (and w)",
                           .optional = true,
                           .variables = {"u", "v", "w"}});
  }
  fields.push_back(Field{.name = "guess",
                         .kind = FieldKind::numbers,
                         .description = "u, v (and w) near the described position; their branch is "
                                        "followed from there",
                         .optional = true});
  return fields;
}

}  // namespace trammel::model
