// The graph of a mechanism [Sol1983, chapter 4]: bodies are vertices, kinematic connections are
// edges. Springs and other forces are no edges. Nothing here knows mechanics.
#pragma once

#include <string>
#include <vector>

namespace trammel::topology {

struct Vertex {
  std::string name;
  int free_coordinates = 0;  ///< of the hinge that ties it when nothing else does: 6, 3 or 2
};

/// What the user wants of an edge.
enum class Wish { none, open, keep };

struct Edge {
  std::string name;
  std::string kind;
  int a = 0;  ///< vertices; the edge is directed from a to b
  int b = 0;
  /// Coordinates of its hinge form; negative when it has none and can only be a cut joint.
  int coordinates = -1;
  int rows = 0;  ///< constraint equations of its other form
  Wish wish = Wish::none;

  bool has_hinge() const { return coordinates >= 0; }
  bool may_be_branch() const { return has_hinge() && wish != Wish::open; }
};

/// A free hinge that the user wants between parts.
struct Tie {
  int vertex = 0;
  int to = 0;
};

/// vertices[0] is the ground.
struct Graph {
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Tie> ties = {};
};

}  // namespace trammel::topology
