// The motion of a kinematic connection by coordinates eta of some of its joints [Sol1983, 7.2.6 to
// 7.2.8].
//
// y: the poses of body b and of all internal nodes, in the axes of body a. With g all rows of all
// joints and c the chosen coordinates,
//     g(y) = 0,  c(y) = eta          is solved for y by Newton's method,
//     J = [dg/dy; dc/dy],            y' = J^+ [0; eta'],
//     y'' = J^+ ([0; eta''] - [gamma(y'); y' . dc']),
// where J^+ does not mind rows that say nothing new. The second derivatives by eta follow from y''
// for pairs of rates. y is followed from the reference to the middle of a cell of eta, and from
// there to eta, so that the answer depends on eta alone.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "trammel/model/connections/kinematic_connection.h"
#include "trammel/model/motion_form.h"

namespace trammel::model {

/// A coordinate of a joint of the connection.
template <class S>
struct ChosenCoordinate {
  std::string name;
  std::shared_ptr<const Coordinate<S>> coordinate;
  int node_a = 0;
  int node_b = 0;
  bool is_length = false;
  double preference = 1.0;  ///< joints with one freedom come before others
};

/// At most `most` of them that are independent at the reference, the best ones first.
template <class S>
std::vector<ChosenCoordinate<S>> choose_coordinates(const KinematicConnection<S>& connection,
                                                    std::vector<ChosenCoordinate<S>> all,
                                                    int most);

template <class S>
class ImplicitMotion final : public MotionForm<S> {
 public:
  using typename MotionForm<S>::Derivatives;
  static constexpr int most = MotionForm<S>::most;

  ImplicitMotion(std::shared_ptr<const KinematicConnection<S>> connection,
                 std::vector<ChosenCoordinate<S>> coordinates);

  std::string_view name() const override { return "own"; }
  int size() const override { return static_cast<int>(coordinates_.size()); }
  bool is_length(int i) const override {
    return coordinates_[static_cast<std::size_t>(i)].is_length;
  }
  Pose<S> pose(const double* q) const override;
  void differentiate(const double* q, Derivatives& at) const override;
  void coordinates_of(const Pose<S>& X, double* q) const override;
  /// Also where the chosen coordinates stop telling the motion.
  double distance_from_singularity(const double* q, double size_of_model) const override;
  /// The coordinates at the reference.
  const std::vector<double>& start() const { return start_; }

 private:
  using Connection = KinematicConnection<S>;
  using Poses = typename Connection::Poses;
  using Kinematics = typename S::Kinematics;
  using Matrix = BoundedMatrix;
  using Column = BoundedVector;
  using Cell = std::array<int, static_cast<std::size_t>(most)>;
  struct Waypoint {
    Cell cell{};
    bool valid = false;
    Poses poses;
  };

  double value(const ChosenCoordinate<S>& coordinate, const Poses& poses) const;
  double missing(int i, const double* q, const Poses& poses) const;
  /// J, and g with c - eta above it.
  void linearise(const double* q, const Poses& poses, Matrix& J, Column& error) const;
  bool solve(const double* q, Poses& poses) const;
  bool find_waypoint(const Cell& cell, Poses& poses) const;
  bool place(const double* q, Poses& poses) const;
  /// Accelerations of b (world axes, then its turn in its own axes) at constant rates.
  void quadratic(const Matrix& inverse, const Column& rates, Poses& poses, Column& y) const;
  Twist<S> twist(const Kinematics& b, const Column& y) const;
  Twist<S> twist_rate(const Kinematics& b, const Column& y) const;

  std::shared_ptr<const Connection> connection_;
  std::vector<ChosenCoordinate<S>> coordinates_;
  std::vector<double> start_;
  mutable std::mutex mutex_;
  mutable Waypoint last_;  ///< used last; any other gives the same answers
};

}  // namespace trammel::model
