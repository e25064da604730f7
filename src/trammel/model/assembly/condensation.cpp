#include "trammel/model/assembly/condensation.h"

#include <algorithm>

#include "trammel/math/rotation.h"

namespace trammel::model {

using system::KktPattern;
using system::Vector;

// ---- motion and loads

template <class S>
Condensation<S>::Condensation(std::shared_ptr<const CondensedPattern<S>> shared)
    : shared_(std::move(shared)),
      stiffness_(shared_->mechanism.pattern),
      damping_(shared_->mechanism.pattern),
      mass_(shared_->mechanism.pattern),
      weights_(shared_->row_unknowns.size(), 1.0),
      factors_(shared_->column_unknowns.size()) {
  for (const CarriedNode<S>& node : shared_->mechanism.carried) {
    const int n = node.footing.size();
    Carried carried;
    for (Eigen::MatrixXd* map :
         {&carried.P, &carried.change, &carried.twist_by_q, &carried.acceleration_by_q,
          &carried.acceleration_by_v, &carried.pulled_P, &carried.pulled_A, &carried.scratch}) {
      map->setZero(S::freedoms, n);
    }
    carried.geometric.setZero(n, n);
    for (Eigen::VectorXd* local : {&carried.v, &carried.a, &carried.unit}) local->setZero(n);
    carried.bias.setZero(S::freedoms);
    carried_.push_back(std::move(carried));
  }
  all_.setZero(shared_->mechanism.assembled_velocities);
  biases_ = all_;
  loads_ = all_;
}

template <class S>
void Condensation<S>::carry(const system::State& state,
                            std::vector<Kinematics>& kinematics,
                            CarriedNodes which) {
  const Mechanism<S>& m = shared_->mechanism;
  which_ = which;
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    if (which == CarriedNodes::loaded && !shared_->loaded[c]) continue;
    Carried& each = carried_[c];
    const CarriedNode<S>& node = m.carried[c];
    const FootingMotion<S> on{node.footing, kinematics, state.q, state.v, state.t, m.gravity};
    Kinematics& k = kinematics[static_cast<std::size_t>(node.node)];
    node.frame->pose(on, k);
    if (which == CarriedNodes::loaded_and_poses && !shared_->loaded[c]) continue;
    each.P.setZero();
    node.frame->map(on, each.P);
    on.velocities(each.v);
    set_twist(each.P * each.v, k);
    each.change.setZero();
    node.frame->map_change(on, each.v, each.change);
    each.bias.noalias() = each.change * each.v;
    const int first = m.nodes[static_cast<std::size_t>(node.node)].v;
    const int freedoms = m.nodes[static_cast<std::size_t>(node.node)].freedoms;
    biases_.segment(first, freedoms) = each.bias.head(freedoms);
    for (int component = 0; component < freedoms; ++component) {
      const auto& terms = shared_->rows[static_cast<std::size_t>(first + component)];
      for (int i = 0; i < terms.count; ++i) {
        weights_[static_cast<std::size_t>(terms.first + i)] =
            each.P(component, shared_->locals[c][static_cast<std::size_t>(i)]);
      }
    }
  }
}

template <class S>
const Vector& Condensation<S>::expanded(const Vector& x) {
  const int own = shared_->mechanism.sizes.v;
  all_.head(own) = x;
  if (which_ != CarriedNodes::all) {
    for (const int v : shared_->loaded_velocities) expand(x, v);
  } else {
    for (int v = own; v < static_cast<int>(shared_->rows.size()); ++v) expand(x, v);
  }
  return all_;
}

template <class S>
void Condensation<S>::expand(const Vector& x, int velocity) {
  const auto& terms = shared_->rows[static_cast<std::size_t>(velocity)];
  double sum = 0.0;
  for (int i = terms.first; i < terms.first + terms.count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    sum += weights_[index] * x[shared_->row_unknowns[index]];
  }
  all_[velocity] = sum;
}

template <class S>
const Vector& Condensation<S>::accelerations(const Vector& a) {
  expanded(a);
  if (which_ != CarriedNodes::all) {
    for (const int v : shared_->loaded_velocities) all_[v] += biases_[v];
  } else {
    all_ += biases_;
  }
  return all_;
}

template <class S>
const Vector& Condensation<S>::biases() {
  return biases_;
}

template <class S>
void Condensation<S>::condense(const Vector& all, Vector& r) const {
  const int own = shared_->mechanism.sizes.v;
  r = all.head(own);
  for (const int v : shared_->loaded_velocities) {
    const auto& terms = shared_->rows[static_cast<std::size_t>(v)];
    for (int i = terms.first; i < terms.first + terms.count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      r[shared_->row_unknowns[index]] += weights_[index] * all[v];
    }
  }
}

