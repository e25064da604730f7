#include "trammel/model/forces/journal_film.h"

#include <cmath>
#include <numbers>

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

// Antiderivatives of products of cos(gamma) and sin(gamma).
struct Powers {
  double one;
  double c;
  double s;
  double cc;
  double cs;
  double ss;
  double ccc;
  double ccs;
  double css;
  double sss;

  explicit Powers(double gamma) : one(gamma), c(std::sin(gamma)), s(-std::cos(gamma)) {
    const double product = -c * s;
    cc = 0.5 * (gamma + product);
    cs = 0.5 * c * c;
    ss = 0.5 * (gamma - product);
    ccc = c - c * c * c / 3.0;
    ccs = s * s * s / 3.0;
    css = c * c * c / 3.0;
    sss = s - s * s * s / 3.0;
  }
};

// Integrals of X^i Y^j over gamma, i + j = 2 and 3.
struct Moments {
  double xx;
  double xy;
  double yy;
  double xxx;
  double xxy;
  double xyy;
  double yyy;

  Moments(double eps, double s, double from, double to) {
    const Powers a(from);
    const Powers b(to);
    const auto d = [&](double Powers::*p) { return b.*p - a.*p; };
    const double e2 = eps * eps;
    xx = e2 * d(&Powers::one) + 2.0 * eps * d(&Powers::c) + d(&Powers::cc);
    xy = s * (eps * d(&Powers::s) + d(&Powers::cs));
    yy = s * s * d(&Powers::ss);
    xxx = e2 * eps * d(&Powers::one) + 3.0 * e2 * d(&Powers::c) + 3.0 * eps * d(&Powers::cc) +
          d(&Powers::ccc);
    xxy = s * (e2 * d(&Powers::s) + 2.0 * eps * d(&Powers::cs) + d(&Powers::ccs));
    xyy = s * s * (eps * d(&Powers::ss) + d(&Powers::css));
    yyy = s * s * s * d(&Powers::sss);
  }
};

using std::numbers::pi;

Vector2d quarter_turned(const Vector2d& v) {
  return {-v.y(), v.x()};
}

}  // namespace

auto JournalFilmLaw::force(const Vector2d& e, const Vector2d& V) const -> Force {
  const double eps = e.norm() / clearance;
  const double s = std::sqrt(1.0 - eps * eps);  // not a number beyond the clearance
  Matrix2d base;
  base.col(0) = eps > 0.0 ? Vector2d(e.normalized()) : Vector2d::UnitX();
  base.col(1) = quarter_turned(base.col(0));
  const Vector2d v = base.transpose() * V;
  // The film reaches over half a turn around V; gamma at its ends.
  const auto substituted = [&](double a) { return std::atan2(s * std::sin(a), std::cos(a) - eps); };
  const double middle = std::atan2(v.y(), v.x());
  const double from = substituted(middle - 0.5 * pi);
  double to = substituted(middle + 0.5 * pi);
  if (to < from) to += 2.0 * pi;
  const Moments m(eps, s, from, to);
  const double s2 = s * s;
  const double second = viscosity * std::pow(length / clearance, 3) * radius / (s2 * s2 * s);
  const double third = 3.0 * second / (clearance * s2);
  Matrix2d by_V;
  by_V << m.xx, m.xy, m.xy, m.yy;
  Matrix2d by_e;
  by_e << v.x() * m.xxx + v.y() * m.xxy, v.x() * m.xxy + v.y() * m.xyy,  //
      v.x() * m.xxy + v.y() * m.xyy, v.x() * m.xyy + v.y() * m.yyy;
  Force result;
  result.by_V = second * base * by_V * base.transpose();
  result.by_e = third * base * by_e * base.transpose();
  result.force = result.by_V * V;
  return result;
}

double JournalFilmLaw::drag(const Vector2d& e) const {
  const double eps2 = e.squaredNorm() / (clearance * clearance);
  return 2.0 * pi * viscosity * length * std::pow(radius, 3) / (clearance * std::sqrt(1.0 - eps2));
}

namespace {

// The motion in the plane of the film.
template <class S>
struct FilmMotion {
  Vector2d e;
  Vector2d V;
  double w;

  explicit FilmMotion(const FrameMotion<S>& m)
      : e(-m.p.template head<2>()), w(m.w[S::rotations - 1]) {
    V = -m.u.template head<2>() - 0.5 * w * quarter_turned(e);
  }
};

}  // namespace

template <class S>
auto JournalFilm<S>::wrench(const Motion& motion) const -> Wrench {
  const FilmMotion<S> m(motion);
  Wrench W = Wrench::Zero();
  W.template head<2>() = law_.force(m.e, m.V).force;
  W[Base::components - 1] = -law_.drag(m.e) * m.w;
  return W;
}

