#include "trammel/topology/tree.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "trammel/core/diagnostic.h"

namespace trammel::topology {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Which vertices belong together.
class Parts {
 public:
  explicit Parts(std::size_t size) : of_(size) { std::iota(of_.begin(), of_.end(), 0); }
  int find(int i) {
    while (of_[at(i)] != i) i = of_[at(i)] = of_[at(of_[at(i)])];
    return i;
  }
  bool join(int i, int j) {
    i = find(i);
    j = find(j);
    if (i == j) return false;
    of_[at(std::max(i, j))] = std::min(i, j);
    return true;
  }

 private:
  std::vector<int> of_;
};

using Neighbours = std::vector<std::vector<int>>;  // edges at each vertex, in their order

Neighbours edges_at_vertices(const Graph& graph, const std::vector<bool>& taken) {
  Neighbours neighbours(graph.vertices.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!taken[e]) continue;
    neighbours[at(graph.edges[e].a)].push_back(static_cast<int>(e));
    neighbours[at(graph.edges[e].b)].push_back(static_cast<int>(e));
  }
  return neighbours;
}

int other_end(const Edge& edge, int vertex) {
  return edge.a == vertex ? edge.b : edge.a;
}

// Edges to each vertex from the nearest of `starts`; -1 where there is no way.
std::vector<int> distances(const Graph& graph, const Neighbours& neighbours, int start) {
  std::vector<int> distance(graph.vertices.size(), -1);
  std::vector<int> queue{start};
  distance[at(start)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int e : neighbours[at(queue[i])]) {
      const int next = other_end(graph.edges[at(e)], queue[i]);
      if (distance[at(next)] >= 0) continue;
      distance[at(next)] = distance[at(queue[i])] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

// Kruskal's choice: which edges become branches.
std::vector<bool> choose_branches(const Graph& graph) {
  std::vector<bool> hinges(graph.edges.size());
  for (std::size_t e = 0; e < hinges.size(); ++e) hinges[e] = graph.edges[e].may_be_branch();
  const std::vector<int> distance = distances(graph, edges_at_vertices(graph, hinges), 0);
  const int far = static_cast<int>(graph.vertices.size());
  const auto nearness = [&](const Edge& edge) {
    const int near = std::min(distance[at(edge.a)], distance[at(edge.b)]);
    return near < 0 ? far : near;
  };
  std::vector<int> order;
  for (std::size_t e = 0; e < hinges.size(); ++e) {
    if (hinges[e]) order.push_back(static_cast<int>(e));
  }
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    const Edge& a = graph.edges[at(i)];
    const Edge& b = graph.edges[at(j)];
    const auto place = [&](const Edge& edge) {
      return std::tuple(edge.wish != Wish::keep, edge.coordinates, nearness(edge));
    };
    return place(a) < place(b);
  });
  std::vector<bool> taken(graph.edges.size(), false);
  Parts parts(graph.vertices.size());
  for (const int e : order) {
    const Edge& edge = graph.edges[at(e)];
    taken[at(e)] = parts.join(edge.a, edge.b);
    if (taken[at(e)] || edge.wish != Wish::keep) continue;
    throw core::InputError(std::vector<core::Diagnostic>{
        {.path = "tree.keep",
         .message = "'" + edge.name + "' closes a loop of joints to keep",
         .remedy = "leave one joint of each loop out of 'keep'"}});
  }
  return taken;
}

// The vertex in the middle of the longest path of a part, so that its paths are short.
int centre_of_part(const Graph& graph, const Neighbours& neighbours, int member) {
  const auto farthest = [](const std::vector<int>& distance) {
    return static_cast<int>(std::max_element(distance.begin(), distance.end()) - distance.begin());
  };
  const int end = farthest(distances(graph, neighbours, member));
  const std::vector<int> from_end = distances(graph, neighbours, end);
  int vertex = farthest(from_end);
  for (int steps = from_end[at(vertex)] / 2; steps > 0; --steps) {
    for (const int e : neighbours[at(vertex)]) {
      const int next = other_end(graph.edges[at(e)], vertex);
      if (from_end[at(next)] == from_end[at(vertex)] - 1) {
        vertex = next;
        break;
      }
    }
  }
  return vertex;
}

