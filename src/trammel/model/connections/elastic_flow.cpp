// Connections whose loads depend on velocities: how fast their internal nodes go, and where they
// are.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SVD>

#include "trammel/math/rotation.h"
#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/connections/node_motion.h"

namespace trammel::model {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class S>
void ElasticConnection<S>::set_places(const Setting& at, const Memory& memory) const {
  if (first_place_state_ < 0) {
    put(memory.accepted, at);
    return;
  }
  move(at.z.segment(first_place_state_, place_states()), 1.0, memory.accepted, at);
}

template <class S>
std::vector<std::string> ElasticConnection<S>::place_names() const {
  std::vector<std::string> names;
  if (!flows_) return names;
  const char* const axes[] = {"x", "y", "z"};
  for (const Internal& node : internal_) {
    for (int i = 0; i < S::dimension; ++i) names.push_back(node.name + ".move." + axes[i]);
    if (!node.turns) continue;
    for (int i = 0; i < S::rotations; ++i) {
      names.push_back(node.name + ".turn." + axes[S::rotations == 1 ? 2 : i]);
    }
  }
  return names;
}

template <class S>
void ElasticConnection<S>::set_place_rates(const Setting& at, system::Vector& rates) const {
  Index next = first_place_state_;
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    const Kinematics& node = internal_pose(at, i);
    rates.segment<S::dimension>(next) = node.v;
    next += S::dimension;
    if (!internal_[i].turns) continue;
    if constexpr (S::space == Space::planar) {
      rates[next] = node.w;
    } else {
      const Eigen::Vector3d turn = at.z.template segment<3>(next);
      rates.segment<3>(next) = math::inverse_tangent_operator(turn) * node.w;
    }
    next += S::rotations;
  }
}

// The number of directions with drag, which come first.
template <class S>
int ElasticConnection<S>::split(const Setting& at, Memory& memory) const {
  add_slopes(at, memory.K, &memory.D);
  set_slopes_of_unknowns(memory);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      memory.D_ii(static_cast<Index>(i), static_cast<Index>(j)) =
          memory.D(unknowns_[i], unknowns_[j]);
    }
  }
  memory.drag.compute(memory.D_ii, Eigen::ComputeFullU | Eigen::ComputeFullV);
  // Dampers may differ by many powers of ten; round-off of directions is far below.
  constexpr double without = 1e-11;
  const VectorXd& values = memory.drag.singularValues();
  if (!(values.size() > 0 && values[0] > 0.0)) return 0;
  return static_cast<int>((values.array() > without * values[0]).count());
}

// The loads in directions without drag, in memory.residual; their number. In the others velocities
// balance the loads, or the turn of the directions with the place would count among the slopes.
template <class S>
Index ElasticConnection<S>::loads_without_drag(const Setting& at, Memory& memory) const {
  constexpr int most_steps = 20;
  const auto size = static_cast<Index>(unknowns_.size());
  int count = 0;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_steps; ++i) {
    put_velocities(memory.v, at);
    count = split(at, memory);
    residual(at, memory);
    const VectorXd loads = memory.drag.matrixU().leftCols(count).transpose() * memory.residual;
    const VectorXd x = memory.drag.matrixV().leftCols(count) *
                       loads.cwiseQuotient(memory.drag.singularValues().head(count));
    const double norm = x.norm();
    if (!(norm > 1e-14 * memory.v.norm()) || !(norm < 0.9 * before)) break;
    memory.v -= x;
    before = norm;
  }
  const VectorXd left = memory.drag.matrixU().rightCols(size - count).transpose() * memory.residual;
  memory.residual.head(size - count) = left;
  return size - count;
}

// Newton's method; steps are halved until the loads fall.
template <class S>
bool ElasticConnection<S>::balance_without_drag(const Setting& at, Memory& memory) const {
  constexpr int most_steps = 60;
  constexpr int most_halvings = 30;
  memory.v.setZero();
  Index count = loads_without_drag(at, memory);
  double norm = memory.residual.head(count).norm();
  const double start = norm;
  for (int i = 0; i < most_steps; ++i) {
    const double loads = memory.f.template lpNorm<Eigen::Infinity>();
    if (!std::isfinite(norm)) return false;
    if (norm <= 1e-14 * loads) return true;
    const MatrixXd U = memory.drag.matrixU().rightCols(count);
    const MatrixXd V = memory.drag.matrixV().rightCols(count);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
    factors.setThreshold(1e-12);
    factors.compute(U.transpose() * memory.K_ii * V);
    memory.step = V * factors.solve(memory.residual.head(count));
    if (!memory.step.allFinite()) return false;
    take(at, memory.base);
    double next = norm;
    double part = -1.0;
    for (int k = 0; k < most_halvings; ++k, part *= 0.5) {
      move(memory.step, part, memory.base, at);
      count = loads_without_drag(at, memory);
      next = memory.residual.head(count).norm();
      if (next < norm) break;
    }
    // No progress: as near as numbers can tell, or stuck.
    if (!(next < norm)) {
      put(memory.base, at);
      return norm <= 1e-9 * loads || norm <= 1e-12 * start;
    }
    norm = next;
  }
  return norm <= 1e-9 * memory.f.template lpNorm<Eigen::Infinity>();
}

// Rows whose entries are what is left of drag that has vanished stay as they are.
template <class S>
void ElasticConnection<S>::scale_flow(double nothing, Memory& memory) {
  for (Index i = 0; i < memory.flow.rows(); ++i) {
    const double size = memory.flow.row(i).norm();
    if (!(size > nothing)) {
      memory.flow.row(i).setZero();
      memory.residual[i] = 0.0;
      continue;
    }
    memory.flow.row(i) /= size;
    memory.residual[i] /= size;
  }
}

