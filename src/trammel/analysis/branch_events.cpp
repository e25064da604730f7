#include "trammel/analysis/branch_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace trammel::analysis {
namespace {

constexpr double tolerance = 1e-12;
constexpr double next_to_nothing = 1e-6;  // of a step
constexpr int most_quick = 6;
constexpr double small_part = 1e-2;  // of a step
constexpr int most_crowded = 40;
constexpr double steady_steps = 5.0;

}  // namespace

BranchEvents::BranchEvents(model::ModelSystem& system)
    : branches_(*system::state_branches(system)),
      start_(system),
      watched_(static_cast<std::size_t>(branches_.branch_count())) {}

BranchEvents::~BranchEvents() {
  for (int i = 0; i < branches_.branch_count(); ++i) branches_.let_branch_go(i);
}

void BranchEvents::begin(const system::Motion& motion) {
  branches_.asked_branches(motion, asked_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    watched_[i].held = true;
    branches_.hold_branch(static_cast<int>(i), asked_[static_cast<Eigen::Index>(i)]);
  }
}

double BranchEvents::function(std::size_t i) const {
  if (!watched_[i].held) return std::numeric_limits<double>::infinity();
  const double scale = std::max(watched_[i].scale, std::numeric_limits<double>::min());
  return 1.0 + distances_[static_cast<Eigen::Index>(i)] / (tolerance * scale);
}

double BranchEvents::watch(const system::Motion& motion, bool /*exactly*/) {
  double least = std::numeric_limits<double>::max();
  branches_.branch_distances(motion, distances_, magnitudes_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const double magnitude = magnitudes_[static_cast<Eigen::Index>(i)];
    if (magnitude > watched_[i].scale) watched_[i].scale = magnitude;
    least = std::min(least, function(i));
  }
  return least;
}

void BranchEvents::change(std::size_t i, double t) {
  Watched& one = watched_[i];
  ++changes_;
  one.quick = t - one.last_change < next_to_nothing * h_ ? one.quick + 1 : 0;
  one.last_change = t;
  if (t - one.crowd_began > small_part * h_) {
    one.crowd_began = t;
    one.crowd = 0;
  }
  ++one.crowd;
  const auto index = static_cast<Eigen::Index>(i);
  if (one.quick < most_quick && one.crowd < most_crowded) {
    branches_.hold_branch(static_cast<int>(i), asked_[index]);
    return;
  }
  branches_.let_branch_go(static_cast<int>(i));
  one.held = false;
  one.side = asked_[index];
  one.steady_since = t;
  one.quick = 0;
  if (one.noted) return;
  one.noted = true;
  notes_.push_back(fmt::format(
      "t = {:.9g} s: a condition in {} changes without end: each of its sides drives the motion "
      "onto the other. It is not located any more, and the motion there is as coarse as the steps. "
      "Make it smooth (tanh in the place of sign), or use friction that sticks, or a stop",
      t, branches_.branch_name(static_cast<int>(i))));
}

void BranchEvents::act(system::Motion& motion) {
  branches_.branch_distances(motion, distances_, magnitudes_);
  branches_.asked_branches(motion, asked_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (function(i) < 0.0) change(i, motion.state.t);
  }
  // Where there are no accelerations (a singular position) those of the step before go on.
  a_ = motion.a;
  lambda_ = motion.lambda;
  start_.accelerations(motion.state, a_, lambda_);
  if (!a_.allFinite() || !lambda_.allFinite()) return;
  motion.a = a_;
  motion.lambda = lambda_;
}

void BranchEvents::follow(const system::Motion& motion) {
  const bool all_held =
      std::all_of(watched_.begin(), watched_.end(), [](const Watched& one) { return one.held; });
  if (all_held) return;
  branches_.asked_branches(motion, asked_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    Watched& one = watched_[i];
    if (one.held) continue;
    const double side = asked_[static_cast<Eigen::Index>(i)];
    if (side != one.side) one.steady_since = motion.state.t;
    one.side = side;
    if (motion.state.t - one.steady_since < steady_steps * h_) continue;
    one.held = true;
    branches_.hold_branch(static_cast<int>(i), side);
  }
}

}  // namespace trammel::analysis
