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

constexpr std::array<Facts, 14> table{{
    {FileKind::hdf5, "an HDF5 file of results", ""sv},
    {FileKind::csv, "a CSV file of results", ""sv},
    {FileKind::comparison, "a table of trammel compare", "method,index,stabilisation,"sv},
    {FileKind::html, "an HTML page of Trammel", ""sv},
    {FileKind::svg, "an SVG picture of Trammel", ""sv},
    {FileKind::png, "a PNG picture", "\x89PNG\r\n\x1a\n"sv},
    {FileKind::gif, "a GIF film", "GIF8"sv},
    {FileKind::mp4, "an MP4 film", ""sv},
    {FileKind::webm, "a WebM film", "\x1a\x45\xdf\xa3"sv},
    {FileKind::glb, "a glTF file (.glb) of Trammel", ""sv},
    {FileKind::vtk, "a VTK file of Trammel", ""sv},
    {FileKind::matrices, "a file of state-space matrices", ""sv},
    {FileKind::model, "a model", ""sv},
    {FileKind::model_part, "a part of a model", ""sv},
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

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_hdf5_results(std::string_view head) {
  constexpr std::size_t first_pages = std::size_t{1} << 16U;
  return begins(head, "\x89HDF\r\n\x1a\n"sv) && has(head.substr(0, first_pages), "trammel results");
}

bool is_csv_results(std::string_view head) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  const std::string_view first = line.substr(0, line.find(','));
  if (first == "time [s]" || first == "\"time [s]\"") return true;  // those without remarks
  return (first == "time" || first == "\"time\"") && has(head, "\n# trammel results: ");
}

/// Pages and pictures tell early who made them.
std::string_view first_kilobytes(std::string_view head) {
  return head.substr(0, 4096);
}

bool is_page(std::string_view head) {
  return begins(plain(first_kilobytes(head)), "<!doctype html") &&
         has(first_kilobytes(head), R"(<meta name="generator" content="trammel)");
}

bool is_marked_xml(std::string_view head, std::string_view element) {
  const std::string text = plain(first_kilobytes(head));
  return begins(text, "<") && has(text, element) && has(text, xml_mark);
}

bool is_model(std::string_view head) {
  for (const std::string_view key : {"trammel:"sv, R"("trammel")"sv, "'trammel'"sv}) {
    for (std::size_t at = head.find(key); at < head.size(); at = head.find(key, at + 1)) {
      if (at == 0 || has(" \t\n\r{,\xbf"sv, head.substr(at - 1, 1))) return true;
    }
  }
  return false;
}

bool is_matrices(std::string_view text) {
  if (!begins(text, "{")) return false;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n", 1), text.size()));
  return begins(text, "\"states\"");
}

/// With the keys and the layout that write_state_space gives it.
bool is_matrices_of_ours(std::string_view head) {
  std::size_t at = 0;
  for (const std::string_view key :
       {"{\n  \"states\": ["sv, "\n  \"inputs\": ["sv, "\n  \"outputs\": ["sv, "\n  \"A\": ["sv}) {
    at = at == std::string_view::npos ? at : head.find(key, at);
  }
  return begins(head, "{") && at != std::string_view::npos;
}

/// Text that begins like no other format.
bool is_other_text(std::string_view head) {
  const std::string text = plain(first_kilobytes(head));
  const bool signed_head = std::any_of(table.begin(), table.end(), [&](const Facts& each) {
    return !each.signature.empty() && begins(head, each.signature);
  });
  return !signed_head && !has(head, "\0"sv) && !begins(head, "\x89") && !begins(head, "glTF") &&
         !begins(text, "<") && !begins(text, "time,") && !begins(text, "\"time\",") &&
         !is_matrices(text);
}

}  // namespace

std::string_view description(FileKind kind) {
  return facts(kind).description;
}

bool looks_like(FileKind kind, std::string_view head) {
  const std::string_view signature = facts(kind).signature;
  if (!signature.empty()) return begins(head, signature);
  switch (kind) {
    case FileKind::hdf5:
      return is_hdf5_results(head);
    case FileKind::csv:
      return is_csv_results(head);
    case FileKind::html:
      return is_page(head);
    case FileKind::svg:
      return is_marked_xml(head, "<svg");
    case FileKind::glb:
      return begins(head, "glTF") && has(first_kilobytes(head), R"("generator":"trammel)");
    case FileKind::mp4:
      return head.size() > 8 && head.substr(4, 4) == "ftyp";
    case FileKind::vtk:
      return is_marked_xml(head, "<vtkfile");
    case FileKind::matrices:
      return is_matrices_of_ours(head);
    case FileKind::model:
      return is_other_text(head) && is_model(head);
    case FileKind::model_part:
      return is_other_text(head);
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
