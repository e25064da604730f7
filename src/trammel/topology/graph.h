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

struct Edge {
  std::string name;
  std::string kind;
  int a = 0;  ///< vertices; the edge is directed from a to b
  int b = 0;
  /// Coordinates of its hinge form; negative when it has none and can only be a cut joint.
  int coordinates = -1;
  int rows = 0;  ///< constraint equations of its other form

  bool has_hinge() const { return coordinates >= 0; }
};

/// vertices[0] is the ground.
struct Graph {
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
};

}  // namespace trammel::topology
