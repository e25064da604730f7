#include "arguments.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace peers {
namespace {

double to_positive(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || !(value > 0.0)) {
    throw std::invalid_argument(
        fmt::format("{}: '{}' is not a positive number; give a value above 0", option, text));
  }
  return value;
}

int to_count(const std::string& option, const std::string& text) {
  const double value = to_positive(option, text);
  if (value != std::floor(value) || value > 1e9) {
    throw std::invalid_argument(fmt::format("{}: '{}' is not a count", option, text));
  }
  return static_cast<int>(value);
}

}  // namespace

long Arguments::step_count() const {
  return std::max(1L, static_cast<long>(std::ceil(until / h - 1e-6)));
}

Arguments read_arguments(int count, char** values) {
  const std::string usage =
      "usage: CASE --n N --h STEP --until T [--method NAME] [--accuracy A] [--repeat R] "
      "[--limit SECONDS] [--rigidity STEPS]; CASE: chain fourbar slider_crank pendulum forward";
  Arguments arguments;
  using Setter = std::function<void(const std::string&, const std::string&)>;
  const std::map<std::string, Setter> setters{
      {"--n", [&](auto& o, auto& v) { arguments.n = to_count(o, v); }},
      {"--h", [&](auto& o, auto& v) { arguments.h = to_positive(o, v); }},
      {"--until", [&](auto& o, auto& v) { arguments.until = to_positive(o, v); }},
      {"--method", [&](auto&, auto& v) { arguments.method = v; }},
      {"--accuracy", [&](auto& o, auto& v) { arguments.accuracy = to_positive(o, v); }},
      {"--repeat", [&](auto& o, auto& v) { arguments.repeat = to_count(o, v); }},
      {"--limit", [&](auto& o, auto& v) { arguments.limit = to_positive(o, v); }},
      {"--rigidity", [&](auto& o, auto& v) { arguments.rigidity = to_positive(o, v); }}};

  if (count < 2) throw std::invalid_argument(usage);
  arguments.case_name = values[1];
  const std::set<std::string> cases{"chain", "fourbar", "slider_crank", "pendulum", "forward"};
  if (cases.count(arguments.case_name) == 0) {
    throw std::invalid_argument(fmt::format("unknown case '{}'; {}", arguments.case_name, usage));
  }
  for (int i = 2; i < count; i += 2) {
    const auto setter = setters.find(values[i]);
    if (setter == setters.end() || i + 1 == count) {
      throw std::invalid_argument(
          fmt::format("'{}' is unknown or has no value; {}", values[i], usage));
    }
    setter->second(values[i], values[i + 1]);
  }
  return arguments;
}

}  // namespace peers
