// Local matrices of elements on their way into the tangent.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace trammel::model {

/// values[positions] += factor * the first rows and columns of the matrix; -1 is no position.
inline void add_matrix(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                       int size,
                       double factor,
                       const std::vector<int>& positions,
                       double* values) {
  auto position = positions.begin();
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i, ++position) {
      if (*position >= 0) values[*position] += factor * matrix(i, j);
    }
  }
}

}  // namespace trammel::model
