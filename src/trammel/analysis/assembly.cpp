#include "trammel/analysis/assembly.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/euler_angle_watch.h"
#include "trammel/analysis/part_observables.h"
#include "trammel/analysis/unilateral_model.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/constraint_handling/least_reactions.h"
#include "trammel/constraint_handling/rank.h"
#include "trammel/constraint_handling/stated_start.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/relative_system.h"
#include "trammel/linear/block_ldlt.h"

namespace trammel::analysis {
namespace {

using system::largest;
using system::Vector;

// The joints with the largest gaps, worst first: "pin (gap 0.12), slide (gap 0.03)".
std::string worst_joints(const model::ModelSystem& system, const Vector& g, const char* what) {
  std::vector<std::pair<double, std::string>> gaps;
  for (const model::JointRows& joint : system.joints()) {
    gaps.emplace_back(std::max(largest(g.segment(joint.first, joint.count)),
                               largest(g.segment(joint.first_velocity, joint.velocity_count))),
                      joint.name);
  }
  std::sort(gaps.rbegin(), gaps.rend());
  std::string text;
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, gaps.size()); ++i) {
    if (gaps[i].first < 1e-3 * gaps[0].first) break;
    text +=
        fmt::format("{}'{}' ({} {:.3g})", i > 0 ? ", " : "", gaps[i].second, what, gaps[i].first);
  }
  return text;
}

bool any(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

bool fits(model::ModelSystem& system, const system::State& state) {
  constexpr double rounding = 1e-13;
  Vector g;
  system.position_constraint(state, g);
  return largest(g) <= rounding * system.size();
}

// Angles are counted on the way from the description to where the mechanism closes.
constraint_handling::Follow follower(model::ModelSystem& system) {
  return [&system](const system::State& state) { system.accept(state); };
}

// What is written counts, what is not written gives way: where that has an answer, it is taken.
// What round-off leaves is closed by the least motion of masses.
void prefer_stated_positions(model::ModelSystem& system, Assembly& assembly) {
  const system::InitialValues* values = system.initial_values();
  if (values == nullptr || fits(system, assembly.motion.state)) return;
  constraint_handling::StatedStart stated(system, *values);
  if (!stated.matters_for_positions(assembly.motion.state)) return;
  constraint_handling::ProjectionReport report =
      stated.positions(assembly.motion.state, follower(system));
  assembly.iterations += report.iterations;
  if (report.converged) return;
  system.restart_angles();
  report = stated.guarded_positions(assembly.motion.state, follower(system));
  assembly.iterations += report.iterations;
  if (!report.converged) system.restart_angles();
}

void prefer_stated_velocities(model::ModelSystem& system, Assembly& assembly) {
  const system::InitialValues* values = system.initial_values();
  if (values == nullptr) return;
  Vector rates;
  system.velocity_constraint(assembly.motion.state, rates);
  if (largest(rates) == 0.0) return;
  constraint_handling::StatedStart stated(system, *values);
  if (!stated.matters_for_velocities(assembly.motion.state)) return;
  stated.velocities(assembly.motion.state);
}

// What differs from its description, by more than round-off. Positions of bodies in loops are
// written to tell which way they close, and velocities by eye: a large move of a stated value is
// one that this does not explain, by a quarter of the scale.
void find_moved(const std::vector<system::InitialValue>& values,
                const std::vector<model::InitialName>& names,
                double length,
                double angle,
                std::vector<MovedValue>& moved) {
  constexpr double rounding = 1e-9;
  constexpr double large = 1.0 / 3.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const system::InitialValue& value = values[i];
    const double scale = names[i].unit.front() == 'm' ? length : angle;
    if (!(std::abs(value.difference) > rounding * scale)) continue;
    moved.push_back({names[i], value.described, value.described + value.difference, value.stated,
                     value.stated && std::abs(value.difference) > large * scale});
  }
}

