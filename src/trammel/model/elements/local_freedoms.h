// From local unknowns of an element, S::freedoms for each of its nodes, to the freedoms of the
// system and back.
#pragma once

#include "trammel/model/elements/instant.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

/// r += factor * local, of the freedoms that the nodes have.
template <class S>
void add_to_pair(const Mechanism<S>& mechanism,
                 int node_a,
                 int node_b,
                 const PairVector<S>& local,
                 double factor,
                 system::Vector& r) {
  const Node<S>& a = mechanism.nodes[static_cast<std::size_t>(node_a)];
  const Node<S>& b = mechanism.nodes[static_cast<std::size_t>(node_b)];
  for (int i = 0; i < a.freedoms; ++i) r[a.v + i] += factor * local[i];
  for (int i = 0; i < b.freedoms; ++i) r[b.v + i] += factor * local[S::freedoms + i];
}

template <class S>
void add_to_nodes(const Mechanism<S>& mechanism,
                  const LocalNodes& nodes,
                  const system::Vector& local,
                  double factor,
                  system::Vector& r) {
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const Node<S>& body = mechanism.nodes[static_cast<std::size_t>(nodes.nodes()[slot])];
    const Eigen::Index first = static_cast<Eigen::Index>(slot) * S::freedoms;
    for (int k = 0; k < body.freedoms; ++k) r[body.v + k] += factor * local[first + k];
  }
}

/// local . x, of the freedoms that the nodes have.
template <class S>
double along(const Mechanism<S>& mechanism,
             const LocalNodes& nodes,
             const system::Vector& local,
             const system::Vector& x) {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const Node<S>& body = mechanism.nodes[static_cast<std::size_t>(nodes.nodes()[slot])];
    const Eigen::Index first = static_cast<Eigen::Index>(slot) * S::freedoms;
    for (int k = 0; k < body.freedoms; ++k) sum += local[first + k] * x[body.v + k];
  }
  return sum;
}

/// The part of a vector over all freedoms that belongs to a pair; zero where a node has none.
template <class S>
PairVector<S> of_pair(const Mechanism<S>& mechanism,
                      int node_a,
                      int node_b,
                      const system::Vector& x) {
  PairVector<S> local = PairVector<S>::Zero();
  const Node<S>& a = mechanism.nodes[static_cast<std::size_t>(node_a)];
  const Node<S>& b = mechanism.nodes[static_cast<std::size_t>(node_b)];
  for (int i = 0; i < a.freedoms; ++i) local[i] = x[a.v + i];
  for (int i = 0; i < b.freedoms; ++i) local[S::freedoms + i] = x[b.v + i];
  return local;
}

/// The first rows of now.work.second_matrix, derivatives by velocities of these nodes, become those
/// by the end of the step that the instant refers to.
template <class S>
void turn_columns(const LocalNodes& nodes, int rows, const Instant<S>& now) {
  constexpr int f = S::freedoms;
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const auto node = static_cast<std::size_t>(nodes.nodes()[slot]);
    for (int i = 0; i < rows; ++i) {
      auto entries =
          now.work.second_matrix.template block<1, f>(i, static_cast<Eigen::Index>(slot) * f);
      entries = (entries * (*now.inverse_tangent)[node]).eval();
    }
  }
}

/// values[scatter] += K.
template <class S>
void add_runs(const std::vector<StiffnessScatter>& scatter,
              int first,
              int last,
              const PairMatrix<S>& K,
              double* values) {
  for (int k = first; k < last; ++k) {
    const StiffnessScatter& entry = scatter[static_cast<std::size_t>(k)];
    for (int i = 0; i < entry.count; ++i) values[entry.position + i] += K.data()[entry.local + i];
  }
}

}  // namespace trammel::model
