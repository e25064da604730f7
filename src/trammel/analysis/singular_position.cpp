#include "trammel/analysis/singular_position.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/dense_factors.h"

namespace trammel::analysis {
namespace {

// A singular value this far below its start is on its way to zero.
constexpr double small = 1e-2;

double singular_value(const Subspaces& spaces, int number) {
  return number > 0 && number <= spaces.singular_values.size() ? spaces.singular_values[number - 1]
                                                               : 0.0;
}

// The rows with the greatest shares in the combination that becomes zero: "pin: point y".
std::vector<std::string> dependent_rows(model::ModelSystem& system,
                                        const Matrix& joint_rows,
                                        const std::vector<int>& drive_rows,
                                        int rank) {
  const Eigen::JacobiSVD<Matrix> svd(joint_rows * system.displacement_scale().asDiagonal(),
                                     Eigen::ComputeThinU);
  const Vector share = svd.matrixU().col(rank - 1).cwiseAbs();
  const std::vector<model::RowName> names = system.row_names();
  std::vector<std::string> rows;
  Eigen::Index joint_row = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(drive_rows.begin(), drive_rows.end(), static_cast<int>(i)) != drive_rows.end()) {
      continue;
    }
    constexpr double least_share = 0.3;
    if (share[joint_row++] > least_share * share.maxCoeff()) {
      rows.push_back(names[i].joint + ": " + names[i].label);
    }
  }
  return rows;
}

}  // namespace

std::string to_string(const SingularPosition& position) {
  if (position.kind == SingularKind::change_point) {
    return fmt::format(
        "change point at t = {:.6g} s: the joints lose rank and leave {} freedoms there, so that "
        "the mechanism could go on in another way (dependent: {})",
        position.time, position.freedoms,
        position.rows.empty() ? std::string("rows of the joints")
                              : fmt::format("{}", fmt::join(position.rows, ", ")));
  }
  return fmt::format(
      "dead centre at t = {:.6g} s: the joints are regular (mobility {}), but the driven "
      "coordinates "
      "do not determine the motion there; suitable inputs there: {}",
      position.time, position.freedoms,
      position.inputs.empty() ? std::string("none by name")
                              : fmt::format("{}", fmt::join(position.inputs, ", ")));
}

SingularityJudge::SingularityJudge(model::ModelSystem& system,
                                   const system::State& start,
                                   std::vector<int> drive_rows)
    : system_(system), drive_rows_(std::move(drive_rows)) {
  const Matrix G = constraint_jacobian(system, start);
  const Vector& scale = system.displacement_scale();
  const Subspaces joints = subspaces(rows_without(G, drive_rows_), scale);
  joint_rank_ = joints.rank;
  joint_start_ = joints.smallest();
  all_start_ = subspaces(G, scale).smallest();
}

SingularPosition SingularityJudge::classify(const system::State& state) const {
  const Matrix G = constraint_jacobian(system_, state);
  const Vector& scale = system_.displacement_scale();
  const int n = system_.sizes().v;
  const Matrix joint_rows = rows_without(G, drive_rows_);
  const Subspaces joints = subspaces(joint_rows, scale);
  SingularPosition position;
  position.time = state.t;
  position.least_singular_value = singular_value(subspaces(G, scale), n);
  // Joints that hold nothing at the start have no rank to lose.
  if (joint_rank_ > 0 && singular_value(joints, joint_rank_) < small * joint_start_) {
    position.kind = SingularKind::change_point;
    // Rows that depend on others within the distance that is left to the singular position.
    const double near = 3.0 * singular_value(joints, joint_rank_) + subspace_tolerance;
    position.freedoms = n - subspaces(joint_rows, scale, near).rank;
    position.rows = dependent_rows(system_, joint_rows, drive_rows_, joint_rank_);
    return position;
  }
  position.kind = SingularKind::dead_centre;
  position.freedoms = n - joints.rank;
  Observer observer(system_);
  position.inputs = suitable_inputs(observer, state, joints.allowed);
  return position;
}

std::optional<SingularPosition> SingularityJudge::judge(const system::State& state) const {
  SingularPosition position = classify(state);
  const bool singular = position.kind == SingularKind::change_point ||
                        position.least_singular_value < small * all_start_;
  if (!singular) return std::nullopt;
  return position;
}

SingularPosition SingularityJudge::locate(const system::Motion& before,
                                          double h,
                                          bool positions_determined) const {
  KinematicMarch march(system_, positions_determined);
  system::Motion low = before;
  constexpr int bisections = 30;
  for (int i = 0; i < bisections; ++i) {
    h *= 0.5;
    march.start(low);
    if (!march.step(h)) break;
    if (!march.turned()) low = march.motion();
  }
  SingularPosition position = classify(low.state);
  position.time = low.state.t;
  return position;
}

}  // namespace trammel::analysis
