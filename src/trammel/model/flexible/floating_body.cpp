#include "trammel/model/flexible/floating_body.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/model/flexible/flexible_color.h"
#include "trammel/model/frames/carried_frame.h"
#include "trammel/model/model_system.h"
#include "trammel/system/kkt_matrix.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// Rows of the freedoms of a node; displacements and turns that it has not stay zero.
SparseRows freedom_map(const Structure& structure, int node) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < structure.size(); ++row) {
    const StructureFreedom& freedom = structure.freedoms[static_cast<std::size_t>(row)];
    if (freedom.node == node) entries.emplace_back(freedom.direction, static_cast<int>(row), 1.0);
  }
  SparseRows map(6, structure.size());
  map.setFromTriplets(entries.begin(), entries.end());
  return map;
}

/// The tangent at rest by positions or accelerations, turns of nodes in world axes.
SparseSquare matrix_at_rest(ModelSystem& system,
                            const system::Weights& weights,
                            const std::vector<Matrix3d>& axes) {
  system::Motion motion;
  motion.state = system.described_state();
  motion.state.v.setZero();
  motion.a.setZero(motion.state.v.size());
  motion.lambda.resize(0);
  system::KktMatrix tangent(system.pattern());
  system.tangent(motion, weights, nullptr, tangent);
  const system::KktPattern& pattern = *tangent.pattern;
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto from = static_cast<std::size_t>(column);
    for (int at = pattern.column_start[from]; at < pattern.column_start[from + 1]; ++at) {
      const auto place = static_cast<std::size_t>(at);
      entries.emplace_back(pattern.row[place], column, tangent.values[place]);
    }
  }
  SparseSquare A(pattern.velocities, pattern.velocities);
  A.setFromTriplets(entries.begin(), entries.end());
  SparseSquare E(A.rows(), A.cols());
  entries.clear();
  for (int node = 0; node < static_cast<int>(axes.size()); ++node) {
    for (int i = 0; i < 3; ++i) {
      entries.emplace_back(6 * node + i, 6 * node + i, 1.0);
      for (int j = 0; j < 3; ++j) {
        entries.emplace_back(6 * node + 3 + i, 6 * node + 3 + j,
                             axes[static_cast<std::size_t>(node)](i, j));
      }
    }
  }
  E.setFromTriplets(entries.begin(), entries.end());
  const SparseSquare turned = E * A * SparseSquare(E.transpose());
  return 0.5 * (turned + SparseSquare(turned.transpose()));
}

/// Of a frame that two nodes carry, from their freedoms in world axes.
SparseRows carried_map(const Carrier& carrier,
                       const std::vector<int>& nodes,
                       const std::vector<Matrix3d>& axes,
                       const Matrix3d& own_axes,
                       Index size) {
  std::vector<Spatial::Kinematics> kinematics;
  Footing footing;
  for (const int node : nodes) {
    footing.nodes.push_back(static_cast<int>(kinematics.size()));
    Spatial::Kinematics k;
    k.R = axes[static_cast<std::size_t>(node)];
    kinematics.push_back(k);
  }
  footing.places.resize(6 * nodes.size());
  const system::Vector none;
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(6, static_cast<Index>(6 * nodes.size()));
  carrier.spatial->map({footing, kinematics, none, none}, P);
  P.bottomRows<3>() = own_axes * P.bottomRows<3>();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto first = static_cast<Index>(6 * i);
    P.middleCols<3>(first + 3) *= axes[static_cast<std::size_t>(nodes[i])].transpose();
    for (int row = 0; row < 6; ++row) {
      for (int k = 0; k < 6; ++k) {
        if (P(row, first + k) != 0.0) {
          entries.emplace_back(row, 6 * nodes[i] + k, P(row, first + k));
        }
      }
    }
  }
  SparseRows map(6, size);
  map.setFromTriplets(entries.begin(), entries.end());
  return map;
}

class FloatingBuilder {
 public:
  FloatingBuilder(const FloatingBody& body,
                  const ReducedStructure& reduced,
                  Description& description)
      : body_(body), reduced_(reduced), description_(description) {}

