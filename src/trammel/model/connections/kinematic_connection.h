// A kinematic connection: joints between two bodies and massless internal nodes, reduced to the
// constraints that they make together between the bodies [Sol1983, sec. 7.2].
//
// Everything is seen from body a, so that what the joints demand depends on the pose x_e of body b
// alone, in the axes of a, and on the poses x_i of the internal nodes. All holonomic rows of all
// joints are g(x_e, x_i) = 0 with G = [G_e G_i]. The nodes stand where they meet all rows best,
// G_i^T g = 0 (as far as anything places them: the rest of their freedom is idle, such as the spin
// of a bar between two balls). Loads mu of the joints that balance on the nodes, G_i^T mu = 0, make
// up the left null space of G_i, found by a rank-revealing factorisation; those among them that
// the bodies feel have the orthonormal basis N, and the others are redundant. What the bodies feel:
//     h = N^T g = 0,   P = dh/dx_e = N^T G_e,   S = dx_i/dx_e = -G_i^+ G_e,   gamma = N^T gamma_all
//     d(P^T lambda) = [I S^T] K [I; S] dx_e + (Pi G_e)^T dN lambda
// with K that of all joints at mu = N lambda and Pi = 1 - G_i G_i^+. N is Pi B made orthonormal,
// N = Pi B M^-1, M^2 = B^T Pi B, with a basis B that is constant within a cell of poses; hence with
// Y = G_i^+ B
//     Pi dN = -Pi dG_i Y M^-1 - N dM M^-1,   dM M + M dM = -(B^T Pi dG_i Y + its transpose).
// B is the basis of the reference carried to the middle of the cell in parts. The answer depends on
// the poses alone.
//
// Nonholonomic rows A_e v_e + A_i v_i = 0 of joints become the Pfaff rows of the connection,
//     Q^T (A_e + A_i S) v_e = 0,   gamma = Q^T (gamma_A - A_i G_i^+ gamma_all),
// Q those combinations that say something new besides P, found by an orthogonal decomposition. The
// joints must then place all nodes: none of their freedoms may be idle.
//
// Of the relative motion of the bodies the rows forbid rank(P) directions: with 6 - rank(P)
// freedoms (3 - rank(P) in the plane) the connection is a hinge. The rank is taken where the model
// is described, moved to where all joints close.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "trammel/model/connections/bounded_matrix.h"
#include "trammel/model/connections/reduction.h"
#include "trammel/model/connections/relative_motion.h"
#include "trammel/model/joint_assembly.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

template <class S>
class KinematicConnection {
 public:
  static constexpr int most_nodes = 8;
  static constexpr int most_rows = 48;
  static_assert((most_nodes + 1) * S::freedoms <= bounded_size && most_rows <= bounded_size);
  static constexpr int freedoms = S::freedoms;

  using Kinematics = typename S::Kinematics;
  struct Element {
    std::string name;
    std::vector<std::unique_ptr<Constraint<S>>> constraints;
    std::vector<const char*> labels;
    const JointKind* kind = nullptr;
    Values values = {};
    NodeFrame<S> a = {};  ///< as the joint turned them
    NodeFrame<S> b = {};
    std::vector<typename JointAssembly<S>::NamedCoordinate> coordinates = {};
  };
  /// Where it is attached to the bodies, in their axes from their centres of mass.
  struct Anchors {
    typename S::Point a = S::Point::Zero();
    typename S::Point b = S::Point::Zero();
  };
  /// Numbers of the nodes in the constraints: those of body a and b, then those of the internal
  /// ones; their described poses in the same order. Throws InputError when the joints do not close.
  KinematicConnection(std::vector<int> nodes,
                      std::vector<Element> elements,
                      Anchors anchors,
                      const std::vector<Kinematics>& described);

  int node_a() const { return nodes_[0]; }
  int node_b() const { return nodes_[1]; }
  int rows() const { return static_cast<int>(basis_.cols()); }
  int velocity_rows() const { return static_cast<int>(velocity_basis_.cols()); }
  const KinematicReduction& reduction() const { return reduction_; }
  const std::vector<Element>& elements() const { return elements_; }
  /// Body b in the axes of a where all joints close.
  const Kinematics& reference() const { return reference_[1]; }
  double length() const { return length_; }

  using Matrix = BoundedMatrix;
  using Rows = BoundedVector;  ///< of all joints
  using Multipliers = BoundedVector;
  using Relative = Eigen::Matrix<double, freedoms, freedoms>;
  using Poses = std::array<Kinematics, most_nodes + 2>;  ///< a, b, internal nodes; in axes of a

  struct Linear {
    Rows g;
    Matrix G_e;
    Matrix G_i;
  };
  /// Everything at one place of the bodies.
  struct Place {
    Poses poses;
    Linear all;      ///< holonomic rows
    Linear pfaff;    ///< nonholonomic ones
    Matrix inverse;  ///< G_i^+
    Matrix S_i;      ///< S
    Matrix B;
    PolarFactors polar;  ///< N, M
    Matrix P;            ///< by the motion of b in the axes of a: holonomic rows, then the others
    Multipliers value;   ///< h, then Pfaff rows times v
  };
  void place(const RelativeMotion<S>& motion, double t, Place& at) const;
  /// Calls `use(place)`. The last place is kept, since rows, bias and tangent of one state ask for
  /// the same; a thread that finds it in use makes its own.
  template <class Use>
  void at_place(const RelativeMotion<S>& motion, double t, const Use& use) const {
    const std::unique_lock<std::mutex> lock(kept_mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
      const auto own = std::make_unique<Place>();
      place(motion, t, *own);
      use(*own);
      return;
    }
    if (kept_ == nullptr) kept_ = std::make_unique<Kept>();
    if (!kept_->belongs_to(motion.pose, t)) {
      place(motion, t, kept_->place);
      kept_->pose = motion.pose;
      kept_->t = t;
    }
    use(kept_->place);
  }
  Multipliers bias(const RelativeMotion<S>& motion, const Place& place, double t) const;
  /// d(P^T lambda)/dx_e.
  Relative stiffness(const Place& place, double t, const Multipliers& lambda) const;

