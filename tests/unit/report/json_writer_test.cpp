// JSON text that can stand inside a <script> element.
#include "trammel/report/json_writer.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace trammel::report {
namespace {

TEST(JsonWriter, TextCannotEndItsScriptElement) {
  const std::string text = quoted("</script><!-- & <script>");
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(text.find('>'), std::string::npos);
  EXPECT_EQ(text.find('&'), std::string::npos);
}

TEST(JsonWriter, EscapesWhatJsonForbids) {
  EXPECT_EQ(quoted("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\u0009\u0001")");
  // U+2028 ends a line in old JavaScript.
  EXPECT_EQ(quoted("\xE2\x80\xA8"), R"("\u2028")");
  EXPECT_EQ(quoted("µ ü €"), "\"µ ü €\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNoUtf8) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(quoted("a\xFFz"), "\"a" + mark + "z\"");
  EXPECT_EQ(quoted("a\xE2\x82"), "\"a" + mark + mark + "\"");           // cut short
  EXPECT_EQ(quoted("\xC0\xAF"), "\"" + mark + mark + "\"");             // overlong '/'
  EXPECT_EQ(quoted("\xED\xA0\x80"), "\"" + mark + mark + mark + "\"");  // surrogate
}

TEST(JsonWriter, NumbersReadBackExactlyAndNonNumbersAreNull) {
  JsonWriter json;
  json.begin_array();
  json.value(0.1);
  json.value(1e-300);
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.value(-INFINITY);
  json.value(true);
  json.value(std::size_t{7});
  json.end_array();
  EXPECT_EQ(json.text(), "[0.1,1e-300,null,null,true,7]");
}

TEST(JsonWriter, NestsObjectsAndArrays) {
  JsonWriter json;
  json.begin_object();
  json.member("a", 1);
  json.key("list");
  json.begin_array();
  json.begin_object();
  json.end_object();
  json.value(Eigen::Vector3d(1, 2, 3));
  json.end_array();
  json.member("b", "text");
  json.end_object();
  EXPECT_EQ(json.text(), R"({"a":1,"list":[{},[1,2,3]],"b":"text"})");
  EXPECT_EQ(YAML::Load(json.text())["list"][1][2].as<int>(), 3);
}

TEST(EscapedHtml, LeavesNoMarkup) {
  EXPECT_EQ(escaped_html("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
}

}  // namespace
}  // namespace trammel::report
