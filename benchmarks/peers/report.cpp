#include "report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

namespace peers {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.16g}", value) : "null";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

/// Largest memory held so far [kB].
long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double time_of_call(const std::function<void()>& call, int batches) {
  // The first call warms up caches and allocations and tells how many make a batch.
  call();
  double start = cpu_time();
  call();
  const double once = std::max(cpu_time() - start, 1e-9);
  const int count = std::clamp(static_cast<int>(0.02 / once), 1, 1000000);

  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    start = cpu_time();
    for (int i = 0; i < count; ++i) call();
    times.push_back((cpu_time() - start) / count);
  }
  return median(times);
}

void print_json(const Arguments& arguments, const Report& report) {
  std::string values;
  for (const auto& [name, value] : report.final_values) {
    values += fmt::format("{}{}:{}", values.empty() ? "" : ",", quoted(name), number(value));
  }
  const double per_step = report.cpu_s / static_cast<double>(std::max(report.steps, 1L));
  fmt::print("{{\"program\":{},\"case\":{},\"n\":{},\"method\":{},", quoted(report.program),
             quoted(arguments.case_name), arguments.n, quoted(report.method));
  fmt::print("\"h\":{},\"until\":{},\"accuracy\":{},\"steps\":{},", number(report.h),
             number(arguments.until), number(arguments.accuracy), report.steps);
  fmt::print("\"cpu_s\":{},\"cpu_per_step_us\":{},\"setup_s\":{},\"peak_kb\":{},",
             number(report.cpu_s), number(1e6 * per_step), number(report.setup_s), peak_memory());
  fmt::print("\"final\":{{{}}},\"energy_error\":{},\"constraint_error\":{},", values,
             number(report.energy_error), number(report.constraint_error));
  fmt::print("\"rejected\":{},\"failed\":{},\"note\":{}}}\n", report.rejected,
             report.failed ? "true" : "false", quoted(report.note));
}

}  // namespace peers
