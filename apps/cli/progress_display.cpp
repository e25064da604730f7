#include "progress_display.h"

#include <algorithm>
#include <cmath>

#include "printing.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

constexpr double bar_interval = 0.1;    // s of wall time between two drawings
constexpr double line_interval = 10.0;  // s of wall time between two lines

double fraction_of(const analysis::Progress& progress) {
  if (progress.until <= 0.0) return 0.0;
  return std::clamp(progress.time / progress.until, 0.0, 1.0);
}

// A million such steps, or a thousand times those taken so far, would not reach the end.
bool stalls(const analysis::Progress& progress) {
  if (!(progress.step > 0.0) || progress.steps == 0) return false;
  const double mean = progress.time / static_cast<double>(progress.steps);
  return progress.step < 1e-6 * progress.until || progress.step < 1e-3 * mean;
}

// At most `width` columns wide.
std::string bar(double done, const std::string& what, const std::string& left, std::size_t width) {
  const std::string head = fmt::format("{:>4.0f} % ", std::floor(100.0 * done));
  const std::string tail = fmt::format(" {}, {}", what, left);
  const std::size_t used = head.size() + tail.size() + 3;
  if (used + 10 > width) return (head + tail).substr(0, width > 0 ? width - 1 : 0);
  const std::size_t room = std::min<std::size_t>(width - used, 40);
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(room));
  return head + "[" + std::string(filled, '#') + std::string(room - filled, '-') + "]" + tail;
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double hundred_years = 3.15576e9;
  if (!(seconds < hundred_years)) return "more than 100 years";
  if (seconds < 0.95) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  constexpr long long day = 86400;
  if (whole >= 2 * day) return fmt::format("{} days", whole / day);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

ProgressDisplay::ProgressDisplay(bool terminal, std::size_t width)
    : terminal_(terminal), width_(width) {}

ProgressDisplay::~ProgressDisplay() {
  if (!drawn_) return;
  put_message("\r\033[K");
}

void ProgressDisplay::update(const analysis::Progress& progress) {
  std::string what = fmt::format("t = {:.4g} of {:.4g} s", progress.time, progress.until);
  if (!terminal_) {
    what += fmt::format(" ({:.0f} %), {} steps", std::floor(100.0 * fraction_of(progress)),
                        progress.steps);
    if (progress.step > 0.0) what += fmt::format(", the last of {:.3g} s", progress.step);
  } else if (stalls(progress)) {
    what += fmt::format(", steps of {:.2g} s", progress.step);
  }
  update(fraction_of(progress), what, progress.wall_time);
}

std::string ProgressDisplay::time_left(double fraction, double wall_time) {
  constexpr double memory = 5.0;  // s over which the present speed is measured, at least
  if (wall_time - last_.wall_time >= memory) {
    before_ = last_;
    last_ = {wall_time, fraction};
  }
  const double whole = fraction / wall_time;
  const double present = (fraction - before_.fraction) / (wall_time - before_.wall_time);
  const double speed = std::min(whole, present);
  if (fraction < 1e-3 && !(wall_time > memory)) return "estimating";
  return duration_text(speed > 0.0 ? (1.0 - fraction) / speed : INFINITY) + " left";
}

void ProgressDisplay::update(double fraction, const std::string& what, double wall_time) {
  const double interval = terminal_ ? bar_interval : line_interval;
  if (wall_time - last_shown_ < interval) return;
  last_shown_ = wall_time;
  const std::string left = time_left(fraction, wall_time);
  if (terminal_) {
    print_message("\r{}\033[K", bar(fraction, what, left, width_));
    drawn_ = true;
  } else {
    print_message("trammel: {}, {}\n", what, left);
  }
}

}  // namespace trammel::cli