// Positions are compared with the model's size and two radians; velocities with the fastest there
// are.
void name_moved(model::ModelSystem& system, Assembly& assembly) {
  const system::InitialValues* described = system.initial_values();
  // Most models start as they are described.
  const bool as_described = assembly.largest_move == 0.0 && assembly.largest_velocity_change == 0.0;
  if (described == nullptr || as_described) return;
  std::vector<system::InitialValue> values;
  const system::State& state = assembly.motion.state;
  described->initial_positions(state, values);
  constexpr double wide_turn = 2.0;  // rad
  find_moved(values, system.position_names(), system.size(), wide_turn, assembly.moved);
  described->initial_velocities(state, values);
  const std::vector<model::InitialName> names = system.velocity_names();
  double speed = 0.0;
  double spin = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& fastest = names[i].unit.front() == 'm' ? speed : spin;
    fastest = std::max({fastest, std::abs(values[i].described),
                        std::abs(values[i].described + values[i].difference)});
  }
  find_moved(values, names, speed, spin, assembly.moved);
  const auto order = [](const MovedValue& a, const MovedValue& b) {
    if (a.stated != b.stated) return a.stated;
    return std::abs(a.to - a.from) > std::abs(b.to - b.from);
  };
  std::stable_sort(assembly.moved.begin(), assembly.moved.end(), order);
}

void assemble_positions(model::ModelSystem& system,
                        constraint_handling::ConsistentStart& start,
                        Assembly& assembly) {
  prefer_stated_positions(system, assembly);
  system::State& state = assembly.motion.state;
  const constraint_handling::ProjectionReport report =
      start.positions(state, system.fixed_positions(), follower(system));
  assembly.iterations += report.iterations;
  assembly.position_residual = report.residual;
  if (report.converged) return;
  Vector g;
  system.position_constraint(state, g);
  system::Motion described{.state = system.described_state()};
  described.a.setZero(system.sizes().v);
  described.lambda.setZero(system.sizes().multipliers());
  const EulerAngleWatch::Trouble angles = EulerAngleWatch(system).trouble(described);
  if (!angles.what.empty()) {
    throw core::RunError(
        fmt::format("the mechanism cannot be assembled: as described, {}; worst joints: {}",
                    angles.what, worst_joints(system, g, "gap")),
        "describe the orientation by the angles at which the drive begins; or " + angles.remedy);
  }
  throw core::RunError(
      fmt::format("the mechanism cannot be assembled: after {} iterations a gap of {:.3g} is left; "
                  "worst joints: {}",
                  report.iterations, report.residual, worst_joints(system, g, "gap")),
      any(system.fixed_positions())
          ? "check lengths and frames of these joints, or release a fixed coordinate"
          : "check lengths and frames of these joints, or describe the bodies nearer to a closed "
            "configuration");
}

void assemble_velocities(model::ModelSystem& system,
                         constraint_handling::ConsistentStart& start,
                         Assembly& assembly) {
  system::State& state = assembly.motion.state;
  const Vector described = state.v;
  prefer_stated_velocities(system, assembly);
  const constraint_handling::ProjectionReport report =
      start.velocities(state, system.fixed_velocities());
  assembly.velocity_residual = report.residual;
  assembly.largest_velocity_change = largest(state.v - described);
  if (report.converged) return;
  Vector g_dot;
  system.velocity_constraint(state, g_dot);
  const bool fixed = any(system.fixed_velocities());
  throw core::RunError(
      fmt::format("no velocities satisfy the constraints{}; worst joints: {}",
                  fixed ? " together with the fixed ones" : "",
                  worst_joints(system, g_dot, "gap rate")),
      fixed ? "release a fixed velocity, or fix values that belong together"
            : "a drive asks for a velocity that the joints do not allow in this position, such as "
              "a dead centre: begin elsewhere, begin slowly, or drive another coordinate");
}

// The name of a load that depends on reactions and shows them by this quantity; else empty.
std::string load_name(const model::Quantity& quantity) {
  constexpr std::string_view ending = ".normal_load";
  const std::string& name = quantity.name;
  if (name.size() <= ending.size() || !name.ends_with(ending)) return {};
  return name.substr(0, name.size() - ending.size());
}

