#include "trammel/report/vtk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/core/base64.h"
#include "trammel/core/diagnostic.h"
#include "trammel/report/body_motion.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/part_surface.h"
#include "trammel/report/thinning.h"
#include "trammel/results/output_file.h"
#include "trammel/results/output_folder.h"

namespace trammel::report {
namespace {

namespace fs = std::filesystem;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// One element <DataArray>.
template <class T>
std::string data_array(const std::string& name,
                       const char* type,
                       std::size_t components,
                       const std::vector<T>& numbers,
                       const std::string& more = {}) {
  static_assert(std::endian::native == std::endian::little);
  const auto data = std::as_bytes(std::span(numbers));
  std::vector<std::byte> bytes(sizeof(std::uint32_t));
  const auto length = static_cast<std::uint32_t>(data.size());
  std::copy_n(reinterpret_cast<const std::byte*>(&length), sizeof length, bytes.begin());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} format=\"binary\">{}"
      "</DataArray>\n",
      type, escaped_html(name), components, more, core::base64(bytes));
}

std::string document(const char* type, const std::string& content) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n{}\n<VTKFile type=\"{}\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" "
      "header_type=\"UInt32\">\n{}</VTKFile>\n",
      results::xml_mark, type, content);
}

/// A quantity that bodies have: one column per component, for each body that has it.
struct Quantity {
  std::size_t components = 1;
  std::vector<std::array<const std::vector<double>*, 3>> columns;
};

class Series {
 public:
  Series(const DrawnModel& model, const results::Table& table)
      : model_(model), table_(table), motion_(model, table) {
    gather_surface();
    gather_channels();
  }

  std::string surface(std::size_t row) const {
    const std::string counts = fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n",
        local_.size(), body_of_triangle_.size());
    return document("PolyData", "<PolyData>\n" + field(row) + counts + cell_data(row) +
                                    "<Points>\n" + data_array("Points", "Float32", 3, points(row)) +
                                    "</Points>\n<Polys>\n" + polygons_ +
                                    "</Polys>\n</Piece>\n</PolyData>\n");
  }

 private:
  void gather_surface() {
    const std::size_t facets = model_.bodies.size() > 200 ? 8 : model_.bodies.size() > 50 ? 16 : 32;
    std::vector<std::uint32_t> corners;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      for (const Part& part : model_.bodies[i].parts) {
        const math::TriangleMesh mesh = part_surface(part, facets);
        const auto first = static_cast<std::uint32_t>(local_.size());
        for (const Eigen::Vector3d& point : mesh.points) {
          local_.push_back(point);
          body_of_point_.push_back(i);
        }
        for (const auto& triangle : mesh.triangles) {
          for (const std::uint32_t corner : triangle) corners.push_back(first + corner);
          body_of_triangle_.push_back(static_cast<std::int32_t>(i));
        }
      }
    }
    std::vector<std::uint32_t> ends;
    for (std::uint32_t end = 3; end <= corners.size(); end += 3) ends.push_back(end);
    polygons_ =
        data_array("connectivity", "UInt32", 1, corners) + data_array("offsets", "UInt32", 1, ends);
  }

  /// Channels of bodies go to cells, vectors as one; the others to the field.
  void gather_channels() {
    std::unordered_map<std::string_view, std::size_t> bodies;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) bodies.emplace(model_.bodies[i].name, i);
    for (std::size_t i = 0; i < table_.channels.size(); ++i) {
      const std::string_view name = table_.channels[i].name;
      // Names of bodies may have dots: the shortest beginning that is one.
      std::size_t dot = name.find('.');
      while (dot != std::string_view::npos && !bodies.contains(name.substr(0, dot))) {
        dot = name.find('.', dot + 1);
      }
      if (dot == std::string_view::npos) {
        others_.push_back(i);
      } else {
        add_channel(bodies.at(name.substr(0, dot)), std::string(name.substr(dot + 1)),
                    table_.columns[i]);
      }
    }
  }

  void add_channel(std::size_t body, std::string name, const std::vector<double>& column) {
    std::size_t component = 0;
    const bool vector =
        name.size() > 2 && name[name.size() - 2] == '.' && name.back() >= 'x' && name.back() <= 'z';
    if (vector) {
      component = static_cast<std::size_t>(name.back() - 'x');
      name.resize(name.size() - 2);
    }
    Quantity& quantity = quantities_[name];
    if (vector) quantity.components = 3;
    quantity.columns.resize(model_.bodies.size());
    quantity.columns[body][component] = &column;
  }

  std::vector<float> points(std::size_t row) const {
    std::vector<float> list;
    list.reserve(3 * local_.size());
    std::optional<std::size_t> present;
    Pose pose;
    for (std::size_t k = 0; k < local_.size(); ++k) {
      if (present != body_of_point_[k]) {
        present = body_of_point_[k];
        pose = motion_.pose(*present, row);
      }
      const Eigen::Vector3d p = pose.position + pose.orientation * local_[k];
      for (const double x : p) list.push_back(static_cast<float>(x));
    }
    return list;
  }

  std::string cell_data(std::size_t row) const {
    std::string text = "<CellData Scalars=\"body\">\n";
    text += data_array("body", "Int32", 1, body_of_triangle_);
    for (const auto& [name, quantity] : quantities_) {
      std::vector<float> values;
      values.reserve(quantity.components * body_of_triangle_.size());
      for (const std::int32_t body : body_of_triangle_) {
        const auto& columns = quantity.columns[static_cast<std::size_t>(body)];
        const bool known = std::any_of(columns.begin(), columns.end(),
                                       [](const auto* column) { return column != nullptr; });
        for (std::size_t k = 0; k < quantity.components; ++k) {
          // A planar vector has no third component: it is zero.
          const double missing = known ? 0.0 : nothing;
          values.push_back(
              static_cast<float>(columns[k] == nullptr ? missing : (*columns[k])[row]));
        }
      }
      text += data_array(name, "Float32", quantity.components, values);
    }
    return text + "</CellData>\n";
  }

  std::string field(std::size_t row) const {
    const std::string one = " NumberOfTuples=\"1\"";
    std::string text = "<FieldData>\n";
    text += data_array("TimeValue", "Float64", 1, std::vector<double>{table_.time[row]}, one);
    for (const std::size_t i : others_) {
      text += data_array(table_.channels[i].name, "Float64", 1,
                         std::vector<double>{table_.columns[i][row]}, one);
    }
    return text + "</FieldData>\n";
  }

  const DrawnModel& model_;
  const results::Table& table_;
  BodyMotion motion_;
  std::vector<Eigen::Vector3d> local_;  ///< points of all parts, body frames
  std::vector<std::size_t> body_of_point_;
  std::vector<std::int32_t> body_of_triangle_;
  std::string polygons_;
  std::map<std::string, Quantity> quantities_;
  std::vector<std::size_t> others_;
};

