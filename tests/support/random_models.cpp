#include "support/random_models.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/carried_frames.h"
#include "support/user_coordinates.h"
#include <fmt/format.h>

namespace trammel::support {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Body;
using model::Description;
using model::Field;
using model::FieldKind;
using model::Frame;
using model::Space;

double Random::uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator_);
}

Vector3d Random::vector(Space space, double size) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) v[i] = uniform(-size, size);
  if (space == Space::planar) v.z() = 0.0;
  return v;
}

Quaterniond Random::rotation(Space space, double angle) {
  const double turn = uniform(-angle, angle);
  const Vector3d axis = vector(Space::spatial).normalized();
  return Quaterniond(
      Eigen::AngleAxisd(turn, space == Space::planar ? Vector3d(Vector3d::UnitZ()) : axis));
}

system::Vector Random::values(Eigen::Index count, double size) {
  system::Vector v(count);
  for (Eigen::Index i = 0; i < count; ++i) v[i] = uniform(-size, size);
  return v;
}

namespace {

using std::numbers::pi;

double angle_about_z(const Quaterniond& rotation) {
  return 2.0 * std::atan2(rotation.z(), rotation.w());
}

model::Value random_value(const Field& field, Space space, Random& random) {
  switch (field.kind) {
    case FieldKind::number:
      return field.sign == model::Sign::any ? random.uniform(-1.0, 1.0) : random.uniform(0.3, 1.5);
    case FieldKind::vector: {
      const Vector3d components = random.vector(space, 2.0);
      return field.sign == model::Sign::any ? components : Vector3d(components.cwiseAbs());
    }
    case FieldKind::direction: {
      // Any length: directions need not be normalised.
      const double length = random.uniform(0.5, 2.0);
      return Vector3d(length * random.vector(space).normalized());
    }
    case FieldKind::flag:
      return random.coin();
    case FieldKind::choice: {
      const auto count = static_cast<double>(field.choices.size());
      return field.choices[static_cast<std::size_t>(random.uniform(0.0, count))];
    }
    case FieldKind::numbers: {
      const double first = random.uniform(0.5, 3.0);
      std::vector<double> list{first, random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
      if (field.sign != model::Sign::any) {
        for (double& number : list) number = std::abs(number);
      }
      if (field.increasing) std::sort(list.begin(), list.end());
      return list;
    }
    case FieldKind::formula:
      return fmt::format("{:.3f}*sin(3*time) + {:.3f}*gap + {:.3f}*gap_rate",
                         random.uniform(0.5, 3.0), random.uniform(-2.0, 2.0),
                         random.uniform(-0.5, 0.5));
    case FieldKind::quantity:
      return std::string("gap");
    case FieldKind::quantities:
      return std::vector<std::string>{"gap"};
    case FieldKind::formulas:
      return std::vector<std::string>{"gap", "sin(3*time)"};
  }
  return 0.0;
}

Frame random_mark(Space space, Side side, Random& random) {
  Frame mark;
  mark.name = "mark";
  const Vector3d offset = random.vector(space, 0.5);
  // A point mass has no arm on which a force could act.
  if (side != Side::point) mark.position = offset;
  mark.rotation = random.rotation(space, pi);
  return mark;
}

Body random_end(const std::string& name, Space space, Side side, Random& random) {
  Body body = random_body(name, space, random);
  if (side == Side::point) {
    body.kind = model::BodyKind::point;
    body.mass.center.setZero();
    body.mass.inertia.setZero();
    body.orientation.setIdentity();
    body.angle = 0.0;
    body.angular_velocity.setZero();
  }
  body.frames.push_back(random_mark(space, side, random));
  return body;
}

// Moves the body so that its mark lies at the given place.
void place_mark(Body& body, const Vector3d& position, const Quaterniond& rotation) {
  const Frame& mark = body.frames.front();
  if (body.kind == model::BodyKind::rigid) {
    body.orientation = rotation * mark.rotation.conjugate();
    body.angle = angle_about_z(body.orientation);
  }
  body.position = position - body.orientation * mark.position;
}

// A graph or a closed curve of radius two; those of points are in the tests of curves, since the
// third derivative of a spline jumps.
model::Values random_curve(Space space, double draw, Random& random) {
  model::Values values;
  if (random.coin()) {
    values["y"] = fmt::format("{:.3f}*sin(1*x)", 0.3 * draw);
    if (space == Space::spatial) values["z"] = std::string("0.2*x^2 - 0.1*x");
    return values;
  }
  values["x"] = std::string("2*cos(u)");
  values["y"] = fmt::format("{:.3f}*sin(u)", 1.9 * draw);
  if (space == Space::spatial) values["z"] = std::string("0.2 m * sin(2*u)");
  values["from"] = -pi;
  values["to"] = pi;
  values["closed"] = true;
  return values;
}

// Axles and blades that lie nearly along their plane.
void suit_directions(Random& random, model::Values& values, const char* along) {
  const Vector3d normal = random.vector(Space::spatial).normalized();
  const Vector3d across = normal.unitOrthogonal();
  values["normal"] = normal;
  values[along] = Vector3d(random.rotation(Space::spatial, 0.5) * across);
}

// Coordinates by formulas: parabolic ones in the plane, oblate spheroidal ones in space.
void suit_free_joint(Space space, model::Values& values) {
  for (const char* name : {"x", "y", "z", "guess"}) values.erase(name);
  if (!values.contains("position") || std::get<std::string>(values["position"]) != "formulas") {
    return;
  }
  for (auto& [name, value] : user_coordinates(space)) values[name] = value;
}

// Values that have to fit to each other, by the kind's name.
void suit_values(const model::JointKind& kind, Random& random, model::Values& values) {
  const double draw = random.uniform(0.8, 1.2);
  if (kind.space == Space::spatial) {
    if (kind.name == "skate") suit_directions(random, values, "blade");
    if (kind.name == "rolling_disc" || kind.name == "rolling_wheel") {
      suit_directions(random, values, "axle");
    }
  }
  if (kind.name == "free") suit_free_joint(kind.space, values);
  if (kind.name == "rolling_discs") {
    // A disc on a disc, in a ring, and around a disc.
    values["radius_a"] = random.coin() ? 0.3 * draw : -0.9;
    const bool ring = random.coin() && std::get<double>(values["radius_a"]) > 0.0;
    values["radius_b"] = ring ? -0.8 * draw : 0.25;
  } else if (kind.name == "rolling_wheel") {
    values["rim_radius"] = 0.2 * draw;
  } else if (kind.name == "screw") {
    values.erase("axis_b");  // an angle between frames that are far from parallel changes wildly
  } else if (kind.name == "revolute_cross") {
    values.erase("rows");  // which rows are good depends on the axis
  } else if (kind.name == "point_on_curve") {
    values = random_curve(kind.space, draw, random);
  } else if (kind.name == "curve_on_curve" && kind.space == Space::spatial) {
    // Two bent wires that cross half a metre from the second frame.
    values = {{"x", fmt::format("{:.3f} m * u^2", 0.2 * draw)},
              {"y", std::string("1 m * u")},
              {"z", std::string("0.1 m * u^2")},
              {"from", -3.0},
              {"to", 3.0},
              {"x_b", fmt::format("-0.5 m - {:.3f} m * u^2", 0.15 * draw)},
              {"y_b", std::string("0.1 m * u")},
              {"z_b", std::string("1 m * u")},
              {"from_b", -3.0},
              {"to_b", 3.0}};
  } else if (kind.name == "cam_roller" || kind.name == "cam_flat" ||
             kind.name == "curve_on_curve") {
    for (const char* list : {"angles", "radii", "circles_x", "circles_y", "circle_radii"}) {
      values.erase(list);
      values.erase(std::string(list) + "_b");
    }
    if (kind.name == "curve_on_curve") {
      values["profile_b"] = fmt::format("0.9 m + {:.3f} m * cos(3*angle - 1)", 0.02 * draw);
    }
    values["profile"] = fmt::format("1 m + {:.3f} m * cos(2*angle) + 0.03*sin(angle)", 0.05 * draw);
  }
}

// Where frame b is placed in frame a: curves and cams lie around the origin.
Vector3d place_in_a(const model::JointKind& kind) {
  if (kind.name == "point_on_curve") return {2.0, 0.0, 0.0};
  if (kind.name == "free")
    return {1.3, 0.6, kind.space == Space::spatial ? 0.7 : 0.0};  // off the poles
  if (kind.name == "cam_roller" || kind.name == "rolling_discs") return {1.5, 0.0, 0.0};
  if (kind.name == "curve_on_curve") {
    return kind.space == Space::spatial ? Vector3d(0.5, 0.05, 0.05) : Vector3d(2.0, 0.5, 0.0);
  }
  return Vector3d::Zero();
}

model::Values joint_values(const model::JointKind& kind, Random& random) {
  model::Values values = random_values(kind.fields, kind.space, random);
  suit_values(kind, random, values);
  return values;
}

}  // namespace

model::Values random_values(const std::vector<Field>& fields, Space space, Random& random) {
  model::Values values;
  for (const Field& field : fields) {
    // Random joints hold all the time; those that let go have tests of their own.
    if (field.name == "unilateral" || field.name == "starts_open") continue;
    const bool required = !field.fallback && !field.optional;
    const model::Value value = random_value(field, space, random);
    // The draw is made in any case, so that one field does not shift the others.
    const bool given = random.coin();
    if (required || given) values.emplace(field.name, value);
  }
  return values;
}

Body random_body(std::string name, Space space, Random& random) {
  Body body;
  body.name = std::move(name);
  std::vector<math::MassProperties> parts;
  for (int i = 0; i < 5; ++i) {
    math::MassProperties part;
    part.mass = random.uniform(0.2, 1.0);
    part.center = random.vector(Space::spatial, 0.4);
    if (space == Space::planar) part.center.z() = 0.0;
    parts.push_back(part);
  }
  body.mass = math::sum(parts);
  body.position = random.vector(space, 2.0);
  body.orientation = random.rotation(space, pi);
  body.angle = angle_about_z(body.orientation);
  body.velocity = random.vector(space, 1.5);
  body.angular_velocity = random.vector(Space::spatial, 1.5);
  if (space == Space::planar) body.angular_velocity.head<2>().setZero();
  return body;
}

RandomPair random_pair(
    Space space, Side a, Side b, double gap, Random& random, const Vector3d& place) {
  RandomPair pair;
  pair.description.space = space;
  pair.description.name = "pair";
  Frame ground_mark = random_mark(space, Side::ground, random);
  Vector3d position = ground_mark.position;
  Quaterniond rotation = ground_mark.rotation;
  pair.mark_a = "ground.mark";
  if (a != Side::ground) {
    const Body body = random_end("a", space, a, random);
    position = body.position + body.orientation * body.frames.front().position;
    rotation = body.orientation * body.frames.front().rotation;
    pair.mark_a = "a.mark";
    pair.description.add_body(body);
  }
  const Vector3d apart = rotation * place + random.vector(space, gap);
  pair.distance = apart.norm();
  const Quaterniond turned = random.rotation(space, gap);
  pair.mark_b = "ground.mark";
  if (b != Side::ground) {
    Body body = random_end("b", space, b, random);
    place_mark(body, position + apart, rotation * turned);
    pair.mark_b = "b.mark";
    pair.description.add_body(body);
  } else {
    ground_mark.position = position + apart;
    ground_mark.rotation = rotation * turned;
  }
  pair.description.ground_frames.push_back(ground_mark);
  for (const auto& [side, name] : {std::pair(a, "a"), std::pair(b, "b")}) {
    if (side == Side::carried) carry_body(name, random, pair.description);
  }
  return pair;
}

namespace {

template <class S>
BendingFrameData<S> random_frame(Random& random) {
  BendingFrameData<S> data;
  data.c[1] = random.uniform(0.2, 0.4);
  data.c[2] = random.uniform(0.2, 0.4);
  data.c[0] = 1.0 - data.c[1] - data.c[2];
  for (auto& l : data.l) l = random.vector(S::space, 0.5).template head<S::dimension>();
  for (int i = 0; i < 2; ++i) {
    data.Phi.col(i) = random.vector(S::space, 0.3).template head<S::dimension>();
  }
  data.h = random.vector(Space::spatial, 0.4).head<2>();
  if (S::space == Space::spatial) data.u = random.vector(Space::spatial).normalized();
  return data;
}

template <class S>
Eigen::Vector3d in_space(const typename S::Point& p) {
  Vector3d all = Vector3d::Zero();
  all.head<S::dimension>() = p;
  return all;
}

// Where the first body is turned, and by how much all of them are shifted.
template <class S>
void place_carriers(const BendingFrameData<S>& data,
                    const Eigen::VectorXd& amplitudes,
                    const Body& rider,
                    std::array<Body, 3>& bodies) {
  const Quaterniond turn(Eigen::AngleAxisd(data.h.dot(amplitudes), data.u));
  bodies[0].orientation = rider.orientation * turn.conjugate();
  bodies[0].angle = rider.angle - data.h.dot(amplitudes);
  Vector3d p = bodies[0].orientation * in_space<S>(data.Phi * amplitudes);
  for (std::size_t i = 0; i < 3; ++i) {
    const Body& body = bodies[i];
    const Vector3d from_frame = body.mass.center + in_space<S>(data.l[i]);
    p += data.c[static_cast<Eigen::Index>(i)] * (body.position + body.orientation * from_frame);
  }
  for (Body& body : bodies) body.position += rider.position - p;
}

}  // namespace

void carry_body(const std::string& name, Random& random, Description& d) {
  const auto found = std::find_if(d.bodies.begin(), d.bodies.end(),
                                  [&](const Body& body) { return body.name == name; });
  found->mass = {};
  found->mass.mass = 0.0;
  found->carrier = model::Carrier{.amplitudes = {name + "_modes"}};
  model::Amplitudes amplitudes{name + "_modes", random.values(2), random.values(2)};
  std::array<Body, 3> bodies;
  for (int i = 0; i < 3; ++i) {
    bodies[static_cast<std::size_t>(i)] =
        random_body(fmt::format("{}_carrier{}", name, i + 1), d.space, random);
    found->carrier->bodies.push_back(bodies[static_cast<std::size_t>(i)].name);
  }
  if (d.space == Space::planar) {
    const auto data = random_frame<model::Planar>(random);
    place_carriers(data, amplitudes.value, *found, bodies);
    found->carrier->planar = bending_frame(data);
  } else {
    const auto data = random_frame<model::Spatial>(random);
    place_carriers(data, amplitudes.value, *found, bodies);
    found->carrier->spatial = bending_frame(data);
  }
  d.amplitudes.push_back(std::move(amplitudes));
  for (const Body& body : bodies) d.add_body(body);
}

Description random_carrying_mechanism(Space space, Random& random) {
  Description d = random_mechanism(space, random);
  const math::MassProperties mass = random_body("", space, random).mass;
  d.add_body(random_end("rider", space, Side::body, random));
  carry_body("rider", random, d);
  const auto rider = std::find_if(d.bodies.begin(), d.bodies.end(),
                                  [](const Body& body) { return body.name == "rider"; });
  rider->mass = mass;
  rider->mass.center.setZero();
  d.add_joint("distance", "rider_rod", "rider.mark", "bob");
  d.add_joint("revolute", "rider_pin", "ground.left", "rider_carrier2");
  d.add_force("spring", "rider_spring", {"rider.mark", "ground.right"},
              {{"stiffness", 3.0}, {"damping", 0.4}});
  d.add_force("modes", "rider_elasticity", {"rider_modes"},
              {{"modal_mass", 0.7}, {"modal_stiffness", 5.0}, {"modal_damping", 0.3}});
  return d;
}

Description random_joint(const model::JointKind& kind, Side a, Side b, Random& random) {
  RandomPair pair = random_pair(kind.space, a, b, 0.4, random, place_in_a(kind));
  pair.description.add_joint(kind.name, "item", pair.mark_a, pair.mark_b,
                             joint_values(kind, random));
  return pair.description;
}

namespace {

// Values that fit together, where the fields alone do not tell: tables, matrices, gas that is never
// squeezed to nothing, contacts that touch.
// The same for elements with states, equations and matrices; `name` is the force's.
void suit_element(const model::ForceKind& kind,
                  const std::string& name,
                  Random& random,
                  model::Values& values) {
  const auto list = [&](const char* field, const std::vector<double>& numbers) {
    values[field] = numbers;
  };
  if (kind.name == "pid") {
    values["lower"] = -random.uniform(0.2, 2.0);
    values["upper"] = random.uniform(0.2, 2.0);
  } else if (kind.name == "state_space") {
    const Eigen::VectorXd entries = random.values(11);
    list("A", {entries[0], entries[1], entries[2], entries[3]});
    list("B", {entries[4], entries[5], entries[6], entries[7]});
    list("C", {entries[8], entries[9]});
    list("D", {entries[10], 0.5});
    list("initial", {0.3, -0.2});
  } else if (kind.name == "matrix_element") {
    list("stiffness", {random.uniform(0.5, 2.0)});
    list("damping", {random.uniform(0.5, 2.0)});
    list("reference", {0.3});
  } else if (kind.name == "fung_element") {
    values["response"] = std::vector<std::string>{
        fmt::format("{:.3f}*(exp(0.4*gap) - 1)", random.uniform(0.5, 2.0))};
    list("branch_times", {random.uniform(0.1, 0.5), 2.0});
    list("branch_weights", {0.3, random.uniform(0.1, 0.5)});
    list("initial_response", {0.2});
    for (const char* other : {"remaining", "spectrum", "energy"}) values.erase(other);
  } else if (kind.name == "implicit_force") {
    values["equation"] = fmt::format(
        "{0}.load + 0.3*{0}.load^3 + {1:.3f}*gap + 0.5*gap_rate"
        " + sin(3*time)",
        name, random.uniform(1.0, 3.0));
  } else if (kind.name == "hydraulic_cylinder") {
    // The defaults are those of real cylinders, large against everything else here.
    values["initial_pressure_a"] = random.uniform(0.3, 1.5);
    values["initial_pressure_b"] = random.uniform(0.3, 1.5);
    values["bulk_modulus"] = random.uniform(0.3, 1.5);
    values["smoothing_pressure"] = random.uniform(0.3, 1.5);
  } else if (kind.name == "parametric_spring") {
    values["stiffness"] = fmt::format("2 + {:.3f}*sin(3*time)", random.uniform(0.5, 1.5));
    values["damping"] = std::string("1 + 0.5*cos(2*time)");
    values["reference"] = std::string("0.2*sin(1*time)");
  } else if (kind.name == "triangle") {
    values["side_12"] = random.uniform(1.0, 1.2);
    values["side_13"] = random.uniform(0.8, 1.2);
    values["side_23"] = random.uniform(0.8, 1.2);
    values["poissons_ratio"] = 0.3;
  } else if (kind.name.find("viscoelastic") != std::string::npos) {
    values.erase("relaxation_times");
    values.erase("relaxation_values");
    list("branch_stiffness", {random.uniform(0.5, 2.0), 1.5});
    list("branch_times", {random.uniform(0.1, 0.5), 2.0});
  }
}

// Loads that grow with the place and fall with the speed, over a shape of any kind.
void suit_distributed_load(const model::ForceKind& kind, Random& random, model::Values& values) {
  const bool planar = kind.space == Space::planar;
  const bool surface = kind.name == "surface_load";
  const std::string& shape = std::get<std::string>(values["shape"]);
  const std::string per_area = planar ? (surface ? "m" : "m^2") : (surface ? "m^2" : "m^3");
  const std::string load = fmt::format(
      "(2 N/{0})*(1 + x/(1 m) + 0.3*y*u/(1 m^2) - vx/(3 m/s) + sin(2*time/(1 s)))", per_area);
  for (const char* name :
       {"pressure", "traction_x", "traction_y", "traction_z", "force_x", "force_y", "force_z"}) {
    values.erase(name);
  }
  const bool pressure = surface && random.coin();
  values[pressure ? "pressure" : surface ? "traction_x" : "force_x"] = load;
  if (!pressure) values[surface ? "traction_y" : "force_y"] = load;
  values["order"] = 2.0;
  values["inner_radius"] = 0.1;
  values["radius"] = random.uniform(0.4, 0.8);
  values["length"] = random.uniform(0.4, 0.8);
  values["from"] = 0.1;
  values["to"] = random.uniform(1.0, 3.0);
  values["size"] =
      shape == "box" ? std::vector<double>{0.4, 0.5, 0.6} : std::vector<double>{0.4, 0.5};
  for (auto entry = values.begin(); entry != values.end();) {
    const bool known = std::any_of(kind.fields.begin(), kind.fields.end(),
                                   [&](const auto& field) { return field.name == entry->first; });
    entry = known ? std::next(entry) : values.erase(entry);
  }
}

model::Values random_force_values(const model::ForceKind& kind,
                                  const std::string& name,
                                  Random& random) {
  model::Values values = random_values(kind.fields, kind.space, random);
  suit_element(kind, name, random, values);
  const auto list = [&](const char* name, const std::vector<double>& numbers) {
    values[name] = numbers;
  };
  if (kind.name == "table_spring") {
    list("extensions", {-2.0, -0.5, 0.3, 2.5});
    list("forces", {-3.0, random.uniform(-1.0, 0.0), random.uniform(0.0, 1.0), 4.0});
    list("rates", {-1.0, 0.0, 1.0});
    list("damping_forces", {random.uniform(-2.0, -1.0), 0.0, random.uniform(1.0, 2.0)});
    values["extrapolation"] = std::string(random.coin() ? "extend" : "hold");
  } else if (kind.name == "bushing") {
    const Eigen::Index n = kind.space == Space::planar ? 3 : 6;
    for (const char* name : {"stiffness_matrix", "damping_matrix"}) {
      if (!values.contains(name)) continue;
      const Eigen::MatrixXd root = random.values(n * n).reshaped(n, n);
      const Eigen::MatrixXd matrix = root * root.transpose();
      list(name, {matrix.data(), matrix.data() + matrix.size()});
    }
  } else if (kind.name == "coordinate_stop") {
    values["lower"] = random.uniform(-0.2, 0.0);
    values["upper"] = random.uniform(0.1, 0.3);
    values["exponent"] = random.coin() ? 1.0 : 2.0;
    values["transition"] = random.uniform(0.1, 2.0);
  } else if (kind.name == "coordinate_friction" || kind.name == "lugre_friction") {
    values["static_friction"] = random.uniform(1.6, 2.0);
    values["stribeck_speed"] = random.uniform(0.5, 1.5);
    // The default is so small that differences would see a jump.
    if (kind.name == "coordinate_friction") values["slip_speed"] = random.uniform(0.3, 0.6);
  } else if (kind.constraint_dependent) {
    values["coordinate"] = std::string("revolute.angle");
    values["preload"] = random.uniform(0.5, 2.0);
    values["radius"] = random.uniform(0.05, 0.1);
    values["friction"] = random.uniform(0.1, 0.3);
    values["static_friction"] = random.uniform(0.3, 0.5);
    values["stribeck_speed"] = random.uniform(0.5, 1.5);
    values["slip_speed"] = random.uniform(0.3, 0.6);
  } else if (kind.name == "journal_film") {
    // The pin stands inside its sleeve.
    values["clearance"] = random.uniform(60.0, 90.0);
  } else if (kind.name == "ehd_traction") {
    values["coordinate"] = std::string("cam_roller.contact_angle");
    values["poissons_ratio"] = 0.3;
  } else if (kind.name == "gravity_field") {
    values = {{"field_x", std::string("-(2 s^-2)*x")},
              {"field_y", std::string("(-1.5 s^-2)*y + (0.3 m/s^2)")},
              {"potential", std::string("(1 s^-2)*x^2 + (0.75 s^-2)*y^2 - (0.3 m/s^2)*y")}};
  } else if (kind.name == "surface_load" || kind.name == "volume_load") {
    suit_distributed_load(kind, random, values);
  } else if (kind.name == "central_gravity") {
    values.erase("bodies");
    // Outside of the mechanism: at the centre itself the field has no derivatives.
    values["center"] = Vector3d(20.0 * random.vector(kind.space).normalized());
  } else if (kind.name == "membrane") {
    values["poissons_ratio"] = 0.3;
  } else if (kind.name == "gas_spring") {
    values["volume"] = random.uniform(6.0, 9.0);
    values["exponent"] = random.coin() ? 1.0 : random.uniform(1.1, 1.6);
    values["outside_pressure"] = random.uniform(0.5, 1.5);
  } else if (kind.name.find("contact") != std::string::npos || kind.name == "tyre_spring") {
    // Deep contact in most draws; slips that are not small against the smoothing.
    for (const char* name : {"radius", "first_radius", "second_radius"}) {
      if (values.contains(name)) values[name] = random.uniform(0.8, 1.6);
    }
    if (kind.name == "tyre_spring") return values;
    values["restitution"] = random.uniform(0.3, 1.0);
    values["exponent"] = random.uniform(1.0, 2.0);
    values["static_friction"] = random.uniform(1.6, 2.0);
    values["stribeck_speed"] = random.uniform(0.5, 1.5);
    values["slip_speed"] = random.uniform(0.3, 0.6);
  }
  return values;
}

}  // namespace

Description random_force(const model::ForceKind& kind, Side a, Side b, Random& random) {
  // Finite differences of directions need a distance that is long against their steps.
  RandomPair pair;
  do {
    // A beam lies along x; behind its first end the angles of its chord jump.
    const Vector3d place = kind.name == "beam" ? Vector3d(2.0, 0.0, 0.0) : Vector3d::Zero();
    pair = random_pair(kind.space, a, b, 1.0, random, place);
  } while (pair.distance < 0.3);
  pair.description.add_sensor("displacement", "gap", {pair.mark_a, pair.mark_b});
  std::vector<std::string> attachments;
  if (kind.attachments > 0) attachments.push_back(pair.mark_b);
  if (kind.attachments >= 2) attachments.insert(attachments.begin(), pair.mark_a);
  if (kind.attachments == 3) {
    pair.description.ground_frames.push_back(
        {.name = "third",
         .position = Vector3d(4.0, -3.0, kind.space == Space::planar ? 0.0 : 2.0)});
    attachments.emplace_back("ground.third");
  }
  if (kind.constraint_dependent) {
    pair.description.add_joint("revolute", "revolute", pair.mark_a, pair.mark_b);
  }
  if (kind.name == "ehd_traction") {
    pair.description.add_joint(
        "cam_roller", "cam_roller", pair.mark_a, pair.mark_b,
        {{"profile", std::string("0.2 m + 0.01 m * cos(2*angle)")}, {"roller_radius", 0.05}});
  }
  if (kind.name == "modes") {
    pair.description.amplitudes.push_back({"numbers", random.values(3), random.values(3)});
    attachments = {"numbers"};
  }
  pair.description.add_force(kind.name, "item", attachments,
                             random_force_values(kind, "item", random));
  return pair.description;
}

Description random_mechanism(Space space, Random& random) {
  Description d;
  d.name = "random mechanism";
  d.space = space;
  d.gravity = random.vector(space, 5.0);
  d.ground_frames.push_back(random_mark(space, Side::ground, random));
  d.ground_frames.push_back({.name = "left", .position = Vector3d(-9.0, 1.0, 0.0)});
  d.ground_frames.push_back({.name = "right", .position = Vector3d(3.0, 9.0, 0.0)});
  std::vector<std::string> marks{"ground.mark"};
  std::vector<Frame> places{d.ground_frames.front()};  // of the marks, in the world
  const auto any_mark = [&](std::size_t below) {
    return marks[static_cast<std::size_t>(random.uniform(0.0, static_cast<double>(below)))];
  };
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.space != space) continue;
    const std::string name = kind.name + "_body";
    const std::string parent = any_mark(marks.size());
    const Frame& from = places[static_cast<std::size_t>(
        std::find(marks.begin(), marks.end(), parent) - marks.begin())];
    const Vector3d place = place_in_a(kind) + random.vector(space, 0.4);
    Frame mark;
    mark.position = from.position + from.rotation * place;
    mark.rotation = from.rotation * random.rotation(space, 0.4);
    Body body = random_end(name, space, Side::body, random);
    place_mark(body, mark.position, mark.rotation);
    d.add_body(body);
    marks.push_back(name + ".mark");
    places.push_back(mark);
    model::Values values = joint_values(kind, random);
    // The film between cam and roller needs a roller.
    if (kind.name == "cam_roller") values["roller_radius"] = 0.2;
    d.add_joint(kind.name, kind.name, parent, marks.back(), values);
  }
  d.add_body(random_end("bob", space, Side::point, random));
  d.add_joint("distance", "rod", marks.back(), "bob");
  d.add_force("spring", "string", {"bob.mark", marks[1]}, {{"stiffness", 2.0}, {"damping", 0.5}});
  d.add_sensor("displacement", "gap", {marks.front(), marks.back()});
  for (const model::ForceKind& kind : model::force_kinds()) {
    if (kind.space != space) continue;
    std::vector<std::string> attachments;
    if (kind.attachments > 0) attachments.push_back(marks.back());
    if (kind.attachments == 2) attachments.push_back(any_mark(marks.size() - 1));
    // Far from the rest: where points nearly coincide, the angles between them change wildly.
    if (kind.name == "beam") attachments = {"ground.left", marks.back()};
    if (kind.attachments == 3)
      attachments.insert(attachments.end(), {"ground.left", "ground.right"});
    const std::string name = kind.name + "_force";
    if (kind.name == "modes") {
      d.amplitudes.push_back({"numbers", random.values(3), random.values(3)});
      attachments = {"numbers"};
    }
    d.add_force(kind.name, name, attachments, random_force_values(kind, name, random));
  }
  return d;
}

}  // namespace trammel::support
