// Surfaces that many bodies share are read once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "trammel/math/shapes.h"

namespace trammel::io {

class MeshCache {
 public:
  /// The surface of a file in a folder, its coordinates times `scale`. Errors as of read_mesh.
  math::Mesh find(const std::string& folder, const std::string& file, double scale);

 private:
  std::map<std::pair<std::string, double>, std::shared_ptr<const math::TriangleMesh>> known_;
};

}  // namespace trammel::io
