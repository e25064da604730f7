#include "trammel/model/connections/elastic_connection.h"

#include <cmath>
#include <limits>
#include <random>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/connections/node_motion.h"

namespace trammel::model {
namespace {

using Eigen::Index;

}  // namespace

template <class S>
ElasticConnection<S>::ElasticConnection(int bodies,
                                        std::vector<Internal> internal,
                                        std::vector<Element> elements,
                                        const Poses& described)
    : bodies_(bodies), internal_(std::move(internal)), elements_(std::move(elements)) {
  for (const Element& element : elements_) {
    for (const int node : {element.force->node_a(), element.force->node_b()}) {
      if (node < bodies_) external_.add(node);
    }
  }
  find_turning(described, memory());
  const int first = local_size();
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    const int count = internal_[i].turns ? S::freedoms : S::dimension;
    for (int k = 0; k < count; ++k) {
      unknowns_.push_back(first + static_cast<int>(i) * S::freedoms + k);
    }
  }
  refuse_free_nodes(described);
}

template <class S>
auto ElasticConnection<S>::memory() const -> Memory {
  Memory memory;
  for (const Internal& node : internal_) memory.internal.push_back(node.described);
  memory.trial = memory.internal;
  const Index size = static_cast<Index>(slots()) * S::freedoms;
  const auto unknowns = static_cast<Index>(unknowns_.size());
  memory.f.setZero(size);
  memory.K.setZero(size, size);
  memory.K_ii.setZero(unknowns, unknowns);
  memory.solved.setZero(unknowns, local_size());
  memory.residual.setZero(unknowns);
  return memory;
}

template <class S>
int ElasticConnection<S>::slot(int node) const {
  if (node < bodies_) return external_.slot(node);
  return static_cast<int>(external_.nodes().size()) + node - bodies_;
}

template <class S>
void ElasticConnection<S>::add_forces(const Poses& bodies,
                                      const Poses& internal,
                                      double t,
                                      Eigen::VectorXd& f) const {
  constexpr int n = S::freedoms;
  f.setZero();
  PairVector<S> pair;
  for (const Element& element : elements_) {
    const int a = element.force->node_a();
    const int b = element.force->node_b();
    element.force->evaluate(at(a, bodies, internal), at(b, bodies, internal), t, pair);
    if (slot(a) >= 0) f.segment<n>(slot(a) * n) += pair.template head<n>();
    if (slot(b) >= 0) f.segment<n>(slot(b) * n) += pair.template tail<n>();
  }
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    f.segment<S::dimension>(local_size() + static_cast<Index>(i) * n) += internal_[i].force;
  }
}

template <class S>
void ElasticConnection<S>::add_slopes(const Poses& bodies,
                                      const Poses& internal,
                                      double t,
                                      Eigen::MatrixXd& K) const {
  constexpr int n = S::freedoms;
  K.setZero();
  PairMatrix<S> f_q;
  PairMatrix<S> f_v;
  for (const Element& element : elements_) {
    const int nodes[2] = {element.force->node_a(), element.force->node_b()};
    element.force->tangent(at(nodes[0], bodies, internal), at(nodes[1], bodies, internal), t, f_q,
                           f_v);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const int row = slot(nodes[i]);
        const int column = slot(nodes[j]);
        if (row < 0 || column < 0) continue;
        K.block<n, n>(row * n, column * n) += f_q.template block<n, n>(i * n, j * n);
      }
    }
  }
}

// ---- equilibrium

template <class S>
void ElasticConnection<S>::move(const Eigen::VectorXd& x, const Poses& from, Poses& to) const {
  Eigen::Matrix<double, S::freedoms, 1> step;
  std::size_t next = 0;
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    step.setZero();
    const int count = internal_[i].turns ? S::freedoms : S::dimension;
    for (int k = 0; k < count; ++k) step[k] = x[static_cast<Index>(next++)];
    move_node(step.data(), from[i], to[i]);
  }
}

template <class S>
double ElasticConnection<S>::residual(const Poses& bodies,
                                      const Poses& internal,
                                      double t,
                                      Memory& memory) const {
  add_forces(bodies, internal, t, memory.f);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    memory.residual[static_cast<Index>(i)] = memory.f[unknowns_[i]];
  }
  return memory.residual.norm();
}