// Numbers bodies depth first.
class Numbering {
 public:
  Numbering(const Graph& graph, const Neighbours& neighbours)
      : graph_(graph), neighbours_(neighbours), number_(graph.vertices.size(), -1) {
    number_[0] = 0;
  }

  int number(int vertex) const { return number_[at(vertex)]; }
  bool has(int vertex) const { return number_[at(vertex)] >= 0; }

  void add(int vertex, int parent, int edge, bool reversed, int coordinates) {
    const int depth = parent == 0 ? 1 : branches[at(parent - 1)].depth + 1;
    branches.push_back({vertex, parent, edge, reversed, coordinates, depth});
    number_[at(vertex)] = static_cast<int>(branches.size());
  }

  // Everything behind `start` that has no number yet. Chains may be long: no recursion.
  void visit_from(int start) {
    std::vector<std::pair<int, std::size_t>> stack{{start, 0}};
    while (!stack.empty()) {
      auto& [vertex, next] = stack.back();
      if (next == neighbours_[at(vertex)].size()) {
        stack.pop_back();
        continue;
      }
      const int e = neighbours_[at(vertex)][next++];
      const Edge& edge = graph_.edges[at(e)];
      const int child = other_end(edge, vertex);
      if (has(child)) continue;
      add(child, number_[at(vertex)], e, edge.b == vertex, edge.coordinates);
      stack.emplace_back(child, 0);
    }
  }

  std::vector<Branch> branches;

 private:
  const Graph& graph_;
  const Neighbours& neighbours_;
  std::vector<int> number_;
};

// Parts whose wished tie leads to what has numbers already, until there is none left.
void tie_parts(const Graph& graph, Numbering& numbering) {
  for (bool found = true; found;) {
    found = false;
    for (const Tie& tie : graph.ties) {
      if (numbering.has(tie.vertex) || !numbering.has(tie.to)) continue;
      numbering.add(tie.vertex, numbering.number(tie.to), -1, false,
                    graph.vertices[at(tie.vertex)].free_coordinates);
      numbering.visit_from(tie.vertex);
      found = true;
    }
  }
}

void check_ties(const Graph& graph, const std::vector<Branch>& branches) {
  for (const Tie& tie : graph.ties) {
    const bool met = std::any_of(branches.begin(), branches.end(), [&](const Branch& branch) {
      const int parent = branch.parent == 0 ? 0 : branches[at(branch.parent - 1)].vertex;
      return branch.vertex == tie.vertex && branch.edge < 0 && parent == tie.to;
    });
    if (met) continue;
    const std::string& name = graph.vertices[at(tie.vertex)].name;
    throw core::InputError(std::vector<core::Diagnostic>{
        {.path = "tree.tie." + name,
         .message = "'" + name + "' cannot be tied to '" + graph.vertices[at(tie.to)].name +
                    "': its part has a way to the ground already, or the ties go round in a circle",
         .remedy = "tie one body of each part that no hinge joins to the ground; 'open' a joint "
                   "to make a part of its own"}});
  }
}

}  // namespace

Tree spanning_tree(Graph graph) {
  const std::vector<bool> taken = choose_branches(graph);
  const Neighbours neighbours = edges_at_vertices(graph, taken);
  Numbering numbering(graph, neighbours);
  numbering.visit_from(0);
  tie_parts(graph, numbering);
  for (std::size_t i = 1; i < graph.vertices.size(); ++i) {
    if (numbering.has(static_cast<int>(i))) continue;
    const int root = centre_of_part(graph, neighbours, static_cast<int>(i));
    numbering.add(root, 0, -1, false, graph.vertices[at(root)].free_coordinates);
    numbering.visit_from(root);
    tie_parts(graph, numbering);
  }
  check_ties(graph, numbering.branches);
  std::vector<CutJoint> cut_joints;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!taken[e]) cut_joints.push_back({static_cast<int>(e), 0, 0});
  }
  return {std::move(graph), std::move(numbering.branches), std::move(cut_joints)};
}

