#include "trammel/linear/block_order.h"

#include <algorithm>
#include <queue>
#include <tuple>

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
    if (supported_[at] >= (closes_loop_[at] ? support_[at] : size(b))) return true;
    return std::none_of(neighbours(b).begin(), neighbours(b).end(),
                        [&](int other) { return !is_multiplier(other); });
  }

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
  Blocks merged_;
};

}  // namespace

BlockOrder order_blocks(const system::KktPattern& pattern) {
  EliminationGraph graph(pattern);
  const auto blocks = static_cast<std::size_t>(graph.blocks());
  BlockOrder result;
  result.closes_loop = graph.closes_loop();
  std::vector<Blocks> cliques;
  std::vector<int> place(blocks, -1);

  // Lazy priority queue of (degree, -block): stale entries are skipped. Ties go to the later block,
  // which in most models is farther from the ground.
  using Entry = std::tuple<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto offer = [&](int b) {
    if (graph.eligible(b)) queue.emplace(graph.degree(b), -b);
  };
  for (int b = 0; b < graph.blocks(); ++b) offer(b);
  while (result.order.size() < blocks) {
    const auto [degree, negative] = queue.top();
    queue.pop();
    const int b = -negative;
    if (place[static_cast<std::size_t>(b)] >= 0 || degree != graph.degree(b)) continue;
    place[static_cast<std::size_t>(b)] = static_cast<int>(result.order.size());
    result.order.push_back(b);
    cliques.push_back(graph.eliminate(b));
    for (const int other : cliques.back()) offer(other);
  }

  result.below.resize(blocks);
  for (std::size_t p = 0; p < blocks; ++p) {
    for (const int b : cliques[p]) result.below[p].push_back(place[static_cast<std::size_t>(b)]);
    std::sort(result.below[p].begin(), result.below[p].end());
  }
  return result;
}

}  // namespace trammel::linear
