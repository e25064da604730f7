#include "trammel/analysis/watch.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

using std::chrono::duration;

constexpr duration<double> between_tellings{0.1};
constexpr duration<double> between_looks{1e-3};
constexpr long longest_stride = 16;  // soon enough even when steps suddenly take a second

}  // namespace

bool EarlyEnd::over(Clock::time_point now) const {
  return time_limit > 0.0 && now - begin >= duration<double>(time_limit);
}

std::string EarlyEnd::reason() const {
  return asked() ? "stopped by the user"
                 : fmt::format("the time limit of {:g} s was reached", time_limit);
}

void EarlyEnd::require_time(const std::string& doing, const std::string& remedy) const {
  if (reached()) throw core::RunError(fmt::format("{} while {}", reason(), doing), remedy);
}

Watch::Watch(const EarlyEnd& end) : end_(end), looked_(Clock::now()), told_(looked_) {}

bool Watch::after_step() {
  if (++steps_ < stride_) return false;
  steps_ = 0;
  const Clock::time_point now = Clock::now();
  stride_ = now - looked_ < between_looks ? std::min(2 * stride_, longest_stride) : 1;
  looked_ = now;
  over_ = end_.over(now);
  if (now - told_ < between_tellings) return false;
  told_ = now;
  return true;
}

double Watch::wall_time() const {
  return duration<double>(Clock::now() - end_.begin).count();
}

}  // namespace trammel::analysis
