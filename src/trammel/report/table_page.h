// A page of figures and sortable tables in one HTML file: nothing is loaded from elsewhere, it
// reads well on light and dark, on paper and without scripts.
//
// Keys above the figures name the properties of lines and rows ("index 3"); with scripts, clicking
// one shows or hides all lines and rows that carry its class, and pointing at a row brings its line
// to the front.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "trammel/report/chart.h"

namespace trammel::report {

struct PageCell {
  std::string text;
  double sort = 0.0;    ///< rows are sorted by it where the column is numeric
  std::string style{};  ///< class: "good", "doubtful", "bad" or "faint"
  std::string hint{};   ///< shown by the browser when pointed at
};

struct PageColumn {
  std::string name;
  std::string hint;
  bool numeric = true;
};

struct PageRow {
  std::vector<PageCell> cells;
  std::vector<std::string> classes{};
};

struct PageTable {
  std::string title;
  std::string text{};  ///< HTML, below the title
  std::vector<PageColumn> columns;
  std::vector<PageRow> rows;
};

/// One entry of a key: a sample of its line and the class of what it stands for.
struct PageKey {
  std::string group;  ///< "method", "index", ...
  std::string name;
  std::string sample;  ///< <svg>
  std::string line_class;
};

struct TablePage {
  std::string title;
  std::string lead{};  ///< HTML: what was found, in a sentence or two
  std::vector<std::pair<std::string, std::string>> facts{};  ///< plain texts
  std::vector<PageKey> keys{};
  std::vector<Chart> charts;
  std::vector<PageTable> tables;
  std::string remarks{};    ///< HTML, at the end
  std::string generator{};  ///< "trammel compare"
};

std::string html(const TablePage& page);

/// Writes the page. A file that the same generator wrote is replaced, any other only when
/// `overwrite` says so: otherwise InputError.
void write_page(const std::filesystem::path& path, const TablePage& page, bool overwrite);
/// Throws the same InputError before there is a page.
void check_page_path(const std::filesystem::path& path,
                     const std::string& generator,
                     bool overwrite);

}  // namespace trammel::report
