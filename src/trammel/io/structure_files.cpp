#include "trammel/io/structure_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/core/printable.h"

namespace trammel::io {
namespace {

using model::SparseSquare;
using model::StructureFreedom;
using model::StructureNode;

constexpr std::string_view cell_ends = " \t,;\r";
constexpr std::size_t longest_cell = 40;

/// The lines of a file with their cells.
class StructureLines {
 public:
  StructureLines(std::string_view text, const std::string& file, char comment)
      : rest_(text), file_(file), comment_(comment) {}

  /// The next line that is neither empty nor a comment; false at the end.
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const auto end = rest_.find('\n');
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      cells_.clear();
      std::size_t at = 0;
      while ((at = line.find_first_not_of(cell_ends, at)) != std::string_view::npos) {
        const auto stop = std::min(line.find_first_of(cell_ends, at), line.size());
        cells_.push_back(line.substr(at, stop - at));
        at = stop;
      }
      if (!cells_.empty() && cells_.front().front() != comment_) return true;
    }
    return false;
  }
  const std::vector<std::string_view>& cells() const { return cells_; }
  bool is_first() const { return number_ == 1; }

  [[noreturn]] void fail(const std::string& what, std::string remedy) const {
    throw core::InputError(fmt::format("{}, line {}: {}", file_, number_, what), std::move(remedy));
  }
  std::string quoted(std::size_t cell) const {
    return core::printable(std::string(cells_[cell].substr(0, longest_cell)));
  }
  double number(std::size_t cell) const {
    const auto value = number_in(cells_[cell]);
    if (!value) fail(fmt::format("'{}' is no finite number", quoted(cell)), "write it like 1.5e-3");
    return *value;
  }
  int whole(std::size_t cell, int least, int most, const char* what) const {
    int value = 0;
    const std::string_view text = cells_[cell];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
      fail(fmt::format("'{}' is no {}", quoted(cell), what),
           fmt::format("give a whole number from {} to {}", least, most));
    }
    return value;
  }
  static std::optional<double> number_in(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
      return std::nullopt;
    }
    return value;
  }

 private:
  std::string_view rest_;
  const std::string& file_;
  char comment_;
  int number_ = 0;
  std::vector<std::string_view> cells_;
};

std::string lower(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return word;
}

struct MarketHeader {
  bool coordinate = true;
  bool symmetric = false;
};

MarketHeader read_header(std::string_view text, const std::string& file) {
  StructureLines first(text, file, '\0');
  const bool some = first.next();
  const auto& cells = first.cells();
  if (!some || cells.size() != 5 || lower(cells[0]) != "%%matrixmarket" ||
      lower(cells[1]) != "matrix") {
    throw core::InputError(
        fmt::format("{}, line 1: it is no matrix in the format of Matrix Market", file),
        "the first line is '%%MatrixMarket matrix coordinate real symmetric'");
  }
  const std::string format = lower(cells[2]);
  const std::string numbers = lower(cells[3]);
  const std::string symmetry = lower(cells[4]);
  if ((format != "coordinate" && format != "array") ||
      (numbers != "real" && numbers != "integer") ||
      (symmetry != "general" && symmetry != "symmetric")) {
    first.fail(
        fmt::format("'{} {} {}' is not read", first.quoted(2), first.quoted(3), first.quoted(4)),
        "write 'coordinate' or 'array', 'real', and 'symmetric' or 'general'");
  }
  return {format == "coordinate", symmetry == "symmetric"};
}

/// Entries of a square matrix, both of a pair where it is symmetric.
class MarketEntries {
 public:
  MarketEntries(StructureLines& lines, MarketHeader header, int size)
      : lines_(lines), header_(header), size_(size) {}

  void read_coordinates() {
    constexpr int most_entries = 200'000'000;
    const int count = lines_.whole(2, 0, most_entries, "number of entries");
    for (int i = 0; i < count; ++i) {
      if (!lines_.next()) {
        lines_.fail(fmt::format("the file ends after {} of {} entries", i, count),
                    "write the whole matrix");
      }
      read_entry();
    }
  }
  void read_array() {
    for (int column = 0; column < size_; ++column) {
      for (int row = header_.symmetric ? column : 0; row < size_; ++row) {
        if (!lines_.next()) {
          lines_.fail("the file ends before the matrix does", "write the whole matrix");
        }
        const double value = lines_.number(0);
        if (value != 0.0) put(row, column, value);
      }
    }
  }
  SparseSquare matrix() const {
    SparseSquare matrix(size_, size_);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    return matrix;
  }

 private:
  void read_entry() {
    if (lines_.cells().size() != 3) {
      lines_.fail("an entry is a row, a column and a value", "write e.g. 3 1 -1.5e6");
    }
    const int row = lines_.whole(0, 1, size_, "row");
    const int column = lines_.whole(1, 1, size_, "column");
    if (header_.symmetric && row < column) {
      lines_.fail(
          fmt::format("row {}, column {} is above the diagonal of a symmetric matrix", row, column),
          "write the lower triangle, or call the matrix 'general'");
    }
    put(row - 1, column - 1, lines_.number(2));
  }
  void put(int row, int column, double value) {
    entries_.emplace_back(row, column, value);
    if (header_.symmetric && row != column) entries_.emplace_back(column, row, value);
  }

