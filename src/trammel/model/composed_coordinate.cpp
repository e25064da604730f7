#include "trammel/model/composed_coordinate.h"

#include "trammel/model/direction_cosine.h"

namespace trammel::model {

double CosineCoordinate::value(const Kinematics& a, const Kinematics& b) const {
  return (a.R * n_a_).dot(b.R * n_b_);
}

double CosineCoordinate::rate(const Kinematics& a, const Kinematics& b) const {
  return (a.R * a.w.cross(n_a_)).dot(b.R * n_b_) + (a.R * n_a_).dot(b.R * b.w.cross(n_b_));
}

void CosineCoordinate::jacobian(const Kinematics& a,
                                const Kinematics& b,
                                PairVector<Spatial>& J) const {
  J = DirectionCosine(n_a_, n_b_, a, b, false).gradient;
}

void CosineCoordinate::derivative(const Kinematics& a,
                                  const Kinematics& b,
                                  PairMatrix<Spatial>& H) const {
  H = DirectionCosine(n_a_, n_b_, a, b, true).hessian;
}

}  // namespace trammel::model
