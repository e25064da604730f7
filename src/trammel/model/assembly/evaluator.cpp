#include "trammel/model/assembly/evaluator.h"

#include <cmath>
#include <functional>
#include <thread>

#include "trammel/math/rotation.h"

namespace trammel::model {

template <class S>
Evaluator<S>::Evaluator(const Evaluator& other)
    : nodes_(other.nodes_), state_rates_(other.state_rates_), team_(other.team_.threads()) {}

template <class S>
void Evaluator<S>::set_threads(int threads) {
  if (threads == 0) threads = static_cast<int>(std::thread::hardware_concurrency());
  const int chunks = static_cast<int>(groups()->division.chunks().size());
  if (team_.threads() != threads) team_ = WorkerTeam(std::min(threads, chunks));
  nodes_.set_threads(static_cast<std::size_t>(team_.threads()));
}

// ---- vectors and matrices

template <class S>
template <class Begin, class Make, class Add>
void Evaluator<S>::assemble(const system::State& state, Begin&& begin, Make&& make, Add&& add) {
  const Division& division = groups()->division;
  Condensation<S>* const condensation = nodes_.condensation();
  if (condensation != nullptr) nodes_.read_loaded(state);
  const auto work = [&](int thread, int piece) {
    const auto chunk = static_cast<std::size_t>(piece);
    if (condensation == nullptr) nodes_.read_chunk(state, division.chunks()[chunk]);
    begin(division.chunks()[chunk]);
    const Instant<S> now = make(static_cast<std::size_t>(thread));
    for (std::size_t g = 0; g < groups()->all.size(); ++g) {
      for (const Part& part : division.groups()[g].inside[chunk]) add(*groups()->all[g], now, part);
    }
  };
  // A function that refers to the work is made without memory of its own.
  team_.run(static_cast<int>(division.chunks().size()), std::ref(work));
  const Instant<S> now = make(0);
  for (std::size_t g = 0; g < groups()->all.size(); ++g) {
    for (const Part& part : division.groups()[g].across) add(*groups()->all[g], now, part);
  }
}

template <class S>
template <class Make, class Add>
void Evaluator<S>::add_up(const system::State& state, Vector& sum, Make&& make, Add&& add) {
  Condensation<S>* const condensation = nodes_.condensation();
  Vector& all = condensation != nullptr ? condensation->loads() : sum;
  all.resize(mechanism().assembled_velocities);
  assemble(
      state,
      [&](const Division::Chunk& chunk) {
        all.segment(chunk.first_velocity, chunk.last_velocity - chunk.first_velocity).setZero();
      },
      make,
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        add(group, now, part, all);
      });
  if (condensation != nullptr) condensation->condense(all, sum);
}

template <class S>
void Evaluator<S>::residual(const system::Motion& motion, Vector& r, Vector& rows) {
  rows.resize(mechanism().sizes.multipliers());
  add_up(
      motion.state, r, [&](std::size_t thread) { return nodes_.instant(motion, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_residual(now, part, sum, rows);
      });
}

// The inertia of what is carried has a share at any velocity.
template <class S>
void Evaluator<S>::forces(const system::State& state, Vector& f) {
  add_up(
      state, f, [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_forces(now, part, sum);
      });
  Condensation<S>* const condensation = nodes_.condensation();
  if (condensation == nullptr) return;
  Vector& all = condensation->loads();
  all.setZero();
  const Instant<S> now = nodes_.instant(state);
  for (const ElementGroup<S>* group : groups()->all) {
    group->add_mass_product(now, {0, group->size()}, condensation->biases(), all);
  }
  condensation->condense(all, products_);
  f -= products_;
}

template <class S>
void Evaluator<S>::tangent(const system::Motion& motion,
                           const system::Weights& weights,
                           const Vector* step,
                           system::KktMatrix& tangent) {
  if (nodes_.condensation() != nullptr) {
    tangent_of_carried(motion, weights, step, tangent);
  } else {
    add_tangents(motion, weights, step, tangent);
  }
}

// The columns of a chunk begin at zero when its turn has come; what lies in it writes into no
// others.
template <class S>
void Evaluator<S>::add_tangents(const system::Motion& motion,
                                const system::Weights& weights,
                                const Vector* step,
                                system::KktMatrix& tangent) {
  const std::vector<int>& column_start = mechanism().pattern->column_start;
  const auto clear = [&](int first, int last) {
    std::fill(tangent.values.begin() + column_start[static_cast<std::size_t>(first)],
              tangent.values.begin() + column_start[static_cast<std::size_t>(last)], 0.0);
  };
  clear(mechanism().assembled_velocities, mechanism().pattern->size());
  assemble(
      motion.state,
      [&](const Division::Chunk& chunk) { clear(chunk.first_velocity, chunk.last_velocity); },
      [&](std::size_t thread) {
        Instant<S> now = nodes_.instant(motion, thread);
        if (S::space == Space::spatial) now.step = step;
        now.inverse_tangent = &nodes_.inverse_tangent();
        now.condensing = true;
        return now;
      },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.add_tangent(now, part, weights, tangent);
      });
}

