// Surfaces of bodies from the files of CAD and modelling programs.
//
//   .stl          binary or ASCII
//   .obj          Wavefront: v and f; polygons are cut into triangles, everything else is ignored
//   .gltf, .glb   glTF 2.0: triangles of all meshes of the scene, placed by its nodes; buffers in
//                 the file, beside it, or in a data URI. Compressed and sparse data are refused
//
// Coordinates are those of the file; a scale turns them into metres.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "trammel/io/text_file.h"
#include "trammel/math/triangle_mesh.h"

namespace trammel::io {

/// More would make reports that no browser opens with pleasure.
inline constexpr std::size_t most_triangles = 200'000;
inline constexpr std::size_t largest_mesh_file = 100'000'000;  ///< bytes

/// Gives the content of a file of at most so many bytes; InputError when it cannot.
using FileContent = std::function<std::string(const std::string& path, std::size_t most_bytes)>;

/// The welded surface. InputError when the file is missing (with the nearest name), too large,
/// damaged, of another format, or holds no triangles.
math::TriangleMesh read_mesh(const std::filesystem::path& path,
                             const FileContent& content = read_regular_file);

}  // namespace trammel::io
