#include "support/redundant_twins.h"

#include "trammel/io/model_file.h"
#include "trammel/io/vocabulary.h"

namespace trammel::support {
namespace {

model::Description from_text(const std::string& name, const std::string& text) {
  return io::read_model_text("trammel: 1\n" + text, name + ".yaml", io::model_vocabulary())
      .description;
}

// A common part, and what differs.
Twins twins(const std::string& name,
            const std::string& common,
            const std::string& redundant,
            const std::string& without,
            double duration = 0.3) {
  return {name, from_text(name, common + redundant), from_text(name + " twin", common + without),
          duration};
}

const std::string gate = R"yaml(
space: spatial
gravity: [0, -9.81, -3]
bodies:
  gate: {mass: 3, inertia: [0.4, 0.3, 0.5], position: [0.5, 0, 0.1], angular_velocity: [0, 0, 2],
         fixed: angular_velocity}
joints:
  low: {type: revolute, between: [ground, gate], at: [0, 0, -0.5], axis: z}
)yaml";

const std::string carousel = R"yaml(
space: spatial
gravity: [0, 0, -9.81]
bodies:
  table: {mass: 5, inertia: [1, 1, 2], angular_velocity: [0, 0, 2], fixed: angular_velocity}
  a: {shape: {box: {size: [0.05, 0.05, 0.4], mass: 1}}, position: [0, -0.5, 0.4],
      angular_velocity: [5, 0, 2], fixed: angular_velocity}
  b: {shape: {box: {size: [0.05, 1, 0.05], mass: 1}}, position: [0, 0, 0.6],
      angular_velocity: [0, 0, 2]}
  c: {shape: {box: {size: [0.05, 0.05, 0.5], mass: 2}}, position: [0, 0.5, 0.35],
      angular_velocity: [2, 0, 2]}
joints:
  z: {type: revolute, between: [ground, table], axis: z}
  p: {type: revolute, between: [table, a], at: [0, -0.5, 0.2], axis: x}
  r: {type: revolute, between: [a, b], at: [0, -0.5, 0.6], axis: x}
)yaml";

const std::string loop = R"yaml(
  s: {type: revolute, between: [b, c], at: [0, 0.5, 0.6], axis: x}
  q: {type: revolute, between: [c, table], at: [0, 0.5, 0.1], axis: x}
)yaml";
const std::string open_loop = R"yaml(
  s: {type: spherical, between: [b, c], at: [0, 0.5, 0.6]}
  q: {type: cylindrical, between: [c, table], at: [0, 0.5, 0.1], axis: x}
)yaml";
// In relative coordinates the rows of the loop have world axes, and lose their length in turn.
std::string turning_fast(const std::string& text) {
  std::string result = text;
  for (std::size_t at = 0; (at = result.find("0, 2]", at)) != std::string::npos; ++at) {
    result.replace(at, 5, "0, 8]");
  }
  return result;
}
const std::string table_drive = R"yaml(
drives:
  motor: {type: position, coordinate: z.angle, motion: "2*time + 0.1*(1 - cos(7*time))"
}
)yaml";

// In relative coordinates no row of the second bearing has any length.
const std::string shaft_on_frame = R"yaml(
space: spatial
gravity: [0, 0, -9.81]
bodies:
  frame: {mass: 2, inertia: [0.2, 0.3, 0.25], angular_velocity: [0, 0, 2], center: [0.1, 0.05, 0],
          frames: {l: [0.3, 0, 0.1], r: [-0.3, 0, 0.1]}}
  rotor: {mass: 1, inertia: [0.02, 0.05, 0.04], position: [0, 0, 0.1], angular_velocity: [30, 0, 2],
          center: [0, 0.02, 0], frames: {l: [0.3, 0, 0], r: [-0.3, 0, 0]}}
joints:
  g: {type: universal, between: [ground, frame], axis: y, axis_b: z}
  l: {type: revolute, between: [frame.l, rotor.l], axis: x}
)yaml";
const std::string second_bearing = "  r: {type: revolute, between: [frame.r, rotor.r], axis: x}\n";

// Cranks of the same length, the third one held by the coupler or by a gear.
const std::string parallelogram = R"yaml(
space: planar
gravity: [0, -9.81]
bodies:
  one: {mass: 1, inertia: 0.02, position: [0, 0.2], angular_velocity: 6, fixed: angular_velocity}
  two: {mass: 1, inertia: 0.02, position: [1, 0.2]}
  three: {mass: 1, inertia: 0.02, position: [0.4, 0.2]}
  coupler: {mass: 2, inertia: 0.2, position: [0.5, 0.4]}
