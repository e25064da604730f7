// What a person says of a body that bends: a straight beam or bar of one material and section, cut
// into elements of equal length.
//
// Plain values in SI units. add_flexible_body() turns it into bodies, amplitudes, elements and
// carried frames of a description (flexible_kinds.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace trammel::model {

struct Material {
  std::string name;
  double density = 0.0;         ///< rho, kg/m^3
  double youngs_modulus = 0.0;  ///< E, Pa
  double poissons_ratio = 0.3;  ///< nu; G = E/(2 (1 + nu))

  double shear_modulus() const { return youngs_modulus / (2.0 * (1.0 + poissons_ratio)); }
};

/// What a section was told by: how it changes along a body that tapers.
enum class SectionShape { area, rectangle, circle, tube };

struct CrossSection {
  std::string name;
  double area = 0.0;                ///< A, m^2
  double second_moment = 0.0;       ///< I about z, m^4
  double shear_factor = 5.0 / 6.0;  ///< kappa
  double height = 0.0;              ///< in the plane of bending, m; for drawing. Zero: unknown
  SectionShape shape = SectionShape::area;
  double inner = 0.0;  ///< inner radius of a tube, m
};

/// A place along the body where others attach, with axes that go with the section: x along the
/// centre line, towards the tip.
struct FlexibleFrame {
  std::string name;
  double along = 0.0;                                  ///< share of the length, 0 to 1
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its origin in the section, m
};

/// A load spread along the body, N/m: from one value to another, times a factor.
struct SpreadLoad {
  std::string name;
  double from = 0.0;                                    ///< share of the length
  double to = 1.0;                                      ///< likewise
  Eigen::Vector3d force = Eigen::Vector3d::Zero();      ///< for each metre, at `from`
  Eigen::Vector3d force_end = Eigen::Vector3d::Zero();  ///< the same at `to`
  bool follows = false;                                 ///< in axes of the section, not the world's
  std::string factor;                                   ///< formula of time; empty: 1
};

/// How the inertia of elements in the inertial frame is computed (inertial.h).
enum class InertialMass { consistent, constant };
/// What stretches a bar in absolute nodal coordinates (ancf.h).
enum class BarStrain { engineering, green };
/// Where the weight of elements in the floating frame acts (floating.h).
enum class FloatingWeight { distributed, center };

/// Names below are in the model's own: a body "beam" has nodes "beam.start", "beam.node_1" ...
/// "beam.tip", elements "beam.element_1" ..., and frames "beam.<name>".
struct FlexibleBody {
  std::string name;
  std::string formulation;                  ///< of flexible_kinds()
  std::string element = "euler_bernoulli";  ///< or bar, timoshenko
  int elements = 1;
  Material material;
  CrossSection section;
  /// Where the ends are, unloaded.
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  Eigen::Vector3d tip = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of the start, world axes, m/s
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< of the whole, world axes, rad/s
  std::vector<FlexibleFrame> frames;
  InertialMass mass = InertialMass::consistent;
  BarStrain strain = BarStrain::engineering;
  FloatingWeight weight = FloatingWeight::distributed;
  double viscosity = 0.0;     ///< Kelvin and Voigt's: stress by rate of strain over stiffness, s
  double mass_damping = 0.0;  ///< Rayleigh's: force by velocity over mass, 1/s
  std::vector<SpreadLoad> loads;
  /// At the tip, where it is not that of the start; between them both change evenly.
  std::optional<CrossSection> tip_section;
  std::optional<Eigen::Vector3d> through;  ///< a point of the arc from start to tip, unloaded
  std::string color;                       ///< "#rrggbb"; empty: chosen by whoever draws

  double length() const { return (tip - start).norm(); }
};

/// The name of node k of the body's elements + 1 nodes.
std::string node_name(const FlexibleBody& body, int k);
std::string element_name(const FlexibleBody& body, int k);

}  // namespace trammel::model
