#include "trammel/io/csv_columns.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/compile.h"

namespace trammel::io {
namespace {

constexpr std::string_view separators = ";\t,";
constexpr std::string_view number_letters = "0123456789+-.,'eExX ";
constexpr std::size_t longest_quote = 24;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') {
    cell.remove_prefix(1);
    if (!cell.empty() && cell.front() == '-') return std::nullopt;
  }
  // Not "nan" or "inf", which would be read as well.
  if (std::any_of(cell.begin(), cell.end(),
                  [](char c) { return is_letter(c) && c != 'e' && c != 'E'; })) {
    return std::nullopt;
  }
  double value = 0.0;
  const char* const last = cell.data() + cell.size();
  const auto [end, error] = std::from_chars(cell.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

// What comes first in it, apart from signs and symbols, is a digit; or it is one of the words for
// what is no finite number. Whoever wrote it meant a number.
bool begins_like_a_number(std::string_view cell) {
  const auto known =
      std::find_if(cell.begin(), cell.end(), [](char c) { return is_digit(c) || is_letter(c); });
  if (known == cell.end()) return false;
  if (is_digit(*known)) return true;
  std::string word(known, cell.end());
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return is_letter(c) ? static_cast<char>(c | 0x20) : c; });
  return word == "nan" || word == "inf" || word == "infinity";
}

// As much of a cell as is part of a number or a unit.
std::string quoted(std::string_view cell) {
  const auto end = std::min(cell.find_first_not_of(number_letters), cell.size());
  const std::string_view rest = trimmed(cell.substr(end));
  bool whole = rest.empty() && cell.size() <= longest_quote;
  try {
    if (!rest.empty() && rest.size() <= longest_quote) {
      expression::evaluate_unit(std::string(rest));
      whole = true;
    }
  } catch (const expression::ExpressionError&) {
    // a word that is not repeated
  }
  if (whole) return fmt::format("'{}'", cell);
  return fmt::format("'{}...'", trimmed(cell.substr(0, std::min(end, longest_quote))));
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, const CsvChoice& choice)
      : rest_(text), file_(file), choice_(choice) {}

  CsvColumns read();

 private:
  using Cells = std::vector<std::string>;

  [[noreturn]] void fail(const std::string& what, std::string remedy) const;
  void check_encoding();
  bool next_line();
  void choose_separator();
  Cells cells() const;
  std::string quoted_cell(std::string_view& text) const;
  void check_count(std::size_t count);
  bool are_titles(const Cells& cells) const;
  double number(const Cells& cells, std::size_t column) const;
  [[noreturn]] void fail_at_cell(std::string_view cell, std::size_t column) const;

  std::string_view rest_;  ///< behind the line
  std::string_view line_;
  int line_number_ = 0;
  const std::string& file_;
  const CsvChoice& choice_;
  char separator_ = 0;          ///< 0: not yet known
  std::size_t cell_count_ = 0;  ///< of a line; 0: not yet known
  int counted_line_ = 0;        ///< the one that gave it
};

void Parser::fail(const std::string& what, std::string remedy) const {
  throw core::InputError(fmt::format("{}, line {}: {}", file_, line_number_, what),
                         std::move(remedy));
}

void Parser::check_encoding() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (rest_.substr(0, mark.size()) == mark) rest_.remove_prefix(mark.size());
  if (rest_.find('\0') != std::string_view::npos || rest_.substr(0, 2) == "\xFF\xFE" ||
      rest_.substr(0, 2) == "\xFE\xFF") {
    throw core::InputError(fmt::format("{}: it is no text in UTF-8", file_),
                           "save the file as CSV in UTF-8");
  }
}

// False at the end of the file.
bool Parser::next_line() {
  while (!rest_.empty()) {
    ++line_number_;
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    if (line_.find('\r') != std::string_view::npos) {
      fail("a carriage return stands inside of the line", R"(end lines with \n or \r\n)");
    }
    const std::string_view content = trimmed(line_);
    if (!content.empty() && content.front() != '#') return true;
  }
  return false;
}

void Parser::choose_separator() {
  bool inside = false;
  std::size_t best = separators.size();
  for (const char c : line_) {
    if (c == '"') inside = !inside;
    if (!inside) best = std::min(best, separators.find(c));
  }
  if (best < separators.size()) separator_ = separators[best];
}