joints:
  a: {type: revolute, between: [ground, one], at: [0, 0]}
  b: {type: revolute, between: [ground, two], at: [1, 0]}
  c: {type: revolute, between: [ground, three], at: [0.4, 0]}
  d: {type: revolute, between: [one, coupler], at: [0, 0.4]}
  e: {type: revolute, between: [two, coupler], at: [1, 0.4]}
)yaml";

// A pair of wheels on a circle; one of its rolling rows follows from the others, and it turns.
const std::string wheels = R"yaml(
space: spatial
gravity: [0, 0, -9.81]
bodies:
  axle: {mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.1], velocity: [1, 0, 0],
         angular_velocity: [0, 0, 4], frames: {one: [0, 0.25, 0], two: [0, -0.25, 0]},
         fixed: [velocity, angular_velocity]}
  w1: {mass: 0.5, inertia: [0.02, 0.01, 0.02], position: [0, 0.25, 0.1]}
  w2: {mass: 0.5, inertia: [0.02, 0.01, 0.02], position: [0, -0.25, 0.1]}
ground: {frames: {h: [0, 0, 0.1]}}
joints:
  floor: {type: planar, between: [ground.h, axle]}
  r1: {type: revolute, between: [axle.one, w1], axis: y}
  r2: {type: revolute, between: [axle.two, w2], axis: y}
  c1: {type: rolling_disc, between: [ground, w1], axle: y, radius: 0.1}
)yaml";
const std::string second_contact = R"yaml(
  c2: {type: rolling_disc, between: [ground, w2], axle: y, radius: 0.1}
)yaml";
// Of the second contact only what is new: its rolling along the track.
const std::string second_wheel = R"yaml(
couplings:
  track: {type: pfaff, equation: "0.1*(r2.angle_rate - r1.angle_rate) - 0.5*floor.angle_rate"}
)yaml";
const std::string wheel_drive = R"yaml(
drives:
  motor: {type: velocity, coordinate: r1.angle, motion: "3 rad/s * sin(9*time)"
}
)yaml";

model::Description bricard_ended_by(const char* last) {
  return from_text("bricard", std::string(R"yaml(
space: spatial
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.0833, 0.001, 0.0833], position: [1, -0.5, 0]}
  c: {mass: 1, inertia: [0.0833, 0.0833, 0.001], position: [1, -1, 0.5]}
  d: {mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [0.5, -1, 1]}
  e: {mass: 1, inertia: [0.0833, 0.001, 0.0833], position: [0, -0.5, 1]}
joints:
  h0: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: y}
  h1: {type: revolute, between: [a, b], at: [1, 0, 0], axis: z}
  h2: {type: revolute, between: [b, c], at: [1, -1, 0], axis: x}
  h3: {type: revolute, between: [c, d], at: [1, -1, 1], axis: y}
  h4: {type: revolute, between: [d, e], at: [0, -1, 1], axis: z}
  h5: {type: )yaml") + last + ", between: [e, ground], at: [0, 0, 1], axis: x}\n");
}

}  // namespace

std::vector<Twins> redundant_twins() {
  const std::string doubled =
      "  high: {type: revolute, between: [ground, gate], at: [0, 0, -0.5], axis: z}\n";
  const std::string high =
      "  high: {type: revolute, between: [ground, gate], at: [0, 0, 0.7], axis: z}\n";
  const std::string third = "  f: {type: revolute, between: [three, coupler], at: [0.4, 0.4]}\n";
  const std::string geared =
      "couplings:\n  f: {type: gear, coordinates: [a.angle, c.angle], ratio: 1}\n";
  return {
      twins("doubled hinge", gate, doubled, ""),
      twins("two hinges on one axis", gate, high, ""),
      twins("four-bar on a turning table", carousel, loop, open_loop),
      twins("four-bar on a table that turns fast", turning_fast(carousel), loop, open_loop),
      twins("four-bar on a driven table", carousel, loop + table_drive, open_loop + table_drive),
      twins("shaft in two bearings of a frame", shaft_on_frame, second_bearing, ""),
      // Before all bars lie on one line, where parallelograms have two ways to go on.
      twins("parallelogram with a third bar", parallelogram, third, geared, 0.16),
      {"Bricard's linkage", bricard_ended_by("revolute"), bricard_ended_by("cylindrical"), 0.4},
      twins("pair of wheels", wheels, second_contact, second_wheel, 0.5),
      twins("driven pair of wheels", wheels, second_contact + wheel_drive,
            second_wheel + wheel_drive, 0.5),
  };
}

}  // namespace trammel::support
