// The exact tangent in relative coordinates, from that of the absolute system.
//
// With r = S^T r_abs, and delta the move of the tree, pulled back to dx = P delta for the
// velocities (P is the identity but for balls), every twist of the tree changes by three
// columns:
//
//     c1 = w_q s                                   xi  = sum c1 delta      (place)
//     c2 = w_q u + w_v s P                         dV  = c2 - V x c1
//     c3 = w_q b + w_v (u + s') P + w_a s P        dA  = c3 - V x c2 - A x c1
//
// (see tree_motion.h). For a node at p with velocity p' and acceleration p'' that is
//
//     velocity       v: c2 at p + c1_w x p'                        w: R^T c2_w
//     acceleration   v: c3 at p + 2 c2_w x p' + c1_w x p''         w: R^T (c3_w - w x c2_w)
//
// and the residual changes by K_q, K_v and M of the absolute system times these, by the turning of
// its own axes (matrix N), and by the turning of the columns s, which see the wrench W behind them:
// d(s . W) = s . dW + (xi x s) . W; for a form also + s_ji . W delta_j, since s_ij = s_ji + s_j x
// s_i, the second part of which is in xi x s.
#pragma once

#include "trammel/formulation/relative_pattern.h"
#include "trammel/formulation/tree_motion.h"

namespace trammel::formulation {

template <class S>
class RelativeTangent {
 public:
  RelativeTangent(std::shared_ptr<const model::Mechanism<S>> mechanism,
                  std::shared_ptr<const RelativePattern> pattern);

  /// What the absolute system says at the absolute motion; r is its residual. K_q and K_v are
  /// tangents with one weight 1; they are not read when the weights of q and v are both zero.
  struct Absolute {
    const system::Motion& motion;
    const system::Vector& r;
    const system::KktMatrix& K_q;
    const system::KktMatrix& K_v;
  };

  /// K into the values of `tangent`, whose entries must be zero. `motion` must hold everything up
  /// to the second derivatives and the wrenches of r.
  void assemble(const TreeMotion<S>& motion,
                const Absolute& absolute,
                const system::Weights& weights,
                const system::Vector* step,
                system::KktMatrix& tangent);
  /// G S, from the rows of G in an absolute KKT matrix; `length` is the size of the model.
  void assemble_rows(const TreeMotion<S>& motion,
                     const system::KktMatrix& absolute,
                     double length,
                     system::KktMatrix& tangent) const;
  std::size_t memory_bytes() const;

 private:
  struct Sums {
    TwistMatrix<S> K1;
    TwistMatrix<S> K2;
    TwistMatrix<S> K3;
  };
  void set_columns(const TreeMotion<S>& motion,
                   const system::Weights& weights,
                   const system::Vector* step);
  void add_nodes(const TreeMotion<S>& motion, const Absolute& absolute, bool only_mass);
  void add_pairs(const TreeMotion<S>& motion, const Absolute& absolute);
  /// Of the columns of a form with its own coordinates i and j.
  double own_curvature(
      const TreeMotion<S>& motion, const Slot& slot, int joint, int i, int j) const;
  void add_slot(const TreeMotion<S>& motion,
                const Slot& slot,
                const Sums& sums,
                system::KktMatrix& tangent) const;

  std::shared_ptr<const model::Mechanism<S>> mechanism_;
  std::shared_ptr<const RelativePattern> pattern_;
  double position_weight_ = 0.0;
  std::vector<Sums> sums_;  ///< per slot
  std::vector<Twist<S>> c1_;
  std::vector<Twist<S>> c2_;
  std::vector<Twist<S>> c3_;
};

}  // namespace trammel::formulation
