// The oil film of a plain bearing: a pin of the first frame in a sleeve (a ring, a roller) of the
// second, as a short bearing whose film carries where it is squeezed (pi-film).
//
//     e = centre of the pin seen from that of the sleeve,   h(theta) = C - e . n,  n = (cos, sin)
//     V = e' - w_m x e,   w_m the mean of both angular velocities
//     F on the sleeve = eta L^3 R integral over V . n > 0 of (V . n) n / h^3 dtheta
//     M on the sleeve = -2 pi eta L R^3 w / (C sqrt(1 - |e|^2/C^2)),   w relative angular velocity
//
// in the axes of the first frame, where V = -u + w/2 x p with p = -e and u = p'. With the angle a
// from e, eps = |e|/C and s^2 = 1 - eps^2, Sommerfeld's substitution cos a = (eps + c)/(1 + eps c),
// c = cos(gamma), makes the integrals elementary:
//
//     integral of n n^T / h^3     = C^-3 s^-5 integral of (X, Y)(X, Y)^T dgamma
//     integral of n n n / h^4     = C^-4 s^-7 integral of (X, Y)(X, Y)(X, Y) dgamma
//     X = eps + cos(gamma),   Y = s sin(gamma).
//
// Since V . n = 0 at the ends of the film, dF/dV is the first integral and dF/de three times the
// second times V. F acts at the centre of the sleeve. The moment is that of the sheared film alone,
// so that the work of F in a turning sleeve need not be lost: it is then booked as brought in.
// [Sol1983, 9.3; Childs, Moes & van Leeuwen 1977]
#pragma once

#include "trammel/model/forces/relative_force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

/// The film in its plane.
struct JournalFilmLaw {
  double viscosity = 0.0;  ///< eta, Pa s
  double length = 0.0;     ///< L, m
  double radius = 0.0;     ///< R, m
  double clearance = 0.0;  ///< C, radial, m

  struct Force {
    Eigen::Vector2d force = Eigen::Vector2d::Zero();  ///< F, N
    Eigen::Matrix2d by_e = Eigen::Matrix2d::Zero();
    Eigen::Matrix2d by_V = Eigen::Matrix2d::Zero();
  };
  /// Not finite when the pin touches the sleeve, |e| >= C.
  Force force(const Eigen::Vector2d& e, const Eigen::Vector2d& V) const;
  /// -M over the relative angular velocity, N m s.
  double drag(const Eigen::Vector2d& e) const;
};

template <class S>
class JournalFilm final : public RelativeForce<S> {
 public:
  using Base = RelativeForce<S>;
  using typename Base::Motion;
  using typename Base::Slope;
  using typename Base::Wrench;

  JournalFilm(const NodeFrame<S>& a, const NodeFrame<S>& b, const JournalFilmLaw& law)
      : Base(a, b), law_(law) {}

  std::vector<Quantity> quantities() const override;

 protected:
  Wrench wrench(const Motion& motion) const override;
  void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const override;
  ForcePower spent(const Motion& motion) const override;
  void report(const Motion& motion, double* values) const override;

 private:
  JournalFilmLaw law_;
};

ForceKind planar_journal_film();
ForceKind spatial_journal_film();

}  // namespace trammel::model
