#include "trammel/model/forces/beam.h"

#include <fmt/format.h>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using Jet3 = Jet<3>;
using Jet6 = Jet<6>;
using JetVector = std::array<Jet6, 3>;

// Strains as functions of (dp, turn) around the motion's place, to second order.
std::array<Jet3, 3> strain_jets(const FrameMotion<Planar>& motion, double length) {
  const Jet3 x = Jet3::argument(motion.p.x(), 0);
  const Jet3 y = Jet3::argument(motion.p.y(), 1);
  const Jet3 angle = Jet3::argument(motion.angle, 2);
  const Jet3 chord = atan2(y, x);
  return {sqrt(x * x + y * y) - Jet3(length), Jet3(0.0) - chord, angle - chord};
}

// exp(skew(turn)) c to second order in the turn.
JetVector turned_axis(const Eigen::Vector3d& c) {
  JetVector result;
  for (int i = 0; i < 3; ++i) {
    Jet6& jet = result[static_cast<std::size_t>(i)];
    jet.value = c[i];
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d once = Eigen::Vector3d::Unit(k).cross(c);
      jet.gradient[3 + k] = once[i];
      for (int l = 0; l < 3; ++l) {
        const Eigen::Vector3d twice = Eigen::Vector3d::Unit(l).cross(once);
        jet.hessian(3 + k, 3 + l) += 0.5 * twice[i];
        jet.hessian(3 + l, 3 + k) += 0.5 * twice[i];
      }
    }
  }
  return result;
}

Jet6 inner_product(const JetVector& a, const JetVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::array<Jet6, 6> strain_jets(const FrameMotion<Spatial>& motion, double length) {
  JetVector d;
  std::array<JetVector, 3> axis;  // of frame b, in the axes of frame a
  for (int i = 0; i < 3; ++i) {
    d[static_cast<std::size_t>(i)] = Jet6::argument(motion.p[i], i);
    axis[static_cast<std::size_t>(i)] = turned_axis(motion.R.col(i));
  }
  const Jet6 x = inner_product(axis[0], d);
  const Jet6 y = inner_product(axis[1], d);
  const Jet6 z = inner_product(axis[2], d);
  // R_32 - R_23 and R_22 + R_33: twice the sine and cosine of a pure twist.
  const Jet6 twist = atan2(axis[1][2] - axis[2][1], axis[1][1] + axis[2][2]);
  return {sqrt(inner_product(d, d)) - Jet6(length),
          twist,
          atan2(d[2], d[0]),
          atan2(z, x),
          Jet6(0.0) - atan2(d[1], d[0]),
          Jet6(0.0) - atan2(y, x)};
}

}  // namespace

template <class S>
struct Beam<S>::Strains {
  Strain value;
  Eigen::Matrix<double, strains, Base::components> slope;
  std::array<Slope, static_cast<std::size_t>(strains)> second;  ///< column j: slope along j
  Strain rate;
  Strain stress;  ///< K (value + T rate)
};

template <class S>
auto Beam<S>::strains_at(const Motion& motion) const -> Strains {
  Strains s;
  const auto jets = strain_jets(motion, parameters_.length);
  Wrench velocity;
  velocity << motion.u, motion.w;
  for (int i = 0; i < strains; ++i) {
    const auto& jet = jets[static_cast<std::size_t>(i)];
    s.value[i] = jet.value;
    s.slope.row(i) = jet.gradient.transpose();
    Slope& second = s.second[static_cast<std::size_t>(i)];
    second = jet.hessian;
    if constexpr (S::space == Space::spatial) {
      // Turns one after the other: exp(a) exp(b) = exp(a + b + a x b/2 + ...).
      second.template bottomRightCorner<3, 3>() -=
          0.5 * math::skew(Eigen::Vector3d(jet.gradient.template tail<3>()));
    }
  }
  s.rate = s.slope * velocity;
  s.stress = parameters_.stiffness * (s.value + parameters_.damping_time * s.rate);
  return s;
}

template <class S>
auto Beam<S>::wrench(const Motion& motion) const -> Wrench {
  const Strains s = strains_at(motion);
  return -s.slope.transpose() * s.stress;
}

template <class S>
void Beam<S>::slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const {
  const Strains s = strains_at(motion);
  const double T = parameters_.damping_time;
  Wrench velocity;
  velocity << motion.u, motion.w;
  // Of value + T rate by the pose.
  Eigen::Matrix<double, strains, Base::components> change = s.slope;
  by_pose.setZero();
  for (int i = 0; i < strains; ++i) {
    const Slope& second = s.second[static_cast<std::size_t>(i)];
    change.row(i) += T * velocity.transpose() * second;
    by_pose -= s.stress[i] * second;
  }
  by_pose -= s.slope.transpose() * parameters_.stiffness * change;
  by_rate = -T * s.slope.transpose() * parameters_.stiffness * s.slope;
}

template <class S>
double Beam<S>::stored(const Motion& motion) const {
  const Strain e = strains_at(motion).value;
  return 0.5 * e.dot(parameters_.stiffness * e);
}