template <class S>
void JournalFilm<S>::slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const {
  constexpr int last = Base::components - 1;
  const FilmMotion<S> m(motion);
  const JournalFilmLaw::Force F = law_.force(m.e, m.V);
  Matrix2d turn;  // dV/dp over w/2
  turn << 0.0, -1.0, 1.0, 0.0;
  by_pose.setZero();
  by_rate.setZero();
  by_pose.template topLeftCorner<2, 2>() = -F.by_e + 0.5 * m.w * F.by_V * turn;
  by_rate.template topLeftCorner<2, 2>() = -F.by_V;
  by_rate.template block<2, 1>(0, last) = -0.5 * F.by_V * quarter_turned(m.e);
  const double drag = law_.drag(m.e);
  const double free = law_.clearance * law_.clearance - m.e.squaredNorm();
  by_pose.template block<1, 2>(last, 0) = drag * m.w / free * m.e.transpose();
  by_rate(last, last) = -drag;
}

template <class S>
ForcePower JournalFilm<S>::spent(const Motion& motion) const {
  const Wrench W = wrench(motion);
  const double power = W.template head<2>().dot(motion.u.template head<2>()) +
                       W[Base::components - 1] * motion.w[S::rotations - 1];
  return {.dissipated = std::max(0.0, -power), .load = std::max(0.0, power)};
}

template <class S>
std::vector<Quantity> JournalFilm<S>::quantities() const {
  return {{"eccentricity", "m", "", "distance of the centres across the axis"},
          {"eccentricity_ratio", "", "", "over the clearance"},
          {"minimum_film", "m", "", "least thickness of the film"},
          {"force.x", "N", "first frame", "on the sleeve"},
          {"force.y", "N", "first frame", "on the sleeve"},
          {"torque", "N m", "first frame", "on the sleeve"}};
}

template <class S>
void JournalFilm<S>::report(const Motion& motion, double* values) const {
  const Wrench W = wrench(motion);
  const double eccentricity = motion.p.template head<2>().norm();
  values[0] = eccentricity;
  values[1] = eccentricity / law_.clearance;
  values[2] = law_.clearance - eccentricity;
  values[3] = W[0];
  values[4] = W[1];
  values[5] = W[Base::components - 1];
}

template class JournalFilm<Planar>;
template class JournalFilm<Spatial>;

namespace {

JournalFilmLaw law_of(const Values& values) {
  return {.viscosity = number(values, "viscosity"),
          .length = number(values, "length"),
          .radius = number(values, "radius"),
          .clearance = number(values, "clearance")};
}

std::unique_ptr<Force<Planar>> build_planar_journal_film(const Values& values,
                                                         const NodeFrame<Planar>& a,
                                                         const NodeFrame<Planar>& b) {
  return std::make_unique<JournalFilm<Planar>>(a, b, law_of(values));
}

std::unique_ptr<Force<Spatial>> build_spatial_journal_film(const Values& values,
                                                           const NodeFrame<Spatial>& a,
                                                           const NodeFrame<Spatial>& b) {
  NodeFrame<Spatial> pin = a;
  align_z(pin, vector(values, "axis"));
  return std::make_unique<JournalFilm<Spatial>>(pin, b, law_of(values));
}

std::vector<Field> film_fields() {
  const auto positive = [](const char* name, const core::Dimension& dimension,
                           const char* description) {
    return Field{
        .name = name, .dimension = dimension, .description = description, .sign = Sign::positive};
  };
  using core::dimension::length;
  return {positive("radius", length, "R of the pin"),
          positive("length", length, "L of the bearing"),
          positive("clearance", length, "C: radius of the sleeve less that of the pin"),
          positive("viscosity", core::Dimension{-1, 1, -1, 0}, "eta of the oil, Pa s")};
}

constexpr const char* summary =
    "oil film of a short plain bearing: a pin of the first body in a sleeve of the second";

}  // namespace

ForceKind planar_journal_film() {
  return {.name = "journal_film",
          .space = Space::planar,
          .summary = summary,
          .fields = film_fields(),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_planar_journal_film};
}

ForceKind spatial_journal_film() {
  std::vector<Field> fields = film_fields();
  fields.push_back({.name = "axis",
                    .kind = FieldKind::direction,
                    .description = "of the pin, in the first frame's components",
                    .fallback = Eigen::Vector3d(0, 0, 1),
                    .mirrored = Mirrored::axial});
  return {.name = "journal_film",
          .space = Space::spatial,
          .summary = summary,
          .fields = std::move(fields),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_spatial_journal_film};
}

}  // namespace trammel::model
