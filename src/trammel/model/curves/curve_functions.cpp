#include "trammel/model/curves/curve_functions.h"

#include <algorithm>
#include <limits>

#include <Eigen/Geometry>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

// Closer to the curve than this part of its size, C''' makes no difference.
constexpr double near = 1e-12;

template <int D>
Eigen::Matrix<double, D, 1> point_of(const Jets<D>& e) {
  Eigen::Matrix<double, D, 1> p;
  for (int i = 0; i < D; ++i) p[i] = e[static_cast<std::size_t>(i)].value;
  return p;
}

template <int D>
struct Foot {
  using Vector = Eigen::Matrix<double, D, 1>;

  double s;
  CurvePoint<D> p;
  Vector r;
  Vector third = Vector::Zero();
  Jet<D> parameter;

  Foot(const Curve<D>& curve, const Vector& e) : s(curve.foot(e)), p(curve.at(s)), r(e - p.c) {
    if (r.norm() > near * curve.size()) third = curve.third(s);
    const double slope = p.first.squaredNorm() - r.dot(p.second);
    parameter.value = s;
    parameter.gradient = p.first / slope;
    parameter.hessian =
        (p.second * p.first.transpose() + p.first * p.second.transpose()) / (slope * slope) -
        (3.0 * p.first.dot(p.second) - r.dot(third)) / (slope * slope * slope) * p.first *
            p.first.transpose();
  }
};

using Vector3 = std::array<Jet<1>, 3>;

Jet<1> dot(const Eigen::Vector3d& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// N(s) with two derivatives, from those of C'.
Vector3 normal(const Foot<3>& foot, const Eigen::Vector3d& u, const Eigen::Vector3d& m) {
  Vector3 T;
  Jet<1> speed2;
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(i);
    T[i].value = foot.p.first[k];
    T[i].gradient[0] = foot.p.second[k];
    T[i].hessian(0, 0) = foot.third[k];
    speed2 = speed2 + T[i] * T[i];
  }
  const Jet<1> inverse = reciprocal(sqrt(speed2));
  for (Jet<1>& component : T) component = component * inverse;
  const Jet<1> factor = dot(m, T) / (Jet<1>(1.0) + dot(u, T));
  Vector3 N;
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(i);
    N[i] = Jet<1>(m[k]) - factor * (Jet<1>(u[k]) + T[i]);
  }
  return N;
}

}  // namespace

template <int D>
Jet<D> FootParameter<D>::operator()(const Jets<D>& e) const {
  return Foot<D>(*curve, point_of<D>(e)).parameter;
}

template struct FootParameter<2>;
template struct FootParameter<3>;

double curvature(const CurvePoint<2>& p) {
  const double speed2 = p.first.squaredNorm();
  return (p.first.x() * p.second.y() - p.first.y() * p.second.x()) / (speed2 * std::sqrt(speed2));
}

Jet<2> SignedDistance::operator()(const Jets<2>& e) const {
  const Eigen::Vector2d at = point_of<2>(e);
  const CurvePoint<2> p = curve->at(curve->foot(at));
  const Eigen::Vector2d T = p.first.normalized();
  const Eigen::Vector2d N(-T.y(), T.x());
  const double kappa = curvature(p);
  Jet<2> g(N.dot(at - p.c));
  g.gradient = N;
  g.hessian = -kappa / (1.0 - kappa * g.value) * T * T.transpose();
  return g;
}

// kappa = c / speed^3 with c = C' x C''; c' = C' x C'''.
double curvature_slope(const CurvePoint<2>& p, const Eigen::Vector2d& third) {
  const double speed2 = p.first.squaredNorm();
  const double speed = std::sqrt(speed2);
  const double cross = p.first.x() * third.y() - p.first.y() * third.x();
  const double by_parameter =
      cross / (speed2 * speed) - 3.0 * curvature(p) * p.first.dot(p.second) / speed2;
  return by_parameter / speed;
}

namespace {

// What the foot of a point on a plane curve tells of its surroundings.
struct Surroundings {
  double s;
  CurvePoint<2> p;
  Eigen::Vector2d T;
  Eigen::Vector2d N;  ///< to the left
  double kappa;
  double slope;    ///< of the curvature, by arc length
  double stretch;  ///< 1 + kappa d: how far the point moves along T per arc length of the foot

