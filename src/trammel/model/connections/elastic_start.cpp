// The equilibrium of a connection at the start of a model, and what is refused there.
#include <random>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"
#include "trammel/model/connections/elastic_connection.h"

namespace trammel::model {

using Eigen::Index;

template <class S>
void ElasticConnection<S>::finish(const Setting& at) {
  for (std::size_t i = 0; i < internal_.size(); ++i) internal_pose(at, i) = internal_[i].described;
  find_turning(at);
  number_unknowns();
  if (unknowns_.empty()) return;
  find_start(at);
  refuse_free_nodes(at);
}

// A node turns when some element gives it a moment, or would after a small motion.
template <class S>
void ElasticConnection<S>::find_turning(const Setting& at) {
  constexpr int n = S::freedoms;
  Memory probe = memory();
  add_slopes(at, probe.K, flows_ ? &probe.D : nullptr);
  add_forces(at, probe.f);
  if (flows_) probe.K = probe.K.cwiseAbs() + probe.D.cwiseAbs();
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    const Index first = local_size() + static_cast<Index>(i) * n + S::dimension;
    const double moment = probe.f.segment(first, S::rotations).cwiseAbs().maxCoeff();
    const double slope = probe.K.middleRows(first, S::rotations).cwiseAbs().maxCoeff();
    internal_[i].turns = moment > 0.0 || slope > 0.0;
  }
  // Loads of states that rest at zero count, too.
  for (const ActiveLoad& load : loads_) {
    load.law.linearise(at.place(), at.work);
    const std::vector<int>& nodes = load.law.nodes().nodes();
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (!is_internal(nodes[k])) continue;
      const auto moment =
          at.work.row.segment(static_cast<Index>(k) * n + S::dimension, S::rotations);
      if (moment.cwiseAbs().maxCoeff() > 0.0) {
        internal_[static_cast<std::size_t>(nodes[k] - first_internal_)].turns = true;
      }
    }
  }
}

template <class S>
void ElasticConnection<S>::number_unknowns() {
  unknowns_.clear();
  unknown_of_.assign(internal_.size() * S::freedoms, -1);
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    const int count = internal_[i].turns ? S::freedoms : S::dimension;
    for (int k = 0; k < count; ++k) {
      const int local = static_cast<int>(i) * S::freedoms + k;
      unknown_of_[static_cast<std::size_t>(local)] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(local_size() + local);
    }
  }
}

template <class S>
void ElasticConnection<S>::find_start(const Setting& at) {
  Memory still = memory();
  if (!settle(at, still) && !(loads_.empty() && relax(at, still))) {
    put(still.accepted, at);
    refuse_free_nodes(at);
    throw core::InputError("the internal nodes find no equilibrium",
                           "place them nearer to it, or check the elements' loads");
  }
  for (std::size_t i = 0; i < internal_.size(); ++i) internal_[i].described = internal_pose(at, i);
}

// Down the energy from afar: steps of Newton's method with a shift that makes them go downhill.
// Nodes with drag stay where they are in its directions.
template <class S>
bool ElasticConnection<S>::relax(const Setting& at, Memory& memory) const {
  for (std::size_t i = 0; i < internal_.size(); ++i) internal_pose(at, i) = internal_[i].described;
  double energy = potential(at);
  double shift = 1e-3;
  const auto balanced = [&] {
    return flows_ ? balance_without_drag(at, memory) : newton(at, memory);
  };
  for (int i = 0; i < 500 && shift < 1e12; ++i) {
    const Eigen::VectorXd x = step_downhill(at, shift, memory);
    Poses from = memory.base;
    take(at, from);
    move(x, 1.0, from, at);
    const double next = potential(at);
    if (!(next < energy)) {
      put(from, at);
      shift *= 4.0;
      continue;
    }
    energy = next;
    shift = std::max(1e-6, 0.3 * shift);
    take(at, from);
    if (balanced()) return true;
    put(from, at);
  }
  return balanced();
}

template <class S>
Eigen::VectorXd ElasticConnection<S>::step_downhill(const Setting& at,
                                                    double shift,
                                                    Memory& memory) const {
  const auto solved = [&](Eigen::MatrixXd K, const Eigen::VectorXd& loads) {
    const double scale = memory.K_ii.cwiseAbs().maxCoeff();
    K.diagonal().array() -= shift * scale;
    return Eigen::VectorXd(-K.partialPivLu().solve(loads));
  };
  if (flows_) {
    const Index count = loads_without_drag(at, memory);
    const Eigen::MatrixXd U = memory.drag.matrixU().rightCols(count);
    const Eigen::MatrixXd V = memory.drag.matrixV().rightCols(count);
    return V * solved(U.transpose() * memory.K_ii * V, memory.residual.head(count));
  }
  residual(at, memory);
  factor(at, memory);
  return solved(memory.K_ii, memory.residual);
}

// A length of the connection.
template <class S>
double ElasticConnection<S>::reach(const Setting& at) const {
  double reach = 1e-3;
  for (const Internal& node : internal_) {
    for (const int body : external_.nodes()) {
      reach = std::max(reach, (node.described.p - pose(at, body).p).norm());
    }
  }
  return reach;
}

// Bodies are shaken a little, so that a node that is free by chance is told from one that always
// is.
template <class S>
void ElasticConnection<S>::refuse_free_nodes(const Setting& at) const {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Poses shaken = at.poses;
  for (int body = 0; body < bodies_; ++body) {
    for (int i = 0; i < S::dimension; ++i) {
      shaken[static_cast<std::size_t>(body)].p[i] += 1e-3 * reach(at) * uniform(random);
    }
  }
  const Setting there{shaken, at.t, at.z, at.tracked, at.work, at.states};
  Memory probe = memory();
  if (!settle(there, probe)) put(probe.accepted, there);
  if (flows_) {
    set_flow(there, probe);
    probe.K_ii = probe.flow;
  } else {
    factor(there, probe);
  }
  probe.singular_factors.setThreshold(1e-9);
  probe.singular_factors.compute(probe.K_ii);
  if (probe.singular_factors.rank() == probe.K_ii.cols()) return;
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

template void ElasticConnection<Planar>::finish(const Setting&);
template void ElasticConnection<Spatial>::finish(const Setting&);
template double ElasticConnection<Planar>::reach(const Setting&) const;
template double ElasticConnection<Spatial>::reach(const Setting&) const;

}  // namespace trammel::model
