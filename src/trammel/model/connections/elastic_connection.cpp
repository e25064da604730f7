#include "trammel/model/connections/elastic_connection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/model/connections/node_motion.h"

namespace trammel::model {

using Eigen::Index;

template <class S>
ElasticConnection<S>::ElasticConnection(int bodies,
                                        int first_internal,
                                        std::vector<Internal> internal,
                                        std::vector<Element> elements)
    : bodies_(bodies),
      first_internal_(first_internal),
      internal_(std::move(internal)),
      elements_(std::move(elements)) {
  for (Element& element : elements_) {
    element.channels = element.force->quantities().size();
    flows_ = flows_ || element.force->depends_on_velocity();
    for (const int node : {element.force->node_a(), element.force->node_b()}) {
      if (node < bodies_) external_.add(node);
    }
  }
}

template <class S>
void ElasticConnection<S>::add_load(ActiveLoad load) {
  flows_ = flows_ || load.law.depends_on_velocity();
  for (const int node : load.law.nodes().nodes()) {
    if (node < bodies_) external_.add(node);
  }
  for (const Measure<S>& input : load.law.formula().inputs()) {
    const bool known = std::find(states_.begin(), states_.end(), input.index) != states_.end();
    if (input.kind == Measure<S>::Kind::state && !known) states_.push_back(input.index);
  }
  loads_.push_back(std::move(load));
}

template <class S>
int ElasticConnection<S>::workspace_size() const {
  int largest = local_size();
  for (const ActiveLoad& load : loads_) largest = std::max(largest, load.law.local_size());
  return largest;
}

template <class S>
auto ElasticConnection<S>::memory() const -> Memory {
  Memory memory;
  for (const Internal& node : internal_) memory.accepted.push_back(node.described);
  memory.base = memory.accepted;
  const Index size = static_cast<Index>(slots()) * S::freedoms;
  const auto unknowns = static_cast<Index>(unknowns_.size());
  memory.f.setZero(size);
  memory.K.setZero(size, size);
  memory.K_ii.setZero(unknowns, unknowns);
  memory.K_ie.setZero(unknowns, local_size());
  memory.solved.setZero(unknowns, local_size());
  for (Eigen::VectorXd* vector :
       {&memory.residual, &memory.step, &memory.v, &memory.bias, &memory.rate_slope}) {
    vector->setZero(unknowns);
  }
  memory.f_z.setZero(unknowns, static_cast<Index>(states_.size()));
  if (flows_) {
    memory.D.setZero(size, size);
    memory.D_ii.setZero(unknowns, unknowns);
    memory.flow.setZero(unknowns, unknowns);
    memory.moves.setZero(unknowns);
    memory.probe_load.setZero(local_size());
  }
  return memory;
}

template <class S>
int ElasticConnection<S>::slot(int node) const {
  if (!is_internal(node)) return external_.slot(node);
  return static_cast<int>(external_.nodes().size()) + node - first_internal_;
}

template <class S>
void ElasticConnection<S>::put(const Poses& internal, const Setting& at) const {
  for (std::size_t i = 0; i < internal.size(); ++i) internal_pose(at, i) = internal[i];
}

template <class S>
void ElasticConnection<S>::take(const Setting& at, Poses& internal) const {
  for (std::size_t i = 0; i < internal.size(); ++i) internal[i] = internal_pose(at, i);
}

template <class S>
void ElasticConnection<S>::add_forces(const Setting& at, Eigen::VectorXd& f) const {
  constexpr int n = S::freedoms;
  f.setZero();
  PairVector<S> pair;
  for (const Element& element : elements_) {
    const int a = element.force->node_a();
    const int b = element.force->node_b();
    element.force->evaluate(pose(at, a), pose(at, b), at.t, pair);
    if (slot(a) >= 0) f.segment<n>(slot(a) * n) += pair.template head<n>();
    if (slot(b) >= 0) f.segment<n>(slot(b) * n) += pair.template tail<n>();
  }
  for (const ActiveLoad& load : loads_) {
    load.law.evaluate(at.place(), at.work);
    const std::vector<int>& nodes = load.law.nodes().nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      f.segment<n>(slot(nodes[i]) * n) +=
          at.work.row.template segment<n>(static_cast<Index>(i) * n);
    }
  }
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    f.segment<S::dimension>(local_size() + static_cast<Index>(i) * n) += internal_[i].force;
  }
}

