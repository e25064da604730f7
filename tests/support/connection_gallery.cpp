#include "support/connection_gallery.h"

#include "support/random_models.h"
#include <fmt/format.h>

#include "trammel/model/kinds.h"

namespace trammel::support {
namespace {

using Eigen::Vector3d;
using model::Description;
using model::Item;
using model::Space;
using model::Values;

const Vector3d base_place(0.2, -0.1, 0.3);
const Vector3d bob_place(1.2, 0.3, -0.4);

// In the plane: without z.
Vector3d flat(Space space, const Vector3d& p) {
  return space == Space::planar ? Vector3d(p.x(), p.y(), 0.0) : p;
}

Description bodies(Space space) {
  Description d;
  d.space = space;
  d.gravity = flat(space, {1.5, -9.0, -3.0});
  model::Body base;
  base.name = "base";
  base.mass = {.mass = 3.0, .inertia = Vector3d(0.3, 0.2, 0.4).asDiagonal()};
  base.position = flat(space, base_place);
  base.angular_velocity = space == Space::planar ? Vector3d(0, 0, 0.9) : Vector3d(0.1, 0.9, 0.2);
  d.add_body(base);
  model::Body bob;
  bob.name = "bob";
  bob.mass = {.mass = 2.0, .inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal()};
  bob.position = flat(space, bob_place);
  bob.velocity = flat(space, {-0.3, 1.2, 0.4});
  bob.angular_velocity = space == Space::planar ? Vector3d(0, 0, -0.7) : Vector3d(0.5, 0.2, -0.3);
  d.add_body(bob);
  d.add_joint("revolute", "mount", "ground", "base",
              space == Space::planar ? Values{} : Values{{"axis", Vector3d(0.2, 1.0, 0.1)}})
      .at = Vector3d::Zero();
  return d;
}

Item joint(const char* type,
           const char* name,
           const char* a,
           const char* b,
           const Vector3d& at,
           Values values = {}) {
  return {.name = name, .type = type, .attachments = {a, b}, .at = at, .values = std::move(values)};
}

Values axis(const Vector3d& n) {
  return {{"axis", n}};
}

ConnectionCase connected(std::string name,
                         Space space,
                         std::vector<model::InternalNode> nodes,
                         std::vector<Item> elements) {
  ConnectionCase made{.name = std::move(name), .description = bodies(space)};
  made.description.add_connection(
      {.name = "link", .nodes = std::move(nodes), .elements = std::move(elements)});
  return made;
}

// One joint between both bodies at a point.
Description by_joint(Space space, const char* kind, const Vector3d& at, const Values& values) {
  Description d = bodies(space);
  d.add_joint(kind, "link", "base", "bob", values).at = at;
  return d;
}

// One joint between points of both bodies, given in the world.
Description by_points(Space space,
                      const char* kind,
                      const Vector3d& first,
                      const Vector3d& second,
                      const Values& values) {
  Description d = bodies(space);
  d.bodies[0].frames.push_back({.name = "end", .position = first - d.bodies[0].position});
  d.bodies[1].frames.push_back({.name = "end", .position = second - d.bodies[1].position});
  d.add_joint(kind, "link", "base.end", "bob.end", values);
  return d;
}

const Vector3d x = Vector3d::UnitX();
const Vector3d y = Vector3d::UnitY();
const Vector3d z = Vector3d::UnitZ();
const Vector3d centre(0.7, 0.1, 0.2);

// Hooke's joint: a cross on two pins.
ConnectionCase cardan_cross() {
  const Vector3d first = Vector3d(0.3, 1.0, 0.2).normalized();
  const Vector3d second = first.cross(Vector3d(1.0, 0.1, 0.4)).normalized();
  ConnectionCase made =
      connected("cardan_cross", Space::spatial, {{.name = "cross", .position = centre}},
                {joint("revolute", "yoke", "base", "cross", centre, axis(first)),
                 joint("revolute", "fork", "cross", "bob", centre, axis(second))});
  made.kind = "universal";
  made.freedoms = 2;
  made.catalogue =
      by_joint(Space::spatial, "universal", centre, {{"axis", first}, {"axis_b", second}});
  return made;
}

// [Sol1983, fig. 7.2].
ConnectionCase ball_bar_ball() {
  const Vector3d end(1.1, 0.2, -0.3);
  ConnectionCase made =
      connected("ball_bar_ball", Space::spatial, {{.name = "bar", .position = centre}},
                {joint("spherical", "upper", "base", "bar", {0.3, 0, 0.4}),
                 joint("spherical", "lower", "bar", "bob", end)});
  made.kind = "distance";
  made.freedoms = 5;
  made.hinge = false;  // nobody feels the spin of the bar
  made.catalogue = by_points(Space::spatial, "distance", {0.3, 0, 0.4}, end, {});
  return made;
}

ConnectionCase telescope() {
  const Vector3d n = Vector3d(0.4, 0.8, -0.3).normalized();
  ConnectionCase made =
      connected("telescope", Space::spatial, {{.name = "tube", .position = centre}},
                {joint("revolute", "bearing", "base", "tube", centre, axis(n)),
                 joint("prismatic", "slide", "tube", "bob", centre + 0.4 * n, axis(n))});
  made.kind = "cylindrical";
  made.freedoms = 2;
  made.catalogue = by_joint(Space::spatial, "cylindrical", centre, axis(n));
  return made;
}

ConnectionCase welded_screw() {
  const Vector3d n = Vector3d(0.4, 0.8, -0.3).normalized();
  Values thread{{"axis", n}, {"pitch", 0.3}, {"hand", std::string("left")}};
  ConnectionCase made =
      connected("welded_screw", Space::spatial, {{.name = "nut", .position = centre}},
                {joint("screw", "thread", "base", "nut", centre, thread),
                 joint("fixed", "weld", "nut", "bob", centre)});
  made.kind = "screw";
  made.freedoms = 1;
  made.catalogue = by_joint(Space::spatial, "screw", centre, thread);
  return made;
}

// Two slides and a pin across to both.
ConnectionCase cross_table() {
  const Vector3d n = Vector3d(0.1, 1.0, 0.2).normalized();
  const Vector3d u = n.unitOrthogonal();
  ConnectionCase made =
      connected("cross_table", Space::spatial,
                {{.name = "saddle", .position = centre}, {.name = "table", .position = centre}},
                {joint("prismatic", "first", "base", "saddle", centre, axis(u)),
                 joint("prismatic", "second", "saddle", "table", centre, axis(n.cross(u))),
                 joint("revolute", "turn", "table", "bob", centre, axis(n))});
  made.kind = "planar";
  made.freedoms = 3;
  made.catalogue = by_joint(Space::spatial, "planar", centre, axis(n));
  return made;
}

// A pin and a ball on a massless arm.
ConnectionCase pin_and_ball() {
  const Vector3d n = Vector3d(0.1, 1.0, 0.3).normalized();
  const Vector3d pin(0.4, 0.1, 0.2);
  const Vector3d end(1.1, 0.2, -0.3);
  ConnectionCase made =
      connected("pin_and_ball", Space::spatial, {{.name = "arm", .position = centre}},
                {joint("revolute", "pin", "base", "arm", pin, axis(n)),
                 joint("spherical", "ball", "arm", "bob", end)});
  made.kind = "revolute_spherical";
  made.freedoms = 4;
  made.catalogue =
      by_points(Space::spatial, "revolute_spherical", pin + n.dot(end - pin) * n, end, axis(n));
  return made;
}

// A ball on the bob in a slide on the base; the other way round, the line is the bob's.
ConnectionCase ball_in_slide(bool swapped) {
  const Vector3d n = Vector3d(0.5, 0.2, -0.6).normalized();
  ConnectionCase made = connected(swapped ? "slide_on_ball" : "ball_on_slide", Space::spatial,
                                  {{.name = "shoe", .position = centre}},
                                  {joint(swapped ? "spherical" : "prismatic", "first", "base",
                                         "shoe", centre, swapped ? Values{} : axis(n)),
                                   joint(swapped ? "prismatic" : "spherical", "second", "shoe",
                                         "bob", centre, swapped ? axis(n) : Values{})});
  made.kind = "point_on_line";
  made.freedoms = 4;
  made.catalogue = bodies(Space::spatial);
  made.catalogue
      ->add_joint("point_on_line", "link", swapped ? "bob" : "base", swapped ? "base" : "bob",
                  axis(n))
      .at = centre;
  return made;
}

// Cardan shaft: two crosses and a slide.
ConnectionCase cardan_shaft() {
  const Vector3d from(0.4, 0.1, 0.2);
  const Vector3d to(1.1, 0.2, -0.3);
  const Values cross{{"axis", y}, {"axis_b", z}};
  ConnectionCase made =
      connected("cardan_shaft", Space::spatial,
                {{.name = "inner", .position = from}, {.name = "outer", .position = to}},
                {joint("universal", "first", "base", "inner", from, cross),
                 joint("prismatic", "slide", "inner", "outer", centre, axis(to - from)),
                 joint("universal", "second", "outer", "bob", to, cross)});
  made.freedoms = 5;
  return made;
}

ConnectionCase skew_pins() {
  const Vector3d end(1.1, 0.2, -0.3);
  ConnectionCase made =
      connected("skew_pins", Space::spatial, {{.name = "arm", .position = centre}},
                {joint("revolute", "first", "base", "arm", {0.4, 0.1, 0.2}, axis({0.1, 1.0, 0.0})),
                 joint("revolute", "second", "arm", "bob", end, axis({0.7, 0.2, 0.5}))});
  made.freedoms = 2;
  return made;
}

// A door on two hinges: five rows say nothing new.
ConnectionCase two_hinges() {
  const Vector3d n = Vector3d(0.1, 1.0, 0.3).normalized();
  ConnectionCase made =
      connected("two_hinges", Space::spatial, {{.name = "leaf", .position = centre}},
                {joint("revolute", "upper", "base", "leaf", centre, axis(n)),
                 joint("revolute", "lower", "base", "leaf", centre - 0.5 * n, axis(n)),
                 joint("fixed", "weld", "leaf", "bob", bob_place)});
  made.kind = "revolute";
  made.freedoms = 1;
  made.redundant = 5;
  made.catalogue = by_joint(Space::spatial, "revolute", centre, axis(n));
  return made;
}

// Sarrus's linkage: two chains of three parallel pins, across to each other, leave a straight line.
ConnectionCase sarrus_linkage() {
  const auto leaf = [](const char* name, const Vector3d& place) {
    return model::InternalNode{.name = name, .position = place};
  };
  const Vector3d o = centre;
  ConnectionCase made =
      connected("sarrus_linkage", Space::spatial,
                {leaf("a1", o), leaf("a2", o), leaf("b1", o), leaf("b2", o)},
                {joint("revolute", "a_low", "base", "a1", o + 0.3 * x, axis(y)),
                 joint("revolute", "a_knee", "a1", "a2", o + 0.5 * x + 0.2 * z, axis(y)),
                 joint("revolute", "a_top", "a2", "bob", o + 0.3 * x + 0.4 * z, axis(y)),
                 joint("revolute", "b_low", "base", "b1", o + 0.3 * y, axis(x)),
                 joint("revolute", "b_knee", "b1", "b2", o + 0.6 * y + 0.2 * z, axis(x)),
                 joint("revolute", "b_top", "b2", "bob", o + 0.3 * y + 0.4 * z, axis(x))});
  made.kind = "prismatic";
  made.freedoms = 1;
  made.redundant = 1;
  made.catalogue = by_joint(Space::spatial, "prismatic", o, axis(z));
  return made;
}

// Four parallel pins in space: three rows say nothing new, and bob moves on a circle without
// turning.
ConnectionCase four_parallel_pins() {
  const Vector3d n = Vector3d(0.1, 1.0, 0.3).normalized();
  const Vector3d across = n.unitOrthogonal();
  const Vector3d along = n.cross(across);
  const Vector3d arm = 0.4 * across + 0.1 * along;
  ConnectionCase made =
      connected("parallelogram", Space::spatial,
                {{.name = "front", .position = centre}, {.name = "rear", .position = centre}},
                {joint("revolute", "f1", "base", "front", centre, axis(n)),
                 joint("revolute", "f2", "front", "bob", centre + arm, axis(n)),
                 joint("revolute", "r1", "base", "rear", centre + 0.3 * along, axis(n)),
                 joint("revolute", "r2", "rear", "bob", centre + 0.3 * along + arm, axis(n))});
  made.freedoms = 1;
  made.redundant = 3;
  return made;
}

// The knee as a crossed four-bar [Sol1983, 1.1].
ConnectionCase knee() {
  ConnectionCase made = connected(
      "knee", Space::planar,
      {{.name = "front", .position = {0.7, 0.2, 0}}, {.name = "rear", .position = {0.7, 0.2, 0}}},
      {joint("revolute", "f1", "base", "front", {0.55, 0.05, 0}),
       joint("revolute", "f2", "front", "bob", {0.9, 0.35, 0}),
       joint("revolute", "r1", "base", "rear", {0.8, 0.0, 0}),
       joint("revolute", "r2", "rear", "bob", {0.6, 0.4, 0})});
  made.freedoms = 1;
  return made;
}

ConnectionCase planar_bar() {
  const Vector3d from(0.4, 0.1, 0);
  const Vector3d to(1.1, 0.25, 0);
  ConnectionCase made = connected("planar_bar", Space::planar, {{.name = "bar", .position = from}},
                                  {joint("revolute", "first", "base", "bar", from),
                                   joint("revolute", "second", "bar", "bob", to)});
  made.kind = "distance";
  made.freedoms = 2;
  made.catalogue = by_points(Space::planar, "distance", from, to, {});
  return made;
}

ConnectionCase planar_slot() {
  const Vector3d n(0.8, 0.6, 0);
  ConnectionCase made =
      connected("planar_slot", Space::planar, {{.name = "stone", .position = {0.7, 0.1, 0}}},
                {joint("prismatic", "slide", "base", "stone", {0.7, 0.1, 0}, axis(n)),
                 joint("revolute", "pin", "stone", "bob", {0.7, 0.1, 0})});
  made.kind = "pin_in_slot";
  made.freedoms = 2;
  made.catalogue = by_joint(Space::planar, "pin_in_slot", {0.7, 0.1, 0}, axis(n));
  return made;
}

// Oldham's coupling: slides one across the other.
ConnectionCase oldham_coupling() {
  ConnectionCase made =
      connected("oldham_coupling", Space::planar, {{.name = "disc", .position = {0.7, 0.1, 0}}},
                {joint("prismatic", "first", "base", "disc", {0.7, 0.1, 0}, axis(x)),
                 joint("prismatic", "second", "disc", "bob", {0.7, 0.1, 0}, axis(y))});
  made.freedoms = 2;
  return made;
}

const char* const chain_kinds[] = {"revolute",  "prismatic", "cylindrical",
                                   "universal", "spherical", "screw"};

// A joint with axes of its own.
Item random_link(const char* kind, int number, Random& random) {
  const std::string_view type = kind;
  const Vector3d n = random.vector(Space::spatial).normalized();
  Values values;
  if (type != "spherical") values["axis"] = n;
  if (type == "universal") values["axis_b"] = Vector3d(n.unitOrthogonal());
  if (type == "screw") values["pitch"] = 0.4;
  const Vector3d at = centre + random.vector(Space::spatial, 0.4);
  return {.name = fmt::format("j{}", number), .type = kind, .at = at, .values = std::move(values)};
}

}  // namespace

std::vector<ConnectionCase> known_connections() {
  return {cardan_cross(), ball_bar_ball(),      telescope(),          welded_screw(), cross_table(),
          pin_and_ball(), ball_in_slide(false), ball_in_slide(true),  cardan_shaft(), skew_pins(),
          two_hinges(),   sarrus_linkage(),     four_parallel_pins(), knee(),         planar_bar(),
          planar_slot(),  oldham_coupling()};
}

std::vector<ConnectionCase> random_chains() {
  Random random(1983);
  std::vector<ConnectionCase> list;
  while (list.size() < 10) {
    std::vector<Item> elements;
    int freedoms = 0;
    const int wanted = random.coin() ? 2 : 3;
    while (static_cast<int>(elements.size()) < wanted) {
      const char* kind = chain_kinds[static_cast<int>(random.uniform(0.0, 5.999))];
      const int more = model::find_joint_kind(Space::spatial, kind)->freedoms;
      const int left = wanted - static_cast<int>(elements.size()) - 1;
      if (freedoms + more + left > 5) continue;
      freedoms += more;
      elements.push_back(random_link(kind, static_cast<int>(elements.size()) + 1, random));
    }
    std::vector<model::InternalNode> nodes;
    for (int i = 1; i < wanted; ++i) {
      nodes.push_back(
          {.name = fmt::format("n{}", i), .position = centre + random.vector(Space::spatial, 0.3)});
    }
    for (int i = 0; i < wanted; ++i) {
      const std::string a = i == 0 ? "base" : fmt::format("n{}", i);
      const std::string b = i == wanted - 1 ? "bob" : fmt::format("n{}", i + 1);
      // Some are read from their second end.
      const bool turned = random.coin();
      elements[static_cast<std::size_t>(i)].attachments = {turned ? b : a, turned ? a : b};
    }
    ConnectionCase made = connected(fmt::format("chain_{}", list.size() + 1), Space::spatial,
                                    std::move(nodes), std::move(elements));
    made.freedoms = freedoms;
    list.push_back(std::move(made));
  }
  return list;
}

std::vector<ConnectionCase> connection_gallery() {
  std::vector<ConnectionCase> list = known_connections();
  for (ConnectionCase& chain : random_chains()) list.push_back(std::move(chain));
  return list;
}

}  // namespace trammel::support
