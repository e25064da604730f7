#include "trammel/io/csv_columns.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::io {
namespace {

using Random = std::mt19937;
using Texts = std::vector<std::string>;

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Both columns, or the message of the refusal.
struct Outcome {
  std::optional<CsvColumns> columns;
  std::string message;
};

Outcome outcome_of(const std::string& text, const CsvChoice& choice = {}) {
  try {
    return {read_csv_columns(text, "f.csv", choice), {}};
  } catch (const core::InputError& error) {
    return {std::nullopt, error.what()};
  }
}

TEST(CsvColumns, AreReadWithEverySeparatorQuotesTitlesAndRemarks) {
  for (const std::string& text :
       Texts{"0,7\n0.5,-2e-1\n1,3\n", "t;f\n0;7\n0.5;-.2\n1;+3.",
             "\xEF\xBB\xBF"
             "0,7\r\n0.5,-0.2\r\n1,3\r\n",
             "\n# by hand, 1,5\n \"t, s\",\"f\"\n\"0\",\"7\"\n\n0.5 , -0.2\n\t1,\" 3 \"",
             "0\t7\n0.5\t-0.2\n1\t3\n", "Measured on Monday\n0;7\n0.5;-0.2\n1;3\n",
             "x,y,z\n0, 7, \"a \"\"b\"\"\"\n0.5, -0.2,\n1,3,1:5\n",
             "\xE6\x97\xB6,\xE5\x8A\x9B\n0,7\n0.5,-0.2\n1,3\n"}) {
    const Outcome found = outcome_of(text);
    ASSERT_TRUE(found.columns) << text << found.message;
    EXPECT_EQ(found.columns->x, (std::vector<double>{0.0, 0.5, 1.0})) << text;
    EXPECT_EQ(found.columns->y, (std::vector<double>{7.0, -0.2, 3.0})) << text;
  }
}

TEST(CsvColumns, TellWhereWhatAndTheRemedy) {
  struct Case {
    std::string text;
    Texts told;
  };
  const Case cases[] = {
      {"t;f\n0;1,5\n", {"line 2", "column 2", "'1,5'", "with a point (1.5)"}},
      {"0,\"1,5\"\n", {"line 1", "'1,5'", "with a point"}},
      {"0,\"1,000\"\n1,1\n", {"line 1", "'1,000'", "thousands without a separator (1000)"}},
      {"0,1'000\n", {"line 1", "'1'000'", "write it like 1500"}},
      {"0,\n1,2\n", {"line 1", "column 2: the cell is empty", "remove the line"}},
      {",7\n1,2\n", {"line 1", "column 1: the cell is empty"}},
      {"0,7 N\n1,2\n", {"line 1", "'7 N'", "y_unit"}},
      {"0,7 kN mm\n1,2\n", {"line 1", "'7 kN mm'", "y_unit"}},
      {"0,0x10\n1,2\n", {"line 1", "'0x10'", "in decimals"}},
      {"0,1e400\n1,2\n", {"line 1", "'1e400'", "within 1e-308 and 1e308"}},
      {"\"1,5\",\"2,5\"\n1,2\n", {"line 1", "'1,5'"}},
      {"nan,inf\n1,2\n", {"line 1", "no number in column 1"}},
      {"\xE2\x88\x92"
       "1,\xE2\x88\x92"
       "2\n1,2\n",
       {"line 1", "no number in column 1"}},
      {"t,f\n0,1,5\n", {"line 2: it has 3 cells, line 1 has 2", "decimal point"}},
      {"0,1\n1,1,5\n", {"line 2: it has 3 cells, line 1 has 2"}},
      {"0,1,5\n1,2,5\n", {"line 1: it has 3 columns", "'columns: [1, 2]'"}},
      {"t;f\n0,1\n", {"line 2: it has 1 cell, line 1 has 2"}},
      {"0 1\n1 2\n", {"line 1", "no number in column 1", "'0 1'"}},
      {"0\n1\n", {"line 1", "no number in column 2: it has 1 column", "'columns'"}},
      {"0,1\n1,two\n", {"line 2: no number in column 2", "taken for titles"}},
      {"t,f\ns,N\n0,1\n", {"line 2: no number in column 1"}},
      {"0,1\n1,\"2\n", {"line 2: a quote is not closed"}},
      {"0,1\n1,2\" \n", {"line 2: a quote stands in the middle of a cell"}},
      {"0,1\r1,2\r2,5\n", {"line 1: a carriage return", "\\r\\n"}},
      {std::string("\xFF\xFE"
                   "0\0,\0",
                   6),
       {"no text in UTF-8", "save the file"}},
  };
  for (const Case& each : cases) {
    const Outcome found = outcome_of(each.text);
    ASSERT_FALSE(found.columns) << each.text;
    EXPECT_TRUE(has_part(found.message, "f.csv")) << found.message;
    for (const std::string& part : each.told) {
      EXPECT_TRUE(has_part(found.message, part))
          << each.text << found.message << "\n  lacks " << part;
    }
  }
}

TEST(CsvColumns, AreChosen) {
  const Outcome found = outcome_of("0,1,5\n1,2,6\n", {3, 1, true});
  ASSERT_TRUE(found.columns) << found.message;
  EXPECT_EQ(found.columns->x, (std::vector<double>{5.0, 6.0}));
  EXPECT_EQ(found.columns->y, (std::vector<double>{0.0, 1.0}));
}

TEST(CsvColumns, QuoteNumbersAndUnitsButNoWords) {
  for (const char* text : {"0,hunter2\n", "0,7hunter2\n", "0,7 hunter2\n", "1 hunter2,0\n",
                           "0,1\n1,12345 hunter2\n", "0,0x7hunter2\n"}) {
    const Outcome found = outcome_of(text);
    ASSERT_FALSE(found.columns) << text;
    EXPECT_FALSE(has_part(found.message, "unter")) << found.message;
  }
}

// ---- what the writer meant is read, or nothing is

/// Ways in which people and programs write 1234.5.
using Writer = std::function<std::string(double, Random&)>;

std::string with_comma(double value) {
  std::string text = fmt::format("{}", value);
  std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

const std::vector<std::pair<std::string, Writer>> writers = {
    {"plain", [](double v, Random&) { return fmt::format("{}", v); }},
    {"exponent", [](double v, Random&) { return fmt::format("{:.17e}", v); }},
    {"sign", [](double v, Random&) { return fmt::format("{:+}", v); }},
    {"quotes", [](double v, Random&) { return fmt::format("\"{}\"", v); }},
    {"blanks", [](double v, Random&) { return fmt::format("  {} ", v); }},
    {"decimal comma", [](double v, Random&) { return with_comma(v); }},
    {"decimal comma in quotes", [](double v, Random&) { return '"' + with_comma(v) + '"'; }},
    {"thousands", [](double v, Random&) { return fmt::format("\"{},{:03}\"", int(v), 0); }},
    {"apostrophe", [](double v, Random&) { return fmt::format("{}'000", int(v)); }},
    {"blank in the middle", [](double v, Random&) { return fmt::format("{} 000", int(v)); }},
    {"hexadecimal", [](double v, Random&) { return fmt::format("{:#x}", int(v)); }},
    {"unit",
     [](double v, Random& r) { return fmt::format("{}{}", v, r() % 2 == 0 ? " N" : "mm"); }},
    {"currency", [](double v, Random&) { return fmt::format("\xE2\x82\xAC{}", v); }},
    {"minus of typographers", [](double v, Random&) { return fmt::format("\xE2\x88\x92{}", v); }},
    {"Fortran", [](double v, Random&) { return fmt::format("{}D0", v); }},
    {"percent", [](double v, Random&) { return fmt::format("{}%", v); }},
    {"nothing", [](double, Random&) { return std::string(); }},
    {"nan", [](double, Random&) { return std::string("nan"); }},
};

TEST(CsvColumns, WrittenInWhateverWayAreReadAsMeantOrRefused) {
  Random random(6);
  int read = 0;
  int refused = 0;
  for (const std::string separator : {",", ";", "\t"}) {
    for (const char* head :
         {"", "\xEF\xBB\xBF", "t{}f\n", "# remark\nt{}f\n", "\xEF\xBB\xBFt{}f\r\n"}) {
      for (const auto& [name, writer] : writers) {
        for (int faulty_rows = 0; faulty_rows < 8; ++faulty_rows) {  // in any of the three rows
          CsvColumns meant;
          std::string text = fmt::format(fmt::runtime(head), separator);
          for (int row = 0; row < 3; ++row) {
            const double x = row + double(random() % 100) / 128.0;
            const double y = double(random() % 4096) / 64.0;
            meant.x.push_back(x);
            meant.y.push_back(y);
            const bool faulty = (faulty_rows >> row) % 2 == 1;
            text += fmt::format("{}{}{}\n", x, separator,
                                faulty ? writer(y, random) : fmt::format("{}", y));
          }
          const Outcome found = outcome_of(text);
          (found.columns ? read : refused) += 1;
          if (!found.columns) {
            EXPECT_TRUE(has_part(found.message, "f.csv, line ")) << found.message;
            EXPECT_TRUE(has_part(found.message, "; ")) << found.message;
            continue;
          }
          EXPECT_EQ(found.columns->x, meant.x) << name << "\n" << text;
          EXPECT_EQ(found.columns->y, meant.y) << name << "\n" << text;
        }
      }
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 500);
}

// ---- an independent reader: regular expressions, no state

std::optional<CsvColumns> strictly_read(std::string text) {
  static const std::regex line_end("\r?\n");
  static const std::regex skipped("[ \t]*(#.*)?");
  static const std::regex number("[ \t]*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*");
  static const std::regex meant_as_number("[^A-Za-z0-9]*([0-9][^]*|nan|inf|infinity)",
                                          std::regex::icase);
  static const std::regex word("[^]*[A-Za-z\x80-\xff][^]*");
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  Texts lines;
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (std::sregex_token_iterator it(text.begin(), text.end(), line_end, -1), end; it != end;
       ++it) {
    if (has_part(*it, "\r")) return std::nullopt;
    if (!std::regex_match(it->first, it->second, skipped)) lines.push_back(*it);
  }
  const auto without_quotes = [](const std::string& line) {
    return std::regex_replace(line, std::regex("\"[^\"]*\"?"), "");
  };
  char separator = '\0';
  for (const std::string& line : lines) {
    const std::string bare = without_quotes(line);
    for (const char each : {',', '\t', ';'}) {
      if (has_part(bare, std::string(1, each))) separator = each;
    }
    if (separator != '\0') break;
  }
  const std::string other = separator == '\0' ? "" : std::string(1, separator);
  const std::string blank = separator == '\t' ? " *" : "[ \t]*";
  const std::regex cell(blank + "(?:\"((?:[^\"]|\"\")*)\"[ \t]*|([^\"" + other + "]*))(" +
                        (other.empty() ? "$" : other + "|$") + ")");
  CsvColumns columns;
  std::size_t width = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Texts cells;
    const char* at = lines[i].c_str();
    for (bool more = true; more;) {
      std::cmatch match;
      if (!std::regex_search(at, match, cell, std::regex_constants::match_continuous))
        return std::nullopt;
      cells.push_back(match[1].matched
                          ? std::regex_replace(match[1].str(), std::regex("\"\""), "\"")
                          : match[2].str());
      more = match[3].length() > 0;
      at += match.length();
    }
    const auto any = [&](const std::regex& pattern) {
      return std::any_of(cells.begin(), cells.end(),
                         [&](const std::string& c) { return std::regex_match(c, pattern); });
    };
    static const std::regex trailing("[ \t]+$");
    for (std::string& each : cells) each = std::regex_replace(each, trailing, "");
    const bool titles = i == 0 && !any(meant_as_number) && any(word);
    if (!titles || cells.size() > 1) {
      if (width == 0) width = cells.size();
      if (cells.size() != width) return std::nullopt;
    }
    if (titles) continue;
    if (cells.size() < 2 || (i == 0 && cells.size() > 2)) return std::nullopt;
    if (!std::regex_match(cells[0], number) || !std::regex_match(cells[1], number))
      return std::nullopt;
    columns.x.push_back(std::strtod(cells[0].c_str(), nullptr));
    columns.y.push_back(std::strtod(cells[1].c_str(), nullptr));
  }
  return columns;
}

std::string mutated(std::string text, Random& random) {
  static const Texts pieces = {",",
                               ";",
                               "\t",
                               "\"",
                               "\"\"",
                               " ",
                               ".",
                               "-",
                               "+",
                               "e",
                               "E5",
                               "x",
                               "0x",
                               "'",
                               "\n",
                               "\r",
                               "\r\n",
                               "#",
                               "1",
                               "0",
                               "N",
                               " mm",
                               "nan",
                               "inf",
                               "\xEF\xBB\xBF",
                               "\xC2\xA0",
                               "\xE2\x88\x92",
                               "1,5",
                               "\"1,5\"",
                               "1e400",
                               "t",
                               "time,load\n",
                               "\"a,b\"",
                               "\x01"};
  const auto count = 1 + random() % 4;
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t place = random() % (text.size() + 1);
    const std::size_t length = random() % 3;
    const std::string& piece = pieces[random() % pieces.size()];
    if (random() % 3 == 0) {
      text.erase(place, length);
    } else {
      text.replace(place, std::min(length / 2, text.size() - place), piece);
    }
  }
  return text;
}

TEST(CsvColumns, OfMutatedFilesAreThoseOfAStrictReader) {
  const Texts seeds = {"0,7\n0.5,2\n1,3\n",
                       "t;f\n0;1.5\n1;2.5\n",
                       "\"t\",\"f\"\n\"0\",\"1\"\n2,3\n",
                       "0\t1\n2\t3\n",
                       "# a\nt,f,g\n0,-1e-3,word\n1,.5,\"a b\"\n",
                       "1,2\r\n3,4\r\n"};
  Random random(18);
  int read = 0;
  constexpr int files = 4000;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutated(seeds[random() % seeds.size()], random);
    const Outcome found = outcome_of(text);
    if (!found.columns) continue;
    ++read;
    const auto expected = strictly_read(text);
    ASSERT_TRUE(expected) << "accepted:\n" << text;
    EXPECT_EQ(found.columns->x, expected->x) << text;
    EXPECT_EQ(found.columns->y, expected->y) << text;
  }
  EXPECT_GT(read, files / 10);      // the law is not empty
  EXPECT_LT(read, files * 9 / 10);  // and the mutations are
}

}  // namespace
}  // namespace trammel::io