template <class S>
void ElasticConnection<S>::add_slopes(const Setting& at,
                                      Eigen::MatrixXd& K,
                                      Eigen::MatrixXd* D) const {
  constexpr int n = S::freedoms;
  K.setZero();
  if (D != nullptr) D->setZero();
  PairMatrix<S> f_q;
  PairMatrix<S> f_v;
  for (const Element& element : elements_) {
    const int nodes[2] = {element.force->node_a(), element.force->node_b()};
    element.force->tangent(pose(at, nodes[0]), pose(at, nodes[1]), at.t, f_q, f_v);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const int row = slot(nodes[i]);
        const int column = slot(nodes[j]);
        if (row < 0 || column < 0) continue;
        K.block<n, n>(row * n, column * n) += f_q.template block<n, n>(i * n, j * n);
        if (D == nullptr) continue;
        D->block<n, n>(row * n, column * n) += f_v.template block<n, n>(i * n, j * n);
      }
    }
  }
  for (const ActiveLoad& load : loads_) {
    load.law.tangent(at.place(), at.work);
    const std::vector<int>& nodes = load.law.nodes().nodes();
    const int count = static_cast<int>(nodes.size());
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        const int row = slot(nodes[static_cast<std::size_t>(i)]) * n;
        const int column = slot(nodes[static_cast<std::size_t>(j)]) * n;
        K.block<n, n>(row, column) += at.work.matrix.template block<n, n>(i * n, j * n);
        if (D == nullptr) continue;
        D->block<n, n>(row, column) += at.work.second_matrix.template block<n, n>(i * n, j * n);
      }
    }
  }
}

// ---- equilibrium

template <class S>
void ElasticConnection<S>::move(const Eigen::VectorXd& x,
                                double part,
                                const Poses& from,
                                const Setting& at) const {
  Eigen::Matrix<double, S::freedoms, 1> step;
  Index next = 0;
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    step.setZero();
    const int count = internal_[i].turns ? S::freedoms : S::dimension;
    for (int k = 0; k < count; ++k) step[k] = part * x[next++];
    move_node(step.data(), from[i], internal_pose(at, i));
  }
}

template <class S>
double ElasticConnection<S>::residual(const Setting& at, Memory& memory) const {
  add_forces(at, memory.f);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    memory.residual[static_cast<Index>(i)] = memory.f[unknowns_[i]];
  }
  return memory.residual.norm();
}

template <class S>
void ElasticConnection<S>::factor(const Setting& at, Memory& memory) const {
  add_slopes(at, memory.K);
  set_slopes_of_unknowns(memory);
  factor_unknowns(memory);
}

template <class S>
void ElasticConnection<S>::set_slopes_of_unknowns(Memory& memory) const {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      memory.K_ii(static_cast<Index>(i), static_cast<Index>(j)) =
          memory.K(unknowns_[i], unknowns_[j]);
    }
  }
}

template <class S>
void ElasticConnection<S>::factor_unknowns(Memory& memory) {
  memory.factors.compute(memory.K_ii);
  const auto pivots = memory.factors.matrixLU().diagonal().cwiseAbs();
  memory.regular = pivots.minCoeff() > 1e-11 * pivots.maxCoeff();
  if (memory.regular) return;
  memory.singular_factors.setThreshold(1e-12);
  memory.singular_factors.compute(memory.K_ii);
}

// Steps are halved until the loads on the nodes fall.
template <class S>
bool ElasticConnection<S>::newton(const Setting& at, Memory& memory) const {
  constexpr int most_steps = 50;
  constexpr int most_halvings = 30;
  double norm = residual(at, memory);
  const double start = norm;
  for (int i = 0; i < most_steps; ++i) {
    const double loads = memory.f.template lpNorm<Eigen::Infinity>();
    if (norm <= 1e-14 * loads) return true;
    if (!std::isfinite(norm)) return false;
    factor(at, memory);
    solve_factored(memory.residual, memory, memory.step);
    if (!memory.step.allFinite()) return false;
    take(at, memory.base);
    const bool close = norm <= 1e-11 * loads;
    double next = norm;
    double part = -1.0;
    for (int k = 0; k < most_halvings; ++k, part *= 0.5) {
      move(memory.step, part, memory.base, at);
      next = residual(at, memory);
      if (next < norm || close) break;
    }
    // No progress: as near as numbers can tell, or stuck.
    if (!(next < norm)) {
      const double scale = memory.K_ii.cwiseAbs().maxCoeff();
      put(memory.base, at);
      residual(at, memory);
      return norm <= 1e-9 * std::max(loads, 1e-6 * scale) || norm <= 1e-12 * start;
    }
    norm = next;
  }
  return norm <= 1e-9 * memory.f.template lpNorm<Eigen::Infinity>();
}

