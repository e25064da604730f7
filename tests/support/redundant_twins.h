// Models with redundant constraints and their twins without: the same bodies, the same motion.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description.h"

namespace trammel::support {

struct Twins {
  std::string name;
  model::Description redundant;
  model::Description without;
  double duration = 0.3;  ///< s
};

/// Hinges that repeat each other, on the ground and on a moving frame, planar mechanisms built in
/// space, a third bar of a parallelogram, Bricard's linkage, pairs of wheels; at rest on the ground
/// and on turning tables, with drives and with rolling (nonholonomic rows).
std::vector<Twins> redundant_twins();

}  // namespace trammel::support
