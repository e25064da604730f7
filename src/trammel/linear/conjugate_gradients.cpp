// long file: one class, whose parts share its vectors
#include "trammel/linear/conjugate_gradients.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "trammel/linear/body_groups.h"

namespace trammel::linear {
namespace {

constexpr int usual_group = 128;  // bodies

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

int group_size(const ConjugateGradientOptions& options, int bodies) {
  if (options.bodies_per_group > 0) return options.bodies_per_group;
  if (options.preconditioner != Preconditioner::groups) return usual_group;
  return std::clamp(bodies / 4, 1, usual_group);
}

}  // namespace

ConjugateGradients::ConjugateGradients(ConjugateGradientOptions options) : options_(options) {
  SolverScope* scope = SolverScope::current();
  if (scope == nullptr) return;
  scope->add(count_);
  team_ = scope->team();
}

std::string_view ConjugateGradients::name() const {
  switch (options_.preconditioner) {
    case Preconditioner::joints:
      return "pcg-joints";
    case Preconditioner::diagonal:
      return "pcg-diagonal";
    case Preconditioner::scaled:
      return "pcg-scaled";
    default:
      return "pcg";
  }
}

void ConjugateGradients::analyse(std::shared_ptr<const KktPattern> pattern) {
  pattern_ = std::move(pattern);
  groups_.clear();
  joints_.clear();
  couplings_.clear();
  gathered_ = false;
  strong_ = false;
  whole_analysed_ = false;
  restored_.reset();
  interface_matrix_.reset();
  make_groups();
  reports_.resize(groups_.size());
  count_->groups = static_cast<int>(groups_.size());
  count_->rows = rows_;
  own_.setZero(rows_);
  for (Vector* vector : {&diagonal_, &r_, &z_, &p_, &w_, &y_, &scratch_}) vector->setZero(rows_);
}

void ConjugateGradients::make_groups() {
  int bodies = 0;
  while (bodies < pattern_->blocks() &&
         pattern_->block_start[index(bodies)] < pattern_->velocities) {
    ++bodies;
  }
  const bool keep = options_.preconditioner == Preconditioner::groups;
  const BodyGroups chosen = group_bodies(*pattern_, group_size(options_, bodies), !keep);
  std::vector<std::vector<int>> blocks(index(chosen.count));
  std::vector<int> group_of(index(pattern_->size()), -1);  // of each unknown
  rows_ = 0;
  int first_block = 0;
  for (int b = 0; b < pattern_->blocks(); ++b) {
    const int start = pattern_->block_start[index(b)];
    const int size = pattern_->block_start[index(b) + 1] - start;
    const int group = chosen.group[index(b)];
    if (group >= 0) {
      blocks[index(group)].push_back(b);
      std::fill_n(group_of.begin() + start, size, group);
      continue;
    }
    joints_.push_back({rows_, size, start, first_block, {}});
    rows_ += size;
    first_block += size * size;
  }
  blocks_.assign(index(first_block), 0.0);
  for (const std::vector<int>& list : blocks) {
    groups_.push_back(std::make_unique<BodyGroup>(*pattern_, list, keep));
  }
  make_parts(group_of);
  make_couplings(group_of);
}

// The entries of cut joints, joint by joint and group by group.
void ConjugateGradients::make_parts(const std::vector<int>& group_of) {
  struct Entry {
    int joint, group, column, row, source;
  };
  std::vector<int> joint_of(index(pattern_->multipliers), -1);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    std::fill_n(joint_of.begin() + (joints_[j].unknown - pattern_->velocities), joints_[j].size,
                static_cast<int>(j));
  }
  std::vector<Entry> entries;
  for (int column = 0; column < pattern_->velocities; ++column) {
    const auto c = index(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[index(k)];
      if (row < pattern_->velocities) continue;
      const int joint = joint_of[index(row - pattern_->velocities)];
      if (joint < 0) continue;
      entries.push_back({joint, group_of[c], column, row - joints_[index(joint)].unknown, k});
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.joint, a.group) < std::pair(b.joint, b.group);
  });
  int slot = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    CutJoint& joint = joints_[index(entry.joint)];
    BodyGroup& group = *groups_[index(entry.group)];
    if (i == 0 || entries[i - 1].joint != entry.joint || entries[i - 1].group != entry.group) {
      group.begin_part(entry.joint, joint, slot);
      joint.slots.push_back(slot);
      slot += joint.size;
    }
    group.add_entry(entry.row, entry.column, entry.source);
  }
  slots_.setZero(slot);
  for (auto& group : groups_) group->settle();
}

