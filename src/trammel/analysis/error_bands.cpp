#include "trammel/analysis/error_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

namespace trammel::analysis {
namespace {

constexpr double shrinking = 1.5;     // least ratio of differences from which one may extrapolate
constexpr double distrust = 3.0;      // times the difference where one may not
constexpr double believed = 5.0;      // of the coarser run, times what the finer one tells
constexpr double margin = 1.5;        // of the band over the error
constexpr double noticeable = 1.1;    // growth of a band that is remembered
constexpr double least_scale = 1e-3;  // of the largest value with that unit: judged by that
constexpr double few = 0.1;           // of all channels
constexpr int most_digits = 15;

// Errors themselves, counts of the method, and switches.
bool has_band(const results::Channel& channel) {
  static constexpr std::array<std::string_view, 4> own = {
      "error.position", "error.velocity", "error.acceleration", "energy.numerical_loss"};
  if (std::find(own.begin(), own.end(), channel.name) != own.end()) return false;
  if (channel.name.starts_with("solver.")) return false;
  return !channel.description.starts_with("1 while it ");
}

// Components of one vector have all but the last word of their names in common, and the unit.
std::string companions_of(const results::Channel& channel) {
  const std::size_t dot = channel.name.rfind('.');
  static constexpr std::array<std::string_view, 7> components = {"x",  "y",  "z", "e0",
                                                                 "e1", "e2", "e3"};
  const std::string_view last =
      dot == std::string::npos ? "" : std::string_view(channel.name).substr(dot + 1);
  const bool component = std::find(components.begin(), components.end(), last) != components.end();
  const bool energy = channel.name.starts_with("energy.");
  return component || energy ? channel.name.substr(0, dot) : channel.name;
}

int digits_of(double scale, double band) {
  if (!(band <= std::numeric_limits<double>::max())) return 0;
  if (!(band > 0.0)) return most_digits;
  if (!(scale > 0.0)) return 0;
  const double digits = std::floor(std::log10(scale / band));
  return static_cast<int>(std::clamp(digits, 0.0, static_cast<double>(most_digits)));
}

bool same_time(double a, double b) {
  constexpr double round_off = 1e-9;
  return std::abs(a - b) <= round_off * std::max(std::abs(a), std::abs(b));
}

}  // namespace

ErrorBands::ErrorBands(results::Sink* sink,
                       RowQueue& coarse,
                       RowQueue& fine,
                       Ratios ratios,
                       const std::atomic<bool>* stop)
    : sink_(sink), coarse_(coarse), fine_(fine), ratios_(ratios), stop_(stop) {}

void ErrorBands::begin(const std::vector<results::Channel>& channels,
                       const results::RunInformation& info) {
  width_ = channels.size();
  std::vector<results::Channel> all = channels;
  std::map<std::string, std::size_t> units;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (!has_band(channels[i])) continue;
    Band band;
    band.column = i;
    band.name = channels[i].name;
    band.unit = channels[i].unit;
    band.companions = companions_of(channels[i]);
    band.dimension = units.try_emplace(channels[i].unit, units.size()).first->second;
    bands_.push_back(std::move(band));
    all.push_back({channels[i].name + ".band", channels[i].unit, channels[i].frame,
                   "error band: the value is known within +- so much"});
  }
  largest_of_unit_.assign(units.size(), 0.0);
  row_.resize(all.size());
  if (sink_ != nullptr) sink_->begin(all, info);
}

void ErrorBands::append(double time, const double* values) {
  ++rows_;
  end_ = time;
  compare_with_coarser(time, values);
  compare_with_finer(time, values);
  widen(time);
  if (sink_ == nullptr) return;
  std::copy(values, values + width_, row_.begin());
  for (std::size_t i = 0; i < bands_.size(); ++i) row_[width_ + i] = bands_[i].band;
  sink_->append(time, row_.data());
}

// It may have every other row only, and go before the end of this one.
void ErrorBands::compare_with_coarser(double time, const double* values) {
  if (!next_coarse_ && !coarse_ended_) {
    next_coarse_ = coarse_.take(stop_);
    coarse_ended_ = !next_coarse_;
  }
  if (!next_coarse_ || !same_time(next_coarse_->time, time)) return;
  for (Band& band : bands_) {
    const double difference = std::abs(next_coarse_->values[band.column] - values[band.column]);
    if (!(difference <= band.coarse)) band.coarse = difference;
  }
  next_coarse_.reset();
}

void ErrorBands::compare_with_finer(double time, const double* values) {
  if (lost_ >= 0.0) return;
  const std::optional<RowQueue::Row> row = fine_.take(stop_);
  if (!row || !same_time(row->time, time)) {
    lost_ = time;
    return;
  }
  for (Band& band : bands_) {
    const double value = values[band.column];
    const double difference = std::abs(value - row->values[band.column]);
    if (!(difference <= band.fine)) band.fine = difference;  // NaN too
    band.largest = std::max(band.largest, std::abs(value));
    double& of_unit = largest_of_unit_[band.dimension];
    of_unit = std::max(of_unit, std::abs(value));
  }
}

