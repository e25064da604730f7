// Where the bodies of a drawn model are at the recorded times.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "trammel/report/drawn_model.h"
#include "trammel/results/table.h"

namespace trammel::report {

struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< p_WB, m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< R_WB
};

/// Reads poses out of the channels "<body>.position.*", "<body>.angle" and "<body>.orientation.*".
/// What was not recorded stays as the model describes it. Planar bodies are lifted to their layer.
/// Model and table must outlive it.
class BodyMotion {
 public:
  BodyMotion(const DrawnModel& model, const results::Table& table);

  Pose pose(std::size_t body, std::size_t row) const;
  /// Whether any channel moves it.
  bool moves(std::size_t body) const;

 private:
  using Column = const std::vector<double>*;
  struct Columns {
    std::array<Column, 3> position{};
    Column angle = nullptr;
    std::array<Column, 4> orientation{};
  };

  const DrawnModel& model_;
  std::vector<Columns> columns_;
};

}  // namespace trammel::report
