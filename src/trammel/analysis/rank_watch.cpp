#include "trammel/analysis/rank_watch.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/system/capability.h"

namespace trammel::analysis {
namespace {

// Shares of the smallest singular value at the start: near to a change of rank, and away from it.
constexpr double near_rank_change = 1e-2;
constexpr double away_from_rank_change = 5e-2;

}  // namespace

RankWatch::RankWatch(model::ModelSystem& system)
    : watch_(system::capability<model::ConnectionWatch>(system)) {}

void RankWatch::follow(const system::State& state) {
  if (watch_ == nullptr) return;
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
