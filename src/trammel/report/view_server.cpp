#include "trammel/report/view_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/page.h"
#include "trammel/results/reader.h"

namespace trammel::report {
namespace {

constexpr std::size_t longest_head = 16384;
constexpr std::size_t most_connections = 64;
constexpr int wait_milliseconds = 200;
constexpr int live_milliseconds = 5;
constexpr std::size_t budget = 96'000'000;  // nothing has to be stored or sent elsewhere

std::string bytes_of(const Pack& pack) {
  const auto length = static_cast<std::uint32_t>(pack.header.size());
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &length, 4);
  bytes += pack.header;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  bytes.append(reinterpret_cast<const char*>(pack.bytes.data()), pack.bytes.size());
  return bytes;
}

std::string state_of(const results::Contents& contents) {
  return fmt::format("{}:{}", contents.rows, results::to_string(contents.outcome));
}

}  // namespace

ViewServer::ViewServer(std::vector<std::filesystem::path> runs, Read read, int port)
    : read_(std::move(read)) {
  for (std::filesystem::path& path : runs) {
    std::string label = path.stem().string();
    const auto same = [&](const Run& run) { return run.label == label; };
    if (std::any_of(runs_.begin(), runs_.end(), same)) label = path.string();
    runs_.push_back({std::move(path), std::move(label), {}, {}});
  }
  listen_on(port);
}

ViewServer::ViewServer(std::unique_ptr<LiveModel> live, int port) : live_(std::move(live)) {
  listen_on(port);
}

ViewServer::~ViewServer() {
  for (const Connection& connection : connections_) ::close(connection.descriptor);
  if (listener_ >= 0) ::close(listener_);
}

std::string ViewServer::address() const {
  return fmt::format("http://127.0.0.1:{}/", port_);
}

void ViewServer::listen_on(int port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, generic, &size) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    listener_ = -1;
    throw core::RunError(fmt::format("cannot listen on port {}: {}", port, why),
                         "choose another with --port, or leave it to the system");
  }
  port_ = ntohs(address.sin_port);
}

void ViewServer::serve(const std::atomic<bool>& stop) {
  while (!stop.load()) {
    std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
    for (const Connection& connection : connections_) {
      const short events = connection.output.empty() ? POLLIN : POLLOUT;
      waiting.push_back({connection.descriptor, events, 0});
    }
    if (live_) live_->advance();
    const int wait = live_ ? live_milliseconds : wait_milliseconds;
    if (::poll(waiting.data(), waiting.size(), wait) <= 0) continue;
    for (std::size_t i = 1; i < waiting.size(); ++i) {
      attend(connections_[i - 1], waiting[i].revents);
    }
    if ((waiting[0].revents & POLLIN) != 0) accept_one();
    const auto done = std::remove_if(connections_.begin(), connections_.end(), [](Connection& c) {
      if (c.done) ::close(c.descriptor);
      return c.done;
    });
    connections_.erase(done, connections_.end());
  }
}

void ViewServer::accept_one() {
  const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return;
  if (connections_.size() >= most_connections) {
    // The one that has been silent for longest makes room.
    ::close(connections_.front().descriptor);
    connections_.erase(connections_.begin());
  }
  connections_.push_back({descriptor, {}, {}, 0, false});
}

void ViewServer::attend(Connection& connection, short events) {
  if (events == 0) return;
  if ((events & POLLIN) != 0) {
    receive(connection);
  } else if ((events & POLLOUT) != 0) {
    send(connection);
  } else {
    connection.done = true;  // hung up
  }
}

void ViewServer::receive(Connection& connection) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::recv(connection.descriptor, buffer.data(), buffer.size(), 0);
  if (count <= 0) {
    connection.done = count == 0 || (errno != EAGAIN && errno != EINTR);
    return;
  }
  connection.input.append(buffer.data(), static_cast<std::size_t>(count));
  if (const auto request = parse_request(connection.input)) {
    connection.output = to_bytes(answer(*request));
  } else if (connection.input.size() > longest_head) {
    connection.done = true;
  }
}

void ViewServer::send(Connection& connection) {
  const char* rest = connection.output.data() + connection.sent;
  const std::size_t size = connection.output.size() - connection.sent;
  const ssize_t count = ::send(connection.descriptor, rest, size, MSG_NOSIGNAL);
  if (count < 0) {
    connection.done = errno != EAGAIN && errno != EINTR;
    return;
  }
  connection.sent += static_cast<std::size_t>(count);
  connection.done = connection.sent == connection.output.size();
}

bool ViewServer::host_is_here(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

HttpResponse ViewServer::answer(const HttpRequest& request) {
  if (request.method.empty()) return {400, "text/plain; charset=utf-8", "this is no HTTP\n"};
  if (!host_is_here(request.host)) {
    return {403, "text/plain; charset=utf-8",
            fmt::format("open {} on the machine where trammel view runs\n", address())};
  }
  const bool command = live_ && request.method == "POST" && request.own_page;
  if (request.method != "GET" && !command) {
    return {405, "text/plain; charset=utf-8", "only GET is served\n"};
  }
  if (request.path == "/") {
    const std::string& label = live_ ? live_->label() : runs_.front().label;
    return {200, "text/html; charset=utf-8", served_page(label + " - Trammel")};
  }
  try {
    if (live_) return live_answer(request);
    if (request.path == "/api/live") return {200, "application/json", "null"};
    if (request.path == "/api/runs") return run_states();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (request.path == fmt::format("/api/runs/{}", i)) return pack_of(runs_[i]);
    }
  } catch (const std::exception& error) {
    return {503, "text/plain; charset=utf-8", error.what()};
  }
  return {404, "text/plain; charset=utf-8", "there is nothing here\n"};
}

HttpResponse ViewServer::live_answer(const HttpRequest& request) {
  const std::string commands = "/api/live/";
  if (request.method == "POST" && request.path.rfind(commands, 0) == 0) {
    try {
      live_->command(request.path.substr(commands.size()), request.query);
    } catch (const core::InputError& error) {
      return {400, "text/plain; charset=utf-8", error.what()};
    }
    return {200, "application/json", live_->state()};
  }
  if (request.path == "/api/live") return {200, "application/json", live_->state()};
  if (request.path == "/api/runs") {
    JsonWriter json;
    json.begin_array();
    json.begin_object();
    json.member("label", live_->label());
    json.member("rows", live_->rows());
    json.member("outcome", "running");
    json.end_object();
    json.end_array();
    return {200, "application/json", json.take()};
  }
  if (request.path == "/api/runs/0") {
    return {200, "application/octet-stream", bytes_of(live_->pack())};
  }
  return {404, "text/plain; charset=utf-8", "there is nothing here\n"};
}

HttpResponse ViewServer::run_states() const {
  JsonWriter json;
  json.begin_array();
  for (const Run& run : runs_) {
    const results::Contents contents = results::inspect(run.path);
    json.begin_object();
    json.member("label", run.label);
    json.member("rows", contents.rows);
    json.member("outcome", results::to_string(contents.outcome));
    json.end_object();
  }
  json.end_array();
  return {200, "application/json", json.take()};
}

HttpResponse ViewServer::pack_of(Run& run) {
  const std::string state = state_of(results::inspect(run.path));
  if (run.packed.empty() || run.packed_state != state) {
    const ThinnedRun fresh = read_(run.path, budget);
    run.packed = bytes_of(make_pack(fresh, notes_of(fresh.info)));
    run.packed_state = state;
  }
  return {200, "application/octet-stream", run.packed};
}

}  // namespace trammel::report
