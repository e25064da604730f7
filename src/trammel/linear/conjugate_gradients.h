// Preconditioned conjugate gradients on the multipliers of joints that are cut
// [Chiou1990, ch. 6].
//
// Cut at some joints, a mechanism falls apart into groups of bodies. Arrowhead form: the groups'
// own KKT systems A_g on the diagonal, the rows G of the cut joints in the border,
//
//     [ A_1            G_1^T ] [ x_1 ]   [ b_1 ]
//     [      A_2       G_2^T ] [ x_2 ] = [ b_2 ]
//     [           ...        ] [ ... ]
//     [ G_1  G_2  ...    C   ] [  y  ]   [  c  ]           C = 0, or -eps/rho^2 (penalty, 6.2.2)
//
// Elimination of the groups leaves the Schur complement, symmetric and positive definite,
//
//     F y = sum_g G_g A_g^-1 b_g - c,       F = sum_g G_g A_g^-1 G_g^T - C                (6.2.7)
//
// of which nothing is stored: a product F p goes through the groups one by one, whatever thread has
// them, in three sweeps (G^T p, A_g^-1, G; 6.4.7), and the parts of each joint are added in a fixed
// order.
//
// Preconditioners:
//     diagonal   every joint is cut, groups are single bodies; P = diag F                 (6.5.1)
//     scaled     the same with two terms of Neumann's series, y = D^-1 r,
//                z = t (2 y - t D^-1 F y); t = 1 where that is positive definite, else the
//                inverse of the largest eigenvalue of D^-1 F                              (6.5.2)
//     joints     the same with the square blocks of F that belong to one joint
//     groups     joints inside groups of about 128 bodies are kept, and A_g factored by block
//                LDL^T; square blocks of F as above. Where that converges badly (stiff nets), the
//                whole of F is built and factored, once and from then on.
//
// Tangents couple bodies of different groups by springs, and by the curvature of cut joints:
// K = K_0 + E, where E is what lies between groups. Conjugate gradients over the whole system,
// preconditioned by the system with K_0, take care of E: the residual is that of E alone, the
// constraints hold in every iterate. Where the tangent is not positive definite, or E so strong
// that 60 iterations do not do, the whole is factored by block LDL^T.
#pragma once

#include <memory>
#include <vector>

#include "trammel/linear/body_group.h"
#include "trammel/linear/solver_scope.h"

namespace trammel::linear {

enum class Preconditioner { groups, joints, diagonal, scaled };

struct ConjugateGradientOptions {
  Preconditioner preconditioner = Preconditioner::groups;
  int bodies_per_group = 0;  ///< 0: 128, or a quarter of a small model
  /// Of the residual in the norm of the preconditioner, relative to that of the right side.
  double tolerance = 1e-13;
  /// Iterations after which the matrix of the interface is built and factored (groups only).
  int patience = 100;
};

class ConjugateGradients final : public KktSolver {
 public:
  explicit ConjugateGradients(ConjugateGradientOptions options = {});

  std::string_view name() const override;
  bool symmetric() const override { return true; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override;
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override;
  /// Without one the calling thread does everything.
  void set_team(Team team) { team_ = std::move(team); }
  const IterationCount& iterations() const { return *count_; }

 private:
  /// An entry of E below the diagonal and its image.
  struct Coupling {
    int row = 0;
    int column = 0;
    int source = 0;
    int image = 0;
    double value = 0.0;
  };
  enum class End { converged, unfinished, broken };

  void make_groups();
  void make_parts(const std::vector<int>& group_of);
  void make_couplings(const std::vector<int>& group_of);
  template <class Work>
  void each_group(const Work& work);
  void add_slots(Vector& rows) const;
  void make_preconditioner(FactorReport& report);
  void factor_block(const CutJoint& joint, double* block, int& dependent) const;
  void find_damping();
  void gather();
  void precondition(const Vector& r, Vector& z);
  void apply(const Vector& y, Vector& product);
  End interface_solve(Vector& r, Vector& y);
  bool split_solve(const Vector& right_side, Vector& solution);
  bool coupled_solve(const Vector& right_side, Vector& solution);
  void coupling_product(const Vector& x, Vector& product) const;
  FactorReport factor_whole(const KktMatrix& matrix);
  void restore_and_factor_whole();

  ConjugateGradientOptions options_;
  std::shared_ptr<const KktPattern> pattern_;
  std::vector<std::unique_ptr<BodyGroup>> groups_;
  std::vector<CutJoint> joints_;
  std::vector<Coupling> couplings_;
  Team team_;
  std::shared_ptr<IterationCount> count_ = std::make_shared<IterationCount>();

  int rows_ = 0;          ///< of the interface
  bool coupled_ = false;  ///< E is not zero
  bool strong_ = false;   ///< E has once been too strong to iterate
  bool direct_ = false;   ///< the last matrix was factored as a whole
  BlockLdlt whole_;
  bool whole_analysed_ = false;
  std::unique_ptr<KktMatrix> restored_;
  bool gathered_ = false;
  BlockLdlt interface_;  ///< F, where it is gathered
  std::unique_ptr<KktMatrix> interface_matrix_;
  std::vector<FactorReport> reports_;  ///< of the groups

  Vector slots_;           ///< of all parts
  Vector own_;             ///< regularisation less C, for each row
  Vector regularisation_;  ///< of all multipliers
  Vector diagonal_;        ///< of F
  double damping_ = 1.0;
  std::vector<double> blocks_;  ///< L D L^T of each joint, column-major, D^-1 on the diagonal
  // Of conjugate gradients on the interface, and of those on the whole.
  Vector r_, z_, p_, w_, y_, scratch_;
  Vector whole_r_, whole_z_, whole_p_, whole_u_, whole_w_, whole_right_;
};

}  // namespace trammel::linear
