// A drawn model and its motion, small enough to know every number.
#pragma once

#include <cmath>

#include "trammel/report/drawn_model.h"
#include "trammel/results/table.h"

namespace trammel::report::testing {

inline std::shared_ptr<const math::TriangleMesh> tetrahedron() {
  return std::make_shared<const math::TriangleMesh>(math::TriangleMesh{
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
}

/// A disc that moves, and a body at rest made of a box and a mesh.
inline DrawnModel two_bodies() {
  DrawnModel model;
  model.gravity = {0, 0, -9.81};
  DrawnBody disc;
  disc.name = "disc";
  disc.parts = {{.kind = Part::Kind::cylinder, .size = {0.5, 0.1, 0.0}}};
  DrawnBody frame;
  frame.name = "frame";
  frame.position = {0, 0, 5};
  frame.parts = {{.kind = Part::Kind::box, .size = {0.1, 0.2, 0.3}},
                 {.kind = Part::Kind::mesh,
                  .size = {1, 1, 1},
                  .position = {3, 0, 0},
                  .color = "#ff0080",
                  .surface = tetrahedron()}};
  model.bodies = {disc, frame};
  return model;
}

/// x = 2 t, a turn about z by 2 t; the quaternion changes its sign at the last time.
inline results::Table two_bodies_motion() {
  results::Table table;
  table.info.model_name = "two <bodies>";
  table.time = {0.0, 0.5, 1.0};
  table.channels = {
      {"disc.position.x", "m", "world", ""},   {"disc.position.y", "m", "world", ""},
      {"disc.position.z", "m", "world", ""},   {"disc.orientation.e0", "", "", ""},
      {"disc.orientation.e1", "", "", ""},     {"disc.orientation.e2", "", "", ""},
      {"disc.orientation.e3", "", "", ""},     {"disc.velocity.x", "m/s", "world", ""},
      {"disc.velocity.y", "m/s", "world", ""}, {"energy.<total>", "J", "", ""}};
  table.columns = {{0, 1, 2},
                   {0, 0, 0},
                   {0, 0, 0},
                   {1, std::cos(0.5), -std::cos(1.0)},
                   {0, 0, 0},
                   {0, 0, 0},
                   {0, std::sin(0.5), -std::sin(1.0)},
                   {2, 2, 2},
                   {0, 0, 0},
                   {7, 7, 7}};
  return table;
}

}  // namespace trammel::report::testing
