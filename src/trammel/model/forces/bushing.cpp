#include "trammel/model/forces/bushing.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// The rotational part: x, and the derivatives of T^-1 w and T^-T m by theta.
template <class S>
struct Rotation;

template <>
struct Rotation<Planar> {
  using Turn = Eigen::Matrix<double, 1, 1>;
  Turn theta;
  Turn inverse = Turn::Ones();  ///< T^-1

  explicit Rotation(const FrameMotion<Planar>& motion) : theta(motion.angle) {}
  Turn rate_slope(const Turn& /*w*/) const { return Turn::Zero(); }
  Turn moment_slope(const Turn& /*m*/) const { return Turn::Zero(); }
};

template <>
struct Rotation<Spatial> {
  Vector3d theta;
  Matrix3d inverse;
  double c = 1.0 / 12.0;
  double c_slope = 1.0 / 360.0;  ///< (dc/df)/f

  explicit Rotation(const FrameMotion<Spatial>& motion)
      : theta(math::logarithm(Eigen::Quaterniond(motion.R))) {
    const double f2 = theta.squaredNorm();
    constexpr double small = 1e-2;
    if (f2 > small) {
      const double f = std::sqrt(f2);
      const double half = 0.5 * f;
      const double cot = std::cos(half) / std::sin(half);
      c = (1.0 - half * cot) / f2;
      // d(half cot)/df = (cot - half (1 + cot^2)) / 2
      const double g = 0.5 * (cot - half * (1.0 + cot * cot));
      c_slope = (-g / f2 - 2.0 * c / f) / f;
    } else {
      c = 1.0 / 12.0 + f2 * (1.0 / 720.0 + f2 * (1.0 / 30240.0 + f2 / 1209600.0));
      c_slope = 1.0 / 360.0 + f2 * (1.0 / 7560.0 + f2 / 201600.0);
    }
    const Matrix3d s = skew(theta);
    inverse = Matrix3d::Identity() - 0.5 * s + c * s * s;
  }
  // d/dtheta of c theta x (theta x y).
  Matrix3d quadratic_slope(const Vector3d& y) const {
    const Vector3d cross = theta.cross(y);
    return -c * (skew(cross) + skew(theta) * skew(y)) +
           c_slope * theta.cross(cross) * theta.transpose();
  }
  Matrix3d rate_slope(const Vector3d& w) const { return 0.5 * skew(w) + quadratic_slope(w); }
  Matrix3d moment_slope(const Vector3d& m) const { return -0.5 * skew(m) + quadratic_slope(m); }
};

template <class S>
struct Deflection {
  using Wrench = typename RelativeForce<S>::Wrench;
  Rotation<S> rotation;
  Wrench x;
  Wrench x_dot;

  explicit Deflection(const FrameMotion<S>& motion) : rotation(motion) {
    x << motion.p, rotation.theta;
    x_dot << motion.u, rotation.inverse * motion.w;
  }
};

}  // namespace

template <class S>
auto Bushing<S>::wrench(const Motion& motion) const -> Wrench {
  const Deflection<S> d(motion);
  Wrench W = parameters_.preload - parameters_.stiffness * d.x - parameters_.damping * d.x_dot;
  W.template tail<S::rotations>() =
      (d.rotation.inverse.transpose() * W.template tail<S::rotations>()).eval();
  return W;
}

template <class S>
void Bushing<S>::slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const {
  constexpr int n = S::dimension;
  constexpr int r = S::rotations;
  const Deflection<S> d(motion);
  const auto& inverse = d.rotation.inverse;
  const Wrench m =
      parameters_.preload - parameters_.stiffness * d.x - parameters_.damping * d.x_dot;
  // dx = X (dp, turn),  dx' = Y (dp, turn) + X (du, dw),  dW = X^T dm + (0, moment_slope X turn)
  Slope X = Slope::Identity();
  X.template bottomRightCorner<r, r>() = inverse;
  Slope Y = Slope::Zero();
  Y.template bottomRightCorner<r, r>() = d.rotation.rate_slope(motion.w) * inverse;
  by_pose = -X.transpose() * (parameters_.stiffness * X + parameters_.damping * Y);
  const Eigen::Matrix<double, r, 1> moment = m.template tail<r>();
  by_pose.template block<r, r>(n, n) += d.rotation.moment_slope(moment) * inverse;
  by_rate = -X.transpose() * parameters_.damping * X;
}