void ConjugateGradients::make_couplings(const std::vector<int>& group_of) {
  for (int column = 0; column < pattern_->velocities; ++column) {
    const auto c = index(column);
    const int group = group_of[c];
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[index(k)];
      if (row >= pattern_->velocities || row <= column) continue;
      if (group_of[index(row)] == group && groups_[index(group)]->holds(row, column)) continue;
      couplings_.push_back({row, column, k, pattern_->find(column, row), 0.0});
    }
  }
  couplings_.shrink_to_fit();
}

// On whatever thread is free: groups do not touch each other.
template <class Work>
void ConjugateGradients::each_group(const Work& work) {
  const auto piece = [&](int, int g) {
    const SolverScope alone;  // factors of a large group must not ask the team that is at work here
    work(*groups_[index(g)], g);
  };
  const int count = static_cast<int>(groups_.size());
  if (team_) {
    team_(count, std::ref(piece));
  } else {
    for (int g = 0; g < count; ++g) piece(0, g);
  }
}

// The parts of each row, always in the same order.
void ConjugateGradients::add_slots(Vector& rows) const {
  for (const CutJoint& joint : joints_) {
    for (const int slot : joint.slots) {
      for (int i = 0; i < joint.size; ++i) rows[joint.first + i] += slots_[slot + i];
    }
  }
}

FactorReport ConjugateGradients::factor(const KktMatrix& matrix) {
  coupled_ = false;
  for (Coupling& coupling : couplings_) {
    coupling.value =
        0.5 * (matrix.values[index(coupling.source)] + matrix.values[index(coupling.image)]);
    coupled_ = coupled_ || coupling.value != 0.0;
  }
  each_group([&](BodyGroup& group, int g) { reports_[index(g)] = group.factor(matrix); });
  FactorReport report;
  for (const FactorReport& part : reports_) {
    report.ok = report.ok && part.ok;
    report.wrong_signs += part.wrong_signs;
    report.dependent_rows += part.dependent_rows;
  }
  direct_ = false;
  if (!report.ok) return report;
  if (report.wrong_signs > 0 || (coupled_ && strong_)) return factor_whole(matrix);
  regularisation(matrix, default_regularisation, regularisation_);
  for (const CutJoint& joint : joints_) {
    for (int i = 0; i < joint.size; ++i) {
      const int unknown = joint.unknown + i;
      const int entry = pattern_->diagonal[index(unknown)];
      own_[joint.first + i] =
          regularisation_[unknown - pattern_->velocities] - matrix.values[index(entry)];
    }
  }
  make_preconditioner(report);
  return report;
}

FactorReport ConjugateGradients::factor_whole(const KktMatrix& matrix) {
  direct_ = true;
  if (!whole_analysed_) whole_.analyse(pattern_);
  whole_analysed_ = true;
  return whole_.factor(matrix);
}

// For a matrix that turns out not to be definite while it is solved.
void ConjugateGradients::restore_and_factor_whole() {
  if (!restored_) restored_ = std::make_unique<KktMatrix>(pattern_);
  for (const auto& group : groups_) group->restore(*restored_);
  for (const Coupling& coupling : couplings_) {
    restored_->values[index(coupling.source)] = coupling.value;
    restored_->values[index(coupling.image)] = coupling.value;
  }
  for (const CutJoint& joint : joints_) {
    for (int i = 0; i < joint.size; ++i) {
      const int unknown = joint.unknown + i;
      restored_->values[index(pattern_->diagonal[index(unknown)])] =
          regularisation_[unknown - pattern_->velocities] - own_[joint.first + i];
    }
  }
  factor_whole(*restored_);
}

