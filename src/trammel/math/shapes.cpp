#include "trammel/math/shapes.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace trammel::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

double ring_area(double outer, double inner) {
  return pi * (outer - inner) * (outer + inner);
}

double volume_of(const Rod& rod) {
  return rod.area * rod.length;
}
double volume_of(const Box& box) {
  return box.x * box.y * box.z;
}
double volume_of(const Plate& plate) {
  return plate.x * plate.y * plate.thickness;
}
double volume_of(const Cylinder& cylinder) {
  return ring_area(cylinder.radius, cylinder.inner_radius) * cylinder.length;
}
double volume_of(const Disc& disc) {
  return ring_area(disc.radius, disc.inner_radius) * disc.thickness;
}
double volume_of(const Sphere& sphere) {
  // R^3 - r^3 without the cancellation in thin shells.
  const double R = sphere.radius;
  const double r = sphere.inner_radius;
  return 4.0 / 3.0 * pi * (R - r) * (R * R + R * r + r * r);
}
double volume_of(const Cone& cone) {
  return pi * cone.radius * cone.radius * cone.height / 3.0;
}

double volume_of(const Mesh& mesh) {
  return solid_properties(*mesh.surface).volume;
}

Vector3d moments_of(const Box& box) {
  const double xx = box.x * box.x;
  const double yy = box.y * box.y;
  const double zz = box.z * box.z;
  return Vector3d(yy + zz, zz + xx, xx + yy) / 12.0;
}
Vector3d moments_of(const Rod& rod) {
  return moments_of(Box{rod.length, 0.0, 0.0});
}
Vector3d moments_of(const Plate& plate) {
  return moments_of(Box{plate.x, plate.y, 0.0});
}
Vector3d moments_of(const Cylinder& cylinder) {
  const double polar =
      0.5 * (cylinder.radius * cylinder.radius + cylinder.inner_radius * cylinder.inner_radius);
  const double transverse = 0.5 * polar + cylinder.length * cylinder.length / 12.0;
  return {transverse, transverse, polar};
}
Vector3d moments_of(const Disc& disc) {
  return moments_of(Cylinder{disc.radius, 0.0, disc.inner_radius});
}
Vector3d moments_of(const Sphere& sphere) {
  // (R^5 - r^5)/(R^3 - r^3) with the common factor R - r taken out.
  const double R = sphere.radius;
  const double r = sphere.inner_radius;
  const double quartic =
      R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r;
  return Vector3d::Constant(0.4 * quartic / (R * R + R * r + r * r));
}
Vector3d moments_of(const Cone& cone) {
  const double rr = cone.radius * cone.radius;
  const double transverse = 0.15 * rr + 0.0375 * cone.height * cone.height;
  return {transverse, transverse, 0.3 * rr};
}

template <class T>
Matrix3d inertia_of(const T& shape) {
  return moments_of(shape).asDiagonal();
}
Matrix3d inertia_of(const Mesh& mesh) {
  return solid_properties(*mesh.surface).inertia_per_mass;
}

// Collects mistakes in the dimensions of one shape.
class DimensionCheck {
 public:
  DimensionCheck(std::string path, core::Diagnostics& diagnostics)
      : path_(std::move(path)), diagnostics_(diagnostics) {}

  void positive(const std::string& name, double value) const {
    if (!(value > 0.0) || !std::isfinite(value)) {
      error(name, value, "is not positive and finite", "give a value above 0 (in m)");
    }
  }

  void not_negative(const std::string& name, double value, const std::string& unit) const {
    if (!(value >= 0.0) || !std::isfinite(value)) {
      error(name, value, "is negative or not finite",
            fmt::format("give a value above 0 (in {}), or leave it out and give the mass", unit));
    }
  }

  void hollow(double radius, double inner_radius) const {
    positive("radius", radius);
    if (!(inner_radius >= 0.0) || !std::isfinite(inner_radius)) {
      error("inner_radius", inner_radius, "is negative or not finite", "give 0 for a solid body");
    } else if (radius > 0.0 && inner_radius >= radius) {
      error("inner_radius", inner_radius,
            fmt::format("is not smaller than the radius {:g}", radius),
            "give the radius of the hole, smaller than the outer radius, or 0 for a solid body");
    }
  }

