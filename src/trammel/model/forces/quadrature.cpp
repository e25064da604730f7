#include "trammel/model/forces/quadrature.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;

using std::numbers::pi;

double needed(const Values& values, const char* field) {
  if (has(values, field)) return number(values, field);
  throw core::InputError(fmt::format("the shape '{}' needs '{}'", text(values, "shape"), field),
                         fmt::format("give {}: a length above zero", field));
}

Vector3d needed_size(const Values& values, std::size_t count) {
  if (!has(values, "size") || numbers(values, "size").size() != count) {
    throw core::InputError(
        fmt::format("the shape '{}' needs 'size' with {} lengths", text(values, "shape"), count),
        count == 2 ? "give e.g. size: [0.4 m, 0.2 m]" : "give e.g. size: [0.4 m, 0.2 m, 0.1 m]");
  }
  Vector3d size = Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    size[static_cast<Eigen::Index>(i)] = numbers(values, "size")[i];
  }
  return size;
}

double inner_radius(const Values& values, double radius) {
  const double inner = number(values, "inner_radius");
  if (inner < radius) return inner;
  throw core::InputError(
      fmt::format("inner_radius {:g} m is not below the radius {:g} m", inner, radius),
      "give a smaller one, or leave it out");
}

int order_of(const Values& values) {
  const double order = number(values, "order");
  constexpr double highest = 16.0;
  if (order >= 1.0 && order <= highest && order == std::floor(order)) return int(order);
  throw core::InputError(fmt::format("order is {:g}", order),
                         "give a whole number of points a direction, 1 to 16");
}

// Equal steps around: exact for polynomials of a degree below the number of steps.
std::vector<Abscissa> around(int n) {
  std::vector<Abscissa> points;
  for (int i = 0; i < 2 * n; ++i) points.push_back({(i + 0.5) * pi / n, pi / n});
  return points;
}

// ---- surfaces

// The points of a rectangle with these two half sides and this centre.
void add_face(std::vector<LoadPoint>& points,
              int n,
              const Vector3d& center,
              const Vector3d& u,
              const Vector3d& v) {
  const Vector3d normal = u.cross(v).normalized();
  const double scale = u.norm() * v.norm();
  for (const Abscissa& a : gauss_points(n, -1.0, 1.0)) {
    for (const Abscissa& b : gauss_points(n, -1.0, 1.0)) {
      points.push_back({center + a.x * u + b.x * v, normal, scale * a.weight * b.weight});
    }
  }
}

std::vector<LoadPoint> box_surface(int n, const Vector3d& size) {
  std::vector<LoadPoint> points;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    const Vector3d out = 0.5 * size[axis] * Vector3d::Unit(axis);
    const Vector3d u = 0.5 * size[next] * Vector3d::Unit(next);
    const Vector3d v = 0.5 * size[last] * Vector3d::Unit(last);
    add_face(points, n, out, u, v);
    add_face(points, n, -out, v, u);
  }
  return points;
}

std::vector<LoadPoint> disc(int n, double inner, double radius) {
  std::vector<LoadPoint> points;
  for (const Abscissa& r : gauss_points(n, inner, radius)) {
    for (const Abscissa& a : around(n)) {
      points.push_back({Vector3d(r.x * std::cos(a.x), r.x * std::sin(a.x), 0.0), Vector3d::UnitZ(),
                        r.x * r.weight * a.weight});
    }
  }
  return points;
}

std::vector<LoadPoint> cylinder_side(int n, double radius, double length) {
  std::vector<LoadPoint> points;
  for (const Abscissa& z : gauss_points(n, -0.5 * length, 0.5 * length)) {
    for (const Abscissa& a : around(n)) {
      const Vector3d normal(std::cos(a.x), std::sin(a.x), 0.0);
      points.push_back(
          {radius * normal + z.x * Vector3d::UnitZ(), normal, radius * a.weight * z.weight});
    }
  }
  return points;
}

std::vector<LoadPoint> sphere(int n, double radius) {
  std::vector<LoadPoint> points;
  for (const Abscissa& s : gauss_points(n, -1.0, 1.0)) {
    const double c = std::sqrt(1.0 - s.x * s.x);
    for (const Abscissa& a : around(n)) {
      const Vector3d normal(c * std::cos(a.x), c * std::sin(a.x), s.x);
      points.push_back({radius * normal, normal, radius * radius * s.weight * a.weight});
    }
  }
  return points;
}