void ConjugateGradients::make_preconditioner(FactorReport& report) {
  if (gathered_) return gather();
  each_group([](BodyGroup& group, int) { group.make_blocks(); });
  std::fill(blocks_.begin(), blocks_.end(), 0.0);
  for (const auto& group : groups_) {
    for (const BodyGroup::Part& part : group->parts()) {
      double* block = blocks_.data() + joints_[index(part.joint)].first_block;
      const double* share = group->blocks().data() + part.block;
      for (int i = 0; i < part.size * part.size; ++i) block[i] += share[i];
    }
  }
  for (const CutJoint& joint : joints_) {
    double* block = blocks_.data() + joint.first_block;
    for (int i = 0; i < joint.size; ++i) {
      const int row = joint.first + i;
      diagonal_[row] = block[i * (joint.size + 1)] + own_[row];
      if (!std::isfinite(diagonal_[row])) report.ok = false;
    }
    factor_block(joint, block, report.dependent_rows);
  }
  if (options_.preconditioner == Preconditioner::scaled && report.ok) find_damping();
}

// L D L^T in place. A row that depends on others of its joint, or on those inside the groups, has
// next to no pivot left: it gets one as large as 1e-8 of its size.
void ConjugateGradients::factor_block(const CutJoint& joint, double* block, int& dependent) const {
  constexpr double smallest_pivot = 1e-8;
  const int n = joint.size;
  for (int k = 0; k < n; ++k) {
    const int row = joint.first + k;
    double pivot = block[k * (n + 1)] + own_[row];
    const double size =
        regularisation_[joint.unknown + k - pattern_->velocities] / default_regularisation;
    if (pivot < smallest_pivot * size) {
      pivot = smallest_pivot * size;
      ++dependent;
    }
    block[k * (n + 1)] = 1.0 / pivot;
    for (int j = k + 1; j < n; ++j) {
      const double factor = block[j + k * n] / pivot;
      for (int i = j; i < n; ++i) block[i + j * n] -= block[i + k * n] * factor;
    }
    for (int i = k + 1; i < n; ++i) block[i + k * n] /= pivot;
  }
}

// The largest eigenvalue of D^-1 F by its powers; below 2 Neumann's two terms are definite. A start
// without symmetry, since mechanisms have some.
void ConjugateGradients::find_damping() {
  constexpr int powers = 15;
  constexpr double margin = 1.1;  // powers give a little less than the largest
  damping_ = 1.0;
  if (rows_ == 0) return;
  for (int i = 0; i < rows_; ++i) p_[i] = 1.0 + 0.5 * std::sin(1.0 + i);
  double largest = 0.0;
  for (int k = 0; k < powers; ++k) {
    p_ /= std::sqrt(p_.dot(diagonal_.cwiseProduct(p_)));
    apply(p_, w_);
    largest = p_.dot(w_);
    p_ = w_.cwiseQuotient(diagonal_);
  }
  if (margin * largest > 2.0) damping_ = 1.0 / (margin * largest);
}

