// Names and rows of a model in relative coordinates: those of the absolute system, with the rows
// that are left. Part of relative_system.cpp.
#pragma once

#include <algorithm>

#include "trammel/formulation/relative_system.h"

namespace trammel::formulation {

template <class S>
class RelativeSystem<S>::Facts final : public model::ModelFacts {
 public:
  explicit Facts(const Constant& constant)
      : constant_(constant),
        absolute_(constant.mechanism),
        nothing_fixed_(static_cast<std::size_t>(constant.sizes.v), false) {}

  system::State described_state() const override { return constant_.described; }
  const std::vector<bool>& fixed_positions() const override { return nothing_fixed_; }
  const std::vector<bool>& fixed_velocities() const override { return nothing_fixed_; }
  int body_count() const override { return absolute_.body_count(); }
  double size() const override { return absolute_.size(); }
  std::vector<model::Quantity> observables() const override { return absolute_.observables(); }

  std::vector<model::RowName> row_names() const override {
    const std::vector<model::RowName> all = absolute_.row_names();
    std::vector<model::RowName> names;
    for (const int row : constant_.absolute_row) {
      names.push_back(all[static_cast<std::size_t>(row)]);
    }
    return names;
  }

  // Tree joints and drives of prescribed hinges keep their names and have no rows.
  std::vector<model::JointRows> joints() const override {
    std::vector<model::JointRows> list = absolute_.joints();
    const auto place = [&](int& first, int& count) {
      const int row = count == 0 ? -1 : row_of(first);
      if (row < 0) count = 0;
      first = std::max(row, 0);
    };
    for (model::JointRows& joint : list) {
      place(joint.first, joint.count);
      place(joint.first_velocity, joint.velocity_count);
    }
    return list;
  }

  // Unilateral joints are cut joints, see graph_of.
  std::vector<model::UnilateralRow> unilateral_rows() const override {
    std::vector<model::UnilateralRow> list = absolute_.unilateral_rows();
    for (model::UnilateralRow& row : list) row.row = row_of(row.row);
    return list;
  }

  // Joints with friction are cut joints, too.
  std::vector<model::StickRow> stick_rows() const override {
    std::vector<model::StickRow> list = absolute_.stick_rows();
    for (model::StickRow& row : list) row.row = row_of(row.row);
    return list;
  }

 private:
  int row_of(int absolute_row) const {
    return constant_.row_of[static_cast<std::size_t>(absolute_row)];
  }

  const Constant& constant_;
  model::MechanismFacts<S> absolute_;
  std::vector<bool> nothing_fixed_;
};

}  // namespace trammel::formulation
