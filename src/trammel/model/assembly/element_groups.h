// All elements of a mechanism by kind, and how the work on them is divided.
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/assembly/condensation.h"
#include "trammel/model/assembly/division.h"
#include "trammel/model/elements/block_element_group.h"
#include "trammel/model/elements/connection_group.h"
#include "trammel/model/elements/coupling_group.h"
#include "trammel/model/elements/force_group.h"
#include "trammel/model/elements/friction_group.h"
#include "trammel/model/elements/inertia_group.h"
#include "trammel/model/elements/joint_group.h"
#include "trammel/model/elements/law_group.h"

namespace trammel::model {

/// Constant; shared by all who evaluate the mechanism.
template <class S>
struct ElementGroups {
  explicit ElementGroups(std::shared_ptr<const Mechanism<S>> shared_mechanism);
  ~ElementGroups() = default;
  ElementGroups(const ElementGroups&) = delete;
  ElementGroups(ElementGroups&&) = delete;
  ElementGroups& operator=(const ElementGroups&) = delete;
  ElementGroups& operator=(ElementGroups&&) = delete;

  /// Of the system's equations.
  const std::shared_ptr<const system::KktPattern>& pattern() const {
    return condensed ? condensed->pattern : mechanism->pattern;
  }

  std::shared_ptr<const Mechanism<S>> mechanism;
  InertiaGroup<S> inertia;
  JointGroup<S> joints;
  ForceGroup<S> forces;
  CouplingGroup<S> couplings;
  LawGroup<S> laws;
  BlockElementGroup<S> elements;
  ConnectionGroup<S> connections;
  FrictionGroup<S> frictions;
  std::vector<const ElementGroup<S>*> all;  ///< in the order in which their shares are added
  Division division;
  std::shared_ptr<const CondensedPattern<S>> condensed;  ///< where nodes are carried
};

}  // namespace trammel::model