template <class S>
void Evaluator<S>::tangent_of_carried(const system::Motion& motion,
                                      const system::Weights& weights,
                                      const Vector* step,
                                      system::KktMatrix& tangent) {
  Condensation<S>& condensation = *nodes_.condensation();
  row_products_.resize(mechanism().sizes.multipliers());
  add_up(
      motion.state, products_,
      [&](std::size_t thread) {
        Instant<S> now = nodes_.instant(motion, thread);
        now.condensing = true;
        return now;
      },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_residual(now, part, sum, row_products_);
      });  // leaves the loads on carried nodes
  add_tangents(motion, {1.0, 0.0, 0.0}, nullptr, condensation.stiffness());
  add_tangents(motion, {0.0, 1.0, 0.0}, nullptr, condensation.damping());
  add_tangents(motion, {0.0, 0.0, 1.0}, nullptr, condensation.mass());
  condensation.condense_tangent(motion.state, nodes_.kinematics(), motion.a, weights, step,
                                tangent);
  Instant<S> now = nodes_.instant(motion);
  if (S::space == Space::spatial && step != nullptr) {
    now.step = step;
    now.inverse_tangent = &nodes_.inverse_tangent();
    find_inverse_tangents(*step);
  }
  groups()->elements.add_direct_tangent(now, weights, groups()->condensed->direct, tangent);
}

// For direct elements; others get them from the inertia of their nodes.
template <class S>
void Evaluator<S>::find_inverse_tangents(const Vector& step) {
  if constexpr (S::space == Space::spatial) {
    if (mechanism().elements.empty()) return;
    for (std::size_t i = 1; i < mechanism().nodes.size(); ++i) {
      const Node<S>& node = mechanism().nodes[i];
      if (node.is_carried() || node.freedoms < S::freedoms) continue;
      nodes_.inverse_tangent()[i].template bottomRightCorner<3, 3>() =
          math::inverse_tangent_operator(step.template segment<3>(node.v + 3));
    }
  }
}

template <class S>
void Evaluator<S>::positions(const system::State& state, Vector& g) {
  g.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.positions(now, part, g);
      });
}

template <class S>
void Evaluator<S>::velocities(const system::State& state, Vector& g_dot) {
  g_dot.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.velocities(now, part, g_dot);
      });
}

template <class S>
void Evaluator<S>::biases(const system::State& state, Vector& gamma) {
  gamma.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.biases(now, part, gamma);
      });
  Condensation<S>* const condensation = nodes_.condensation();
  if (condensation == nullptr) return;
  row_products_.setZero(gamma.size());
  const Instant<S> now = nodes_.instant(state);
  for (const ElementGroup<S>* group : groups()->all) {
    group->jacobian_product(now, {0, group->size()}, condensation->biases(), row_products_);
  }
  gamma += row_products_;
}

template <class S>
void Evaluator<S>::mass_product(const system::State& state, const Vector& x, Vector& y) {
  add_up(
      state, y, [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_mass_product(now, part, of_nodes(x), sum);
      });
}