  Surroundings(const Curve<2>& curve, const Eigen::Vector2d& e)
      : s(curve.foot(e)),
        p(curve.at(s)),
        T(p.first.normalized()),
        N(-T.y(), T.x()),
        kappa(curvature(p)),
        slope(curvature_slope(p, curve.third(s))),
        stretch(1.0 - kappa * N.dot(e - p.c)) {}
};

}  // namespace

Jet<2> NormalAngle::operator()(const Jets<2>& e) const {
  const Surroundings at(*curve, point_of<2>(e));
  const double f = at.kappa / at.stretch;
  Jet<2> angle(std::atan2(-at.N.y(), -at.N.x()));
  angle.gradient = f * at.T;
  angle.hessian = f * f * (at.N * at.T.transpose() + at.T * at.N.transpose()) +
                  at.slope / std::pow(at.stretch, 3) * at.T * at.T.transpose();
  return angle;
}

Jet<2> FootCurvature::operator()(const Jets<2>& e) const {
  const Eigen::Vector2d point = point_of<2>(e);
  const Surroundings at(*curve, point);
  Jet<2> kappa(at.kappa);
  kappa.gradient = at.slope / at.stretch * at.T;
  // The second derivative by arc length as a difference: nothing but rates of rates needs it.
  const double h = 1e-4 * (curve->to() - curve->from());
  const auto slope = [&](double s) { return curvature_slope(curve->at(s), curve->third(s)); };
  const double second = (slope(at.s + h) - slope(at.s - h)) / (2.0 * h * at.p.first.norm());
  const double d = -at.N.dot(point - at.p.c);
  const double stretch2 = at.stretch * at.stretch;
  kappa.hessian =
      (second / stretch2 - at.slope * at.slope * d / (stretch2 * at.stretch)) * at.T *
          at.T.transpose() +
      at.slope * at.kappa / stretch2 * (at.N * at.T.transpose() + at.T * at.N.transpose());
  return kappa;
}

// g(e) = psi(e, s*(e)), psi = N(s) . (e - C(s)), with N . C' = 0 at all s.
Jet<3> NormalDistance::operator()(const Jets<3>& e) const {
  const Foot<3> foot(*curve, point_of<3>(e));
  const Vector3 N = normal(foot, u, m);
  Eigen::Vector3d value;
  Eigen::Vector3d first;
  Eigen::Vector3d second;
  for (int k = 0; k < 3; ++k) {
    const Jet<1>& component = N[static_cast<std::size_t>(k)];
    value[k] = component.value;
    first[k] = component.gradient[0];
    second[k] = component.hessian(0, 0);
  }
  const Eigen::Vector3d& s_e = foot.parameter.gradient;
  Jet<3> g(value.dot(foot.r));
  g.gradient = value + first.dot(foot.r) * s_e;
  g.hessian = first * s_e.transpose() + s_e * first.transpose() +
              (second.dot(foot.r) - first.dot(foot.p.first)) * s_e * s_e.transpose() +
              first.dot(foot.r) * foot.parameter.hessian;
  return g;
}

Eigen::Matrix3d best_reference(const Curve<3>& curve) {
  Eigen::Vector3d best = Eigen::Vector3d::UnitX();
  double largest = -1.0;
  for (int i = 0; i < 27; ++i) {
    const int second = i / 3 % 3;
    const int third = i / 9;
    const Eigen::Vector3d candidate(i % 3 - 1, second - 1, third - 1);
    if (i == 13) continue;
    const Eigen::Vector3d u = candidate.normalized();
    double smallest = std::numeric_limits<double>::infinity();
    constexpr int samples = 128;
    for (int k = 0; k <= samples; ++k) {
      const double s = curve.from() + (curve.to() - curve.from()) * k / samples;
      smallest = std::min(smallest, 1.0 + u.dot(curve.at(s).first.normalized()));
    }
    if (smallest <= largest) continue;
    largest = smallest;
    best = u;
  }
  Eigen::Matrix3d axes;
  axes.col(0) = best;
  axes.col(1) = best.unitOrthogonal();
  axes.col(2) = best.cross(axes.col(1));
  return axes;
}

double smallest_curvature(const Curve<2>& profile) {
  constexpr int samples = 512;
  double smallest = curvature(profile.at(profile.from()));
  for (int i = 1; i < samples; ++i) {
    const double s = profile.from() + (profile.to() - profile.from()) * i / samples;
    smallest = std::min(smallest, curvature(profile.at(s)));
  }
  return smallest;
}