  void build() {
    add_frame();
    const auto n = reduced_.body.K.rows();
    description_.amplitudes.push_back(
        {.name = shape_name(),
         .value = Eigen::VectorXd::Zero(n),
         .rate = Eigen::VectorXd::Zero(n),
         .units = std::vector<std::string>(static_cast<std::size_t>(n), "m")});
    description_.elements.push_back({.name = body_.name + ".deformation",
                                     .bodies = {frame_name()},
                                     .amplitudes = {shape_name()},
                                     .spatial = modal_body(reduced_.body)});
    for (std::size_t i = 0; i < body_.interfaces.size(); ++i) {
      add_carried(body_.interfaces[i].name, reduced_.interfaces[i], Vector3d::Zero());
    }
    const std::vector<StructurePoint>& points = body_.structure->points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Body& body = add_carried(points[i].name, reduced_.points[i], points[i].center);
      body.shapes = points[i].shapes;
      for (PlacedShape& shape : body.shapes) {
        if (shape.color.empty()) shape.color = body_.color;
      }
    }
    FlexibleBody told;
    told.name = body_.name;
    told.formulation = "floating";
    told.element = "shapes";
    told.elements = static_cast<int>(n);
    told.start = body_.position;
    told.tip = description_.bodies.back().position;
    told.color = body_.color;
    description_.flexible_bodies.push_back(std::move(told));
  }

 private:
  std::string frame_name() const { return body_.name + ".frame"; }
  std::string shape_name() const { return body_.name + ".shape"; }

  Body placed_body(const std::string& name, const Vector3d& x, const Matrix3d& axes) const {
    Body body;
    body.name = name;
    body.part_of = body_.name;
    body.mass = {};
    const Vector3d arm = body_.orientation * (reduced_.origin + x);
    body.position = body_.position + arm;
    body.orientation = (body_.orientation * Eigen::Quaterniond(axes)).normalized();
    body.velocity = body_.velocity + body_.angular_velocity.cross(arm);
    body.angular_velocity = body.orientation.conjugate() * body_.angular_velocity;
    body.turn_counts = false;
    body.stated_pose.fill(true);
    body.stated_velocity.fill(true);
    return body;
  }

  void add_frame() {
    Body frame = placed_body(frame_name(), Vector3d::Zero(), Matrix3d::Identity());
    frame.mass.mass = 0.0;
    frame.mass.inertia.setZero();
    description_.bodies.push_back(std::move(frame));
  }

  Body& add_carried(const std::string& name, const ModalPoint& point, const Vector3d& center) {
    Body body = placed_body(body_.name + "." + name, point.x - point.axes * center, point.axes);
    body.mass.center = center;
    Carrier carrier{.bodies = {frame_name()}, .amplitudes = {shape_name()}};
    carrier.spatial = modal_frame(point);
    body.carrier = std::move(carrier);
    description_.bodies.push_back(std::move(body));
    return description_.bodies.back();
  }

  const FloatingBody& body_;
  const ReducedStructure& reduced_;
  Description& description_;
};

/// Mistakes that the structure has no part in.
void check_words(const FloatingBody& body, const std::string& path, core::Diagnostics& d) {
  std::set<std::string> names{"frame", "shape", "deformation"};
  for (const StructurePoint& point : body.structure->points) names.insert(point.name);
  for (const StructureInterface& each : body.interfaces) {
    const std::string key = path + ".interfaces." + each.name;
    if (is_drawn_name(each.name)) {
      d.error(key,
              fmt::format("frames called '{}' are those by which the body is drawn", each.name),
              "choose another name");
    } else if (!names.insert(each.name).second) {
      d.error(key, fmt::format("the name '{}' is used twice", each.name),
              "choose another one; frame, shape and deformation are parts of every such body");
    }
  }
  const auto not_negative = [&](const char* key, double value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    d.error(path + "." + key, fmt::format("'{}' is {:g}", key, value),
            "give zero or a positive value");
  };
  not_negative("damping_ratio", body.options.damping_ratio);
  not_negative("viscosity", body.options.viscosity);
  if (!body.position.allFinite() || !body.velocity.allFinite() ||
      !body.angular_velocity.allFinite() || !body.orientation.coeffs().allFinite()) {
    d.error(path + ".position", "an initial value is not finite", "give finite numbers");
  }
}

void build_floating_beam(const FlexibleBody& body, Description& description) {
  SpatialBeam beam;
  static_cast<FlexibleBody&>(beam) = body;
  beam.across.second_moment_y = body.section.second_moment;
  beam.across.torsion_constant = 2.0 * body.section.second_moment;
  FloatingBody floating{.name = body.name,
                        .structure = std::make_shared<Structure>(beam_structure(beam)),
                        .interfaces = {{"start", {"start"}}, {"tip", {"tip"}}}};
  floating.options.modes = std::min(8, 6 * (body.elements - 1));
  floating.options.viscosity = body.viscosity;
  floating.velocity = body.velocity - body.angular_velocity.cross(body.start);
  floating.angular_velocity = body.angular_velocity;
  floating.color = body.color;
  add_floating_body(std::move(floating), description);
  description.flexible_bodies.pop_back();  // the caller adds it as it was told
}

}  // namespace

