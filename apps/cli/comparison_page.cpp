#include "comparison_page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "comparison_text.h"
#include <fmt/format.h>

#include "trammel/report/json_writer.h"
#include "trammel/results/plot.h"

namespace trammel::cli {
namespace {

using analysis::comparison::Comparison;
using analysis::comparison::Deviation;
using analysis::comparison::Row;
using analysis::comparison::Verdict;
using report::Chart;
using report::ChartLine;

/// Rows of one method at all its steps.
using Group = std::vector<const Row*>;

class Page {
 public:
  Page(const std::string& model_name, const std::string& command, const Comparison& comparison)
      : comparison_(comparison) {
    page_.title = fmt::format("{}: methods compared", model_name);
    page_.generator = comparison_generator;
    for (const Row& row : comparison.rows) {
      number_of(methods_, row.candidate.method);
      number_of(stabilisations_, row.candidate.stabilisation);
      if (groups_.empty() || groups_.back().front()->candidate.group() != row.candidate.group()) {
        groups_.emplace_back();
      }
      groups_.back().push_back(&row);
    }
    facts(command);
  }

  report::TablePage make() {
    keys();
    charts();
    page_.tables.push_back(orders_table());
    page_.tables.push_back(runs_table());
    remarks();
    return std::move(page_);
  }

 private:
  static int number_of(std::vector<std::string>& list, const std::string& name) {
    const auto found = std::find(list.begin(), list.end(), name);
    const auto place = static_cast<int>(found - list.begin());
    if (found == list.end()) list.push_back(name);
    return place;
  }

  void facts(const std::string& command) {
    for (const std::string& finding : findings(comparison_)) {
      page_.lead += (page_.lead.empty() ? "" : "<br>\n") + report::escaped_html(finding);
    }
    const double until =
        comparison_.sampling.interval * static_cast<double>(comparison_.sampling.count);
    page_.facts = {{"simulated",
                    fmt::format("{:g} s, compared at {} times", until, comparison_.sampling.count)},
                   {"reference", comparison_.reference},
                   {"made by", command}};
    if (comparison_.trusted_until < until - 0.5 * comparison_.sampling.interval) {
      page_.facts.emplace_back(
          "errors until", fmt::format("t = {:.4g} s: later the reference does not converge, since "
                                      "motions part exponentially",
                                      comparison_.trusted_until));
    }
  }

  int color(const Row& row) { return number_of(methods_, row.candidate.method) % 8; }
  int marker(const Row& row) { return number_of(stabilisations_, row.candidate.stabilisation) % 4; }
  static int dashes(const Row& row) { return 3 - row.candidate.index; }

  std::vector<std::string> classes(const Row& row) {
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) {
      return each.front()->candidate.group() == row.candidate.group();
    });
    return {fmt::format("k-m{}", number_of(methods_, row.candidate.method)),
            fmt::format("k-i{}", row.candidate.index),
            fmt::format("k-s{}", number_of(stabilisations_, row.candidate.stabilisation)),
            fmt::format("g-{}", group - groups_.begin())};
  }

