#include "trammel/linear/body_groups.h"

#include <algorithm>

namespace trammel::linear {
namespace {

using Lists = std::vector<std::vector<int>>;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Which bodies each joint meets, and which bodies meet each other.
class BodyGraph {
 public:
  explicit BodyGraph(const system::KktPattern& pattern) : pattern_(pattern) {
    std::vector<int> block_of(at(pattern.size()));
    for (int b = 0; b < pattern.blocks(); ++b) {
      for (int i = start(b); i < start(b + 1); ++i) block_of[at(i)] = b;
      if (start(b) < pattern.velocities) ++bodies_;
    }
    joints_.resize(at(pattern.blocks() - bodies_));
    neighbours_.resize(at(bodies_));
    for (int column = 0; column < pattern.velocities; ++column) {
      const int body = block_of[at(column)];
      for (int k = pattern.column_start[at(column)]; k < pattern.column_start[at(column) + 1];
           ++k) {
        note(body, block_of[at(pattern.row[at(k)])]);
      }
    }
    for (std::vector<int>& joint : joints_) {
      sort_once(joint);
      for (const int a : joint) {
        for (const int b : joint) {
          if (a != b) neighbours_[at(a)].push_back(b);
        }
      }
    }
    for (std::vector<int>& list : neighbours_) sort_once(list);
  }

  int bodies() const { return bodies_; }
  int joints() const { return static_cast<int>(joints_.size()); }
  const std::vector<int>& bodies_of(int joint) const { return joints_[at(joint)]; }
  const std::vector<int>& neighbours(int body) const { return neighbours_[at(body)]; }
  int rows(int joint) const { return start(bodies_ + joint + 1) - start(bodies_ + joint); }

 private:
  // An entry of the matrix between a body and another one, or a joint.
  void note(int body, int other) {
    const bool joint = other >= bodies_;
    if (other == body) return;
    std::vector<int>& list = joint ? joints_[at(other - bodies_)] : neighbours_[at(body)];
    const int entry = joint ? body : other;
    if (list.empty() || list.back() != entry) list.push_back(entry);
  }

  int start(int block) const { return pattern_.block_start[at(block)]; }
  static void sort_once(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  const system::KktPattern& pattern_;
  int bodies_ = 0;
  Lists joints_;
  Lists neighbours_;
};

// A spanning forest, each tree from a body far from all others.
struct BreadthFirst {
  std::vector<int> order;
  std::vector<int> parent;  ///< -1 for roots

  explicit BreadthFirst(const BodyGraph& graph)
      : parent(at(graph.bodies()), -1), seen_(at(graph.bodies()), 0) {
    for (int body = 0; body < graph.bodies(); ++body) {
      if (seen_[at(body)] == done) continue;
      // The last body that a first search finds is at an end.
      const std::size_t first = order.size();
      search(graph, body, looked);
      const int end = order.back();
      order.resize(first);
      search(graph, end, done);
    }
  }

 private:
  enum Mark { unseen = 0, looked = 1, done = 2 };

  void search(const BodyGraph& graph, int root, Mark mark) {
    std::size_t next = order.size();
    parent[at(root)] = -1;
    seen_[at(root)] = mark;
    order.push_back(root);
    for (; next < order.size(); ++next) {
      for (const int other : graph.neighbours(order[next])) {
        if (seen_[at(other)] == mark) continue;
        seen_[at(other)] = mark;
        parent[at(other)] = order[next];
        order.push_back(other);
      }
    }
  }

  std::vector<int> seen_;
};

std::vector<int> slices(const BreadthFirst& tree, int size) {
  std::vector<int> group(tree.order.size());
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    group[at(tree.order[i])] = static_cast<int>(i) / size;
  }
  return group;
}

std::vector<int> subtrees(const BreadthFirst& tree, int size) {
  const std::size_t bodies = tree.order.size();
  std::vector<int> weight(bodies, 1);
  std::vector<int> group(bodies, -1);
  int count = 0;
  // From the leaves: a body whose branches have grown large enough ends a group.
  for (std::size_t i = bodies; i-- > 0;) {
    const int body = tree.order[i];
    const int parent = tree.parent[at(body)];
    if (weight[at(body)] >= size || parent < 0) {
      group[at(body)] = count++;
    } else {
      weight[at(parent)] += weight[at(body)];
    }
  }
  for (const int body : tree.order) {
    if (group[at(body)] < 0) group[at(body)] = group[at(tree.parent[at(body)])];
  }
  return group;
}

bool is_cut(const BodyGraph& graph, const std::vector<int>& group, int joint) {
  const std::vector<int>& bodies = graph.bodies_of(joint);
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](int body) { return group[at(body)] != group[at(bodies.front())]; });
}

int cut_rows(const BodyGraph& graph, const std::vector<int>& group) {
  int rows = 0;
  for (int joint = 0; joint < graph.joints(); ++joint) {
    if (is_cut(graph, group, joint)) rows += graph.rows(joint);
  }
  return rows;
}

}  // namespace

BodyGroups group_bodies(const system::KktPattern& pattern, int bodies_per_group, bool cut_all) {
  const BodyGraph graph(pattern);
  const BreadthFirst tree(graph);
  std::vector<int> group = subtrees(tree, bodies_per_group);
  std::vector<int> other = slices(tree, bodies_per_group);
  if (cut_all || cut_rows(graph, other) < cut_rows(graph, group)) group.swap(other);

  BodyGroups result;
  result.group = group;
  for (const int g : group) result.count = std::max(result.count, g + 1);
  for (int joint = 0; joint < graph.joints(); ++joint) {
    const std::vector<int>& bodies = graph.bodies_of(joint);
    const bool cut = cut_all || bodies.empty() || is_cut(graph, group, joint);
    result.group.push_back(cut ? -1 : group[at(bodies.front())]);
    if (cut) result.cut_rows += graph.rows(joint);
  }
  return result;
}

}  // namespace trammel::linear
