// A spanning tree of a graph, in regular numbering, with the edges that close its loops.
//
// Every body hangs on one branch. Branch k enters body k, and its parent l_k has a smaller number
// (0 is the ground). Edges that are not branches are cut joints. [Sol1983, 4.2, 4.3]:
//
//   0. edges that the user wants open are cut joints; those to keep are branches before all others;
//   1. edges with a hinge form are taken as branches by ascending number of coordinates, as long as
//      they join separate parts (Kruskal): the tree has the fewest coordinates there can be, and a
//      loop is opened at its hinge with the most coordinates, which gives the fewest constraints;
//   2. among equals the edge nearer to the ground comes first, so that paths are short;
//   3. a part without a way to the ground is tied to where the user says, or else to the ground at
//      its centre, by a free hinge;
//   4. bodies are numbered depth first, tree by tree.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "trammel/topology/graph.h"

namespace trammel::topology {

struct Branch {
  int vertex = 0;         ///< of the graph
  int parent = 0;         ///< number of the parent body; the ground is 0
  int edge = -1;          ///< of the graph; -1: a free hinge that the graph does not have
  bool reversed = false;  ///< the edge is directed towards the parent
  int coordinates = 0;
  int depth = 1;  ///< branches between the ground and this body
};

struct CutJoint {
  int edge = 0;
  int from = 0;  ///< numbers of the bodies it joins
  int to = 0;
};

/// The loop that a cut joint closes.
struct Loop {
  int cut_joint = 0;          ///< edge of the graph
  std::vector<int> branches;  ///< numbers, from the cut joint's end back to its beginning
};

class Tree {
 public:
  Tree(Graph graph, std::vector<Branch> branches, std::vector<CutJoint> cut_joints);

  const Graph& graph() const { return graph_; }
  /// Bodies, and branches, are numbered from 1.
  int bodies() const { return static_cast<int>(branches_.size()); }
  const Branch& branch(int number) const { return branches_[static_cast<std::size_t>(number) - 1]; }
  const std::vector<Branch>& branches() const { return branches_; }
  const std::vector<CutJoint>& cut_joints() const { return cut_joints_; }
  /// Number of a vertex of the graph; 0 for the ground.
  int number_of(int vertex) const { return number_of_[static_cast<std::size_t>(vertex)]; }
  const Vertex& vertex(int number) const;
  int coordinates() const;
  int depth() const;
  /// Bodies tied by a free hinge.
  std::vector<int> free_bodies() const;
  /// How many separate trees hang on the ground.
  int trees() const;

  /// l: the parent's number of each body [Sol1983, 4.3.5].
  std::vector<int> location_column() const;
  /// L = [S0; S], rows by vertices from 0, columns by branches: +1 where a branch ends, -1 where it
  /// starts (4.3.1).
  Eigen::MatrixXi location_matrix() const;
  Eigen::MatrixXi cut_joint_location_matrix() const;
  /// T_ki = 1 when branch k is on the path from the ground to body i (4.3.6).
  Eigen::MatrixXi tree_matrix() const;
  /// Branches from body `number` up to the ground.
  std::vector<int> path(int number) const;
  std::vector<Loop> loops() const;

 private:
  Graph graph_;
  std::vector<Branch> branches_;
  std::vector<CutJoint> cut_joints_;
  std::vector<int> number_of_;
};

/// Throws InputError for wishes that cannot be met.
Tree spanning_tree(Graph graph);

}  // namespace trammel::topology
