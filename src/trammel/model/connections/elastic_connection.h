// An energetic or active connection: elements between bodies and massless internal nodes.
//
// The internal nodes stand where the loads of all elements on them and the loads applied to them
// balance [Sol1983, sec. 7.3, 7.4]:
//     f_i(x_e, x_i, z, t) = 0,   x_e poses of the bodies (external), x_i poses of the internal
//     nodes, z first-order states of active elements.
// Newton's method finds x_i, from where it was found last; K_ii dx_i = -f_i with K = df/dx. Where
// that fails it starts again from the last accepted state, then from the start of the model; a
// failure changes nothing that is remembered. What the bodies feel is f_e(x_e, x_i(x_e, z, t), z,
// t), with the tangent of the implicit function theorem
//     df_e/dx_e = K_ee - K_ei K_ii^-1 K_ie,     dx_i/dx_e = -K_ii^-1 K_ie.
// State equations z' = s(x, v, z, t) may read velocities of the nodes, which follow from the
// equilibrium's derivative by time,
//     K_ii v_i + K_ie v_e + (df_i/dz) s(v_i) + df_i/dt = 0.
// A node to which no element gives a moment has no rotations among its unknowns. A direction in
// which a node is momentarily free (a node between two springs in line that bear no load) is left
// alone: K_ii is solved by its pseudo-inverse. A node that is always free is refused when the model
// is built. The loads on internal nodes are dead loads with the potential -F . p.
//
// Where loads depend on velocities, f_i(x_e, v_e, x_i, v_i, z, t) = 0 says how fast the nodes go,
// and their places are first-order states of the system [Sol1983, sec. 7.3]. With D = df/dv,
// D_ii = U S V^T, U_1 belonging to the singular values that are not zero and U_2, V_2 to the others
// (elastic_flow.cpp):
//     U_1^T f_i(x, v) = 0   and   U_2^T (K_ii v_i + K_ie v_e + (df_i/dz) z' + df_i/dt) = 0  give
//     v_i, U_2^T f_i(x_i + V_2 y) = 0   puts the nodes where they balance in directions without
//     drag.
// States are the moves of all unknowns from the start of the model, turns as rotation vectors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/core/dense_factors.h"
#include "trammel/model/force.h"
#include "trammel/model/law.h"

namespace trammel::model {

/// Scratch memory of one user: poses of the internal nodes, and matrices.
template <class S>
struct ConnectionMemory {
  using Poses = std::vector<typename S::Kinematics>;

  Poses accepted;  ///< of the last accepted state
  Poses base;      ///< of the present Newton step
  Eigen::VectorXd f;
  Eigen::MatrixXd K;
  Eigen::MatrixXd K_ii;
  Eigen::MatrixXd K_ie;
  Eigen::MatrixXd solved;  ///< K_ii^-1 K_ie
  Eigen::VectorXd residual;
  Eigen::VectorXd step;
  Eigen::MatrixXd f_z;  ///< of the unknowns, by the states that are read
  Eigen::VectorXd v;    ///< of the unknowns
  Eigen::VectorXd bias;
  Eigen::VectorXd rate_slope;  ///< of a state's rate by v
  Eigen::PartialPivLU<Eigen::MatrixXd> factors;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> singular_factors;
  bool regular = true;
  // Where loads depend on velocities.
  Eigen::MatrixXd D;
  Eigen::MatrixXd D_ii;
  Eigen::MatrixXd flow;  ///< equations for v, row by row
  Eigen::VectorXd moves;
  Eigen::JacobiSVD<Eigen::MatrixXd> drag;
  Eigen::VectorXd probe_load;
  Poses probe;  ///< of all nodes, for differences
};

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
  struct Element {
    std::string name;
    std::unique_ptr<Force<S>> force;
    std::size_t channels = 0;  ///< of force->quantities(); set by the connection
  };
  /// A load of an active element: "motor.load".
  struct ActiveLoad {
    std::string name;
    std::string unit;
    Law<S> law;
  };
  /// Where everything stands: the poses of all bodies, then of all internal nodes of all
  /// connections, of which those of this one are found.
  struct Setting {
    Poses& poses;
    double t = 0.0;
    const system::Vector& z;
    const std::vector<double>& tracked;
    FormulaWorkspace<S>& work;
    const std::vector<NamedState<S>>& states;  ///< all of the system that are told by formulas

    Place<S> place() const { return {poses, t, z, tracked}; }
  };
  using Memory = ConnectionMemory<S>;

  /// Internal node number i is called first_internal + i by all elements; `bodies` counts the nodes
  /// of the mechanism, the ground among them.
  ElasticConnection(int bodies,
                    int first_internal,
                    std::vector<Internal> internal,
                    std::vector<Element> elements);
  /// Before finish().
  void add_load(ActiveLoad load);
  /// Finds the equilibrium at the start. Throws InputError, with the nodes' names, when a node is
  /// free or there is no equilibrium.
  void finish(const Setting& at);

  /// Bodies it touches.
  const LocalNodes& nodes() const { return external_; }
  const std::vector<Internal>& internal() const { return internal_; }
  const std::vector<Element>& elements() const { return elements_; }
  const std::vector<ActiveLoad>& loads() const { return loads_; }
  int local_size() const { return static_cast<int>(external_.nodes().size()) * S::freedoms; }
  /// Of the largest load, internal nodes included.
  int workspace_size() const;
  /// Whether loads depend on velocities, so that the places of the nodes are states.
  bool flows() const { return flows_; }
  /// How many, and behind which others they stand; after finish().
  int place_states() const { return flows_ ? static_cast<int>(unknowns_.size()) : 0; }
  void set_first_place_state(int first) { first_place_state_ = first; }
  int first_place_state() const { return first_place_state_; }
  /// What each of them is called: "hub.move.x".
  std::vector<std::string> place_names() const;
  /// Their rates, at nodes that move.
  void set_place_rates(const Setting& at, system::Vector& rates) const;
  /// Numbers of the first-order states that its loads read.
  const std::vector<int>& states() const { return states_; }
  Memory memory() const;

