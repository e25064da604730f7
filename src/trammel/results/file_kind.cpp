#include "trammel/results/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::results {
namespace {

using std::literals::operator""sv;

struct Facts {
  FileKind kind;
  std::string_view description;
  std::string_view signature;  ///< first bytes; empty: see looks_like
};

constexpr std::array<Facts, 13> table{{
    {FileKind::hdf5, "an HDF5 file", "\x89HDF\r\n\x1a\n"sv},
    {FileKind::csv, "a CSV file of results", ""sv},
    {FileKind::comparison, "a table of trammel compare", "method,index,stabilisation,"sv},
    {FileKind::html, "an HTML page", ""sv},
    {FileKind::svg, "an SVG picture", ""sv},
    {FileKind::png, "a PNG picture", "\x89PNG\r\n\x1a\n"sv},
    {FileKind::gif, "a GIF film", "GIF8"sv},
    {FileKind::mp4, "an MP4 film", ""sv},
    {FileKind::webm, "a WebM film", "\x1a\x45\xdf\xa3"sv},
    {FileKind::glb, "a glTF file (.glb)", "glTF"sv},
    {FileKind::vtk, "a VTK file", ""sv},
    {FileKind::matrices, "a file of state-space matrices", ""sv},
    {FileKind::model, "a model", ""sv},
}};

const Facts& facts(FileKind kind) {
  return *std::find_if(table.begin(), table.end(),
                       [kind](const Facts& each) { return each.kind == kind; });
}

/// In small letters, without blanks and a byte order mark before it.
std::string plain(std::string_view head) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (head.substr(0, mark.size()) == mark) head.remove_prefix(mark.size());
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  std::string text(head);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

bool is_results_heading(std::string_view head) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  const std::string_view first = line.substr(0, line.find(','));
  return first == "time" || first == "\"time\"";
}

bool is_matrices(std::string_view text) {
  if (!begins(text, "{")) return false;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n", 1), text.size()));
  return begins(text, "\"states\"");
}

}  // namespace

std::string_view description(FileKind kind) {
  return facts(kind).description;
}

bool looks_like(FileKind kind, std::string_view head) {
  const std::string_view signature = facts(kind).signature;
  if (!signature.empty()) return begins(head, signature);
  switch (kind) {
    case FileKind::csv:
      return is_results_heading(head);
    case FileKind::html:
      return begins(plain(head), "<!doctype html") || begins(plain(head), "<html");
    case FileKind::svg:
      return begins(plain(head), "<") && plain(head).find("<svg") != std::string::npos;
    case FileKind::mp4:
      return head.size() > 8 && head.substr(4, 4) == "ftyp";
    case FileKind::vtk:
      return begins(plain(head), "<") && plain(head).find("<vtkfile") != std::string::npos;
    case FileKind::matrices:
      return is_matrices(plain(head));
    case FileKind::model:
      return head.find('\0') == std::string_view::npos &&
             std::none_of(table.begin(), table.end(), [&](const Facts& each) {
               return each.kind != FileKind::model && looks_like(each.kind, head);
             });
    default:
      return false;
  }
}

FileKind picture_kind(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  for (const FileKind kind :
       {FileKind::svg, FileKind::png, FileKind::gif, FileKind::mp4, FileKind::webm}) {
    static constexpr std::array endings{".svg"sv, ".png"sv, ".gif"sv, ".mp4"sv, ".webm"sv};
    if (ending == endings[static_cast<std::size_t>(kind) - static_cast<std::size_t>(FileKind::svg)])
      return kind;
  }
  throw core::InputError(fmt::format("'{}' is no name for a picture or film", path.string()),
                         "end it in .svg, .png, .gif, .mp4 or .webm");
}

}  // namespace trammel::results
