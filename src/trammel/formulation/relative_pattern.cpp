#include "trammel/formulation/relative_pattern.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::formulation {
namespace {

using Key = std::pair<int, int>;

template <class S>
class PatternBuilder {
 public:
  PatternBuilder(const model::Mechanism<S>& mechanism,
                 const HingeTree<S>& tree,
                 const std::vector<int>& row_of,
                 int rows)
      : mechanism_(mechanism), tree_(tree), row_of_(row_of), kkt_(tree.velocities, rows) {}

  RelativePattern build() {
    refuse_deep_trees();
    sort_entries();
    make_slots();
    declare();
    result_.pattern = std::make_shared<const system::KktPattern>(kkt_.build());
    find_positions();
    return std::move(result_);
  }

 private:
  // Every velocity meets all others on its path.
  void refuse_deep_trees() const {
    constexpr double most_entries = 1e8;  // of the velocity part, two times eight bytes each
    std::vector<double> path;             // velocities up to each elementary joint
    double entries = 0.0;
    double longest = 0.0;
    for (const TreeJoint<S>& joint : tree_.joints) {
      const double before = joint.parent < 0 ? 0.0 : path[static_cast<std::size_t>(joint.parent)];
      path.push_back(before + joint.velocities);
      entries += 2.0 * path.back() * joint.velocities;
      longest = std::max(longest, path.back());
    }
    if (entries <= most_entries) return;
    throw core::InputError(
        fmt::format("the matrix of these relative coordinates, with paths of up to {} of them, "
                    "would have {:.1e} entries",
                    longest, entries),
        "take coordinates: absolute, whose matrices stay sparse along deep trees, or, where no "
        "loop is to be closed, a method that needs no matrix: dormand-prince, adams or rk4");
  }

  int joint_of(int node) const { return tree_.nodes[static_cast<std::size_t>(node)].joint; }
  int parent(int joint) const { return tree_.joints[static_cast<std::size_t>(joint)].parent; }

  // Calls visit(velocity) for each velocity on the path from `joint` to the ground.
  template <class F>
  void for_path(int joint, F visit) const {
    for (; joint >= 0; joint = parent(joint)) for_joint(joint, visit);
  }
  template <class F>
  void for_joint(int joint, F visit) const {
    const TreeJoint<S>& s = tree_.joints[static_cast<std::size_t>(joint)];
    for (int i = s.v; i < s.v + s.velocities; ++i) visit(i);
  }

  // Entries of the absolute pattern by pairs of nodes, and by rows and nodes.
  void sort_entries() {
    std::vector<Key> freedom(static_cast<std::size_t>(mechanism_.sizes.v));  // node, local
    for (std::size_t i = 1; i < mechanism_.nodes.size(); ++i) {
      const model::Node<S>& node = mechanism_.nodes[i];
      for (int k = 0; k < node.freedoms; ++k) {
        freedom[static_cast<std::size_t>(node.v + k)] = {static_cast<int>(i), k};
      }
    }
    std::map<Key, std::vector<BlockEntry>> blocks;
    std::map<Key, std::vector<BlockEntry>> rows;
    const system::KktPattern& absolute = *mechanism_.pattern;
    for (std::size_t column = 0; column < freedom.size(); ++column) {
      const auto [column_node, local_column] = freedom[column];
      if (joint_of(column_node) < 0) continue;
      for (int k = absolute.column_start[column]; k < absolute.column_start[column + 1]; ++k) {
        const int row = absolute.row[static_cast<std::size_t>(k)];
        if (row < absolute.velocities) {
          const auto [row_node, local_row] = freedom[static_cast<std::size_t>(row)];
          if (joint_of(row_node) < 0) continue;
          blocks[{row_node, column_node}].push_back({k, local_row, local_column});
        } else {
          const int relative = row_of_[static_cast<std::size_t>(row - absolute.velocities)];
          if (relative >= 0) rows[{relative, column_node}].push_back({k, 0, local_column});
        }
      }
    }
    for (const auto& [nodes, list] : blocks) {
      result_.pairs.push_back({nodes.first, nodes.second, 0,
                               static_cast<int>(result_.entries.size()),
                               static_cast<int>(list.size())});
      result_.entries.insert(result_.entries.end(), list.begin(), list.end());
    }
    for (const auto& [part, list] : rows) {
      result_.rows.push_back({part.first, part.second, static_cast<int>(result_.row_entries.size()),
                              static_cast<int>(list.size()), 0});
      result_.row_entries.insert(result_.row_entries.end(), list.begin(), list.end());
    }
  }

