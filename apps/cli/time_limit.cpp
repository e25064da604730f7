#include "time_limit.h"

#include <chrono>
#include <cmath>
#include <exception>
#include <system_error>
#include <utility>

#include "interface.h"
#include "messages.h"
#include <fmt/format.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/dimension.h"
#include "trammel/io/expression.h"

namespace trammel::cli {
namespace {

constexpr double grace = 3.0;          // s in which a computation may end by itself
constexpr double longest_limit = 1e9;  // s, thirty years; clocks can count to there

}  // namespace

CLI::Option* add_time_limit(CLI::App* command, std::string& text) {
  return command
      ->add_option("--time-limit", text,
                   "end after this time, with what there is then and exit code 1, e.g. '10 min'")
      ->type_name("TIME");
}

double time_limit_seconds(const std::string& text) {
  if (text.empty()) return 0.0;
  try {
    const io::Quantity value = io::evaluate(text, {});
    if (value.fits(core::dimension::time) && value.value > 0.0) {
      return std::min(value.value, longest_limit);
    }
  } catch (const io::ExpressionError&) {
    // told below, with an example
  }
  throw core::InputError(fmt::format("--time-limit: '{}' is no time above zero", text),
                         "write e.g. --time-limit '10 min'");
}

TimeLimit::TimeLimit(double seconds) {
  if (seconds <= 0.0) return;
  try {
    thread_ = std::thread([this, seconds] { guard(seconds); });
  } catch (const std::system_error& error) {
    throw core::RunError(
        fmt::format("--time-limit cannot be watched over: {}", error.code().message()),
        "raise the number of threads that you may have (ulimit -u), or leave out --time-limit");
  }
}

TimeLimit::~TimeLimit() {
  end();
  if (thread_.joinable()) thread_.join();
}

void TimeLimit::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  ended_.notify_all();
}

TimeLimit::Heir::Heir(TimeLimit& limit, LastWill will) : limit_(limit) {
  const std::lock_guard lock(limit_.mutex_);
  limit_.will_ = std::move(will);
}

TimeLimit::Heir::~Heir() {
  const std::lock_guard lock(limit_.mutex_);
  limit_.will_ = nullptr;
}

void TimeLimit::guard(double seconds) {
  std::unique_lock lock(mutex_);
  const auto enough = std::chrono::duration<double>(seconds + grace);
  if (ended_.wait_for(lock, enough, [this] { return over_; })) return;
  const std::string reason = fmt::format("the time limit of {:g} s was reached", seconds);
  std::string kept = "nothing was written";
  try {
    if (will_) kept = will_(reason);
  } catch (const std::exception& error) {
    kept = error.what();
  }
  print_error(reason, "the command could not be ended in good order; " + kept);
  ::_exit(exit_failed);
}

}  // namespace trammel::cli