// ---- steps that keep the energy

template <class S>
void Condensation<S>::displacements(const Vector& x,
                                    const std::vector<Kinematics>& from,
                                    const std::vector<Kinematics>& to,
                                    Vector& all) const {
  const Mechanism<S>& m = shared_->mechanism;
  all.setZero(m.assembled_velocities);
  all.head(m.sizes.v) = x;
  for (const CarriedNode<S>& carried : m.carried) {
    const Node<S>& node = m.nodes[static_cast<std::size_t>(carried.node)];
    const Kinematics& a = from[static_cast<std::size_t>(carried.node)];
    const Kinematics& b = to[static_cast<std::size_t>(carried.node)];
    all.template segment<S::dimension>(node.v) = b.p - a.p;
    if (node.freedoms < S::freedoms) continue;
    if constexpr (S::space == Space::planar) {
      all[node.v + S::dimension] = b.angle - a.angle;
    } else {
      all.template segment<S::rotations>(node.v + S::dimension) =
          math::logarithm(Eigen::Quaterniond(Eigen::Matrix3d(a.R.transpose() * b.R)));
    }
  }
}

template <class S>
void Condensation<S>::condense_between(const Vector& x,
                                       const Vector& y,
                                       const Vector& all,
                                       Vector& r) const {
  condense(all, r);
  constexpr double still = 1e-24;  // displacements below 1e-12: the lack is below round-off
  const Mechanism<S>& m = shared_->mechanism;
  for (std::size_t c = 0; c < m.carried.size(); ++c) {
    if (!shared_->loaded[c]) continue;
    const Footing& footing = m.carried[c].footing;
    const Node<S>& node = m.nodes[static_cast<std::size_t>(m.carried[c].node)];
    double work = 0.0;    // of the load on y, less that on P x
    double square = 0.0;  // of x at its unknowns
    for (int k = 0; k < node.freedoms; ++k) {
      double along = 0.0;
      for (const int i : shared_->locals[c]) {
        along += carried_[c].P(k, i) * x[footing.places[static_cast<std::size_t>(i)]];
      }
      work += all[node.v + k] * (y[node.v + k] - along);
    }
    for (const int i : shared_->locals[c]) {
      const double each = x[footing.places[static_cast<std::size_t>(i)]];
      square += each * each;
    }
    if (square < still) continue;
    for (const int i : shared_->locals[c]) {
      const int place = footing.places[static_cast<std::size_t>(i)];
      r[place] += work / square * x[place];
    }
  }
}

// ---- tangents

template <class S>
void Condensation<S>::differentiate(const system::State& state,
                                    const std::vector<Kinematics>& kinematics,
                                    const Vector& a) {
  const Mechanism<S>& m = shared_->mechanism;
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    if (!shared_->loaded[c]) continue;
    Carried& each = carried_[c];
    const CarriedNode<S>& node = m.carried[c];
    const Node<S>& body = m.nodes[static_cast<std::size_t>(node.node)];
    const FootingMotion<S> on{node.footing, kinematics, state.q, state.v, state.t, m.gravity};
    gather(node.footing, a, each.a);
    Eigen::Matrix<double, S::freedoms, 1> load = Eigen::Matrix<double, S::freedoms, 1>::Zero();
    load.head(body.freedoms) = loads_.segment(body.v, body.freedoms);
    for (const int i : shared_->locals[c]) {
      each.unit.setZero();
      each.unit[i] = 1.0;
      each.scratch.setZero();
      node.frame->map_change(on, each.unit, each.scratch);
      each.geometric.col(i).noalias() = each.scratch.transpose() * load;
      each.twist_by_q.col(i).noalias() = each.scratch * each.v;
      each.acceleration_by_v.col(i) = each.twist_by_q.col(i) + each.change.col(i);
      each.acceleration_by_q.col(i).noalias() = each.scratch * each.a;
      each.scratch.setZero();
      node.frame->map_second_change(on, each.v, each.unit, each.scratch);
      each.acceleration_by_q.col(i).noalias() += each.scratch * each.v;
    }
  }
}

