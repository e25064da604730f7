#include "trammel/report/body_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>

#include "trammel/math/rotation.h"
#include "trammel/report/made_surfaces.h"

namespace trammel::report {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Part bar(const Vector3d& from, const Vector3d& to, double width, bool planar) {
  const Vector3d along = to - from;
  return {.kind = Part::Kind::bar,
          .size = {along.norm(), width, planar ? 0.5 * width : 0.0},
          .position = 0.5 * (from + to),
          .rotation = math::shortest_rotation(Vector3d::UnitX(), along)};
}

// --- given shapes

struct ShapeSize {
  double bar_width;
  bool planar;

  Part operator()(const math::Rod& rod) const {
    const double width = rod.area > 0.0 ? 2.0 * std::sqrt(rod.area / M_PI) : bar_width;
    return {.kind = Part::Kind::bar, .size = {rod.length, width, planar ? 0.5 * width : 0.0}};
  }
  Part operator()(const math::Box& box) const {
    return {.kind = Part::Kind::box, .size = {box.x, box.y, box.z}};
  }
  Part operator()(const math::Plate& plate) const {
    const double thickness = plate.thickness > 0.0 ? plate.thickness : 0.3 * bar_width;
    return {.kind = Part::Kind::box, .size = {plate.x, plate.y, thickness}};
  }
  Part operator()(const math::Cylinder& cylinder) const {
    return {.kind = Part::Kind::cylinder,
            .size = {cylinder.radius, cylinder.length, cylinder.inner_radius}};
  }
  Part operator()(const math::Disc& disc) const {
    const double thickness = disc.thickness > 0.0 ? disc.thickness : 0.3 * bar_width;
    return {.kind = Part::Kind::cylinder, .size = {disc.radius, thickness, disc.inner_radius}};
  }
  Part operator()(const math::Sphere& sphere) const {
    return {.kind = Part::Kind::sphere, .size = {sphere.radius, 0.0, 0.0}};
  }
  Part operator()(const math::Cone& cone) const {
    return {.kind = Part::Kind::cone, .size = {cone.radius, cone.height, 0.0}};
  }
  Part operator()(const math::Mesh& mesh) const {
    Eigen::AlignedBox3d box;
    for (const Vector3d& point : mesh.surface->points) box.extend(point);
    return {.kind = Part::Kind::mesh, .size = box.sizes(), .surface = mesh.surface};
  }
};

Part placed(const model::PlacedShape& shape, const ShapeSize& sizes) {
  Part part = std::visit(sizes, shape.shape);
  part.position = shape.position;
  part.rotation = shape.rotation;
  part.color = shape.color;
  return part;
}

// Shapes as they are, and thin bars to holds that lie outside of all of them.
std::vector<Part> given_parts(const model::Body& body,
                              const std::vector<Vector3d>& points,
                              const Proportions& p) {
  std::vector<Part> parts;
  for (const model::PlacedShape& shape : body.shapes) {
    parts.push_back(placed(shape, {p.bar_width, p.planar}));
  }
  const std::size_t shapes = parts.size();
  for (const Vector3d& point : points) {
    const auto near = [&](const Part& part) {
      return (point - part.position).norm() <= 1.02 * reach(part);
    };
    const auto last = parts.begin() + static_cast<std::ptrdiff_t>(shapes);
    if (std::none_of(parts.begin(), last, near)) {
      parts.push_back(bar(body.mass.center, point, 0.5 * p.bar_width, p.planar));
    }
  }
  return parts;
}

// --- made up from holds

std::vector<Vector3d> distinct_points(const std::vector<Hold>& holds, double tolerance) {
  std::vector<Vector3d> points;
  for (const Hold& hold : holds) {
    const auto same = [&](const Vector3d& p) { return (p - hold.position).norm() < tolerance; };
    if (std::none_of(points.begin(), points.end(), same)) points.push_back(hold.position);
  }
  return points;
}

// A plate whose corners are these points, when they lie in a plane and around its middle.
std::optional<Part> plate(const std::vector<Vector3d>& points, const Proportions& p) {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& point : points) middle += point / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& point : points) spread += (point - middle) * (point - middle).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  if (axes.eigenvalues()[0] > 1e-6 * axes.eigenvalues()[1] ||
      axes.eigenvalues()[1] < 0.05 * axes.eigenvalues()[2]) {
    return std::nullopt;
  }
  Eigen::Matrix3d R;
  R.col(2) = axes.eigenvectors().col(0);
  R.col(0) = axes.eigenvectors().col(2);
  R.col(1) = R.col(2).cross(R.col(0));
  std::vector<Vector3d> rim;
  for (const Vector3d& point : points) {
    rim.emplace_back(R.transpose() * (point - middle));
    rim.back() += 0.6 * p.bar_width * rim.back().normalized();  // around the joint
  }
  std::sort(rim.begin(), rim.end(), [](const Vector3d& a, const Vector3d& b) {
    return std::atan2(a.y(), a.x()) < std::atan2(b.y(), b.x());
  });
  return mesh_part(plate_mesh(rim, 0.5 * p.bar_width), middle, Quaterniond(R));
}

