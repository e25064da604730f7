#include "trammel/analysis/comparison/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/comparison/parallel.h"
#include "trammel/core/content_hash.h"

namespace trammel::analysis::comparison {
namespace {

double order_of(double longer, double shorter, double ratio, double floor) {
  const bool clear = longer > 3.0 * floor && shorter > 3.0 * floor;  // not for NaN
  return clear && shorter > 0.0 ? std::log(longer / shorter) / std::log(ratio) : unknown;
}

class Work {
 public:
  Work(const model::Description& description, const CompareOptions& options)
      : description_(description), options_(options), end_{options.stop, options.time_limit} {}

  Comparison go() {
    Candidates candidates = expand(options_.axes, description_);
    result_.left_out = std::move(candidates.left_out);
    std::vector<double> steps;
    for (const Candidate& candidate : candidates.list) steps.push_back(candidate.step);
    result_.sampling = choose_sampling(steps, description_.simulation.until);
    const int available = static_cast<int>(std::thread::hardware_concurrency());
    result_.threads = options_.threads > 0 ? options_.threads : std::max(1, available);
    rows_.resize(candidates.list.size());
    take_kept(candidates.list);
    if (!pending_.empty()) {
      run_reference(*std::min_element(steps.begin(), steps.end()));
      interrupted_ = stopped();
      run_pending(candidates.list);
    }
    return finish();
  }

 private:
  bool stopped() const { return end_.reached(); }
  double wall_time() const {
    return std::chrono::duration<double>(EarlyEnd::Clock::now() - end_.begin).count();
  }

  std::string key_of(const Candidate& candidate) const {
    return run_key(candidate, result_.sampling, options_.limits);
  }

  void take_kept(const std::vector<Candidate>& list) {
    result_.reference_error = {unknown, unknown, unknown, unknown};
    result_.trusted_until = unknown;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto found = options_.kept.find(key_of(list[i]));
      if (found == options_.kept.end()) {
        pending_.push_back(i);
        all_steps_ += result_.sampling.steps_per_sample(list[i].step) * result_.sampling.count;
        continue;
      }
      Row row = found->second;
      row.candidate = list[i];
      row.kept = true;
      result_.reference = row.reference;
      rows_[i] = std::move(row);
    }
  }

  void run_reference(double shortest) {
    ReferenceOptions options{.step = shortest, .threads = result_.threads, .end = end_};
    const long first = result_.sampling.steps_per_sample(shortest) * result_.sampling.count;
    all_steps_ += first * ((1L << options.least_runs) - 1);
    in_reference_ = true;
    options.progress = [this](long steps) { advance(steps); };
    reference_ = make_reference(description_, result_.sampling, options);
    in_reference_ = false;
    result_.reference = reference_.text();
    result_.reference_error = reference_.estimate;
    result_.trusted_until = reference_.trusted_until;
  }

  void run_pending(const std::vector<Candidate>& list) {
    RunOptions options{.limits = options_.limits, .end = end_};
    options.progress = [this](long steps) { advance(steps); };
    in_parallel(static_cast<int>(pending_.size()), result_.threads, [&](int k) {
      if (stopped()) interrupted_ = true;
      if (interrupted_) return;
      const std::size_t i = pending_[static_cast<std::size_t>(k)];
      Row row{key_of(list[i]),
              list[i],
              run_candidate(description_, list[i], result_.sampling, reference_, options),
              {unknown, unknown, unknown, unknown},
              result_.reference};
      if (stopped()) interrupted_ = true;
      if (interrupted_) return;
      const std::lock_guard lock(mutex_);
      ++finished_;
      if (options_.finished) options_.finished(row);
      rows_[i] = std::move(row);
    });
  }

  void advance(long steps) {
    const std::lock_guard lock(mutex_);
    done_steps_ += steps;
    // A reference that needs more runs than expected makes the whole longer.
    all_steps_ = std::max(all_steps_, done_steps_);
    if (!options_.progress) return;
    options_.progress({static_cast<double>(done_steps_) / static_cast<double>(all_steps_),
                       finished_, static_cast<int>(pending_.size()), wall_time(), in_reference_});
  }

  bool prescribed() const {
    const std::unique_ptr<model::ModelSystem> system = model::compile(description_);
    return assemble(*system).mobility.freedoms() == 0;
  }

  Comparison finish() {
    result_.prescribed = prescribed();
    for (std::optional<Row>& row : rows_) {
      if (row) result_.rows.push_back(std::move(*row));
    }
    measure_orders(result_.rows, result_.reference_error);
    result_.stopped = interrupted_;
    if (interrupted_) result_.ending = end_.reason();
    result_.wall_time = wall_time();
    return std::move(result_);
  }

  const model::Description& description_;
  const CompareOptions& options_;
  EarlyEnd end_;
  std::atomic<bool> interrupted_{false};  ///< a run or the reference was not finished
  Comparison result_;
  Reference reference_;
  std::vector<std::optional<Row>> rows_;
  std::vector<std::size_t> pending_;
  std::mutex mutex_;
  long all_steps_ = 0;
  long done_steps_ = 0;
  int finished_ = 0;
  bool in_reference_ = false;
};

}  // namespace

std::string run_key(const Candidate& candidate, const Sampling& sampling, const Limits& limits) {
  // With all digits: settings that differ in the last one are others.
  std::string text = fmt::format("{}|{}|{}", candidate.settings.integrator,
                                 candidate.settings.solver, candidate.settings.coordinates);
  for (const auto& [name, value] : candidate.settings.integrator_values) {
    text += fmt::format("|{}=", name);
    if (const double* number = std::get_if<double>(&value)) text += fmt::format("{:.17g}", *number);
    if (const auto* word = std::get_if<std::string>(&value)) text += *word;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      text += fmt::format("{:.17g}", fmt::join(*list, ","));
    }
  }
  return core::content_hash(fmt::format("{}|{:.17g}|{:.17g}|{}|{:.17g}|{:.17g}|{:.17g}", text,
                                        candidate.step, sampling.interval, sampling.count,
                                        limits.drift, limits.saw_tooth, limits.growing));
}

void measure_orders(std::vector<Row>& rows, const Deviation& reference_error) {
  const auto floor = [](double error) { return std::isnan(error) ? 0.0 : error; };
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Row& longer = rows[i - 1];
    Row& row = rows[i];
    if (row.candidate.group() != longer.candidate.group() || row.candidate.own_steps) continue;
    const double ratio = longer.result.step / row.result.step;
    const auto order = [&](double Deviation::*level) {
      return order_of(longer.result.error.*level, row.result.error.*level, ratio,
                      floor(reference_error.*level));
    };
    row.order = {order(&Deviation::position), order(&Deviation::velocity),
                 order(&Deviation::acceleration), order(&Deviation::reaction)};
  }
}

Comparison compare(const model::Description& description, const CompareOptions& options) {
  return Work(description, options).go();
}

}  // namespace trammel::analysis::comparison