  /// Puts the internal nodes where they balance; false when no equilibrium is found.
  bool settle(const Setting& at, Memory& memory) const;
  /// Puts the velocities of the internal nodes there. At settled nodes.
  void set_velocities(const Setting& at, Memory& memory) const;
  /// The state is one that the run goes on from.
  void accept(const Setting& at, Memory& memory) const {
    if (!flows_) take(at, memory.accepted);
  }

  /// The load on the bodies; NaN where no equilibrium is found.
  void evaluate(const Setting& at, Memory& memory, Eigen::VectorXd& f) const;
  /// Its derivatives by positions and velocities of the bodies. Where it flows they are differences
  /// of fourth order; elsewhere f_v is left alone.
  void tangent(const Setting& at, Memory& memory, Eigen::MatrixXd& f_q, Eigen::MatrixXd& f_v) const;
  /// At settled nodes, as everything below.
  double potential(const Setting& at) const;
  /// Of its elements without formulas, with the velocities of the nodes.
  ForcePower power(const Setting& at) const;

  /// Positions of the internal nodes, then what its elements report.
  std::vector<Quantity> quantities() const;
  void measure(const Setting& at, double*& values) const;

 private:
  int slots() const { return static_cast<int>(external_.nodes().size() + internal_.size()); }
  bool is_internal(int node) const {
    return node >= first_internal_ && node < first_internal_ + static_cast<int>(internal_.size());
  }
  int slot(int node) const;
  const Kinematics& pose(const Setting& at, int node) const {
    return at.poses[static_cast<std::size_t>(node)];
  }
  Kinematics& internal_pose(const Setting& at, std::size_t i) const {
    return at.poses[static_cast<std::size_t>(first_internal_) + i];
  }
  void put(const Poses& internal, const Setting& at) const;
  void take(const Setting& at, Poses& internal) const;

  void add_forces(const Setting& at, Eigen::VectorXd& f) const;
  /// And D, where it is asked for.
  void add_slopes(const Setting& at, Eigen::MatrixXd& K, Eigen::MatrixXd* D = nullptr) const;
  /// f at the present poses, and the part of it on the unknowns.
  double residual(const Setting& at, Memory& memory) const;
  void factor(const Setting& at, Memory& memory) const;
  void set_slopes_of_unknowns(Memory& memory) const;
  static void factor_unknowns(Memory& memory);
  template <class Matrix>
  static void solve_factored(const Matrix& right, const Memory& memory, Matrix& result) {
    if (memory.regular) {
      result = memory.factors.solve(right);
    } else {
      result = memory.singular_factors.solve(right);
    }
  }
  bool newton(const Setting& at, Memory& memory) const;
  /// The same from afar, for the start: down the energy until Newton's method gets hold of it.
  bool relax(const Setting& at, Memory& memory) const;
  Eigen::VectorXd step_downhill(const Setting& at, double shift, Memory& memory) const;
  void move(const Eigen::VectorXd& x, double part, const Poses& from, const Setting& at) const;
  void put_velocities(const Eigen::VectorXd& v, const Setting& at) const;
  /// The unknown that is freedom number `freedom` of an internal node; -1 when it has none.
  int unknown_of(int node, int freedom) const {
    return unknown_of_[static_cast<std::size_t>((node - first_internal_) * S::freedoms + freedom)];
  }
  void add_external_motion(const Setting& at, Memory& memory) const;
  /// Adds (df_i/dz) z' to the residual, and its derivative by v to the matrix.
  void add_state_motion(const Setting& at, Memory& memory, Eigen::MatrixXd& by_velocity) const;
  double linearise_rate(const Formula<S>& rate,
                        const Setting& at,
                        Eigen::VectorXd& by_velocity) const;
  // Where loads depend on velocities, in elastic_flow.cpp.
  void set_places(const Setting& at, const Memory& memory) const;
  /// Slopes, and the directions with and without drag.
  int split(const Setting& at, Memory& memory) const;
  Eigen::Index loads_without_drag(const Setting& at, Memory& memory) const;
  bool balance_without_drag(const Setting& at, Memory& memory) const;
  void set_flow(const Setting& at, Memory& memory) const;
  /// Rows of memory.flow, each scaled to 1 with its part of the residual; below `nothing` they are
  /// 0.
  static void scale_flow(double nothing, Memory& memory);
  void difference_tangent(const Setting& at,
                          Memory& memory,
                          Eigen::MatrixXd& f_q,
                          Eigen::MatrixXd& f_v) const;
  double reach(const Setting& at) const;
  /// Derivatives of the loads on the unknowns by states and time.
  void set_state_slopes(const Setting& at, Memory& memory) const;

  void number_unknowns();
  void find_turning(const Setting& at);
  void find_start(const Setting& at);
  void refuse_free_nodes(const Setting& at) const;

  int bodies_;
  int first_internal_;
  std::vector<Internal> internal_;
  std::vector<Element> elements_;
  std::vector<ActiveLoad> loads_;
  std::vector<int> states_;
  LocalNodes external_;
  std::vector<int> unknowns_;    ///< local numbers, behind those of the bodies
  std::vector<int> unknown_of_;  ///< local number less those of the bodies -> unknown, or -1
  bool flows_ = false;
  int first_place_state_ = -1;  ///< before finish(): none, the nodes are as described
};

}  // namespace trammel::model
