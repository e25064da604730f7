#include "trammel/model/elements/coupling_group.h"

#include <fmt/format.h>

#include "trammel/model/elements/local_freedoms.h"
#include "trammel/model/local_matrix.h"

namespace trammel::model {
namespace {

// The rate of what the nodes' velocities make of a local row.
template <class S>
double along_velocities(const LocalNodes& nodes,
                        const system::Vector& local,
                        const Instant<S>& now) {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const typename S::Kinematics& k = now.at(nodes.nodes()[slot]);
    Eigen::Matrix<double, S::freedoms, 1> v;
    v << k.v, k.w;
    sum += v.dot(local.segment<S::freedoms>(static_cast<Eigen::Index>(slot) * S::freedoms));
  }
  return sum;
}

}  // namespace

using system::Vector;

template <class S>
void CouplingGroup<S>::add_residual(const Instant<S>& now,
                                    Part part,
                                    Vector& r,
                                    Vector& rows) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    rows[named.row] = named.relation.linearise(place, now.work);
    add_to_nodes(m_, named.relation.nodes(), now.work.row, (*now.lambda)[named.row], r);
  }
}

template <class S>
void CouplingGroup<S>::add_tangent(const Instant<S>& now,
                                   Part part,
                                   const system::Weights& weights,
                                   system::KktMatrix& tangent) const {
  const Place<S> place = now.place();
  double* values = tangent.values.data();
  for (std::size_t k = part.first; k < part.last; ++k) {
    const NamedRelation<S>& named = m_.relations[k];
    named.relation.linearise(place, now.work);
    for (std::size_t i = 0; i < named.jacobian.size(); ++i) {
      if (named.jacobian[i] >= 0) {
        values[named.jacobian[i]] += now.work.row[static_cast<Eigen::Index>(i)];
      }
    }
    if (weights.position == 0.0) continue;
    named.relation.stiffness(place, weights.position * (*now.lambda)[named.row], now.work);
    add_matrix(now.work.matrix, named.relation.local_size(), 1.0, named.stiffness, values);
  }
}

template <class S>
void CouplingGroup<S>::positions(const Instant<S>& now, Part part, Vector& g) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    const bool position = named.relation.level() == RelationLevel::position;
    g[named.row] = position ? named.relation.formula().value(place, now.work) : 0.0;
  }
}

template <class S>
void CouplingGroup<S>::velocities(const Instant<S>& now, Part part, Vector& g_dot) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    if (named.relation.level() == RelationLevel::velocity) {
      g_dot[named.row] = named.relation.formula().value(place, now.work);
      continue;
    }
    const double by_time = named.relation.time_derivative(place, now.work);
    named.relation.linearise(place, now.work);
    g_dot[named.row] = by_time + along_velocities(named.relation.nodes(), now.work.row, now);
  }
}

template <class S>
void CouplingGroup<S>::biases(const Instant<S>& now, Part part, Vector& gamma) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    gamma[named.row] = named.relation.bias(place, now.work);
  }
}

template <class S>
void CouplingGroup<S>::jacobian_product(const Instant<S>& now,
                                        Part part,
                                        const Vector& x,
                                        Vector& rows) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    named.relation.linearise(place, now.work);
    rows[named.row] = along(m_, named.relation.nodes(), now.work.row, x);
  }
}

template <class S>
void CouplingGroup<S>::add_transposed_product(const Instant<S>& now,
                                              Part part,
                                              const Vector& lambda,
                                              Vector& r) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedRelation<S>& named = m_.relations[i];
    named.relation.linearise(place, now.work);
    add_to_nodes(m_, named.relation.nodes(), now.work.row, lambda[named.row], r);
  }
}

template <class S>
void CouplingGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  const Place<S> place = now.loaded_place();
  for (const NamedRelation<S>& named : m_.relations) {
    power.drives += (*now.lambda)[named.row] * named.relation.time_derivative(place, now.work);
  }
}

template <class S>
std::string CouplingGroup<S>::obstacle() const {
  if (m_.relations.empty()) return {};
  return fmt::format("'{}' is a constraint by a formula, which has no discrete gradient",
                     m_.relations.front().name);
}

template <class S>
double CouplingGroup<S>::load(const NamedRelation<S>& named, const Instant<S>& now) const {
  named.relation.formula().gradient(now.place(), now.work);
  return -(*now.lambda)[named.row] * now.work.gradient[static_cast<std::size_t>(named.leading)];
}

template class CouplingGroup<Planar>;
template class CouplingGroup<Spatial>;

}  // namespace trammel::model
