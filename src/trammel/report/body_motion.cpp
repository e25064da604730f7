#include "trammel/report/body_motion.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace trammel::report {

BodyMotion::BodyMotion(const DrawnModel& model, const results::Table& table) : model_(model) {
  std::unordered_map<std::string_view, Column> known;
  for (std::size_t i = 0; i < table.channels.size(); ++i) {
    known.emplace(table.channels[i].name, &table.columns[i]);
  }
  const auto column = [&](const std::string& name) -> Column {
    const auto found = known.find(name);
    return found == known.end() ? nullptr : found->second;
  };
  for (const DrawnBody& body : model.bodies) {
    Columns& list = columns_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      list.position[k] = column(body.name + ".position." + "xyz"[k]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      list.orientation[k] = column(body.name + ".orientation.e" + "0123"[k]);
    }
    list.angle = column(body.name + ".angle");
  }
}

bool BodyMotion::moves(std::size_t body) const {
  return columns_[body].position[0] != nullptr;
}

Pose BodyMotion::pose(std::size_t body, std::size_t row) const {
  const Columns& list = columns_[body];
  const DrawnBody& described = model_.bodies[body];
  Pose pose{described.position, described.orientation};
  for (std::size_t k = 0; k < 3; ++k) {
    if (list.position[k] != nullptr) {
      pose.position[static_cast<Eigen::Index>(k)] = (*list.position[k])[row];
    }
  }
  const auto& e = list.orientation;
  if (list.angle != nullptr) {
    pose.orientation = Eigen::AngleAxisd((*list.angle)[row], Eigen::Vector3d::UnitZ());
  } else if (std::all_of(e.begin(), e.end(), [](Column c) { return c != nullptr; })) {
    pose.orientation = Eigen::Quaterniond((*e[0])[row], (*e[1])[row], (*e[2])[row], (*e[3])[row]);
    pose.orientation.normalize();
  }
  pose.position.z() += described.layer * model_.layer_height;
  return pose;
}

}  // namespace trammel::report
