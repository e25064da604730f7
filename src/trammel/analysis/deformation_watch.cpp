#include "trammel/analysis/deformation_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/part_observables.h"
#include "trammel/model/flexible/element_load.h"

namespace trammel::analysis {
namespace {

constexpr double noticeable_strain = 0.05;  // of a start that was described without any
constexpr double small_turn = 0.3;          // rad
constexpr double small_strain = 0.1;        // in a floating frame
constexpr double linear_strain = 1.0;       // twice the length

bool deforms(model::PartKind kind, std::string_view /*name*/) {
  return kind == model::PartKind::element;
}

std::string without_ending(const std::string& name) {
  return name.substr(0, name.rfind('.'));
}

}  // namespace

std::vector<StrainedElement> strained_elements(model::ModelSystem& system,
                                               const system::Motion& motion) {
  const model::ObservableChoice elements = observables_of(system, deforms);
  std::vector<StrainedElement> found;
  std::vector<double> values;
  for (const auto& [number, quantity] : elements.chosen) {
    if (quantity.description != model::strain_description) continue;
    if (values.empty()) {
      values.resize(elements.total);
      system.observe(motion, values.data());
    }
    if (!(std::abs(values[number]) > noticeable_strain)) continue;
    found.push_back({without_ending(quantity.name), values[number]});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const StrainedElement& a, const StrainedElement& b) {
                     return std::abs(a.strain) > std::abs(b.strain);
                   });
  return found;
}

std::vector<Doubt> doubts_of(const std::vector<StrainedElement>& strained) {
  if (strained.empty()) return {};
  const StrainedElement& most = strained.front();
  const std::string more = strained.size() == 1
                               ? ""
                               : fmt::format(", and {} more by above {:g} %", strained.size() - 1,
                                             100.0 * noticeable_strain);
  return {{"deformation",
           fmt::format("closing the joints strained '{}' by {:.3g} %{}", most.name,
                       100.0 * most.strain, more),
           "describe start and tip of the flexible body where its joints hold them"}};
}

DeformationWatch::DeformationWatch(model::ModelSystem& system) : system_(system) {
  const model::ObservableChoice elements = observables_of(system, deforms);
  for (const auto& [number, quantity] : elements.chosen) {
    const bool turn = quantity.description == model::turn_description;
    if (!turn && quantity.description != model::strain_description) continue;
    watched_.push_back({.channel = number, .element = without_ending(quantity.name), .turn = turn});
  }
  for (Watched& one : watched_) {
    one.floating = std::any_of(watched_.begin(), watched_.end(), [&](const Watched& other) {
      return other.turn && other.element == one.element;
    });
  }
  if (!watched_.empty()) values_.resize(elements.total);
}

void DeformationWatch::follow(const system::Motion& motion) {
  if (watched_.empty()) return;
  system_.observe(motion, values_.data());
  for (const Watched& one : watched_) see(one, values_[one.channel], motion.state.t);
}

void DeformationWatch::see(const Watched& one, double value, double time) {
  Largest& largest = one.turn ? turn_ : one.floating ? floating_strain_ : strain_;
  if (!(std::abs(value) > std::abs(largest.value))) return;
  largest = {&one, value, time};
}

std::vector<Doubt> DeformationWatch::doubts() const {
  std::vector<Doubt> list = doubts_of(strained_);
  const char* const other_formulation =
      "take a formulation for large turns: inertial or ancf, in space geometrically_exact";
  if (turn_.value > small_turn) {
    list.push_back(
        {"deformation",
         fmt::format("sections of '{}' are turned by {:.2g} rad against their floating frame at "
                     "t = {:.4g} s, which takes such turns for small (at most {:g} rad): what it "
                     "shows is no motion of a beam",
                     turn_.where->element, turn_.value, turn_.time, small_turn),
         other_formulation});
  }
  const auto strained = [&](const Largest& largest, double limit, const char* remedy) {
    if (!(std::abs(largest.value) > limit)) return;
    list.push_back(
        {"deformation",
         fmt::format("'{}' is strained by {:.3g} % at t = {:.4g} s, beyond what its equations hold "
                     "for ({:g} %)",
                     largest.where->element, 100.0 * largest.value, largest.time, 100.0 * limit),
         remedy});
  };
  strained(floating_strain_, small_strain, other_formulation);
  strained(strain_, linear_strain,
           "look at stiffness, loads and the step: the stress is taken for proportional to the "
           "strain");
  return list;
}

}  // namespace trammel::analysis