// Newton's method for v_i: one step where loads and state equations are linear in velocities.
template <class S>
void ElasticConnection<S>::set_flow(const Setting& at, Memory& memory) const {
  constexpr int most_steps = 30;
  const auto size = static_cast<Index>(unknowns_.size());
  double speed = 0.0;
  for (const int body : external_.nodes()) speed = std::max(speed, pose(at, body).v.norm());
  memory.v.setZero();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_steps; ++i) {
    put_velocities(memory.v, at);
    const int count = split(at, memory);
    const MatrixXd U = memory.drag.matrixU();
    // What changes in time of the loads without drag.
    memory.bias.setZero();
    add_external_motion(at, memory);
    set_state_slopes(at, memory);
    memory.residual = memory.bias;
    memory.residual.noalias() += memory.K_ii * memory.v;
    add_state_motion(at, memory, memory.K_ii);
    const VectorXd changes = U.rightCols(size - count).transpose() * memory.residual;
    memory.flow.bottomRows(size - count) = U.rightCols(size - count).transpose() * memory.K_ii;
    // The loads with drag themselves.
    residual(at, memory);
    memory.flow.topRows(count) = U.leftCols(count).transpose() * memory.D_ii;
    const VectorXd loads = U.leftCols(count).transpose() * memory.residual;
    memory.residual.head(count) = loads;
    memory.residual.tail(size - count) = changes;
    // A damper turns its load with stiffness load/length, which is round-off once it rests.
    scale_flow(1e-10 * memory.D.cwiseAbs().maxCoeff() * speed / reach(at), memory);
    memory.factors.compute(memory.flow);
    const auto pivots = memory.factors.matrixLU().diagonal().cwiseAbs();
    memory.regular = pivots.minCoeff() > 1e-11 * pivots.maxCoeff();
    if (!memory.regular) {
      memory.singular_factors.setThreshold(1e-11);
      memory.singular_factors.compute(memory.flow);
    }
    solve_factored(memory.residual, memory, memory.step);
    memory.v -= memory.step;
    const double norm = memory.step.norm();
    if (!(norm > 1e-15 * memory.v.norm()) || !(norm < 0.9 * before)) break;
    before = norm;
  }
  put_velocities(memory.v, at);
}

// Fourth order. Nodes are found to 1e-14 of the loads, which these steps make 1e-11 of the slopes,
// as large as the truncation.
template <class S>
void ElasticConnection<S>::difference_tangent(const Setting& at,
                                              Memory& memory,
                                              MatrixXd& f_q,
                                              MatrixXd& f_v) const {
  constexpr int n = S::freedoms;
  constexpr double small = 5e-4;
  memory.probe = at.poses;
  const Setting there{memory.probe, at.t, at.z, at.tracked, at.work, at.states};
  const double length = reach(at);
  const std::vector<int>& bodies = external_.nodes();
  const auto column = [&](double h, const auto& move, auto&& result) {
    result.setZero();
    for (const auto& [part, weight] :
         {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
      move(part * h);
      evaluate(there, memory, memory.probe_load);
      result += weight / (12.0 * h) * memory.probe_load;
    }
    move(0.0);
  };
  for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
    const auto body = static_cast<std::size_t>(bodies[slot]);
    const Kinematics base = memory.probe[body];
    double speed = length;
    for (int k = 0; k < S::dimension; ++k) speed = std::max(speed, std::abs(base.v[k]));
    for (int k = 0; k < n; ++k) {
      const Index number = static_cast<Index>(slot) * n + k;
      const bool translation = k < S::dimension;
      Eigen::Matrix<double, n, 1> x;
      column(
          translation ? small * length : small,
          [&](double s) {
            x.setZero();
            x[k] = s;
            memory.probe[body] = base;
            if (s != 0.0) move_node(x.data(), base, memory.probe[body]);
          },
          f_q.col(number).head(local_size()));
      column(
          translation ? small * speed : small,
          [&](double s) {
            x << base.v, base.w;
            x[k] += s;
            memory.probe[body].v = x.template head<S::dimension>();
            if constexpr (S::space == Space::planar) {
              memory.probe[body].w = x[2];
            } else {
              memory.probe[body].w = x.template tail<3>();
            }
          },
          f_v.col(number).head(local_size()));
    }
  }
}

template void ElasticConnection<Planar>::set_places(const Setting&, const Memory&) const;
template void ElasticConnection<Spatial>::set_places(const Setting&, const Memory&) const;
template std::vector<std::string> ElasticConnection<Planar>::place_names() const;
template std::vector<std::string> ElasticConnection<Spatial>::place_names() const;
template void ElasticConnection<Planar>::set_place_rates(const Setting&, system::Vector&) const;
template void ElasticConnection<Spatial>::set_place_rates(const Setting&, system::Vector&) const;
template bool ElasticConnection<Planar>::balance_without_drag(const Setting&, Memory&) const;
template bool ElasticConnection<Spatial>::balance_without_drag(const Setting&, Memory&) const;
template Index ElasticConnection<Planar>::loads_without_drag(const Setting&, Memory&) const;
template Index ElasticConnection<Spatial>::loads_without_drag(const Setting&, Memory&) const;
template void ElasticConnection<Planar>::set_flow(const Setting&, Memory&) const;
template void ElasticConnection<Spatial>::set_flow(const Setting&, Memory&) const;
template void ElasticConnection<Planar>::difference_tangent(const Setting&,
                                                            Memory&,
                                                            MatrixXd&,
                                                            MatrixXd&) const;
template void ElasticConnection<Spatial>::difference_tangent(const Setting&,
                                                             Memory&,
                                                             MatrixXd&,
                                                             MatrixXd&) const;

}  // namespace trammel::model
