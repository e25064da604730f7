#include "trammel/io/comments.h"

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

std::vector<Comment> comments_of(const std::string& text) {
  core::Diagnostics diagnostics;
  return find_comments(parse_tree(text, "test", diagnostics));
}

TEST(Comments, AreFoundOutsideOfQuotesAndBlocks) {
  const auto comments = comments_of(
      "# first\n"
      "a: 'no # comment'  # second  \n"
      "b: \"no \\\" # comment\" # third\n"
      "c: a#b\n"
      "d: |\n"
      "  # text\n"
      "  more\n"
      "# fourth\n"
      "e: &x 'it''s # not'\n");
  ASSERT_EQ(comments.size(), 4U);
  EXPECT_EQ(comments[0].text, "# first");
  EXPECT_TRUE(comments[0].own_line);
  EXPECT_EQ(comments[1].text, "# second");
  EXPECT_FALSE(comments[1].own_line);
  EXPECT_EQ(comments[1].mark.line, 2);
  EXPECT_EQ(comments[1].mark.column, 20);
  EXPECT_EQ(comments[2].text, "# third");
  EXPECT_EQ(comments[3].text, "# fourth");
  EXPECT_EQ(comments[3].mark.line, 8);
}

TEST(Comments, EndOfQuotedKnowsEscapes) {
  EXPECT_EQ(end_of_quoted("'it''s' x", 0), 7U);
  EXPECT_EQ(end_of_quoted("\"a\\\"b\" x", 0), 6U);
  EXPECT_EQ(end_of_quoted("'open", 0), std::string_view::npos);
}

}  // namespace
}  // namespace trammel::io
