#include "trammel/linear/block_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace trammel::linear {
namespace {

using Blocks = std::vector<int>;

// The graph of blocks as elimination changes it.
class EliminationGraph {
 public:
  explicit EliminationGraph(const system::KktPattern& pattern) : pattern_(pattern) {
    const auto blocks = static_cast<std::size_t>(pattern.blocks());
    block_of_.resize(static_cast<std::size_t>(pattern.size()));
    neighbours_.resize(blocks);
    supported_.resize(blocks, 0);
    support_.resize(blocks, 0);
    closes_loop_.resize(blocks, false);
    waits_.resize(blocks, false);
    for (std::size_t b = 0; b < blocks; ++b) {
      for (int i = pattern.block_start[b]; i < pattern.block_start[b + 1]; ++i) {
        block_of_[static_cast<std::size_t>(i)] = static_cast<int>(b);
      }
    }
    connect();
    for (int b = 0; b < pattern.blocks(); ++b) measure_support(b);
  }

  const std::vector<bool>& closes_loop() const { return closes_loop_; }
  int blocks() const { return pattern_.blocks(); }
  bool is_multiplier(int b) const { return start(b) >= pattern_.velocities; }
  int size(int b) const { return start(b + 1) - start(b); }
  const Blocks& neighbours(int b) const { return neighbours_[static_cast<std::size_t>(b)]; }

  int degree(int b) const {
    int sum = 0;
    for (const int other : neighbours(b)) sum += size(other);
    return sum;
  }

  // A multiplier block may go once the eliminated bodies have at least as many freedoms in its rows
  // as it has rows (a loop-closing joint: all freedoms in its rows), or once no body is left.
  bool eligible(int b) const {
    if (!is_multiplier(b)) return true;
    const auto at = static_cast<std::size_t>(b);
    if (supported_[at] >= (closes_loop_[at] || waits_[at] ? support_[at] : size(b))) return true;
    return std::none_of(neighbours(b).begin(), neighbours(b).end(),
                        [&](int other) { return !is_multiplier(other); });
  }

  // A multiplier block that waits for all its bodies.
  void make_wait(int b) { waits_[static_cast<std::size_t>(b)] = true; }

  // Removes b and connects its neighbours with each other; returns them.
  Blocks eliminate(int b) {
    Blocks clique = std::move(neighbours_[static_cast<std::size_t>(b)]);
    neighbours_[static_cast<std::size_t>(b)].clear();
    for (const int i : clique) {
      Blocks& list = neighbours_[static_cast<std::size_t>(i)];
      merged_.clear();
      std::set_union(list.begin(), list.end(), clique.begin(), clique.end(),
                     std::back_inserter(merged_));
      list.clear();
      for (const int other : merged_) {
        if (other != i && other != b) list.push_back(other);
      }
      if (is_multiplier(i) && !is_multiplier(b)) {
        supported_[static_cast<std::size_t>(i)] += freedoms_in(b, i);
      }
    }
    return clique;
  }

 private:
  int start(int b) const { return pattern_.block_start[static_cast<std::size_t>(b)]; }