bool is_load(model::PartKind kind, std::string_view /*name*/) {
  return kind != model::PartKind::body && kind != model::PartKind::joint;
}

// Names of the loads that depend on reactions, as far as they show them.
std::string loaded_by_reactions(model::ModelSystem& system) {
  std::string names;
  const model::ObservableChoice loads = observables_of(system, is_load);
  for (const model::Observable& each : loads.chosen) {
    const std::string load = load_name(each.quantity);
    if (!load.empty()) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", load);
  }
  return names.empty() ? "laws that read reactions" : names;
}

void refuse_paradox(model::ModelSystem& system,
                    const constraint_handling::ProjectionReport& report) {
  if (report.friction_share >= 1.0) return;
  throw core::RunError(
      fmt::format(
          "no initial accelerations were found: beyond {:.3g} % of the friction the solution "
          "without friction has no successor (Painleve's paradox); friction: {}",
          100.0 * report.friction_share, loaded_by_reactions(system)),
      "lower the friction below that share, give the joint a compliant bearing (a bushing in "
      "place of the joint), or begin with another position or velocity");
}

// Accelerations and multipliers of the assembled state, and the residuals of all equations.
void assemble_accelerations(model::ModelSystem& system,
                            constraint_handling::ConsistentStart& start,
                            Assembly& assembly) {
  system::Motion& motion = assembly.motion;
  refuse_paradox(system, start.accelerations(motion.state, motion.a, motion.lambda));
  Vector r;
  Vector g;
  Vector gamma;
  system.residual(motion, r, g);
  assembly.force_residual = largest(r);
  system.acceleration_bias(motion.state, gamma);
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  Vector stacked(motion.a.size() + motion.lambda.size());
  stacked << motion.a, motion.lambda;
  Vector product;
  matrix.multiply(stacked, product);
  assembly.acceleration_residual = largest(product.tail(gamma.size()) + gamma);
  const double scale = std::max(1.0, largest(motion.a));
  if (assembly.acceleration_residual < 1e-6 * scale) return;
  throw core::RunError(
      fmt::format("initial accelerations do not exist: the constraints ask for accelerations that "
                  "contradict each other (residual {:.3g}); worst joints: {}",
                  assembly.acceleration_residual,
                  worst_joints(system, product.tail(gamma.size()) + gamma, "residual")),
      "the start is a singular position or the constraints contradict each other: describe another "
      "configuration, or remove a constraint");
}

