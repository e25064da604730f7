// Names, rows and described values of a mechanism.
#pragma once

#include <memory>

#include "trammel/model/mechanism.h"
#include "trammel/system/initial_values.h"

namespace trammel::model {

template <class S>
class MechanismFacts final : public ModelFacts, public system::InitialValues {
 public:
  explicit MechanismFacts(std::shared_ptr<const Mechanism<S>> mechanism)
      : m_(std::move(mechanism)) {}

  system::State described_state() const override { return m_->described; }
  const std::vector<bool>& fixed_positions() const override { return m_->fixed_positions; }
  const std::vector<bool>& fixed_velocities() const override { return m_->fixed_velocities; }
  const system::InitialValues* initial_values() const override { return this; }
  std::vector<InitialName> position_names() const override;
  std::vector<InitialName> velocity_names() const override;
  std::vector<RowName> row_names() const override;
  std::vector<JointRows> joints() const override;
  std::vector<UnilateralRow> unilateral_rows() const override;
  std::vector<StickRow> stick_rows() const override;
  std::vector<MasslessTurn> massless_turns() const override { return m_->massless_turns; }
  int body_count() const override { return static_cast<int>(m_->nodes.size()) - 1; }
  double size() const override { return m_->size; }
  std::vector<Quantity> observables() const override;

  void initial_positions(const system::State& state,
                         std::vector<system::InitialValue>& values) const override;
  void initial_velocities(const system::State& state,
                          std::vector<system::InitialValue>& values) const override;

 private:
  std::shared_ptr<const Mechanism<S>> m_;
};

}  // namespace trammel::model