// F as a whole, by solutions of the groups, and its factors.
void ConjugateGradients::gather() {
  if (!interface_matrix_) {
    system::KktPatternBuilder builder(rows_, 0);
    for (const CutJoint& joint : joints_) builder.add_block(joint.first, joint.size);
    for (const auto& group : groups_) {
      for (const BodyGroup::Part& a : group->parts()) {
        for (const BodyGroup::Part& b : group->parts()) {
          for (int i = 0; i < a.size; ++i) {
            for (int j = 0; j < b.size; ++j) builder.add(a.first + i, b.first + j);
          }
        }
      }
    }
    const auto pattern = std::make_shared<const KktPattern>(builder.build());
    interface_matrix_ = std::make_unique<KktMatrix>(pattern);
    interface_.analyse(pattern);
  }
  KktMatrix& F = *interface_matrix_;
  std::fill(F.values.begin(), F.values.end(), 0.0);
  for (const auto& group : groups_) {
    group->visit_products([&](int row, int column, double value) {
      F.values[index(F.pattern->find(row, column))] += value;
    });
  }
  for (int i = 0; i < rows_; ++i) F.values[index(F.pattern->diagonal[index(i)])] += own_[i];
  interface_.factor(F);
  gathered_ = true;
  count_->gathered = true;
}

void ConjugateGradients::precondition(const Vector& r, Vector& z) {
  if (gathered_) return interface_.solve(r, z);
  if (options_.preconditioner == Preconditioner::diagonal) {
    z = r.cwiseQuotient(diagonal_);
    return;
  }
  if (options_.preconditioner == Preconditioner::scaled) {
    z = r.cwiseQuotient(diagonal_);
    apply(z, scratch_);
    z = damping_ * (2.0 * z - damping_ * scratch_.cwiseQuotient(diagonal_));
    return;
  }
  z = r;
  for (const CutJoint& joint : joints_) {
    const double* block = blocks_.data() + joint.first_block;
    double* x = z.data() + joint.first;
    const int n = joint.size;
    for (int k = 0; k < n; ++k) {
      for (int i = k + 1; i < n; ++i) x[i] -= block[i + k * n] * x[k];
    }
    for (int k = n - 1; k >= 0; --k) {
      x[k] *= block[k * (n + 1)];
      for (int i = k + 1; i < n; ++i) x[k] -= block[i + k * n] * x[i];
    }
  }
}

// F y.
void ConjugateGradients::apply(const Vector& y, Vector& product) {
  each_group([&](BodyGroup& group, int) {
    group.clear();
    group.add_reactions(1.0, y);
    group.solve();
    group.put_rows(slots_);
  });
  product = own_.cwiseProduct(y);
  add_slots(product);
}

// F y = r; destroys r.
auto ConjugateGradients::interface_solve(Vector& r, Vector& y) -> End {
  y.setZero();
  precondition(r, z_);
  double rz = r.dot(z_);
  if (!std::isfinite(rz)) {
    y.setConstant(std::numeric_limits<double>::quiet_NaN());
    return End::converged;  // as far as it goes
  }
  const double enough = options_.tolerance * options_.tolerance * rz;
  // Below the squares of the least numbers nothing can be told.
  if (!(rz > std::numeric_limits<double>::min())) return rz < 0.0 ? End::broken : End::converged;
  p_ = z_;
  const int most = std::min(200 + 5 * rows_, 50000);
  const bool patient = options_.preconditioner != Preconditioner::groups || gathered_;
  for (int k = 1; k <= most; ++k) {
    apply(p_, w_);
    const double curvature = p_.dot(w_);
    if (!(curvature > 0.0)) return End::broken;
    const double step = rz / curvature;
    y += step * p_;
    r -= step * w_;
    precondition(r, z_);
    const double next = r.dot(z_);
    ++count_->iterations;
    count_->most = std::max(count_->most, k);
    if (next <= enough) return next < -enough ? End::broken : End::converged;
    if (!patient && k == options_.patience) return End::unfinished;
    p_ = z_ + next / rz * p_;
    rz = next;
  }
  return End::unfinished;
}

