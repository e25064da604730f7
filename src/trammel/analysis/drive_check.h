// Are the prescribed coordinates a suitable choice? [Sol1983, sec. 8.2]
//
// With G_j the rows of joints and couplings and G_d those of the drives, the mechanism has
// n - rank(G_j) freedoms; the drives determine rank(G_d N_j) of them, N_j a basis of the motions
// that the joints allow. What is left over needs further inputs; a drive that adds no rank follows
// from the joints and the other drives.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct DriveCheck {
  int freedoms = 0;   ///< of velocities, without the drives
  int drives = 0;     ///< rows
  int remaining = 0;  ///< freedoms that the drives leave
  /// Whether positions follow from the constraints alone; otherwise (nonholonomic rows, drives of
  /// velocities) they are integrated from the start.
  bool positions_determined = false;
  std::vector<std::string> dependent;  ///< drives that follow from joints and other drives
  std::vector<std::string> proposals;  ///< coordinates to drive for what remains

  bool determined() const { return remaining == 0; }
};

/// The rows of these joints, couplings or drives.
std::vector<int> rows_named(const model::ModelSystem& system,
                            const std::vector<std::string>& names);

/// Those rows of G, or the other ones.
Matrix rows_of(const Matrix& G, const std::vector<int>& rows);
Matrix rows_without(const Matrix& G, const std::vector<int>& rows);

DriveCheck check_drives(model::ModelSystem& system,
                        const system::State& state,
                        const std::vector<std::string>& drives);

/// InputError unless the drives determine the motion: how many freedoms remain, and what to drive.
void require_determined(const DriveCheck& check);

}  // namespace trammel::analysis