Tree::Tree(Graph graph, std::vector<Branch> branches, std::vector<CutJoint> cut_joints)
    : graph_(std::move(graph)),
      branches_(std::move(branches)),
      cut_joints_(std::move(cut_joints)),
      number_of_(graph_.vertices.size(), 0) {
  for (int k = 1; k <= bodies(); ++k) number_of_[at(branch(k).vertex)] = k;
  for (CutJoint& cut_joint : cut_joints_) {
    cut_joint.from = number_of(graph_.edges[at(cut_joint.edge)].a);
    cut_joint.to = number_of(graph_.edges[at(cut_joint.edge)].b);
  }
}

const Vertex& Tree::vertex(int number) const {
  return graph_.vertices[number == 0 ? 0 : at(branch(number).vertex)];
}

int Tree::coordinates() const {
  int sum = 0;
  for (const Branch& b : branches_) sum += b.coordinates;
  return sum;
}

int Tree::depth() const {
  int largest = 0;
  for (const Branch& b : branches_) largest = std::max(largest, b.depth);
  return largest;
}

std::vector<int> Tree::free_bodies() const {
  std::vector<int> list;
  for (int k = 1; k <= bodies(); ++k) {
    if (branch(k).edge < 0) list.push_back(k);
  }
  return list;
}

int Tree::trees() const {
  return static_cast<int>(std::count_if(branches_.begin(), branches_.end(),
                                        [](const Branch& b) { return b.parent == 0; }));
}

std::vector<int> Tree::location_column() const {
  std::vector<int> column;
  for (const Branch& b : branches_) column.push_back(b.parent);
  return column;
}

Eigen::MatrixXi Tree::location_matrix() const {
  Eigen::MatrixXi L = Eigen::MatrixXi::Zero(bodies() + 1, bodies());
  for (int k = 1; k <= bodies(); ++k) {
    L(k, k - 1) = 1;
    L(branch(k).parent, k - 1) = -1;
  }
  return L;
}

Eigen::MatrixXi Tree::cut_joint_location_matrix() const {
  Eigen::MatrixXi L = Eigen::MatrixXi::Zero(bodies() + 1, static_cast<int>(cut_joints_.size()));
  for (std::size_t c = 0; c < cut_joints_.size(); ++c) {
    L(cut_joints_[c].to, static_cast<int>(c)) += 1;
    L(cut_joints_[c].from, static_cast<int>(c)) -= 1;
  }
  return L;
}

Eigen::MatrixXi Tree::tree_matrix() const {
  Eigen::MatrixXi T = Eigen::MatrixXi::Zero(bodies(), bodies());
  for (int i = 1; i <= bodies(); ++i) {
    for (const int k : path(i)) T(k - 1, i - 1) = 1;
  }
  return T;
}

std::vector<int> Tree::path(int number) const {
  std::vector<int> list;
  for (; number > 0; number = branch(number).parent) list.push_back(number);
  return list;
}

std::vector<Loop> Tree::loops() const {
  std::vector<Loop> list;
  for (const CutJoint& cut_joint : cut_joints_) {
    // Both paths up to the common body: with regular numbering the larger number is left first.
    std::vector<int> up;
    std::vector<int> down;
    int i = cut_joint.to;
    int j = cut_joint.from;
    while (i != j) {
      if (i > j) {
        up.push_back(i);
        i = branch(i).parent;
      } else {
        down.push_back(j);
        j = branch(j).parent;
      }
    }
    up.insert(up.end(), down.rbegin(), down.rend());
    list.push_back({cut_joint.edge, std::move(up)});
  }
  return list;
}

}  // namespace trammel::topology