  StructureLines& lines_;
  MarketHeader header_;
  int size_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

SparseSquare read_matrix_market(std::string_view text, const std::string& file) {
  constexpr int most_rows = 3'000'000;
  const MarketHeader header = read_header(text, file);
  StructureLines lines(text, file, '%');
  const std::size_t size_cells = header.coordinate ? 3 : 2;
  if (!lines.next() || lines.cells().size() != size_cells) {
    lines.fail("the line with the number of rows and columns is missing",
               header.coordinate ? "give rows, columns and entries, e.g. 12 12 78"
                                 : "give rows and columns, e.g. 12 12");
  }
  const int rows = lines.whole(0, 1, most_rows, "number of rows");
  const int columns = lines.whole(1, 1, most_rows, "number of columns");
  if (rows != columns) {
    lines.fail(fmt::format("the matrix has {} rows and {} columns", rows, columns),
               "matrices of structures are square");
  }
  MarketEntries entries(lines, header, rows);
  if (header.coordinate) {
    entries.read_coordinates();
  } else {
    entries.read_array();
  }
  if (lines.next()) lines.fail("there is more than the matrix", "one value in each line");
  return entries.matrix();
}

std::vector<StructureNode> read_node_table(std::string_view text, const std::string& file) {
  std::vector<StructureNode> nodes;
  std::unordered_map<std::string, bool> names;
  StructureLines lines(text, file, '#');
  while (lines.next()) {
    const auto& cells = lines.cells();
    if (nodes.empty() && cells.size() == 4 &&
        std::none_of(cells.begin() + 1, cells.end(), [](std::string_view cell) {
          return StructureLines::number_in(cell).has_value();
        })) {
      continue;  // titles
    }
    if (cells.size() != 4) {
      lines.fail(fmt::format("it has {} cells", cells.size()),
                 "give each node its name and x, y and z, e.g. 7, 0.1, 0, 0");
    }
    StructureNode node{.name = std::string(cells[0])};
    node.position = Eigen::Vector3d(lines.number(1), lines.number(2), lines.number(3));
    if (!names.emplace(node.name, true).second) {
      lines.fail(fmt::format("the node '{}' is there twice", lines.quoted(0)),
                 "give each node a name or number of its own");
    }
    nodes.push_back(std::move(node));
  }
  if (nodes.empty()) {
    throw core::InputError(fmt::format("{}: there are no nodes in it", file),
                           "give each node a line with its name and x, y and z");
  }
  return nodes;
}

std::vector<StructureFreedom> read_freedom_table(std::string_view text,
                                                 const std::string& file,
                                                 const std::vector<StructureNode>& nodes) {
  std::unordered_map<std::string_view, int> numbers;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    numbers.emplace(nodes[i].name, static_cast<int>(i));
    if (known.size() < 2000) known.push_back(nodes[i].name);
  }
  std::vector<StructureFreedom> freedoms;
  std::vector<bool> used(6 * nodes.size(), false);
  StructureLines lines(text, file, '#');
  while (lines.next()) {
    const auto& cells = lines.cells();
    std::string_view name = cells[0];
    std::string_view direction = cells.size() == 2 ? cells[1] : std::string_view{};
    if (cells.size() == 1 && name.rfind('.') != std::string_view::npos) {
      direction = name.substr(name.rfind('.') + 1);
      name = name.substr(0, name.rfind('.'));
    }
    if (cells.size() > 2 || direction.size() != 1 || direction[0] < '1' || direction[0] > '6') {
      lines.fail("it is no node with a direction",
                 "write e.g. 7.2: 1, 2, 3 are along x, y, z, and 4, 5, 6 about them");
    }
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      const std::string text_of_name = core::printable(std::string(name.substr(0, longest_cell)));
      lines.fail(fmt::format("there is no node '{}'", text_of_name),
                 core::suggestion(text_of_name, known));
    }
    const StructureFreedom freedom{found->second, direction[0] - '1'};
    const auto place = static_cast<std::size_t>(6 * freedom.node + freedom.direction);
    if (used[place]) {
      lines.fail("this freedom is there twice", "give each row of the matrices one of its own");
    }
    used[place] = true;
    freedoms.push_back(freedom);
  }
  return freedoms;
}

std::vector<StructureFreedom> freedoms_in_order(std::size_t nodes, Eigen::Index rows) {
  const int each = rows == static_cast<Eigen::Index>(6 * nodes) ? 6 : 3;
  std::vector<StructureFreedom> freedoms;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (int k = 0; k < each; ++k) freedoms.push_back({static_cast<int>(node), k});
  }
  return freedoms;
}

void scale_structure(double length_unit, double mass_unit, model::Structure& structure) {
  for (StructureNode& node : structure.nodes) node.position *= length_unit;
  const auto arm = [&](Eigen::Index row) {
    return structure.freedoms[static_cast<std::size_t>(row)].direction >= 3 ? length_unit : 1.0;
  };
  for (SparseSquare* matrix : {&structure.mass, &structure.stiffness}) {
    if (matrix->rows() != structure.size()) continue;  // which is told
    for (Eigen::Index j = 0; j < matrix->outerSize(); ++j) {
      for (SparseSquare::InnerIterator at(*matrix, j); at; ++at) {
        at.valueRef() *= mass_unit * arm(at.row()) * arm(at.col());
      }
    }
  }
}

}  // namespace trammel::io
