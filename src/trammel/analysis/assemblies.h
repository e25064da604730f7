// All assemblies of a mechanism: the solutions of its position problem g(t0, q) = 0 where joints,
// couplings and drives determine the positions. [Sol1983, sec. 8.3] finds one near an estimate.
//
// Newton's iteration goes out from many random places of the hinges of a spanning tree (relative
// coordinates: whatever it finds satisfies the joints of the tree) and what it ends in is told
// apart by the poses of all bodies. What is found are assemblies; that they are all cannot be
// proved this way, but how often each was met tells how likely others are: with n1 assemblies met
// only once among N closed starts, the next start finds a new one with a probability of about n1 /
// N (Good and Turing).
#pragma once

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/drive_check.h"
#include "trammel/analysis/watch.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis {

struct AssembliesSettings {
  int most_starts = 2000;
  unsigned seed = 1;
  EarlyEnd early_end;
};

struct FoundAssembly {
  system::Motion motion;   ///< velocities and accelerations are those that the drives ask for there
  int met = 0;             ///< by so many starts
  bool described = false;  ///< the one that the description leads to
  /// A position in which the constraints do not determine the velocities; these are zero then.
  bool singular = false;
};

struct AssembliesReport {
  Assembly assembly;  ///< of the description
  DriveCheck drives;
  std::vector<FoundAssembly> found;  ///< the described one first, then those met most
  int starts = 0;
  int closed = 0;         ///< starts from which Newton's iteration found an assembly
  int reversed = 0;       ///< of these, with a joint half a turn from where it belongs; not counted
  bool complete = false;  ///< ended because nothing new came for long; else at a limit

  /// Chance that one more start that closes would find another assembly.
  double chance_of_more() const;
};

/// `system` must be made of `description` with the rows of its drives. InputError where positions
/// are not determined; RunError where the description leads to no assembly.
AssembliesReport all_assemblies(formulation::RelativeModel& system,
                                const model::Description& description,
                                const AssembliesSettings& settings = {});

}  // namespace trammel::analysis
