#include "trammel/io/table_reader.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "trammel/expression/compile.h"
#include "trammel/io/expression.h"
#include "trammel/io/placement_reader.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {
namespace {

constexpr double most_columns = 1e6;

struct Columns {
  std::vector<double> x;
  std::vector<double> y;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\"";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> number_in(std::string_view cell) {
  cell = trimmed(cell);
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

// Cells are separated by commas, semicolons or tabs; lines that begin with # are remarks.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto end = line.find_first_of(",;\t");
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

/// Throws core::InputError at the first line that is wrong.
Columns read_csv(SourceFiles& files,
                 const std::string& file,
                 std::size_t x_column,
                 std::size_t y_column) {
  const std::string text = files.read_text(file);
  Columns columns;
  std::string_view rest = text;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const auto end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    const auto cells = cells_of(line);
    const auto cell = [&](std::size_t column) {
      return column <= cells.size() ? number_in(cells[column - 1]) : std::nullopt;
    };
    const auto x = cell(x_column);
    const auto y = cell(y_column);
    if (!x || !y) {
      if (columns.x.empty() && line_number == 1) continue;  // a line of titles
      throw core::InputError(fmt::format("{}, line {}: no number in column {}", file, line_number,
                                         x ? y_column : x_column),
                             "give one number in every line of both columns");
    }
    columns.x.push_back(*x);
    columns.y.push_back(*y);
  }
  return columns;
}

std::optional<Columns> read_points(Reader& reader, const Node& node, const Path& path) {
  const Node& list = resolved(node);
  const Key any{.name = "points", .forms = {Form::points}, .description = {}, .counts = {2}};
  if (list.kind != NodeKind::sequence) {
    reader.error(node, path, fmt::format("{} is given where a list belongs", shown(node)),
                 "give pairs, e.g. [[0, 0], [1, 0.5]]");
    return std::nullopt;
  }
  Columns columns;
  for (const Entry& entry : list.entries) {
    const auto pair = reader.numbers(*entry.value, path, any);
    if (!pair) return std::nullopt;
    columns.x.push_back((*pair)[0]);
    columns.y.push_back((*pair)[1]);
  }
  return columns;
}

std::optional<Columns> read_columns(Reader& reader,
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
    return read_csv(reader.files(), (std::filesystem::path(folder) / *file).string(),
                    static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1]));
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