  void keys() {
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      const int color = static_cast<int>(i) % 8;
      page_.keys.push_back(
          {"method", methods_[i], report::svg_sample(color, 0, -1), fmt::format("k-m{}", i)});
    }
    for (const int index : {3, 2, 1}) {
      const bool used = std::any_of(comparison_.rows.begin(), comparison_.rows.end(),
                                    [&](const Row& row) { return row.candidate.index == index; });
      if (!used) continue;
      page_.keys.push_back({"index", std::to_string(index), report::svg_sample(6, 3 - index, -1),
                            fmt::format("k-i{}", index)});
    }
    for (std::size_t i = 0; i < stabilisations_.size(); ++i) {
      page_.keys.push_back({"stabilisation", stabilisations_[i],
                            report::svg_sample(6, 0, static_cast<int>(i) % 4),
                            fmt::format("k-s{}", i)});
    }
  }

  ChartLine line_of(const Group& group) {
    const Row& row = *group.front();
    return {.label = row.candidate.group(),
            .color = color(row),
            .dashes = dashes(row),
            .marker = marker(row),
            .x = {},
            .y = {},
            .classes = classes(row)};
  }

  // Errors of all groups over a measure of their rows. Runs that failed have no place in it.
  Chart error_chart(const std::string& title,
                    const std::string& x_label,
                    double (*x)(const Row&),
                    double Deviation::*level) {
    Chart chart{title, x_label, "error", true, true, {}};
    for (const Group& group : groups_) {
      ChartLine line = line_of(group);
      for (const Row* row : group) {
        if (row->result.verdict == Verdict::fails) continue;
        const double error = row->result.error.*level;
        constexpr double meaningless = 10.0;  // larger ones would only squeeze the others together
        line.x.push_back(x(*row));
        line.y.push_back(error < meaningless ? error : std::nan(""));
        line.texts.push_back(fmt::format("{}: error {:.2e}, {}, {}", row->candidate.name(),
                                         row->result.error.*level, short_time(row->result.time),
                                         to_string(row->result.verdict)));
      }
      chart.lines.push_back(std::move(line));
    }
    return chart;
  }

  // A line of slope two below the smallest errors of an error-over-step chart.
  static void add_slope(Chart& chart) {
    double left = INFINITY;
    double right = 0.0;
    double lowest = INFINITY;
    for (const ChartLine& line : chart.lines) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (!(line.y[i] > 0.0)) continue;
        left = std::min(left, line.x[i]);
        right = std::max(right, line.x[i]);
        lowest = std::min(lowest, line.y[i] / (line.x[i] * line.x[i]));
      }
    }
    if (!(right > left)) return;
    constexpr double below = 0.6;
    const double middle = std::sqrt(left * right);
    chart.guides.push_back({.label = "h\u00B2",
                            .x = {left, middle},
                            .y = {below * lowest * left * left, below * lowest * middle * middle}});
  }

  Chart energy_chart() {
    Chart chart{"Energy: what the balance lacks, at the shortest step",
                "time [s]",
                "|energy| [J]",
                false,
                true,
                {}};
    for (const Group& group : groups_) {
      const Row& row = *group.back();
      ChartLine line = line_of(group);
      line.label = row.candidate.name();
      line.marker = -1;
      for (std::size_t i = 0; i < row.result.energy_history.size(); ++i) {
        line.x.push_back(comparison_.sampling.interval * static_cast<double>(i + 1));
        line.y.push_back(std::abs(row.result.energy_history[i]));
      }
      chart.lines.push_back(std::move(line));
    }
    return chart;
  }

  void charts() {
    const auto time = [](const Row& row) { return row.result.time; };
    const auto step = [](const Row& row) { return row.result.step; };
    page_.charts.push_back(error_chart("Work and precision: position error over processor time",
                                       "time of the processor [s]", time, &Deviation::position));
    page_.charts.push_back(energy_chart());
    for (const auto& [name, level] : {std::pair("Positions", &Deviation::position),
                                      std::pair("Velocities", &Deviation::velocity),
                                      std::pair("Accelerations", &Deviation::acceleration),
                                      std::pair("Reactions", &Deviation::reaction)}) {
      Chart chart = error_chart(fmt::format("{}: error over step", name), "step [s]", step, level);
      add_slope(chart);
      page_.charts.push_back(std::move(chart));
    }
  }

  static report::PageCell number(double value, const std::string& text) {
    return {text, value, text == "-" ? "faint" : ""};
  }
  static report::PageCell error(double value) { return number(value, error_text(value)); }
  static report::PageCell order(double value) { return number(value, order_text(value)); }

  static std::string verdict_style(Verdict verdict) {
    if (verdict == Verdict::stable) return "good";
    return verdict == Verdict::fails ? "bad" : "doubtful";
  }

  static std::vector<report::PageCell> names(const Row& row) {
    return {{row.candidate.method},
            {std::to_string(row.candidate.index), static_cast<double>(row.candidate.index)},
            {row.candidate.stabilisation}};
  }

  // Between the two shortest steps.
  report::PageTable orders_table() {
    report::PageTable table{
        "Measured orders",
        "<p>Between the two shortest steps: log(error/error)/log(step/step). All members of the "
        "family are of second order.</p>\n",
        {{"method", "", false},
         {"index", "", true},
         {"stabilisation", "", false},
         {"positions", "order of the position error", true},
         {"velocities", "", true},
         {"accelerations", "", true},
         {"reactions", "", true}},
        {}};
    for (const Group& group : groups_) {
      if (group.size() < 2) continue;
      const Row& row = *group.back();
      report::PageRow line{names(row), classes(row)};
      for (const double value :
           {row.order.position, row.order.velocity, row.order.acceleration, row.order.reaction}) {
        line.cells.push_back(order(value));
      }
      table.rows.push_back(std::move(line));
    }
    return table;
  }

  report::PageTable runs_table() {
    report::PageTable table{
        "All runs",
        "<p>Click a heading to sort. Errors are the largest over time: positions u in model sizes "
        "or "
        "rad; velocities v, accelerations a and reactions f = G\u1D40\u03BB relative to the "
        "largest value of the reference. |g|, |g\u2032|, |g\u2033|: residuals of the position, "
        "velocity and acceleration constraints. Energy: what no force explains, and its "
        "trend.</p>\n",
        {{"method", "", false},
         {"index", "", true},
         {"stabilisation", "", false},
         {"step", "the one taken", true},
         {"verdict", "stable, oscillates, drifts or fails", false},
         {"u", "error of positions", true},
         {"v", "error of velocities", true},
         {"a", "error of accelerations", true},
         {"f", "error of reactions", true},
         {"|g|", "largest position constraint residual", true},
         {"|g\u2032|", "largest velocity constraint residual", true},
         {"|g\u2033|", "largest acceleration constraint residual", true},
         {"energy, J", "largest change that no force explains", true},
         {"drift, W", "trend of the energy", true},
         {"it", "Newton iterations per step", true},
         {"time", "of the processor, in steps alone", true}},
        {}};
    for (const Row& row : comparison_.rows) {
      const auto& r = row.result;
      report::PageRow line{names(row), classes(row)};
      line.cells.push_back(number(r.step, short_time(r.step)));
      line.cells.push_back({to_string(r.verdict), 0.0, verdict_style(r.verdict), r.reason});
      for (const double value : {r.error.position, r.error.velocity, r.error.acceleration,
                                 r.error.reaction, r.position_residual, r.velocity_residual,
                                 r.acceleration_residual, r.energy_change, r.energy_drift}) {
        line.cells.push_back(error(value));
      }
      line.cells.push_back(
          number(r.iterations_per_step, fmt::format("{:.2f}", r.iterations_per_step)));
      line.cells.push_back(number(r.time, short_time(r.time)));
      table.rows.push_back(std::move(line));
    }
    return table;
  }

  void remarks() {
    std::map<std::string, int> reasons;
    std::string& text = page_.remarks;
    for (const Row& row : comparison_.rows) {
      if (row.result.verdict == Verdict::stable) continue;
      if (text.empty()) text = "<h2>Why not stable</h2>\n<ul>\n";
      text += fmt::format(
          "<li>{}: {}</li>\n", report::escaped_html(row.candidate.name()),
          report::escaped_html(to_string(row.result.verdict) + ", " + row.result.reason));
    }
    if (!text.empty()) text += "</ul>\n";
    if (comparison_.left_out.empty()) return;
    text += "<h2>Left out</h2>\n<ul>\n";
    for (const auto& left : comparison_.left_out) {
      text += fmt::format("<li>{}: {}</li>\n", report::escaped_html(left.group),
                          report::escaped_html(left.reason));
    }
    text += "</ul>\n";
  }

  const Comparison& comparison_;
  std::vector<std::string> methods_;
  std::vector<std::string> stabilisations_;
  std::vector<Group> groups_;
  report::TablePage page_;
};

}  // namespace

report::TablePage comparison_page(const std::string& model_name,
                                  const std::string& command,
                                  const Comparison& comparison) {
  return Page(model_name, command, comparison).make();
}

void write_work_precision(const std::string& path,
                          const std::string& model_name,
                          const Comparison& comparison,
                          bool overwrite) {
  results::Panel panel{"position error", {}};
  for (const Row& row : comparison.rows) {
    if (row.result.verdict == Verdict::fails) continue;
    const std::string group = row.candidate.group();
    if (panel.series.empty() || panel.series.back().label != group) {
      panel.series.push_back({group, {}, {}});
    }
    panel.series.back().x.push_back(row.result.time);
    panel.series.back().y.push_back(row.result.error.position);
  }
  results::write_plot(path, {panel},
                      {.title = model_name + ": work and precision",
                       .x_label = "time of the processor [s]",
                       .height = 700,
                       .log_x = true,
                       .log_y = true,
                       .markers = true,
                       .overwrite = overwrite});
}

}  // namespace trammel::cli
