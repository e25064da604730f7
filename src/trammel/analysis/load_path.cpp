#include "trammel/analysis/load_path.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "trammel/analysis/equilibrium.h"
#include "trammel/analysis/statics.h"
#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

/// A direction in displacements over their scales, and time over that asked for.
struct PathDirection {
  Vector x;
  double t = 0.0;

  double dot(const PathDirection& other) const { return x.dot(other.x) + t * other.t; }
  void normalise() {
    const double size = std::sqrt(dot(*this));
    x /= size;
    t /= size;
  }
};

class PathFollower {
 public:
  PathFollower(model::ModelSystem& system, const LoadPathOptions& options)
      : system_(system), options_(options), scale_(system.displacement_scale()) {
    if (system.sizes().z > 0 || system.sizes().nonholonomic > 0) {
      throw core::InputError(
          "a model with first-order states or nonholonomic rows has no load path",
          "find single positions of rest by 'trammel statics' without --path");
    }
  }

  LoadPath run() {
    begin();
    double step = options_.step;
    while (path_.end == PathEnd::reached && !arrived()) {
      options_.end.require_time("a load path was followed",
                                "give more time, longer steps, or an earlier end");
      const Stepped next = try_step(direction_, step);
      constexpr double least = 1e-8;
      if (!next.ok) {
        step *= 0.5;
        if (step < least * options_.step) lost();
        continue;
      }
      take(next, step);
      // Four iterations are what a step is worth.
      constexpr double wanted = 4.0;
      step = std::clamp(step * std::sqrt(wanted / std::max(next.iterations, 1)),
                        least * options_.step, 5.0 * options_.step);
      judge_end();
    }
    return std::move(path_);
  }

 private:
  struct Stepped {
    bool ok = false;
    int iterations = 0;
    PathPoint point;
  };

  // ---- the path

  void begin() {
    StaticsReport rest = statics(system_, {.nearest = true, .end = options_.end});
    path_.assembly = std::move(rest.assembly);
    PathPoint point{.motion = std::move(rest.motion)};
    judge(point);
    PathDirection ahead{Vector::Zero(scale_.size()), 1.0};
    direction_ = tangent(point.motion, ahead);
    path_.points.push_back(std::move(point));
  }

  void take(const Stepped& next, double step) {
    const PathPoint& last = path_.points.back();
    const PathDirection ahead = tangent(next.point.motion, direction_);
    const bool critical = next.point.growing != last.growing;
    if (critical) {
      add_critical(next, step, ahead);
      if (options_.branch && !left_ && path_.critical.back().kind == CriticalKind::bifurcation) {
        leave(path_.critical.back(), step);
        return;
      }
    }
    system_.accept(next.point.motion.state);
    path_.points.push_back(next.point);
    direction_ = ahead;
  }

  bool arrived() {
    const PathPoint& last = path_.points.back();
    if (last.motion.state.t < options_.until) return false;
    // The last point is put where it was asked for.
    const PathDirection time{Vector::Zero(scale_.size()), 1.0};
    PathPoint point = last;
    point.motion.state.t = options_.until;
    int iterations = 0;
    if (correct(point.motion, point.motion, time, iterations)) {
      judge(point);
      path_.points.back() = std::move(point);
    }
    return true;
  }

  void judge_end() {
    if (path_.points.back().motion.state.t < -options_.until) path_.end = PathEnd::turned_back;
    if (static_cast<int>(path_.points.size()) >= options_.most_points) {
      path_.end = PathEnd::too_many_points;
    }
  }

  [[noreturn]] void lost() const {
    throw core::RunError(
        fmt::format("the load path was lost at t = {:.6g} s: no position of rest was found ahead",
                    path_.points.back().motion.state.t),
        "loads that jump in time have none; give them a ramp, or take a shorter --path-step");
  }

  // ---- one point

  Stepped try_step(const PathDirection& direction, double step) {
    Stepped result{.point = path_.points.back()};
    system::Motion predicted = result.point.motion;
    system_.retract(predicted.state.q, step * scale_.cwiseProduct(direction.x), predicted.state.q);
    predicted.state.t += step * direction.t * options_.until;
    result.point.motion = predicted;
    result.ok = correct(result.point.motion, predicted, direction, result.iterations) &&
                is_near(result.point.motion, direction, step);
    path_.iterations += result.iterations;
    if (!result.ok) return result;
    result.point.length += step;
    judge(result.point);
    return result;
  }