// What a unit moment about the axis does, M a + G^T s = e, G a = 0, tells the inertia that moves
// with the turn. Bodies that are held by nothing but their stand-in would spin without bound.
void refuse_free_massless_turns(model::ModelSystem& system,
                                const std::vector<model::MasslessTurn>& turns,
                                const system::Motion& motion) {
  if (turns.empty()) return;
  constexpr double held = 1e-6;  // of the turn that the stand-in alone would allow
  system::KktMatrix matrix(system.pattern());
  linear::BlockLdlt solver;
  linear::RefinedSolve refined;
  solver.analyse(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  if (!solver.factor(matrix).ok) return;  // told by whoever solves for the motion
  std::string names;
  for (const model::MasslessTurn& turn : turns) {
    Vector right_side = Vector::Zero(system.pattern()->size());
    Vector solution;
    right_side.segment(turn.first, turn.axis.size()) = turn.axis;
    refined(solver, matrix, right_side, solution);
    const double a = turn.axis.dot(solution.segment(turn.first, turn.axis.size()));
    if (a * turn.stand_in < held) continue;
    const bool named = names.find("'" + turn.body + "'") != std::string::npos;
    if (!named) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", turn.body);
  }
  if (names.empty()) return;
  throw core::RunError(
      fmt::format("the motion is not determined: nothing with inertia turns with {}, which has a "
                  "moment of inertia of zero",
                  names),
      "give it a moment of inertia or a joint that holds the turn, or make it a point mass (kind: "
      "point)");
}

// Where no loop is to be closed, a recursion gives the accelerations without the matrix, which deep
// trees would fill. False: it has no answer, or is not enough.
bool find_by_recursion(model::ModelSystem& system,
                       formulation::RelativeModel& relative,
                       Assembly& assembly) {
  if (system.sizes().multipliers() > 0 || system.constraint_dependent_forces() != nullptr)
    return false;
  system::Motion motion = assembly.motion;
  if (!relative.accelerations(motion.state, motion.a, motion.lambda) || !motion.a.allFinite()) {
    return false;
  }
  assembly.motion = motion;
  Vector r;
  Vector none;
  system.residual(motion, r, none);
  assembly.force_residual = largest(r);
  assembly.position_residual = 0.0;
  assembly.velocity_residual = 0.0;
  assembly.acceleration_residual = 0.0;
  return true;
}

// Bodies are assembled in absolute coordinates, where described and fixed values have their
// meaning; the hinges then take over what was found, and the cut joints are closed to round-off.
Assembly assemble_relative(model::ModelSystem& system, formulation::RelativeModel& relative) {
  Assembly assembly;
  if (&system == &relative) {
    assembly = assemble(relative.absolute());
  } else {
    UnilateralModel with_events(relative.absolute());
    assembly = assemble(with_events);
  }
  const std::string flipped = relative.flipped_joint(assembly.motion.state);
  if (!flipped.empty()) {
    throw core::RunError(
        "joint '" + flipped +
            "' starts half a turn away from where its hinge stands; its rows hold there as well, "
            "but "
            "relative coordinates do not reach it",
        "describe its frames within a right angle of each other, or use absolute coordinates");
  }
  assembly.motion.state = relative.from_absolute(assembly.motion.state);
  const auto singular = relative.singular_hinge(assembly.motion.state);
  if (!singular.what.empty()) {
    throw core::RunError("at the start, " + singular.what, singular.remedy);
  }
  if (find_by_recursion(system, relative, assembly)) return assembly;
  constraint_handling::ConsistentStart start(system);
  assemble_positions(system, start, assembly);
  const double change = assembly.largest_velocity_change;
  assemble_velocities(system, start, assembly);
  assembly.largest_velocity_change = change;
  assemble_accelerations(system, start, assembly);
  return assembly;
}

// Reactions that leave the balance as it is, of the size of the present ones.
Vector self_stress(model::ModelSystem& system,
                   const system::Motion& motion,
                   const std::vector<int>& not_unique) {
  Vector arbitrary = Vector::Zero(motion.lambda.size());
  const double size = std::max(1.0, largest(motion.lambda));
  for (const int row : not_unique) arbitrary[row] = size * (1.0 + 0.5 * std::sin(1.0 + 2.3 * row));
  Vector determined = arbitrary;
  constraint_handling::LeastReactions least(system);
  least(motion.state, determined);
  return arbitrary - determined;
}

// Whatever reads reactions shows it when these change without changing the balance.
std::vector<std::string> loads_that_read(model::ModelSystem& system,
                                         const system::Motion& motion,
                                         const std::vector<int>& not_unique) {
  constexpr double noticeable = 1e-6;
  std::vector<std::string> names;
  for (const model::UnilateralRow& row : system.unilateral_rows()) {
    const bool among = std::find(not_unique.begin(), not_unique.end(), row.row) != not_unique.end();
    if (among) names.push_back(row.name);
  }
  system::ConstraintDependentForces* loads = system.constraint_dependent_forces();
  if (loads == nullptr) return names;
  system::Motion changed = motion;
  changed.lambda += self_stress(system, motion, not_unique);
  const model::ObservableChoice quantities = observables_of(system, is_load);
  std::vector<double> before(quantities.total);
  std::vector<double> after(quantities.total);
  system.observe(motion, before.data());
  system.observe(changed, after.data());
  for (const auto& [number, quantity] : quantities.chosen) {
    const std::string load = load_name(quantity);
    const double change = std::abs(after[number] - before[number]);
    if (!load.empty() && change > noticeable * largest(changed.lambda)) names.push_back(load);
  }
  Vector h;
  Vector h_changed;
  loads->constraint_dependent_forces(motion, h);
  loads->constraint_dependent_forces(changed, h_changed);
  if (names.empty() && largest(h - h_changed) > noticeable * std::max(largest(h), 1.0)) {
    names.emplace_back("laws that read reactions");
  }
  return names;
}

// What holds at the start may not be all that ever holds.
void look_beyond_open_rows(UnilateralModel& system, Assembly& assembly) {
  Mobility& mobility = assembly.mobility;
  const std::vector<model::UnilateralRow> rows = system.unilateral_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!system.closed(i)) mobility.open.push_back(rows[i].name);
  }
  if (mobility.open.empty()) return;
  const std::vector<model::RowName> names = system.row_names();
  const constraint_handling::RankReport rank =
      constraint_handling::constraint_rank(system.inner(), assembly.motion.state);
  if (rank.not_unique.size() == mobility.not_unique.size()) return;
  for (const int row : rank.not_unique) {
    mobility.not_unique_closed.push_back(names[static_cast<std::size_t>(row)]);
  }
}

}  // namespace

