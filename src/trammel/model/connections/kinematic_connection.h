// A kinematic connection: joints between two bodies and massless internal nodes, reduced to the
// constraints that they make together between the bodies [Sol1983, sec. 7.2].
//
// All rows of all joints are g(x_e, x_i) = 0 with G = [G_e G_i]; x_e are the poses of the two
// bodies, x_i those of the internal nodes. The nodes stand where they meet all rows best, G_i^T g =
// 0 (as far as anything places them: the rest of their freedom is idle, such as the spin of a bar
// between two balls). Loads mu of the joints that balance on the nodes, G_i^T mu = 0, make up the
// left null space of G_i, found by a rank-revealing factorisation; those among them that the bodies
// feel have the basis N, and the others are redundant. What the bodies feel is
//     h = N^T g = 0,   P = dh/dx_e = N^T G_e,   gamma = N^T gamma_all   at v_i = S v_e, S = -G_i^+
//     G_e, d(P^T lambda)/dx_e = [I S^T] K [I; S],   K that of all joints at mu = N lambda.
// Of the relative motion of the bodies the rows forbid rank(P) directions: with 6 - rank(P)
// freedoms (3 - rank(P) in the plane) the connection is a hinge. The rank is taken where the model
// is described, moved to where all joints close. From there nodes and N are carried along the
// motion of the second body, seen from the first, in parts: the answer depends on the poses alone.
// On the way the attachment of the second body turns about that of the first. With several rows,
// the tangent leaves out that N turns within itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/QR>

#include "trammel/model/constraint.h"

namespace trammel::model {

/// What a kinematic connection was reduced to.
struct KinematicReduction {
  std::string connection;
  int freedoms = 0;                    ///< that it leaves between its bodies
  int idle = 0;                        ///< freedoms of internal nodes that no body feels
  int rows = 0;                        ///< constraint rows between the bodies
  std::vector<std::string> redundant;  ///< rows that say nothing new, by element and row
};

template <class S>
class KinematicConnection {
 public:
  using Kinematics = typename S::Kinematics;
  using Poses = std::vector<Kinematics>;  ///< body a, body b, internal nodes
  struct Element {
    std::string name;
    std::vector<std::unique_ptr<Constraint<S>>> constraints;
    std::vector<const char*> labels;
  };
  /// Where it is attached to the bodies, in their axes from their centres of mass.
  struct Anchors {
    typename S::Point a = S::Point::Zero();
    typename S::Point b = S::Point::Zero();
  };
  /// Numbers of the nodes in the constraints: those of body a and b, then those of the internal
  /// ones.
  KinematicConnection(std::vector<int> nodes,
                      std::vector<Element> elements,
                      Anchors anchors,
                      const Poses& described);

  int node_a() const { return nodes_[0]; }
  int node_b() const { return nodes_[1]; }
  int rows() const { return static_cast<int>(basis_.cols()); }
  const KinematicReduction& reduction() const { return reduction_; }

  /// Everything at one place of the bodies; rows of h.
  struct Place {
    Poses poses;          ///< with the velocities of the internal nodes
    Eigen::VectorXd g;    ///< h
    Eigen::MatrixXd P;    ///< by the freedoms of both bodies
    Eigen::MatrixXd S_i;  ///< S
    Eigen::MatrixXd N;
  };
  Place place(const Kinematics& a, const Kinematics& b, double t) const;
  Eigen::VectorXd bias(const Place& place, double t) const;
  /// d(P^T lambda)/dx_e.
  Eigen::MatrixXd stiffness(const Place& place, double t, const Eigen::VectorXd& lambda) const;

 private:
  struct Linear {
    Eigen::VectorXd g;
    Eigen::MatrixXd G;
  };
  int slot(int node) const;
  int external_size() const { return 2 * S::freedoms; }
  int internal_size() const { return static_cast<int>(nodes_.size() - 2) * S::freedoms; }
  Linear linearise(const Poses& poses, double t) const;
  void choose_rows(const Poses& closed);
  Poses closed_poses(const Poses& described) const;
  bool place_nodes(Poses& poses, double t) const;
  /// The basis at these poses that is nearest to `last`.
  Eigen::MatrixXd carried_basis(const Linear& all, const Eigen::MatrixXd& last) const;
  void follow(const Kinematics& a, const Kinematics& b, double t, Place& place) const;
  /// Body b on its way from the reference, seen from a: its anchor turns about that of a.
  Kinematics on_the_way(const Kinematics& a, const Kinematics& b, double part) const;
  bool follow_in_parts(
      int parts, const Kinematics& a, const Kinematics& b, double t, Place& place) const;

  std::vector<int> nodes_;
  std::vector<Element> elements_;
  Anchors anchors_;
  std::vector<std::string> row_names_;
  Poses reference_;        ///< closed
  Eigen::MatrixXd basis_;  ///< N there
  KinematicReduction reduction_;
};

/// Some rows of a connection as a constraint between its bodies.
template <class S>
class ConnectionRows final : public Constraint<S> {
 public:
  using typename Constraint<S>::Kinematics;
  using typename Constraint<S>::Jacobian;
  using typename Constraint<S>::Rows;

  ConnectionRows(std::shared_ptr<const KinematicConnection<S>> connection, int first, int rows)
      : Constraint<S>(connection->node_a(), connection->node_b(), rows),
        connection_(std::move(connection)),
        first_(first) {}

  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<S>& K) const override;

 private:
  std::shared_ptr<const KinematicConnection<S>> connection_;
  int first_;
};

}  // namespace trammel::model
