#include "trammel/model/connections/summary.h"

#include <algorithm>

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {
namespace {

template <class S>
void summarise(const NamedConnection<S>& named,
               const Mechanism<S>& mechanism,
               ConnectionSummary& summary) {
  const ElasticConnection<S>& connection = *named.connection;
  for (const auto& node : connection.internal()) {
    summary.nodes.push_back(node.name);
    summary.unknowns += node.turns ? S::freedoms : S::dimension;
  }
  for (const int node : connection.nodes().nodes()) {
    summary.bodies.push_back(mechanism.nodes[static_cast<std::size_t>(node)].name);
  }
  for (const int state : connection.states()) {
    summary.states.push_back(mechanism.states[static_cast<std::size_t>(state)].name);
  }
}

template <class S>
ConnectionSummary summary_of(const Connection& connection, const Mechanism<S>& mechanism) {
  ConnectionSummary summary;
  summary.name = connection.name;
  summary.elements = static_cast<int>(connection.elements.size());
  for (const NamedConnection<S>& named : mechanism.connections) {
    if (named.name == connection.name) summarise(named, mechanism, summary);
  }
  for (const KinematicReduction& reduction : mechanism.reductions) {
    if (reduction.connection != connection.name) continue;
    summary.kinematic = true;
    summary.reduction = reduction;
    summary.nodes = reduction.nodes;
    const auto joint = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                    [&](const auto& j) { return j.name == connection.name; });
    for (const int node : {joint->a.node, joint->b.node}) {
      summary.bodies.push_back(mechanism.nodes[static_cast<std::size_t>(node)].name);
    }
  }
  return summary;
}

template <class S>
std::vector<ConnectionSummary> summaries(const Description& description) {
  const auto mechanism = build_mechanism<S>(description);
  std::vector<ConnectionSummary> list;
  for (const Connection& connection : description.connections) {
    list.push_back(summary_of(connection, *mechanism));
  }
  return list;
}

}  // namespace

std::vector<ConnectionSummary> connection_summaries(Description description) {
  if (description.connections.empty()) return {};
  core::Diagnostics diagnostics;
  check(description, diagnostics);
  diagnostics.throw_if_errors();
  return description.space == Space::planar ? summaries<Planar>(description)
                                            : summaries<Spatial>(description);
}

std::vector<KinematicReduction> kinematic_reductions(const Description& description) {
  const auto& all = description.connections;
  const bool any = std::any_of(all.begin(), all.end(), [&](const Connection& connection) {
    return !connection.elements.empty() &&
           find_joint_kind(description.space, connection.elements.front().type) != nullptr;
  });
  if (!any) return {};
  return description.space == Space::planar ? build_mechanism<Planar>(description)->reductions
                                            : build_mechanism<Spatial>(description)->reductions;
}

}  // namespace trammel::model
