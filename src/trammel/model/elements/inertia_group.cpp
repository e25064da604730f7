#include "trammel/model/elements/inertia_group.h"

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using system::Vector;

// Inertia times acceleration plus the gyroscopic moment, of the rotational freedoms.
void add_rotational_inertia(const Node<Planar>& node,
                            const Planar::Kinematics& /*k*/,
                            const Vector& a,
                            Vector& r) {
  r[node.v + 2] += node.inertia * a[node.v + 2];
}

void add_rotational_inertia(const Node<Spatial>& node,
                            const Spatial::Kinematics& k,
                            const Vector& a,
                            Vector& r) {
  r.segment<3>(node.v + 3) +=
      node.inertia * a.segment<3>(node.v + 3) + k.w.cross(node.inertia * k.w);
}

void add_gyroscopic_moment(const Node<Planar>& /*node*/,
                           const Planar::Kinematics& /*k*/,
                           Vector& /*f*/) {}

void add_gyroscopic_moment(const Node<Spatial>& node, const Spatial::Kinematics& k, Vector& f) {
  f.segment<3>(node.v + 3) -= k.w.cross(node.inertia * k.w);
}

// w_v d(gyroscopic)/dw + w_a inertia.
Eigen::Matrix<double, 1, 1> rotational_tangent(const Node<Planar>& node,
                                               const Planar::Kinematics& /*k*/,
                                               const system::Weights& w) {
  return Eigen::Matrix<double, 1, 1>(w.acceleration * node.inertia);
}

Eigen::Matrix3d rotational_tangent(const Node<Spatial>& node,
                                   const Spatial::Kinematics& k,
                                   const system::Weights& w) {
  return w.acceleration * node.inertia +
         w.velocity * (math::skew(k.w) * node.inertia - math::skew(node.inertia * k.w));
}

double rotational_energy(const Node<Planar>& node, const Planar::Kinematics& k) {
  return 0.5 * node.inertia * k.w * k.w;
}

double rotational_energy(const Node<Spatial>& node, const Spatial::Kinematics& k) {
  return 0.5 * k.w.dot(node.inertia * k.w);
}

using Moment = Eigen::Matrix<double, 1, 1>;

Moment over_inertia(const Moment& moment, double inertia) {
  return moment / inertia;
}
// J = L D L^T without pivots, which a positive matrix does not need.
Eigen::Vector3d over_inertia(const Eigen::Vector3d& moment, const Eigen::Matrix3d& J) {
  const double l10 = J(1, 0) / J(0, 0);
  const double l20 = J(2, 0) / J(0, 0);
  const double d1 = J(1, 1) - l10 * J(1, 0);
  const double l21 = (J(2, 1) - l20 * J(1, 0)) / d1;
  const double d2 = J(2, 2) - l20 * J(2, 0) - l21 * l21 * d1;
  const double y1 = moment[1] - l10 * moment[0];
  const double x2 = (moment[2] - l20 * moment[0] - l21 * y1) / d2;
  const double x1 = y1 / d1 - l21 * x2;
  return {moment[0] / J(0, 0) - l10 * x1 - l20 * x2, x1, x2};
}

bool add_moments(double inertia, Eigen::Ref<Moment> m) {
  m[0] += inertia;
  return true;
}
bool add_moments(const Eigen::Matrix3d& inertia, Eigen::Ref<Eigen::Vector3d> m) {
  constexpr double round_off = 1e-14;
  const Eigen::Matrix3d products = inertia - Eigen::Matrix3d(inertia.diagonal().asDiagonal());
  if (products.cwiseAbs().maxCoeff() > round_off * inertia.diagonal().maxCoeff()) return false;
  m += inertia.diagonal();
  return true;
}

}  // namespace

template <class S>
void InertiaGroup<S>::add_residual(const Instant<S>& now,
                                   Part part,
                                   Vector& r,
                                   Vector& /*rows*/) const {
  const Vector& a = *now.a;
  for (std::size_t i = part.first + 1; i <= part.last; ++i) {
    const Node<S>& body = m_.nodes[i];
    r.template segment<S::dimension>(body.v) +=
        body.mass * (a.template segment<S::dimension>(body.v) - m_.gravity);
    if (body.freedoms == S::freedoms) add_rotational_inertia(body, now.kinematics[i], a, r);
  }
}

