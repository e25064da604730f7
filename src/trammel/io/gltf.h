// The triangles of a glTF 2.0 asset (Khronos, ISO/IEC 12113), as .glb or .gltf.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "trammel/math/triangle_mesh.h"

namespace trammel::io {

/// Gives the bytes of a file beside the asset; throws core::InputError when it cannot.
using BesideFile = std::function<std::string(const std::string& name)>;

/// All triangles of the asset's scene in its coordinates. Without a scene, those of all nodes that
/// are no children; without nodes, all meshes as they are. InputError for what is damaged or not
/// understood.
math::TriangleMesh read_gltf(std::string_view bytes, const BesideFile& beside);

}  // namespace trammel::io
