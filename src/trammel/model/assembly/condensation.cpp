#include "trammel/model/assembly/condensation.h"

#include <algorithm>

#include "trammel/math/rotation.h"

namespace trammel::model {

using system::KktPattern;
using system::Vector;

// ---- what goes where

namespace {

template <class S>
bool is_loaded(const CondensedPattern<S>& to, const typename CondensedPattern<S>::Terms& terms) {
  return terms.carried < 0 || to.loaded[static_cast<std::size_t>(terms.carried)];
}

// visit(row, column) for every product of an entry of all nodes with the terms of T on both sides.
template <class S, class Visit>
void for_products(const CondensedPattern<S>& to, const Visit& visit) {
  const KktPattern& all = *to.mechanism.pattern;
  const int nodes = all.velocities;
  const int own = to.mechanism.sizes.v;
  for (int j = 0; j < all.size(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    if (j < nodes && !is_loaded(to, to.columns[column])) continue;
    for (int e = all.column_start[column]; e < all.column_start[column + 1]; ++e) {
      const int i = all.row[static_cast<std::size_t>(e)];
      if (j >= nodes) {
        visit(own + i - nodes, own + j - nodes);
        continue;
      }
      if (i >= nodes) {
        const auto& terms = to.rows[column];
        for (int b = terms.first; b < terms.first + terms.count; ++b) {
          visit(own + i - nodes, to.row_unknowns[static_cast<std::size_t>(b)]);
        }
        continue;
      }
      const auto& row = to.rows[static_cast<std::size_t>(i)];
      const auto& terms = to.columns[column];
      for (int a = row.first; a < row.first + row.count; ++a) {
        for (int b = terms.first; b < terms.first + terms.count; ++b) {
          visit(to.row_unknowns[static_cast<std::size_t>(a)],
                to.column_unknowns[static_cast<std::size_t>(b)]);
        }
      }
    }
  }
}

// All pairs of places of each loaded node, by columns.
template <class S, class Visit>
void for_pairs(const CondensedPattern<S>& to, const Visit& visit) {
  for (std::size_t c = 0; c < to.loaded.size(); ++c) {
    if (!to.loaded[c]) continue;
    const CarriedNode<S>& carried = to.mechanism.carried[c];
    for (const int column : carried.footing.places) {
      for (const int row : carried.footing.places) visit(row, column);
    }
  }
}

}  // namespace

template <class S>
CondensedPattern<S>::CondensedPattern(const Mechanism<S>& shared_mechanism)
    : mechanism(shared_mechanism) {
  add_terms();
  find_loaded();
  add_positions();
}

// Whatever acts on a node meets the freedoms of others, or couples its own, or has a row.
template <class S>
void CondensedPattern<S>::find_loaded() {
  const KktPattern& all = *mechanism.pattern;
  std::vector<int> touched(mechanism.nodes.size(), 0);
  const auto touch = [&](int node) { touched[static_cast<std::size_t>(node)] = 1; };
  for (const auto& constraint : mechanism.constraints) {
    touch(constraint->node_a());
    touch(constraint->node_b());
  }
  loaded.assign(mechanism.carried.size(), false);
  for (std::size_t c = 0; c < loaded.size(); ++c) {
    const Node<S>& node = mechanism.nodes[static_cast<std::size_t>(mechanism.carried[c].node)];
    bool acted_on = node.mass > 0.0 || touched[static_cast<std::size_t>(mechanism.carried[c].node)];
    // On its own a node has the entries of its rotations, and of each translation one.
    for (int k = 0; k < node.freedoms; ++k) {
      const auto v = static_cast<std::size_t>(node.v + k);
      const int entries = all.column_start[v + 1] - all.column_start[v];
      acted_on |= entries > (k < S::dimension ? 1 : S::rotations);
    }
    loaded[c] = acted_on;
  }
}

template <class S>
void CondensedPattern<S>::add_terms() {
  rows.resize(static_cast<std::size_t>(mechanism.assembled_velocities));
  columns.resize(rows.size());
  for (int v = 0; v < mechanism.sizes.v; ++v) {
    const auto index = static_cast<std::size_t>(v);
    rows[index] = {.first = static_cast<int>(row_unknowns.size()), .count = 1};
    row_unknowns.push_back(v);
  }
  for (const FreedomBlock& block : mechanism.freedoms.all()) {
    const int turn = block.v + block.translations;
    for (int k = 0; k < block.velocities(); ++k) {
      const int v = block.v + k;
      Terms terms{.first = static_cast<int>(column_unknowns.size()), .count = 1};
      if (block.manifold == Manifold::spatial_pose && v >= turn) {
        terms.count = block.rotations;
        terms.component = v - turn;
        terms.turn = turn;
        for (int i = 0; i < block.rotations; ++i) column_unknowns.push_back(turn + i);
      } else {
        column_unknowns.push_back(v);
      }
      columns[static_cast<std::size_t>(v)] = terms;
    }
  }
  for (std::size_t c = 0; c < mechanism.carried.size(); ++c) {
    const CarriedNode<S>& carried = mechanism.carried[c];
    const Node<S>& node = mechanism.nodes[static_cast<std::size_t>(carried.node)];
    std::vector<int>& local = locals.emplace_back();
    for (int i = 0; i < carried.footing.size(); ++i) {
      if (carried.footing.places[static_cast<std::size_t>(i)] >= 0) local.push_back(i);
    }
    for (int k = 0; k < node.freedoms; ++k) {
      const auto v = static_cast<std::size_t>(node.v + k);
      Terms terms{
          .count = static_cast<int>(local.size()), .carried = static_cast<int>(c), .component = k};
      terms.first = static_cast<int>(row_unknowns.size());
      rows[v] = terms;
      terms.first = static_cast<int>(column_unknowns.size());
      columns[v] = terms;
      for (const int i : local) {
        row_unknowns.push_back(carried.footing.places[static_cast<std::size_t>(i)]);
        column_unknowns.push_back(row_unknowns.back());
      }
    }
  }
}

// Twice over the same products: first for the pattern, then for the positions in it.
template <class S>
void CondensedPattern<S>::add_positions() {
  const int own = mechanism.sizes.v;
  system::KktPatternBuilder builder(own, mechanism.sizes.multipliers());
  for (const FreedomBlock& block : mechanism.freedoms.all()) {
    builder.add_block(block.v, block.velocities());
  }
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    builder.add_block(own + joint.first_row, joint.rows);
    builder.add_block(own + joint.first_velocity_row, joint.velocity_rows);
  }
  for_products(*this, [&](int row, int column) { builder.add(row, column); });
  for_pairs(*this, [&](int row, int column) {
    if (row >= 0 && column >= 0) builder.add(row, column);
  });
  pattern = std::make_shared<const KktPattern>(builder.build());
  for_products(*this,
               [&](int row, int column) { positions.push_back(pattern->find(row, column)); });
  for_pairs(*this, [&](int row, int column) {
    geometric.push_back(row >= 0 && column >= 0 ? pattern->find(row, column) : -1);
  });
}

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
  for (std::size_t c = 0; c < carried_.size(); ++c) {
    if (which == CarriedNodes::loaded && !shared_->loaded[c]) continue;
    Carried& each = carried_[c];
    const CarriedNode<S>& node = m.carried[c];
    const FootingMotion<S> on{node.footing, kinematics, state.q, state.v, state.t, m.gravity};
    Kinematics& k = kinematics[static_cast<std::size_t>(node.node)];
    node.frame->pose(on, k);
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
  for (auto v = static_cast<std::size_t>(own); v < shared_->rows.size(); ++v) {
    const auto& terms = shared_->rows[v];
    double sum = 0.0;
    for (int i = terms.first; i < terms.first + terms.count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      sum += weights_[index] * x[shared_->row_unknowns[index]];
    }
    all_[static_cast<Eigen::Index>(v)] = sum;
  }
  return all_;
}

template <class S>
const Vector& Condensation<S>::accelerations(const Vector& a) {
  expanded(a);
  all_ += biases_;
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
  for (auto v = static_cast<std::size_t>(own); v < shared_->rows.size(); ++v) {
    const auto& terms = shared_->rows[v];
    for (int i = terms.first; i < terms.first + terms.count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      r[shared_->row_unknowns[index]] += weights_[index] * all[static_cast<Eigen::Index>(v)];
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
    if (!is_loaded(*shared_, terms)) continue;
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
    if (j < nodes && !is_loaded(*shared_, shared_->columns[column])) continue;
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

template class CondensedPattern<Planar>;
template class CondensedPattern<Spatial>;
template class Condensation<Planar>;
template class Condensation<Spatial>;

}  // namespace trammel::model