template <class S>
void InertiaGroup<S>::add_forces(const Instant<S>& now, Part part, Vector& f) const {
  for (std::size_t i = part.first + 1; i <= part.last; ++i) {
    const Node<S>& body = m_.nodes[i];
    f.template segment<S::dimension>(body.v) += body.mass * m_.gravity;
    if (body.freedoms == S::freedoms) add_gyroscopic_moment(body, now.kinematics[i], f);
  }
}

template <class S>
void InertiaGroup<S>::add_tangent(const Instant<S>& now,
                                  Part part,
                                  const system::Weights& weights,
                                  system::KktMatrix& tangent) const {
  double* values = tangent.values.data();
  for (std::size_t i = part.first + 1; i <= part.last; ++i) {
    const Node<S>& body = m_.nodes[i];
    const int* diagonal = m_.pattern->diagonal.data() + body.v;
    for (int k = 0; k < S::dimension; ++k) values[diagonal[k]] += weights.acceleration * body.mass;
    if (body.freedoms < S::freedoms) continue;
    Eigen::Matrix<double, S::rotations, S::rotations> rotational =
        rotational_tangent(body, now.kinematics[i], weights);
    if constexpr (S::space == Space::spatial) {
      if (now.step != nullptr) {
        const Eigen::Matrix3d inverse =
            math::inverse_tangent_operator(now.step->template segment<3>(body.v + 3));
        if (!now.inverse_tangent->empty()) {
          (*now.inverse_tangent)[i].template bottomRightCorner<3, 3>() = inverse;
        }
        rotational = rotational * inverse;
      }
    }
    // The rotational block is full, so that its columns are contiguous around the diagonal.
    for (int column = 0; column < S::rotations; ++column) {
      double* target = values + diagonal[S::dimension + column] - column;
      for (int row = 0; row < S::rotations; ++row) target[row] += rotational(row, column);
    }
  }
}

template <class S>
void InertiaGroup<S>::add_mass_product(const Instant<S>& /*now*/,
                                       Part part,
                                       const Vector& x,
                                       Vector& y) const {
  for (std::size_t i = part.first + 1; i <= part.last; ++i) {
    const Node<S>& body = m_.nodes[i];
    y.template segment<S::dimension>(body.v) +=
        body.mass * x.template segment<S::dimension>(body.v);
    if (body.freedoms < S::freedoms) continue;
    const int first = body.v + S::dimension;
    y.template segment<S::rotations>(first) +=
        body.inertia * x.template segment<S::rotations>(first);
  }
}

// Principal moments where the axes are principal ones; otherwise there is no diagonal.
template <class S>
bool InertiaGroup<S>::add_lumped_mass(const Instant<S>& /*now*/, Vector& m) const {
  for (const Node<S>& body : m_.nodes) {
    if (body.freedoms == 0) continue;
    m.template segment<S::dimension>(body.v).array() += body.mass;
    if (body.freedoms < S::freedoms) continue;
    if (!add_moments(body.inertia, m.template segment<S::rotations>(body.v + S::dimension))) {
      return false;
    }
  }
  return true;
}

template <class S>
void InertiaGroup<S>::solve_mass(const Vector& x, Vector& y) const {
  y.resize(x.size());
  for (const Node<S>& body : m_.nodes) {
    if (body.freedoms == 0) continue;
    y.template segment<S::dimension>(body.v) = x.template segment<S::dimension>(body.v) / body.mass;
    if (body.freedoms < S::freedoms) continue;
    const int first = body.v + S::dimension;
    y.template segment<S::rotations>(first) =
        over_inertia(x.template segment<S::rotations>(first), body.inertia);
  }
}

template <class S>
void InertiaGroup<S>::add_energy(const Instant<S>& now, system::Energy& energy) const {
  for (std::size_t i = 1; i < m_.nodes.size(); ++i) {
    const Node<S>& body = m_.nodes[i];
    const typename S::Kinematics& k = now.kinematics[i];
    energy.kinetic += 0.5 * body.mass * k.v.squaredNorm();
    if (body.freedoms == S::freedoms) energy.kinetic += rotational_energy(body, k);
    energy.potential -= body.mass * m_.gravity.dot(k.p);
  }
}

template <class S>
void InertiaGroup<S>::add_residual_between(const Instant<S>& now,
                                           const StepEnds<S>& /*ends*/,
                                           const Vector& /*x*/,
                                           Vector& r) const {
  Vector none;
  add_residual(now, {0, size()}, r, none);
}

template class InertiaGroup<Planar>;
template class InertiaGroup<Spatial>;

}  // namespace trammel::model
