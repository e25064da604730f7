#include "trammel/model/assembly/evaluator.h"

#include <cmath>
#include <functional>
#include <thread>

#include "trammel/model/node_state.h"
#include "trammel/model/wrapping_angles.h"

namespace trammel::model {
namespace {

template <class S>
bool has_velocity_forces(const Mechanism<S>& m) {
  return std::any_of(m.forces.begin(), m.forces.end(),
                     [](const auto& named) { return named.force->depends_on_velocity(); }) ||
         std::any_of(m.laws.begin(), m.laws.end(),
                     [](const auto& named) { return named.law.depends_on_velocity(); }) ||
         !m.joint_frictions.empty() || !m.elements.empty();
}

template <class S>
int largest_local_size(const Mechanism<S>& m) {
  int largest = 0;
  for (const auto& named : m.relations) largest = std::max(largest, named.relation.local_size());
  for (const auto& named : m.laws) largest = std::max(largest, named.law.local_size());
  for (const auto& named : m.connections) {
    largest = std::max(largest, named.connection->workspace_size());
  }
  return largest;
}

template <class S>
int largest_footing(const Mechanism<S>& m) {
  int largest = 0;
  for (const auto& named : m.elements) largest = std::max(largest, named.footing.size());
  return largest;
}

}  // namespace

template <class S>
Evaluator<S>::Evaluator(std::shared_ptr<const ElementGroups<S>> groups)
    : groups_(std::move(groups)) {
  const Mechanism<S>& m = mechanism();
  kinematics_.resize(m.nodes.size() + m.internal_nodes.size());
  if (has_velocity_forces(m)) {
    inverse_tangent_.assign(m.nodes.size(), Instant<S>::NodeMatrix::Identity());
  }
  if (groups_->condensed) condensation_ = std::make_unique<Condensation<S>>(groups_->condensed);
  for (const auto& named : m.connections) memories_.push_back(named.connection->memory());
  history_.branches.assign(static_cast<std::size_t>(m.branch_count), expression::let_go);
  history_.frictions.resize(m.joint_frictions.size());
  find_open_rows();
  set_threads(1);
  restart_angles();
}

template <class S>
Evaluator<S>::Evaluator(const Evaluator& other)
    : groups_(other.groups_),
      history_(other.history_),
      open_rows_(other.open_rows_),
      last_time_(other.last_time_),
      kinematics_(other.kinematics_),
      inverse_tangent_(other.inverse_tangent_),
      work_(other.work_),
      scratch_(other.scratch_),
      memories_(other.memories_),
      condensation_(other.condensation_ ? std::make_unique<Condensation<S>>(*other.condensation_)
                                        : nullptr),
      state_rates_(other.state_rates_),
      team_(other.team_.threads()) {}

template <class S>
void Evaluator<S>::set_threads(int threads) {
  if (threads == 0) threads = static_cast<int>(std::thread::hardware_concurrency());
  const int chunks = static_cast<int>(groups_->division.chunks().size());
  if (team_.threads() != threads) team_ = WorkerTeam(std::min(threads, chunks));
  work_.resize(static_cast<std::size_t>(team_.threads()));
  for (FormulaWorkspace<S>& work : work_) work.reserve(largest_local_size(mechanism()));
  scratch_.resize(work_.size());
  for (ElementScratch& scratch : scratch_) scratch.reserve(largest_footing(mechanism()));
}

template <class S>
std::size_t Evaluator<S>::memory_bytes() const {
  return kinematics_.capacity() * sizeof(Kinematics) +
         inverse_tangent_.capacity() * sizeof(typename Instant<S>::NodeMatrix) +
         history_.turns.capacity() * sizeof(double);
}

template <class S>
void Evaluator<S>::find_open_rows() {
  open_rows_.clear();
  for (std::size_t i = 0; i < history_.frictions.size(); ++i) {
    const int row = mechanism().joint_frictions[i].row;
    if (row >= 0 && history_.frictions[i].slip != Slip::sticking) open_rows_.push_back(row);
  }
}

template <class S>
void Evaluator<S>::set_friction(std::size_t number, const History::Friction& friction) {
  history_.frictions[number] = friction;
  find_open_rows();
}

// ---- the motion of all nodes

template <class S>
Instant<S> Evaluator<S>::instant(const system::State& state, std::size_t thread) {
  Instant<S> now{kinematics_, history_, work_[thread]};
  now.t = state.t;
  now.clock = clock(state.t);
  now.q = &state.q;
  now.v = &state.v;
  now.z = &state.z;
  now.memories = &memories_;
  now.scratch = &scratch_[thread];
  return now;
}

template <class S>
Instant<S> Evaluator<S>::instant(const system::Motion& motion, std::size_t thread) {
  Instant<S> now = instant(motion.state, thread);
  now.a = condensation_ ? &condensation_->accelerations(motion.a) : &motion.a;
  now.lambda = &motion.lambda;
  return now;
}

template <class S>
void Evaluator<S>::read(const system::State& state, std::vector<Kinematics>& kinematics) {
  const std::vector<Node<S>>& nodes = mechanism().nodes;
  for (std::size_t i = 1; i < nodes.size(); ++i) read_state(state, nodes[i], kinematics[i]);
  if (condensation_) condensation_->carry(state, kinematics);
}

template <class S>
void Evaluator<S>::read_chunk(const system::State& state, const Division::Chunk& chunk) {
  for (int i = chunk.first_node; i < chunk.last_node; ++i) {
    const auto index = static_cast<std::size_t>(i);
    read_state(state, mechanism().nodes[index], kinematics_[index]);
  }
}

template <class S>
Instant<S> Evaluator<S>::at(const system::State& state) {
  read(state, kinematics_);
  return instant(state);
}

template <class S>
Instant<S> Evaluator<S>::at(const system::Motion& motion) {
  read(motion.state, kinematics_);
  return instant(motion);
}

template <class S>
Instant<S> Evaluator<S>::moving(const system::State& state) {
  Instant<S> now = at(state);
  groups_->connections.settle_moving(now);
  return now;
}

template <class S>
Instant<S> Evaluator<S>::moving(const system::Motion& motion) {
  Instant<S> now = at(motion);
  groups_->connections.settle_moving(now);
  return now;
}

template <class S>
void Evaluator<S>::accept(const system::State& state) {
  const Instant<S> now = at(state);
  groups_->connections.accept(now);
  std::size_t number = 0;
  for_wrapping_angles(mechanism(), [&](const Coordinate<S>& coordinate, int a, int b) {
    double& last = history_.turns[number++];
    last = nearest_turn(coordinate.value(now.at(a), now.at(b)), last);
  });
}

template <class S>
void Evaluator<S>::restart_angles() {
  history_.turns = mechanism().described_turns;
  accept(mechanism().described);
}

// ---- vectors and matrices

template <class S>
template <class Begin, class Make, class Add>
void Evaluator<S>::assemble(const system::State& state, Begin&& begin, Make&& make, Add&& add) {
  const Division& division = groups_->division;
  if (condensation_) read(state, kinematics_);
  const auto work = [&](int thread, int piece) {
    const auto chunk = static_cast<std::size_t>(piece);
    if (!condensation_) read_chunk(state, division.chunks()[chunk]);
    begin(division.chunks()[chunk]);
    const Instant<S> now = make(static_cast<std::size_t>(thread));
    for (std::size_t g = 0; g < groups_->all.size(); ++g) {
      for (const Part& part : division.groups()[g].inside[chunk]) add(*groups_->all[g], now, part);
    }
  };
  // A function that refers to the work is made without memory of its own.
  team_.run(static_cast<int>(division.chunks().size()), std::ref(work));
  const Instant<S> now = make(0);
  for (std::size_t g = 0; g < groups_->all.size(); ++g) {
    for (const Part& part : division.groups()[g].across) add(*groups_->all[g], now, part);
  }
}

template <class S>
template <class Make, class Add>
void Evaluator<S>::add_up(const system::State& state, Vector& sum, Make&& make, Add&& add) {
  Vector& all = condensation_ ? condensation_->loads() : sum;
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
  if (condensation_) condensation_->condense(all, sum);
}

template <class S>
void Evaluator<S>::residual(const system::Motion& motion, Vector& r, Vector& rows) {
  rows.resize(mechanism().sizes.multipliers());
  add_up(
      motion.state, r, [&](std::size_t thread) { return instant(motion, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_residual(now, part, sum, rows);
      });
}

// The inertia of what is carried has a share at any velocity.
template <class S>
void Evaluator<S>::forces(const system::State& state, Vector& f) {
  add_up(
      state, f, [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_forces(now, part, sum);
      });
  if (!condensation_) return;
  Vector& all = condensation_->loads();
  all.setZero();
  const Instant<S> now = instant(state);
  for (const ElementGroup<S>* group : groups_->all) {
    group->add_mass_product(now, {0, group->size()}, condensation_->biases(), all);
  }
  condensation_->condense(all, products_);
  f -= products_;
}

template <class S>
void Evaluator<S>::tangent(const system::Motion& motion,
                           const system::Weights& weights,
                           const Vector* step,
                           system::KktMatrix& tangent) {
  if (condensation_) {
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
        Instant<S> now = instant(motion, thread);
        if (S::space == Space::spatial) now.step = step;
        now.inverse_tangent = &inverse_tangent_;
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
  residual(motion, products_, row_products_);  // leaves the loads on carried nodes
  add_tangents(motion, {1.0, 0.0, 0.0}, nullptr, condensation_->stiffness());
  add_tangents(motion, {0.0, 1.0, 0.0}, nullptr, condensation_->damping());
  add_tangents(motion, {0.0, 0.0, 1.0}, nullptr, condensation_->mass());
  condensation_->condense_tangent(motion.state, kinematics_, motion.a, weights, step, tangent);
}

template <class S>
void Evaluator<S>::positions(const system::State& state, Vector& g) {
  g.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.positions(now, part, g);
      });
}

template <class S>
void Evaluator<S>::velocities(const system::State& state, Vector& g_dot) {
  g_dot.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.velocities(now, part, g_dot);
      });
}

