// Surfaces that many bodies share are read once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "trammel/io/source_files.h"
#include "trammel/math/shapes.h"

namespace trammel::io {

class MeshCache {
 public:
  /// Files are read through `files`, which must live as long.
  explicit MeshCache(SourceFiles& files) : files_(files) {}

  /// The surface of a file in a folder, its coordinates times `scale`. Errors as of read_mesh.
  math::Mesh find(const std::string& folder, const std::string& file, double scale);

 private:
  SourceFiles& files_;
  std::map<std::pair<std::string, double>, std::shared_ptr<const math::TriangleMesh>> known_;
};

}  // namespace trammel::io