template <class S>
void ElasticConnection<S>::factor(const Poses& bodies, double t, Memory& memory) const {
  add_slopes(bodies, memory.internal, t, memory.K);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      memory.K_ii(static_cast<Index>(i), static_cast<Index>(j)) =
          memory.K(unknowns_[i], unknowns_[j]);
    }
  }
  memory.factors.setThreshold(1e-12);
  memory.factors.compute(memory.K_ii);
}

// Newton's method, with steps that are halved until the loads on the nodes fall.
template <class S>
bool ElasticConnection<S>::solve(const Poses& bodies, double t, Memory& memory) const {
  constexpr int most_steps = 50;
  constexpr int most_halvings = 30;
  if (unknowns_.empty()) return true;
  double norm = residual(bodies, memory.internal, t, memory);
  const double start = norm;
  for (int i = 0; i < most_steps; ++i) {
    if (norm <= 1e-14 * memory.f.cwiseAbs().maxCoeff()) return true;
    factor(bodies, t, memory);
    const Eigen::VectorXd full = memory.factors.solve(-memory.residual);
    if (!full.allFinite()) return false;
    double part = 1.0;
    double next = norm;
    for (int k = 0; k < most_halvings; ++k, part *= 0.5) {
      move(part * full, memory.internal, memory.trial);
      next = residual(bodies, memory.trial, t, memory);
      if (next < norm) break;
    }
    // No progress: as near as numbers can tell, or stuck.
    const double scale = memory.K_ii.cwiseAbs().maxCoeff();
    if (!(next < norm)) {
      residual(bodies, memory.internal, t, memory);
      return norm <= 1e-9 * std::max(memory.f.cwiseAbs().maxCoeff(), 1e-6 * scale) ||
             norm <= 1e-12 * start;
    }
    std::swap(memory.internal, memory.trial);
    norm = next;
  }
  return norm <= 1e-9 * memory.f.cwiseAbs().maxCoeff();
}

// Down the energy from afar: steps of Newton's method with a shift that makes them go downhill.
template <class S>
bool ElasticConnection<S>::relax(const Poses& bodies, Memory& memory) const {
  for (std::size_t i = 0; i < internal_.size(); ++i) memory.internal[i] = internal_[i].described;
  double energy = potential_at(bodies, memory.internal);
  double shift = 1e-3;
  for (int i = 0; i < 500; ++i) {
    residual(bodies, memory.internal, 0.0, memory);
    factor(bodies, 0.0, memory);
    const double scale = memory.K_ii.cwiseAbs().maxCoeff();
    Eigen::MatrixXd shifted = -memory.K_ii;
    shifted.diagonal().array() += shift * scale;
    const Eigen::VectorXd x = shifted.partialPivLu().solve(memory.residual);
    move(x, memory.internal, memory.trial);
    const double next = potential_at(bodies, memory.trial);
    if (next < energy) {
      std::swap(memory.internal, memory.trial);
      energy = next;
      shift = std::max(1e-6, 0.3 * shift);
      const Poses kept = memory.internal;
      if (solve(bodies, 0.0, memory)) return true;
      memory.internal = kept;
    } else {
      shift *= 4.0;
    }
    if (shift > 1e12) break;
  }
  return solve(bodies, 0.0, memory);
}

// ---- what the bodies feel

template <class S>
void ElasticConnection<S>::evaluate(const Poses& bodies,
                                    double t,
                                    Memory& memory,
                                    Eigen::VectorXd& f) const {
  if (solve(bodies, t, memory)) {
    add_forces(bodies, memory.internal, t, memory.f);
    f.head(local_size()) = memory.f.head(local_size());
  } else {
    f.head(local_size()).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

template <class S>
void ElasticConnection<S>::tangent(const Poses& bodies,
                                   double t,
                                   Memory& memory,
                                   Eigen::MatrixXd& f_q) const {
  const int size = local_size();
  solve(bodies, t, memory);
  factor(bodies, t, memory);
  auto part = f_q.topLeftCorner(size, size);
  part = memory.K.topLeftCorner(size, size);
  if (unknowns_.empty()) return;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    memory.solved.row(static_cast<Index>(i)) = memory.K.row(unknowns_[i]).head(size);
  }
  memory.solved = memory.factors.solve(memory.solved).eval();
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    part.noalias() -=
        memory.K.col(unknowns_[i]).head(size) * memory.solved.row(static_cast<Index>(i));
  }
}