template <class S>
void Evaluator<S>::biases(const system::State& state, Vector& gamma) {
  gamma.resize(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.biases(now, part, gamma);
      });
  if (!condensation_) return;
  row_products_.setZero(gamma.size());
  const Instant<S> now = instant(state);
  for (const ElementGroup<S>* group : groups_->all) {
    group->jacobian_product(now, {0, group->size()}, condensation_->biases(), row_products_);
  }
  gamma += row_products_;
}

template <class S>
void Evaluator<S>::mass_product(const system::State& state, const Vector& x, Vector& y) {
  add_up(
      state, y, [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part, Vector& sum) {
        group.add_mass_product(now, part, of_nodes(x), sum);
      });
}

template <class S>
void Evaluator<S>::jacobian_product(const system::State& state, const Vector& x, Vector& rows) {
  rows.setZero(mechanism().sizes.multipliers());
  assemble(
      state, [](const Division::Chunk&) {},
      [&](std::size_t thread) { return instant(state, thread); },
      [&](const ElementGroup<S>& group, const Instant<S>& now, Part part) {
        group.jacobian_product(now, part, of_nodes(x), rows);
      });
}

template <class S>
void Evaluator<S>::transposed_product(const system::State& state, const Vector& lambda, Vector& r) {
  add_up(
      state, r, [&](std::size_t thread) { return instant(state, thread); },
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
  const Instant<S> now = at(state);
  m.setZero(mechanism().assembled_velocities);
  for (const ElementGroup<S>* group : groups_->all) {
    if (!group->add_lumped_mass(now, m)) return false;
  }
  m.conservativeResize(mechanism().sizes.v);
  return true;
}

template <class S>
void Evaluator<S>::constraint_dependent_forces(const system::Motion& motion, Vector& h) {
  const Instant<S> now = at(motion);
  Vector& all = condensation_ ? condensation_->loads() : h;
  all.setZero(mechanism().assembled_velocities);
  for (const ElementGroup<S>* group : groups_->all)
    group->add_constraint_dependent_forces(now, all);
  if (condensation_) condensation_->condense(all, h);
}

template <class S>
void Evaluator<S>::residual_between(const system::State& from,
                                    const system::Motion& middle,
                                    const system::State& to,
                                    const Vector& x,
                                    Vector& r) {
  const std::vector<Node<S>>& nodes = mechanism().nodes;
  ends_.from.resize(nodes.size());
  ends_.to.resize(nodes.size());
  ends_.turn.resize(nodes.size(), 1.0);
  read(from, ends_.from);
  read(to, ends_.to);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].freedoms < S::freedoms) continue;
    const double half = 0.5 * x.segment<S::rotations>(nodes[i].v + S::dimension).norm();
    ends_.turn[i] = half > 1e-4 ? std::sin(half) / half : 1.0 - half * half / 6.0;
  }
  r.setZero(mechanism().sizes.v);
  const Instant<S> now = at(middle);
  for (const ElementGroup<S>* group : groups_->all) group->add_residual_between(now, ends_, x, r);
}

// ---- numbers

template <class S>
system::Energy Evaluator<S>::energy(const system::State& state) {
  const Instant<S> now = at(state);
  system::Energy energy;
  for (const ElementGroup<S>* group : groups_->all) group->add_energy(now, energy);
  return energy;
}

template <class S>
system::Power Evaluator<S>::power(const system::Motion& motion) {
  Instant<S> now = moving(motion);
  set_rates(now, state_rates_);
  now.state_rates = &state_rates_;
  system::Power power;
  for (const ElementGroup<S>* group : groups_->all) group->add_power(now, power);
  return power;
}

template <class S>
void Evaluator<S>::rates(const system::State& state, Vector& rates) {
  set_rates(moving(state), rates);
}

template <class S>
void Evaluator<S>::set_rates(const Instant<S>& now, Vector& rates) const {
  const Place<S> place = now.place();
  const auto& states = mechanism().states;
  rates.resize(mechanism().sizes.z);
  for (std::size_t i = 0; i < states.size(); ++i) {
    rates[static_cast<Eigen::Index>(i)] = states[i].rate.value(place, now.work);
  }
}

template class Evaluator<Planar>;
template class Evaluator<Spatial>;

}  // namespace trammel::model
