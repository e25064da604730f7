#include "trammel/model/joints/spatial/curve_on_curve.h"

#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "trammel/model/curves/curve_fields.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;

// e_x, e_y, e_z, then R row by row.
constexpr int arguments = 12;

struct Placement {
  Vector3d e;
  Eigen::Matrix3d R;
};

Placement placement_of(const Jets<arguments>& x) {
  Placement place;
  for (int i = 0; i < 3; ++i) {
    place.e[i] = x[static_cast<std::size_t>(i)].value;
    for (int j = 0; j < 3; ++j) place.R(i, j) = x[static_cast<std::size_t>(3 + 3 * i + j)].value;
  }
  return place;
}

// The nearest points of both curves, everything in the first frame.
struct Crossing {
  CurvePoint<3> a;
  CurvePoint<3> b;   ///< in the second frame
  Vector3d second;   ///< R B'
  Vector3d bending;  ///< R B''
  Vector3d d;
  double s = 0.0;
  double t = 0.0;

  Crossing(const Curve<3>& first, const Curve<3>& other, const Placement& place) {
    search(first, other, place);
    constexpr int most = 30;
    for (int i = 0; i < most; ++i) {
      set(first, other, place);
      const Eigen::Vector2d step =
          conditions().inverse() * Eigen::Vector2d(d.dot(a.first), d.dot(second));
      if (!step.allFinite()) return;
      s -= step[0];
      t -= step[1];
      if (step.norm() < 1e-14 * (1.0 + std::abs(s) + std::abs(t))) break;
    }
    set(first, other, place);
  }

  /// Derivative of the two conditions by s and t.
  Eigen::Matrix2d conditions() const {
    Eigen::Matrix2d J;
    J << -a.first.squaredNorm() + d.dot(a.second), second.dot(a.first), -a.first.dot(second),
        second.squaredNorm() + d.dot(bending);
    return J;
  }

 private:
  void search(const Curve<3>& first, const Curve<3>& other, const Placement& place) {
    constexpr int samples = 64;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= samples; ++i) {
      const double at = other.from() + (other.to() - other.from()) * i / samples;
      const Vector3d point = place.e + place.R * other.at(at).c;
      const double foot = first.foot(point);
      const double distance = (point - first.at(foot).c).squaredNorm();
      if (distance >= least) continue;
      least = distance;
      s = foot;
      t = at;
    }
  }

  void set(const Curve<3>& first, const Curve<3>& other, const Placement& place) {
    a = first.at(s);
    b = other.at(t);
    second = place.R * b.first;
    bending = place.R * b.second;
    d = place.e + place.R * b.c - a.c;
  }
};

struct CrossingGap {
  CurvePointer<3> first;
  CurvePointer<3> other;

  Jet<arguments> operator()(const Jets<arguments>& x) const {
    const Placement place = placement_of(x);
    const Crossing c(*first, *other, place);
    const Vector3d m = c.a.first.cross(c.second);
    const Vector3d n = m.normalized();
    const Eigen::Matrix2d inverse = c.conditions().inverse();
    Jet<arguments> gap(n.dot(c.d));
    for (int i = 0; i < 3; ++i) {
      gap.gradient[i] = n[i];
      for (int j = 0; j < 3; ++j) gap.gradient[3 + 3 * i + j] = n[i] * c.b.c[j];
    }
    for (int y = 0; y < arguments; ++y) {
      // What the argument y changes at fixed s and t, then how s and t follow.
      const bool shifts = y < 3;
      const int i = shifts ? y : (y - 3) / 3;
      const int j = shifts ? 0 : (y - 3) % 3;
      const Vector3d axis = Vector3d::Unit(i);
      const Vector3d change = shifts ? axis : Vector3d(axis * c.b.c[j]);
      const Vector3d turned = shifts ? Vector3d::Zero().eval() : Vector3d(axis * c.b.first[j]);
      const Eigen::Vector2d follow =
          -inverse * Eigen::Vector2d(c.a.first.dot(change), c.second.dot(change) + c.d.dot(turned));
      const Vector3d dm = (follow[0] * c.a.second).cross(c.second) +
                          c.a.first.cross(turned + follow[1] * c.bending);
      const Vector3d dn = (dm - n * n.dot(dm)) / m.norm();
      for (int k = 0; k < 3; ++k) {
        gap.hessian(k, y) = dn[k];
        for (int l = 0; l < 3; ++l) {
          gap.hessian(3 + 3 * k + l, y) = dn[k] * c.b.c[l] + n[k] * c.b.first[l] * follow[1];
        }
      }
    }
    return gap;
  }
};

CurvePointer<3> ranged_curve(const Values& values, const std::string& suffix) {
  GivenCurve<3> given = given_curve<3>(values, suffix);
  if (given.graph) {
    throw core::InputError("a graph over x has no ends, among which the crossing could be sought",
                           "give x" + suffix + ", y" + suffix + " and z" + suffix +
                               " as formulas of u, with its range");
  }
  return given.curve;
}

void build_spatial_curve_on_curve(const Values& values, JointAssembly<Spatial>& joint) {
  const CrossingGap gap{ranged_curve(values, ""), ranged_curve(values, "_b")};
  CoordinateArray<Spatial, arguments> places;
  for (int i = 0; i < 3; ++i) {
    places[static_cast<std::size_t>(i)] = displacement(joint, i);
    for (int j = 0; j < 3; ++j) {
      places[static_cast<std::size_t>(3 + 3 * i + j)] =
          std::make_shared<CosineCoordinate>(joint.a.axes.col(i), joint.b.axes.col(j));
    }
  }
  add_row(joint, compose<Spatial, arguments>(places, gap), 0.0, "contact");
  const auto azimuth = [](const Jets<2>& e) { return atan2(e[1], e[0]); };
  const auto elevation = [](const Jets<3>& e) {
    return atan2(e[2], sqrt(e[0] * e[0] + e[1] * e[1]));
  };
  joint.add_coordinate("center_azimuth", "rad",
                       compose<Spatial, 2>({places[0], places[1]}, azimuth, true));
  joint.add_coordinate("center_elevation", "rad",
                       compose<Spatial, 3>({places[0], places[1], places[2]}, elevation));
  add_bryant_angles(joint);
}

std::vector<Field> spatial_curve_fields() {
  std::vector<Field> list = curve_fields(Space::spatial);
  for (Field& field : curve_fields(Space::spatial, "_b")) list.push_back(std::move(field));
  return list;
}

}  // namespace

JointKind spatial_curve_on_curve() {
  return {.name = "curve_on_curve",
          .space = Space::spatial,
          .summary = "two space curves, one on each body, cross and slide on each other",
          .fields = spatial_curve_fields(),
          .freedoms = 5,
          .build_spatial = build_spatial_curve_on_curve,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::wires};
}

}  // namespace trammel::model
