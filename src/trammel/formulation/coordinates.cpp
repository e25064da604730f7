#include "trammel/formulation/coordinates.h"

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/model/kinds.h"

namespace trammel::formulation {
namespace {

using model::Space;

void check(model::Description& description) {
  core::Diagnostics diagnostics;
  model::check(description, diagnostics);
  diagnostics.throw_if_errors();
}

// Why relative coordinates cannot be had; empty when they can.
std::string relative_obstacle(const model::Description& description) {
  if (!description.flexible_bodies.empty()) {
    return fmt::format("'{}' is a flexible body", description.flexible_bodies.front().name);
  }
  for (const model::Body& body : description.bodies) {
    if (body.carrier) return fmt::format("body '{}' is carried by others", body.name);
  }
  for (const model::Item& item : description.forces) {
    const model::ForceKind* kind = model::find_force_kind(description.space, item.type);
    if (kind == nullptr) continue;
    if (kind->build_planar_element != nullptr || kind->build_spatial_element != nullptr) {
      return fmt::format("'{}' is an element that may have a mass of its own", item.name);
    }
  }
  if (!description.elements.empty()) {
    return fmt::format("'{}' is an element that may have a mass of its own",
                       description.elements.front().name);
  }
  if (description.amplitudes.empty()) return {};
  return fmt::format("'{}' are freedoms of no body", description.amplitudes.front().name);
}

// Coordinates of each body's path, its own among them.
std::vector<double> path_lengths(const topology::Tree& tree) {
  std::vector<double> lengths;
  for (const topology::Branch& branch : tree.branches()) {
    const double before =
        branch.parent == 0 ? 0.0 : lengths[static_cast<std::size_t>(branch.parent) - 1];
    lengths.push_back(before + branch.coordinates);
  }
  return lengths;
}

template <class S>
std::unique_ptr<RelativeModel> make(const model::Description& description,
                                    topology::Tree tree,
                                    HingeDrives drives) {
  return std::make_unique<RelativeSystem<S>>(description, model::build_mechanism<S>(description),
                                             std::move(tree), drives);
}

std::unique_ptr<RelativeModel> make_relative(const model::Description& description,
                                             topology::Tree tree,
                                             HingeDrives drives = HingeDrives::prescribed) {
  if (description.space == Space::planar) return make<Planar>(description, std::move(tree), drives);
  return make<Spatial>(description, std::move(tree), drives);
}

template <class S>
std::vector<std::string> drives_of_hinges(const model::Description& description) {
  const auto mechanism = model::build_mechanism<S>(description);
  const HingeTree<S> tree =
      build_hinge_tree(description, *mechanism, topology::spanning_tree(graph_of(description)));
  std::vector<std::string> names;
  for (const PrescribedJoint& joint : tree.prescribed) {
    names.push_back(mechanism->relations[static_cast<std::size_t>(joint.relation)].name);
  }
  return names;
}

}  // namespace

const std::vector<CoordinatesKind>& coordinates_kinds() {
  static const std::vector<CoordinatesKind> kinds{
      {"absolute", "position and orientation of every body; all joints are constraints"},
      {"relative", "coordinates of the hinges of a spanning tree; loops are closed by constraints"},
      {"auto", "relative where the tree is shallow enough to make that faster"}};
  return kinds;
}

topology::Tree topology_of(const model::Description& description) {
  model::Description checked = description;
  check(checked);
  return topology::spanning_tree(graph_of(checked));
}

std::vector<std::string> prescribed_by_drives(const model::Description& description) {
  if (description.drives.empty()) return {};
  model::Description checked = description;
  check(checked);
  return checked.space == Space::planar ? drives_of_hinges<Planar>(checked)
                                        : drives_of_hinges<Spatial>(checked);
}

// Work of an elimination: in absolute coordinates a body with its joint is one dense block of
// freedoms and rows; in relative ones every coordinate meets those of its path.
Choice choose_coordinates(const model::Description& description, const topology::Tree& tree) {
  if (std::string obstacle = relative_obstacle(description); !obstacle.empty()) {
    return {false, std::move(obstacle)};
  }
  const bool planar = description.space == Space::planar;
  const double freedoms = planar ? Planar::freedoms : Spatial::freedoms;
  double rows = 0.0;
  for (const topology::Edge& edge : tree.graph().edges) rows += edge.rows;
  double cut_rows = 0.0;
  for (const topology::CutJoint& cut_joint : tree.cut_joints()) {
    cut_rows += tree.graph().edges[static_cast<std::size_t>(cut_joint.edge)].rows;
  }
  const double bodies = tree.bodies();
  const double block = freedoms + (bodies > 0.0 ? rows / bodies : 0.0);
  const double absolute = bodies * block * block * block / 3.0;
  double relative = 0.0;
  const std::vector<double> lengths = path_lengths(tree);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    relative += lengths[i] * lengths[i] * tree.branches()[i].coordinates;
  }
  const double unknowns = tree.coordinates() + cut_rows;
  relative += cut_rows * unknowns * unknowns / 3.0;
  Choice choice;
  choice.relative = relative < absolute;
  choice.reason = fmt::format(
      "{} relative coordinates with {} rows of cut joints on paths of at most {} bodies, against "
      "{} "
      "absolute ones with {} rows: about {:.2g} and {:.2g} operations per elimination",
      tree.coordinates(), cut_rows, tree.depth(), bodies * freedoms, rows, relative, absolute);
  return choice;
}

std::unique_ptr<RelativeModel> compile_relative(model::Description description,
                                                HingeDrives drives) {
  check(description);
  const std::string obstacle = relative_obstacle(description);
  if (!obstacle.empty()) {
    throw core::InputError("relative coordinates are for rigid bodies alone: " + obstacle,
                           "use absolute coordinates");
  }
  topology::Tree tree = topology::spanning_tree(graph_of(description));
  return make_relative(description, std::move(tree), drives);
}

CompiledModel compile_model(model::Description description, HingeDrives drives) {
  const std::string wish = description.simulation.coordinates;
  if (wish == "absolute") return {model::compile(std::move(description)), wish, {}};
  if (wish == "relative") return {compile_relative(std::move(description), drives), wish, {}};
  if (wish != "auto") {
    std::vector<std::string> known;
    for (const CoordinatesKind& kind : coordinates_kinds()) known.emplace_back(kind.name);
    throw core::InputError(fmt::format("unknown coordinates '{}'", wish),
                           core::suggestion(wish, known));
  }
  check(description);
  std::string obstacle = relative_obstacle(description);
  if (!obstacle.empty()) {
    return {model::compile(std::move(description)), "absolute", std::move(obstacle)};
  }
  topology::Tree tree = topology::spanning_tree(graph_of(description));
  Choice choice = choose_coordinates(description, tree);
  if (choice.relative) {
    auto relative = make_relative(description, std::move(tree), drives);
    const std::string flipped = relative->flipped_joint(relative->absolute().described_state());
    if (flipped.empty()) return {std::move(relative), "relative", std::move(choice.reason)};
    choice.reason = fmt::format(
        "joint '{}' is described half a turn away from where its hinge stands", flipped);
  }
  return {model::compile(std::move(description)), "absolute", std::move(choice.reason)};
}

}  // namespace trammel::formulation
