#include "trammel/io/gltf.h"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "trammel/core/base64.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/json_value.h"
#include "trammel/io/mesh_file.h"

namespace trammel::io {
namespace {

using core::JsonValue;
using Eigen::Affine3d;
using Eigen::Vector3d;
using math::TriangleMesh;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
constexpr int triangles_mode = 4;
constexpr std::size_t most_points = 5'000'000;

[[noreturn]] void refuse(const std::string& what, const std::string& remedy = {}) {
  throw core::InputError(
      what, remedy.empty() ? "write the file again from the program it comes from" : remedy);
}

/// A number that may be left out. One that is no count of bytes, or too large to be one (above
/// 2^53, so that sums of two cannot overflow), is a mistake and not the same as none.
std::size_t count_in(const JsonValue& object, const char* key, std::size_t fallback) {
  const JsonValue& value = object[key];
  if (value.is_null()) return fallback;
  const std::size_t count = value.index(nowhere);
  if (count == nowhere) refuse(fmt::format("its {} is no count of bytes or elements", key));
  return count;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word = 0;
  if (at + sizeof word > bytes.size()) refuse("the file is cut short");
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// The JSON of an asset, and its binary chunk when it has one.
struct Container {
  std::string_view json;
  std::string_view binary;
};

constexpr std::string_view glb_magic = "glTF";

Container unpacked(std::string_view bytes) {
  if (bytes.substr(0, glb_magic.size()) != glb_magic) return {bytes, {}};
  if (word_at(bytes, 4) != 2)
    refuse(fmt::format("it has glTF version {}", word_at(bytes, 4)), "convert it to glTF 2.0");
  const std::size_t length = word_at(bytes, 8);
  if (length > bytes.size()) refuse("the file is cut short");
  Container container;
  for (std::size_t at = 12; at + 8 <= length;) {
    const std::size_t size = word_at(bytes, at);
    const std::string_view kind = bytes.substr(at + 4, 4);
    if (at + 8 + size > length) refuse("the file is cut short");
    const std::string_view content = bytes.substr(at + 8, size);
    if (kind == "JSON" && container.json.empty()) container.json = content;
    if (kind == std::string_view("BIN\0", 4) && container.binary.empty())
      container.binary = content;
    at += 8 + size;
  }
  return container;
}

/// What an accessor points at.
struct View {
  std::string_view bytes;  ///< from its first element
  std::size_t count = 0;
  std::size_t stride = 0;
  std::size_t component = 0;  ///< kind of its numbers
};

constexpr std::size_t unsigned_byte = 5121;
constexpr std::size_t unsigned_short = 5123;
constexpr std::size_t unsigned_int = 5125;
constexpr std::size_t float_number = 5126;

std::size_t component_bytes(std::size_t component) {
  if (component == unsigned_byte) return 1;
  return component == unsigned_short ? 2 : 4;
}

class Asset {
 public:
  Asset(const Container& container, const BesideFile& beside)
      : json_(core::parse_json(container.json)) {
    if (json_["asset"]["version"].text().substr(0, 2) != "2.") {
      refuse("it does not say that it is glTF 2", "convert it to glTF 2.0");
    }
    for (const JsonValue& extension : json_["extensionsRequired"].array()) {
      refuse(fmt::format("it needs the extension {}", extension.text()),
             "write it without compression and other extensions");
    }
    for (const JsonValue& buffer : json_["buffers"].array()) {
      buffers_.push_back(content_of(buffer["uri"].text(), container.binary, beside));
    }
    visited_.resize(json_["nodes"].size());
  }

  TriangleMesh read() {
    const auto& nodes = json_["nodes"].array();
    const Affine3d here = Affine3d::Identity();
    const JsonValue& scene = json_["scenes"][json_["scene"].index(0)];
    if (scene.is_object()) {
      for (const JsonValue& node : scene["nodes"].array()) add_node(node.index(nowhere), here, 0);
    } else if (!nodes.empty()) {
      std::set<std::size_t> children;
      for (const JsonValue& node : nodes) {
        for (const JsonValue& child : node["children"].array())
          children.insert(child.index(nowhere));
      }
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!children.contains(i)) add_node(i, here, 0);
      }
    } else {
      for (std::size_t i = 0; i < json_["meshes"].size(); ++i) add_mesh(i, here);
    }
    return std::move(mesh_);
  }