std::vector<Part> linkage(const std::vector<Vector3d>& points,
                          const Vector3d& center,
                          const Proportions& p) {
  if (points.size() == 2) return {bar(points[0], points[1], p.bar_width, p.planar)};
  std::vector<Part> parts;
  if (points.size() == 3) {
    for (std::size_t i = 0; i < 3; ++i) {
      parts.push_back(bar(points[i], points[(i + 1) % 3], p.bar_width, p.planar));
    }
    return parts;
  }
  if (const std::optional<Part> flat = p.planar ? std::nullopt : plate(points, p)) return {*flat};
  for (const Vector3d& point : points) {
    if ((point - center).norm() > 1e-6 * p.size) {
      parts.push_back(bar(center, point, p.bar_width, p.planar));
    }
  }
  return parts;
}

// A block whose edges have the ratio 1 : 0.6 (: 0.6) and the inertia of the body about z.
Part block(const model::Body& body, const Hold& hold, const Proportions& p) {
  const double J = body.mass.inertia(2, 2);
  const double wanted = std::sqrt(12.0 * J / (1.36 * body.mass.mass));
  const double edge = std::clamp(wanted, 0.1 * p.size, 0.2 * p.size);
  return {.kind = Part::Kind::box,
          .size = {edge, 0.6 * edge, p.planar ? 0.5 * p.bar_width : 0.6 * edge},
          .position = hold.position,
          .rotation = math::shortest_rotation(Vector3d::UnitX(), hold.axis)};
}

// How far a block of this length moves off a cam that touches the body where it slides.
Vector3d beside_cam(const std::vector<Hold>& holds, const Hold& sliding, double length) {
  for (const Hold& hold : holds) {
    if (hold.room.isZero(0.0) || !hold.position.isApprox(sliding.position)) continue;
    return hold.room + 0.6 * length * hold.room.normalized();
  }
  return Vector3d::Zero();
}

// --- made up from inertia

// The homogeneous cylinder with these moments, when two of them agree; a box otherwise.
// `moments` ascending, per mass; columns of R are the principal axes.
Part equal_inertia(const Vector3d& moments, const Eigen::Matrix3d& R, const Proportions& p) {
  const double least = 0.02 * p.size;
  const bool flat = moments[1] - moments[0] < 0.02 * moments[2];
  const bool slender = moments[2] - moments[1] < 0.02 * moments[2];
  if (flat && slender) {
    const double radius = std::max(least, std::sqrt(2.5 * moments[2]));
    return {.kind = Part::Kind::sphere, .size = {radius, 0.0, 0.0}};
  }
  if (flat || slender) {
    const int axis = flat ? 2 : 0;
    const double across = moments[1];
    const double radius = std::max(least, std::sqrt(2.0 * moments[axis]));
    const double length = std::sqrt(std::max(0.0, 12.0 * across - 3.0 * radius * radius));
    return {.kind = Part::Kind::cylinder,
            .size = {radius, std::max(length, 0.15 * radius), 0.0},
            .rotation = math::shortest_rotation(Vector3d::UnitZ(), R.col(axis))};
  }
  Vector3d edges;
  for (int i = 0; i < 3; ++i) {
    const double square = 6.0 * (moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i]);
    edges[i] = std::max(least, std::sqrt(std::max(0.0, square)));
  }
  return {.kind = Part::Kind::box, .size = edges, .rotation = Quaterniond(R)};
}

