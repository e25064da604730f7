// An energetic connection: elastic elements between bodies and massless internal nodes.
//
// The internal nodes stand where the loads of all elements on them and the loads applied to them
// balance [Sol1983, sec. 7.3]:
//     f_i(x_e, x_i) = 0,   x_e poses of the bodies (external), x_i poses of the internal nodes.
// Newton's method finds x_i, from where it was found last; K_ii dx_i = -f_i with K = df/dx. What
// the bodies feel is f_e(x_e, x_i(x_e)), with the tangent of the implicit function theorem
//     df_e/dx_e = K_ee - K_ei K_ii^-1 K_ie,     dx_i/dx_e = -K_ii^-1 K_ie.
// A node to which no element gives a moment has no rotations among its unknowns. A direction in
// which a node is momentarily free (a node between two springs in line that bear no load) is left
// alone: K_ii is solved by its pseudo-inverse. A node that is always free is refused when the model
// is built. Elements must not depend on velocities: nothing could then be said of where the nodes
// are. The loads on internal nodes are dead loads with the potential -F . p.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/QR>

#include "trammel/model/force.h"
#include "trammel/model/measure.h"

namespace trammel::model {

template <class S>
class ElasticConnection {
 public:
  using Kinematics = typename S::Kinematics;
  using Poses = std::vector<Kinematics>;

  struct Internal {
    std::string name;
    Kinematics described;
    typename S::Point force = S::Point::Zero();  ///< applied, world axes, N
    bool turns = true;                           ///< some element gives it a moment
  };
  /// Internal node number i is called bodies + i by the force, where `bodies` counts all nodes of
  /// the mechanism, the ground among them.
  struct Element {
    std::string name;
    std::unique_ptr<Force<S>> force;
  };
  /// Scratch memory of one system: poses of the internal nodes, and matrices.
  struct Memory {
    Poses internal;
    Poses trial;
    Eigen::VectorXd f;
    Eigen::MatrixXd K;
    Eigen::MatrixXd K_ii;
    Eigen::MatrixXd solved;  ///< K_ii^-1 K_ie
    Eigen::VectorXd residual;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  };

  /// Throws InputError, with the nodes' names, when a node is free or no equilibrium is found.
  ElasticConnection(int bodies,
                    std::vector<Internal> internal,
                    std::vector<Element> elements,
                    const Poses& described);

  /// Bodies it touches.
  const LocalNodes& nodes() const { return external_; }
  int local_size() const { return static_cast<int>(external_.nodes().size()) * S::freedoms; }
  Memory memory() const;

  /// The load on the bodies; NaN where no equilibrium is found.
  void evaluate(const Poses& bodies, double t, Memory& memory, Eigen::VectorXd& f) const;
  void tangent(const Poses& bodies, double t, Memory& memory, Eigen::MatrixXd& f_q) const;
  double potential(const Poses& bodies, double t, Memory& memory) const;

  /// Positions of the internal nodes, then what its elements report.
  std::vector<Quantity> quantities() const;
  void measure(const Poses& bodies, double t, Memory& memory, double*& values) const;

 private:
  int slots() const { return static_cast<int>(external_.nodes().size() + internal_.size()); }
  int slot(int node) const;
  const Kinematics& at(int node, const Poses& bodies, const Poses& internal) const {
    return node < bodies_ ? bodies[static_cast<std::size_t>(node)]
                          : internal[static_cast<std::size_t>(node - bodies_)];
  }
  void add_forces(const Poses& bodies, const Poses& internal, double t, Eigen::VectorXd& f) const;
  void add_slopes(const Poses& bodies, const Poses& internal, double t, Eigen::MatrixXd& K) const;
  /// f at the trial poses, and the part of it on the unknowns.
  double residual(const Poses& bodies, const Poses& internal, double t, Memory& memory) const;
  void factor(const Poses& bodies, double t, Memory& memory) const;
  bool solve(const Poses& bodies, double t, Memory& memory) const;
  /// The same from afar, for the start: down the energy until Newton's method gets hold of it.
  bool relax(const Poses& bodies, Memory& memory) const;
  double potential_at(const Poses& bodies, const Poses& internal) const;
  void move(const Eigen::VectorXd& x, const Poses& from, Poses& to) const;
  void find_turning(const Poses& described, const Memory& memory);
  void refuse_free_nodes(const Poses& described);

  int bodies_;
  std::vector<Internal> internal_;
  std::vector<Element> elements_;
  LocalNodes external_;
  std::vector<int> unknowns_;  ///< local numbers, behind those of the bodies
};

}  // namespace trammel::model
