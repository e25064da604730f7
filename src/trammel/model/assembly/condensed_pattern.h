// What goes where when the equations of all nodes become those of the system (condensation.h): the
// terms of T = [1; P], and the place of every product in the pattern of the system.
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/mechanism.h"

namespace trammel::model {

/// How the equations of all nodes become those of the system: constant.
template <class S>
class CondensedPattern {
 public:
  explicit CondensedPattern(const Mechanism<S>& mechanism);

  /// Terms that a velocity of the assembly has in unknowns of the system.
  struct Terms {
    int first = 0;
    int count = 0;
    int carried = -1;   ///< number among the carried nodes, or none
    int component = 0;  ///< of its twist, or of the turn of a node that is not carried
    int turn = -1;      ///< first unknown of that turn, or none
  };

  /// Do they stand for a freedom of the system, or for a carried node with a load?
  bool is_loaded(const Terms& terms) const {
    return terms.carried < 0 || loaded[static_cast<std::size_t>(terms.carried)];
  }

  const Mechanism<S>& mechanism;
  std::vector<Terms> rows;        ///< of T: what a velocity is made of
  std::vector<Terms> columns;     ///< the same, with all turns of a node where one is among them
  std::vector<int> row_unknowns;  ///< of their terms
  std::vector<int> column_unknowns;
  std::vector<std::vector<int>> locals;  ///< per carried node: local unknowns that it has
  std::vector<bool> loaded;              ///< per carried node, see CarriedNodes
  std::vector<int> loaded_velocities;    ///< of those nodes
  std::shared_ptr<const system::KktPattern> pattern;
  /// Position of every product that goes from an entry of all nodes into an entry of the system, in
  /// the order of the loops that make them.
  std::vector<int> positions;
  /// The same for d(P^T r)/dq, per carried node all pairs of local unknowns by columns; -1: none.
  std::vector<int> geometric;
  /// Per element that is direct, the position of every entry of its local matrix by columns, or -1.
  std::vector<std::vector<int>> direct;

 private:
  void add_terms();
  void find_loaded();
  void add_positions();
};

}  // namespace trammel::model
