/// The benchmark mechanisms in MuJoCo: MJCF text built in memory. Trees of hinges (joint angles are
/// the coordinates); loops are closed by "connect" equalities, which MuJoCo treats as soft
/// constraints.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include <mujoco/mujoco.h>

namespace peers {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

/// How loops are closed: a1 + d (b v + k r) = (1 - d) a0 for each constraint row with error r, its
/// rate v, acceleration a1 and unconstrained acceleration a0; d is the impedance, b = 2 / (d T), k
/// = 1 / (d T)^2 for critical damping with time constant T.
struct LoopClosure {
  double time_constant;  ///< T [s]
  double impedance;      ///< d, at most 0.9999
};

/// Builds and compiles a case for the fixed step `h` [s]; throws std::runtime_error with MuJoCo's
/// message.
MujocoModel make_mujoco_model(const Arguments& arguments, double h, const LoopClosure& closure);

/// Data at the start of the case.
MujocoData make_mujoco_start(const Arguments& arguments, const mjModel& model);

/// The values a case is compared by; mj_forward must have been called.
std::vector<std::pair<std::string, double>> final_values(const Arguments& arguments,
                                                         const mjModel& model,
                                                         const mjData& data);

}  // namespace peers