 private:
  /// Each content is in memory once, however many buffers name it, and all together are not larger
  /// than a mesh file may be.
  std::string_view content_of(const std::string& uri,
                              std::string_view binary,
                              const BesideFile& beside) {
    if (uri.empty()) return binary;
    const auto [place, fresh] = contents_.try_emplace(uri);
    if (fresh) {
      place->second = uri.rfind("data:", 0) == 0 ? decoded(uri) : beside(uri);
      content_bytes_ += place->second.size();
      if (content_bytes_ > largest_mesh_file) {
        refuse("its buffers are too large together", "simplify the mesh");
      }
    }
    return place->second;
  }

  static std::string decoded(const std::string& uri) {
    const std::size_t comma = uri.find(";base64,");
    const auto bytes = comma == std::string::npos
                           ? std::nullopt
                           : core::from_base64(std::string_view(uri).substr(comma + 8));
    if (!bytes) refuse("a data URI is damaged");
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }

  static Affine3d placement(const JsonValue& node) {
    Affine3d place = Affine3d::Identity();
    const JsonValue& matrix = node["matrix"];
    if (matrix.size() == 16) {
      for (std::size_t i = 0; i < 16; ++i) {
        place.matrix()(static_cast<Eigen::Index>(i % 4), static_cast<Eigen::Index>(i / 4)) =
            matrix[i].number();
      }
      return place;
    }
    const JsonValue& t = node["translation"];
    const JsonValue& r = node["rotation"];
    const JsonValue& s = node["scale"];
    place.translate(Vector3d(t[0].number(), t[1].number(), t[2].number()));
    place.rotate(Eigen::Quaterniond(r[3].number(1.0), r[0].number(), r[1].number(), r[2].number())
                     .normalized());
    place.scale(Vector3d(s[0].number(1.0), s[1].number(1.0), s[2].number(1.0)));
    return place;
  }

  void add_node(std::size_t index, const Affine3d& parent, int depth) {
    constexpr int deepest = 64;
    const JsonValue& node = json_["nodes"][index];
    if (!node.is_object()) refuse("it names a node that does not exist");
    if (depth > deepest) refuse("its nodes are nested too deeply or contain each other");
    // A few nodes that share their children would otherwise be visited 2^60 times.
    if (visited_[index])
      refuse(fmt::format("node {} is nested in two others, which glTF forbids", index));
    visited_[index] = true;
    const Affine3d place = parent * placement(node);
    if (!node["mesh"].is_null()) add_mesh(node["mesh"].index(nowhere), place);
    for (const JsonValue& child : node["children"].array()) {
      add_node(child.index(nowhere), place, depth + 1);
    }
  }

  void add_mesh(std::size_t index, const Affine3d& place) {
    const JsonValue& mesh = json_["meshes"][index];
    if (!mesh.is_object()) refuse("it names a mesh that does not exist");
    for (const JsonValue& primitive : mesh["primitives"].array()) {
      if (primitive["mode"].index(triangles_mode) == triangles_mode)
        add_primitive(primitive, place);
    }
  }

  void add_primitive(const JsonValue& primitive, const Affine3d& place) {
    const auto first = static_cast<std::uint32_t>(mesh_.points.size());
    const View points = view(primitive["attributes"]["POSITION"].index(nowhere), 3, float_number);
    if (mesh_.points.size() + points.count > most_points) {
      refuse("it has too many points", "simplify the mesh");
    }
    for (std::size_t i = 0; i < points.count; ++i) {
      std::array<float, 3> p{};
      std::memcpy(p.data(), points.bytes.data() + i * points.stride, sizeof p);
      mesh_.points.push_back(place * Vector3d(p[0], p[1], p[2]));
      if (!mesh_.points.back().allFinite()) refuse("a coordinate is no number");
    }
    add_triangles(indices(primitive, points.count), first, place.linear().determinant() < 0.0);
  }

