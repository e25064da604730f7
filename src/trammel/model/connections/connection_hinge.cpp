#include "trammel/model/connections/connection_hinge.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/model/connections/implicit_motion.h"

namespace trammel::model {
namespace {

struct PathStep {
  std::size_t element = 0;
  bool reversed = false;
};

// All elements from body a to body b, one behind the other; empty when they do not stand so.
template <class S>
std::vector<PathStep> serial_path(const KinematicConnection<S>& connection) {
  const auto& elements = connection.elements();
  std::vector<PathStep> path;
  std::vector<bool> taken(elements.size(), false);
  for (int at = 0; at != 1;) {
    std::optional<PathStep> next;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (taken[i]) continue;
      const bool begins = connection.slot(elements[i].a.node) == at;
      if (!begins && connection.slot(elements[i].b.node) != at) continue;
      if (next) return {};
      next = PathStep{i, !begins};
    }
    if (!next || !elements[next->element].kind->allows.is_chain()) return {};
    taken[next->element] = true;
    path.push_back(*next);
    const auto& element = elements[next->element];
    at = connection.slot(next->reversed ? element.a.node : element.b.node);
  }
  return path.size() == elements.size() ? path : std::vector<PathStep>{};
}

// Names of all coordinates of a joint's chain.
template <class S>
void add_names(const typename KinematicConnection<S>::Element& element,
               bool reversed,
               int velocities,
               std::vector<std::string>& names) {
  std::vector<std::string> own;
  for (int i = 0; i < velocities; ++i) {
    const bool named = static_cast<int>(element.coordinates.size()) == velocities;
    own.push_back(fmt::format(
        "{}.{}", element.name,
        named ? element.coordinates[static_cast<std::size_t>(i)].name : fmt::format("q{}", i + 1)));
  }
  if (reversed) std::reverse(own.begin(), own.end());
  names.insert(names.end(), own.begin(), own.end());
}

template <class S>
ConnectionHinge<S> chain_along(const KinematicConnection<S>& connection,
                               const std::vector<PathStep>& path) {
  ConnectionHinge<S> result;
  Hinge<S>& chain = result.hinge;
  for (const PathStep& step : path) {
    const auto& element = connection.elements()[step.element];
    const auto place = [&](int node) {
      return pose_of(connection.reference_poses()[static_cast<std::size_t>(connection.slot(node))]);
    };
    const Pose<S> nodes = inverse(place(element.a.node)) * place(element.b.node);
    Hinge<S> hinge =
        hinge_of<S>(element.kind->allows, {element.values, element.a, element.b, nodes});
    std::vector<double> q(static_cast<std::size_t>(hinge.coordinates()));
    hinge.coordinates_of(nodes, q.data());
    if (step.reversed) {
      const std::vector<double> forth = q;
      reverse_coordinates(hinge, forth.data(), q.data());
      hinge = reversed(hinge);
    }
    chain.start.insert(chain.start.end(), q.begin(), q.end());
    Pose<S>& first = hinge.joints.empty() ? hinge.after : hinge.joints.front().before;
    first = chain.after * first;
    chain.joints.insert(chain.joints.end(), hinge.joints.begin(), hinge.joints.end());
    chain.after = hinge.after;
    add_names<S>(element, step.reversed, hinge.velocities(), result.coordinates);
  }
  return result;
}

template <class S>
std::vector<ChosenCoordinate<S>> candidates(const KinematicConnection<S>& connection) {
  std::vector<ChosenCoordinate<S>> list;
  for (const auto& element : connection.elements()) {
    for (const auto& named : element.coordinates) {
      list.push_back({element.name + "." + named.name, named.coordinate, element.a.node,
                      element.b.node, std::string_view(named.unit) == "m",
                      element.kind->freedoms == 1 ? 1.0 : 0.5});
    }
  }
  return list;
}

template <class S>
std::vector<ChosenCoordinate<S>> named_ones(const std::vector<ChosenCoordinate<S>>& all,
                                            const std::vector<std::string>& wished) {
  std::vector<ChosenCoordinate<S>> list;
  for (const std::string& name : wished) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& coordinate) { return coordinate.name == name; });
    if (found != all.end()) {
      list.push_back(*found);
      continue;
    }
    std::vector<std::string> known;
    for (const auto& coordinate : all) known.push_back(coordinate.name);
    throw core::InputError(fmt::format("no joint of the connection has a coordinate '{}'", name),
                           core::suggestion(name, known));
  }
  return list;
}

template <class S>
ConnectionHinge<S> by_coordinates(const std::shared_ptr<const KinematicConnection<S>>& connection,
                                  const std::vector<std::string>& wished) {
  ConnectionHinge<S> result;
  const int freedoms = connection->reduction().freedoms;
  const std::vector<ChosenCoordinate<S>> all = candidates(*connection);
  std::vector<ChosenCoordinate<S>> chosen =
      choose_coordinates(*connection, wished.empty() ? all : named_ones(all, wished), freedoms);
  if (static_cast<int>(chosen.size()) != freedoms ||
      (!wished.empty() && wished.size() != chosen.size())) {
    if (wished.empty()) {
      result.obstacle = "the coordinates of its joints do not tell its motion";
      return result;
    }
    throw core::InputError(
        fmt::format("the coordinates {} do not tell the motion of the connection, which has {} "
                    "freedom{}, where the model is described",
                    fmt::join(wished, ", "), freedoms, freedoms == 1 ? "" : "s"),
        "name as many independent coordinates as it has freedoms, or leave 'coordinates' out");
  }
  for (const ChosenCoordinate<S>& coordinate : chosen)
    result.coordinates.push_back(coordinate.name);
  auto form = std::make_shared<const ImplicitMotion<S>>(connection, std::move(chosen));
  result.hinge.start = form->start();
  result.hinge.joints.push_back({.kind = ElementaryKind::form, .form = std::move(form)});
  return result;
}

}  // namespace

template <class S>
ConnectionHinge<S> connection_hinge(const std::shared_ptr<const KinematicConnection<S>>& connection,
                                    const std::vector<std::string>& wished) {
  const KinematicReduction& reduction = connection->reduction();
  ConnectionHinge<S> none;
  if (connection->velocity_rows() > 0) {
    none.obstacle = "it has nonholonomic rows";
  } else if (reduction.idle > 0) {
    none.obstacle =
        fmt::format("{} of its nodes {} felt by no body",
                    reduction.idle == 1 ? "a freedom" : fmt::format("{} freedoms", reduction.idle),
                    reduction.idle == 1 ? "is" : "are");
  }
  if (!none.obstacle.empty() && !wished.empty()) {
    throw core::InputError("'coordinates' are for connections that are hinges: " + none.obstacle,
                           "leave 'coordinates' out");
  }
  if (!none.obstacle.empty()) return none;
  if (reduction.freedoms == 0) {
    none.hinge.after = pose_of(connection->reference());
    return none;
  }
  if (wished.empty()) {
    const std::vector<PathStep> path = serial_path(*connection);
    if (!path.empty()) return chain_along(*connection, path);
  }
  return by_coordinates(connection, wished);
}

template ConnectionHinge<Planar> connection_hinge(
    const std::shared_ptr<const KinematicConnection<Planar>>&, const std::vector<std::string>&);
template ConnectionHinge<Spatial> connection_hinge(
    const std::shared_ptr<const KinematicConnection<Spatial>>&, const std::vector<std::string>&);

}  // namespace trammel::model
