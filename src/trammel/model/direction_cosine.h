// The cosine of the angle between two body-fixed directions, with its derivatives: what all
// rotational coordinates are made of.
#pragma once

#include "trammel/model/space.h"

namespace trammel::model {

/// c = s_a . s_b, s = R n, with gradient and second derivative by the freedoms of both nodes.
struct DirectionCosine {
  double value = 0.0;
  PairVector<Spatial> gradient = PairVector<Spatial>::Zero();
  PairMatrix<Spatial> hessian = PairMatrix<Spatial>::Zero();  ///< only when asked for

  DirectionCosine(const Eigen::Vector3d& n_a,
                  const Eigen::Vector3d& n_b,
                  const Spatial::Kinematics& a,
                  const Spatial::Kinematics& b,
                  bool second);
};

/// atan2(sine, cosine) of two quantities that share a factor.
PairVector<Spatial> angle_gradient(const DirectionCosine& sine, const DirectionCosine& cosine);
PairMatrix<Spatial> angle_hessian(const DirectionCosine& sine, const DirectionCosine& cosine);

}  // namespace trammel::model