  // Slots of all pairs and of what they are passed on to, the outermost first.
  void make_slots() {
    const auto outermost_first = [](const Key& a, const Key& b) {
      return std::pair(std::max(a.first, a.second), a) > std::pair(std::max(b.first, b.second), b);
    };
    std::map<Key, int, decltype(outermost_first)> slots(outermost_first);
    for (const NodePair& pair : result_.pairs) {
      slots[{joint_of(pair.row_node), joint_of(pair.column_node)}] = 0;
    }
    // The map is extended behind the place of the iterator only.
    for (const auto& [key, unused] : slots) {
      const Key next = passed_on(key);
      if (next.first >= 0 && next.second >= 0) slots[next] = 0;
    }
    int count = 0;
    for (auto& [key, number] : slots) number = count++;
    for (const auto& [key, number] : slots) {
      const Key next = passed_on(key);
      const bool ends = next.first < 0 || next.second < 0;
      result_.slots.push_back({key.first, key.second, ends ? -1 : slots.at(next), 0});
    }
    for (NodePair& pair : result_.pairs) {
      pair.slot = slots.at({joint_of(pair.row_node), joint_of(pair.column_node)});
    }
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const int joint = tree_.nodes[i].joint;
      result_.node_slots.push_back(joint < 0 ? -1 : slots.at({joint, joint}));
    }
  }

  Key passed_on(const Key& key) const {
    const int outer = std::max(key.first, key.second);
    return {key.first == outer ? parent(outer) : key.first,
            key.second == outer ? parent(outer) : key.second};
  }

  // Calls visit(row, column) for the entries of K that a slot gives, in the order of the assembly.
  template <class F>
  void for_slot(const Slot& slot, F visit) const {
    if (slot.row >= slot.column) {
      for_joint(slot.row, [&](int j) { for_path(slot.column, [&](int m) { visit(j, m); }); });
    }
    if (slot.column >= slot.row) {
      const int rows = slot.row == slot.column ? parent(slot.row) : slot.row;
      for_joint(slot.column, [&](int m) { for_path(rows, [&](int j) { visit(j, m); }); });
    }
  }

  void declare() {
    for (const TreeHinge<S>& hinge : tree_.hinges) kkt_.add_block(hinge.v, hinge.velocities);
    for (const Slot& slot : result_.slots) {
      for_slot(slot, [&](int j, int m) { kkt_.add(j, m); });
    }
    for (const RowPart& part : result_.rows) {
      for_path(joint_of(part.node), [&](int m) { kkt_.add(tree_.velocities + part.row, m); });
    }
    for (const model::MechanismJoint<S>& joint : mechanism_.joints) {
      declare_rows(joint.first_row, joint.rows);
      declare_rows(joint.first_velocity_row, joint.velocity_rows);
    }
  }

  void declare_rows(int first, int count) {
    if (count == 0) return;
    const int relative = row_of_[static_cast<std::size_t>(first)];
    if (relative >= 0) kkt_.add_block(tree_.velocities + relative, count);
  }

  void find_positions() {
    const auto find = [&](int row, int column) {
      result_.positions.push_back(result_.pattern->find(row, column));
    };
    for (Slot& slot : result_.slots) {
      slot.first_position = static_cast<int>(result_.positions.size());
      for_slot(slot, find);
    }
    for (RowPart& part : result_.rows) {
      part.first_position = static_cast<int>(result_.positions.size());
      for_path(joint_of(part.node), [&](int m) { find(tree_.velocities + part.row, m); });
    }
  }

  const model::Mechanism<S>& mechanism_;
  const HingeTree<S>& tree_;
  const std::vector<int>& row_of_;
  system::KktPatternBuilder kkt_;
  RelativePattern result_;
};

}  // namespace

std::size_t RelativePattern::memory_bytes() const {
  return (entries.capacity() + row_entries.capacity()) * sizeof(BlockEntry) +
         pairs.capacity() * sizeof(NodePair) + slots.capacity() * sizeof(Slot) +
         rows.capacity() * sizeof(RowPart) + positions.capacity() * sizeof(int) +
         static_cast<std::size_t>(pattern->entries()) * sizeof(int);
}

template <class S>
RelativePattern build_relative_pattern(const model::Mechanism<S>& mechanism,
                                       const HingeTree<S>& tree,
                                       const std::vector<int>& row_of,
                                       int rows) {
  return PatternBuilder<S>(mechanism, tree, row_of, rows).build();
}

template RelativePattern build_relative_pattern(const model::Mechanism<Planar>&,
                                                const HingeTree<Planar>&,
                                                const std::vector<int>&,
                                                int);
template RelativePattern build_relative_pattern(const model::Mechanism<Spatial>&,
                                                const HingeTree<Spatial>&,
                                                const std::vector<int>&,
                                                int);

}  // namespace trammel::formulation
