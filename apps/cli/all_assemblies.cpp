#include "all_assemblies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis_text.h"
#include "interruption.h"
#include "messages.h"
#include <fmt/format.h>

#include "trammel/analysis/assemblies.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/analysis/recorder.h"

namespace trammel::cli {
namespace {

// Assemblies are no motion: their number takes the place of the time.
class NumberedRows final : public results::Sink {
 public:
  explicit NumberedRows(results::Sink& sink) : sink_(sink) {}

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override {
    sink_.begin(channels, info);
  }
  void append(double /*time*/, const double* values) override { sink_.append(++rows_, values); }
  void flush() override { sink_.flush(); }
  void annotate(const std::map<std::string, std::string>& texts) override { sink_.annotate(texts); }
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override {
    sink_.finish(outcome, message, statistics);
  }

 private:
  results::Sink& sink_;
  double rows_ = 0.0;
};

// The joint coordinates in which the assemblies differ most, with their values.
class TellingCoordinates {
 public:
  TellingCoordinates(model::ModelSystem& system,
                     const std::vector<analysis::FoundAssembly>& found) {
    analysis::Observer observer(system);
    for (const analysis::NamedCoordinate& each : observer.coordinates()) {
      if (each.of_joint) coordinates_.push_back(each);
    }
    for (const analysis::FoundAssembly& assembly : found) {
      const std::vector<double>& values = observer.observe(assembly.motion);
      std::vector<double> row;
      for (const analysis::NamedCoordinate& each : coordinates_) {
        row.push_back(each.unit == "rad" ? std::remainder(values[each.value], whole_turn)
                                         : values[each.value]);
      }
      rows_.push_back(std::move(row));
    }
    choose(system.size());
  }

  std::string text(std::size_t assembly) const {
    std::string all;
    for (const std::size_t i : chosen_) {
      const bool angle = coordinates_[i].unit == "rad";
      constexpr double degree = std::numbers::pi / 180.0;
      all += fmt::format("{}{} = {:.6g} {}", all.empty() ? "" : ", ", coordinates_[i].name,
                         rows_[assembly][i] / (angle ? degree : 1.0),
                         angle ? "deg" : coordinates_[i].unit);
    }
    return all;
  }

 private:
  static constexpr double whole_turn = 2.0 * std::numbers::pi;

  void choose(double length) {
    constexpr std::size_t most = 3;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
      double least = rows_.front()[i];
      double largest = least;
      for (const std::vector<double>& row : rows_) {
        least = std::min(least, row[i]);
        largest = std::max(largest, row[i]);
      }
      const double scale = coordinates_[i].unit == "rad" ? 1.0 : length;
      if (largest - least > 1e-6 * scale) order.emplace_back((least - largest) / scale, i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
      chosen_.push_back(order[k].second);
    }
  }

  std::vector<analysis::NamedCoordinate> coordinates_;
  std::vector<std::vector<double>> rows_;
  std::vector<std::size_t> chosen_;
};

Report assemblies_report(model::ModelSystem& system, const analysis::AssembliesReport& report) {
  Report list;
  const std::size_t count = report.found.size();
  list.emplace_back("assemblies", fmt::format("{} found: {} starts, {} closed", count,
                                              report.starts, report.closed));
  if (report.reversed > 0) {
    list.emplace_back("", fmt::format("{} with a joint half a turn from where it belongs, which do "
                                      "not count",
                                      report.reversed));
  }
  const TellingCoordinates telling(system, report.found);
  for (std::size_t i = 0; i < count; ++i) {
    const analysis::FoundAssembly& each = report.found[i];
    std::string text =
        fmt::format("{}met {} times", each.described ? "as described, " : "", each.met);
    if (each.singular) text += ", a singular position";
    const std::string where = telling.text(i);
    list.emplace_back(fmt::format("  {}", i + 1), where.empty() ? text : text + ": " + where);
  }
  const double chance = report.chance_of_more();
  list.emplace_back("more of them?",
                    chance > 0.0
                        ? fmt::format("likely: the next start that closes would find another one "
                                      "with a probability of about {:.2g}",
                                      chance)
                        : fmt::format("unlikely: each was met more than once{}",
                                      report.complete ? "" : ", though the search was cut short"));
  return list;
}

}  // namespace

int run_all_assemblies(const ModelArgument& model,
                       const ResultsArgument& results,
                       int most_starts) {
  TimeLimit limit(model.time_limit_seconds());
  const io::ModelFile file = load(model);
  OutputSink sink = open_results(results, file, ".assemblies.h5");
  const TimeLimit::Heir heir(limit,
                             [&sink](const std::string& reason) { return sink.abandon(reason); });
  const std::unique_ptr<formulation::RelativeModel> system =
      formulation::compile_relative(file.description, formulation::HingeDrives::rows);
  analysis::AssembliesSettings settings;
  settings.most_starts = most_starts;
  settings.early_end = {.stop = &catch_stop_signals(), .time_limit = model.time_limit_seconds()};
  const analysis::AssembliesReport report =
      analysis::all_assemblies(*system, file.description, settings);
  limit.end();
  NumberedRows rows(sink);
  analysis::SimulationOptions options;
  options.sink = &rows;
  options.information = run_information("kinematics --all-assemblies", model, file, sink.path());
  options.information.method = "all assemblies";
  options.channels = results.channels;
  analysis::Recorder recorder(*system, options);
  for (const analysis::FoundAssembly& each : report.found) {
    system->restart_angles();
    system->accept(each.motion.state);
    recorder.step(each.motion);
    recorder.record(each.motion, {}, 0.0);
  }
  sink.finish(results::Outcome::completed, "",
              {{"assemblies", static_cast<double>(report.found.size())},
               {"starts", static_cast<double>(report.starts)}});
  return finish_results(results, file, sink,
                        joined({contents_report(file.description), drive_report(report.drives),
                                assemblies_report(*system, report)}),
                        {"row k is assembly k: its number stands in the place of the time"});
}

}  // namespace trammel::cli
