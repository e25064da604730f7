#include "render/browser.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "render/programs.h"
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trammel/core/base64.h"
#include "trammel/core/diagnostic.h"
#include "trammel/report/json_writer.h"

extern char** environ;

namespace trammel::cli {
namespace {

// What the protocol wants: the browser reads from descriptor 3 and writes to 4.
constexpr int browser_input = 3;
constexpr int browser_output = 4;
constexpr int out_of_the_way = 10;
constexpr int patience = 120'000;  ///< ms for one answer; software drawing is slow

std::string chromium() {
  const char* wish = std::getenv("CHROMIUM");
  if (wish != nullptr && ::access(wish, X_OK) == 0) return wish;
  std::string found = find_program({"chromium", "chromium-browser", "google-chrome",
                                    "google-chrome-stable", "chrome", "microsoft-edge", "brave"});
  if (!found.empty()) return found;
  throw core::InputError(
      "pictures are drawn by Chromium, which is not installed",
      "install it (Debian, Ubuntu: apt install chromium), or set CHROMIUM to the path of Chromium, "
      "Chrome or Edge");
}

/// A pipe whose ends lie above the descriptors that the child will have.
std::array<int, 2> make_pipe() {
  std::array<int, 2> low{};
  if (::pipe2(low.data(), O_CLOEXEC) != 0) {
    throw core::RunError("no pipe to the browser can be made",
                         "close other programs and try again");
  }
  std::array<int, 2> high{};
  for (std::size_t i = 0; i < 2; ++i) {
    high[i] = ::fcntl(low[i], F_DUPFD_CLOEXEC, out_of_the_way);
    ::close(low[i]);
  }
  return high;
}

std::vector<std::string> arguments(const std::string& program, const std::string& profile) {
  std::vector<std::string> list{program,
                                "--headless=new",
                                "--remote-debugging-pipe",
                                "--user-data-dir=" + profile,
                                "--no-first-run",
                                "--no-default-browser-check",
                                "--disable-extensions",
                                "--disable-background-networking",
                                "--disable-dev-shm-usage",
                                "--hide-scrollbars",
                                "--mute-audio",
                                "--force-color-profile=srgb",
                                "--use-gl=angle",
                                "--use-angle=swiftshader",
                                "--enable-unsafe-swiftshader"};
  // The sandbox does not work for root, as in containers. The page is our own and offline.
  if (::geteuid() == 0) list.emplace_back("--no-sandbox");
  list.emplace_back("about:blank");
  return list;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "trammel-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw core::RunError(fmt::format("no folder can be made in '{}'",
                                     std::filesystem::temp_directory_path().string()),
                         "set TMPDIR to a folder with room in it");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Browser::Browser(int width, int height) {
  start(chromium());
  try {
    const core::JsonValue target = call("Target.createTarget", R"({"url":"about:blank"})");
    const core::JsonValue session =
        call("Target.attachToTarget", fmt::format(R"({{"targetId":{},"flatten":true}})",
                                                  report::quoted(target["targetId"].text())));
    session_ = session["sessionId"].text();
    call("Page.enable", "{}");
    call("Emulation.setDeviceMetricsOverride",
         fmt::format(R"({{"width":{},"height":{},"deviceScaleFactor":1,"mobile":false}})", width,
                     height));
  } catch (...) {
    end();
    throw;
  }
}

Browser::~Browser() {
  end();
}

void Browser::start(const std::string& program) {
  const std::array<int, 2> input = make_pipe();
  const std::array<int, 2> output = make_pipe();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input[0], browser_input);
  posix_spawn_file_actions_adddup2(&files, output[1], browser_output);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = arguments(program, profile_.path().string());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int failed =
      ::posix_spawn(&process_, program.c_str(), &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(input[0]);
  ::close(output[1]);
  to_browser_ = input[1];
  from_browser_ = output[0];
  if (failed != 0) {
    process_ = -1;
    end();
    throw core::RunError(fmt::format("'{}' cannot be started", program),
                         "start it by hand to see why, or set CHROMIUM to another one");
  }
}

void Browser::end() {
  // It ends by itself when its pipes close; it gets a moment for that.
  for (int* pipe : {&to_browser_, &from_browser_}) {
    if (*pipe >= 0) ::close(*pipe);
    *pipe = -1;
  }
  if (process_ <= 0) return;
  constexpr useconds_t moment = 20'000;
  for (int i = 0; i < 100 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++i) {
    if (i == 50) ::kill(process_, SIGTERM);
    if (i == 99) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::usleep(moment);
  }
  process_ = -1;
}

void Browser::lost() {
  throw core::RunError("the browser does not answer",
                       "try again; a smaller picture or fewer frames need less memory");
}

void Browser::send(const std::string& message) const {
  // The zero at the end of the text ends the message.
  const char* data = message.c_str();
  std::size_t left = message.size() + 1;
  while (left > 0) {
    const ssize_t written = ::write(to_browser_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) lost();
    data += written;
    left -= static_cast<std::size_t>(written);
  }
}

std::string Browser::receive() {
  std::array<char, 65536> piece{};
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = received_.find('\0', searched);
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    searched = received_.size();
    pollfd waiting{from_browser_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, patience);
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ready > 0 ? ::read(from_browser_, piece.data(), piece.size()) : 0;
    if (count <= 0) lost();
    received_.append(piece.data(), static_cast<std::size_t>(count));
  }
}

core::JsonValue Browser::call(std::string_view method, std::string_view params) {
  const int number = ++last_number_;
  const std::string session =
      session_.empty() ? "" : fmt::format(R"(,"sessionId":{})", report::quoted(session_));
  send(fmt::format(R"({{"id":{},"method":"{}","params":{}{}}})", number, method, params, session));
  while (true) {
    const core::JsonValue answer = core::parse_json(receive());
    // Everything else is news that nobody has asked for.
    if (answer["id"].number(-1.0) != number) continue;
    if (answer["error"].is_object()) {
      throw core::RunError(
          fmt::format("the browser refuses {}: {}", method, answer["error"]["message"].text()),
          "use a newer Chromium");
    }
    return answer["result"];
  }
}

void Browser::open(const std::string& address) {
  const core::JsonValue result =
      call("Page.navigate", fmt::format(R"({{"url":{}}})", report::quoted(address)));
  if (!result["errorText"].text().empty()) {
    throw core::RunError(
        fmt::format("the browser cannot open '{}': {}", address, result["errorText"].text()),
        "check that the file can be read by it");
  }
}

core::JsonValue Browser::evaluate(std::string_view expression) {
  const core::JsonValue result =
      call("Runtime.evaluate",
           fmt::format(R"({{"expression":{},"awaitPromise":true,"returnByValue":true}})",
                       report::quoted(expression)));
  if (result["exceptionDetails"].is_object()) {
    throw core::RunError(fmt::format("the page fails: {}",
                                     result["exceptionDetails"]["exception"]["description"].text()),
                         "make the report again by 'trammel report'");
  }
  return result["result"]["value"];
}

std::string Browser::picture() {
  const core::JsonValue result = call("Page.captureScreenshot", R"({"format":"png"})");
  const auto bytes = core::from_base64(result["data"].text());
  if (!bytes || bytes->empty()) lost();
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

}  // namespace trammel::cli
