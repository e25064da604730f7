#include "trammel/report/table_page.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/scratch_folder.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::report {
namespace {

TablePage small_page() {
  TablePage page;
  page.title = "a <b> c";
  page.generator = "trammel test";
  page.facts = {{"term", "value & more"}};
  page.keys = {{"index", "3", svg_sample(0, 0, 1), "k-i3"}};
  page.charts = {{"chart", "x", "y", false, false, {{.label = "l", .x = {0, 1}, .y = {0, 1}}}}};
  page.tables = {{"table",
                  "",
                  {{"name", "", false}, {"number", "hint", true}},
                  {{{{"first"}, {"1.0e-3", 1e-3, "good", "why"}}, {"k-i3", "g-0"}}}}};
  return page;
}

TEST(TablePage, HoldsEverythingEscapedAndLoadsNothing) {
  const std::string text = html(small_page());
  EXPECT_NE(text.find("a &lt;b&gt; c"), std::string::npos);
  EXPECT_NE(text.find("value &amp; more"), std::string::npos);
  EXPECT_NE(text.find("data-v=\"0.001\" title=\"why\">1.0e-3</td>"), std::string::npos);
  EXPECT_NE(text.find("<tr class=\"k-i3 g-0\">"), std::string::npos);
  EXPECT_NE(text.find("prefers-color-scheme:dark"), std::string::npos);
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  }
}

TEST(TablePage, ReplacesItsOwnPagesOnly) {
  const support::ScratchFolder folder;
  const auto path = folder / "table.html";
  write_page(path, small_page(), false);
  write_page(path, small_page(), false);  // its own
  std::ofstream(path) << "<!doctype html> precious";
  EXPECT_THROW(write_page(path, small_page(), false), core::InputError);
  EXPECT_THROW(write_page(path, small_page(), true), core::InputError);  // nothing of ours
  std::ofstream(path) << "<!doctype html>\n<meta name=\"generator\" content=\"trammel\">";
  EXPECT_THROW(write_page(path, small_page(), false), core::InputError);
  write_page(path, small_page(), true);
}

}  // namespace
}  // namespace trammel::report
