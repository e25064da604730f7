#include "trammel/report/glb.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "trammel/core/diagnostic.h"
#include "trammel/math/rotation.h"
#include "trammel/report/body_color.h"
#include "trammel/report/body_motion.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/part_surface.h"
#include "trammel/report/shaded_surface.h"
#include "trammel/report/thinning.h"

namespace trammel::report {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector3f;

// Numbers of the glTF specification.
constexpr int float_number = 5126;
constexpr int unsigned_int = 5125;
constexpr int array_buffer = 34962;
constexpr int element_array_buffer = 34963;

/// Numbers in the binary part, and the accessors and views that describe them.
class Numbers {
 public:
  Numbers() {
    accessors_.begin_array();
    views_.begin_array();
  }

  std::size_t add_vectors(const std::vector<Vector3f>& list, int target, bool bounds) {
    std::vector<float> flat;
    flat.reserve(3 * list.size());
    for (const Vector3f& v : list) flat.insert(flat.end(), v.data(), v.data() + 3);
    if (!bounds)
      return add(std::as_bytes(std::span(flat)), list.size(), float_number, "VEC3", target);
    Vector3f low = list.front();
    Vector3f high = list.front();
    for (const Vector3f& v : list) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    return add(std::as_bytes(std::span(flat)), list.size(), float_number, "VEC3", target,
               low.cast<double>(), high.cast<double>());
  }
  std::size_t add_rotations(const std::vector<float>& xyzw) {
    return add(std::as_bytes(std::span(xyzw)), xyzw.size() / 4, float_number, "VEC4", 0);
  }
  std::size_t add_times(const std::vector<float>& times) {
    const auto bound = [](float t) { return Eigen::VectorXd::Constant(1, static_cast<double>(t)); };
    return add(std::as_bytes(std::span(times)), times.size(), float_number, "SCALAR", 0,
               bound(times.front()), bound(times.back()));
  }
  std::size_t add_corners(const std::vector<std::uint32_t>& corners) {
    return add(std::as_bytes(std::span(corners)), corners.size(), unsigned_int, "SCALAR",
               element_array_buffer);
  }

  void finish(JsonWriter& json) {
    accessors_.end_array();
    views_.end_array();
    json.key("accessors");
    json.raw(accessors_.text());
    json.key("bufferViews");
    json.raw(views_.text());
    json.key("buffers");
    json.begin_array();
    json.begin_object();
    json.member("byteLength", bytes_.size());
    json.end_object();
    json.end_array();
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::size_t add(std::span<const std::byte> bytes,
                  std::size_t count,
                  int component,
                  const char* type,
                  int target,
                  const Eigen::VectorXd& low = {},
                  const Eigen::VectorXd& high = {}) {
    static_assert(std::endian::native == std::endian::little);
    views_.begin_object();
    views_.member("buffer", 0);
    views_.member("byteOffset", bytes_.size());
    views_.member("byteLength", bytes.size());
    if (target != 0) views_.member("target", target);
    views_.end_object();
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    accessors_.begin_object();
    accessors_.member("bufferView", count_);
    accessors_.member("componentType", component);
    accessors_.member("count", count);
    accessors_.member("type", type);
    if (low.size() > 0) {
      accessors_.member("min", low);
      accessors_.member("max", high);
    }
    accessors_.end_object();
    return count_++;
  }

  JsonWriter accessors_;
  JsonWriter views_;
  std::string bytes_;  ///< everything in it has four bytes, so that all of it is aligned
  std::size_t count_ = 0;
};

/// Facets of round parts: fewer when there are many.
std::size_t facets_for(std::size_t bodies) {
  return bodies > 1000 ? 8 : bodies > 100 ? 16 : 32;
}

class Exporter {
 public:
  Exporter(const DrawnModel& model, const results::Table& table, const GlbOptions& options)
      : model_(model),
        table_(table),
        motion_(model, table),
        rows_(chosen_rows(table, options)),
        facets_(facets_for(model.bodies.size())) {}

  std::string file() {
    json_.begin_object();
    json_.key("asset");
    json_.begin_object();
    json_.member("version", "2.0");
    json_.member("generator", table_.info.software.empty() ? "trammel" : table_.info.software);
    json_.end_object();
    json_.member("scene", 0);
    json_.key("scenes");
    json_.raw(R"([{"nodes":[0]}])");
    write_meshes();
    write_nodes();
    write_animation();
    numbers_.finish(json_);
    json_.end_object();
    return packed(json_.text(), numbers_.bytes());
  }