std::string to_string(const MovedValue& moved) {
  if (moved.name.quantity.rfind("orientation", 0) == 0) {
    return fmt::format("'{}' turned by {:.6g} rad about its {} axis", moved.name.body,
                       moved.to - moved.from, moved.name.quantity.back());
  }
  return fmt::format("'{}': {} from {:.6g} to {:.6g} {}", moved.name.body, moved.name.quantity,
                     moved.from, moved.to, moved.name.unit);
}

Mobility mobility_of(model::ModelSystem& system, const system::State& state) {
  const constraint_handling::RankReport rank = constraint_handling::constraint_rank(system, state);
  Mobility mobility;
  mobility.velocities = system.sizes().v;
  mobility.rows = rank.rows;
  mobility.rank = rank.rank;
  mobility.smallest_kept = rank.smallest_kept;
  mobility.largest_dropped = rank.largest_dropped;
  if (rank.redundant.empty() && rank.not_unique.empty()) return mobility;
  const std::vector<model::RowName> names = system.row_names();
  const auto name = [&](int row) { return names[static_cast<std::size_t>(row)]; };
  for (const int row : rank.redundant) mobility.redundant.push_back(name(row));
  for (const int row : rank.not_unique) mobility.not_unique.push_back(name(row));
  return mobility;
}

Assembly assemble(model::ModelSystem& system) {
  if (formulation::RelativeModel* relative = relative_model(system)) {
    return assemble_relative(system, *relative);
  }
  Assembly assembly;
  assembly.motion.state = system.described_state();
  assembly.motion.a.setZero(system.sizes().v);
  assembly.motion.lambda.setZero(system.sizes().multipliers());
  system.restart_angles();
  constraint_handling::ConsistentStart start(system);
  const Vector described = assembly.motion.state.q;
  assemble_positions(system, start, assembly);
  Vector moved;
  system.logarithm(described, assembly.motion.state.q, moved);
  assembly.largest_move = largest(moved);
  assemble_velocities(system, start, assembly);
  name_moved(system, assembly);
  assembly.massless_turns = system.massless_turns();
  refuse_free_massless_turns(system, assembly.massless_turns, assembly.motion);
  assemble_accelerations(system, start, assembly);
  assembly.mobility = mobility_of(system, assembly.motion.state);
  if (!assembly.mobility.not_unique.empty()) {
    const std::vector<int> rows =
        constraint_handling::constraint_rank(system, assembly.motion.state).not_unique;
    assembly.mobility.loads_not_unique = loads_that_read(system, assembly.motion, rows);
  }
  if (auto* events = dynamic_cast<UnilateralModel*>(&system)) {
    look_beyond_open_rows(*events, assembly);
  }
  return assembly;
}

}  // namespace trammel::analysis
