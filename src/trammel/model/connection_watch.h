// How far the joints of kinematic connections are from a change of their rank [Sol1983, 7.2].
//
// The rank of a connection is taken where the model is described. Where the joints come to depend
// on each other, a node can move that no body feels, loads inside are not unique, and the
// coordinates of a hinge no longer tell its motion.
#pragma once

#include <string>
#include <vector>

#include "trammel/system/mechanical_system.h"

namespace trammel::model {

class ConnectionWatch : public system::Capability {
 public:
  struct Rank {
    std::string connection;
    /// The smallest singular value that counts, as a share of where the model is described: 0 where
    /// the rank falls.
    double share = 1.0;
  };
  /// Of all kinematic connections that are no joints of the catalogue.
  virtual std::vector<Rank> ranks(const system::State& state) = 0;
};

}  // namespace trammel::model