std::vector<LoadPoint> segment(int n, double length) {
  std::vector<LoadPoint> points;
  for (const Abscissa& x : gauss_points(n, -0.5 * length, 0.5 * length)) {
    points.push_back({Vector3d(x.x, 0.0, 0.0), Vector3d::UnitY(), x.weight});
  }
  return points;
}

std::vector<LoadPoint> arc(int n, double radius, double from, double to) {
  constexpr double circle = 2.0 * pi;
  if (!(to > from) || to - from > circle * (1.0 + 1e-12)) {
    throw core::InputError(fmt::format("the arc goes from {:g} to {:g} rad", from, to),
                           "give 'to' above 'from', by one turn at most");
  }
  const bool closed = to - from > circle * (1.0 - 1e-12);
  std::vector<LoadPoint> points;
  for (const Abscissa& a : closed ? around(n) : gauss_points(n, from, to)) {
    const Vector3d normal(std::cos(a.x), std::sin(a.x), 0.0);
    points.push_back({radius * normal, normal, radius * a.weight});
  }
  return points;
}

// ---- volumes

// Each point of a plane shape along a stretch of z.
std::vector<LoadPoint> extruded(const std::vector<LoadPoint>& plane, int n, double length) {
  std::vector<LoadPoint> points;
  for (const LoadPoint& point : plane) {
    for (const Abscissa& z : gauss_points(n, -0.5 * length, 0.5 * length)) {
      points.push_back(
          {point.place + z.x * Vector3d::UnitZ(), point.normal, point.weight * z.weight});
    }
  }
  return points;
}

std::vector<LoadPoint> rectangle(int n, const Vector3d& size) {
  std::vector<LoadPoint> points;
  add_face(points, n, Vector3d::Zero(), 0.5 * size.x() * Vector3d::UnitX(),
           0.5 * size.y() * Vector3d::UnitY());
  return points;
}

std::vector<LoadPoint> ball(int n, double radius) {
  std::vector<LoadPoint> points;
  for (const Abscissa& r : gauss_points(n + 1, 0.0, radius)) {
    for (LoadPoint point : sphere(n, r.x)) {
      point.weight *= r.weight;
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace

// Roots of the Legendre polynomial by Newton's method; P and its derivative by recurrence.
std::vector<Abscissa> gauss_points(int n, double from, double to) {
  std::vector<Abscissa> points;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(pi * (i + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double last = 1.0;
      double value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * last) / k;
        last = value;
        value = next;
      }
      slope = n * (x * value - last) / (x * x - 1.0);
      x -= value / slope;
    }
    const double weight = 2.0 / ((1.0 - x * x) * slope * slope);
    points.push_back({0.5 * (from + to) + 0.5 * (to - from) * x, 0.5 * (to - from) * weight});
  }
  return points;
}

const std::vector<std::string>& surface_shapes(Space space) {
  static const std::vector<std::string> planar{"segment", "arc"};
  static const std::vector<std::string> spatial{"rectangle", "disc", "cylinder", "sphere", "box"};
  return space == Space::planar ? planar : spatial;
}

const std::vector<std::string>& volume_shapes(Space space) {
  static const std::vector<std::string> planar{"rectangle", "disc"};
  static const std::vector<std::string> spatial{"box", "cylinder", "ball"};
  return space == Space::planar ? planar : spatial;
}

std::vector<LoadPoint> surface_points(Space space, const Values& values) {
  const std::string& shape = text(values, "shape");
  const int n = order_of(values);
  if (space == Space::planar) {
    if (shape == "segment") return segment(n, needed(values, "length"));
    return arc(n, needed(values, "radius"), number(values, "from"), number(values, "to"));
  }
  if (shape == "rectangle") return rectangle(n, needed_size(values, 2));
  if (shape == "box") return box_surface(n, needed_size(values, 3));
  const double radius = needed(values, "radius");
  if (shape == "disc") return disc(n, inner_radius(values, radius), radius);
  if (shape == "cylinder") return cylinder_side(n, radius, needed(values, "length"));
  return sphere(n, radius);
}

std::vector<LoadPoint> volume_points(Space space, const Values& values) {
  const std::string& shape = text(values, "shape");
  const int n = order_of(values);
  if (shape == "rectangle") return rectangle(n, needed_size(values, 2));
  if (shape == "box") {
    const Vector3d size = needed_size(values, 3);
    return extruded(rectangle(n, size), n, size.z());
  }
  const double radius = needed(values, "radius");
  if (shape == "ball") return ball(n, radius);
  const std::vector<LoadPoint> plane = disc(n, inner_radius(values, radius), radius);
  return space == Space::planar ? plane : extruded(plane, n, needed(values, "length"));
}

}  // namespace trammel::model
