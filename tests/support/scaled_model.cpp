#include "support/scaled_model.h"

#include <cmath>

#include "trammel/model/kinds.h"

namespace trammel::support {

namespace dimension = core::dimension;

double Units::factor(const core::Dimension& dimension) const {
  return std::pow(length, dimension.length) * std::pow(mass, dimension.mass) *
         std::pow(time, dimension.time);
}

namespace {

void scale(const std::vector<model::Field>& fields, const Units& units, model::Values& values) {
  for (const model::Field& field : fields) {
    // Fallbacks have units, too.
    if (field.fallback) values.try_emplace(field.name, *field.fallback);
    const auto found = values.find(field.name);
    if (found == values.end()) continue;
    const double factor = units.factor(field.dimension);
    if (auto* number = std::get_if<double>(&found->second)) *number *= factor;
    if (auto* vector = std::get_if<Eigen::Vector3d>(&found->second)) *vector *= factor;
    if (auto* list = std::get_if<std::vector<double>>(&found->second)) {
      for (double& entry : *list) entry *= factor;
    }
  }
}

void scale(std::vector<model::Frame>& frames, const Units& units) {
  for (model::Frame& frame : frames) frame.position *= units.length;
}

void scale(model::Body& body, const Units& units) {
  body.mass.mass *= units.mass;
  body.mass.center *= units.length;
  body.mass.inertia *= units.factor(dimension::inertia);
  body.position *= units.length;
  body.velocity *= units.factor(dimension::velocity);
  body.angular_velocity /= units.time;
  scale(body.frames, units);
}

}  // namespace

model::Description in_units(model::Description d, const Units& units) {
  d.gravity *= units.factor(dimension::acceleration);
  scale(d.ground_frames, units);
  for (model::Body& body : d.bodies) scale(body, units);
  const auto scale_item = [&](model::Item& item, const auto* kind) {
    if (item.at) *item.at *= units.length;
    scale(kind->fields, units, item.values);
  };
  for (model::Item& item : d.joints) scale_item(item, model::find_joint_kind(d.space, item.type));
  for (model::Item& item : d.forces) scale_item(item, model::find_force_kind(d.space, item.type));
  for (model::Item& item : d.couplings) scale_item(item, model::find_coupling_kind(item.type));
  for (model::Item& item : d.drives) scale_item(item, model::find_drive_kind(item.type));
  for (auto& [name, quantity] : d.parameters) quantity.value *= units.factor(quantity.dimension);
  d.simulation.until *= units.time;
  d.simulation.step *= units.time;
  d.simulation.output_step *= units.time;
  return d;
}

}  // namespace trammel::support
