#include "trammel/report/http.h"

#include <gtest/gtest.h>

namespace trammel::report {
namespace {

TEST(HttpRequest, IsReadWhenItsHeadIsComplete) {
  EXPECT_FALSE(parse_request(""));
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nHost: localhost"));
  const auto request =
      parse_request("GET /api/runs?x=1 HTTP/1.1\r\nAccept: *\r\nhOST: \t127.0.0.1:80 \r\n\r\nbody");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->path, "/api/runs");
  EXPECT_EQ(request->host, "127.0.0.1:80");
}

TEST(HttpRequest, ThatIsNoHttpHasNoMethod) {
  for (const char* text :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", " \r\n\r\n", "GET / SPDY/3\r\n\r\n"}) {
    const auto request = parse_request(text);
    ASSERT_TRUE(request) << text;
    EXPECT_EQ(request->method, "") << text;
  }
}

TEST(HttpResponse, TellsItsLengthAndIsNotCached) {
  const std::string bytes = to_bytes({404, "text/plain", "no"});
  EXPECT_EQ(bytes.rfind("HTTP/1.1 404 Not Found\r\n", 0), 0u);
  EXPECT_NE(bytes.find("Content-Length: 2\r\n"), std::string::npos);
  EXPECT_NE(bytes.find("Cache-Control: no-store\r\n"), std::string::npos);
  EXPECT_EQ(bytes.substr(bytes.size() - 6), "\r\n\r\nno");
}

}  // namespace
}  // namespace trammel::report
