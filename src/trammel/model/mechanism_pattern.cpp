#include <algorithm>

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {
namespace {

// Global velocity index of a local freedom of a pair of nodes, or -1 where a node lacks it.
template <class S>
int global_freedom(const Mechanism<S>& mechanism, int node_a, int node_b, int local) {
  const bool second = local >= S::freedoms;
  const Node<S>& node = mechanism.nodes[static_cast<std::size_t>(second ? node_b : node_a)];
  const int freedom = second ? local - S::freedoms : local;
  return freedom < node.freedoms ? node.v + freedom : -1;
}

// Calls visit(local row, local freedom, global row, global freedom) for each structural entry of G.
template <class S, class F>
void for_jacobian(const Mechanism<S>& mechanism,
                  std::size_t c,
                  const LocalPattern& local,
                  F visit) {
  const Constraint<S>& constraint = *mechanism.constraints[c];
  for (const auto& [row, freedom] : local.jacobian) {
    const int v = global_freedom(mechanism, constraint.node_a(), constraint.node_b(), freedom);
    if (v >= 0)
      visit(row, freedom, mechanism.assembled_velocities + mechanism.first_row[c] + row, v);
  }
}

template <class S, class F>
void for_pair(const Mechanism<S>& mechanism,
              int node_a,
              int node_b,
              const std::vector<std::pair<int, int>>& entries,
              F visit) {
  for (const auto& [i, j] : entries) {
    const int row = global_freedom(mechanism, node_a, node_b, i);
    const int column = global_freedom(mechanism, node_a, node_b, j);
    if (row >= 0 && column >= 0) visit(i, j, row, column);
  }
}

// Appends an entry, as part of the last run where it continues it.
void append(std::vector<StiffnessScatter>& list, int first, int local, int position) {
  if (static_cast<int>(list.size()) > first) {
    StiffnessScatter& last = list.back();
    if (last.local + last.count == local && last.position + last.count == position) {
      ++last.count;
      return;
    }
  }
  list.push_back({local, position, 1});
}

// Column by column, so that entries form runs.
std::vector<std::pair<int, int>> by_columns(std::vector<std::pair<int, int>> entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return entries;
}

template <class S>
std::vector<std::pair<int, int>> all_pair_entries() {
  std::vector<std::pair<int, int>> entries;
  for (int j = 0; j < pair_freedoms<S>; ++j) {
    for (int i = 0; i < pair_freedoms<S>; ++i) entries.emplace_back(i, j);
  }
  return entries;
}

// A node's own block: translations are uncoupled, rotations full.
template <class S>
bool node_entry(int i, int j) {
  return i == j || (i >= S::dimension && j >= S::dimension);
}

// Global velocity index of each local unknown of an element over several nodes, or -1.
template <class S>
std::vector<int> local_freedoms(const Mechanism<S>& mechanism, const LocalNodes& nodes) {
  std::vector<int> places;
  for (const int number : nodes.nodes()) {
    const Node<S>& node = mechanism.nodes[static_cast<std::size_t>(number)];
    for (int k = 0; k < S::freedoms; ++k) places.push_back(k < node.freedoms ? node.v + k : -1);
  }
  return places;
}

// Where the entries of its local matrix, by columns, go in the values; -1 where nowhere.
std::vector<int> matrix_positions(const system::KktPattern& pattern,
                                  const std::vector<int>& places) {
  std::vector<int> positions;
  for (const int column : places) {
    for (const int row : places) {
      positions.push_back(row >= 0 && column >= 0 ? pattern.find(row, column) : -1);
    }
  }
  return positions;
}

// The same for a constraint row.
std::vector<int> row_positions(const system::KktPattern& pattern,
                               int row,
                               const std::vector<int>& places) {
  std::vector<int> positions;
  for (const int column : places) {
    positions.push_back(column < 0 ? -1 : pattern.find(pattern.velocities + row, column));
  }
  return positions;
}

template <class S>
void add_nodes(const Mechanism<S>& mechanism, system::KktPatternBuilder& builder) {
  for (const NamedAmplitudes& set : mechanism.amplitudes) {
    builder.add_block(set.places.v, set.places.count);
  }
  for (const Node<S>& node : mechanism.nodes) {
    builder.add_block(node.v, node.freedoms);
    for (int i = 0; i < node.freedoms; ++i) {
      for (int j = 0; j < i; ++j) {
        if (node_entry<S>(i, j)) builder.add(node.v + i, node.v + j);
      }
    }
  }
}

// Joints and forces between two nodes.
template <class S>
void add_pairs(const Mechanism<S>& mechanism, system::KktPatternBuilder& builder) {
  const auto add = [&](int, int, int row, int column) { builder.add(row, column); };
  for (std::size_t c = 0; c < mechanism.constraints.size(); ++c) {
    const Constraint<S>& constraint = *mechanism.constraints[c];
    const LocalPattern local = constraint.pattern();
    for_jacobian(mechanism, c, local, add);
    for_pair(mechanism, constraint.node_a(), constraint.node_b(), local.stiffness, add);
  }
  const auto all = all_pair_entries<S>();
  for (const NamedForce<S>& named : mechanism.forces) {
    for_pair(mechanism, named.force->node_a(), named.force->node_b(), all, add);
  }
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    builder.add_block(mechanism.assembled_velocities + joint.first_row, joint.rows);
    builder.add_block(mechanism.assembled_velocities + joint.first_velocity_row,
                      joint.velocity_rows);
  }
}

// What has any number of nodes: every freedom of theirs meets every other.
template <class S>
void add_groups(const Mechanism<S>& mechanism, system::KktPatternBuilder& builder) {
  const auto add_row = [&](int row, const LocalNodes& nodes) {
    for (const int column : local_freedoms(mechanism, nodes)) {
      if (column >= 0) builder.add(mechanism.assembled_velocities + row, column);
    }
  };
  const auto add_places = [&](const std::vector<int>& places) {
    for (const int column : places) {
      for (const int row : places) {
        if (row >= 0 && column >= 0) builder.add(row, column);
      }
    }
  };
  const auto add_all = [&](const LocalNodes& nodes) {
    add_places(local_freedoms(mechanism, nodes));
  };
  for (const NamedRelation<S>& named : mechanism.relations) {
    add_row(named.row, named.relation.nodes());
    add_all(named.relation.nodes());
  }
  for (const NamedJointFriction<S>& named : mechanism.joint_frictions) {
    if (named.row >= 0) add_row(named.row, named.nodes);
    add_all(named.nodes);
  }
  for (const NamedLaw<S>& named : mechanism.laws) add_all(named.law.nodes());
  for (const NamedElement<S>& named : mechanism.elements) {
    if (!named.direct) add_places(named.footing.places);
  }
  for (const NamedConnection<S>& named : mechanism.connections) add_all(named.connection->nodes());
}

template <class S>
std::shared_ptr<const system::KktPattern> collect(const Mechanism<S>& mechanism) {
  system::KktPatternBuilder builder(mechanism.assembled_velocities, mechanism.sizes.multipliers());
  add_nodes(mechanism, builder);
  add_pairs(mechanism, builder);
  add_groups(mechanism, builder);
  return std::make_shared<const system::KktPattern>(builder.build());
}

}  // namespace

