// Homogeneous bodies of simple shape: volume, centre and inertia from dimensions.
//
// The shape frame S has its origin in the middle of the shape (the cone: in the middle of its base)
// and its axes along the symmetry axes. Rod along x; box and plate edges along x, y, z; cylinder,
// disc and cone about z. All lengths in m. `inner_radius` makes a shape hollow: a concentric hole
// right through the cylinder or disc, a closed cavity in the sphere.
//
// Formulas per unit mass, r the inner and R the outer radius:
//   rod       J_yy = J_zz = l^2/12, J_xx = 0 (slender)
//   box       J_xx = (b^2 + c^2)/12 and cyclic
//   plate     the box with thickness 0
//   cylinder  J_zz = (R^2 + r^2)/2,  J_xx = J_yy = (R^2 + r^2)/4 + l^2/12
//   disc      the cylinder with length 0
//   sphere    J = 2/5 (R^5 - r^5)/(R^3 - r^3)
//   cone      J_zz = 3/10 R^2,  J_xx = J_yy = 3/20 R^2 + 3/80 h^2, centre at z = h/4
//   mesh      sums over its triangles (triangle_mesh.h); the shape frame is that of its file
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include <Eigen/Core>

#include "trammel/core/diagnostic.h"
#include "trammel/math/mass_properties.h"
#include "trammel/math/triangle_mesh.h"

namespace trammel::math {

/// Slender: the cross-section carries mass but no moment of inertia. Its area may stay 0 when the
/// mass is given.
struct Rod {
  double length = 0.0;
  double area = 0.0;  ///< m^2
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

/// Thin: the thickness carries mass but no moment of inertia. It may stay 0 when the mass is given.
struct Plate {
  double x = 0.0;
  double y = 0.0;
  double thickness = 0.0;
};

struct Cylinder {
  double radius = 0.0;
  double length = 0.0;
  double inner_radius = 0.0;
};

/// Thin, like the plate.
struct Disc {
  double radius = 0.0;
  double thickness = 0.0;
  double inner_radius = 0.0;
};

struct Sphere {
  double radius = 0.0;
  double inner_radius = 0.0;
};

/// Base in the plane z = 0, apex at z = height.
struct Cone {
  double radius = 0.0;
  double height = 0.0;
};

/// What a surface of triangles encloses, in the coordinates of the surface. Its mass properties
/// exist when it is closed.
struct Mesh {
  std::shared_ptr<const TriangleMesh> surface;
  std::string file;  ///< where it comes from, for messages
};

using Shape = std::variant<Rod, Box, Plate, Cylinder, Disc, Sphere, Cone, Mesh>;

/// "rod", "box", ...
std::string_view name_of(const Shape& shape);

/// Of the material, without the hole, m^3. Zero for a rod, plate or disc without area or thickness.
double volume(const Shape& shape);

/// Centre of mass in the shape frame, m.
Eigen::Vector3d center(const Shape& shape);

/// Inertia about the centre of mass per unit mass, shape axes, m^2.
Eigen::Matrix3d inertia_per_mass(const Shape& shape);

/// Adds every mistake in the dimensions, under `path` ("bodies.wheel.shape"): a length that is not
/// positive and finite, an inner radius that is not smaller than the outer one, a mesh that is not
/// closed or encloses nothing.
void check_shape(const Shape& shape, const std::string& path, core::Diagnostics& diagnostics);

/// The homogeneous body in its shape frame. Both throw core::InputError, with every mistake, when
/// the dimensions are wrong, or mass or density is not positive, or a density meets a shape without
/// volume.
MassProperties from_shape_and_mass(const Shape& shape, double mass);
MassProperties from_shape_and_density(const Shape& shape, double density);

}  // namespace trammel::math