  // Coupled blocks, both ways: G is stored once.
  void connect() {
    for (int column = 0; column < pattern_.size(); ++column) {
      const auto c = static_cast<std::size_t>(column);
      const int b = block_of_[c];
      for (int k = pattern_.column_start[c]; k < pattern_.column_start[c + 1]; ++k) {
        const int row = pattern_.row[static_cast<std::size_t>(k)];
        const int other = block_of_[static_cast<std::size_t>(row)];
        if (other == b) continue;
        add_once(b, other);
        add_once(other, b);
      }
    }
    for (Blocks& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  // What the rows of a multiplier block meet before anything is eliminated.
  void measure_support(int b) {
    if (!is_multiplier(b)) return;
    int bodies = 0;
    bool hinge = false;
    int& support = support_[static_cast<std::size_t>(b)];
    for (const int other : neighbours(b)) {
      if (is_multiplier(other)) continue;
      ++bodies;
      hinge = hinge || size(other) == 1;
      support += freedoms_in(other, b);
    }
    closes_loop_[static_cast<std::size_t>(b)] = bodies > 2 || hinge || support < size(b);
  }

  // Repetitions in a row, the usual ones, are left out at once.
  void add_once(int b, int other) {
    Blocks& list = neighbours_[static_cast<std::size_t>(b)];
    if (list.empty() || list.back() != other) list.push_back(other);
  }

  // How many freedoms of body block b occur in the rows of multiplier block m.
  int freedoms_in(int b, int m) const {
    int count = 0;
    for (int column = start(b); column < start(b + 1); ++column) {
      const auto first =
          pattern_.row.begin() + pattern_.column_start[static_cast<std::size_t>(column)];
      const auto last =
          pattern_.row.begin() + pattern_.column_start[static_cast<std::size_t>(column) + 1];
      const auto found = std::lower_bound(first, last, start(m));
      if (found != last && *found < start(m + 1)) ++count;
    }
    return count;
  }

  const system::KktPattern& pattern_;
  std::vector<int> block_of_;
  std::vector<Blocks> neighbours_;
  std::vector<int> supported_;  ///< freedoms of eliminated bodies in a multiplier block's rows
  std::vector<int> support_;    ///< those of all bodies
  std::vector<bool> closes_loop_;
  std::vector<bool> waits_;
  Blocks merged_;
};

/// An order of elimination as it is found.
struct Elimination {
  std::vector<int> order;       ///< blocks
  std::vector<Blocks> cliques;  ///< for each place: the blocks that the eliminated one meets
  std::size_t first_held = 0;   ///< place from which on something was held back
};

// Minimum degree. What is held back comes last, with all that has to wait for it.
Elimination eliminate_all(EliminationGraph& graph, const std::vector<bool>& held_back) {
  const auto blocks = static_cast<std::size_t>(graph.blocks());
  Elimination result;
  std::vector<bool> gone(blocks, false);
  // Lazy priority queue of (degree, -block): stale entries are skipped. Ties go to the later block,
  // which in most models is farther from the ground.
  using Entry = std::tuple<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  bool holding = true;
  const auto offer = [&](int b) {
    if (holding && held_back[static_cast<std::size_t>(b)]) return;
    if (graph.eligible(b)) queue.emplace(graph.degree(b), -b);
  };
  for (int b = 0; b < graph.blocks(); ++b) offer(b);
  while (result.order.size() < blocks) {
    if (queue.empty()) {
      holding = false;
      result.first_held = result.order.size();
      for (int b = 0; b < graph.blocks(); ++b) {
        if (!gone[static_cast<std::size_t>(b)]) offer(b);
      }
    }
    const auto [degree, negative] = queue.top();
    queue.pop();
    const int b = -negative;
    if (gone[static_cast<std::size_t>(b)] || degree != graph.degree(b)) continue;
    gone[static_cast<std::size_t>(b)] = true;
    result.order.push_back(b);
    result.cliques.push_back(graph.eliminate(b));
    for (const int other : result.cliques.back()) offer(other);
  }
  if (holding) result.first_held = blocks;
  return result;
}

/// The tree of an elimination: who is eliminated into whom, and how much work that is.
class EliminationTree {
 public:
  EliminationTree(const EliminationGraph& graph, const Elimination& elimination)
      : places_(elimination.order.size()), parent_(places_), subtree_(places_), own_(places_) {
    constexpr double overhead = 200.0;  // of a column, in multiplications
    std::vector<int> place(places_);
    for (std::size_t p = 0; p < places_; ++p) {
      place[static_cast<std::size_t>(elimination.order[p])] = static_cast<int>(p);
    }
    for (std::size_t p = 0; p < places_; ++p) {
      int next = static_cast<int>(places_);
      double height = graph.size(elimination.order[p]);
      for (const int b : elimination.cliques[p]) {
        next = std::min(next, place[static_cast<std::size_t>(b)]);
        height += graph.size(b);
      }
      parent_[p] = next;
      own_[p] = overhead + graph.size(elimination.order[p]) * height * height;
      total_ += own_[p];
    }
    for (std::size_t p = 0; p < places_; ++p) {
      subtree_[p] += own_[p];
      if (parent_[p] < static_cast<int>(places_)) {
        subtree_[static_cast<std::size_t>(parent_[p])] += subtree_[p];
      }
    }
  }

  std::size_t places() const { return places_; }
  int parent(std::size_t p) const { return parent_[p]; }
  double own(std::size_t p) const { return own_[p]; }
  double subtree(std::size_t p) const { return subtree_[p]; }
  double total() const { return total_; }

 private:
  std::size_t places_;
  std::vector<int> parent_;  ///< a place, or the number of places
  std::vector<double> subtree_;
  std::vector<double> own_;
  double total_ = 0.0;
};

/// Which part each place belongs to; the rest is the last.
struct Division {
  std::vector<int> part;
  int parts = 0;
  double time = 0.0;  ///< of an elimination by four threads, in units of work
};

// Subtrees with at most this share of the work are parts, a few small ones together.
Division divided(const EliminationTree& tree, std::size_t first_held, double share) {
  constexpr double pieces = 16.0;
  constexpr double threads = 4.0;
  const double most = share * tree.total();
  Division division;
  division.part.assign(tree.places(), -1);
  double rest = 0.0;
  double largest = 0.0;
  double filled = 0.0;
  // From the roots downwards, so that a place finds the part of its parent.
  for (std::size_t p = tree.places(); p-- > 0;) {
    if (p >= first_held || tree.subtree(p) > most) {
      rest += tree.own(p);
      continue;
    }
    const auto parent = static_cast<std::size_t>(tree.parent(p));
    const bool root = parent >= tree.places() || division.part[parent] < 0;
    if (!root) {
      division.part[p] = division.part[parent];
      continue;
    }
    if (division.parts == 0 ||
        filled + tree.subtree(p) > std::max(tree.total() / pieces, largest)) {
      ++division.parts;
      filled = 0.0;
    }
    filled += tree.subtree(p);
    largest = std::max(largest, filled);
    division.part[p] = division.parts - 1;
  }
  for (int& part : division.part) {
    if (part < 0) part = division.parts;
  }
  division.time = rest + std::max(largest, (tree.total() - rest) / threads);
  return division;
}

Division best_division(const EliminationTree& tree, std::size_t first_held) {
  Division best;
  for (const double share : {1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 2.0 / 3.0}) {
    Division next = divided(tree, first_held, share);
    if (best.parts == 0 || next.time < best.time) best = std::move(next);
  }
  return best;
}

/// The body at which the main branch is cut, as a place: below it lies more than this share of the
/// work, as the rest is dearer in the other direction. Nothing where there is no such body.
std::optional<std::size_t> cut_of(const EliminationGraph& graph,
                                  const Elimination& elimination,
                                  const EliminationTree& tree) {
  constexpr double outer_share = 0.58;
  for (std::size_t p = 0; p < tree.places(); ++p) {
    if (tree.subtree(p) < outer_share * tree.total()) continue;
    if (!graph.is_multiplier(elimination.order[p])) return p;
  }
  return std::nullopt;
}

// The same with the main branch cut; see the header.
Elimination dissected(const system::KktPattern& pattern,
                      const Elimination& natural,
                      const EliminationTree& tree,
                      std::size_t cut) {
  EliminationGraph graph(pattern);
  std::vector<bool> held_back(tree.places(), false);
  held_back[static_cast<std::size_t>(natural.order[cut])] = true;
  for (std::size_t p = cut; p < tree.places(); p = static_cast<std::size_t>(tree.parent(p))) {
    if (graph.is_multiplier(natural.order[p])) graph.make_wait(natural.order[p]);
  }
  return eliminate_all(graph, held_back);
}

// Parts one after the other, then the rest; within each the order stays.
void put_parts_together(const Division& division, Elimination& elimination, BlockOrder& result) {
  std::vector<std::size_t> places(elimination.order.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return division.part[a] < division.part[b];
  });
  Elimination sorted;
  for (const std::size_t p : places) {
    while (static_cast<int>(result.parts.size()) <= division.part[p]) {
      result.parts.push_back(static_cast<int>(sorted.order.size()));
    }
    sorted.order.push_back(elimination.order[p]);
    sorted.cliques.push_back(std::move(elimination.cliques[p]));
  }
  while (static_cast<int>(result.parts.size()) <= division.parts) {
    result.parts.push_back(static_cast<int>(sorted.order.size()));
  }
  elimination = std::move(sorted);
}

// Whether rows may depend on others: a joint is eliminated into another one only around a loop.
bool has_loops(const EliminationGraph& graph, const Elimination& natural) {
  const std::vector<bool>& closing = graph.closes_loop();
  if (std::find(closing.begin(), closing.end(), true) != closing.end()) return true;
  for (std::size_t p = 0; p < natural.order.size(); ++p) {
    if (!graph.is_multiplier(natural.order[p])) continue;
    const Blocks& met = natural.cliques[p];
    if (std::any_of(met.begin(), met.end(), [&](int b) { return graph.is_multiplier(b); })) {
      return true;
    }
  }
  return false;
}

// Divides where that pays; a cut where the branches alone do not do it.
void divide(const system::KktPattern& pattern,
            const EliminationGraph& graph,
            Elimination& elimination,
            BlockOrder& result) {
  constexpr double enough = 0.6;       // of the time of one thread
  constexpr double worthwhile = 0.85;  // the same
  constexpr double most_work = 1.5;    // of the undivided order
  const EliminationTree tree(graph, elimination);
  Division division = best_division(tree, tree.places());
  if (division.time > enough * tree.total() && !has_loops(graph, elimination)) {
    if (const std::optional<std::size_t> cut = cut_of(graph, elimination, tree)) {
      Elimination other = dissected(pattern, elimination, tree, *cut);
      const EliminationTree other_tree(graph, other);
      Division of_other = best_division(other_tree, other.first_held);
      const bool better = of_other.time < worthwhile * division.time &&
                          other_tree.total() < most_work * tree.total();
      if (better) {
        result.cut_tree = true;
        elimination = std::move(other);
        division = std::move(of_other);
      }
    }
  }
  if (division.parts < 2 || division.time > worthwhile * tree.total()) return;
  put_parts_together(division, elimination, result);
}

}  // namespace

BlockOrder order_blocks(const system::KktPattern& pattern, int fewest_divided) {
  EliminationGraph graph(pattern);
  const auto blocks = static_cast<std::size_t>(graph.blocks());
  BlockOrder result;
  result.closes_loop = graph.closes_loop();
  Elimination elimination = eliminate_all(graph, std::vector<bool>(blocks, false));
  if (graph.blocks() >= fewest_divided) divide(pattern, graph, elimination, result);
  result.order = std::move(elimination.order);
  std::vector<int> place(blocks, -1);
  for (std::size_t p = 0; p < blocks; ++p) {
    place[static_cast<std::size_t>(result.order[p])] = static_cast<int>(p);
  }
  result.below.resize(blocks);
  for (std::size_t p = 0; p < blocks; ++p) {
    for (const int b : elimination.cliques[p]) {
      result.below[p].push_back(place[static_cast<std::size_t>(b)]);
    }
    std::sort(result.below[p].begin(), result.below[p].end());
  }
  return result;
}

}  // namespace trammel::linear