template <class S>
bool ElasticConnection<S>::settle(const Setting& at, Memory& memory) const {
  if (flows_) {
    set_places(at, memory);
    return balance_without_drag(at, memory);
  }
  put(memory.accepted, at);
  if (unknowns_.empty()) return true;
  bool found = newton(at, memory);
  if (!found) {
    for (std::size_t i = 0; i < internal_.size(); ++i)
      internal_pose(at, i) = internal_[i].described;
    found = newton(at, memory);
  }
  return found;
}

// ---- what the bodies feel

template <class S>
void ElasticConnection<S>::evaluate(const Setting& at, Memory& memory, Eigen::VectorXd& f) const {
  if (settle(at, memory)) {
    if (flows_) set_flow(at, memory);
    add_forces(at, memory.f);
    f.head(local_size()) = memory.f.head(local_size());
  } else {
    f.head(local_size()).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

template <class S>
void ElasticConnection<S>::tangent(const Setting& at,
                                   Memory& memory,
                                   Eigen::MatrixXd& f_q,
                                   Eigen::MatrixXd& f_v) const {
  if (flows_) {
    difference_tangent(at, memory, f_q, f_v);
    return;
  }
  const int size = local_size();
  auto part = f_q.topLeftCorner(size, size);
  if (!settle(at, memory)) {
    part.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (unknowns_.empty()) {
    add_slopes(at, memory.K);
    part = memory.K.topLeftCorner(size, size);
    return;
  }
  factor(at, memory);
  part = memory.K.topLeftCorner(size, size);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    memory.K_ie.row(static_cast<Index>(i)) = memory.K.row(unknowns_[i]).head(size);
  }
  solve_factored(memory.K_ie, memory, memory.solved);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    part.noalias() -=
        memory.K.col(unknowns_[i]).head(size) * memory.solved.row(static_cast<Index>(i));
  }
}

template <class S>
double ElasticConnection<S>::potential(const Setting& at) const {
  double sum = 0.0;
  for (const Element& element : elements_) {
    sum += element.force->potential(pose(at, element.force->node_a()),
                                    pose(at, element.force->node_b()));
  }
  for (const ActiveLoad& load : loads_) sum += load.law.potential(at.place(), at.work);
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    sum -= internal_[i].force.dot(internal_pose(at, i).p);
  }
  return sum;
}

template <class S>
ForcePower ElasticConnection<S>::power(const Setting& at) const {
  ForcePower sum;
  for (const Element& element : elements_) {
    const ForcePower part = element.force->power(pose(at, element.force->node_a()),
                                                 pose(at, element.force->node_b()), at.t);
    sum.dissipated += part.dissipated;
    sum.load += part.load;
  }
  return sum;
}

template <class S>
std::vector<Quantity> ElasticConnection<S>::quantities() const {
  std::vector<Quantity> list;
  const char* const axes[] = {".x", ".y", ".z"};
  for (const Internal& node : internal_) {
    for (int i = 0; i < S::dimension; ++i) {
      list.push_back({node.name + ".position" + axes[i], "m", "world", "internal node"});
    }
    if (S::space == Space::planar && node.turns) {
      list.push_back({node.name + ".angle", "rad", "world", "internal node"});
    }
  }
  for (const Element& element : elements_) {
    for (Quantity quantity : element.force->quantities()) {
      quantity.name = element.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
  for (const ActiveLoad& load : loads_) {
    list.push_back({load.name, load.unit, "", "along its coordinate"});
  }
  return list;
}

template <class S>
void ElasticConnection<S>::measure(const Setting& at, double*& values) const {
  for (std::size_t k = 0; k < internal_.size(); ++k) {
    const Kinematics& node = internal_pose(at, k);
    for (int i = 0; i < S::dimension; ++i) *values++ = node.p[i];
    if constexpr (S::space == Space::planar) {
      if (internal_[k].turns) *values++ = node.angle;
    }
  }
  for (const Element& element : elements_) {
    const Force<S>& force = *element.force;
    force.measure(pose(at, force.node_a()), pose(at, force.node_b()), at.t, values);
    values += element.channels;
  }
  for (const ActiveLoad& load : loads_) *values++ = load.law.magnitude(at.place(), at.work);
}

template class ElasticConnection<Planar>;
template class ElasticConnection<Spatial>;

}  // namespace trammel::model
