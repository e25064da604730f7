#include "trammel/model/assembly/condensed_pattern.h"

namespace trammel::model {

using system::KktPattern;

namespace {

// visit(row, column) for every product of an entry of all nodes with the terms of T on both sides.
template <class S, class Visit>
void for_products(const CondensedPattern<S>& to, const Visit& visit) {
  const KktPattern& all = *to.mechanism.pattern;
  const int nodes = all.velocities;
  const int own = to.mechanism.sizes.v;
  for (int j = 0; j < all.size(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    if (j < nodes && !to.is_loaded(to.columns[column])) continue;
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

// visit(element, row, column) for all pairs of places of each element without a carried node, by
// columns.
template <class S, class Visit>
void for_direct(const CondensedPattern<S>& to, const Visit& visit) {
  for (std::size_t i = 0; i < to.mechanism.elements.size(); ++i) {
    const NamedElement<S>& named = to.mechanism.elements[i];
    if (!named.direct) continue;
    for (const int column : named.footing.places) {
      for (const int row : named.footing.places) visit(i, row, column);
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
    if (!acted_on) continue;
    for (int k = 0; k < node.freedoms; ++k) loaded_velocities.push_back(node.v + k);
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
  const auto add = [&](int row, int column) {
    if (row >= 0 && column >= 0) builder.add(row, column);
  };
  for_products(*this, add);
  for_pairs(*this, add);
  for_direct(*this, [&](std::size_t /*element*/, int row, int column) { add(row, column); });
  pattern = std::make_shared<const KktPattern>(builder.build());

  const auto place = [&](int row, int column) {
    return row >= 0 && column >= 0 ? pattern->find(row, column) : -1;
  };
  direct.resize(mechanism.elements.size());
  for_direct(*this, [&](std::size_t element, int row, int column) {
    direct[element].push_back(place(row, column));
  });
  for_products(*this, [&](int row, int column) { positions.push_back(place(row, column)); });
  for_pairs(*this, [&](int row, int column) { geometric.push_back(place(row, column)); });
}

template class CondensedPattern<Planar>;
template class CondensedPattern<Spatial>;

}  // namespace trammel::model
