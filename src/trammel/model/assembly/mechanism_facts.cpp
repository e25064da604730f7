#include "trammel/model/assembly/mechanism_facts.h"

#include "trammel/model/observables.h"

namespace trammel::model {

template <class S>
std::vector<RowName> MechanismFacts<S>::row_names() const {
  std::vector<RowName> names(static_cast<std::size_t>(m_->sizes.multipliers()));
  for (const MechanismJoint<S>& joint : m_->joints) {
    auto label = m_->label_sets[static_cast<std::size_t>(joint.labels)].begin();
    for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(c);
      for (int i = 0; i < m_->constraints[index]->rows(); ++i) {
        names[static_cast<std::size_t>(m_->first_row[index] + i)] = {joint.name, *label++};
      }
    }
  }
  for (const NamedRelation<S>& named : m_->relations) {
    names[static_cast<std::size_t>(named.row)] = {named.name, std::string(named.type)};
  }
  for (const NamedJointFriction<S>& named : m_->joint_frictions) {
    if (named.row >= 0) names[static_cast<std::size_t>(named.row)] = {named.name, "stick"};
  }
  return names;
}

template <class S>
std::vector<JointRows> MechanismFacts<S>::joints() const {
  std::vector<JointRows> list;
  for (const MechanismJoint<S>& joint : m_->joints) {
    list.push_back({joint.name, std::string(joint.type), joint.first_row, joint.rows,
                    joint.first_velocity_row, joint.velocity_rows});
  }
  for (const NamedRelation<S>& named : m_->relations) {
    const bool position = named.relation.level() == RelationLevel::position;
    list.push_back({named.name, std::string(named.type), named.row, position ? 1 : 0, named.row,
                    position ? 0 : 1});
  }
  return list;
}

template <class S>
std::vector<UnilateralRow> MechanismFacts<S>::unilateral_rows() const {
  std::vector<UnilateralRow> list;
  const auto add = [&](const std::string& name, const std::optional<ContactRow>& contact) {
    if (!contact || !contact->unilateral) return;
    list.push_back({name, contact->row, contact->side, contact->starts_open});
  };
  for (const MechanismJoint<S>& joint : m_->joints) add(joint.name, joint.contact);
  for (const NamedRelation<S>& named : m_->relations) add(named.name, named.contact);
  return list;
}

template <class S>
std::vector<StickRow> MechanismFacts<S>::stick_rows() const {
  std::vector<StickRow> list;
  for (std::size_t i = 0; i < m_->joint_frictions.size(); ++i) {
    const NamedJointFriction<S>& named = m_->joint_frictions[i];
    if (named.row < 0) continue;
    const double scale = named.unit == "N" ? m_->size : 1.0;
    list.push_back({named.name, named.row, i, scale});
  }
  return list;
}

template <class S>
std::vector<Quantity> MechanismFacts<S>::observables() const {
  return observable_quantities(*m_);
}

template class MechanismFacts<Planar>;
template class MechanismFacts<Spatial>;

}  // namespace trammel::model
