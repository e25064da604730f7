// What a kind of joint is built into: constraint primitives and joint coordinates.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/model/constraint.h"
#include "trammel/model/contact_row.h"
#include "trammel/model/coordinate.h"

namespace trammel::model {

/// A joint under construction. Frames a and b are its attachments with the joint's axis along z
/// (planar: the axis, where there is one, along x).
template <class S>
class JointAssembly {
 public:
  struct NamedCoordinate {
    std::string name;       ///< "angle"
    const char* unit = "";  ///< "rad"
    std::shared_ptr<const Coordinate<S>> coordinate;
  };

  /// A rate that belongs to no position: "slip" in m/s.
  struct NamedRate {
    std::string name;
    const char* unit = "";
    std::shared_ptr<const Direction<S>> direction;
  };

  JointAssembly(NodeFrame<S> frame_a,
                NodeFrame<S> frame_b,
                typename S::Kinematics described_a,
                typename S::Kinematics described_b)
      : a(std::move(frame_a)),
        b(std::move(frame_b)),
        described_a(std::move(described_a)),
        described_b(std::move(described_b)) {}

  /// Frames on the two nodes; kinds may turn their axes before they add constraints.
  NodeFrame<S> a;
  NodeFrame<S> b;
  /// The nodes as the model file places them, before assembly.
  const typename S::Kinematics described_a;
  const typename S::Kinematics described_b;

  /// Adds a primitive; `labels` names its rows for reports.
  void add(std::unique_ptr<Constraint<S>> constraint, std::initializer_list<const char*> labels) {
    constraints.push_back(std::move(constraint));
    row_labels.insert(row_labels.end(), labels.begin(), labels.end());
  }
  void add_coordinate(std::string name,
                      const char* unit,
                      std::shared_ptr<const Coordinate<S>> coordinate) {
    coordinates.push_back({std::move(name), unit, std::move(coordinate)});
  }
  /// A quantity of the position that people see and formulas read, but nobody counts among the
  /// joint's coordinates: the curvature where profiles touch.
  void add_output(std::string name,
                  const char* unit,
                  std::shared_ptr<const Coordinate<S>> coordinate) {
    outputs.push_back({std::move(name), unit, std::move(coordinate)});
  }
  /// Loads may act along it, formulas read it.
  void add_rate(std::string name, const char* unit, std::shared_ptr<const Direction<S>> direction) {
    rates.push_back({std::move(name), unit, std::move(direction)});
  }
  PointPair<S> points() const { return {a, b}; }

  std::vector<std::unique_ptr<Constraint<S>>> constraints;
  std::vector<const char*> row_labels;  ///< literals
  std::vector<NamedCoordinate> coordinates;
  std::vector<NamedCoordinate> outputs;
  std::vector<NamedRate> rates;
  std::optional<ContactRow> contact;  ///< a row whose load is reported and may be one-sided
};

// Compositions shared by several joints.

/// The origins of the frames coincide.
void add_coincident_points(JointAssembly<Planar>& joint);
void add_coincident_points(JointAssembly<Spatial>& joint);
/// The z axes are parallel (two rows).
void add_parallel_axes(JointAssembly<Spatial>& joint);
/// The origin of b lies on the z axis of a (two rows).
void add_point_on_axis(JointAssembly<Spatial>& joint);
/// b does not turn about the common z axis (one row); with parallel axes all rotation is locked.
void add_no_twist(JointAssembly<Spatial>& joint);
/// The frames stay parallel, whole turns counted from the described angles.
void add_fixed_angle(JointAssembly<Planar>& joint);

/// Turns both frames so that the fields `axis` and `axis_b` become their z axes.
void align_axes(const Values& values, JointAssembly<Spatial>& joint);
/// Turns the frame so that `axis` (in the frame's own components) becomes its z axis.
void align_z(NodeFrame<Spatial>& frame, const Eigen::Vector3d& axis);
/// Turns the frame so that `axis` becomes its x axis.
void align_x(NodeFrame<Planar>& frame, const Eigen::Vector3d& axis);

}  // namespace trammel::model
