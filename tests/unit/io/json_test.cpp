#include "trammel/io/json.h"

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

TEST(Json, WritesShortValuesInALine) {
  Json json = Json::Object{{"a", 1}, {"b", Json::texts({"x", "y\"z"})}, {"c", true}};
  EXPECT_EQ(json.written(), "{\"a\": 1, \"b\": [\"x\", \"y\\\"z\"], \"c\": true}\n");
}

TEST(Json, BreaksLongValues) {
  Json json;
  json["text"] = std::string(90, 'x');
  json["list"].push_back("a\nb");
  EXPECT_EQ(json.written(),
            "{\n  \"text\": \"" + std::string(90, 'x') + "\",\n  \"list\": [\"a\\nb\"]\n}\n");
}

TEST(Json, MembersAreFoundAgain) {
  Json json;
  json["a"]["b"] = 1;
  json["a"]["b"] = 2;
  EXPECT_EQ(json.written(), "{\"a\": {\"b\": 2}}\n");
}

}  // namespace
}  // namespace trammel::io
