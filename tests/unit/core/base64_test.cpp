#include "trammel/core/base64.h"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

std::string encoded(std::string_view text) {
  return base64(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(Base64, VectorsOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, UsesAllDigits) {
  EXPECT_EQ(encoded("\xFB\xFF\xBF"), "+/+/");
}

TEST(Base64, ComesBack) {
  const std::string_view text = "any carnal pleas\0\xff.";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    const auto bytes = std::as_bytes(std::span(text.data(), n));
    const auto back = from_base64(base64(bytes));
    ASSERT_TRUE(back);
    EXPECT_TRUE(std::equal(back->begin(), back->end(), bytes.begin(), bytes.end())) << n;
  }
}

TEST(Base64, RefusesWhatItIsNot) {
  for (const char* text : {"Zg", "Zg=", "Z===", "Zm9v!A==", "=m9v", "Zg==Zg=="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

}  // namespace
}  // namespace trammel::core
