#include "trammel/io/mesh_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/io/gltf.h"

namespace trammel::io {
namespace {

using Eigen::Vector3d;
using math::TriangleMesh;

[[noreturn]] void damaged(const std::string& what) {
  throw core::InputError(what, "write the file again from the program it comes from");
}

[[noreturn]] void too_many(std::size_t triangles) {
  throw core::InputError(fmt::format("{} triangles are too many", triangles),
                         fmt::format("simplify the mesh to at most {}", most_triangles));
}

/// The lines of a text, one after the other, cut into words.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }
  std::string_view word() {
    const std::size_t first = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    line_.remove_prefix(first);
    const std::size_t end = std::min(line_.find_first_of(" \t\r"), line_.size());
    const std::string_view result = line_.substr(0, end);
    line_.remove_prefix(end);
    return result;
  }
  Vector3d point() {
    Vector3d result;
    for (double& x : result) {
      std::string_view text = word();
      if (!text.empty() && text.front() == '+') text.remove_prefix(1);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
      if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(x)) {
        damaged(fmt::format("line {}: a coordinate is no number", number_));  // nothing is quoted
      }
    }
    return result;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

// --- STL: 80 bytes of heading, the number of triangles, 50 bytes for each of them.

constexpr std::size_t stl_heading = 84;
constexpr std::size_t stl_triangle = 50;

std::optional<std::size_t> binary_stl_triangles(std::string_view bytes) {
  if (bytes.size() < stl_heading) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + stl_heading - sizeof count, sizeof count);
  return count;
}

TriangleMesh read_binary_stl(std::string_view bytes, std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  if (count > most_triangles) too_many(count);
  TriangleMesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 9> corners{};
    const std::size_t behind_normal = 12;
    std::memcpy(corners.data(), bytes.data() + stl_heading + i * stl_triangle + behind_normal,
                sizeof corners);
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (std::size_t k = 0; k < 9; k += 3) {
      mesh.points.emplace_back(corners[k], corners[k + 1], corners[k + 2]);
      if (!mesh.points.back().allFinite()) {
        damaged(fmt::format("triangle {} has a coordinate that is no number", i + 1));
      }
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh read_ascii_stl(std::string_view text) {
  TriangleMesh mesh;
  Lines lines(text);
  std::size_t corners = 0;
  bool ended = false;
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word == "vertex") {
      mesh.points.push_back(lines.point());
      ++corners;
    } else if (word == "endloop") {
      if (corners != 3) {
        damaged(fmt::format("line {}: a facet has {} corners, not 3", lines.number(), corners));
      }
      const auto end = static_cast<std::uint32_t>(mesh.points.size());
      mesh.triangles.push_back({end - 3, end - 2, end - 1});
      if (mesh.triangles.size() > most_triangles) too_many(mesh.triangles.size());
      corners = 0;
    }
    ended = ended || word == "endsolid";
  }
  if (corners != 0 || !ended) damaged("the file ends before 'endsolid'");
  return mesh;
}

TriangleMesh read_stl(std::string_view bytes) {
  // Binary files may begin with the word "solid" as well; their length tells.
  const auto count = binary_stl_triangles(bytes);
  if (count && bytes.size() == stl_heading + *count * stl_triangle) {
    return read_binary_stl(bytes, *count);
  }
  const bool text = bytes.find('\0') == std::string_view::npos;
  if (text && bytes.substr(0, 5) == "solid") return read_ascii_stl(bytes);
  if (!count) damaged("the file is too short for an STL file");
  damaged(fmt::format("it promises {} triangles, which are {} bytes, and has {} bytes", *count,
                      stl_heading + *count * stl_triangle, bytes.size()));
}

// --- OBJ

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : lines_(text) {}

  TriangleMesh read() {
    while (lines_.next()) {
      const std::string_view word = lines_.word();
      if (word == "v") mesh_.points.push_back(lines_.point());
      if (word == "f") read_face();
    }
    return std::move(mesh_);
  }

 private:
  // "7", "7/1", "7//3", "-1": counted from 1, or backwards from the last point.
  std::uint32_t corner(std::string_view word) const {
    long number = 0;
    const std::string_view digits = word.substr(0, word.find('/'));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const auto count = static_cast<long>(mesh_.points.size());
    const long index = number < 0 ? count + number : number - 1;
    if (error != std::errc() || end != digits.data() + digits.size() || index < 0 ||
        index >= count) {
      damaged(fmt::format("line {}: a corner is none of the {} points before it", lines_.number(),
                          count));
    }
    return static_cast<std::uint32_t>(index);
  }

  void read_face() {
    std::vector<std::uint32_t> corners;
    for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word()) {
      corners.push_back(corner(word));
    }
    if (corners.size() < 3) {
      damaged(fmt::format("line {}: a face has {} corners", lines_.number(), corners.size()));
    }
    for (std::size_t k = 2; k < corners.size(); ++k) {
      mesh_.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
    if (mesh_.triangles.size() > most_triangles) too_many(mesh_.triangles.size());
  }

  Lines lines_;
  TriangleMesh mesh_;
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

TriangleMesh read_any(const std::filesystem::path& path, const FileContent& content) {
  const std::string ending = lower_case(path.extension().string());
  const bool gltf = ending == ".gltf" || ending == ".glb";
  if (ending != ".stl" && ending != ".obj" && !gltf) {
    throw core::InputError(fmt::format("'{}' is no format of meshes", ending),
                           "convert it to .stl, .obj, .gltf or .glb");
  }
  const std::string bytes = content(path.string(), largest_mesh_file);
  if (bytes.empty()) damaged("the file is empty");
  if (ending == ".stl") return read_stl(bytes);
  if (ending == ".obj") return ObjReader(bytes).read();
  return read_gltf(bytes, [&](const std::string& name) {
    return content((path.parent_path() / name).string(), largest_mesh_file);
  });
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& path, const FileContent& content) {
  try {
    TriangleMesh mesh = math::welded(read_any(path, content));
    if (mesh.triangles.empty()) damaged("it holds no triangles");
    return mesh;
  } catch (const core::InputError& error) {
    const core::Diagnostic& first = error.diagnostics().front();
    const bool named = first.message.find(path.string()) != std::string::npos;
    throw core::InputError(
        named ? first.message : fmt::format("mesh '{}': {}", path.string(), first.message),
        first.remedy);
  }
}

}  // namespace trammel::io
