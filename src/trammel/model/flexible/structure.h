// A structure as programs of finite elements know it: nodes with places, freedoms of these nodes,
// and matrices of mass and stiffness over the freedoms.
//
// Plain values in SI units. A freedom is a displacement along x, y or z or a turn about them, in
// axes that are the same for all nodes.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"

namespace trammel::model {

using SparseSquare = Eigen::SparseMatrix<double>;

struct StructureNode {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of frames attached to it
};

struct StructureFreedom {
  int node = 0;
  int direction = 0;  ///< 0, 1, 2: along x, y, z; 3, 4, 5: about them
};

/// A frame that goes with the structure: displacement and turn follow from the freedoms.
struct StructurePoint {
  std::string name = {};
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::SparseMatrix<double, Eigen::RowMajor> map = {};  ///< 6 rows
  Eigen::Vector3d center = Eigen::Vector3d::Zero();       ///< of the map, in the axes of the frame
  std::vector<PlacedShape> shapes = {};
};

struct Structure {
  std::vector<StructureNode> nodes;
  std::vector<StructureFreedom> freedoms;  ///< of each row of the matrices
  SparseSquare mass;
  SparseSquare stiffness;
  std::vector<StructurePoint> points;  ///< besides nodes that are told by name

  Eigen::Index size() const { return static_cast<Eigen::Index>(freedoms.size()); }
  /// -1: there is none of that name.
  int find(const std::string& node) const;
  /// "node 7 along y".
  std::string freedom_name(Eigen::Index row) const;
};

/// The displacement fields of motions as a whole about the origin, a column each: along x, y, z,
/// then about them.
Eigen::MatrixXd rigid_motions(const Structure& structure, const Eigen::Vector3d& origin);

/// Everything that is wrong with the matrices: sizes, numbers that are not finite, not symmetric,
/// negative, a mass that is not the same in all directions, supports. Paths begin with `path`.
void check(const Structure& structure, const std::string& path, core::Diagnostics& diagnostics);

}  // namespace trammel::model