// Takes a cell in quotes from the beginning of the text.
std::string Parser::quoted_cell(std::string_view& text) const {
  std::string cell;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      cell += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '"') {
      cell += text[++i];
    } else {
      text.remove_prefix(i + 1);
      return cell;
    }
  }
  fail("a quote is not closed", "close it in the same line, or write numbers without quotes");
}

Parser::Cells Parser::cells() const {
  Cells cells;
  std::string_view text = line_;
  while (true) {
    // A tab may be a blank or the separator.
    while (!text.empty() && (text.front() == ' ' || (text.front() == '\t' && separator_ != '\t'))) {
      text.remove_prefix(1);
    }
    std::string cell;
    const bool in_quotes = !text.empty() && text.front() == '"';
    if (in_quotes) cell = quoted_cell(text);
    const auto end = separator_ == 0 ? std::string_view::npos : text.find(separator_);
    const std::string_view plain = trimmed(text.substr(0, end));
    if (plain.find('"') != std::string_view::npos || (in_quotes && !plain.empty())) {
      fail("a quote stands in the middle of a cell", "put the whole cell in quotes, or nothing");
    }
    cells.emplace_back(trimmed(in_quotes ? std::string_view(cell) : plain));
    if (end == std::string_view::npos) return cells;
    text.remove_prefix(end + 1);
  }
}

void Parser::check_count(std::size_t count) {
  if (cell_count_ == 0) {
    cell_count_ = count;
    counted_line_ = line_number_;
  }
  if (count == cell_count_) return;
  fail(fmt::format("it has {} cell{}, line {} has {}", count, count == 1 ? "" : "s", counted_line_,
                   cell_count_),
       "give every line the same columns, separated alike, and numbers a decimal point");
}

bool Parser::are_titles(const Cells& cells) const {
  return std::none_of(cells.begin(), cells.end(), begins_like_a_number) &&
         std::any_of(cells.begin(), cells.end(), [](const std::string& cell) {
           return std::any_of(cell.begin(), cell.end(),
                              [](char c) { return is_letter(c) || (c & 0x80) != 0; });
         });
}

void Parser::fail_at_cell(std::string_view cell, std::size_t column) const {
  const std::string place = fmt::format("no number in column {}", column);
  if (cell.empty()) {
    fail(place + ": the cell is empty", "give a number there, or remove the line");
  }
  if (!begins_like_a_number(cell)) {
    fail(place,
         "give one number in every line of both columns; only a first line without any "
         "number is taken for titles");
  }
  const std::string what = fmt::format("{}: {} is none", place, quoted(cell));
  if (cell.find_first_of("xX") != std::string_view::npos) fail(what, "write it in decimals");
  if (cell.find(',') != std::string_view::npos) {
    fail(what, "write decimals with a point (1.5), and thousands without a separator (1000)");
  }
  const auto letter = std::find_if(cell.begin(), cell.end(),
                                   [](char c) { return is_letter(c) && c != 'e' && c != 'E'; });
  if (letter != cell.end()) {
    fail(what, "write the number alone; units of a column are given by x_unit and y_unit");
  }
  fail(what, "write it like 1500, -1.5 or 1.5e-3, within 1e-308 and 1e308");
}

double Parser::number(const Cells& cells, std::size_t column) const {
  if (column > cells.size()) {
    fail(fmt::format("no number in column {}: it has {} column{}", column, cells.size(),
                     cells.size() == 1 ? "" : "s"),
         "separate columns by commas, semicolons or tabs, and see 'columns'");
  }
  const std::string& cell = cells[column - 1];
  const auto value = number_in(cell);
  if (!value) fail_at_cell(cell, column);
  return *value;
}

CsvColumns Parser::read() {
  check_encoding();
  CsvColumns columns;
  bool first = true;
  while (next_line()) {
    if (separator_ == 0) choose_separator();
    const Cells found = cells();
    const bool titles = first && are_titles(found);
    first = false;
    if (!titles || found.size() > 1) check_count(found.size());
    if (titles) continue;
    if (cell_count_ > 2 && counted_line_ == line_number_ && !choice_.stated) {
      fail(fmt::format("it has {} columns, and neither titles nor 'columns' say what they are",
                       cell_count_),
           "give e.g. 'columns: [1, 2]', and numbers a decimal point");
    }
    columns.x.push_back(number(found, choice_.x));
    columns.y.push_back(number(found, choice_.y));
  }
  return columns;
}

}  // namespace

CsvColumns read_csv_columns(std::string_view text,
                            const std::string& file,
                            const CsvChoice& choice) {
  return Parser(text, file, choice).read();
}

}  // namespace trammel::io