template <class S>
double Bushing<S>::stored(const Motion& motion) const {
  const Deflection<S> d(motion);
  return 0.5 * d.x.dot(parameters_.stiffness * d.x) - parameters_.preload.dot(d.x);
}

template <class S>
ForcePower Bushing<S>::spent(const Motion& motion) const {
  const Deflection<S> d(motion);
  return {.dissipated = d.x_dot.dot(parameters_.damping * d.x_dot)};
}

template <>
std::vector<Quantity> Bushing<Planar>::quantities() const {
  return {{"deflection.x", "m", "first frame", "displacement"},
          {"deflection.y", "m", "first frame", "displacement"},
          {"rotation", "rad", "first frame", "angle"},
          {"force.x", "N", "first frame", "on the second body"},
          {"force.y", "N", "first frame", "on the second body"},
          {"torque", "N m", "first frame", "on the second body"}};
}

template <>
std::vector<Quantity> Bushing<Spatial>::quantities() const {
  std::vector<Quantity> list;
  const auto add = [&](const char* name, const char* unit, const char* description) {
    for (const char* axis : {".x", ".y", ".z"}) {
      list.push_back({std::string(name) + axis, unit, "first frame", description});
    }
  };
  add("deflection", "m", "displacement");
  add("rotation", "rad", "rotation vector");
  add("force", "N", "on the second body");
  add("torque", "N m", "on the second body");
  return list;
}

template <class S>
void Bushing<S>::report(const Motion& motion, double* values) const {
  const Deflection<S> d(motion);
  const Wrench W = wrench(motion);
  for (int i = 0; i < Base::components; ++i) {
    values[i] = d.x[i];
    values[Base::components + i] = W[i];
  }
}

template class Bushing<Planar>;
template class Bushing<Spatial>;

