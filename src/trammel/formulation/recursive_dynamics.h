// Forward dynamics of a tree of hinges in O(n): the articulated-body recursion.
//
// Solves M(q) v' = f for v' without ever forming M, by three passes over the elementary joints
// [Featherstone2008, chapter 7]. Everything is in world axes with the origin p_k of each elementary
// joint's frame as its reference point, so that passing on to the parent only shifts by d = p_k -
// p_parent:
//
//   outwards   rotations, angular velocities, bias accelerations z of v' = 0
//   inwards    articulated inertia I and bias load p:
//                U = I s,  D = s^T U,  e = tau - s^T p
//                parent: I += X^T (I - U D^-1 U^T) X,  p += X^T (p + I_a z + U D^-1 e)
//   outwards   a' = X a_parent + z,  v' = D^-1 (e - U^T a'),  a = a' + s v'
//
// With X = [1 -skew(d); 0 1]. Gravity enters as the acceleration -g of the ground. Bodies without
// mass may stand inside the tree (elementary joints of one hinge), not at its ends. The
// acceleration of a prescribed elementary joint is known and stands in z; the elementary joint
// passes I and p on as they are.
#pragma once

#include <memory>
#include <vector>

#include "trammel/formulation/prescribed_hinges.h"
#include "trammel/formulation/twist.h"

namespace trammel::formulation {

template <class S>
class RecursiveDynamics {
 public:
  RecursiveDynamics(std::shared_ptr<const HingeTree<S>> tree,
                    std::shared_ptr<const model::Mechanism<S>> mechanism);

  /// The motion of prescribed elementary joints for the following calls; must outlive them.
  void set_prescribed(const PrescribedMotion<S>& motion) { prescribed_ = &motion; }
  /// v' of bodies under gravity and gyroscopic loads alone.
  void accelerations(const system::Vector& q, const system::Vector& v, system::Vector& a);
  /// The same with all forces: `absolute_f` as the absolute system's forces() gives them, gravity
  /// and gyroscopic moments among them.
  void accelerations(const system::Vector& q,
                     const system::Vector& v,
                     const system::Vector& absolute_f,
                     system::Vector& a);
  /// M^-1 tau in the configuration of the last call of accelerations().
  void solve(const system::Vector& tau, system::Vector& x);
  std::size_t memory_bytes() const;

 private:
  using Point = typename S::Point;
  using Rotation = Eigen::Matrix<double, S::dimension, S::dimension>;
  using Spin = Eigen::Matrix<double, S::rotations, 1>;
  using SpinMatrix = Eigen::Matrix<double, S::rotations, S::rotations>;
  /// Columns of a ball or a form; one-coordinate elementary joints keep theirs in Moving.
  using Columns = Eigen::Matrix<double, S::freedoms, Eigen::Dynamic, 0, S::freedoms, S::freedoms>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, S::freedoms, S::freedoms>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, S::freedoms, 1>;

  /// Constant data of an elementary joint, with all bodies it carries as one, in its own axes.
  struct Fixed {
    Rotation before_R = Rotation::Identity();
    Point before_p = Point::Zero();
    Point centre = Point::Zero();
    double mass = 0.0;
    SpinMatrix inertia = SpinMatrix::Zero();  ///< about the centre
    double slide = 0.0;                       ///< way along the axis per q, and turn about it
    double turn = 0.0;
    int parent = -1;
    int q = 0;
    int v = 0;
    int block = -1;  ///< number among the elementary joints with several coordinates
    int size = 1;    ///< velocities
    const model::MotionForm<S>* form = nullptr;  ///< a block without it is a ball
    int form_place = -1;                         ///< number among the forms
    int prescribed = -1;                         ///< number among the prescribed elementary joints
    int branch = -1;  ///< number among the elementary joints with several children
  };
  struct Moving {
    Rotation R;
    Spin w;
    Point d;
    Twist<S> bias;
    Twist<S> s;
    Twist<S> U;
    double inverse_D = 0.0;
    double e = 0.0;
  };
  struct Block {
    Columns s;
    Columns U;
    Square inverse_D;
    Column e;
  };
  struct FormPlace {
    typename model::MotionForm<S>::Derivatives at;
    Rotation axes = Rotation::Identity();  ///< of the frame in which the form is seen
  };
  struct Articulated {
    TwistMatrix<S> I;
    Twist<S> p;
  };

  void carry_bodies();
  void outwards(const system::Vector& q, const system::Vector& v);
  void place(const Fixed& fixed, const double* q, const Rotation& R_parent, Moving& moving);
  void place_form(const Fixed& fixed, const double* q, const Rotation& R, Moving& moving);
  void set_form_rates(const Fixed& fixed,
                      const system::Vector& v,
                      Spin& turn_rate,
                      Point& slide_rate,
                      Twist<S>& curvature);
  void set_step_rates(const Fixed& fixed,
                      const Spin& w_parent,
                      const system::Vector& v,
                      Moving& moving);
  void set_block_rates(const Fixed& fixed,
                       const system::Vector& v,
                       Moving& moving,
                       Spin& turn_rate,
                       Point& slide_rate,
                       Twist<S>& curvature);
  void set_loads(const system::Vector& absolute_f);
  Articulated body(const Fixed& fixed, const Moving& moving) const;
  template <bool with_inertia>
  void inwards(const system::Vector* tau);
  void eliminate(const Fixed& fixed, Moving& moving, const system::Vector* tau, Articulated& own);
  void eliminate_load(const Fixed& fixed, Moving& moving, const system::Vector& tau, Twist<S>& p);
  void accelerate(bool with_bias, system::Vector& a);

  std::shared_ptr<const HingeTree<S>> tree_;
  std::shared_ptr<const model::Mechanism<S>> mechanism_;
  const PrescribedMotion<S>* prescribed_ = nullptr;
  std::vector<Fixed> fixed_;
  std::vector<Moving> moving_;
  std::vector<Block> blocks_;
  std::vector<FormPlace> forms_;
  std::vector<Articulated> branches_;
  std::vector<Twist<S>> loads_;  ///< per elementary joint, besides gravity and gyroscopic ones
  std::vector<Twist<S>> a_;
  bool has_loads_ = false;
};

}  // namespace trammel::formulation
