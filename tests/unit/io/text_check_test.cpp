#include "trammel/io/text_check.h"

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

TEST(TextCheck, AcceptsTextWithTabsAndUtf8) {
  EXPECT_FALSE(check_text("name:\t\"\u00fcber \u20ac \U0001F600\"\n"));
  EXPECT_FALSE(check_text(""));
}

TEST(TextCheck, RefusesBytesThatAreNoUtf8) {
  // Latin-1, a lone continuation, an overlong slash, a surrogate, beyond U+10FFFF, a cut sequence.
  for (const char* bytes :
       {"f\xfcr", "\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    const auto refusal = check_text(std::string("a: ") + bytes);
    ASSERT_TRUE(refusal) << bytes;
    EXPECT_NE(refusal->message.find("UTF-8"), std::string::npos);
  }
}

TEST(TextCheck, TellsLineAndColumnOfControlBytes) {
  const auto refusal = check_text(std::string("a: 1\nb: \0\n", 10));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->line, 2);
  EXPECT_EQ(refusal->column, 4);
}

TEST(TextCheck, RefusesEndlessBrackets) {
  EXPECT_TRUE(check_text(std::string(1001, '[')));
  EXPECT_FALSE(check_text(std::string(500, '[') + std::string(500, ']') + std::string(900, '{')));
}

TEST(TextCheck, NormalisesLineEndsAndByteOrderMark) {
  EXPECT_EQ(normalised_lines("\xEF\xBB\xBF"
                             "a\r\nb\rc\n"),
            "a\nb\nc\n");
  EXPECT_EQ(normalised_lines("\r\r\n"), "\n\n");
}

}  // namespace
}  // namespace trammel::io