 private:
  /// Times must grow from key to key, also as float32.
  static std::vector<std::size_t> chosen_rows(const results::Table& table, const GlbOptions& o) {
    std::vector<std::size_t> rows;
    for (const std::size_t row :
         spread_rows(table.rows(), std::max<std::size_t>(2, o.most_frames))) {
      const auto seconds = [&](std::size_t k) {
        return static_cast<float>(table.time[k] - table.time.front());
      };
      if (rows.empty() || seconds(row) > seconds(rows.back())) rows.push_back(row);
    }
    return rows;
  }

  // --- meshes: per body one, with one primitive per colour

  struct Primitive {
    std::size_t points = 0;
    std::size_t normals = 0;
    std::size_t corners = 0;
  };

  static std::string key_of(const std::vector<const Part*>& parts) {
    std::string key;
    const auto add = [&](const void* data, std::size_t size) {
      key.append(static_cast<const char*>(data), size);
    };
    for (const Part* part : parts) {
      add(&part->kind, sizeof part->kind);
      add(part->size.data(), 3 * sizeof(double));
      add(part->position.data(), 3 * sizeof(double));
      add(part->rotation.coeffs().data(), 4 * sizeof(double));
      const void* surface = part->surface.get();
      add(&surface, sizeof surface);
    }
    return key;
  }

  /// Equal bodies share their numbers.
  std::optional<Primitive> primitive(const std::vector<const Part*>& parts) {
    const auto [place, is_new] = known_.try_emplace(key_of(parts));
    if (!is_new) return place->second;
    ShadedSurface surface;
    for (const Part* part : parts) append(surface, shaded(part_surface(*part, facets_)));
    if (surface.corners.empty()) return place->second;
    place->second = Primitive{numbers_.add_vectors(surface.points, array_buffer, true),
                              numbers_.add_vectors(surface.normals, array_buffer, false),
                              numbers_.add_corners(surface.corners)};
    return place->second;
  }

  std::size_t material(const Vector3d& color) {
    const std::array<double, 3> key{color[0], color[1], color[2]};
    return materials_.try_emplace(key, materials_.size()).first->second;
  }

  void write_meshes() {
    json_.key("meshes");
    json_.begin_array();
    std::size_t count = 0;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      mesh_numbers_.emplace_back();
      if (write_mesh(i)) mesh_numbers_.back() = count++;
    }
    json_.end_array();
    write_materials();
  }

  void write_materials() {
    std::vector<std::array<double, 3>> list(materials_.size());
    for (const auto& [color, number] : materials_) list[number] = color;
    json_.key("materials");
    json_.begin_array();
    for (const auto& color : list) {
      json_.begin_object();
      json_.key("pbrMetallicRoughness");
      json_.begin_object();
      const Vector3d light = linear(Vector3d(color[0], color[1], color[2]));
      json_.member("baseColorFactor", Eigen::Vector4d(light[0], light[1], light[2], 1.0));
      json_.member("metallicFactor", 0.1);
      json_.member("roughnessFactor", 0.6);
      json_.end_object();
      json_.end_object();
    }
    json_.end_array();
  }

