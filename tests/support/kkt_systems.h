// KKT systems for tests of linear solvers: from mechanisms, and synthetic ones on random graphs.
#pragma once

#include <string>
#include <vector>

#include "support/random_models.h"

#include "trammel/system/kkt_matrix.h"

namespace trammel::support {

struct KktProblem {
  std::string name;
  system::KktMatrix matrix;
};

/// [M G^T; G 0] of a described model, assembled and moved a little so that no entry is zero by
/// chance. Symmetric.
KktProblem mass_and_jacobian(const model::Description& description, Random& random);

/// Open and closed, planar and spatial mechanisms of some ten bodies; full rank and redundant.
std::vector<KktProblem> mechanism_problems();

/// Positive definite blocks of 1 to 6 unknowns, joined by blocks of 1 to 3 rows between random
/// pairs; every row of the last `duplicates` joints repeats one of the first.
KktProblem random_graph(int bodies, int joints, int duplicates, Random& random);

}  // namespace trammel::support
