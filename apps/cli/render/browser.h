// A Chromium without window that draws reports.
//
// It is spoken to by the Chrome DevTools Protocol through a pair of pipes
// (--remote-debugging-pipe): JSON messages that end in a zero byte, requests with a number and
// answers with the same number.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "trammel/core/json_value.h"

namespace trammel::cli {

/// A folder of its own that disappears with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class Browser {
 public:
  /// Starts the program and opens an empty page of this size in pixels. InputError when no Chromium
  /// is installed; RunError when it does not start.
  Browser(int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& address);
  /// The value of a JavaScript expression; waits for promises. RunError when it throws.
  core::JsonValue evaluate(std::string_view expression);
  /// What the page looks like now: the bytes of a PNG file.
  std::string picture();

 private:
  void start(const std::string& program);
  void end();
  /// `params` is a JSON object.
  core::JsonValue call(std::string_view method, std::string_view params);
  void send(const std::string& message) const;
  std::string receive();
  [[noreturn]] static void lost();

  TemporaryFolder profile_;
  pid_t process_ = -1;
  int to_browser_ = -1;
  int from_browser_ = -1;
  std::string received_;
  std::string session_;
  int last_number_ = 0;
};

}  // namespace trammel::cli
