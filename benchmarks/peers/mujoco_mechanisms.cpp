#include "mujoco_mechanisms.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "mechanisms.h"
#include <fmt/format.h>

namespace peers {
namespace {

/// The XML reader refuses more than 100 nested elements, so long chains go on in included files.
constexpr int links_per_file = 80;

/// MuJoCo refuses moving bodies with an inertia below 1e-15 kg m^2; point masses and the axial
/// inertia of very short rods, which no planar motion feels, get this much.
constexpr double least_inertia = 1e-14;

struct Files {
  std::string main;
  std::vector<std::string> included;  ///< part1.xml, part2.xml, ...
};

std::string inertial(double centre, double mass, double axial, double transverse) {
  return fmt::format(
      "<inertial pos=\"{:.17g} 0 0\" mass=\"{:.17g}\" diaginertia=\"{:.17g} {:.17g} {:.17g}\"/>",
      centre, mass, std::max(axial, least_inertia), std::max(transverse, least_inertia),
      std::max(transverse, least_inertia));
}

/// Opens a rod along its x axis, hinged about z at (x, y) of its parent and turned by an angle.
std::string open_rod(const std::string& name, double x, double angle, const SlenderRod& rod) {
  return fmt::format(
      "<body name=\"{}\" pos=\"{:.17g} 0 0\" euler=\"0 0 {:.17g}\">"
      "<joint type=\"hinge\" axis=\"0 0 1\"/>{}",
      name, x, angle,
      inertial(0.5 * rod.length, rod.mass, rod.axial_inertia(), rod.transverse_inertia()));
}

std::string connect(const std::string& body, const std::string& other, double x) {
  return fmt::format("<connect body1=\"{}\" body2=\"{}\" anchor=\"{:.17g} 0 0\"/>", body, other, x);
}

/// Links first..n-1, nested; what goes beyond one file becomes an included one.
std::string chain_links(int first, int n, Files& files) {
  const SlenderRod link = chain_link(n);
  const int end = std::min(n, first + links_per_file);
  std::string text;
  for (int i = first; i < end; ++i) {
    text += open_rod(fmt::format("b{}", i), i == 0 ? 0.0 : link.length, 0.0, link);
  }
  if (end < n) {
    const int part = end / links_per_file;
    text += fmt::format("<include file=\"part{}.xml\"/>", part);
    files.included.resize(std::max(files.included.size(), static_cast<std::size_t>(part)));
    const std::string rest = chain_links(end, n, files);
    files.included[static_cast<std::size_t>(part - 1)] =
        "<mujocoinclude>" + rest + "</mujocoinclude>";
  }
  for (int i = first; i < end; ++i) text += "</body>";
  return text;
}

struct Mechanism {
  std::string bodies, equalities;
};

/// Bodies alternate: rocker i, its coupler; the last rocker has none.
Mechanism fourbar_text(int n) {
  Mechanism mechanism;
  for (int i = 0; i <= n; ++i) {
    mechanism.bodies += open_rod(fmt::format("rocker{}", i), i, fourbar::start_angle, fourbar::bar);
    if (i < n) {
      mechanism.bodies += open_rod(fmt::format("coupler{}", i), fourbar::bar.length,
                                   -fourbar::start_angle, fourbar::bar) +
                          "</body>";
      mechanism.equalities +=
          connect(fmt::format("coupler{}", i), fmt::format("rocker{}", i + 1), fourbar::bar.length);
    }
    mechanism.bodies += "</body>";
  }
  return mechanism;
}

Mechanism slider_crank_text() {
  using namespace slider_crank;
  const Start closed = slider_crank::start();
  Mechanism mechanism;
  mechanism.bodies = open_rod("crank", 0.0, start_angle, crank) +
                     open_rod("rod", crank.length, closed.rod_angle - start_angle, rod) +
                     "</body></body>" +
                     fmt::format(
                         "<body name=\"slider\" pos=\"{:.17g} 0 0\">"
                         "<joint type=\"slide\" axis=\"1 0 0\"/>{}</body>",
                         closed.slider_position, inertial(0.0, slider_mass, 1e-3, 1e-3));
  mechanism.equalities = connect("rod", "slider", rod.length);
  return mechanism;
}

Mechanism pendulum_text() {
  return {fmt::format("<body pos=\"0 0 0\" euler=\"0 0 {:.17g}\">"
                      "<joint type=\"hinge\" axis=\"0 0 1\"/>{}</body>",
                      pendulum::start_angle, inertial(pendulum::length, pendulum::mass, 0.0, 0.0)),
          ""};
}

const char* integrator_of(const std::string& method) {
  if (method == "rk4") return "RK4";
  if (method == "euler") return "Euler";
  if (method == "implicit") return "implicit";
  throw std::invalid_argument(
      fmt::format("unknown method '{}' of MuJoCo; known: rk4 euler implicit", method));
}

Files make_files(const Arguments& arguments, double h, const LoopClosure& closure) {
  Files files;
  Mechanism mechanism;
  if (arguments.case_name == "fourbar") {
    mechanism = fourbar_text(arguments.n);
  } else if (arguments.case_name == "slider_crank") {
    mechanism = slider_crank_text();
  } else if (arguments.case_name == "pendulum") {
    mechanism = pendulum_text();
  } else {
    mechanism.bodies = chain_links(0, arguments.n, files);
  }
  files.main = fmt::format(
      "<mujoco><compiler angle=\"radian\"/>"
      "<option timestep=\"{:.17g}\" integrator=\"{}\" gravity=\"0 {:.17g} 0\" solver=\"Newton\" "
      "iterations=\"50\" tolerance=\"1e-14\">"
      "<flag contact=\"disable\" limit=\"disable\" frictionloss=\"disable\" "
      "actuation=\"disable\" refsafe=\"disable\"/></option>"
      "<default><equality solref=\"{:.17g} 1\" solimp=\"{:.17g} {:.17g} 1 0.5 2\"/></default>"
      "<worldbody>{}</worldbody><equality>{}</equality></mujoco>",
      h, integrator_of(arguments.method), -gravity, closure.time_constant, closure.impedance,
      closure.impedance, mechanism.bodies, mechanism.equalities);
  return files;
}

void add_file(mjVFS& folder, const std::string& name, const std::string& text) {
  if (mj_makeEmptyFileVFS(&folder, name.c_str(), static_cast<int>(text.size())) != 0) {
    throw std::runtime_error("MuJoCo: the virtual folder is full at " + name);
  }
  const int index = mj_findFileVFS(&folder, name.c_str());
  std::memcpy(folder.filedata[index], text.data(), text.size());
}

}  // namespace

MujocoModel make_mujoco_model(const Arguments& arguments, double h, const LoopClosure& closure) {
  const Files files = make_files(arguments, h, closure);
  const auto folder = std::make_unique<mjVFS>();
  mj_defaultVFS(folder.get());
  add_file(*folder, "model.xml", files.main);
  for (std::size_t i = 0; i < files.included.size(); ++i) {
    add_file(*folder, fmt::format("part{}.xml", i + 1), files.included[i]);
  }
  char message[1000] = "";
  MujocoModel model(mj_loadXML("model.xml", folder.get(), message, sizeof message));
  mj_deleteVFS(folder.get());
  if (!model) throw std::runtime_error(fmt::format("MuJoCo: {}", message));
  return model;
}

MujocoData make_mujoco_start(const Arguments& arguments, const mjModel& model) {
  MujocoData data(mj_makeData(&model));
  if (!data) throw std::runtime_error("MuJoCo: no memory for the data of this model");
  // All coordinates are zero in the start configuration; only rates remain to be set.
  if (arguments.case_name == "fourbar") {
    for (int i = 0; i < model.nv; ++i) {
      data->qvel[i] = i % 2 == 0 ? fourbar::start_rate : -fourbar::start_rate;
    }
  } else if (arguments.case_name == "slider_crank") {
    const slider_crank::Start closed = slider_crank::start();
    data->qvel[0] = slider_crank::start_rate;
    data->qvel[1] = closed.rod_rate - slider_crank::start_rate;
    data->qvel[2] = closed.slider_rate;
  }
  return data;
}

std::vector<std::pair<std::string, double>> final_values(const Arguments& arguments,
                                                         const mjModel& model,
                                                         const mjData& data) {
  const auto tip = [&](int body, double length) {
    const mjtNum* origin = data.xpos + 3 * body;
    const mjtNum* rotation = data.xmat + 9 * body;
    return std::pair(origin[0] + length * rotation[0], origin[1] + length * rotation[3]);
  };
  const double rate = data.qvel[0];
  if (arguments.case_name == "slider_crank") {
    return {{"angle", slider_crank::start_angle + data.qpos[0]},
            {"rate", rate},
            {"slider_x", slider_crank::start().slider_position + data.qpos[2]}};
  }
  if (arguments.case_name == "fourbar" || arguments.case_name == "pendulum") {
    const bool is_pendulum = arguments.case_name == "pendulum";
    const double start = is_pendulum ? pendulum::start_angle : fourbar::start_angle;
    const auto [x, y] = tip(1, 1.0);
    return {{"angle", start + data.qpos[0]}, {"rate", rate}, {"x", x}, {"y", y}};
  }
  double last_angle = 0.0;
  for (int i = 0; i < model.nq; ++i) last_angle += data.qpos[i];
  const auto [x, y] = tip(model.nbody - 1, chain_link(arguments.n).length);
  return {{"x", x}, {"y", y}, {"angle", last_angle}};
}

}  // namespace peers
