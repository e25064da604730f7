// Singular positions on the way, told apart [Sol1983, sec. 8.2]:
//
//   change point   the rows of the joints lose rank: the mechanism itself gains a freedom there and
//                  could go on in another way (bifurcation)
//   dead centre    the rows of the joints keep their rank, but together with the drives they do not
//                  determine the motion: another choice of inputs does
//
// Both are judged by the least singular value of the scaled rows against its value at the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/analysis/drive_check.h"
#include "trammel/analysis/kinematic_march.h"

namespace trammel::analysis {

enum class SingularKind { change_point, dead_centre };

struct SingularPosition {
  double time = 0.0;
  SingularKind kind = SingularKind::change_point;
  int freedoms = 0;                   ///< of the joints there
  std::vector<std::string> rows;      ///< change point: rows that become dependent, "pin: point x"
  std::vector<std::string> inputs;    ///< dead centre: coordinates to drive instead
  double least_singular_value = 0.0;  ///< of all rows there
};

/// "change point at t = 0.5 s: ..."
std::string to_string(const SingularPosition& position);

class SingularityJudge {
 public:
  /// `drives` are the rows of the drives; the start must be regular.
  SingularityJudge(model::ModelSystem& system,
                   const system::State& start,
                   std::vector<int> drive_rows);

  /// What is singular near this state; none when both are regular.
  std::optional<SingularPosition> judge(const system::State& state) const;
  /// The orientation changed in the last step of size h before `after`: finds the place, beginning
  /// at `before`.
  SingularPosition locate(const system::Motion& before, double h, bool positions_determined) const;

 private:
  SingularPosition classify(const system::State& state) const;

  model::ModelSystem& system_;
  std::vector<int> drive_rows_;
  int joint_rank_ = 0;
  double joint_start_ = 1.0;
  double all_start_ = 1.0;
};

}  // namespace trammel::analysis
