// How many threads evaluate a system. Results do not depend on it, to the last bit.
#pragma once

#include "trammel/system/capability.h"

namespace trammel::system {

class Threads : public Capability {
 public:
  /// 0: as many as the machine has.
  virtual void set_threads(int threads) = 0;
};

/// Does nothing where a system knows but one.
inline void set_threads(MechanicalSystem& system, int threads) {
  if (auto* found = capability<Threads>(system)) found->set_threads(threads);
}

}  // namespace trammel::system
