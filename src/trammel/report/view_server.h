// The server behind `trammel view`: the viewer and the runs it shows, for this machine only.
//
//   GET /             the page
//   GET /api/runs     [{"label": ..., "rows": ..., "outcome": ...}, ...], asked for every second
//   GET /api/runs/0   the pack of the first run: length of the header (4 bytes, little-endian),
//                     header, zeros up to a multiple of 8, numbers
//
// With a model that runs while it is looked at (LiveModel), besides:
//   GET  /api/live              its state as JSON: time, parameters, mistakes
//   POST /api/live/set?name=length&value=0.3      and other commands, see LiveModel::command
//
// It listens on 127.0.0.1 and answers only requests that name this machine as their host, so that a
// web page elsewhere cannot read results through a name of its own that leads here.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trammel/report/http.h"
#include "trammel/report/pack.h"
#include "trammel/report/thinned_run.h"

namespace trammel::report {

/// A model that the server lets run.
class LiveModel {
 public:
  virtual ~LiveModel() = default;
  virtual std::string label() const = 0;
  /// Goes on as far as time has passed since the last call; called some hundred times a second.
  virtual void advance() = 0;
  /// {"time": ..., "playing": ..., "parameters": [...], ...}
  virtual std::string state() = 0;
  /// Rows kept for the pack, counted from the start.
  virtual std::size_t rows() const = 0;
  /// The motion of the last seconds.
  virtual Pack pack() = 0;
  /// "set", "pause", "step" ...; InputError for what it does not know.
  virtual void command(const std::string& name,
                       const std::map<std::string, std::string>& values) = 0;
};

class ViewServer {
 public:
  using Read = std::function<ThinnedRun(const std::filesystem::path&, std::size_t budget)>;

  /// Begins to listen. Port 0: any that is free. RunError when the port is taken.
  ViewServer(std::vector<std::filesystem::path> runs, Read read, int port = 0);
  /// Shows a model that runs, and nothing else.
  explicit ViewServer(std::unique_ptr<LiveModel> live, int port = 0);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  int port() const { return port_; }
  std::string address() const;

  /// Serves until `stop` is set; looks at it several times a second.
  void serve(const std::atomic<bool>& stop);

  /// The answer to a request, without a network.
  HttpResponse answer(const HttpRequest& request);

 private:
  struct Run {
    std::filesystem::path path;
    std::string label;
    std::string packed_state;  ///< rows and outcome that `packed` belongs to
    std::string packed;
  };
  struct Connection {
    int descriptor = -1;
    std::string input;
    std::string output;
    std::size_t sent = 0;
    bool done = false;
  };

  void listen_on(int port);
  void accept_one();
  void attend(Connection& connection, short events);
  void receive(Connection& connection);
  static void send(Connection& connection);
  HttpResponse run_states() const;
  HttpResponse live_answer(const HttpRequest& request);
  HttpResponse pack_of(Run& run);
  bool host_is_here(const std::string& host) const;

  std::vector<Run> runs_;
  Read read_;
  std::unique_ptr<LiveModel> live_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<Connection> connections_;
};

}  // namespace trammel::report
