#include "simbody_mechanisms.h"

#include "mechanisms.h"

namespace peers {
namespace {

using SimTK::Body;
using SimTK::Constraint;
using SimTK::Inertia;
using SimTK::MassProperties;
using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

/// A rod from its body origin along its x axis.
Body::Rigid rod_body(const SlenderRod& rod) {
  const Vec3 centre(0.5 * rod.length, 0, 0);
  const Inertia central(rod.axial_inertia(), rod.transverse_inertia(), rod.transverse_inertia());
  return Body::Rigid(
      MassProperties(rod.mass, centre, central.shiftFromMassCenter(centre, rod.mass)));
}

/// Adds a body hinged about z at a point of its parent.
MobilizedBody& add_pinned(SimbodyMechanism& mechanism,
                          MobilizedBody parent,
                          const Vec3& point,
                          const Body& body) {
  mechanism.bodies.push_back(MobilizedBody::Pin(parent, Transform(point), body, Transform()));
  return mechanism.bodies.back();
}

/// The hinge that closes a planar loop: the follower's point stays on a line along z.
void close_loop(MobilizedBody base,
                const Vec3& base_point,
                MobilizedBody follower,
                const Vec3& point) {
  Constraint::PointOnLine(base, SimTK::UnitVec3(0, 0, 1), base_point, follower, point);
}

void set_coordinate(SimbodyMechanism& mechanism, std::size_t body, double angle, double rate) {
  mechanism.bodies[body].setOneQ(mechanism.start, 0, angle);
  mechanism.bodies[body].setOneU(mechanism.start, 0, rate);
}

void finish_topology(SimbodyMechanism& mechanism) {
  mechanism.start = mechanism.system.realizeTopology();
  mechanism.system.realizeModel(mechanism.start);
}

void build_chain(SimbodyMechanism& mechanism, int n) {
  const SlenderRod link = chain_link(n);
  MobilizedBody parent = mechanism.matter.Ground();
  for (int i = 0; i < n; ++i) {
    parent = add_pinned(mechanism, parent, Vec3(i == 0 ? 0 : link.length, 0, 0), rod_body(link));
  }
  finish_topology(mechanism);
}

/// Bodies: rocker 0..n, then coupler 0..n-1, each coupler hinged on the rocker to its left.
void build_fourbar(SimbodyMechanism& mechanism, int n) {
  const Vec3 tip(fourbar::bar.length, 0, 0);
  const auto count = static_cast<std::size_t>(n);
  for (int i = 0; i <= n; ++i) {
    add_pinned(mechanism, mechanism.matter.Ground(), Vec3(i, 0, 0), rod_body(fourbar::bar));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const MobilizedBody rocker = mechanism.bodies[i];
    const MobilizedBody coupler = add_pinned(mechanism, rocker, tip, rod_body(fourbar::bar));
    close_loop(mechanism.bodies[i + 1], tip, coupler, tip);
  }
  finish_topology(mechanism);
  for (std::size_t i = 0; i <= count; ++i) {
    set_coordinate(mechanism, i, fourbar::start_angle, fourbar::start_rate);
  }
  for (std::size_t i = 0; i < count; ++i) {
    set_coordinate(mechanism, count + 1 + i, -fourbar::start_angle, -fourbar::start_rate);
  }
}

/// Bodies: crank, rod, slider.
void build_slider_crank(SimbodyMechanism& mechanism) {
  using namespace slider_crank;
  const Vec3 rod_tip(rod.length, 0, 0);
  const MobilizedBody crank_body =
      add_pinned(mechanism, mechanism.matter.Ground(), Vec3(0), rod_body(crank));
  const MobilizedBody connecting_rod =
      add_pinned(mechanism, crank_body, Vec3(crank.length, 0, 0), rod_body(rod));
  const Body::Rigid block(MassProperties(slider_mass, Vec3(0), Inertia(1e-3 * slider_mass)));
  mechanism.bodies.push_back(
      MobilizedBody::Slider(mechanism.matter.Ground(), Transform(), block, Transform()));
  close_loop(mechanism.bodies.back(), Vec3(0), connecting_rod, rod_tip);
  finish_topology(mechanism);

  const Start closed = slider_crank::start();
  set_coordinate(mechanism, 0, start_angle, start_rate);
  set_coordinate(mechanism, 1, closed.rod_angle - start_angle, closed.rod_rate - start_rate);
  set_coordinate(mechanism, 2, closed.slider_position, closed.slider_rate);
}

void build_pendulum(SimbodyMechanism& mechanism) {
  const Vec3 centre(pendulum::length, 0, 0);
  const Body::Rigid bob(MassProperties(pendulum::mass, centre, Inertia(centre, pendulum::mass)));
  add_pinned(mechanism, mechanism.matter.Ground(), Vec3(0), bob);
  finish_topology(mechanism);
  set_coordinate(mechanism, 0, pendulum::start_angle, 0.0);
}

}  // namespace

SimbodyMechanism::SimbodyMechanism() : weight(forces, matter, SimTK::UnitVec3(0, -1, 0), gravity) {
  matter.setShowDefaultGeometry(false);
}

std::unique_ptr<SimbodyMechanism> make_simbody_mechanism(const Arguments& arguments) {
  auto mechanism = std::make_unique<SimbodyMechanism>();
  if (arguments.case_name == "fourbar") {
    build_fourbar(*mechanism, arguments.n);
  } else if (arguments.case_name == "slider_crank") {
    build_slider_crank(*mechanism);
  } else if (arguments.case_name == "pendulum") {
    build_pendulum(*mechanism);
  } else {
    build_chain(*mechanism, arguments.n);
  }
  return mechanism;
}

std::vector<std::pair<std::string, double>> final_values(const Arguments& arguments,
                                                         const SimbodyMechanism& mechanism,
                                                         const SimTK::State& state) {
  mechanism.system.realize(state, SimTK::Stage::Velocity);
  const auto& bodies = mechanism.bodies;
  const double angle = bodies.front().getOneQ(state, 0);
  const double rate = bodies.front().getOneU(state, 0);
  if (arguments.case_name == "slider_crank") {
    return {{"angle", angle}, {"rate", rate}, {"slider_x", bodies[2].getOneQ(state, 0)}};
  }
  if (arguments.case_name == "fourbar" || arguments.case_name == "pendulum") {
    const Vec3 tip = bodies.front().findStationLocationInGround(state, Vec3(1, 0, 0));
    return {{"angle", angle}, {"rate", rate}, {"x", tip[0]}, {"y", tip[1]}};
  }
  double last_angle = 0.0;
  for (const MobilizedBody& body : bodies) last_angle += body.getOneQ(state, 0);
  const Vec3 tip =
      bodies.back().findStationLocationInGround(state, Vec3(chain_link(arguments.n).length, 0, 0));
  return {{"x", tip[0]}, {"y", tip[1]}, {"angle", last_angle}};
}

}  // namespace peers
