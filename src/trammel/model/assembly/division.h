// How the elements of a mechanism are divided among threads, so that sums come out the same for any
// number of them.
//
// Nodes are cut into chunks of neighbouring numbers, a few hundred each, whatever the number of
// threads. Elements whose nodes lie in one chunk belong to it: chunks are worked on side by side,
// each in the order of its groups and elements. Elements across chunks come after all chunks, in
// order. Every sum has one order, then, which is that of the model. Mechanisms of one chunk have
// nothing across.
#pragma once

#include <functional>
#include <vector>

#include "trammel/model/elements/element_group.h"

namespace trammel::model {

class Division {
 public:
  static constexpr int nodes_per_chunk = 512;

  struct Chunk {
    int first_node = 1;  ///< the ground is in none
    int last_node = 1;   ///< behind the last
    int first_velocity = 0;
    int last_velocity = 0;
  };
  /// Of one group: runs of neighbouring elements.
  struct Parts {
    std::vector<std::vector<Part>> inside;  ///< per chunk
    std::vector<Part> across;
  };

  /// First velocity of node 1, 2, ..., then the number of all.
  explicit Division(const std::vector<int>& velocities);
  /// `nodes` tells those of an element; the ground does not count.
  void add_group(std::size_t elements,
                 const std::function<std::vector<int>(std::size_t element)>& nodes);

  const std::vector<Chunk>& chunks() const { return chunks_; }
  /// In the order in which they were added.
  const std::vector<Parts>& groups() const { return groups_; }

 private:
  std::vector<Chunk> chunks_;
  std::vector<Parts> groups_;
};

}  // namespace trammel::model