  /// The smallest singular value that counts, of what the joints say about the nodes and of the
  /// rows, as a share of that at the reference: 0 where the rank falls.
  double rank_share(const Place& place) const;

  /// Everything in axes of a: where body b and the nodes stand at the reference, what all joints
  /// say at any place, and both moved. Slots count a (0), b (1) and the internal nodes.
  const Poses& reference_poses() const { return reference_; }
  int slot(int node) const;
  int count() const { return static_cast<int>(nodes_.size()) - 2; }
  int internal_size() const { return count() * freedoms; }
  void linearise(const Poses& poses, double t, bool holonomic, Linear& all) const;
  void set_bias(const Poses& poses, double t, bool holonomic, Rows& gamma) const;
  void move_nodes(const double* x, std::size_t first, Poses& poses) const;
  /// Moves b and the nodes, as little as possible, to where all joints close.
  bool close_near(Poses& poses, int most_rounds) const;

 private:
  /// The middle of a cell of poses.
  using Cell = std::array<int, static_cast<std::size_t>(freedoms)>;
  struct Waypoint {
    Cell cell{};
    bool valid = false;
    Poses poses;
    Matrix B;
  };

  struct Kept {
    Kinematics pose;  ///< of b, with velocities
    double t = std::numeric_limits<double>::quiet_NaN();
    Place place;

    bool belongs_to(const Kinematics& other, double time) const {
      return t == time && pose.p == other.p && pose.R == other.R && pose.v == other.v &&
             pose.w == other.w && same_angle(pose, other);
    }
  };
  // Planar poses count whole turns.
  static bool same_angle(const Kinematics& a, const Kinematics& b) {
    if constexpr (S::space == Space::planar) {
      return a.angle == b.angle;
    } else {
      return true;
    }
  }

  const Kinematics& pose(const Poses& poses, int node) const {
    return poses[static_cast<std::size_t>(slot(node))];
  }

  // The choice of rows, in kinematic_reduction.cpp.
  void close(const std::vector<Kinematics>& described);
  bool settle_nodes(Poses& poses) const;
  void choose_rows();
  double smallest_share(const Matrix& G_i, const Matrix& P) const;
  void choose_velocity_rows();
  void check_limits() const;

  // The way to a place.
  bool place_nodes(Poses& poses, double t) const;
  /// The basis at these poses that is nearest to `last`.
  void carry_basis(const Poses& poses, double t, Matrix& basis) const;
  Cell cell_of(const Kinematics& b) const;
  Kinematics middle_of(const Cell& cell) const;
  bool find_waypoint(const Cell& cell, Waypoint& waypoint) const;
  bool follow_in_parts(int parts, const Kinematics& b, Waypoint& waypoint) const;
  Kinematics on_the_way(const Kinematics& b, double part) const;
  bool reach(const Kinematics& b, double t, Poses& poses) const;
  typename S::Point arm_of(const Kinematics& b) const;

  void add_load_stiffness(
      const Place& place, double t, const Rows& mu, bool holonomic, Relative& K) const;
  using PairMotion = Eigen::Matrix<double, pair_freedoms<S>, freedoms>;
  PairMotion pair_motion(const Constraint<S>& constraint, const Place& place) const;
  /// dG_i Y along each freedom of b.
  using Turned = std::array<Matrix, static_cast<std::size_t>(freedoms)>;
  void turn_rows(const Place& place, double t, const Matrix& Y, Turned& turned) const;
  void add_turning(
      const Place& place, double t, const Multipliers& lambda, const Rows& mu, Relative& K) const;

  std::vector<int> nodes_;
  std::vector<Element> elements_;
  std::vector<const Constraint<S>*> holonomic_;
  std::vector<const Constraint<S>*> nonholonomic_;
  std::vector<std::string> row_names_;
  std::vector<std::string> velocity_row_names_;
  Anchors anchors_;
  double length_ = 1.0;           ///< typical of the connection
  Poses reference_;               ///< closed
  Matrix basis_;                  ///< N there
  Matrix velocity_basis_;         ///< Q
  double reference_share_ = 1.0;  ///< of the largest singular value
  KinematicReduction reduction_;
  mutable std::mutex mutex_;
  mutable Waypoint last_;  ///< used last; any other gives the same answers
  mutable std::mutex kept_mutex_;
  mutable std::unique_ptr<Kept> kept_;
};

/// Some rows of a connection as a constraint between its bodies.
template <class S>
class ConnectionRows final : public Constraint<S> {
 public:
  using typename Constraint<S>::Kinematics;
  using typename Constraint<S>::Jacobian;
  using typename Constraint<S>::Rows;

  /// `first` counts holonomic rows, then the others.
  ConnectionRows(std::shared_ptr<const KinematicConnection<S>> connection, int first, int rows)
      : Constraint<S>(connection->node_a(), connection->node_b(), rows),
        connection_(std::move(connection)),
        first_(first) {}

  bool holonomic() const override { return first_ < connection_->rows(); }
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