template <class S>
ForcePower Beam<S>::spent(const Motion& motion) const {
  const Strain rate = strains_at(motion).rate;
  return {.dissipated = parameters_.damping_time * rate.dot(parameters_.stiffness * rate)};
}

template <>
std::vector<Quantity> Beam<Planar>::quantities() const {
  return {{"stretch", "m", "", "longer than unloaded"},
          {"tension", "N", "", "along the chord"},
          {"moment_a", "N m", "", "about z, on the beam at its first end"},
          {"moment_b", "N m", "", "about z, on the beam at its second end"}};
}

template <>
std::vector<Quantity> Beam<Spatial>::quantities() const {
  return {{"stretch", "m", "", "longer than unloaded"},
          {"tension", "N", "", "along the chord"},
          {"twist", "rad", "", "of the second end about x"},
          {"torsion", "N m", "", "about x, on the beam at its second end"},
          {"moment_a.y", "N m", "", "on the beam at its first end"},
          {"moment_b.y", "N m", "", "on the beam at its second end"},
          {"moment_a.z", "N m", "", "on the beam at its first end"},
          {"moment_b.z", "N m", "", "on the beam at its second end"}};
}

template <class S>
void Beam<S>::report(const Motion& motion, double* values) const {
  const Strains s = strains_at(motion);
  *values++ = s.value[0];
  *values++ = s.stress[0];
  if (S::space == Space::spatial) *values++ = s.value[1];
  for (int i = 1; i < strains; ++i) *values++ = s.stress[i];
}

template class Beam<Planar>;
template class Beam<Spatial>;

namespace {

constexpr core::Dimension bending{3, 1, -2, 0};

// EI/(l0 (1+s)) [4+s, 2-s; 2-s, 4+s].
Eigen::Matrix2d bending_stiffness(double EI, double length, const Values& values) {
  const double s = has(values, "shear_stiffness")
                       ? 12.0 * EI / (number(values, "shear_stiffness") * length * length)
                       : 0.0;
  Eigen::Matrix2d K;
  K << 4.0 + s, 2.0 - s, 2.0 - s, 4.0 + s;
  return EI / (length * (1.0 + s)) * K;
}

template <class S>
std::unique_ptr<Force<S>> build_beam(const Values& values,
                                     const NodeFrame<S>& a,
                                     const NodeFrame<S>& b) {
  typename Beam<S>::Parameters parameters;
  const double length = number(values, "length");
  parameters.length = length;
  parameters.damping_time = number(values, "damping_time");
  auto& K = parameters.stiffness;
  K(0, 0) = number(values, "axial_stiffness") / length;
  if constexpr (S::space == Space::planar) {
    K.template bottomRightCorner<2, 2>() =
        bending_stiffness(number(values, "bending_stiffness"), length, values);
  } else {
    K(1, 1) = number(values, "torsional_stiffness") / length;
    K.template block<2, 2>(2, 2) =
        bending_stiffness(number(values, "bending_stiffness_y"), length, values);
    K.template block<2, 2>(4, 4) =
        bending_stiffness(number(values, "bending_stiffness_z"), length, values);
  }
  return std::make_unique<Beam<S>>(a, b, parameters);
}

Field stiffness_field(const char* name, const core::Dimension& dimension, const char* description) {
  return {.name = name, .dimension = dimension, .description = description, .sign = Sign::positive};
}

std::vector<Field> beam_fields(Space space) {
  std::vector<Field> list{stiffness_field("length", core::dimension::length, "l0, unloaded"),
                          stiffness_field("axial_stiffness", core::dimension::force, "EA")};
  if (space == Space::planar) {
    list.push_back(stiffness_field("bending_stiffness", bending, "EI about z"));
  } else {
    list.push_back(stiffness_field("torsional_stiffness", bending, "GJ"));
    list.push_back(stiffness_field("bending_stiffness_y", bending, "EI about y"));
    list.push_back(stiffness_field("bending_stiffness_z", bending, "EI about z"));
  }
  Field shear = stiffness_field("shear_stiffness", core::dimension::force,
                                "GA of the sheared section; left out: no shear");
  shear.optional = true;
  list.push_back(shear);
  list.push_back(Field{.name = "damping_time",
                       .dimension = core::dimension::time,
                       .description = "T: damping as a multiple of the stiffness",
                       .fallback = 0.0,
                       .sign = Sign::non_negative});
  return list;
}

constexpr const char* beam_summary = "massless elastic beam along x between two frames";

}  // namespace

ForceKind planar_beam() {
  return {.name = "beam",
          .space = Space::planar,
          .summary = beam_summary,
          .fields = beam_fields(Space::planar),
          .mirroring =
              not_mirrored("it lies along the x axis of its frames, which the mirror may reverse"),
          .build_planar = build_beam<Planar>};
}

ForceKind spatial_beam() {
  return {.name = "beam",
          .space = Space::spatial,
          .summary = beam_summary,
          .fields = beam_fields(Space::spatial),
          .mirroring =
              not_mirrored("it lies along the x axis of its frames, which the mirror may reverse"),
          .build_spatial = build_beam<Spatial>};
}

}  // namespace trammel::model
