// The constraint Jacobian of a state row by row, with displacements in units of their scales D, so
// that metres and radians can be compared: G D.
//
// A row has a length, |D G_i|, and a size that does not depend on where the motion is: that of the
// reaction of a unit multiplier (system/reaction_weights.h). In relative coordinates the length may
// be anything from zero to the size: a row in a direction in which the hinges cannot move its
// joint's point has none.
#pragma once

#include <vector>

#include "trammel/system/reaction_weights.h"

namespace trammel::constraint_handling {

class ScaledJacobian {
 public:
  explicit ScaledJacobian(system::MechanicalSystem& system);

  /// Does not allocate after the first call.
  void take(const system::State& state);

  int rows() const { return static_cast<int>(length_.size()); }
  /// Rows that do not hold at present (system/open_row.h).
  const std::vector<bool>& open() const { return open_; }
  /// |D G_i|; zero of open rows.
  const system::Vector& length() const { return length_; }
  /// sqrt(w_i), or the length of rows without weight.
  const system::Vector& size() const { return size_; }
  /// False of open rows, and of those that are next to nothing for their size.
  bool has_direction(int row) const;

  /// x += factor D G_row^T; x may be longer.
  void add_row(int row, double factor, system::Vector& x) const;
  /// Takes a row out of another matrix of the system (system/open_row.h).
  void open_row(int row, system::KktMatrix& matrix) const;
  /// [1 G'^T; G' -shift] with rows G'_i = factor_i G_i D. Rows whose factor is 0 are open.
  void write(const system::Vector& factor, double shift, system::KktMatrix& matrix) const;

 private:
  struct Entry {
    int position = 0;  ///< among the values of the matrix
    int column = 0;
  };

  system::MechanicalSystem& system_;
  system::ReactionWeights* weights_;  ///< null: rows have their length only
  system::Motion motion_;
  system::KktMatrix matrix_;
  std::vector<int> first_;  ///< of each row's entries
  std::vector<Entry> entries_;
  std::vector<bool> open_;
  system::Vector length_;
  system::Vector size_;
  system::Vector weight_;
};

}  // namespace trammel::constraint_handling
