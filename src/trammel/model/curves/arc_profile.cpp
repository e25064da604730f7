#include "trammel/model/curves/arc_profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/math/rotation.h"
#include "trammel/model/curves/curve.h"

namespace trammel::model {
namespace {

// Circles whose distance differs from that of touching ones by less touch.
constexpr double touching = 1e-9;
// Normals that turn back by less do not turn.
constexpr double straight = 1e-9;

struct ArcPiece {
  double start = 0.0;  ///< polar angle
  bool line = false;
  Eigen::Vector2d center = Eigen::Vector2d::Zero();  ///< of an arc
  double radius = 0.0;                               ///< of an arc; p of a line
  double normal = 0.0;                               ///< of a line

  expression::Derivatives at(double angle) const {
    if (line) {
      const double rho = radius / std::cos(angle - normal);
      const double x = std::tan(angle - normal);
      return {rho, rho * x, rho * (1.0 + 2.0 * x * x), rho * x * (5.0 + 6.0 * x * x)};
    }
    const double c = std::cos(angle);
    const double d = std::sin(angle);
    const double k = center.x() * c + center.y() * d;
    const double s = -center.x() * d + center.y() * c;
    const double w = std::sqrt(radius * radius - s * s);
    const double product = s * k;
    const double difference = s * s - k * k;
    const double w3 = w * w * w;
    return {k + w, s + product / w, -k + difference / w - product * product / w3,
            -s - 4.0 * product / w - 3.0 * product * difference / w3 +
                3.0 * product * product * product / (w3 * w * w)};
  }
};

class ArcProfile final : public expression::Function {
 public:
  explicit ArcProfile(std::vector<ArcPiece> pieces) : pieces_(std::move(pieces)) {}

  expression::Derivatives at(double x, expression::Workspace& /*workspace*/) const override {
    const double first = pieces_.front().start;
    const double angle = x - math::full_turn * std::floor((x - first) / math::full_turn);
    const auto next =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), angle,
                         [](double place, const ArcPiece& piece) { return place < piece.start; });
    return std::prev(next)->at(angle);
  }
  bool has_third() const override { return true; }
  int smooth() const override { return 1; }
  expression::Type type() const override { return {core::dimension::length, false, false, false}; }
  std::string failure(double /*x*/, expression::Workspace& /*workspace*/) const override {
    return {};
  }

 private:
  std::vector<ArcPiece> pieces_;
};

double polar_angle(const Eigen::Vector2d& p) {
  return std::atan2(p.y(), p.x());
}

// The angle moved by whole turns to base .. base + 2 pi, where just below the base is the base.
double from_base(double angle, double base) {
  const double rest = angle - base - math::full_turn * std::floor((angle - base) / math::full_turn);
  return base + (rest > math::full_turn - straight ? 0.0 : rest);
}

// Angle of the normal of the tangent from one circle to the next.
double tangent_normal(const std::vector<ProfileCircle>& circles, std::size_t i, std::size_t j) {
  const Eigen::Vector2d d = circles[j].center - circles[i].center;
  const double distance = d.norm();
  const double difference = circles[i].radius - circles[j].radius;
  const double slack = touching * std::max(circles[i].radius, circles[j].radius);
  if (distance <= slack || std::abs(difference) > distance + slack) {
    throw core::InputError(
        fmt::format("circles {} and {} have no common tangent: one lies inside the other", i + 1,
                    j + 1),
        "let them touch from inside, or move them apart");
  }
  if (distance - std::abs(difference) <= slack) {
    return polar_angle(d) - (difference > 0.0 ? 0.0 : std::numbers::pi);
  }
  return polar_angle(d) - std::acos(difference / distance);
}

// Support n . c + r over the arc's normals must be positive: the origin lies inside.
void check_inside(const ProfileCircle& circle, double from, double to, std::size_t number) {
  constexpr int samples = 32;
  for (int i = 0; i <= samples; ++i) {
    const double normal = from + (to - from) * i / samples;
    if (direction_at(normal).dot(circle.center) + circle.radius > 0.0) continue;
    throw core::InputError(
        fmt::format("the origin of the frame lies outside of the arc of circle {}", number),
        "place the circles around the origin, counterclockwise");
  }
}

std::vector<ArcPiece> pieces_of(const std::vector<ProfileCircle>& circles) {
  const std::size_t n = circles.size();
  std::vector<double> normals;  // from circle i to the next
  for (std::size_t i = 0; i < n; ++i) normals.push_back(tangent_normal(circles, i, (i + 1) % n));
  const double base = normals[n - 1];
  double last = base;
  double start = polar_angle(circles[0].center + circles[0].radius * direction_at(base));
  std::vector<ArcPiece> pieces;
  for (std::size_t i = 0; i < n; ++i) {
    const double next = from_base(normals[i], last);
    check_inside(circles[i], last, next, i + 1);
    pieces.push_back({.start = start, .center = circles[i].center, .radius = circles[i].radius});
    const ProfileCircle& follower = circles[(i + 1) % n];
    const Eigen::Vector2d normal = direction_at(next);
    const Eigen::Vector2d leave = circles[i].center + circles[i].radius * normal;
    const Eigen::Vector2d arrive = follower.center + follower.radius * normal;
    start = from_base(polar_angle(leave), start);
    if ((arrive - leave).norm() > touching * follower.radius) {
      pieces.push_back({.start = start, .line = true, .radius = normal.dot(leave), .normal = next});
      start = from_base(polar_angle(arrive), start);
    }
    last = next;
  }
  if (std::abs(last - base - math::full_turn) > 1e-6) {
    throw core::InputError(
        fmt::format("the circles turn the profile by {:.6g} deg instead of 360 deg",
                    (last - base) * 360.0 / math::full_turn),
        "name the circles in the order in which the profile follows them, counterclockwise");
  }
  return pieces;
}

}  // namespace

expression::FunctionPointer arc_profile(const std::vector<ProfileCircle>& circles) {
  if (circles.size() > 1) return std::make_shared<ArcProfile>(pieces_of(circles));
  const ProfileCircle& circle = circles.front();
  check_inside(circle, 0.0, math::full_turn, 1);
  return std::make_shared<ArcProfile>(
      std::vector<ArcPiece>{{.center = circle.center, .radius = circle.radius}});
}

}  // namespace trammel::model
