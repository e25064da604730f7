// What kind of file something is, seen from its first bytes: names can be mistaken. Where a kind of
// file is also written by others and its format has room for a mark, only those with Trammel's own
// mark count: somebody's table, page or drawing is not ours to replace.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace trammel::results {

/// Everything that Trammel writes.
enum class FileKind {
  hdf5,        ///< results, known by the attribute `format`
  csv,         ///< results, known by the line "# trammel results"
  comparison,  ///< CSV table of trammel compare
  html,        ///< known by its generator
  svg,         ///< known by xml_mark, as VTK files are
  png,         ///< pictures and films of whatever origin
  gif,
  mp4,
  webm,
  glb,  ///< known by its generator
  vtk,
  matrices,   ///< JSON with A, B, C, D, known by its layout
  model,      ///< YAML or JSON with the key `trammel`
  model_part  ///< any text that is nothing else: it is replaced only by its own next version
};

/// A comment in XML.
inline constexpr std::string_view xml_mark = "<!-- made by trammel -->";

/// So many bytes tell the kind of every file; the heading of a CSV file with many channels is long.
inline constexpr std::size_t recognisable_head = std::size_t{1} << 22U;

/// "an HTML page", for messages.
std::string_view description(FileKind kind);

/// Whether a file that begins with these bytes (recognisable_head are enough) is one of this kind.
bool looks_like(FileKind kind, std::string_view head);

/// By the ending of a name: .svg, .png, .gif, .mp4, .webm. InputError for any other.
FileKind picture_kind(const std::filesystem::path& path);

}  // namespace trammel::results