// Patterns of constraints are asked for twice: kept, they would take half as much as the whole
// mechanism.
template <class S>
void build_pattern(Mechanism<S>& mechanism) {
  mechanism.pattern = collect(mechanism);
  const system::KktPattern& pattern = *mechanism.pattern;

  for (std::size_t c = 0; c < mechanism.constraints.size(); ++c) {
    const Constraint<S>& constraint = *mechanism.constraints[c];
    const LocalPattern local = constraint.pattern();
    mechanism.first_jacobian.push_back(static_cast<int>(mechanism.jacobian_scatter.size()));
    for_jacobian(mechanism, c, local, [&](int i, int j, int row, int column) {
      mechanism.jacobian_scatter.push_back({i * pair_freedoms<S> + j, pattern.find(row, column)});
    });
    mechanism.first_stiffness.push_back(static_cast<int>(mechanism.stiffness_scatter.size()));
    const int first = mechanism.first_stiffness.back();
    for_pair(mechanism, constraint.node_a(), constraint.node_b(), by_columns(local.stiffness),
             [&](int i, int j, int row, int column) {
               append(mechanism.stiffness_scatter, first, i + j * pair_freedoms<S>,
                      pattern.find(row, column));
             });
  }
  mechanism.first_jacobian.push_back(static_cast<int>(mechanism.jacobian_scatter.size()));
  mechanism.first_stiffness.push_back(static_cast<int>(mechanism.stiffness_scatter.size()));
  const auto all = all_pair_entries<S>();
  for (const NamedForce<S>& named : mechanism.forces) {
    mechanism.first_force.push_back(static_cast<int>(mechanism.force_scatter.size()));
    const int first = mechanism.first_force.back();
    for_pair(mechanism, named.force->node_a(), named.force->node_b(), all,
             [&](int i, int j, int row, int column) {
               append(mechanism.force_scatter, first, i + j * pair_freedoms<S>,
                      pattern.find(row, column));
             });
  }
  mechanism.first_force.push_back(static_cast<int>(mechanism.force_scatter.size()));
  for (NamedRelation<S>& named : mechanism.relations) {
    const std::vector<int> places = local_freedoms(mechanism, named.relation.nodes());
    named.jacobian = row_positions(pattern, named.row, places);
    named.stiffness = matrix_positions(pattern, places);
  }
  for (NamedLaw<S>& named : mechanism.laws) {
    named.stiffness = matrix_positions(pattern, local_freedoms(mechanism, named.law.nodes()));
  }
  for (NamedElement<S>& named : mechanism.elements) {
    if (!named.direct) named.stiffness = matrix_positions(pattern, named.footing.places);
  }
  for (NamedJointFriction<S>& named : mechanism.joint_frictions) {
    const std::vector<int> places = local_freedoms(mechanism, named.nodes);
    if (named.row >= 0) named.jacobian = row_positions(pattern, named.row, places);
    named.stiffness = matrix_positions(pattern, places);
  }
  for (NamedConnection<S>& named : mechanism.connections) {
    named.stiffness =
        matrix_positions(pattern, local_freedoms(mechanism, named.connection->nodes()));
  }
  mechanism.jacobian_scatter.shrink_to_fit();
  mechanism.stiffness_scatter.shrink_to_fit();
  mechanism.force_scatter.shrink_to_fit();
}

template void build_pattern<Planar>(Mechanism<Planar>&);
template void build_pattern<Spatial>(Mechanism<Spatial>&);

}  // namespace trammel::model