template <class S>
void Evaluator<S>::jacobian_product(const system::State& state, const Vector& x, Vector& rows) {
  rows.setZero(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.jacobian_product(now, part, of_nodes(x), rows);
      });
}

template <class S>
void Evaluator<S>::transposed_product(const system::State& state, const Vector& lambda, Vector& r) {
  add_up(
      state, r, [&](std::size_t thread) { return nodes_.instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_transposed_product(now, part, lambda, sum);
      });
}

// What is carried with a mass couples the freedoms it stands on.
template <class S>
bool Evaluator<S>::lumped_mass(const system::State& state, Vector& m) {
  for (const CarriedNode<S>& carried : mechanism().carried) {
    if (mechanism().nodes[static_cast<std::size_t>(carried.node)].mass > 0.0) return false;
  }
  const Instant<S> now = nodes_.at(state);
  m.setZero(mechanism().assembled_velocities);
  for (const ElementGroup<S>* group : groups()->all) {
    if (!group->add_lumped_mass(now, m)) return false;
  }
  m.conservativeResize(mechanism().sizes.v);
  return true;
}

template <class S>
void Evaluator<S>::constraint_dependent_forces(const system::Motion& motion, Vector& h) {
  const Instant<S> now = nodes_.at(motion);
  Condensation<S>* const condensation = nodes_.condensation();
  Vector& all = condensation != nullptr ? condensation->loads() : h;
  all.setZero(mechanism().assembled_velocities);
  for (const ElementGroup<S>* group : groups()->all)
    group->add_constraint_dependent_forces(now, all);
  if (condensation != nullptr) condensation->condense(all, h);
}

template <class S>
void Evaluator<S>::residual_between(const system::State& from,
                                    const system::Motion& middle,
                                    const system::State& to,
                                    const Vector& x,
                                    Vector& r) {
  const std::vector<Node<S>>& nodes = mechanism().nodes;
  ends_.from_state = &from;
  ends_.to_state = &to;
  ends_.from.resize(nodes.size());
  ends_.to.resize(nodes.size());
  ends_.turn.resize(nodes.size(), 1.0);
  nodes_.read(from, ends_.from);
  nodes_.read(to, ends_.to);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].freedoms < S::freedoms || nodes[i].is_carried()) continue;
    const double half = 0.5 * x.segment<S::rotations>(nodes[i].v + S::dimension).norm();
    ends_.turn[i] = half > 1e-4 ? std::sin(half) / half : 1.0 - half * half / 6.0;
  }
  const Instant<S> now = nodes_.at(middle);
  Condensation<S>* const condensation = nodes_.condensation();
  if (condensation == nullptr) {
    r.setZero(mechanism().sizes.v);
    for (const ElementGroup<S>* group : groups()->all) {
      group->add_residual_between(now, ends_, x, r);
    }
    return;
  }
  // `now` has the accelerations of all nodes in the memory that displacements would take.
  Vector& all = condensation->loads();
  all.setZero(mechanism().assembled_velocities);
  condensation->displacements(x, ends_.from, ends_.to, displacements_);
  for (const ElementGroup<S>* group : groups()->all) {
    group->add_residual_between(now, ends_, displacements_, all);
  }
  condensation->condense_between(x, displacements_, all, r);
}

// ---- numbers

template <class S>
system::Energy Evaluator<S>::energy(const system::State& state) {
  const Instant<S> now = nodes_.at(state);
  system::Energy energy;
  for (const ElementGroup<S>* group : groups()->all) group->add_energy(now, energy);
  return energy;
}

template <class S>
system::Power Evaluator<S>::power(const system::Motion& motion) {
  Instant<S> now = nodes_.moving(motion);
  nodes_.rates(now, state_rates_);
  now.state_rates = &state_rates_;
  system::Power power;
  for (const ElementGroup<S>* group : groups()->all) group->add_power(now, power);
  return power;
}

template class Evaluator<Planar>;
template class Evaluator<Spatial>;

}  // namespace trammel::model