// The system with K_0; false where it is not definite.
bool ConjugateGradients::split_solve(const Vector& right_side, Vector& solution) {
  each_group([&](BodyGroup& group, int) {
    group.load(right_side);
    group.solve();
    group.put_rows(slots_);
  });
  const auto start = [&] {
    for (const CutJoint& joint : joints_) {
      r_.segment(joint.first, joint.size) = -right_side.segment(joint.unknown, joint.size);
    }
    add_slots(r_);
  };
  start();
  End end = interface_solve(r_, y_);
  if (end == End::unfinished && options_.preconditioner == Preconditioner::groups && !gathered_) {
    gather();
    each_group([&](BodyGroup& group, int) {
      group.load(right_side);
      group.solve();
      group.put_rows(slots_);
    });
    start();
    end = interface_solve(r_, y_);
  }
  if (end == End::broken) return false;
  if (end == End::unfinished) ++count_->unfinished;
  each_group([&](BodyGroup& group, int) {
    group.load(right_side);
    group.add_reactions(-1.0, y_);
    group.solve();
    group.store(solution);
  });
  for (const CutJoint& joint : joints_) {
    solution.segment(joint.unknown, joint.size) = y_.segment(joint.first, joint.size);
  }
  return true;
}

void ConjugateGradients::coupling_product(const Vector& x, Vector& product) const {
  for (const Coupling& coupling : couplings_) {
    product[coupling.row] += coupling.value * x[coupling.column];
    product[coupling.column] += coupling.value * x[coupling.row];
  }
}

// Conjugate gradients over the whole, A = P + E: z = P^-1 r, and P p follows from the residuals.
bool ConjugateGradients::coupled_solve(const Vector& right_side, Vector& solution) {
  constexpr int most = 60;
  if (!split_solve(right_side, solution)) return false;
  whole_r_.setZero(solution.size());
  coupling_product(solution, whole_r_);
  whole_r_ = -whole_r_;
  const double size = right_side.norm();
  const double enough = 1e-13 * (size + whole_r_.norm());
  double rz = 0.0;
  for (int k = 1; k <= most && whole_r_.norm() > enough; ++k) {
    whole_z_.resize(solution.size());
    if (!split_solve(whole_r_, whole_z_)) return false;
    const double next = whole_r_.dot(whole_z_);
    if (k == 1) {
      whole_p_ = whole_z_;
      whole_u_ = whole_r_;
    } else {
      whole_p_ = whole_z_ + next / rz * whole_p_;
      whole_u_ = whole_r_ + next / rz * whole_u_;
    }
    rz = next;
    whole_w_ = whole_u_;
    coupling_product(whole_p_, whole_w_);
    const double curvature = whole_p_.dot(whole_w_);
    if (!std::isfinite(curvature)) return true;  // shows in the solution
    if (!(curvature > 0.0) || !(rz > 0.0)) return false;
    solution += rz / curvature * whole_p_;
    whole_r_ -= rz / curvature * whole_w_;
  }
  if (whole_r_.norm() <= enough) return true;
  strong_ = true;
  return false;
}

void ConjugateGradients::solve(const Vector& right_side, Vector& solution) {
  ++count_->solutions;
  const Vector* right = &right_side;
  if (&solution == &right_side) {
    whole_right_ = right_side;
    right = &whole_right_;
  } else {
    solution.resize(right_side.size());
  }
  if (!direct_) {
    if (coupled_ ? coupled_solve(*right, solution) : split_solve(*right, solution)) return;
    restore_and_factor_whole();
  }
  ++count_->direct;
  whole_.solve(*right, solution);
}

std::size_t ConjugateGradients::memory_bytes() const {
  std::size_t bytes = whole_analysed_ ? whole_.memory_bytes() : 0;
  if (interface_matrix_) {
    bytes += interface_.memory_bytes() + interface_matrix_->values.capacity() * sizeof(double);
  }
  for (const auto& group : groups_) bytes += group->memory_bytes();
  const auto vectors = static_cast<std::size_t>(slots_.size() + 9 * rows_ + whole_r_.size() * 6 +
                                                regularisation_.size());
  return bytes + (vectors + blocks_.capacity()) * sizeof(double) +
         couplings_.capacity() * sizeof(Coupling) + joints_.capacity() * sizeof(CutJoint);
}

}  // namespace trammel::linear