// A rod that ends in its only hold: its moment across is m c^2 / 3, with c the distance of the
// centre of mass, and that along it is small.
bool is_slender_from(const Vector3d& hold, const model::Body& body, bool planar) {
  const Vector3d arm = body.mass.center - hold;
  const double square = arm.squaredNorm();
  if (!(square > 0.0) || !(body.mass.mass > 0.0)) return false;
  const Eigen::Matrix3d J = body.mass.inertia / body.mass.mass;
  const double along = planar ? 0.0 : arm.dot(J * arm) / square;
  const double across = planar ? J(2, 2) : 0.5 * (J.trace() - along);
  return std::abs(across - square / 3.0) < 0.05 * square && along < 0.05 * across;
}

Part solid(const model::Body& body, const Proportions& p) {
  Part part;
  if (body.kind == model::BodyKind::point || !(body.mass.mass > 0.0)) {
    part = {.kind = Part::Kind::sphere, .size = {1.2 * p.bar_width, 0.0, 0.0}};
  } else if (p.planar) {
    const double radius = std::sqrt(2.0 * body.mass.inertia(2, 2) / body.mass.mass);
    part = {.kind = Part::Kind::cylinder,
            .size = {std::clamp(radius, 0.03 * p.size, 0.25 * p.size), 0.5 * p.bar_width, 0.0}};
  } else {
    const math::PrincipalInertia principal = math::principal_inertia(body.mass);
    part = equal_inertia(principal.moments / body.mass.mass, principal.R_BP, p);
    part.size *= std::min(1.0, 0.5 * p.size / std::max(reach(part), 1e-12 * p.size));
  }
  part.position = body.mass.center;
  return part;
}

}  // namespace

double reach(const Part& part) {
  switch (part.kind) {
    case Part::Kind::box:
      return 0.5 * part.size.norm();
    case Part::Kind::cylinder:
      return std::hypot(part.size[0], 0.5 * part.size[1]);
    case Part::Kind::cone:
      return std::max(part.size[0], part.size[1]);
    case Part::Kind::bar:
      return 0.5 * (part.size[0] + part.size[1]);
    case Part::Kind::mesh:
      return math::reach(*part.surface);
    case Part::Kind::sphere:
      break;
  }
  return part.size[0];
}

std::vector<Part> body_parts(const model::Body& body,
                             const std::vector<Hold>& holds,
                             const Proportions& p) {
  std::vector<Vector3d> points = distinct_points(holds, 1e-6 * p.size);
  if (!body.shapes.empty()) return given_parts(body, points, p);
  const auto sliding =
      std::find_if(holds.begin(), holds.end(), [](const Hold& h) { return h.slides; });
  if (sliding != holds.end() && body.kind == model::BodyKind::rigid) {
    std::vector<Part> parts{block(body, *sliding, p)};
    const Vector3d center = parts[0].position += beside_cam(holds, *sliding, parts[0].size[0]);
    for (const Vector3d& point : points) {
      if ((point - center).norm() > 0.5 * parts[0].size[0]) {
        parts.push_back(bar(center, point, p.bar_width, p.planar));
      }
    }
    return parts;
  }
  // A free end is often marked by a frame.
  for (const model::Frame& frame : body.frames) {
    const auto same = [&](const Vector3d& q) {
      return (q - frame.position).norm() < 1e-6 * p.size;
    };
    if (points.size() < 2 && std::none_of(points.begin(), points.end(), same)) {
      points.push_back(frame.position);
    }
  }
  if (points.size() > 1) return linkage(points, body.mass.center, p);
  if (points.size() == 1 && is_slender_from(points[0], body, p.planar)) {
    return {bar(points[0], 2.0 * body.mass.center - points[0], p.bar_width, p.planar)};
  }
  std::vector<Part> parts;
  if (std::none_of(holds.begin(), holds.end(), [](const Hold& h) { return h.profile; })) {
    parts.push_back(solid(body, p));
  }
  if (points.size() == 1 && (points[0] - body.mass.center).norm() > 1e-3 * p.size) {
    parts.push_back(bar(points[0], body.mass.center, 0.7 * p.bar_width, p.planar));
  }
  return parts;
}

double shapes_reach(const model::Body& body) {
  double farthest = 0.0;
  for (const model::PlacedShape& shape : body.shapes) {
    farthest = std::max(farthest, shape.position.norm() + reach(placed(shape, {0.0, false})));
  }
  return farthest;
}

double longest_distance(const model::Body& body, const std::vector<Hold>& holds) {
  double longest = 0.0;
  for (const Hold& a : holds) {
    longest = std::max(longest, (a.position - body.mass.center).norm());
    for (const Hold& b : holds) longest = std::max(longest, (a.position - b.position).norm());
  }
  return longest;
}

}  // namespace trammel::report