  /// False when the body has nothing to show; nothing is written then.
  bool write_mesh(std::size_t i) {
    const DrawnBody& body = model_.bodies[i];
    std::map<std::string, std::vector<const Part*>> by_color;
    for (const Part& part : body.parts) by_color[part.color].push_back(&part);
    std::vector<std::pair<Primitive, std::size_t>> primitives;
    for (const auto& [color, parts] : by_color) {
      const std::optional<Primitive> numbers = primitive(parts);
      if (!numbers) continue;
      const Vector3d shown = color.empty() ? body_color(i, model_.bodies.size()) : color_of(color);
      primitives.emplace_back(*numbers, material(shown));
    }
    if (primitives.empty()) return false;
    json_.begin_object();
    json_.member("name", body.name);
    json_.key("primitives");
    json_.begin_array();
    for (const auto& [numbers, its_material] : primitives) {
      json_.begin_object();
      json_.key("attributes");
      json_.begin_object();
      json_.member("POSITION", numbers.points);
      json_.member("NORMAL", numbers.normals);
      json_.end_object();
      json_.member("indices", numbers.corners);
      json_.member("material", its_material);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
    return true;
  }

  // --- nodes and their motion

  static Eigen::Vector4d xyzw(const Quaterniond& q) { return q.coeffs(); }

  void write_nodes() {
    json_.key("nodes");
    json_.begin_array();
    json_.begin_object();
    json_.member("name", table_.info.model_name.empty() ? "model" : table_.info.model_name);
    json_.member("rotation", xyzw(math::shortest_rotation(up_of(model_), Vector3d::UnitY())));
    json_.key("children");
    json_.begin_array();
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) json_.value(i + 1);
    json_.end_array();
    json_.end_object();
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Pose pose = rows_.empty()
                            ? Pose{model_.bodies[i].position, model_.bodies[i].orientation}
                            : motion_.pose(i, rows_.front());
      json_.begin_object();
      json_.member("name", model_.bodies[i].name);
      if (mesh_numbers_[i]) json_.member("mesh", *mesh_numbers_[i]);
      json_.member("translation", pose.position);
      json_.member("rotation", xyzw(pose.orientation));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_animation() {
    if (rows_.size() < 2) return;
    std::vector<float> times;
    for (const std::size_t row : rows_) {
      times.push_back(static_cast<float>(table_.time[row] - table_.time.front()));
    }
    const std::size_t input = numbers_.add_times(times);
    JsonWriter samplers;
    JsonWriter channels;
    samplers.begin_array();
    channels.begin_array();
    std::size_t count = 0;
    const auto add = [&](std::size_t body, const char* path, std::size_t output) {
      samplers.begin_object();
      samplers.member("input", input);
      samplers.member("output", output);
      samplers.end_object();
      channels.begin_object();
      channels.member("sampler", count++);
      channels.key("target");
      channels.begin_object();
      channels.member("node", body + 1);
      channels.member("path", path);
      channels.end_object();
      channels.end_object();
    };
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      if (!motion_.moves(i)) continue;
      const Keys keys = keys_of(i);
      add(i, "translation", numbers_.add_vectors(keys.positions, 0, false));
      add(i, "rotation", numbers_.add_rotations(keys.rotations));
    }
    samplers.end_array();
    channels.end_array();
    if (count == 0) return;
    json_.key("animations");
    json_.begin_array();
    json_.begin_object();
    json_.member("name", "motion");
    json_.key("samplers");
    json_.raw(samplers.text());
    json_.key("channels");
    json_.raw(channels.text());
    json_.end_object();
    json_.end_array();
  }

  struct Keys {
    std::vector<Vector3f> positions;
    std::vector<float> rotations;  ///< x, y, z, w
  };

  /// Neighbouring quaternions on the same side, so that players take the short way. Poses that are
  /// no numbers (a failed run) repeat the one before.
  Keys keys_of(std::size_t body) const {
    Keys keys;
    Pose last;
    for (const std::size_t row : rows_) {
      Pose pose = motion_.pose(body, row);
      if (!pose.position.allFinite() || !pose.orientation.coeffs().allFinite()) pose = last;
      if (pose.orientation.dot(last.orientation) < 0.0) pose.orientation.coeffs() *= -1.0;
      keys.positions.emplace_back(pose.position.cast<float>());
      for (const double e : xyzw(pose.orientation)) keys.rotations.push_back(static_cast<float>(e));
      last = pose;
    }
    return keys;
  }

  // --- the container: a header and two chunks, padded to four bytes

  static std::string packed(std::string json, std::string binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    std::string file = "glTF";
    const auto word = [&](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      file.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    word(2);
    word(12 + 8 + json.size() + 8 + binary.size());
    word(json.size());
    file += "JSON" + json;
    word(binary.size());
    file.append("BIN\0", 4);
    return file += binary;
  }

  const DrawnModel& model_;
  const results::Table& table_;
  BodyMotion motion_;
  std::vector<std::size_t> rows_;
  std::size_t facets_;
  Numbers numbers_;
  JsonWriter json_;
  std::map<std::string, std::optional<Primitive>> known_;
  std::vector<std::optional<std::size_t>> mesh_numbers_;  ///< of the bodies
  std::map<std::array<double, 3>, std::size_t> materials_;
};

}  // namespace

std::string glb(const DrawnModel& model, const results::Table& table, const GlbOptions& options) {
  if (model.bodies.empty()) {
    throw core::InputError("the model has no bodies, so there is nothing to draw",
                           "export the channels as CSV");
  }
  return Exporter(model, table, options).file();
}

}  // namespace trammel::report
