// The names formulas may use, and what they measure.
//
//     time, parameters, tables, functions of the description, first-order states
//     pin.angle                            joint coordinates
//     crank.position.x, crank.velocity.x   of the body frame's origin, world axes
//     crank.tip.position.x ...             of any other frame
//     crank.tip.own_velocity.x             velocity of its origin along its own axes
//     crank.mass_center.x                  of the centre of mass, world axes
//     crank.angle, crank.angular_velocity  planar; `omega` for short
//     crank.angular_velocity.x             spatial, body axes (of a frame: its own axes); `omega.x`
//     crank.rotation.xz                    spatial: its z axis along the world's x axis
//     gap, view.position.x                 sensors, of a value or of a whole frame
//     mount.hub.position.x                 internal nodes of connections, as bodies
//     cam.slip, cam.curvature              rates and outputs of joints
//     cam.load                             of a joint's contact: in force laws only
//     c_rate                               the rate of any coordinate c of these
//     strut.load                           in its own equation, the unknown of an implicit force
#pragma once

#include <map>
#include <optional>
#include <set>

#include "trammel/expression/resolver.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class Quantities final : public expression::Resolver {
 public:
  /// Joints and geometric sensors of the mechanism must be there already.
  Quantities(const Description& description,
             const FrameFinder<S>& frames,
             const Mechanism<S>& mechanism);

  /// What a name measures; empty for parameters and unknown names.
  std::optional<Measure<S>> measure(std::string_view name) const;
  /// The measure of an input of a program that this resolver resolved.
  const Measure<S>& measure(const expression::Input& input) const { return found_[input.id]; }

  std::optional<expression::Symbol> find(std::string_view name) const override;
  std::vector<std::string> names() const override;
  std::string_view noun() const override { return "measured quantity or parameter"; }
  /// First-order states: those of the description, then those of forces.
  const std::vector<StateVariable>& states() const { return states_; }
  void add_state(StateVariable state) { states_.push_back(std::move(state)); }
  /// The name of the unknown in the equations that are compiled next; empty: none.
  void set_unknown(std::string name) { unknown_ = std::move(name); }
  /// Whether the formulas that are compiled next may read loads of contacts.
  void allow_loads(bool allowed) { loads_allowed_ = allowed; }
  /// One that nobody wrote: formulas that are made of others call it.
  void add_function(std::shared_ptr<const expression::UserFunction> function) {
    functions_.push_back(std::move(function));
  }
  std::shared_ptr<const expression::Table> find_table(std::string_view name) const override;
  std::vector<std::string> table_names() const override;
  std::shared_ptr<const expression::UserFunction> find_function(
      std::string_view name) const override;
  std::vector<std::string> user_function_names() const override;

 private:
  std::optional<Measure<S>> coordinate(std::string_view name) const;
  void add_frame_sensor(const NamedFrame<S>& sensor);
  std::optional<Measure<S>> body_measure(std::string_view name) const;
  std::optional<Measure<S>> frame_measure(const std::string& frame, std::string_view rest) const;

  const Description& description_;
  const FrameFinder<S>& frames_;
  std::map<std::string, Measure<S>, std::less<>> named_;  ///< of joints and sensors
  std::map<std::string, Measure<S>, std::less<>> loads_;  ///< of contacts
  std::map<std::string, const Body*, std::less<>> bodies_;
  std::set<std::string, std::less<>> internal_nodes_;
  std::vector<StateVariable> states_;
  std::string unknown_;
  bool loads_allowed_ = false;
  std::vector<std::shared_ptr<const expression::UserFunction>> functions_;  ///< that were added
  mutable std::vector<Measure<S>> found_;  ///< by the id given to the program
};

}  // namespace trammel::model