  std::vector<std::uint32_t> indices(const JsonValue& primitive, std::size_t points) const {
    std::vector<std::uint32_t> list;
    if (primitive["indices"].is_null()) {
      for (std::uint32_t i = 0; i < points; ++i) list.push_back(i);
      return list;
    }
    const View numbers = view(primitive["indices"].index(nowhere), 1, 0);
    check_triangles(numbers.count / 3);
    for (std::size_t i = 0; i < numbers.count; ++i) {
      std::uint32_t index = 0;
      std::memcpy(&index, numbers.bytes.data() + i * numbers.stride,
                  component_bytes(numbers.component));
      if (index >= points) refuse(fmt::format("it names point {} of {}", index, points));
      list.push_back(index);
    }
    return list;
  }

  /// Before they are read.
  void check_triangles(std::size_t more) const {
    if (mesh_.triangles.size() + more <= most_triangles) return;
    refuse(fmt::format("{} triangles are too many", mesh_.triangles.size() + more),
           fmt::format("simplify the mesh to at most {}", most_triangles));
  }

  void add_triangles(const std::vector<std::uint32_t>& corners,
                     std::uint32_t first,
                     bool mirrored) {
    check_triangles(corners.size() / 3);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      std::array<std::uint32_t, 3> triangle{first + corners[i], first + corners[i + 1],
                                            first + corners[i + 2]};
      if (mirrored) std::swap(triangle[1], triangle[2]);
      mesh_.triangles.push_back(triangle);
    }
  }

  /// `component` 0: any unsigned number.
  View view(std::size_t index, std::size_t components, std::size_t component) const {
    const JsonValue& accessor = json_["accessors"][index];
    const JsonValue& place = json_["bufferViews"][accessor["bufferView"].index(nowhere)];
    const std::size_t buffer = place["buffer"].index(nowhere);
    if (!accessor["sparse"].is_null()) {
      refuse("it has sparse accessors", "write it without them, or as .stl");
    }
    if (buffer >= buffers_.size()) refuse("it names data that do not exist");
    View result;
    result.component = accessor["componentType"].index(0);
    const bool fits = component == 0 ? result.component == unsigned_byte ||
                                           result.component == unsigned_short ||
                                           result.component == unsigned_int
                                     : result.component == component;
    if (!fits || accessor["type"].text() != (components == 3 ? "VEC3" : "SCALAR")) {
      refuse("its points or indices are numbers of an unexpected kind");
    }
    const std::size_t element = components * component_bytes(result.component);
    result.count = count_in(accessor, "count", 0);
    result.stride = count_in(place, "byteStride", element);
    const std::string_view bytes = buffers_[buffer];
    const std::size_t begin =
        count_in(place, "byteOffset", 0) + count_in(accessor, "byteOffset", 0);
    const bool inside = begin <= bytes.size() && result.stride >= element &&
                        result.stride <= bytes.size() &&
                        (result.count == 0 ||
                         (result.count <= bytes.size() &&
                          (result.count - 1) * result.stride + element <= bytes.size() - begin));
    if (!inside && result.count > 0) refuse("the file is cut short: its data end too early");
    if (result.count > 0) result.bytes = bytes.substr(begin);
    return result;
  }

  JsonValue json_;
  std::map<std::string, std::string> contents_;  ///< of buffers that lie elsewhere, by their URI
  std::size_t content_bytes_ = 0;
  std::vector<std::string_view> buffers_;
  std::vector<bool> visited_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_gltf(std::string_view bytes, const BesideFile& beside) {
  return Asset(unpacked(bytes), beside).read();
}

}  // namespace trammel::io