/// "crank_00012.vtp", made by Trammel.
bool is_surface_file(const fs::path& path, const std::string& stem) {
  const std::string name = path.filename().string();
  const std::string number = path.stem().string().substr(std::min(name.size(), stem.size()));
  std::error_code ignored;
  if (name.substr(0, stem.size()) != stem || path.extension() != ".vtp" || number.size() < 6 ||
      number[0] != '_' || number.find_first_not_of("0123456789", 1) != std::string::npos ||
      !fs::is_regular_file(fs::symlink_status(path, ignored))) {
    return false;
  }
  std::array<char, 4096> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return results::looks_like(results::FileKind::vtk,
                             {head.data(), static_cast<std::size_t>(file.gcount())});
}

}  // namespace

std::size_t write_vtk(const fs::path& index,
                      const DrawnModel& model,
                      const results::Table& table,
                      const VtkOptions& options) {
  if (model.bodies.empty() || table.rows() == 0) {
    throw core::InputError(model.bodies.empty()
                               ? "the model has no bodies, so there is nothing to draw"
                               : "the results hold no times yet",
                           "export the channels as CSV, or run the model");
  }
  results::check_output_path(index, results::FileKind::vtk, options.overwrite);
  const std::string stem = index.stem().string();
  results::OutputFolder folder(
      index.parent_path() / (stem + "_vtk"), options.overwrite,
      [&stem](const fs::path& file) { return is_surface_file(file, stem); });
  const Series series(model, table);
  const std::vector<std::size_t> rows = spread_rows(table.rows(), options.most_frames);
  std::string list = "<Collection>\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (options.stop != nullptr && *options.stop) {
      throw core::RunError("stopped by the user", "nothing was changed");
    }
    const std::string name = fmt::format("{}_{:05}.vtp", stem, k);
    results::write_whole(folder.work() / name, results::FileKind::vtk, series.surface(rows[k]),
                         false);
    list += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n",
                        table.time[rows[k]], escaped_html(stem + "_vtk"), escaped_html(name));
  }
  const std::string collection = document("Collection", list + "</Collection>\n");
  results::OutputFile file(index, results::FileKind::vtk, options.overwrite);
  file.open();
  file.write_at(0, collection.data(), collection.size());
  file.sync();
  folder.publish();
  file.publish();
  folder.keep();
  file.close();
  return rows.size();
}

}  // namespace trammel::report
