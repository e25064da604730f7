// Steps by which formulations build their bodies: nodes along a straight line, and frames on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "trammel/model/description.h"
#include "trammel/model/flexible/beam_shape.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

inline MeshPlace mesh_place(const FlexibleBody& body, double along) {
  const double position = along * body.elements;
  const int element = std::clamp(static_cast<int>(std::floor(position)), 0, body.elements - 1);
  return {element, position - element};
}

/// Of the centre line from start to tip, unloaded; rad.
inline double line_angle(const FlexibleBody& body) {
  const Eigen::Vector3d along = body.tip - body.start;
  return std::atan2(along.y(), along.x());
}
/// Of its direction at a share of the length.
inline double angle_at(const FlexibleBody& body, double along) {
  return line_angle(body) + (along - 0.5) * centre_line_turn(body);
}

inline Eigen::Vector3d point_at(const FlexibleBody& body, double along) {
  if (!body.through) return body.start + along * (body.tip - body.start);
  // The chord of the arc up to that place.
  const double turn = centre_line_turn(body);
  const double angle = line_angle(body) + 0.5 * (along - 1.0) * turn;
  const double chord = body.length() * std::sin(0.5 * along * turn) / std::sin(0.5 * turn);
  return body.start + chord * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
}

inline Eigen::Vector3d velocity_at(const FlexibleBody& body, double along) {
  return body.velocity + body.angular_velocity.cross(point_at(body, along) - body.start);
}

/// A body of no mass at a place of the unloaded line, moving with it.
inline Body mesh_body(const FlexibleBody& flexible, std::string name, double along) {
  Body body;
  body.name = std::move(name);
  body.part_of = flexible.name;
  body.mass = {};
  body.position = point_at(flexible, along);
  body.angle = angle_at(flexible, along);
  body.orientation = Eigen::AngleAxisd(body.angle, Eigen::Vector3d::UnitZ());
  body.velocity = velocity_at(flexible, along);
  body.angular_velocity = flexible.angular_velocity;
  body.stated_pose.fill(true);
  body.stated_velocity.fill(true);
  return body;
}

/// What people see of it: the centre line from x to x + length, with the section's height or area.
inline PlacedShape mesh_shape(const FlexibleBody& flexible, double x, double length) {
  const double height = flexible.section.height;
  const double area = height > 0.0 ? M_PI_4 * height * height : flexible.section.area;
  return {.shape = math::Rod{.length = length, .area = area},
          .position = {x + 0.5 * length, 0.0, 0.0},
          .color = flexible.color};
}

/// How many straight pieces of a beam are drawn for each element: few elements bend visibly.
inline int drawn_pieces(const FlexibleBody& flexible) {
  constexpr int least = 8;
  if (flexible.element == "bar") return 1;
  return std::max(1, (least + flexible.elements - 1) / flexible.elements);
}

/// Drawn half a piece to both sides.
inline Body mesh_node(const FlexibleBody& flexible, int k) {
  Body body =
      mesh_body(flexible, node_name(flexible, k), static_cast<double>(k) / flexible.elements);
  const double half =
      0.5 * centre_line_length(flexible) / flexible.elements / drawn_pieces(flexible);
  const double from = k == 0 ? 0.0 : -half;
  const double to = k == flexible.elements ? 0.0 : half;
  body.shapes.push_back(mesh_shape(flexible, from, to - from));
  return body;
}

/// The frames of the body, and "line_1" ..., by which the line between its nodes is drawn.
inline std::vector<FlexibleFrame> mesh_frames(const FlexibleBody& flexible) {
  std::vector<FlexibleFrame> frames = flexible.frames;
  const int pieces = drawn_pieces(flexible);
  for (int k = 0; k < flexible.elements * pieces; ++k) {
    if (k % pieces == 0) continue;
    frames.push_back({.name = drawn_name(k - k / pieces),
                      .along = static_cast<double>(k) / (flexible.elements * pieces)});
  }
  return frames;
}

/// A frame of the body, carried by what the elements stand on.
inline Body mesh_frame(const FlexibleBody& flexible, const FlexibleFrame& frame, Carrier carrier) {
  Body body = mesh_body(flexible, flexible.name + "." + frame.name, frame.along);
  body.mass.center = -frame.position;
  body.position += body.orientation * frame.position;
  const double piece = centre_line_length(flexible) / flexible.elements / drawn_pieces(flexible);
  const double size = is_drawn_name(frame.name) ? piece : 0.1 * piece;
  body.shapes.push_back(mesh_shape(flexible, -0.5 * size, size));
  body.carrier = std::move(carrier);
  return body;
}

}  // namespace trammel::model
