#include "trammel/analysis/certificate.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/error_bands.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/model_copy.h"
#include "trammel/analysis/output_grid.h"

namespace trammel::analysis {
namespace {

constexpr double step_factor = 2.0;  // from one run to the next finer one
constexpr double coarser_tolerance = 10.0;
constexpr double finer_tolerance = 1.0 / 30.0;
// Errors follow tolerances loosely: no more than this is believed of the finer run.
constexpr double ratio_of_tolerances = 3.0;

enum class Other { coarser, finer };

// `auto` chooses once, for all three.
model::SimulationSettings named_method(const model::ModelSystem& system,
                                       const model::SimulationSettings& settings) {
  if (settings.integrator != auto_method_name) return settings;
  const std::unique_ptr<model::ModelSystem> copy = copy_of(system);
  return choose_method(*copy, assemble(*copy), settings).settings;
}

// The same output times, or every other one where twice the step would not fit between them.
model::SimulationSettings changed(model::SimulationSettings settings, Other other) {
  const bool coarser = other == Other::coarser;
  if (chooses_steps(settings)) {
    multiply_tolerances(settings, coarser ? coarser_tolerance : finer_tolerance);
    return settings;
  }
  const OutputGrid grid = simulation_grid(settings);
  settings.output_step = grid.h * static_cast<double>(grid.steps_per_output);
  if (coarser && grid.steps_per_output % 2 != 0) settings.output_step *= step_factor;
  settings.step = coarser ? step_factor * grid.h : grid.h / step_factor;
  keep_long_steps(settings);
  return settings;
}

// A run of the same motion in a thread of its own.
class OtherRun {
 public:
  OtherRun(const model::ModelSystem& system,
           model::SimulationSettings settings,
           const SimulationOptions& options,
           int division_of_parts = 1)
      : system_(copy_of(system)), settings_(std::move(settings)) {
    options_.sink = &queue_;
    options_.channels = options.channels;
    options_.further = options.further;
    options_.stop = &stop_;
    options_.time_limit = options.time_limit;
    options_.division_of_parts = division_of_parts;
    thread_ = std::thread([this] { go(); });
  }

  ~OtherRun() {
    stop_ = true;
    queue_.give_up();
    thread_.join();
  }
  OtherRun(const OtherRun&) = delete;
  OtherRun& operator=(const OtherRun&) = delete;

  RowQueue& rows() { return queue_; }

 private:
  void go() {
    try {
      simulate(*system_, settings_, options_);
      queue_.end({});
    } catch (const std::exception& error) {
      queue_.end(error.what());
    }
  }

  std::unique_ptr<model::ModelSystem> system_;
  model::SimulationSettings settings_;
  SimulationOptions options_;
  RowQueue queue_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

ErrorBands::Ratios ratios_of_errors(const model::ModelSystem& system,
                                    const model::SimulationSettings& settings) {
  if (chooses_steps(settings)) return {ratio_of_tolerances, coarser_tolerance};
  const std::unique_ptr<model::ModelSystem> copy = copy_of(system);
  const double ratio = std::pow(step_factor, make_integrator(*copy, settings)->order());
  return {ratio, ratio};
}

}  // namespace

std::string to_string(const Certificate& c) {
  if (c.channels.empty()) return "no channel that could have a band is recorded";
  const std::string who =
      c.without.empty()
          ? "all channels"
          : fmt::format("all channels but {} ({})", c.without.size(), fmt::join(c.without, ", "));
  std::string text;
  if (c.until > 0.0) {
    text = fmt::format("{}: {} {} or better until {:.4g} s (weakest: {}), by {}", who, c.digits,
                       c.digits == 1 ? "digit" : "digits", c.until, c.weakest, c.how);
  }
  if (c.nothing < c.end || c.until <= 0.0) {
    text +=
        fmt::format("{}from {:.4g} s on nothing can be claimed of {}{}", text.empty() ? "" : "; ",
                    c.nothing, who, c.trouble.empty() ? "" : fmt::format(" ({})", c.trouble));
  }
  return text;
}

std::vector<std::string> weakest_channels(const Certificate& certificate, std::size_t most) {
  std::vector<const ChannelClaim*> claims;
  for (const ChannelClaim& claim : certificate.channels) claims.push_back(&claim);
  std::stable_sort(claims.begin(), claims.end(), [](const ChannelClaim* a, const ChannelClaim* b) {
    return std::pair(a->digits, a->until) < std::pair(b->digits, b->until);
  });
  if (claims.size() > most) claims.resize(most);
  std::vector<std::string> texts;
  for (const ChannelClaim* claim : claims) {
    const std::string band = fmt::format("+- {:.2g}{}{} of {:.3g}", claim->band,
                                         claim->unit.empty() ? "" : " ", claim->unit, claim->scale);
    texts.push_back(claim->digits > 0
                        ? fmt::format("{}: {} {}, {} at the end", claim->name, claim->digits,
                                      claim->digits == 1 ? "digit" : "digits", band)
                        : fmt::format("{}: nothing from {:.4g} s on", claim->name, claim->until));
  }
  return texts;
}

SimulationReport simulate_certified(model::ModelSystem& system,
                                    const model::SimulationSettings& settings,
                                    const SimulationOptions& options,
                                    Certificate& certificate) {
  const model::SimulationSettings named = named_method(system, settings);
  OtherRun coarse(system, changed(named, Other::coarser), options);
  // What a switch cuts off before the middle of a step is not halved with it.
  OtherRun fine(system, changed(named, Other::finer), options, 2);
  ErrorBands bands(options.sink, coarse.rows(), fine.rows(), ratios_of_errors(system, named),
                   options.stop);
  bands.set_origin(chooses_steps(named)
                       ? "runs with ten times the tolerance and with a thirtieth of it"
                       : "runs with twice the step and with half of it");
  SimulationOptions own = options;
  own.sink = &bands;
  SimulationReport report = simulate(system, settings, own);
  certificate = bands.certificate();
  report.certificate = weakest_channels(certificate);
  report.certificate.insert(report.certificate.begin(), to_string(certificate));
  return report;
}

}  // namespace trammel::analysis
