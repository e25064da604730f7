// Models for the tests of analyses, as people write them.
#pragma once

#include <string>
#include <vector>

#include "full_vocabulary.h"

#include "trammel/io/model_file.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

inline model::Description described(const std::string& text) {
  return io::read_model_text(text, "model", full_vocabulary()).description;
}

inline std::vector<std::string> drive_names(const model::Description& description) {
  std::vector<std::string> names;
  for (const model::Item& drive : description.drives) names.push_back(drive.name);
  return names;
}

/// The four-bar of [Sol1983, eq. 5.1.1]: link angles q1, q2, q3 from the y axis, clockwise,
/// l1 = 2, l2 = 4, l3 = 3, lx = 4, ly = 0. Body x axes lie along the links, so that a body's angle
/// is 90 degrees minus q. `motion` drives the joint coordinate `driven`.
inline std::string four_bar(const std::string& driven,
                            const std::string& motion,
                            const std::string& lengths = "l1: 2, l2: 4, l3: 3, lx: 4",
                            const std::string& angles = "q1: 0 deg, q2: 75 deg, q3: 178 deg") {
  return R"(
trammel: 1
space: planar
gravity: [0, -9.81]
parameters: {)" +
         lengths + ", " + angles + R"(}
ground: {frames: {right: [lx, 0]}}
bodies:
  crank:
    mass: 1 kg
    inertia: 0.1
    angle: 90 deg - q1
    position: [0, 0]
    frames: {tip: [l1, 0]}
  coupler:
    mass: 2 kg
    inertia: 0.4
    angle: 90 deg - q2
    position: [l1*sin(q1), l1*cos(q1)]
    frames: {tip: [l2, 0]}
  rocker:
    mass: 1.5 kg
    inertia: 0.2
    angle: 90 deg - q3
    position: [l1*sin(q1) + l2*sin(q2), l1*cos(q1) + l2*cos(q2)]
    frames: {tip: [l3, 0]}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: [crank.tip, coupler]}
  c: {type: revolute, between: [coupler.tip, rocker]}
  d: {type: revolute, between: [ground.right, rocker.tip]}
drives:
  motor: {type: position, coordinate: )" +
         driven + ", motion: \"" + motion + R"("}
simulation: {until: 5 s, step: 10 ms, output_step: 10 ms}
)";
}

}  // namespace trammel::analysis
