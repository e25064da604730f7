// Compliant contact of a sphere with a plane or with another sphere; radius 0 is a point.
//
//     plane on frame a:   n = its normal,  L = n . p           sphere on a:  n = p/L,  L = |p|
//     depth d = r_a + r_b - L  (plane: r_a = 0),  d' = -n . u,  acts while d > 0
//     N = k d^m (1 + a d') + c d'  >= 0                    [HuntCrossley1975]; tyre springs: a = 0
//     F = N (n - phi u_t),   u_t = slip velocity at the contact point p - r_b n
// F acts on b at the contact point, -F on a at the same place; phi is that of
// friction_coefficient.h. Stored: k d^(m+1)/(m+1); the rest is lost.
//
// With c = 0 an impact at the speed v_i ends with the speed e v_i, where (without friction)
//     a v_i (1 + e) = log((1 + a v_i) / (1 - e a v_i))     [Gonthier2004]
// whatever mass, k and m are; `hunt_crossley_damping` solves it for a.
#pragma once

#include "trammel/model/forces/friction_coefficient.h"
#include "trammel/model/forces/relative_force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

/// a in s/m for the coefficient of restitution e in (0, 1] at the impact speed v_i in m/s.
double hunt_crossley_damping(double restitution, double impact_speed);

enum class ContactShape { plane, sphere };

template <class S>
class Contact final : public RelativeForce<S> {
 public:
  using Base = RelativeForce<S>;
  using typename Base::Motion;
  using typename Base::Slope;
  using typename Base::Wrench;
  using Point = typename S::Point;

  struct Parameters {
    ContactShape shape = ContactShape::plane;
    Point normal = Point::Zero();  ///< of the plane, in the axes of frame a, unit
    double radius_a = 0.0;
    double radius_b = 0.0;
    double stiffness = 0.0;  ///< k, N/m^m
    double exponent = 1.5;   ///< m
    double damping = 0.0;    ///< a, s/m
    double viscous = 0.0;    ///< c, N s/m
    FrictionCoefficient friction;
  };

  Contact(const NodeFrame<S>& a, const NodeFrame<S>& b, Parameters parameters)
      : Base(a, b), parameters_(std::move(parameters)) {}

  std::vector<Quantity> quantities() const override;

 protected:
  bool acts(const Motion& motion) const override;
  Wrench wrench(const Motion& motion) const override;
  void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const override;
  double stored(const Motion& motion) const override;
  ForcePower spent(const Motion& motion) const override;
  void report(const Motion& motion, double* values) const override;

 private:
  struct State;
  State state(const Motion& motion) const;

  Parameters parameters_;
};

ForceKind planar_plane_contact();
ForceKind spatial_plane_contact();
ForceKind planar_sphere_contact();
ForceKind spatial_sphere_contact();
ForceKind planar_tyre_spring();
ForceKind spatial_tyre_spring();

}  // namespace trammel::model
