// What each kind of joint and force costs: time of a residual and of a tangent with many copies of
// it between two bodies, less that with one, per copy.
#include <algorithm>
#include <chrono>
#include <vector>

#include "suite.h"
#include "support/random_models.h"
#include <fmt/format.h>

#include "trammel/model/model_system.h"

namespace trammel::benchmarks {
namespace {

using support::Random;
using support::Side;

struct Cost {
  double residual_ns = 0.0;
  double tangent_ns = 0.0;
};

// Least of several rounds: what others on the machine do can only add.
template <class F>
double nanoseconds(F call) {
  constexpr int rounds = 15;
  constexpr int calls = 2000;
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, 1e9 * time.count() / calls);
  }
  return least;
}

Cost cost_of(const model::Description& description) {
  const auto system = model::compile(description);
  system::Motion motion;
  motion.state = system->described_state();
  motion.a.setZero(system->sizes().v);
  motion.lambda.setOnes(system->sizes().multipliers());
  system::KktMatrix matrix(system->pattern());
  system::Vector residual;
  system::Vector constraint;
  return {nanoseconds([&] { system->residual(motion, residual, constraint); }), nanoseconds([&] {
            system->tangent(motion, {1.0, 1.0, 1.0}, nullptr, matrix);
          })};
}

// A copy under another name; formulas that read the item itself read the copy.
model::Item renamed(model::Item item, const std::string& name) {
  for (auto& [key, value] : item.values) {
    auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) continue;
    const std::string own = item.name + ".";
    for (std::size_t at = text->find(own); at != std::string::npos;
         at = text->find(own, at + name.size())) {
      text->replace(at, item.name.size(), name);
    }
  }
  item.name = name;
  return item;
}

template <class Items>
Cost cost_of_copy(const model::Description& description, Items model::Description::*items) {
  constexpr int copies = 20;
  model::Description many = description;
  const auto item = (many.*items).back();
  for (int i = 0; i < copies; ++i) {
    (many.*items).push_back(renamed(item, fmt::format("{}_{}", item.name, i)));
  }
  const Cost one = cost_of(description);
  const Cost all = cost_of(many);
  return {(all.residual_ns - one.residual_ns) / copies, (all.tangent_ns - one.tangent_ns) / copies};
}

void print(const char* what,
           model::Space space,
           const std::string& name,
           const Cost& cost,
           const Cost& unit) {
  fmt::print("{:<8}{:<9}{:<22}{:>12.0f}{:>12.0f}{:>10.1f}{:>10.1f}\n", what,
             model::to_string(space), name, cost.residual_ns, cost.tangent_ns,
             cost.residual_ns / unit.residual_ns, cost.tangent_ns / unit.tangent_ns);
}

}  // namespace

void item_costs() {
  fmt::print("\nCost of single items, ns, and relative to the revolute joint of the same space\n");
  fmt::print("{:<8}{:<9}{:<22}{:>12}{:>12}{:>10}{:>10}\n", "", "space", "kind", "residual",
             "tangent", "ratio", "ratio");
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    const auto joint_cost = [&](const model::JointKind& kind) {
      Random random(1);
      return cost_of_copy(support::random_joint(kind, Side::body, Side::body, random),
                          &model::Description::joints);
    };
    const Cost unit = joint_cost(*model::find_joint_kind(space, "revolute"));
    for (const model::JointKind& kind : model::joint_kinds()) {
      if (kind.space == space) print("joint", space, kind.name, joint_cost(kind), unit);
    }
    for (const model::ForceKind& kind : model::force_kinds()) {
      if (kind.space != space) continue;
      Random random(1);
      const auto description = support::random_force(kind, Side::body, Side::body, random);
      print("force", space, kind.name, cost_of_copy(description, &model::Description::forces),
            unit);
    }
  }
}

}  // namespace trammel::benchmarks
