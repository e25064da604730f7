#include "progress_display.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trammel::cli {
namespace {

constexpr double bar_interval = 0.1;    // s of wall time between two drawings
constexpr double line_interval = 10.0;  // s of wall time between two lines

double fraction_of(const analysis::Progress& progress) {
  if (progress.until <= 0.0) return 0.0;
  return std::clamp(progress.time / progress.until, 0.0, 1.0);
}

std::string time_left(double done, double wall_time) {
  if (done < 1e-3) return "estimating";
  return duration_text(wall_time * (1.0 - done) / done) + " left";
}

// At most `width` columns wide.
std::string bar(double done, const std::string& what, double wall_time, std::size_t width) {
  const std::string head = fmt::format("{:>4.0f} % ", std::floor(100.0 * done));
  const std::string tail = fmt::format(" {}, {}", what, time_left(done, wall_time));
  const std::size_t used = head.size() + tail.size() + 3;
  if (used + 10 > width) return (head + tail).substr(0, width > 0 ? width - 1 : 0);
  const std::size_t room = std::min<std::size_t>(width - used, 40);
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(room));
  return head + "[" + std::string(filled, '#') + std::string(room - filled, '-') + "]" + tail;
}

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0.95) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

ProgressDisplay::ProgressDisplay(bool terminal, std::size_t width)
    : terminal_(terminal), width_(width) {}

ProgressDisplay::~ProgressDisplay() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void ProgressDisplay::update(const analysis::Progress& progress) {
  std::string what = fmt::format("t = {:.4g} of {:.4g} s", progress.time, progress.until);
  if (!terminal_) {
    what += fmt::format(" ({:.0f} %), {} steps", std::floor(100.0 * fraction_of(progress)),
                        progress.steps);
  }
  update(fraction_of(progress), what, progress.wall_time);
}

void ProgressDisplay::update(double fraction, const std::string& what, double wall_time) {
  const double interval = terminal_ ? bar_interval : line_interval;
  if (wall_time - last_shown_ < interval) return;
  last_shown_ = wall_time;
  if (terminal_) {
    std::fputs(("\r" + bar(fraction, what, wall_time, width_) + "\033[K").c_str(), stderr);
    drawn_ = true;
  } else {
    std::fputs(fmt::format("trammel: {}, {}\n", what, time_left(fraction, wall_time)).c_str(),
               stderr);
  }
  std::fflush(stderr);
}

}  // namespace trammel::cli
