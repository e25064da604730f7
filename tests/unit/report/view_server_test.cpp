// The server answers with pages and packs, to this machine only, and over a real socket.
#include "trammel/report/view_server.h"

#include <cstdint>
#include <cstring>
#include <thread>

#include "support/scratch_folder.h"
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"

namespace trammel::report {
namespace {

class Server : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "other");
    for (const char* name : {"run.csv", "other/run.csv"}) {
      results::CsvSink sink(folder_ / name, {.overwrite = true});
      sink.begin({{"x", "m", "", ""}}, {.model_name = "test"});
      for (int i = 0; i < 3; ++i) {
        const double value = i;
        sink.append(0.1 * i, &value);
      }
      sink.finish(results::Outcome::completed, "", {});
    }
  }

  ViewServer server() const {
    return {{folder_ / "run.csv", folder_ / "other/run.csv"},
            [](const std::filesystem::path& path, std::size_t budget) {
              return read_thinned(path, nullptr, budget);
            }};
  }
  static HttpResponse get(ViewServer& server, const std::string& path) {
    return server.answer({"GET", path, "localhost:" + std::to_string(server.port())});
  }

  support::ScratchFolder folder_;
};

TEST_F(Server, ListsRunsByDistinctLabels) {
  ViewServer here = server();
  const YAML::Node list = YAML::Load(get(here, "/api/runs").body);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["rows"].as<int>(), 3);
  EXPECT_EQ(list[0]["outcome"].as<std::string>(), "completed");
  EXPECT_NE(list[0]["label"].as<std::string>(), list[1]["label"].as<std::string>());
}

TEST_F(Server, SendsPacksWithAlignedNumbers) {
  ViewServer here = server();
  const HttpResponse answer = get(here, "/api/runs/1");
  ASSERT_EQ(answer.status, 200);
  std::uint32_t length = 0;
  std::memcpy(&length, answer.body.data(), 4);
  const YAML::Node header = YAML::Load(answer.body.substr(4, length));
  EXPECT_EQ(header["run"]["name"].as<std::string>(), "test");
  const std::size_t numbers = (4 + length + 7) / 8 * 8;
  double last_time = 0.0;
  std::memcpy(&last_time, &answer.body.at(numbers + 16), 8);
  EXPECT_EQ(last_time, 0.2);
}

TEST_F(Server, RefusesStrangersAndWhatItDoesNotHave) {
  ViewServer here = server();
  const std::string host = "127.0.0.1:" + std::to_string(here.port());
  EXPECT_EQ(here.answer({"GET", "/", host}).status, 200);
  EXPECT_EQ(here.answer({"GET", "/", "evil.example"}).status, 403);
  EXPECT_EQ(here.answer({"GET", "/", ""}).status, 403);
  EXPECT_EQ(here.answer({"POST", "/", host}).status, 405);
  EXPECT_EQ(here.answer({"", "", ""}).status, 400);
  EXPECT_EQ(get(here, "/api/runs/2").status, 404);
  EXPECT_EQ(get(here, "/../run.csv").status, 404);
  std::filesystem::remove(folder_ / "run.csv");
  EXPECT_EQ(get(here, "/api/runs/0").status, 503);
}

TEST_F(Server, AnswersOverTheSocketWhileAnotherConnectionIsSilent) {
  ViewServer here = server();
  std::atomic<bool> stop = false;
  std::thread serving([&] { here.serve(stop); });
  const auto connect = [&] {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(here.port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return descriptor;
  };
  const int silent = connect();
  const int talking = connect();
  const std::string request =
      "GET /api/runs HTTP/1.1\r\nHost: localhost:" + std::to_string(here.port()) + "\r\n\r\n";
  ASSERT_EQ(::send(talking, request.data(), request.size(), 0), ssize_t(request.size()));
  std::string answer;
  char buffer[512];
  for (ssize_t n = 0; (n = ::recv(talking, buffer, sizeof buffer, 0)) > 0;) {
    answer.append(buffer, std::size_t(n));
  }
  stop = true;
  serving.join();
  ::close(silent);
  ::close(talking);
  EXPECT_EQ(answer.rfind("HTTP/1.1 200 OK", 0), 0u) << answer;
  EXPECT_NE(answer.find("\"rows\":3"), std::string::npos) << answer;
}

TEST_F(Server, SaysWhenThePortIsTaken) {
  const ViewServer first = server();
  EXPECT_THROW(ViewServer({folder_ / "run.csv"}, {}, first.port()), core::RunError);
}

}  // namespace
}  // namespace trammel::report
