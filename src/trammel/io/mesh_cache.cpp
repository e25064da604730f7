#include "trammel/io/mesh_cache.h"

#include <filesystem>

#include "trammel/io/mesh_file.h"

namespace trammel::io {

math::Mesh MeshCache::find(const std::string& folder, const std::string& file, double scale) {
  const std::filesystem::path path = std::filesystem::path(folder) / file;
  const auto [place, is_new] = known_.try_emplace({path.string(), scale});
  if (is_new) {
    const auto content = [this](const std::string& name, std::size_t most_bytes) {
      return files_.read(name, most_bytes);
    };
    try {
      place->second = std::make_shared<const math::TriangleMesh>(
          math::scaled(read_mesh(path, content), Eigen::Vector3d::Constant(scale)));
    } catch (...) {
      known_.erase(place);
      throw;
    }
  }
  return {place->second, file};
}

}  // namespace trammel::io