  // The plane across the direction meets the path again where it comes back; what is far away, or
  // goes on another way, is not the next point.
  bool is_near(const system::Motion& motion, const PathDirection& direction, double step) {
    constexpr double farthest = 1.2;
    constexpr double least_cosine = 0.7;
    const system::Motion& last = path_.points.back().motion;
    PathDirection chord;
    system_.logarithm(last.state.q, motion.state.q, chord.x);
    chord.x = chord.x.cwiseQuotient(scale_);
    chord.t = (motion.state.t - last.state.t) / options_.until;
    if (std::sqrt(chord.dot(chord)) > farthest * step) return false;
    const PathDirection ahead = tangent(motion, direction);
    return direction.t == 0.0 || ahead.dot(direction) > least_cosine;
  }

  // Newton on the plane through `predicted` across the direction.
  bool correct(system::Motion& motion,
               const system::Motion& predicted,
               const PathDirection& direction,
               int& iterations) {
    constexpr int most = 12;
    constexpr double round_off = 1e-11;
    constexpr double longest = 0.5;
    double last = 1.0;
    for (int i = 0; i < most; ++i) {
      ++iterations;
      Vector way;
      system_.logarithm(predicted.state.q, motion.state.q, way);
      const double across = direction.x.dot(way.cwiseQuotient(scale_)) +
                            direction.t * (motion.state.t - predicted.state.t) / options_.until;
      const PathDirection change = solve(motion, direction, across);
      const double size = std::sqrt(change.dot(change));
      if (!std::isfinite(size) || size > longest) return false;
      move(change, motion);
      if (size < round_off) return true;
      // Corrections that have become small and do not fall any more are round-off.
      constexpr double small = 1e-8;
      if (size < small && size > 0.5 * last) return true;
      last = size;
    }
    return false;
  }

  void move(const PathDirection& change, system::Motion& motion) {
    system_.retract(motion.state.q, scale_.cwiseProduct(change.x), motion.state.q);
    motion.state.t += change.t * options_.until;
    motion.lambda += multipliers_;
  }

  /// The bordered equations; multipliers_ is their part.
  PathDirection solve(const system::Motion& motion, const PathDirection& direction, double across) {
    Matrix& left = bordered(motion, direction);
    Vector right(left.rows());
    const Eigen::Index n = scale_.size();
    right << -scale_.cwiseProduct(r_) / load_, -g_, -across;
    return parts(left.completeOrthogonalDecomposition().solve(right), n);
  }

  PathDirection tangent(const system::Motion& motion, const PathDirection& along) {
    Matrix& left = bordered(motion, along);
    Vector right = Vector::Zero(left.rows());
    right[right.size() - 1] = 1.0;
    PathDirection result =
        parts(left.completeOrthogonalDecomposition().solve(right), scale_.size());
    result.normalise();
    if (result.dot(along) < 0.0) {
      result.x = -result.x;
      result.t = -result.t;
    }
    return result;
  }

  PathDirection parts(const Vector& solution, Eigen::Index n) {
    multipliers_ = load_ * solution.segment(n, solution.size() - n - 1);
    return {solution.head(n), solution[solution.size() - 1]};
  }

  // Rows of loads over the load of the start, multipliers in it.
  Matrix& bordered(const system::Motion& motion, const PathDirection& direction) {
    const DenseTangent tangent = dense_tangent(system_, motion, {.position = 1.0});
    const Eigen::Index n = scale_.size();
    const Eigen::Index m = tangent.G.rows();
    residuals(motion, r_, g_);
    if (load_ == 0.0) set_load(motion, tangent.K);
    rates(motion);
    matrix_.setZero(n + m + 1, n + m + 1);
    const auto D = scale_.asDiagonal();
    matrix_.topLeftCorner(n, n) = D * tangent.K * D / load_;
    matrix_.block(0, n, n, m) = D * tangent.G.transpose();
    matrix_.block(n, 0, m, n) = tangent.G * D;
    matrix_.block(0, n + m, n, 1) = scale_.cwiseProduct(r_t_) * options_.until / load_;
    matrix_.block(n, n + m, m, 1) = g_t_ * options_.until;
    matrix_.block(n + m, 0, 1, n) = direction.x.transpose();
    matrix_(n + m, n + m) = direction.t;
    return matrix_;
  }

