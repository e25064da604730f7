// Places of bodies on a tree of hinges as polynomials of its coordinates. Planar models are seen in
// space, in the plane z = 0.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "trammel/formulation/hinge_tree.h"
#include "trammel/symbolic/polynomial.h"

namespace trammel::symbolic {

using Vector = std::array<Polynomial, 3>;
using Matrix = std::array<Vector, 3>;  ///< by columns

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Polynomial dot(const Vector& a, const Vector& b);
/// R c for constant numbers c, R^T v.
Vector times(const Matrix& R, const Eigen::Vector3d& c);
Vector transposed_times(const Matrix& R, const Vector& v);
Vector derivative(const Vector& v, int coordinate);

/// Where a frame is, in the world.
struct Place {
  Matrix R;
  Vector p;
  Polynomial angle;  ///< about z, in planar models; whole turns count
};

/// A frame on a place.
struct FrameOn {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  double angle = 0.0;  ///< planar
};
Place operator*(const Place& place, const FrameOn& frame);

FrameOn seen_in_space(const model::Pose<model::Planar>& pose);
FrameOn seen_in_space(const model::Pose<model::Spatial>& pose);

/// An elementary joint of the tree with its coordinate.
struct Axis {
  int parent = -1;  ///< elementary joint
  Vector turn;      ///< its angular velocity per rate of the coordinate, world axes
};

struct TreeGeometry {
  int coordinates = 0;
  std::vector<Axis> axes;     ///< one for each elementary joint, which is its coordinate
  std::vector<Place> nodes;   ///< as in the mechanism; 0 is the ground
  std::vector<int> joint_of;  ///< the last elementary joint on the way to a node; -1: none
};

/// What cannot be written as polynomials: the number of the elementary joint; -1: nothing.
template <class S>
int obstacle(const formulation::HingeTree<S>& tree);

/// Of a tree without obstacle and without prescribed joints.
template <class S>
TreeGeometry geometry_of(const formulation::HingeTree<S>& tree);

}  // namespace trammel::symbolic
