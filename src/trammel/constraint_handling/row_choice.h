// Which constraint rows to leave out where rows depend on each other.
//
// On the constraints g = 0 of a model with redundant joints the rows of G have a rank below their
// number, everywhere along the motion: G_d = C G_k for some rows d. Beside the constraints, where
// drift and stages of methods are, the dependence is lost: a combination of rows with a singular
// value of the size of the drift would hold a velocity or an acceleration that is free. So rows d
// are left out, as many as the rank is short of, and nothing else is touched.
//
//     how many   the rank at the start, and at a place beside it that the constraints allow. Where
//                the start is a singular position, the rank is short there for an instant only:
//                what counts is the rank beside it.
//     which      any rows such that the others are independent. As the motion turns them, a choice
//                that was good becomes bad, so the choice is looked at again after every tenth of a
//                radian or model size: with all rows scaled to size 1 (scaled_jacobian.h), a row
//                k that is kept changes places with a row d that is left out as long as
//                |C_dk| > 2. That raises the volume of the kept rows each time, and ends where
//                their least singular value is nearly the best that there is [Goreinov2010]. So a
//                row whose length goes to zero, as those of loops in relative coordinates may,
//                gives way to one that has the length. Rows of velocities (nonholonomic) are left
//                out rather than rows of positions, which would drift.
//     always     rows without direction: what round-off makes of them would hold the motion.
//     no longer  a row that has become independent of the others on the constraints returns.
//
// One factorisation with the scales as metric, and one solution for each row that is left out, give
// C. Looking again does not allocate, as long as nothing returns.
#pragma once

#include <vector>

#include "trammel/constraint_handling/scaled_jacobian.h"
#include "trammel/linear/block_ldlt.h"

namespace trammel::constraint_handling {

class RowChoice {
 public:
  explicit RowChoice(system::MechanicalSystem& system) : system_(system) {}

  /// Finds the rows where a run begins or goes on after an event. True when they are others than
  /// before.
  bool begin(const system::State& state);
  /// For use between steps: looks again where the motion has gone far enough, else costs next to
  /// nothing. True when rows changed places.
  bool revise(const system::State& state);

  /// Ascending only after begin().
  const std::vector<int>& left_out() const { return left_out_; }
  /// Opens them in a matrix.
  void leave_out(system::KktMatrix& matrix) const;
  /// Multipliers with the same G^T lambda at the state last looked at, and zeros where rows are
  /// left out.
  void regroup(system::Vector& lambda);
  std::size_t memory_bytes() const;

 private:
  /// What is known of the rows left out, with the choice as it is.
  struct Dependence {
    int left_out = -1;  ///< the strongest pair to change places, as places in left_out_ ...
    int kept = -1;      ///< ... and among the rows
    double coefficient = 0.0;
    int independent = -1;   ///< the row that depends least on the others, as place in left_out_
    double distance = 0.0;  ///< what of it does not follow from the others, of its length
    bool reliable = true;   ///< false near singular positions of the kept rows
  };
  /// Made where rows are found to be redundant.
  struct Workspace {
    explicit Workspace(system::MechanicalSystem& system);

    ScaledJacobian jacobian;
    system::KktMatrix matrix;
    linear::BlockLdlt solver;
    linear::RefinedSolve refined;
    system::Vector factor;  ///< of the rows in the matrix
    system::Vector right_side;
    system::Vector solution;
    system::Vector x;
  };

  void find(const system::State& state);
  bool look_again(const system::State& state);
  /// At the Jacobian last taken.
  bool exchange();
  bool factor_kept(double shift = 0.0);
  Dependence dependence();
  bool take_back(const system::State& state);
  bool return_independent(double least_distance);
  void complete();
  void leave_out_without_direction(const system::State& state);
  bool consistent(system::State& state);
  bool step_aside(int direction, system::State& state);

  system::MechanicalSystem& system_;
  std::vector<int> left_out_;
  std::vector<bool> open_;  ///< when rows were last searched for
  bool searched_ = false;
  bool factored_ = false;
  std::unique_ptr<Workspace> work_;
  system::Vector looked_at_;  ///< q
};

}  // namespace trammel::constraint_handling