// Columns of velocities and accelerations refer to the displacement of the step.
template <class S>
void Condensation<S>::inverse_tangent(const Vector* step) {
  const Mechanism<S>& m = shared_->mechanism;
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    if (!shared_->loaded[c]) continue;
    Carried& each = carried_[c];
    each.pulled_P = each.P;
    each.pulled_A = each.acceleration_by_v;
    if (step == nullptr) continue;
    if constexpr (S::space == Space::spatial) {
      const Footing& footing = m.carried[c].footing;
      for (std::size_t slot = 0; slot < footing.nodes.size(); ++slot) {
        const Node<S>& node = m.nodes[static_cast<std::size_t>(footing.nodes[slot])];
        if (node.freedoms < S::freedoms) continue;
        const Eigen::Matrix3d inverse =
            math::inverse_tangent_operator(step->template segment<3>(node.v + 3));
        const auto first = static_cast<Eigen::Index>(slot) * S::freedoms + 3;
        for (Eigen::MatrixXd* map : {&each.pulled_P, &each.pulled_A}) {
          const Eigen::Matrix<double, 6, 3> turned =
              map->template middleCols<3>(first).template topRows<6>() * inverse;
          map->template middleCols<3>(first) = turned;
        }
      }
    }
  }
}

template <class S>
void Condensation<S>::set_factors(const system::Weights& w, const Vector* step) {
  for (const auto& terms : shared_->columns) {
    if (!shared_->is_loaded(terms)) continue;
    Factors* factors = factors_.data() + terms.first;
    if (terms.carried >= 0) {
      const auto c = static_cast<std::size_t>(terms.carried);
      const Carried& each = carried_[c];
      const int k = terms.component;
      for (int i = 0; i < terms.count; ++i) {
        const int l = shared_->locals[c][static_cast<std::size_t>(i)];
        factors[i] = {w.position * each.P(k, l),
                      w.position * each.twist_by_q(k, l) + w.velocity * each.pulled_P(k, l),
                      w.position * each.acceleration_by_q(k, l) + w.velocity * each.pulled_A(k, l) +
                          w.acceleration * each.pulled_P(k, l)};
      }
      continue;
    }
    if (terms.turn < 0) {
      factors[0] = {w.position, w.velocity, w.acceleration};
      continue;
    }
    Eigen::Matrix3d inverse = Eigen::Matrix3d::Identity();
    if (step != nullptr) {
      inverse = math::inverse_tangent_operator(step->template segment<3>(terms.turn));
    }
    for (int i = 0; i < terms.count; ++i) {
      factors[i] = {i == terms.component ? w.position : 0.0,
                    w.velocity * inverse(terms.component, i),
                    w.acceleration * inverse(terms.component, i)};
    }
  }
}

template <class S>
void Condensation<S>::add_products(system::KktMatrix& tangent) const {
  const KktPattern& all = *stiffness_.pattern;
  const int nodes = all.velocities;
  const int* position = shared_->positions.data();
  double* values = tangent.values.data();
  for (int j = 0; j < all.size(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    if (j < nodes && !shared_->is_loaded(shared_->columns[column])) continue;
    for (int entry = all.column_start[column]; entry < all.column_start[column + 1]; ++entry) {
      const auto e = static_cast<std::size_t>(entry);
      const int i = all.row[e];
      if (j >= nodes) {
        values[*position++] += stiffness_.values[e];
        continue;
      }
      if (i >= nodes) {
        const auto& terms = shared_->rows[column];
        for (int b = 0; b < terms.count; ++b) {
          values[*position++] +=
              stiffness_.values[e] * weights_[static_cast<std::size_t>(terms.first + b)];
        }
        continue;
      }
      const auto& row = shared_->rows[static_cast<std::size_t>(i)];
      const auto& terms = shared_->columns[column];
      for (int a = 0; a < row.count; ++a) {
        const double weight = weights_[static_cast<std::size_t>(row.first + a)];
        for (int b = 0; b < terms.count; ++b) {
          const Factors& by = factors_[static_cast<std::size_t>(terms.first + b)];
          values[*position++] +=
              weight * (stiffness_.values[e] * by.stiffness + damping_.values[e] * by.damping +
                        mass_.values[e] * by.mass);
        }
      }
    }
  }
}

template <class S>
void Condensation<S>::condense_tangent(const system::State& state,
                                       const std::vector<Kinematics>& kinematics,
                                       const Vector& a,
                                       const system::Weights& weights,
                                       const Vector* step,
                                       system::KktMatrix& tangent) {
  differentiate(state, kinematics, a);
  inverse_tangent(step);
  set_factors(weights, step);
  std::fill(tangent.values.begin(), tangent.values.end(), 0.0);
  add_products(tangent);
  const int* position = shared_->geometric.data();
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    if (!shared_->loaded[c]) continue;
    const Carried& each = carried_[c];
    const Eigen::Index n = each.geometric.cols();
    for (Eigen::Index entry = 0; entry < n * n; ++entry, ++position) {
      if (*position < 0) continue;
      tangent.values[static_cast<std::size_t>(*position)] +=
          weights.position * each.geometric.data()[entry];
    }
  }
}

template class Condensation<Planar>;
template class Condensation<Spatial>;

}  // namespace trammel::model
