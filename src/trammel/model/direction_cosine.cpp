#include "trammel/model/direction_cosine.h"

#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {

// The angle primitive with unit multiplier.
DirectionCosine::DirectionCosine(const Eigen::Vector3d& n_a,
                                 const Eigen::Vector3d& n_b,
                                 const Spatial::Kinematics& a,
                                 const Spatial::Kinematics& b,
                                 bool second) {
  const SpatialAngle primitive(0, n_a, 0, n_b);
  Constraint<Spatial>::Rows g;
  Constraint<Spatial>::Jacobian G = Constraint<Spatial>::Jacobian::Zero();
  primitive.linearise(a, b, 0.0, g, G);
  value = g[0];
  gradient = G.row(0).transpose();
  const double one = 1.0;
  if (second) primitive.add_stiffness(a, b, 0.0, &one, 1.0, hessian);
}

PairVector<Spatial> angle_gradient(const DirectionCosine& sine, const DirectionCosine& cosine) {
  const double rho2 = sine.value * sine.value + cosine.value * cosine.value;
  return (cosine.value * sine.gradient - sine.value * cosine.gradient) / rho2;
}

PairMatrix<Spatial> angle_hessian(const DirectionCosine& s, const DirectionCosine& c) {
  const double rho2 = s.value * s.value + c.value * c.value;
  return (s.gradient * c.gradient.transpose() - c.gradient * s.gradient.transpose() +
          c.value * s.hessian - s.value * c.hessian) /
             rho2 -
         angle_gradient(s, c) *
             (2.0 / rho2 * (c.value * c.gradient + s.value * s.gradient)).transpose();
}

}  // namespace trammel::model
