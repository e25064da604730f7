// The few shapes that stand for a structure of many freedoms.
//
// Interfaces are where others attach: a node with displacements and turns, or nodes tied rigidly to
// a frame between them. Craig and Bampton's shapes [Craig1968] are those that the structure takes
// when one interface moves by one and the others rest, and the lowest modes with all interfaces
// held:
//
//     u = [1; -K_ii^-1 K_ib] u_b + Theta q        b: interfaces, i: inside
//
// Free shapes are the lowest modes of the free structure. In both cases motions as a whole are
// taken out by making the shapes orthogonal to them in the mass (mean axes: Buckens and
// Tisserand's frame), and what is left is turned into the modes of the problem in the subspace:
// M_f and K are diagonal. Where the floating frame is to be fixed to an interface, each shape is
// then moved as a whole so that it rests there; amplitudes, K and damping stay as they are.
//
// A shape has the size at which its largest displacement is one: amplitudes are metres.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/flexible/modal_body.h"
#include "trammel/model/flexible/structure.h"

namespace trammel::model {

struct StructureInterface {
  std::string name;
  std::vector<std::string> nodes;
};

enum class Reduction { craig_bampton, free_modes };

struct ReductionOptions {
  Reduction reduction = Reduction::craig_bampton;
  /// Craig and Bampton: with interfaces held, besides six shapes for each interface but one. Free:
  /// all.
  int modes = 8;
  std::string frame = "mean";  ///< or the name of an interface
  double damping_ratio = 0.0;  ///< of each shape as a mode of the free body
  double viscosity = 0.0;      ///< damping by stiffness, s
};

/// In axes and from the origin of the structure.
struct ReducedStructure {
  ModalBody body;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the floating frame
  Eigen::VectorXd frequencies;                       ///< of the free body in these shapes, rad/s
  std::vector<ModalPoint> interfaces;                ///< places seen from the origin
  std::vector<ModalPoint> points;                    ///< of Structure::points
};

/// Empty when something is wrong, which is told with paths that begin with `path`.
std::optional<ReducedStructure> reduce(const Structure& structure,
                                       const std::vector<StructureInterface>& interfaces,
                                       const ReductionOptions& options,
                                       const std::string& path,
                                       core::Diagnostics& diagnostics);

}  // namespace trammel::model