  // What the stiffness makes of a displacement of one scale.
  void set_load(const system::Motion& /*motion*/, const Matrix& K) {
    load_ = (scale_.asDiagonal() * K * scale_.asDiagonal()).cwiseAbs().maxCoeff();
    if (!(load_ > 0.0)) load_ = 1.0;
  }

  void residuals(const system::Motion& motion, Vector& r, Vector& g) {
    Vector constraint;
    system_.residual(motion, r, constraint);
    system_.position_constraint(motion.state, g);
  }

  void rates(const system::Motion& motion) {
    const double h = 1e-6 * options_.until;
    system::Motion other = motion;
    other.state.t = motion.state.t + h;
    residuals(other, r_t_, g_t_);
    other.state.t = motion.state.t - h;
    Vector r;
    Vector g;
    residuals(other, r, g);
    r_t_ = (r_t_ - r) / (2.0 * h);
    g_t_ = (g_t_ - g) / (2.0 * h);
  }

  // ---- stability

  void judge(PathPoint& point) {
    const Equilibrium equilibrium(system_, point.motion.state);
    const StabilityReport stability = judge_stability(system_, equilibrium);
    point.least = stability.stiffness.size() > 0 ? stability.stiffness[0] : 0.0;
    point.growing = static_cast<int>((stability.stiffness.array() < 0.0).count());
  }

  // Between the last point and the next.
  void add_critical(const Stepped& next, double step, const PathDirection& ahead) {
    const int before = path_.points.back().growing;
    double low = 0.0;
    double high = step;
    PathPoint found = next.point;
    constexpr int most = 40;
    constexpr double narrow = 1e-10;
    for (int i = 0; i < most && high - low > narrow * options_.step; ++i) {
      const double middle = 0.5 * (low + high);
      const Stepped trial = try_step(direction_, middle);
      if (!trial.ok) break;
      (trial.point.growing == before ? low : high) = middle;
      found = trial.point;
    }
    const bool turns = direction_.t * ahead.t < 0.0;
    path_.critical.push_back({.kind = turns ? CriticalKind::limit : CriticalKind::bifurcation,
                              .at = found,
                              .shape = softest_shape(found.motion.state)});
  }

  Vector softest_shape(const system::State& state) {
    const Equilibrium equilibrium(system_, state);
    const Matrix K = equilibrium.reduced_stiffness();
    const Eigen::SelfAdjointEigenSolver<Matrix> principal(0.5 * (K + K.transpose()));
    Eigen::Index softest = 0;
    principal.eigenvalues().cwiseAbs().minCoeff(&softest);
    const Vector shape = equilibrium.freedoms() * principal.eigenvectors().col(softest);
    return shape.cwiseQuotient(scale_).normalized();
  }

  // On along the shape that has lost its stiffness.
  void leave(const CriticalPoint& critical, double step) {
    left_ = true;
    path_.points.push_back(critical.at);
    system_.accept(critical.at.motion.state);
    const PathDirection sideways{critical.shape, 0.0};
    constexpr int most_halvings = 9;
    double size = step;
    for (int i = 0; i <= most_halvings; ++i, size *= 0.5) {
      const Stepped next = try_step(sideways, size);
      if (!next.ok) continue;
      direction_ = tangent(next.point.motion, sideways);
      system_.accept(next.point.motion.state);
      path_.points.push_back(next.point);
      return;
    }
    lost();
  }

  model::ModelSystem& system_;
  const LoadPathOptions& options_;
  const Vector& scale_;
  LoadPath path_;
  PathDirection direction_;
  bool left_ = false;
  double load_ = 0.0;  ///< N m, over the displacement scales
  Matrix matrix_;
  Vector r_;
  Vector g_;
  Vector r_t_;
  Vector g_t_;
  Vector multipliers_;
};

}  // namespace

LoadPath follow_load(model::ModelSystem& system, const LoadPathOptions& options) {
  return PathFollower(system, options).run();
}

}  // namespace trammel::analysis
