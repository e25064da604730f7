#include "trammel/report/thinned_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "trammel/report/thinning.h"
#include "trammel/results/reader.h"

namespace trammel::report {
namespace {

using results::Contents;
using results::RowBlock;

/// The lowest and the highest value of each interval of a column, in the order in which they come,
/// found one row after the other. Numbers that are not finite lose against all others.
class Extremes {
 public:
  void add(double value) {
    if (count_ == 0 || below(value, low_)) {
      low_ = value;
      low_at_ = count_;
    }
    if (count_ == 0 || above(value, high_)) {
      high_ = value;
      high_at_ = count_;
    }
    ++count_;
  }
  void end_interval(std::vector<double>& column) {
    column.push_back(low_at_ < high_at_ ? low_ : high_);
    column.push_back(low_at_ < high_at_ ? high_ : low_);
    count_ = 0;
  }

 private:
  static bool below(double a, double b) { return std::isfinite(a) && (!std::isfinite(b) || a < b); }
  static bool above(double a, double b) { return std::isfinite(a) && (!std::isfinite(b) || a > b); }

  std::size_t count_ = 0;
  std::size_t low_at_ = 0;
  std::size_t high_at_ = 0;
  double low_ = 0.0;
  double high_ = 0.0;
};

/// Takes the rows of a run one block after the other.
class Thinner {
 public:
  Thinner(const Contents& contents, std::size_t budget)
      : plan_(plan_thinning(contents.channels, contents.rows, budget / sizeof(float))) {
    const results::RunRecord& record = contents;
    static_cast<results::RunRecord&>(run_) = record;
    run_.rows = contents.rows;
    run_.whole = plan_.whole;
    run_.left_out = contents.channels.size() - plan_.channels.size();
    for (const std::size_t i : plan_.channels) {
      run_.samples.channels.push_back(contents.channels[i]);
      sampled_.push_back(place_of(i));
    }
    for (const std::size_t i : plan_.poses) {
      run_.frames.channels.push_back(contents.channels[i]);
      posed_.push_back(place_of(i));
    }
    prepare(run_.samples, plan_.samples);
    prepare(run_.frames, plan_.frames.size());
    extremes_.resize(sampled_.size());
  }

  /// The channels that are needed, each once.
  const std::vector<std::size_t>& wanted() const { return wanted_; }

  void add(const RowBlock& block) {
    for (std::size_t k = 0; k < block.time.size(); ++k) {
      const std::size_t row = block.first + k;
      if (plan_.samples < run_.rows) {
        add_to_interval(block, k, row);
      } else {
        add_row(block, k, sampled_, run_.samples);
      }
      if (frame_ < plan_.frames.size() && plan_.frames[frame_] == row) {
        add_row(block, k, posed_, run_.frames);
        ++frame_;
      }
    }
  }

  ThinnedRun take() { return std::move(run_); }

 private:
  std::size_t place_of(std::size_t channel) {
    const auto [place, fresh] = places_.try_emplace(channel, wanted_.size());
    if (fresh) wanted_.push_back(channel);
    return place->second;
  }

  static void prepare(ThinnedColumns& columns, std::size_t rows) {
    columns.columns.resize(columns.channels.size());
    columns.time.reserve(rows);
    for (std::vector<double>& column : columns.columns) column.reserve(rows);
  }

  static void add_row(const RowBlock& block,
                      std::size_t k,
                      const std::vector<std::size_t>& places,
                      ThinnedColumns& to) {
    to.time.push_back(block.time[k]);
    for (std::size_t i = 0; i < places.size(); ++i) {
      to.columns[i].push_back(block.columns[places[i]][k]);
    }
  }

  void add_to_interval(const RowBlock& block, std::size_t k, std::size_t row) {
    const std::size_t intervals = plan_.samples / 2;
    if (interval_ == intervals) return;
    if (row == interval_first_row(run_.rows, interval_, intervals)) begin_ = block.time[k];
    for (std::size_t i = 0; i < sampled_.size(); ++i) {
      extremes_[i].add(block.columns[sampled_[i]][k]);
    }
    if (row + 1 < interval_first_row(run_.rows, interval_ + 1, intervals)) return;
    ++interval_;
    // The beginning and the middle of each interval; the last ends where the run does.
    const double end = block.time[k];
    run_.samples.time.push_back(begin_);
    run_.samples.time.push_back(interval_ == intervals ? end : 0.5 * (begin_ + end));
    for (std::size_t i = 0; i < sampled_.size(); ++i) {
      extremes_[i].end_interval(run_.samples.columns[i]);
    }
  }

  ThinningPlan plan_;
  ThinnedRun run_;
  std::map<std::size_t, std::size_t> places_;
  std::vector<std::size_t> wanted_;
  std::vector<std::size_t>
      sampled_;                     ///< of each channel of the samples: its place among the wanted
  std::vector<std::size_t> posed_;  ///< likewise of the frames
  std::vector<Extremes> extremes_;
  std::size_t interval_ = 0;
  std::size_t frame_ = 0;
  double begin_ = 0.0;
};

}  // namespace

ThinnedRun thinned(const results::Table& table, std::size_t budget) {
  Contents contents;
  const results::RunRecord& record = table;
  static_cast<results::RunRecord&>(contents) = record;
  contents.channels = table.channels;
  contents.rows = table.rows();
  Thinner thinner(contents, budget);
  RowBlock all{0, table.time, {}};
  for (const std::size_t i : thinner.wanted()) all.columns.emplace_back(table.columns[i]);
  thinner.add(all);
  return thinner.take();
}

ThinnedRun read_thinned(const std::filesystem::path& path,
                        core::Diagnostics* warnings,
                        std::size_t budget) {
  std::optional<Thinner> thinner;
  results::read_blocks(
      path, [&](const Contents& contents) { return thinner.emplace(contents, budget).wanted(); },
      [&](const RowBlock& block) { thinner->add(block); }, warnings);
  return thinner->take();
}

results::Table read_spread(const std::filesystem::path& path,
                           std::size_t most_rows,
                           bool poses_only,
                           core::Diagnostics* warnings) {
  results::Table table;
  std::vector<std::size_t> rows;
  std::size_t next = 0;
  const auto choose = [&](const Contents& contents) {
    const results::RunRecord& record = contents;
    static_cast<results::RunRecord&>(table) = record;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < contents.channels.size(); ++i) {
      if (poses_only && !is_pose(contents.channels[i].name)) continue;
      chosen.push_back(i);
      table.channels.push_back(contents.channels[i]);
    }
    table.columns.resize(chosen.size());
    rows = spread_rows(contents.rows, most_rows);
    return chosen;
  };
  results::read_blocks(
      path, choose,
      [&](const RowBlock& block) {
        for (; next < rows.size() && rows[next] < block.first + block.time.size(); ++next) {
          const std::size_t k = rows[next] - block.first;
          table.time.push_back(block.time[k]);
          for (std::size_t i = 0; i < table.columns.size(); ++i) {
            table.columns[i].push_back(block.columns[i][k]);
          }
        }
      },
      warnings);
  return table;
}

}  // namespace trammel::report
