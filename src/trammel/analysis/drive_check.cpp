#include "trammel/analysis/drive_check.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Matrix filtered(const Matrix& G, const std::vector<int>& rows, bool wanted) {
  Matrix result(G.rows(), G.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    if (contains(rows, static_cast<int>(i)) == wanted) result.row(count++) = G.row(i);
  }
  return result.topRows(count);
}

// Drives whose row depends on the rows before it, on the motions that the joints allow.
std::vector<std::string> dependent_drives(const model::ModelSystem& system,
                                          const Matrix& G,
                                          const Matrix& allowed,
                                          const std::vector<int>& rows) {
  const std::vector<model::RowName> names = system.row_names();
  std::vector<std::string> dependent;
  Matrix rest = allowed;
  for (const int row : rows) {
    const Eigen::RowVectorXd along = G.row(row) * rest;
    const double whole = (G.row(row) * system.displacement_scale().asDiagonal()).norm();
    if (rest.cols() == 0 || along.norm() <= 1e-6 * whole) {
      dependent.push_back(names[static_cast<std::size_t>(row)].joint);
      continue;
    }
    rest = rest * subspaces(along, Vector::Ones(rest.cols())).allowed;
  }
  return dependent;
}

}  // namespace

std::vector<int> rows_named(const model::ModelSystem& system,
                            const std::vector<std::string>& names) {
  std::vector<int> rows;
  for (const model::JointRows& joint : system.joints()) {
    if (std::find(names.begin(), names.end(), joint.name) == names.end()) continue;
    for (int i = 0; i < joint.count; ++i) rows.push_back(joint.first + i);
    for (int i = 0; i < joint.velocity_count; ++i) rows.push_back(joint.first_velocity + i);
  }
  return rows;
}

Matrix rows_of(const Matrix& G, const std::vector<int>& rows) {
  return filtered(G, rows, true);
}

Matrix rows_without(const Matrix& G, const std::vector<int>& rows) {
  return filtered(G, rows, false);
}

DriveCheck check_drives(model::ModelSystem& system,
                        const system::State& state,
                        const std::vector<std::string>& drives) {
  const Matrix G = constraint_jacobian(system, state);
  const Vector& scale = system.displacement_scale();
  const std::vector<int> rows = rows_named(system, drives);
  const Subspaces joints = subspaces(rows_without(G, rows), scale);
  const Subspaces all = subspaces(G, scale);
  const int n = system.sizes().v;
  DriveCheck check;
  check.freedoms = n - joints.rank;
  check.drives = static_cast<int>(rows.size());
  check.remaining = n - all.rank;
  check.positions_determined = subspaces(G.topRows(system.sizes().holonomic), scale).rank == n;
  check.dependent = dependent_drives(system, G, joints.allowed, rows);
  if (check.remaining > 0) {
    Observer observer(system);
    check.proposals = suitable_inputs(observer, state, all.allowed);
  }
  return check;
}

void require_determined(const DriveCheck& check) {
  if (check.determined()) return;
  const std::string given = check.drives == 0
                                ? "the model has no drives"
                                : fmt::format("the model's {} {}", check.drives,
                                              check.drives == 1 ? "drive is" : "drives are") +
                                      " not enough";
  std::string wrong =
      fmt::format("{}: {} of the mechanism's {} {} not prescribed", given, check.remaining,
                  check.freedoms, check.freedoms == 1 ? "freedom is" : "freedoms are");
  if (!check.dependent.empty()) {
    wrong += fmt::format(" (of no use: {}, which follows from the rest)",
                         fmt::join(check.dependent, ", "));
  }
  throw core::InputError(wrong,
                         check.proposals.empty()
                             ? "prescribe more coordinates under 'drives'"
                             : fmt::format("add drives for: {}", fmt::join(check.proposals, ", ")));
}

}  // namespace trammel::analysis
