#include "trammel/model/assembly/division.h"

#include <algorithm>

namespace trammel::model {
namespace {

// Adds an element to the last run, if it continues it.
void append_to_runs(std::size_t element, std::vector<Part>& runs) {
  if (!runs.empty() && runs.back().last == element) {
    ++runs.back().last;
  } else {
    runs.push_back({element, element + 1});
  }
}

}  // namespace

Division::Division(const std::vector<int>& velocities) {
  const int nodes = static_cast<int>(velocities.size()) - 1;
  for (int first = 0; first == 0 || first < nodes; first += nodes_per_chunk) {
    const int last = std::min(first + nodes_per_chunk, nodes);
    chunks_.push_back({first + 1, last + 1, velocities[static_cast<std::size_t>(first)],
                       velocities[static_cast<std::size_t>(last)]});
  }
}

void Division::add_group(std::size_t elements,
                         const std::function<std::vector<int>(std::size_t element)>& nodes) {
  Parts parts;
  parts.inside.resize(chunks_.size());
  if (chunks_.size() == 1) {
    if (elements > 0) parts.inside.front() = {{0, elements}};
    groups_.push_back(std::move(parts));
    return;
  }
  for (std::size_t i = 0; i < elements; ++i) {
    int chunk = -1;
    bool across = false;
    for (const int node : nodes(i)) {
      if (node == 0) continue;
      const int other = (node - 1) / nodes_per_chunk;
      across = across || (chunk >= 0 && other != chunk);
      chunk = other;
    }
    // What touches the ground alone writes into no node.
    append_to_runs(
        i, across ? parts.across : parts.inside[static_cast<std::size_t>(std::max(chunk, 0))]);
  }
  groups_.push_back(std::move(parts));
}

}  // namespace trammel::model