namespace {

// Translations and rotations on the diagonal, or the full matrix in their place.
template <class S>
typename Bushing<S>::Slope matrix(const Values& values,
                                  const std::string& name,
                                  const typename Bushing<S>::Wrench& diagonal) {
  using Slope = typename Bushing<S>::Slope;
  constexpr int n = Bushing<S>::components;
  const std::string full = name + "_matrix";
  if (!has(values, full)) return diagonal.asDiagonal();
  const std::vector<double>& list = numbers(values, full);
  if (list.size() != static_cast<std::size_t>(n * n)) {
    throw core::InputError(fmt::format("{} has {} numbers", full, list.size()),
                           fmt::format("give {} rows of {} numbers, one after the other", n, n));
  }
  const Slope K = Eigen::Map<const Eigen::Matrix<double, n, n, Eigen::RowMajor>>(list.data());
  const double scale = K.cwiseAbs().maxCoeff();
  if ((K - K.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    throw core::InputError(full + " is not symmetric",
                           "give a symmetric matrix: only that has an energy");
  }
  if (name == "damping" &&
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues()[0] < -1e-9 * scale) {
    throw core::InputError(full + " would drive some motion: it has a negative eigenvalue",
                           "give a positive semi-definite matrix");
  }
  return 0.5 * (K + K.transpose());
}

Eigen::Vector3d diagonal_part(const Values& values, const std::string& name, const Planar&) {
  Eigen::Vector3d part = vector(values, name);
  part.z() = number(values, "rotational_" + name);
  return part;
}

Eigen::Matrix<double, 6, 1> diagonal_part(const Values& values,
                                          const std::string& name,
                                          const Spatial&) {
  Eigen::Matrix<double, 6, 1> part;
  part << vector(values, name), vector(values, "rotational_" + name);
  return part;
}

Eigen::Vector3d preload(const Values& values, const Planar&) {
  Eigen::Vector3d part = vector(values, "preload_force");
  part.z() = number(values, "preload_torque");
  return part;
}

Eigen::Matrix<double, 6, 1> preload(const Values& values, const Spatial&) {
  Eigen::Matrix<double, 6, 1> part;
  part << vector(values, "preload_force"), vector(values, "preload_torque");
  return part;
}

template <class S>
std::unique_ptr<Force<S>> build_bushing(const Values& values,
                                        const NodeFrame<S>& a,
                                        const NodeFrame<S>& b) {
  typename Bushing<S>::Parameters parameters;
  parameters.stiffness = matrix<S>(values, "stiffness", diagonal_part(values, "stiffness", S{}));
  parameters.damping = matrix<S>(values, "damping", diagonal_part(values, "damping", S{}));
  parameters.preload = preload(values, S{});
  return std::make_unique<Bushing<S>>(a, b, parameters);
}

std::vector<Field> bushing_fields(Space space) {
  const bool planar = space == Space::planar;
  const FieldKind turning = planar ? FieldKind::number : FieldKind::vector;
  const Value zero = Eigen::Vector3d(Eigen::Vector3d::Zero());
  const Value no_turn = planar ? Value(0.0) : zero;
  const char* order = planar ? "over x, y, angle; row by row, SI units; replaces the diagonal"
                             : "over x, y, z and rotations about them; row by row, SI units; "
                               "replaces the diagonal";
  const auto entry = [&](const char* name, FieldKind kind, const core::Dimension& dimension,
                         const char* description, const Value& fallback, Sign sign,
                         Mirrored mirrored = Mirrored::same) {
    return Field{.name = name,
                 .kind = kind,
                 .dimension = dimension,
                 .description = description,
                 .fallback = fallback,
                 .sign = sign,
                 .mirrored = mirrored};
  };
  const auto full = [&](const char* name) {
    return Field{.name = name,
                 .kind = FieldKind::numbers,
                 .description = order,
                 .optional = true,
                 .mirrored = Mirrored::matrix};
  };
  return {entry("stiffness", FieldKind::vector, core::dimension::stiffness,
                "along the axes of the first frame", zero, Sign::non_negative),
          entry("rotational_stiffness", turning, core::dimension::rotational_stiffness,
                "about the axes of the first frame", no_turn, Sign::non_negative),
          entry("damping", FieldKind::vector, core::dimension::damping,
                "along the axes of the first frame", zero, Sign::non_negative),
          entry("rotational_damping", turning, core::dimension::rotational_damping,
                "about the axes of the first frame", no_turn, Sign::non_negative),
          entry("preload_force", FieldKind::vector, core::dimension::force,
                "on the second body at zero deflection, axes of the first frame", zero, Sign::any,
                Mirrored::polar),
          entry("preload_torque", turning, core::dimension::torque,
                "on the second body at zero deflection, axes of the first frame", no_turn,
                Sign::any, planar ? Mirrored::odd : Mirrored::axial),
          full("stiffness_matrix"),
          full("damping_matrix")};
}

constexpr const char* bushing_summary =
    "stiffness and damping in all directions between two frames";

}  // namespace

ForceKind planar_bushing() {
  return {.name = "bushing",
          .space = Space::planar,
          .summary = bushing_summary,
          .fields = bushing_fields(Space::planar),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_bushing<Planar>};
}
ForceKind spatial_bushing() {
  return {.name = "bushing",
          .space = Space::spatial,
          .summary = bushing_summary,
          .fields = bushing_fields(Space::spatial),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_bushing<Spatial>};
}

}  // namespace trammel::model
