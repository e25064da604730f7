// Multipliers of tree joints, and of the drives of prescribed hinges, from the balance of the
// bodies [Sol1983, 8.5].
//
// Body i with the hinge k that carries it and the hinges h that it carries:
//     r_i + G_k,i^T lambda_k + sum_h G_h,i^T lambda_h = 0,
// where r_i is the residual without multipliers of the tree. From the leaves to the ground each
// balance has the rows of one hinge as unknowns: those of its joint and those of its drives. What
// the hinge allows is not needed: the motion already balances it.
#pragma once

#include <vector>

#include "trammel/formulation/hinge_tree.h"

namespace trammel::formulation {

template <class S>
class TreeReactions {
 public:
  TreeReactions() = default;
  TreeReactions(const model::Mechanism<S>& mechanism, const HingeTree<S>& tree);

  /// `r` is the absolute residual without multipliers of the tree; it is overwritten. `jacobian`
  /// holds G. Sets the entries of tree joints and of their drives in `lambda`.
  void recover(const system::KktMatrix& jacobian, system::Vector& r, system::Vector& lambda) const;

 private:
  struct Entry {
    int position = 0;  ///< in the values of the absolute KKT matrix
    int row = 0;       ///< within the hinge
    int velocity = 0;  ///< absolute
    int freedom = -1;  ///< of the carried node, -1: of the parent
  };
  struct Joint {
    int first_row = 0;  ///< among rows_
    int rows = 0;
    int velocity = 0;  ///< of the carried node
    int freedoms = 0;
    int first = 0;  ///< entries
    int count = 0;
  };
  void add(const model::Mechanism<S>& mechanism,
           const TreeHinge<S>& hinge,
           const std::vector<int>& rows);

  std::vector<Joint> joints_;  ///< the outermost first
  std::vector<int> rows_;      ///< absolute
  std::vector<Entry> entries_;
};

}  // namespace trammel::formulation
