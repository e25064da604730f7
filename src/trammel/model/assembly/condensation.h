// Carried nodes on their way into the freedoms of the system.
//
// Elements know nodes; some of these are carried (frames/carried_frame.h), with a twist P v. What
// elements add is assembled for all nodes, carried ones behind the freedoms of the system, with the
// motion (v, P v) and (a, P a + dP(v) v), and then condensed: with T = [1; P]
//
//     r = T^T r_all                        G = G_all T
//     dr/dv = T^T (D T + M A_v)            dr/da = T^T M T
//     dr/dq = T^T (K T + D V_q + M A_q) + d(P^T r_carried)/dq at fixed r_carried
//
// where K, D and M are the tangents of all nodes by position, velocity and acceleration, V_q the
// derivative of the twists of carried nodes by q, A_q and A_v those of their accelerations.
// Elements that stand on no carried node (NamedElement::direct) are not among them; their tangents
// are added to that of the system as they are. Nothing of it is touched by mechanisms without
// carried nodes.
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/assembly/condensed_pattern.h"

namespace trammel::model {

/// Of carried nodes, all, or those that a joint, force or element acts on, or that have a mass: the
/// others are only seen in results, and for where they stand their poses do.
enum class CarriedNodes { all, loaded, loaded_and_poses };

/// The motion, loads and tangents of all nodes, for one who evaluates: memory for maps and for the
/// equations of all nodes.
template <class S>
class Condensation {
 public:
  using Vector = system::Vector;
  using Kinematics = typename S::Kinematics;

  explicit Condensation(std::shared_ptr<const CondensedPattern<S>> shared);

  const std::shared_ptr<const CondensedPattern<S>>& shared() const { return shared_; }
  /// Maps of a state; puts carried nodes where they are.
  void carry(const system::State& state,
             std::vector<Kinematics>& kinematics,
             CarriedNodes which = CarriedNodes::all);
  // After carry():
  /// (a, P a + dP(v) v).
  const Vector& accelerations(const Vector& a);
  /// (x, P x).
  const Vector& expanded(const Vector& x);
  /// (0, dP(v) v).
  const Vector& biases();
  /// r = T^T r_all.
  void condense(const Vector& all, Vector& r) const;

  /// (x, displacements of carried nodes) over a step.
  void displacements(const Vector& x,
                     const std::vector<Kinematics>& from,
                     const std::vector<Kinematics>& to,
                     Vector& all) const;
  /// r = T^T r_all in the middle of that step. Where a carried node goes another way y than P x,
  /// the least change of its share in r makes the work r . x that of its load on y.
  void condense_between(const Vector& x, const Vector& y, const Vector& all, Vector& r) const;

  Vector& loads() { return loads_; }  ///< r_all, for whoever assembles it
  system::KktMatrix& stiffness() { return stiffness_; }
  system::KktMatrix& damping() { return damping_; }
  system::KktMatrix& mass() { return mass_; }
  /// The tangent of the system from those three, loads() and the accelerations.
  void condense_tangent(const system::State& state,
                        const std::vector<Kinematics>& kinematics,
                        const Vector& a,
                        const system::Weights& weights,
                        const Vector* step,
                        system::KktMatrix& tangent);

 private:
  /// Of one carried node.
  struct Carried {
    Eigen::MatrixXd P;
    Eigen::MatrixXd change;  ///< dP(v)
    Eigen::VectorXd v;       ///< local
    Eigen::VectorXd a;
    Eigen::VectorXd bias;               ///< dP(v) v
    Eigen::MatrixXd twist_by_q;         ///< V_q
    Eigen::MatrixXd acceleration_by_q;  ///< A_q
    Eigen::MatrixXd acceleration_by_v;  ///< A_v
    Eigen::MatrixXd pulled_P;           ///< P and A_v with the step's inverse tangent operator
    Eigen::MatrixXd pulled_A;
    Eigen::MatrixXd geometric;  ///< d(P^T r)/dq
    Eigen::MatrixXd scratch;
    Eigen::VectorXd unit;
  };
  /// By what entries of stiffness, damping and mass in a column are multiplied.
  struct Factors {
    double stiffness = 0.0;
    double damping = 0.0;
    double mass = 0.0;
  };

  void differentiate(const system::State& state,
                     const std::vector<Kinematics>& kinematics,
                     const Vector& a);
  void inverse_tangent(const Vector* step);
  void set_factors(const system::Weights& weights, const Vector* step);
  void add_products(system::KktMatrix& tangent) const;
  void expand(const Vector& x, int velocity);

  std::shared_ptr<const CondensedPattern<S>> shared_;
  std::vector<Carried> carried_;
  CarriedNodes which_ = CarriedNodes::all;  ///< those whose maps are at hand
  Vector all_;
  Vector biases_;
  Vector loads_;
  system::KktMatrix stiffness_;
  system::KktMatrix damping_;
  system::KktMatrix mass_;
  std::vector<double> weights_;   ///< of the rows of T
  std::vector<Factors> factors_;  ///< of the columns
};

}  // namespace trammel::model
