#include "trammel/analysis/rank_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/system/capability.h"

namespace trammel::analysis {
namespace {

using system::largest;

// "'left', 'right' and 3 more".
std::string quoted(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

// Shares of the smallest singular value at the start, or of the largest met: near to a change of
// rank, and away from it.
constexpr double near_rank_change = 1e-2;
constexpr double away_from_rank_change = 5e-2;

}  // namespace

RankWatch::RankWatch(model::ModelSystem& system)
    : system_(system), watch_(system::capability<model::ConnectionWatch>(system)), least_(system) {}

void RankWatch::follow(const system::State& state) {
  if (watch_ != nullptr) follow_connections(state);
  if (least_.may_vanish()) follow_rows(state);
}

// A sample after this part of the way on which s could vanish; s may always have this slope.
bool RankWatch::far_enough(const system::State& state) {
  constexpr double part = 0.3;
  constexpr double usual_slope = 0.5;
  const double speed = largest(state.v.cwiseQuotient(system_.displacement_scale()));
  path_ += std::max(speed, speed_) * std::abs(state.t - step_time_);
  speed_ = speed;
  step_time_ = state.t;
  ++steps_;
  if (path_ < part * value_ / std::max(slope_, usual_slope)) return false;
  // Some models have a small s everywhere: then a tenth of the steps is enough.
  constexpr long rare = 10;
  return value_ < 10.0 * near_rank_change * largest_ || samples_ * rare < steps_;
}

void RankWatch::follow_rows(const system::State& state) {
  if (!begun_) {
    begun_ = true;
    step_time_ = sample_time_ = state.t;
    value_ = largest_ = least_.begin(state).value;
    ++samples_;
    return;
  }
  if (!far_enough(state)) return;
  const auto place = least_.next(state);
  ++samples_;
  constexpr double fading = 0.7;
  const double change = std::abs(place.value - value_) / std::max(path_, 1e-12);
  slope_ = std::max(fading * slope_, change);
  judge(place, state);
  value_ = place.value;
  largest_ = std::max(largest_, value_);
  path_ = 0.0;
  sample_time_ = state.t;
}

void RankWatch::judge(const constraint_handling::LeastSingularValue::Place& place,
                      const system::State& state) {
  const bool crossed = place.crossed >= 0.0;
  const double share = crossed ? 0.0 : place.value / largest_;
  const bool open = !approaches_.empty() && approaches_.back().open;
  if (!open && share > near_rank_change) return;
  if (!open) approaches_.push_back({});
  Approach& approach = approaches_.back();
  if (share < approach.share) {
    approach.share = share;
    approach.time = crossed ? sample_time_ + place.crossed * (state.t - sample_time_) : state.t;
    approach.joints = joints_involved();
  }
  // Where it passed zero between places that are far from it, that was all.
  if (place.value > away_from_rank_change * largest_) approach.open = false;
}

std::vector<std::string> RankWatch::joints_involved() const {
  constexpr double noticeable = 0.2;  // of the largest part
  const system::Vector& u = least_.combination();
  const double most = largest(u);
  std::vector<std::string> names;
  const std::vector<model::RowName> rows = system_.row_names();
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    const std::string& name = rows[static_cast<std::size_t>(i)].joint;
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!known && std::abs(u[i]) > noticeable * most) names.push_back(name);
  }
  return names;
}

void RankWatch::follow_connections(const system::State& state) {
  for (const model::ConnectionWatch::Rank& rank : watch_->ranks(state)) {
    const auto visit = std::find_if(visits_.begin(), visits_.end(), [&](const Visit& each) {
      return each.open && each.connection == rank.connection;
    });
    if (visit == visits_.end()) {
      if (rank.share < near_rank_change) {
        visits_.push_back({rank.connection, rank.share, state.t, true});
      }
      continue;
    }
    if (rank.share < visit->share) {
      visit->share = rank.share;
      visit->time = state.t;
    }
    if (rank.share > away_from_rank_change) visit->open = false;
  }
}

std::string RankWatch::trouble(const system::State& state) const {
  if (begun_ && least_.may_vanish() && value_ < near_rank_change * largest_) {
    return "the constraints of " + quoted(joints_involved()) + " depend on each other there";
  }
  if (watch_ == nullptr) return {};
  for (const model::ConnectionWatch::Rank& rank : watch_->ranks(state)) {
    if (rank.share < near_rank_change) {
      return fmt::format("the joints of connection '{}' depend on each other there",
                         rank.connection);
    }
  }
  return {};
}

std::vector<std::string> RankWatch::notes() const {
  constexpr std::size_t most = 20;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < std::min(most, approaches_.size()); ++i) {
    const Approach& approach = approaches_[i];
    list.push_back(
        approach.share == 0.0
            ? fmt::format("singular position at t = {:.6g} s: the constraints of {} depend on each "
                          "other there, and the mechanism could go on in another way",
                          approach.time, quoted(approach.joints))
            : fmt::format("near a singular position at t = {:.6g} s: the constraints of {} nearly "
                          "depend on each other (least singular value {:.2g} of the largest met)",
                          approach.time, quoted(approach.joints), approach.share));
  }
  if (approaches_.size() > most) {
    list.push_back(fmt::format("and {} more singular positions", approaches_.size() - most));
  }
  for (std::size_t i = 0; i < std::min(most, visits_.size()); ++i) {
    const Visit& visit = visits_[i];
    list.push_back(fmt::format(
        "connection '{}': its joints come to depend on each other near t = {:.6g} s (smallest "
        "singular value {:.2g} of that at the start); what its nodes do there is not unique",
        visit.connection, visit.time, visit.share));
  }
  if (visits_.size() > most) {
    list.push_back(fmt::format("and {} more such places", visits_.size() - most));
  }
  return list;
}

}  // namespace trammel::analysis
