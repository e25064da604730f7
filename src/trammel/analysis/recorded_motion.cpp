#include "trammel/analysis/recorded_motion.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/analysis/drive_check.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/relative_system.h"

namespace trammel::analysis {
namespace {

class Row {
 public:
  Row(const results::Table& table, std::size_t row) : table_(table), row_(row) {}

  double value(const std::string& name) const { return table_.column(name)[row_]; }
  Eigen::Vector3d vector(const std::string& name, bool planar) const {
    return {value(name + ".x"), value(name + ".y"), planar ? 0.0 : value(name + ".z")};
  }
  bool has(const std::string& name) const { return table_.contains(name); }

 private:
  const results::Table& table_;
  std::size_t row_;
};

void describe(const Row& row, bool planar, model::Body& body) {
  body.position = row.vector(body.name + ".position", planar);
  body.velocity = row.vector(body.name + ".velocity", planar);
  if (body.kind == model::BodyKind::point) return;
  if (planar) {
    body.angle = row.value(body.name + ".angle");
    body.orientation = Eigen::AngleAxisd(body.angle, Eigen::Vector3d::UnitZ());
    body.angular_velocity = {0.0, 0.0, row.value(body.name + ".angular_velocity")};
    return;
  }
  const std::string e = body.name + ".orientation.e";
  body.orientation = Eigen::Quaterniond(row.value(e + "0"), row.value(e + "1"), row.value(e + "2"),
                                        row.value(e + "3"));
  body.orientation.normalize();
  body.angular_velocity = row.vector(body.name + ".angular_velocity", false);
}

system::State state_at(model::Description& description,
                       model::ModelSystem& system,
                       const Row& row,
                       double time) {
  const bool planar = description.space == model::Space::planar;
  for (model::Body& body : description.bodies) describe(row, planar, body);
  for (model::StateVariable& state : description.states) {
    if (row.has(state.name)) state.initial = row.value(state.name);
  }
  system::State state = model::compile(description)->described_state();
  state.t = time;
  auto* relative = dynamic_cast<formulation::RelativeModel*>(&system);
  return relative == nullptr ? state : relative->from_absolute(state);
}

// Indices of the observables that are accelerations of bodies.
std::vector<std::size_t> acceleration_channels(const model::Description& description,
                                               const Observer& observer) {
  std::vector<std::size_t> list;
  const auto begins = [](const std::string& name, const std::string& start) {
    return name.compare(0, start.size(), start) == 0;
  };
  for (std::size_t i = 0; i < observer.quantities().size(); ++i) {
    const std::string& name = observer.quantities()[i].name;
    for (const model::Body& body : description.bodies) {
      if (begins(name, body.name + ".acceleration.") ||
          begins(name, body.name + ".angular_acceleration")) {
        list.push_back(i);
      }
    }
  }
  return list;
}

Vector picked_values(const std::vector<double>& values, const std::vector<std::size_t>& list) {
  Vector result(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    result[static_cast<Eigen::Index>(i)] = values[list[i]];
  }
  return result;
}

Vector acceleration_at(Observer& observer,
                       const std::vector<std::size_t>& channels,
                       const Row& row,
                       system::Motion motion) {
  Vector wanted(static_cast<Eigen::Index>(channels.size()));
  for (std::size_t i = 0; i < channels.size(); ++i) {
    wanted[static_cast<Eigen::Index>(i)] = row.value(observer.quantities()[channels[i]].name);
  }
  motion.a.setZero();
  const Vector at_rest = picked_values(observer.observe(motion), channels);
  Matrix rows(wanted.size(), motion.a.size());
  for (Eigen::Index i = 0; i < motion.a.size(); ++i) {
    motion.a[i] = 1.0;
    rows.col(i) = picked_values(observer.observe(motion), channels) - at_rest;
    motion.a[i] = 0.0;
  }
  return rows.colPivHouseholderQr().solve(wanted - at_rest);
}

void check_fit(model::ModelSystem& system,
               const std::vector<int>& drive_rows,
               const system::State& state) {
  Vector g;
  system.position_constraint(state, g);
  const std::vector<model::RowName> names = system.row_names();
  const double limit = 1e-5 * std::max(system.size(), 1e-12);
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    const bool drive =
        std::find(drive_rows.begin(), drive_rows.end(), static_cast<int>(i)) != drive_rows.end();
    if (drive || std::abs(g[i]) <= limit) continue;
    throw core::InputError(
        fmt::format("the recorded motion does not fit the model: joint '{}' gapes by {:.3g} at "
                    "t = {:.6g} s",
                    names[static_cast<std::size_t>(i)].joint, std::abs(g[i]), state.t),
        "give results of this model, with the same values of --set");
  }
}

}  // namespace

std::vector<system::Motion> recorded_motion(const model::Description& description,
                                            model::ModelSystem& system,
                                            const results::Table& table) {
  model::Description described = description;
  std::vector<std::string> drives;
  for (const model::Item& drive : description.drives) drives.push_back(drive.name);
  const std::vector<int> drive_rows = rows_named(system, drives);
  Observer observer(system);
  const std::vector<std::size_t> channels = acceleration_channels(description, observer);
  std::vector<system::Motion> motions;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const Row row(table, i);
    system::Motion motion = motion_of(system, state_at(described, system, row, table.time[i]));
    check_fit(system, drive_rows, motion.state);
    motion.a = acceleration_at(observer, channels, row, motion);
    motions.push_back(std::move(motion));
  }
  return motions;
}

}  // namespace trammel::analysis