Structure beam_structure(const SpatialBeam& told) {
  SpatialBeam beam = told;
  beam.formulation = "geometrically_exact";
  beam.element = "reissner";
  beam.velocity.setZero();
  beam.angular_velocity.setZero();
  Description description;
  description.space = Space::spatial;
  add_spatial_beam(beam, description);
  const std::vector<Body> bodies = description.bodies;
  const auto system = compile(std::move(description));

  Structure structure;
  std::vector<Matrix3d> axes;
  for (const Body& body : bodies) {
    if (body.carrier) continue;
    const auto node = static_cast<int>(structure.nodes.size());
    axes.push_back(body.orientation.toRotationMatrix());
    structure.nodes.push_back({body.name.substr(told.name.size() + 1), body.position, axes.back()});
    for (int k = 0; k < 6; ++k) structure.freedoms.push_back({node, k});
  }
  structure.mass = matrix_at_rest(*system, {.acceleration = 1.0}, axes);
  structure.stiffness = matrix_at_rest(*system, {.position = 1.0}, axes);
  int drawn = 0;
  for (const Body& body : bodies) {
    const Matrix3d own = body.orientation.toRotationMatrix();
    StructurePoint point{.position = body.position + own * body.mass.center,
                         .axes = own,
                         .center = body.mass.center,
                         .shapes = body.shapes};
    if (body.carrier) {
      std::vector<int> nodes;
      for (const std::string& name : body.carrier->bodies) {
        nodes.push_back(structure.find(name.substr(told.name.size() + 1)));
      }
      point.name = body.name.substr(told.name.size() + 1);
      point.map = carried_map(*body.carrier, nodes, axes, own, structure.size());
    } else {
      point.map = freedom_map(structure, drawn);
      point.name = drawn_name(++drawn);
    }
    structure.points.push_back(std::move(point));
  }
  return structure;
}

void draw_line(const std::vector<std::string>& nodes,
               double thickness,
               const std::string& color,
               const std::string& path,
               Structure& structure,
               core::Diagnostics& diagnostics) {
  std::vector<int> found;
  for (const std::string& name : nodes) {
    found.push_back(structure.find(name));
    if (found.back() >= 0) continue;
    std::vector<std::string> known;
    for (const StructureNode& node : structure.nodes) known.push_back(node.name);
    diagnostics.error(path, fmt::format("there is no node '{}'", name),
                      core::suggestion(name, known));
    return;
  }
  const double area = M_PI_4 * thickness * thickness;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Vector3d here = structure.nodes[static_cast<std::size_t>(found[i])].position;
    StructurePoint point{.name = drawn_name(static_cast<int>(i) + 1),
                         .position = here,
                         .map = freedom_map(structure, found[i])};
    // Half of the way to both neighbours.
    for (const std::size_t other : {i - 1, i + 1}) {
      if (other >= found.size()) continue;
      const Vector3d way =
          0.5 * (structure.nodes[static_cast<std::size_t>(found[other])].position - here);
      if (!(way.norm() > 0.0)) continue;
      point.shapes.push_back(
          {.shape = math::Rod{.length = way.norm(), .area = area},
           .position = 0.5 * way,
           .rotation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), way),
           .color = color});
    }
    structure.points.push_back(std::move(point));
  }
}

bool add_floating_body(FloatingBody body,
                       Description& description,
                       core::Diagnostics& diagnostics) {
  const std::string path = "flexible." + body.name;
  core::Diagnostics words;
  check_words(body, path, words);
  for (const core::Diagnostic& each : words.list()) diagnostics.add(each);
  const auto reduced = reduce(*body.structure, body.interfaces, body.options, path, diagnostics);
  if (!reduced || words.has_errors()) return false;
  if (body.color.empty()) body.color = flexible_color(description.flexible_bodies.size());
  FloatingBuilder(body, *reduced, description).build();
  return true;
}

void add_floating_body(FloatingBody body, Description& description) {
  core::Diagnostics diagnostics;
  add_floating_body(std::move(body), description, diagnostics);
  diagnostics.throw_if_errors();
}

FlexibleKind spatial_floating_frame() {
  return {.name = "floating",
          .space = Space::spatial,
          .summary =
              "a frame that moves at will and a few shapes of small deformation in it, of "
              "matrices or of a beam",
          .elements = {"reissner"},
          .build = build_floating_beam};
}

}  // namespace trammel::model
