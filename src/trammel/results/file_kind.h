// What kind of file something is, seen from its first bytes: names can be mistaken.
#pragma once

#include <filesystem>
#include <string_view>

namespace trammel::results {

/// Everything that Trammel writes.
enum class FileKind {
  hdf5,        ///< results
  csv,         ///< results
  comparison,  ///< CSV table of trammel compare
  html,
  svg,
  png,
  gif,
  mp4,
  webm,
  glb,
  vtk,
  matrices,  ///< JSON with A, B, C, D
  model      ///< YAML or JSON
};

/// "an HTML page", for messages.
std::string_view description(FileKind kind);

/// Whether a file that begins with these bytes (512 are enough) may be one of this kind. Any
/// text that is nothing else may be a model, which is replaced only by its own next version.
bool looks_like(FileKind kind, std::string_view head);

/// By the ending of a name: .svg, .png, .gif, .mp4, .webm. InputError for any other.
FileKind picture_kind(const std::filesystem::path& path);

}  // namespace trammel::results
