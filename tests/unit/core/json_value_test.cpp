#include "trammel/core/json_value.h"

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::core {
namespace {

TEST(JsonValue, ReadsEveryKindOfValue) {
  const JsonValue value =
      parse_json(R"( {"a": [1, -2.5e3, true, false, null, "x"], "b": {"c": []}, "empty": {}} )");
  EXPECT_EQ(value["a"][0].number(), 1.0);
  EXPECT_EQ(value["a"][1].number(), -2500.0);
  EXPECT_TRUE(value["a"][2].flag());
  EXPECT_FALSE(value["a"][3].flag(true));
  EXPECT_TRUE(value["a"][4].is_null());
  EXPECT_EQ(value["a"][5].text(), "x");
  EXPECT_EQ(value["a"].size(), 6u);
  EXPECT_TRUE(value["b"]["c"].is_array());
  EXPECT_TRUE(value["empty"].is_object());
}

TEST(JsonValue, AnswersEmptyWhereNothingIs) {
  const JsonValue value = parse_json(R"({"a": 1})");
  EXPECT_TRUE(value["b"][7]["c"].is_null());
  EXPECT_EQ(value["a"].index(9), 1u);
  EXPECT_EQ(value["b"].index(9), 9u);
  EXPECT_EQ(parse_json("-1").index(9), 9u);
  EXPECT_EQ(parse_json("1.5").index(9), 9u);
  EXPECT_EQ(parse_json("1e300").index(9), 9u);
  EXPECT_EQ(value["a"].text(), "");
}

TEST(JsonValue, UnderstandsEscapes) {
  EXPECT_EQ(parse_json(R"("a\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00z")").text(),
            "a\"\\/\b\f\n\r\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z");
  EXPECT_EQ(parse_json(R"("\ud83dx")").text(), "\xEF\xBF\xBDx") << "half of a pair";
}

TEST(JsonValue, SaysWhereTextIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "{a: 1}", "\"open", "\"\\x\"",
                           "\"\\u12g4\"", "tru", "1 2", "nan", "+1", "[1 2]"}) {
    EXPECT_THROW(parse_json(text), InputError) << text;
  }
  try {
    parse_json("{\n  \"a\": ?\n}");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("line 2, column 8"), std::string::npos)
        << error.what();
  }
}

TEST(JsonValue, IsNotDrownedByNesting) {
  EXPECT_THROW(parse_json(std::string(100000, '[')), InputError);
}

}  // namespace
}  // namespace trammel::core
