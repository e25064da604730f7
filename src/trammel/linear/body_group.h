// A group of bodies with the joints between them, as a KKT system of its own, and its part in the
// joints that are cut (conjugate_gradients.h).
#pragma once

#include <functional>
#include <vector>

#include "trammel/linear/block_ldlt.h"

namespace trammel::linear {

/// A joint that is cut: rows of the interface.
struct CutJoint {
  int first = 0;  ///< of its rows in the interface
  int size = 0;
  int unknown = 0;         ///< its first one in the whole system
  int first_block = 0;     ///< of its square block among those of all joints
  std::vector<int> slots;  ///< where groups leave their part of a product with its rows
};

class BodyGroup {
 public:
  /// The part of a cut joint that acts on the group.
  struct Part {
    int joint = 0;
    int first = 0;  ///< row of the interface
    int size = 0;
    int slot = 0;  ///< where its products are left
    int first_entry = 0;
    int last_entry = 0;
    int block = 0;                ///< where its square block begins in blocks()
    std::vector<int> components;  ///< of the group that it acts on
  };

  /// `blocks` of the whole pattern: bodies, then joints. Uncoupled bodies are taken as if nothing
  /// but joints acted between them.
  BodyGroup(const KktPattern& whole, const std::vector<int>& blocks, bool coupled);

  /// Number of a velocity of the whole system here, or -1.
  int local(int unknown) const;
  /// Begins the part of a cut joint, with entry (row of the joint, velocity of the whole system).
  void begin_part(int joint, const CutJoint& cut, int slot);
  void add_entry(int row, int unknown, int source);
  /// After the last part.
  void settle();
  /// Whether an entry of K between two velocities of the group is in its matrix.
  bool holds(int row, int column) const;

  FactorReport factor(const KktMatrix& whole);
  /// Writes back what it was factored from.
  void restore(KktMatrix& whole) const;

  /// The group's unknowns of a vector of the whole system, and back.
  void load(const Vector& whole);
  void store(Vector& whole) const;
  void clear() { work_.setZero(); }
  /// Adds share G^T y, for y of the interface.
  void add_reactions(double share, const Vector& y);
  /// What is loaded becomes the solution.
  void solve() { solver_.solve(work_, work_); }
  /// Leaves G x in the slots.
  void put_rows(Vector& slots) const;

  /// The squares G A^-1 G^T of its parts, column-major; A is the group's matrix.
  void make_blocks();
  const std::vector<double>& blocks() const { return blocks_; }
  /// All of G A^-1 G^T: add(row, column, value) for rows of the interface.
  void visit_products(const std::function<void(int, int, double)>& add);
  const std::vector<Part>& parts() const { return parts_; }
  std::size_t memory_bytes() const;

 private:
  struct Entry {
    int column = 0;  ///< unknown of the group
    int row = 0;     ///< of the joint
    int source = 0;
  };

  void find_components();
  void make_runs();
  void load_row(const Part& part, int row);
  void product(const Part& part, double* rows) const;

  std::vector<int> unknowns_;  ///< in the whole system, ascending
  std::vector<int> source_;    ///< of each entry of the matrix
  std::shared_ptr<const KktPattern> pattern_;
  std::vector<double> values_;  ///< of the entries of the parts
  std::unique_ptr<KktMatrix> matrix_;
  BlockLdlt solver_;
  std::vector<Part> parts_;
  std::vector<Entry> entries_;
  std::vector<double> blocks_;
  std::vector<int> component_;          ///< of each unknown
  std::vector<std::vector<int>> runs_;  ///< parts that have no component in common
  Vector work_;
};

}  // namespace trammel::linear