namespace {

Support support_at(const Curve<2>& profile, const Eigen::Vector2d& n, double parameter) {
  const Eigen::Vector2d t(-n.y(), n.x());
  const CurvePoint<2> p = profile.at(parameter);
  const double along = t.dot(p.first);
  const double h = n.dot(p.c);
  return {h, t.dot(p.c), -h - along * along / n.dot(p.second), parameter};
}

}  // namespace

Support support(const Curve<2>& profile, double psi) {
  const Eigen::Vector2d n = direction_at(psi);
  return support_at(profile, n, profile.farthest(n));
}

Support support(const Curve<2>& profile, double psi, double near) {
  const Eigen::Vector2d n = direction_at(psi);
  return support_at(profile, n, profile.farthest(n, near));
}

Jet<3> FaceGap::operator()(const Jets<3>& x) const {
  const Support s = support(*curve, x[2].value);
  return cos(x[2]) * x[0] + sin(x[2]) * x[1] - chain(x[2], s.h, s.first, s.second);
}

namespace {

constexpr int directions = 64;

std::vector<double> sampled_supports(const Curve<2>& profile) {
  std::vector<double> list;
  for (int i = 0; i < directions; ++i) {
    list.push_back(support(profile, math::full_turn * i / directions).h);
  }
  return list;
}

// Between the samples, straight.
double interpolated(const std::vector<double>& supports, double psi) {
  const double turns = psi / math::full_turn;
  const double place = (turns - std::floor(turns)) * directions;
  const double floor = std::min(std::floor(place), directions - 1.0);
  const auto i = static_cast<std::size_t>(floor);
  const double next = supports[(i + 1) % directions];
  return supports[i] + (place - floor) * (next - supports[i]);
}

}  // namespace

ProfileGap::ProfileGap(CurvePointer<2> profile_a, CurvePointer<2> profile_b)
    : a_(std::move(profile_a)),
      b_(std::move(profile_b)),
      supports_a_(sampled_supports(*a_)),
      supports_b_(sampled_supports(*b_)) {}

// The largest separation: the best sample, then Newton's method.
auto ProfileGap::touch(const Eigen::Vector2d& e, double phi) const -> Touch {
  double best = -std::numeric_limits<double>::infinity();
  Touch touch;
  for (int i = 0; i < directions; ++i) {
    const double psi = math::full_turn * i / directions;
    const double gap = direction_at(psi).dot(e) - supports_a_[static_cast<std::size_t>(i)] -
                       interpolated(supports_b_, psi + 0.5 * math::full_turn - phi);
    if (gap <= best) continue;
    best = gap;
    touch.theta = psi;
  }
  touch.a = support(*a_, touch.theta);
  touch.b = support(*b_, touch.theta + 0.5 * math::full_turn - phi);
  constexpr int steps = 40;
  constexpr double longest = math::full_turn / directions;
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector2d n = direction_at(touch.theta);
    const double slope = n.x() * e.y() - n.y() * e.x() - touch.a.first - touch.b.first;
    const double bend = -n.dot(e) - touch.a.second - touch.b.second;
    const double step = std::clamp(bend < 0.0 ? -slope / bend : slope, -longest, longest);
    touch.theta += step;
    touch.a = support(*a_, touch.theta, touch.a.parameter);
    touch.b = support(*b_, touch.theta + 0.5 * math::full_turn - phi, touch.b.parameter);
    if (std::abs(step) < 1e-9) break;
  }
  return touch;
}

Jet<3> ProfileGap::operator()(const Jets<3>& y) const {
  const Eigen::Vector2d e(y[0].value, y[1].value);
  const double phi = y[2].value;
  const Touch at = touch(e, phi);
  // F as a function of e_x, e_y, phi and theta.
  using Four = Jet<4>;
  const Four theta = Four::argument(at.theta, 3);
  const Four beta = theta - Four::argument(phi, 2) + Four(0.5 * math::full_turn);
  const Four F = cos(theta) * Four::argument(e.x(), 0) + sin(theta) * Four::argument(e.y(), 1) -
                 chain(theta, at.a.h, at.a.first, at.a.second) -
                 chain(beta, at.b.h, at.b.first, at.b.second);
  Jet<3> g(F.value);
  g.gradient = F.gradient.head<3>();
  g.hessian = F.hessian.topLeftCorner<3, 3>() - F.hessian.topRightCorner<3, 1>() *
                                                    F.hessian.bottomLeftCorner<1, 3>() /
                                                    F.hessian(3, 3);
  return g;
}

}  // namespace trammel::model