  void check(const Rod& rod) const {
    positive("length", rod.length);
    not_negative("area", rod.area, "m^2");
  }
  void check(const Box& box) const {
    positive("x", box.x);
    positive("y", box.y);
    positive("z", box.z);
  }
  void check(const Plate& plate) const {
    positive("x", plate.x);
    positive("y", plate.y);
    not_negative("thickness", plate.thickness, "m");
  }
  void check(const Cylinder& cylinder) const {
    hollow(cylinder.radius, cylinder.inner_radius);
    positive("length", cylinder.length);
  }
  void check(const Disc& disc) const {
    hollow(disc.radius, disc.inner_radius);
    not_negative("thickness", disc.thickness, "m");
  }
  void check(const Sphere& sphere) const { hollow(sphere.radius, sphere.inner_radius); }
  void check(const Cone& cone) const {
    positive("radius", cone.radius);
    positive("height", cone.height);
  }
  void check(const Mesh& mesh) const {
    const std::size_t open = open_edges(*mesh.surface);
    if (open > 0) {
      mesh_error(fmt::format("the surface of '{}' is not closed: {} edges do not have one triangle "
                             "on either side",
                             mesh.file, open),
                 "close it in the program it comes from, or give the body its mass and inertia and "
                 "draw the mesh by 'meshes'");
    } else if (!(solid_properties(*mesh.surface).volume > 0.0)) {
      mesh_error(fmt::format("the surface of '{}' encloses no volume", mesh.file),
                 "give a solid, or draw the mesh by 'meshes'");
    }
  }

 private:
  void error(const std::string& name,
             double value,
             const std::string& problem,
             const std::string& remedy) const {
    diagnostics_.error(path_ + "." + name, fmt::format("{} {:g} {}", name, value, problem), remedy);
  }

  void mesh_error(const std::string& problem, const std::string& remedy) const {
    diagnostics_.error(path_, problem, remedy);
  }

  std::string path_;
  core::Diagnostics& diagnostics_;
};

void check_positive_amount(const Shape& shape,
                           std::string_view quantity,
                           double value,
                           std::string_view unit,
                           core::Diagnostics& diagnostics) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    diagnostics.error(fmt::format("{}.{}", name_of(shape), quantity),
                      fmt::format("{} {:g} {} of the {} is not positive and finite", quantity,
                                  value, unit, name_of(shape)),
                      fmt::format("give a positive {}", quantity));
  }
}

}  // namespace

std::string_view name_of(const Shape& shape) {
  static constexpr std::array<std::string_view, std::variant_size_v<Shape>> names = {
      "rod", "box", "plate", "cylinder", "disc", "sphere", "cone", "mesh"};
  return names[shape.index()];
}

double volume(const Shape& shape) {
  return std::visit([](const auto& s) { return volume_of(s); }, shape);
}

Vector3d center(const Shape& shape) {
  if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return solid_properties(*mesh->surface).center;
  const Cone* cone = std::get_if<Cone>(&shape);
  return cone == nullptr ? Vector3d(Vector3d::Zero()) : Vector3d(0.0, 0.0, 0.25 * cone->height);
}

Matrix3d inertia_per_mass(const Shape& shape) {
  return std::visit([](const auto& s) -> Matrix3d { return inertia_of(s); }, shape);
}

void check_shape(const Shape& shape, const std::string& path, core::Diagnostics& diagnostics) {
  const DimensionCheck dimensions(path, diagnostics);
  std::visit([&dimensions](const auto& s) { dimensions.check(s); }, shape);
}

MassProperties from_shape_and_mass(const Shape& shape, double mass) {
  core::Diagnostics diagnostics;
  check_shape(shape, std::string(name_of(shape)), diagnostics);
  check_positive_amount(shape, "mass", mass, "kg", diagnostics);
  diagnostics.throw_if_errors();
  return {mass, center(shape), mass * inertia_per_mass(shape)};
}

MassProperties from_shape_and_density(const Shape& shape, double density) {
  core::Diagnostics diagnostics;
  check_shape(shape, std::string(name_of(shape)), diagnostics);
  check_positive_amount(shape, "density", density, "kg/m^3", diagnostics);
  if (!diagnostics.has_errors() && !(volume(shape) > 0.0)) {
    diagnostics.error(
        std::string(name_of(shape)),
        fmt::format("a density was given for a {} without volume", name_of(shape)),
        "give its cross-section area (rod) or thickness (plate, disc), or give the mass "
        "instead of the density");
  }
  diagnostics.throw_if_errors();
  return from_shape_and_mass(shape, density * volume(shape));
}

}  // namespace trammel::math