template <class S>
double ElasticConnection<S>::potential(const Poses& bodies, double t, Memory& memory) const {
  if (!solve(bodies, t, memory)) return std::numeric_limits<double>::quiet_NaN();
  return potential_at(bodies, memory.internal);
}

template <class S>
double ElasticConnection<S>::potential_at(const Poses& bodies, const Poses& internal) const {
  double sum = 0.0;
  for (const Element& element : elements_) {
    sum += element.force->potential(at(element.force->node_a(), bodies, internal),
                                    at(element.force->node_b(), bodies, internal));
  }
  for (std::size_t i = 0; i < internal_.size(); ++i) sum -= internal_[i].force.dot(internal[i].p);
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
  }
  for (const Element& element : elements_) {
    for (Quantity quantity : element.force->quantities()) {
      quantity.name = element.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
  return list;
}

template <class S>
void ElasticConnection<S>::measure(const Poses& bodies,
                                   double t,
                                   Memory& memory,
                                   double*& values) const {
  solve(bodies, t, memory);
  for (const Kinematics& node : memory.internal) {
    for (int i = 0; i < S::dimension; ++i) *values++ = node.p[i];
  }
  for (const Element& element : elements_) {
    const Force<S>& force = *element.force;
    force.measure(at(force.node_a(), bodies, memory.internal),
                  at(force.node_b(), bodies, memory.internal), t, values);
    values += force.quantities().size();
  }
}

// ---- checks

// A node turns when some element gives it a moment, or would after a small motion.
template <class S>
void ElasticConnection<S>::find_turning(const Poses& described, const Memory& memory) {
  Memory probe = memory;
  add_slopes(described, probe.internal, 0.0, probe.K);
  add_forces(described, probe.internal, 0.0, probe.f);
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    const Index first = local_size() + static_cast<Index>(i) * S::freedoms + S::dimension;
    const double moment = probe.f.segment(first, S::rotations).cwiseAbs().maxCoeff();
    const double slope = probe.K.middleRows(first, S::rotations).cwiseAbs().maxCoeff();
    internal_[i].turns = moment > 0.0 || slope > 0.0;
  }
}

// Bodies are shaken a little, so that a node that is free by chance is told from one that always
// is.
template <class S>
void ElasticConnection<S>::refuse_free_nodes(const Poses& described) {
  if (unknowns_.empty()) return;
  Memory probe = memory();
  double reach = 0.0;
  for (const Kinematics& node : probe.internal) {
    for (const int body : external_.nodes()) {
      reach = std::max(reach, (node.p - described[static_cast<std::size_t>(body)].p).norm());
    }
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Poses shaken = described;
  for (Kinematics& body : shaken) {
    for (int i = 0; i < S::dimension; ++i)
      body.p[i] += 1e-3 * std::max(reach, 1e-3) * uniform(random);
  }
  Memory still = memory();
  if (!solve(described, 0.0, still) && !relax(described, still)) {
    throw core::InputError("the internal nodes find no equilibrium",
                           "place them nearer to it, or check the elements' loads");
  }
  for (std::size_t i = 0; i < internal_.size(); ++i) internal_[i].described = still.internal[i];
  probe.internal = still.internal;
  if (!solve(shaken, 0.0, probe)) return;
  factor(shaken, 0.0, probe);
  probe.factors.setThreshold(1e-9);
  probe.factors.compute(probe.K_ii);
  if (probe.factors.rank() == probe.K_ii.cols()) return;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(probe.K_ii, Eigen::ComputeFullV);
  const Eigen::VectorXd loose = svd.matrixV().col(probe.K_ii.cols() - 1);
  Index most = 0;
  loose.cwiseAbs().maxCoeff(&most);
  const int local = unknowns_[static_cast<std::size_t>(most)] - local_size();
  throw core::InputError(
      fmt::format("the internal node '{}' is free to {}",
                  internal_[static_cast<std::size_t>(local / S::freedoms)].name,
                  local % S::freedoms < S::dimension ? "move" : "turn"),
      "hold it by further elements, or by elements that bear moments (bushing, beam)");
}

template class ElasticConnection<Planar>;
template class ElasticConnection<Spatial>;

}  // namespace trammel::model
