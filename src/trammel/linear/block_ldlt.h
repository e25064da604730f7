// LDL^T by blocks: bodies and joints are eliminated as dense blocks along the
// mechanism's graph.
//
// No pivoting between blocks: the matrix is quasi-definite (see kkt_solver.h),
// and the order of block_order.h keeps every pivot away from the
// regularisation. The cost is O(n) on trees.
//
// In loops a row can depend on others (redundant joints, singular positions):
// its pivot tends to the regularisation, and its multiplier would answer to
// round-off. Such pivots are kept above 1e-8 of their row's size: the row is
// satisfied by the others there. Outside loops nothing of the kind is needed,
// and would do harm: the rows that hold the axes of a straight chain of k links
// have pivots of about 1 / k^3 of their size, and are well posed. In relative
// coordinates a loop-closing joint meets all hinges of its loop at once (and
// may have no part in one: a wheel's spin in its height):
// BlockOrder::closes_loop counts as closing a loop.
//
// Parts of a large system that have nothing to do with each other
// (block_order.h) are factored and substituted side by side by the threads of
// the SolverScope that is open on the calling thread. What they take from the
// rest, which they share, is taken afterwards, part by part: the order of every
// sum, and with it every bit, is the same for any number of threads.
#pragma once

#include <vector>

#include "trammel/linear/block_order.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::linear {

class BlockLdlt final : public KktSolver {
 public:
  std::string_view name() const override { return "block-ldlt"; }
  bool symmetric() const override { return true; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override;
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override;

  /// Stored numbers of the factor, for reports on fill.
  std::size_t factor_entries() const { return factor_.size(); }

 private:
  /// One eliminated block: its pivot and the panel below it in one column-major
  /// array. The diagonal holds D^-1.
  struct Column {
    int first = 0;      ///< of its unknowns
    int size = 0;       ///< of the pivot block
    int height = 0;     ///< size + rows of the panel
    int offset = 0;     ///< into factor_
    int first_row = 0;  ///< into rows_
    int row_count = 0;  ///< number of blocks in the panel
  };
  /// What more is known of a column while it is factored.
  struct Elimination {
    int first_update = 0;
    int update_count = 0;
    int last_target = 0;   ///< the last column that it is eliminated into, or itself
    int multiplier = -1;   ///< number of its first multiplier; -1 for velocities
    bool in_loop = false;  ///< a loop is closed in it or in what is eliminated into it

    /// Of the pivots of a quasi-definite matrix.
    double sign() const { return multiplier < 0 ? 1.0 : -1.0; }
  };
  /// A block of a panel: which unknowns it belongs to, and where it starts in
  /// the panel.
  struct PanelRow {
    int first = 0;
    int size = 0;
    int start = 0;
  };
  /// target(rows, columns) -= panel(rows) D panel(columns)^T.
  struct Update {
    int row_start = 0;
    int rows = 0;
    int column_start = 0;
    int columns = 0;
    int target = 0;  ///< into factor_
    int stride = 0;  ///< of the target
  };
  /// An entry of the lower triangle that is its own mirror image or equal to it
  /// (diagonal, G).
  struct Gather {
    int target = 0;
    int source = 0;
  };
  /// An entry of K below the diagonal, averaged from the two of the full
  /// matrix.
  struct GatherPair {
    int target = 0;
    int first = 0;
    int second = 0;
  };

  /// How far the lists are worked off.
  struct Gathered {
    std::vector<Gather>::const_iterator entry;
    std::vector<GatherPair>::const_iterator pair;
  };
  /// A column of a part whose panel reaches into the rest: which of its blocks
  /// and updates do not.
  struct Boundary {
    int column = 0;
    int own_rows = 0;
    int own_updates = 0;
  };
  /// Columns that are eliminated by one thread. The last part is the rest, or
  /// everything.
  struct Part {
    int first = 0;
    int end = 0;
    std::vector<Boundary> boundary;  ///< by their columns
    std::vector<double> scaled;      ///< the current panel times D
    // Of the factorisation under way:
    int wrong_signs = 0;
    int dependent_rows = 0;
    bool ok = true;
  };

  void build_columns(const BlockOrder& order);
  void build_updates(const BlockOrder& order);
  void build_gather(const BlockOrder& order);
  /// The block of column `below` in the panel of a column.
  const PanelRow& panel_row(const BlockOrder& order, int column, int below);
  void build_parts(const BlockOrder& order);
  void gather(std::size_t place, const double* values, Gathered& done);
  Gathered first_gathered(int column) const;
  double judged_pivot(const Elimination& elimination, int k, double pivot, Part& part) const;
  template <class Size>
  void factor_pivot(const Column& column,
                    const Elimination& elimination,
                    Size n,
                    double* block,
                    Part& part) const;
  template <class Size>
  void factor_panel(const Column& column, Size n, double* block, Part& part) const;
  template <class Size>
  void update_targets(const Column& column,
                      int first_update,
                      int end_update,
                      Size n,
                      const double* block,
                      const double* scaled);
  void factor_part(const double* values, Part& part);
  void update_rest(Part& part);
  /// Of the parts before the rest, each by whichever thread is free.
  template <class Function>
  void for_parts(const Function& function);
  template <class Function>
  void below(const Column& column, int to, int rows, Function&& function) const;
  void eliminate(const Column& column, int rows, double* x) const;
  void eliminate_part(const Part& part, double* x) const;
  void eliminate_rest(const Part& part, double* x) const;
  void substitute(const Column& column, double* x) const;
  void substitute_part(const Part& part, double* x) const;
  void prefetch(const Column& column) const;

  std::shared_ptr<const KktPattern> pattern_;
  std::vector<Column> columns_;
  std::vector<Elimination> eliminations_;  ///< of each column
  std::vector<PanelRow> rows_;
  std::vector<Update> updates_;
  std::vector<Gather> gather_;
  std::vector<GatherPair> gather_pairs_;
  std::vector<double> factor_;
  static constexpr double smallest_pivot = 1e-8;

  std::vector<Part> parts_;  ///< the rest is the last
  bool loops_ = false;
  Vector regularisation_;  ///< of each multiplier, where there are loops
};

}  // namespace trammel::linear
