// trammel dof: the number of freedoms by rank, at the assembled position and along a path, and
// where it changes [Sol1983, eq. 8.2.1]:
//
//     freedoms = n - rank(G_j)
//
// G_j are the rows of joints and couplings; drives are counted apart. Between two steps a singular
// position shows as singular values that fall towards zero and rise again: each of them is a rank
// that is lost there.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/drive_check.h"
#include "trammel/analysis/simulate.h"

namespace trammel::analysis {

enum class PathKind { none, kinematics, simulation };

struct MobilityChange {
  double time = 0.0;
  int before = 0;  ///< freedoms
  int there = 0;
  bool passing = true;  ///< only at this instant; otherwise from there on
};

struct MobilityPath {
  Assembly assembly;
  DriveCheck drives;
  PathKind path = PathKind::none;
  double until = 0.0;  ///< s reached
  std::vector<MobilityChange> changes;
  double least_singular_value = 1.0;  ///< on the way, away from zero
  double least_time = 0.0;
  std::string end;       ///< why the path ended early; empty when it did not
  bool stopped = false;  ///< somebody stopped it, or its time was over
};

/// Watches the rank of the rows without drives.
class MobilityMonitor {
 public:
  MobilityMonitor(model::ModelSystem& system, std::vector<int> drive_rows);
  void visit(const system::State& state);

  const std::vector<MobilityChange>& changes() const { return changes_; }
  double least_singular_value() const { return least_; }
  double least_time() const { return least_time_; }

 private:
  struct Sample {
    double time = 0.0;
    int rank = 0;
    system::Vector values;  ///< singular values up to the number of the current rank, falling

    double least() const { return values.size() > 0 ? values[values.size() - 1] : 1.0; }
  };
  void look_back();
  int lost_between() const;

  model::ModelSystem& system_;
  std::vector<int> drive_rows_;
  int rank_ = -1;
  std::vector<Sample> last_;  ///< at most three, oldest first
  std::vector<MobilityChange> changes_;
  double least_ = 1.0;
  double least_time_ = 0.0;
};

/// Of `options`, what belongs to progress and to an early end counts.
MobilityPath mobility_along(model::ModelSystem& system,
                            const model::SimulationSettings& settings,
                            const std::vector<std::string>& drives,
                            PathKind path,
                            const SimulationOptions& options = {});

}  // namespace trammel::analysis
