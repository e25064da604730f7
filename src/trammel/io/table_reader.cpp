#include "trammel/io/table_reader.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "trammel/expression/compile.h"
#include "trammel/io/csv_columns.h"
#include "trammel/io/expression.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {
namespace {

constexpr double most_columns = 1e6;

std::optional<CsvColumns> read_points(Reader& reader, const Node& node, const Path& path) {
  const Node& list = resolved(node);
  const Key any{.name = "points", .forms = {Form::points}, .description = {}, .counts = {2}};
  if (list.kind != NodeKind::sequence) {
    reader.error(node, path, fmt::format("{} is given where a list belongs", shown(node)),
                 "give pairs, e.g. [[0, 0], [1, 0.5]]");
    return std::nullopt;
  }
  CsvColumns columns;
  for (const Entry& entry : list.entries) {
    const auto pair = reader.numbers(*entry.value, path, any);
    if (!pair) return std::nullopt;
    columns.x.push_back((*pair)[0]);
    columns.y.push_back((*pair)[1]);
  }
  return columns;
}

std::optional<CsvColumns> read_columns(Reader& reader,
                                       SectionReader& section,
                                       const Path& path,
                                       const std::string& folder) {
  const auto columns = section.numbers("columns");
  if (const Node* points = section.find("points")) {
    return read_points(reader, *points, Path{&path, "points"});
  }
  const auto file = section.text("csv");
  if (!file || (section.has("columns") && !columns)) return std::nullopt;
  const auto numbers = columns.value_or(std::vector<double>{1.0, 2.0});
  for (const double number : numbers) {
    if (number >= 1.0 && number <= most_columns && number == std::floor(number)) continue;
    reader.error(*section.find("columns"), Path{&path, "columns"},
                 fmt::format("{:g} is not the number of a column", number),
                 "columns are counted from 1");
    return std::nullopt;
  }
  try {
    const std::string path_of_file = (std::filesystem::path(folder) / *file).string();
    return read_csv_columns(reader.files().read_text(path_of_file), path_of_file,
                            {static_cast<std::size_t>(numbers[0]),
                             static_cast<std::size_t>(numbers[1]), columns.has_value()});
  } catch (const core::InputError& error) {
    reader.error(*section.find("csv"), Path{&path, "csv"}, error);
    return std::nullopt;
  }
}

// The size of the unit that the key names, in SI units; 1 without it.
double unit_size(Reader& reader, SectionReader& section, const Path& path, std::string_view key) {
  const auto unit = section.text(key);
  if (!unit) return 1.0;
  try {
    return expression::evaluate_unit(*unit).value;
  } catch (const ExpressionError&) {
    reader.error(*section.find(key), Path{&path, key},
                 fmt::format("'{}' is not a unit", expression::clipped(*unit)),
                 "give a unit such as deg, mm, ms or N mm");
    return 1.0;
  }
}

}  // namespace

std::vector<std::shared_ptr<const expression::Table>> read_tables(Reader& reader,
                                                                  const Node& node,
                                                                  const Path& path,
                                                                  const std::string& folder) {
  std::vector<std::shared_ptr<const expression::Table>> tables;
  if (!is_named_map(reader, node, path, "lift: {points: [[0, 0], [1, 0.5]]}")) return tables;
  const Node& map = resolved(node);
  for (const Entry& entry : map.entries) {
    const Path table_path{&path, entry.key};
    if (!reader.check_name(map, entry, table_path)) continue;
    SectionReader section(reader, *entry.value, table_path, find_section("table"));
    expression::TableOptions options;
    if (const auto word = section.choice("interpolation")) {
      options.interpolation = *expression::interpolation_named(*word);
    }
    if (const auto word = section.choice("extrapolation")) {
      options.extrapolation = *expression::extrapolation_named(*word);
    }
    auto columns = read_columns(reader, section, table_path, folder);
    const double x_size = unit_size(reader, section, table_path, "x_unit");
    const double y_size = unit_size(reader, section, table_path, "y_unit");
    if (!columns) continue;
    for (double& x : columns->x) x *= x_size;
    for (double& y : columns->y) y *= y_size;
    try {
      tables.push_back(std::make_shared<const expression::Table>(entry.key, std::move(columns->x),
                                                                 std::move(columns->y), options));
    } catch (const core::InputError& error) {
      reader.error(*entry.value, table_path, error);
    }
  }
  return tables;
}

}  // namespace trammel::io