// Each difference tells the error by itself where errors shrink regularly. Where they do not, one
// of them may be small by chance, and the larger estimate counts; not without bound, since the
// coarser run may have left the range in which its method is stable.
double ErrorBands::error_of(const Band& band) const {
  if (lost_ >= 0.0) return std::numeric_limits<double>::infinity();
  const double by_coarser = band.coarse / (ratios_.coarser - 1.0);
  if (!(band.fine > 0.0)) return std::isnan(band.fine) ? band.fine : by_coarser;
  const double ratio = std::min(band.coarse / band.fine, ratios_.finer);
  if (!(ratio >= shrinking)) return distrust * std::max(band.coarse, band.fine);
  const double by_finer = band.fine * ratio / (ratio - 1.0);
  return std::clamp(by_coarser, by_finer, believed * by_finer);
}

void ErrorBands::widen(double time) {
  const auto steps = static_cast<double>(rows_);
  for (Band& band : bands_) {
    const double error = error_of(band);
    const double round_off = 4.0 * std::numeric_limits<double>::epsilon() * std::sqrt(steps) *
                             largest_of_unit_[band.dimension];
    const double now = std::max(margin * error, round_off);
    if (!(now <= band.band)) band.band = now;
    if (band.history.empty() || !(band.band <= noticeable * band.history.back().band)) {
      band.history.push_back({time, band.band});
    }
  }
}

void ErrorBands::flush() {
  if (sink_ != nullptr) sink_->flush();
}

void ErrorBands::annotate(const std::map<std::string, std::string>& texts) {
  if (sink_ != nullptr) sink_->annotate(texts);
}

void ErrorBands::set_scales() {
  std::map<std::string, double, std::less<>> largest;
  for (const Band& band : bands_) {
    double& scale = largest[band.companions];
    scale = std::max(scale, band.largest);
  }
  for (const Band& band : bands_) {
    const double scale =
        std::max(largest[band.companions], least_scale * largest_of_unit_[band.dimension]);
    ChannelClaim claim{band.name, band.unit, band.band, scale, digits_of(scale, band.band), 0.0};
    // The band grew beyond a tenth of the scale where the first growth says so.
    const auto lost = std::find_if(band.history.begin(), band.history.end(),
                                   [&](const Growth& g) { return digits_of(scale, g.band) < 1; });
    claim.until = lost == band.history.end() ? end_ : lost->time;
    certificate_.channels.push_back(std::move(claim));
  }
}

// All channels but those left out have d digits until this time.
double ErrorBands::time_with(int d, std::string& weakest) const {
  const Certificate& c = certificate_;
  double until = end_;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const ChannelClaim& claim = c.channels[i];
    if (std::find(c.without.begin(), c.without.end(), claim.name) != c.without.end()) continue;
    const auto lost =
        std::find_if(bands_[i].history.begin(), bands_[i].history.end(),
                     [&](const Growth& growth) { return digits_of(claim.scale, growth.band) < d; });
    if (lost == bands_[i].history.end() || lost->time >= until) continue;
    until = lost->time;
    weakest = claim.name;
  }
  return until;
}

// Channels without a digit are named where they are few: noise about zero, for one. As many digits
// are claimed as all others have at the end; where many have none there, those that they had for at
// least half of the time until then.
void ErrorBands::conclude() {
  set_scales();
  Certificate& c = certificate_;
  c.end = c.until = c.nothing = end_;
  if (c.channels.empty()) return;
  for (const ChannelClaim& claim : c.channels) {
    if (claim.digits == 0) c.without.push_back(claim.name);
  }
  if (static_cast<double>(c.without.size()) > few * static_cast<double>(c.channels.size())) {
    c.without.clear();
  }
  c.digits = 1;
  c.until = c.nothing = time_with(1, c.weakest);
  for (int d = 2; d <= most_digits; ++d) {
    std::string weakest;
    const double until = time_with(d, weakest);
    if (until < (c.nothing < end_ ? 0.5 * c.nothing : end_)) {
      if (c.nothing >= end_) c.weakest = weakest;  // which has no digit more
      break;
    }
    c.digits = d;
    c.until = until;
    if (c.nothing < end_) c.weakest = weakest;
  }
}

void ErrorBands::finish(results::Outcome outcome,
                        const std::string& message,
                        const std::map<std::string, double>& statistics) {
  if (lost_ >= 0.0) certificate_.trouble = fine_.reason();
  conclude();
  if (sink_ == nullptr) return;
  sink_->annotate({{"certificate", to_string(certificate_)}});
  sink_->finish(outcome, message, statistics);
}

}  // namespace trammel::analysis
